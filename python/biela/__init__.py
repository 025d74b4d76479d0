# SPDX-License-Identifier: MIT
"""Biela: dynamics of mechanisms.

>>> import biela
>>> sim = biela.Sim("pendulum")
>>> result = sim.run(5)
>>> result["pin.angle"]

Model       what a mechanism is: a file, a dict, or built here
Sim         a run of it: step, read, set, save
Batch       many runs at once; sweep() makes one of parameters
fit()       parameters from measurements
Result      named columns over time; read() takes those of `biela run`
show()      the page of the live simulator
constants   the enums of the C headers: BI_REVOLUTE, ...
forklift    an environment to learn in
"""
from . import _interface as constants
from . import forklift
from ._library import BielaError, Issue, version
from .batch import Batch, Sweep, sweep
from .fit import Fit, fit
from .model import Model, find_model, models_folder
from .result import Result, read
from .show import Page, show
from .sim import Modes, Sim

__version__ = version()
__all__ = ["Batch", "BielaError", "Fit", "Issue", "Model", "Modes", "Page", "Result", "Sim", "Sweep", "constants", "find_model", "fit",
           "models_folder", "read", "run", "show", "sweep", "version"]


def run(model, time=None, every=None, *, channels=None, **options) -> Result:
    """Runs a model and gives its columns: biela.run("pendulum", 5, dt=1e-3)."""
    with Sim(model, **options) as sim:
        return sim.run(time, every, channels=channels)
