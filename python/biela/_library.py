# SPDX-License-Identifier: MIT
"""The shared object: where it is, its functions, and how what it reports becomes an exception."""
from __future__ import annotations

import ctypes
import operator
import os
from typing import Any, Callable, List, NamedTuple, Optional

from . import _interface as c


class Issue(NamedTuple):
    """One line of a report: what is wrong, where, and what to do."""

    severity: str  #: "error", "warning" or "note"
    where: str
    what: str
    file: Optional[str]
    line: int
    column: int

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.where + ': ' if self.where else ''}{self.what}"


class BielaError(Exception):
    """What the library refused. `status` is its word for it, `issues` all that it reported."""

    def __init__(self, text: str, status: int = c.BI_BAD_ARGUMENT, issues: Optional[List[Issue]] = None):
        super().__init__(text)
        self.status = status
        self.issues = issues or []


def _places() -> List[str]:
    """Where libbiela may be: told, beside this package, in a build of these sources, where the system looks."""
    here = os.path.dirname(os.path.abspath(__file__))
    name = "libbiela.so.1"
    told = os.environ.get("BIELA_LIBRARY")
    prefix = os.path.abspath(os.path.join(here, "..", "..", "..", ".."))  # of PREFIX/lib/python3/dist-packages/biela
    beside = [os.path.join(here, name), os.path.join(here, "..", "..", "build", name), os.path.join(prefix, "lib", name)]
    beside += [os.path.join(prefix, "lib", f"{os.uname().machine}-linux-gnu", name)]
    return [told] if told else [p for p in beside if os.path.exists(p)] + [name]


def _load() -> str:
    for path in _places():
        try:
            ctypes.CDLL(path)
            return path
        except OSError as error:
            last = error
    raise ImportError(f"libbiela.so.1 cannot be loaded ({last}); install libbiela1, or name the file in BIELA_LIBRARY")


PATH = _load()
lib = ctypes.CDLL(PATH)  # other threads of Python go on meanwhile
short = ctypes.PyDLL(PATH)  # they do not: for calls that take microseconds
for _name, (_result, _arguments) in c.FUNCTIONS.items():
    for _object in (lib, short):
        try:
            _f = getattr(_object, _name)
        except AttributeError:
            raise ImportError(f"{PATH} has no {_name}: it is of another version than this package") from None
        _f.restype = _result
        _f.argtypes = _arguments

SEVERITY = ("error", "warning", "note")


class Report:
    """A bi_report for the length of a `with`; errors in it become an exception at its end."""

    def __init__(self) -> None:
        self.raw = c.bi_report()
        self.issues: List[Issue] = []

    def __enter__(self) -> "Report":
        return self

    @property
    def ref(self):
        return ctypes.byref(self.raw)

    def gather(self) -> List[Issue]:
        if self.raw.count and not self.issues:
            items = (c.bi_issue * self.raw.count).from_address(self.raw.issue)
            for i in items:
                text = [(x or b"").decode("utf-8", "replace") for x in (i.where, i.what)]
                file = i.place.file.decode("utf-8", "replace") if i.place.file else None
                self.issues.append(Issue(SEVERITY[i.severity], text[0], text[1], file, i.place.line, i.place.column))
        return self.issues

    def __exit__(self, kind, value, trace) -> None:
        self.gather()
        lib.bi_report_clear(ctypes.byref(self.raw))
        errors = [i for i in self.issues if i.severity == "error"]
        if kind is None and errors:
            raise BielaError("\n".join(map(str, errors)), c.BI_BAD_MODEL, self.issues)


def status_text(status: int) -> str:
    return lib.bi_status_text(status).decode()


def stays_here(what: str, advice: str) -> Callable:
    """In place of what would copy or pickle: an object of C has one owner, in one process."""

    def refuse(*_: Any) -> Any:
        raise TypeError(f"{what} lives in the memory of this process and cannot be copied or pickled: {advice}")

    return refuse


def step_count(n: Any) -> int:
    """A number of steps as C has it."""
    count = operator.index(n)
    if not 0 <= count < 2**63:
        raise ValueError("steps are counted from 0 to 2^63")
    return count


def text(value) -> bytes:
    """A Python text for C."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        value = value.encode()
    if not isinstance(value, bytes):
        raise TypeError(f"a text is needed, and this is {type(value).__name__}")
    if b"\0" in value:
        raise ValueError("a text with a zero byte in it")
    return value


def version() -> str:
    """The version of the library that is loaded."""
    return lib.bi_version().decode()
