# SPDX-License-Identifier: MIT
"""Results: named columns over time."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np

from . import _interface as c
from ._library import BielaError, Report, lib, text


class Result(Mapping[str, np.ndarray]):
    """Columns by name, and `t`. `units` has the unit of each.

    >>> result["tip.x"].max()
    >>> pandas.DataFrame(dict(result), index=result.t)     # or result.to_dataframe()
    """

    def __init__(self, t: np.ndarray, columns: Dict[str, np.ndarray], units: Optional[Dict[str, str]] = None, name: str = ""):
        self.t = t
        self._columns = columns
        self.units = units or {}
        self.name = name

    def __getitem__(self, name: str) -> np.ndarray:
        if name == "t":
            return self.t
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r}; there are: {', '.join(self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Result of {self.name or 'a run'}: {len(self.t)} instants, {len(self._columns)} columns>"

    def to_dataframe(self) -> Any:
        """A pandas DataFrame with t as its index."""
        pandas = _need("pandas", "to_dataframe")
        return pandas.DataFrame(dict(self._columns), index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """An xarray Dataset over t, with the units as attributes."""
        xarray = _need("xarray", "to_xarray")
        return xarray.Dataset({k: ("t", v, {"units": self.units.get(k, "")}) for k, v in self._columns.items()},
                              coords={"t": self.t}, attrs={"name": self.name})

    def save(self, path: "os.PathLike[str] | str") -> None:
        """As .npz, as .h5 (with h5py), else as CSV with 17 digits."""
        name = os.fspath(path)
        if name.endswith(".npz"):
            np.savez(name, t=self.t, **self._columns)
        elif name.endswith((".h5", ".hdf5")):
            h5py = _need("h5py", "save")
            with h5py.File(name, "w") as out:
                for key, value in {"t": self.t, **self._columns}.items():
                    out.create_dataset(key, data=value).attrs["unit"] = "s" if key == "t" else self.units.get(key, "")
        else:
            table = np.column_stack([self.t, *self._columns.values()])
            np.savetxt(name, table, fmt="%.17g", delimiter=",", header=",".join(["t", *self._columns]), comments="")

    def plot(self, *names: str, x: str = "t", ax: Any = None) -> Any:
        """These columns (all of them: none named) over t or another column, with matplotlib; gives the axes."""
        pyplot = _need("matplotlib.pyplot", "plot")
        ax = ax if ax is not None else pyplot.subplots()[1]
        for name in names or self._columns:
            unit = self.units.get(name)
            ax.plot(self[x], self[name], label=f"{name}, {unit}" if unit else name)
        ax.set_xlabel("t, s" if x == "t" else x)
        ax.legend()
        return ax


def _need(module: str, function: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".")[0]
        raise ImportError(f"{function} needs {package} (Debian: python3-{package})") from None


def read(path: "os.PathLike[str] | str") -> Result:
    """A table of `biela run`, CSV or HDF5, read by the library."""
    raw = c.bi_table()
    with Report() as report:
        done = lib.bi_table_read(text(path), ctypes.byref(raw), report.ref)
    if not done:
        raise BielaError(f"{os.fspath(path)} cannot be read", c.BI_BAD_FILE, report.issues)
    names: List[str] = [x.decode() for x in (ctypes.c_char_p * raw.columns).from_address(raw.name)]
    at: Sequence[int] = (ctypes.c_void_p * raw.columns).from_address(raw.value)
    columns = {n: np.array((ctypes.c_double * raw.rows).from_address(at[k])) for k, n in enumerate(names)}
    units = {}
    if raw.unit:
        units = {n: (u or b"").decode() for n, u in zip(names, (ctypes.c_char_p * raw.columns).from_address(raw.unit))}
    lib.bi_table_clear(ctypes.byref(raw))
    t = columns.pop("t", np.arange(raw.rows, dtype=float))
    return Result(t, columns, units, os.path.basename(os.fspath(path)))
