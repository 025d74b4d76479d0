# SPDX-License-Identifier: MIT
"""Parameters of a model from measurements: least squares by the method of Levenberg and Marquardt, runs on all cores."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from ._library import BielaError
from .batch import Batch
from .model import Model, PathLike

_STEP = 1e-4  # of a parameter, for central differences
_DAMPING = 1e-3  # of the first iteration, against the diagonal


class Fit(NamedTuple):
    """What was found: parameters, their standard errors (by the scatter that is left), the columns of the best run at the times
    of the measurements, the root mean square that is left of each channel, and whether it settled."""

    parameters: Dict[str, float]
    errors: Dict[str, float]
    columns: Dict[str, np.ndarray]
    left: Dict[str, float]
    iterations: int
    is_settled: bool


class _Problem:
    def __init__(self, model: PathLike, names: Sequence[str], data: Mapping[str, Any], sigma: Mapping[str, float], run: Optional[str],
                 workers: int, options: Dict[str, Any]):
        self.model, self.names, self.run, self.workers, self.options = model, list(names), run, workers, options
        self.t = _column(data, "t")
        if len(self.t) < 2 or np.any(np.diff(self.t) <= 0):
            raise ValueError("t: times that grow are needed, two at least")
        self.channels = [c for c in data if c != "t"]
        self.data = {c: _column(data, c) for c in self.channels}
        if not self.channels or any(len(v) != len(self.t) for v in self.data.values()):
            raise ValueError("data: channels besides t, each as long as t")
        self.sigma = {c: float(sigma.get(c, np.std(self.data[c]) or 1.0)) for c in self.channels}
        if any(not s > 0 for s in self.sigma.values()):
            raise ValueError("sigma: positive numbers")

    def runs(self, cases: Sequence[np.ndarray]) -> List[Optional[Dict[str, np.ndarray]]]:
        """The channels of each case at the times of the data; None: it failed."""
        models = [Model(self.model, set=dict(zip(self.names, map(float, case))), run=self.run) for case in cases]
        batch = Batch(models, workers=self.workers, **self.options)
        try:
            table = {c: np.empty((len(self.t), len(cases))) for c in self.channels}
            for k, t in enumerate(self.t):
                batch.run_to(t)
                for c, values in batch.read(self.channels).items():
                    table[c][k] = values
            failed = batch.failures
        finally:
            batch.close()
        return [None if i in failed else {c: table[c][:, i] for c in self.channels} for i in range(len(cases))]

    def residual(self, columns: Dict[str, np.ndarray]) -> np.ndarray:
        return np.concatenate([(columns[c] - self.data[c]) / self.sigma[c] for c in self.channels])


def _column(data: Mapping[str, Any], name: str) -> np.ndarray:
    if name not in data:
        raise ValueError(f"data has no column {name!r}")
    array = np.asarray(data[name], dtype=np.float64)
    if array.ndim != 1 or not np.all(np.isfinite(array)):
        raise ValueError(f"data: {name} must be finite numbers in one row")
    return array


def fit(model: PathLike, start: Mapping[str, float], data: Mapping[str, Any], *, sigma: Optional[Mapping[str, float]] = None,
        bounds: Optional[Mapping[str, Sequence[float]]] = None, iterations: int = 30, tolerance: float = 1e-8,
        run: Optional[str] = None, workers: int = 0, **options: Any) -> Fit:
    """Changes the parameters from `start` on until the channels follow `data`: columns "t" and those of channels, as a Result or a
    dict. sigma: how far each channel may be off (default: its spread). bounds: {"k": (0, 100)}. Settled: the last change of every
    parameter was below `tolerance` of it.

    >>> biela.fit("pendulum", {"L": 1.2}, biela.read("measured.csv")).parameters
    """
    if not start:
        raise ValueError("start: which parameters, and from where?")
    source = {"t": data.t, **data} if hasattr(data, "t") else data
    p = _Problem(model, list(start), source, dict(sigma or {}), run, workers, options)
    low = np.array([(bounds or {}).get(n, (-np.inf, np.inf))[0] for n in start], dtype=float)
    high = np.array([(bounds or {}).get(n, (-np.inf, np.inf))[1] for n in start], dtype=float)
    x = np.clip(np.array([float(v) for v in start.values()]), low, high)
    columns = p.runs([x])[0]
    if columns is None:
        raise BielaError("the run with the first parameters failed")
    r, damping, settled, J = p.residual(columns), _DAMPING, False, np.zeros((0, len(x)))
    count = 0
    while count < iterations and not settled:
        count += 1
        J = _jacobian(p, x, low, high)
        settled, moved = False, False
        for _ in range(12):
            H = J.T @ J
            change = np.linalg.lstsq(H + damping * np.diag(np.diag(H) + 1e-300), -J.T @ r, rcond=None)[0]
            tried = np.clip(x + change, low, high)
            settled = bool(np.all(np.abs(tried - x) <= tolerance * np.maximum(np.abs(x), tolerance)))
            found = p.runs([tried])[0]
            if found is not None and p.residual(found) @ p.residual(found) <= r @ r:
                x, columns, r, damping, moved = tried, found, p.residual(found), damping / 10, True
                break
            if settled:
                break
            damping *= 10
        settled = settled or not moved
    return Fit(dict(zip(start, map(float, x))), dict(zip(start, _errors(J, r))), columns,
               {c: float(np.sqrt(np.mean((columns[c] - p.data[c]) ** 2))) for c in p.channels}, count, settled)


def _jacobian(p: _Problem, x: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    step = _STEP * np.maximum(np.abs(x), 1e-3)
    cases = [np.clip(x + side * step * (np.arange(len(x)) == k), low, high) for k in range(len(x)) for side in (1, -1)]
    found = p.runs(cases)
    if any(f is None for f in found):
        raise BielaError("a run near these parameters failed: narrower bounds may help")
    columns = []
    for k in range(len(x)):
        width = cases[2 * k][k] - cases[2 * k + 1][k]
        columns.append((p.residual(found[2 * k]) - p.residual(found[2 * k + 1])) / (width if width else 1.0))
    return np.stack(columns, axis=1)


def _errors(J: np.ndarray, r: np.ndarray) -> List[float]:
    """Standard errors by the scatter that is left; nan: the data do not tell."""
    freedom = len(r) - J.shape[1]
    if freedom <= 0:
        return [float("nan")] * J.shape[1]
    try:
        spread = np.linalg.inv(J.T @ J) * (r @ r) / freedom
    except np.linalg.LinAlgError:
        return [float("nan")] * J.shape[1]
    return [float(v) for v in np.sqrt(np.maximum(np.diag(spread), 0.0))]
