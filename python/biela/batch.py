# SPDX-License-Identifier: MIT
"""Many runs at once, on all cores: copies of one model with other inputs, or one model with other parameters."""
from __future__ import annotations

import ctypes
import itertools
import os
import weakref
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _interface as c
from ._library import BielaError, Report, lib, status_text, stays_here, step_count
from .model import Model, PathLike
from .sim import _after_fork, _forked, _run_with  # noqa: F401


def _end(batch: int, systems: List[int]) -> None:
    lib.bi_batch_destroy(batch)
    for system in systems:
        lib.bi_system_destroy(system)


class Batch:
    """Sims that are stepped together, each with the bits that it would have alone.

    >>> batch = Batch("pendulum", 64)
    >>> batch.set_inputs({"push": numpy.linspace(-1, 1, 64)})
    >>> batch.step(1000)
    >>> batch.read(["pin.angle"])["pin.angle"]       # 64 numbers

    Batch([model, model, ...]) takes a model for each sim; all must have the same inputs and channels. `device` is one of
    Batch.devices(): who steps the sims, with the same bits. Arrays of doubles, one row per name and one column per sim, go in and out
    without a copy: set_inputs(array, names), read(names, out=array).
    """

    @staticmethod
    def devices() -> List[str]:
        """Who can step sims here; those that put them into other memory take images only, which Python does not make."""
        names = (lib.bi_batch_device_name(k) for k in itertools.count())
        return [n.decode() for n in itertools.takewhile(bool, names) if not lib.bi_batch_device_takes_images(n)]

    def __init__(self, models: Union[Model, PathLike, Sequence[Model]], count: Optional[int] = None, *, workers: int = 0,
                 device: Optional[str] = None, **options: Any):
        one = isinstance(models, (Model, str)) or hasattr(models, "__fspath__")
        if one and (count is None or count < 1):
            raise ValueError("how many sims? Batch(model, count)")
        listed = [models if isinstance(models, Model) else Model(models)] if one else list(models)
        if not one and (not listed or count not in (None, len(listed))):
            raise ValueError("a list of models, one for each sim")
        self.models: List[Model] = listed
        self._lost: Optional[str] = None
        self._busy = False
        systems = [self._compile(m, options) for m in listed]
        self._make_sure_of_room(systems, count or len(listed))
        order = (ctypes.c_void_p * (count or len(listed)))(*(systems * count if one else systems))
        chosen = c.bi_batch_options(device.encode() if device else None, workers, 0.0)
        with Report() as report:
            batch = lib.bi_batch_create_of(order, len(order), ctypes.byref(chosen), report.ref)
        if not batch:
            _end(None, systems)
            raise BielaError("the batch cannot be made", c.BI_BAD_ARGUMENT, report.issues)
        self._batch, self._system = batch, systems[0]
        self._finish = weakref.finalize(self, _end, batch, systems)
        self.count = len(order)
        self._channels = {lib.bi_channel_name(self._system, lib.bi_channel_at(self._system, k)).decode(): k + 1
                          for k in range(lib.bi_channel_count(self._system))}
        _forked.add(self)
        self.start()

    @staticmethod
    def _make_sure_of_room(systems: List[int], count: int) -> None:
        """A machine that is asked for more than it has stands still long before it says so."""
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        one = max(lib.bi_sim_size(s) for s in systems)
        if count * one > most:
            _end(None, systems)
            raise MemoryError(f"{count} sims of {one} bytes are more than this machine has ({most} bytes)")

    @staticmethod
    def _compile(model: Model, options: Dict[str, Any]) -> int:
        run = _run_with(model, options)
        compiled = lib.bi_run_options(ctypes.byref(run))
        with Report() as report:
            system = lib.bi_compile(model._h, ctypes.byref(compiled), report.ref)
        if not system:
            raise BielaError("the model cannot be compiled", c.BI_BAD_MODEL, report.issues)
        return system

    __copy__ = __deepcopy__ = __reduce_ex__ = stays_here("a batch", "make it again from its models")

    def close(self) -> None:
        """Ends it now."""
        if self._busy:
            raise BielaError("another thread uses this batch")
        self._lost = "it is closed"
        self._finish()

    def _do(self, function: Callable, *arguments: Any) -> None:
        if self._lost:
            raise BielaError(f"this batch cannot be used: {self._lost}")
        if self._busy:
            raise BielaError("another thread uses this batch")
        self._busy = True
        try:
            status = function(self._batch, *arguments)
        finally:
            self._busy = False
        for model in self.models:
            if model._raised:
                error = model._raised.pop()
                model._raised.clear()
                raise error
        if status:
            raise BielaError(status_text(status), status)

    def start(self) -> None:
        """All from the beginning."""
        self._do(lib.bi_batch_start)

    def step(self, n: int = 1) -> None:
        """n steps of dt each. A sim that fails stays where it is: see `failures`."""
        self._do(lib.bi_batch_step, step_count(n))

    def run_to(self, t: float) -> None:
        self._do(lib.bi_batch_run_to, float(t))

    def _rows(self, table: np.ndarray, n: int) -> np.ndarray:
        """The array itself, if it is one that C can read and write where it lies."""
        if table.dtype != np.float64 or table.shape != (n, self.count) or not table.flags.c_contiguous:
            raise ValueError(f"an array of doubles in C order of shape ({n}, {self.count}), a row per name, is wanted")
        return table

    def set_inputs(self, values: Union[np.ndarray, Mapping[str, Union[float, Sequence[float]]]],
                   names: Optional[Sequence[str]] = None) -> None:
        """Inputs by name: a number for all sims, or one for each; or an array with a row for each of `names`, which is not copied."""
        if isinstance(values, np.ndarray):
            if names is None:
                raise ValueError("which inputs? set_inputs(array, names)")
            table, listed = self._rows(values, len(names)), list(names)
        else:
            listed = list(values)
            table = np.empty((len(listed), self.count))
            for k, value in enumerate(values.values()):
                table[k] = value
        ids = (c.bi_input * max(1, len(listed)))()
        for k, name in enumerate(listed):
            ids[k] = lib.bi_find_input(self._system, name.encode())
            if ids[k].i < 1:
                raise KeyError(f"there is no input {name!r}")
        self._do(lib.bi_batch_inputs, ids, len(listed), table.ctypes.data)

    def read(self, channels: Sequence[str], out: Optional[np.ndarray] = None) -> Dict[str, np.ndarray]:
        """Channels by name, a number for each sim: rows of `out`, if it is given, into which they are written without a copy."""
        for name in channels:
            if name not in self._channels:
                raise KeyError(f"there is no channel {name!r}")
        ids = (c.bi_channel * max(1, len(channels)))(*(c.bi_channel(self._channels[n]) for n in channels))
        table = np.empty((len(channels), self.count)) if out is None else self._rows(out, len(channels))
        if not table.flags.writeable:
            raise ValueError("the array cannot be written")
        self._do(lib.bi_batch_read, ids, len(channels), table.ctypes.data)
        return {n: table[k] for k, n in enumerate(channels)}

    @property
    def hashes(self) -> np.ndarray:
        out = np.empty(self.count, dtype=np.uint64)
        self._do(lib.bi_batch_hashes, out.ctypes.data)
        return out

    @property
    def failures(self) -> Dict[int, str]:
        """Why sims failed, by their numbers."""
        if self._lost:
            raise BielaError(f"this batch cannot be used: {self._lost}")
        return {k: lib.bi_batch_failure(self._batch, k).decode() for k in range(self.count) if lib.bi_batch_status(self._batch, k)}


class Sweep(NamedTuple):
    """A row for each case: its parameters, and the channels at its end. `failures` has the cases that failed."""

    parameters: Dict[str, np.ndarray]
    channels: Dict[str, np.ndarray]
    failures: Dict[int, str]


def sweep(model: PathLike, parameters: Mapping[str, Sequence[float]], *, channels: Sequence[str], time: Optional[float] = None,
          grid: bool = True, workers: int = 0, run: Optional[str] = None, **options: Any) -> Sweep:
    """Runs the model with all combinations of these parameters (grid=False: the k-th of each together) on all cores."""
    lists = [list(v) for v in parameters.values()]
    cases = list(itertools.product(*lists)) if grid else list(zip(*lists))
    if not cases:
        raise ValueError("no cases: each parameter needs values")
    models = [Model(model, set=dict(zip(parameters, case)), run=run) for case in cases]
    batch = Batch(models, workers=workers, **options)
    batch.run_to(models[0]._run.time if time is None else float(time))
    read = batch.read(list(channels))
    failures = batch.failures
    batch.close()
    return Sweep({n: np.array([case[k] for case in cases]) for k, n in enumerate(parameters)}, read, failures)
