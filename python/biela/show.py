# SPDX-License-Identifier: MIT
"""The page of the live simulator, from Python."""
from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any, List, Optional, Union

from ._library import PATH, BielaError
from .model import Model, PathLike
from .sim import Sim


def command() -> str:
    """The path of the command `biela`: $BIELA, that of the build beside the library, or the installed one."""
    beside = os.path.join(os.path.dirname(os.path.abspath(PATH)), "biela")
    for place in (os.environ.get("BIELA"), beside if os.path.isfile(beside) else None, shutil.which("biela")):
        if place:
            return place
    raise BielaError("the command biela is not here (Debian: biela); its path may stand in BIELA")


class Page:
    """A drive in a process of its own. `url` is the address of its page; `close()` ends it."""

    def __init__(self, words: List[str]):
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url: Optional[str] = None
        said = []
        for line in self._process.stdout or ():
            said.append(line)
            found = [w for w in line.split() if w.startswith("http://")]
            if found:
                self.url = found[0].rstrip(".,;")
                break
        if not self.url:
            self._process.wait()
            raise BielaError("the page did not start: " + "".join(said).strip())

    def close(self) -> None:
        """Ends the drive."""
        self._process.terminate()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return f'<iframe src="{self.url}" width="100%" height="600" style="border:0"></iframe>'


def show(what: Union[Sim, Model, PathLike], *, open: Optional[bool] = None, port: int = 0) -> Page:
    """Drives a model in the browser: that of a sim, with its parameters and its named run, from its beginning.

    In a notebook the page stands in the cell; else a browser opens (open=False: none). The model must come from a file."""
    model = what.model if isinstance(what, Sim) else what if isinstance(what, Model) else Model(what)
    if not model.path:
        raise BielaError("only a model from a file can be shown: the page reads it again")
    words = [command(), "drive", model.path, "--port", str(port), "--no-record"]
    for name, value in model.settings.items():
        words += ["--set", f"{name}={value}"]
    if model.run_name:
        words += ["--run", model.run_name]
    if open is None:
        open = not _in_notebook()
    return Page(words + ["--open" if open else "--no-open"])


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython  # type: ignore[import-not-found]
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")
