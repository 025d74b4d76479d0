# SPDX-License-Identifier: MIT
"""Runs of a model: step, read, set, save; numbers are views on the memory of the run, not copies."""
from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _interface as c
from ._library import BielaError, Report, lib, short, status_text, stays_here, step_count, text
from .model import Model, PathLike
from .result import Result

_double = ctypes.c_double


class _Owner:
    """The C objects of a run. They end when neither the Sim nor any array of it is left."""

    def __init__(self, system: int, sim: int):
        self.system, self.sim = system, sim
        self.end = weakref.finalize(self, _destroy, system, sim)


def _destroy(system: int, sim: int) -> None:
    lib.bi_sim_destroy(sim)
    lib.bi_system_destroy(system)


def _view(owner: Any, address: int, shape: tuple, writable: bool = False) -> np.ndarray:
    """An array on memory of C that keeps its owner alive."""
    count = int(np.prod(shape))
    if count == 0 or not address:
        return np.zeros(shape)
    memory = (_double * count).from_address(address)
    memory.owner = owner
    array = np.frombuffer(memory, dtype=np.float64).reshape(shape)
    array.flags.writeable = writable
    return array


def _vector(value: Any, n: int, what: str) -> np.ndarray:
    """Numbers for C: float64, in one piece, n of them."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what}: numbers are needed, and these are {array.dtype}")
    if array.shape != (n,):
        raise ValueError(f"{what}: shape ({n},) is needed, and this is {array.shape}")
    return np.ascontiguousarray(array, dtype=np.float64)


def _table(value: Any, rows: int, columns: int, what: str) -> np.ndarray:
    """The same in rows."""
    array = np.asarray(value)
    if array.shape != (rows, columns):
        raise ValueError(f"{what}: shape ({rows}, {columns}) is needed, and this is {array.shape}")
    return _vector(array.reshape(-1), rows * columns, what).reshape(rows, columns)


class Modes(NamedTuple):
    """Linearised equations M q'' + C q' + K q = F z about a steady motion, with their eigenvalues (1/s) and shapes."""

    names: List[str]
    M: np.ndarray
    C: np.ndarray
    K: np.ndarray
    eigenvalues: np.ndarray
    shapes: np.ndarray  #: (eigenvalues, names)


_forked = weakref.WeakSet()  # runs with threads of their own, which a fork does not take along


def _after_fork() -> None:
    for sim in list(_forked):
        sim._lost = "it has threads of its own, which are not in this process: make it after the fork"


os.register_at_fork(after_in_child=_after_fork)


class Sim:
    """A run of a model.

    >>> sim = Sim("pendulum", dt=1e-3)
    >>> sim.step(100)
    >>> sim["pin.angle"]

    Options are those of the section `run` and of the command line: dt, scheme, formulation, tolerance, threads, ... One thread at a time
    may use a sim; a second one gets an exception. Different sims may run in different threads at once.
    """

    def __init__(self, model: Union[Model, PathLike, Dict[str, Any]], **options: Any):
        self._lost: Optional[str] = "it is not made yet"
        self._busy = False
        self.model = model if isinstance(model, Model) else Model(model)
        settings = _run_with(self.model, options)
        self._run = settings
        compiled = lib.bi_run_options(ctypes.byref(settings))
        with Report() as report:
            system = lib.bi_compile(self.model._h, ctypes.byref(compiled), report.ref)
        if not system:
            raise BielaError("the model cannot be compiled", c.BI_BAD_MODEL, report.issues)
        self.warnings = list(self.model.warnings) + report.issues
        handle = lib.bi_sim_create(system)
        if not handle:
            lib.bi_system_destroy(system)
            raise MemoryError("no memory for a sim")
        self._owner: Optional[_Owner] = _Owner(system, handle)
        self._sim, self._system = handle, system
        # short calls keep other threads of Python out; runs with threads of their own may not
        self._has_threads = compiled.threads > 1
        self._steps = lib.bi_sim_steps if self._has_threads else short.bi_sim_steps
        if self._has_threads:
            _forked.add(self)
        self.dt: float = lib.bi_system_dt(system)
        self._channels = {lib.bi_channel_name(system, lib.bi_channel_at(system, k)).decode(): k + 1
                          for k in range(lib.bi_channel_count(system))}
        self._inputs = {lib.bi_input_name(system, k).decode(): k for k in range(lib.bi_input_count(system))}
        self.inputs: np.ndarray = _view(self._owner, lib.bi_sim_input_values(handle), (len(self._inputs),), True)
        self._lost = None
        self.start()

    # ---- who may use it ------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends it now; arrays that are left keep their last numbers."""
        if self._busy:
            raise BielaError("another thread uses this sim")
        self._lost = "it is closed"
        self._owner = None

    __copy__ = __deepcopy__ = __reduce_ex__ = stays_here("a sim", "save() and load() its state, or make it again from its model")

    def __enter__(self) -> "Sim":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def _h(self) -> int:
        if self._lost:
            raise BielaError(f"this sim cannot be used: {self._lost}")
        if self._busy:
            raise BielaError("another thread uses this sim, or it is asked from inside its own step")
        return self._sim

    def _long(self, function: Callable, *arguments: Any) -> int:
        """A call during which other threads go on, but not into this sim."""
        if self._lost or self._busy:
            self._h  # says why
        self._busy = True  # nothing is called since it was looked at: no other thread comes in between
        try:
            return function(self._sim, *arguments)
        finally:
            self._busy = False

    def _failed(self, status: int) -> None:
        raised = self.model._raised
        if raised:
            error = raised.pop()
            raised.clear()
            raise error
        why = lib.bi_sim_failure(self._sim).decode("utf-8", "replace")
        raise BielaError(f"{status_text(status)}{': ' + why if why else ''}", status)

    def _check(self, status: int) -> None:
        if status or self.model._raised:
            self._failed(status)

    # ---- start and step --------------------------------------------------------------------------------------

    def start(self) -> None:
        """(Again) to the beginning."""
        with Report() as report:
            status = self._long(lib.bi_sim_start, report.ref)
            if self.model._raised:
                self._failed(status)
        self._check(status)
        if self._run.starts_in_equilibrium:
            self.equilibrium()
        elif self._run.starts_settled:
            with Report() as report:
                status = self._long(lib.bi_settle, None, report.ref)
            self._check(status)

    def step(self, n: int = 1) -> None:
        """n steps of dt. A step that fails is an exception, and the sim stays at the last good one."""
        if n == 1 and not self._lost and not self._busy:
            self._busy = True
            try:
                status = self._steps(self._sim, 1)
            finally:
                self._busy = False
            if status or self.model._raised:
                self._failed(status)
            return
        n = step_count(n)
        if n:
            self._check(self._long(lib.bi_sim_steps, n))

    def run_to(self, t: float) -> None:
        """Steps until the time is t, s."""
        self._check(self._long(lib.bi_sim_run_to, float(t)))

    def run(self, time: Optional[float] = None, every: Optional[float] = None, *, channels: Optional[Sequence[str]] = None,
            control: Optional[Callable[["Sim"], Any]] = None) -> Result:
        """Runs for `time` seconds (default: that of the model) and keeps the channels `every` so many (default: that of the
        model, else each step). control(sim) is called at each of these instants, before the sim goes on: it may set inputs.
        Ends early at an event that stops."""
        begin = self.t
        length = self._run.time if time is None else float(time)
        gap = every if every is not None else (self._run.every or self.dt)
        if not (length >= 0.0 and gap > 0.0):
            raise ValueError("time may not be negative, and every must be positive")
        names = list(self._channels) if channels is None else list(channels)
        which = self._numbers(names)
        count = int(np.floor(length / gap + 1e-9)) + 1
        rest = length - (count - 1) * gap > 1e-9 * max(1.0, length)
        rows = np.empty((count + rest, len(names)))
        times = np.empty(count + rest)
        done = 0
        for k in range(count + rest):
            if k > 0:
                self._go(begin + min(k * gap, length), gap, k == count + rest - 1)
            if control is not None:
                control(self)
            times[k] = self.t
            self._long(lib.bi_sim_read_these, which, len(names), rows[k].ctypes.data)
            done = k + 1
            if lib.bi_sim_stopped(self._sim):
                break
        units = {n: self.unit(n) for n in names}
        return Result(times[:done], {n: rows[:done, k] for k, n in enumerate(names)}, units, self.model.name)

    def _go(self, t: float, gap: float, is_last: bool) -> None:
        """To the next instant that is kept, by the steps that `biela run` makes."""
        many = round(gap / self.dt)
        if self._run.is_auto or abs(many * self.dt - gap) > 1e-9 * gap or abs(t - self.t - gap) > 1e-6 * gap:
            self.run_to(t)
            return
        self.step(many - 1 if is_last else many)
        if is_last and not lib.bi_sim_stopped(self._sim):
            self._check(self._long(lib.bi_sim_step_to, t))

    def equilibrium(self) -> None:
        """To a static equilibrium near where it stands."""
        with Report() as report:
            status = self._long(lib.bi_equilibrium, None, report.ref)
        self._check(status)

    # ---- reading ----------------------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        return short.bi_sim_time(self._h)

    @property
    def channels(self) -> List[str]:
        """Names of all outputs."""
        return list(self._channels)

    @property
    def input_names(self) -> List[str]:
        """Names of `inputs`, in their order."""
        return list(self._inputs)

    def unit(self, channel: str) -> str:
        return (lib.bi_channel_unit(self._system_now, self._channel(channel)) or b"").decode()

    @property
    def _system_now(self) -> int:
        self._h
        return self._system

    def _channel(self, name: str) -> "c.bi_channel":
        number = self._channels.get(name)
        if number is None:
            near = [n for n in self._channels if n.split(".")[0] == str(name).split(".")[0]]
            raise KeyError(f"there is no channel {name!r}" + (f"; there are {', '.join(near[:8])}" if near else ""))
        return c.bi_channel(number)

    def _numbers(self, names: Sequence[str]):
        return (c.bi_channel * max(1, len(names)))(*(self._channel(n) for n in names))

    def __getitem__(self, name: str) -> float:
        """A channel, now."""
        value = short.bi_sim_read(self._h, self._channel(name))
        if self.model._raised:
            self._failed(0)
        return value

    def reader(self, names: Sequence[str]) -> Callable[[], np.ndarray]:
        """A function that reads these channels into one array, always the same, and gives it: for loops."""
        which, n, out = self._numbers(names), len(names), np.zeros(len(names))
        address, read = out.ctypes.data, short.bi_sim_read_these

        def read_now() -> np.ndarray:
            read(self._h, which, n, address)
            return out

        return read_now

    def __setitem__(self, name: str, value: float) -> None:
        """Sets an input, which is held until it is changed."""
        self._h
        if name not in self._inputs:
            raise KeyError(f"there is no input {name!r}; there are: {', '.join(self._inputs) or 'none'}")
        self.inputs[self._inputs[name]] = value

    def _now(self) -> "c.bi_view":
        view = self._long(short.bi_sim_view)
        if self.model._raised:
            self._failed(0)
        return view

    @property
    def q(self) -> np.ndarray:
        """Coordinates now: a view that shows the present state each time it is asked for."""
        view = self._now()
        return _view(self._owner, view.q, (view.n_q,))

    @property
    def v(self) -> np.ndarray:
        """Rates of the coordinates, likewise."""
        view = self._now()
        return _view(self._owner, view.v, (view.n_q,))

    @property
    def a(self) -> np.ndarray:
        """Second rates, likewise."""
        view = self._now()
        return _view(self._owner, view.a, (view.n_q,))

    @property
    def poses(self) -> np.ndarray:
        """(bodies, 7): x y z in m and the quaternion w x y z of each body, in the order of model.bodies."""
        view = self._now()
        return _view(self._owner, view.pose, (view.n_body, 7))

    @property
    def twists(self) -> np.ndarray:
        """(bodies, 6): velocity of the origin and angular velocity, ground axes."""
        view = self._now()
        return _view(self._owner, view.twist, (view.n_body, 6))

    @property
    def coordinates(self) -> List[str]:
        """Names of q."""
        buffer = ctypes.create_string_buffer(128)
        system = self._system_now
        return [(lib.bi_variable_name(system, k, buffer, 128) or b"").decode() for k in range(lib.bi_variable_count(system))]

    @property
    def hash(self) -> int:
        """A number made of the whole state: same bits, same hash."""
        return self._long(lib.bi_sim_hash)

    @property
    def events(self) -> List[Dict[str, Any]]:
        """What was noticed since the start."""
        handle, found, raw = self._h, [], c.bi_event()
        for k in range(short.bi_sim_event_count(handle)):
            if short.bi_sim_event(handle, k, ctypes.byref(raw)):
                found.append({"name": (raw.name or b"").decode(), "t": raw.t, "value": raw.value, "what": raw.what.decode()})
        return found

    # ---- state ----------------------------------------------------------------------------------------------------

    def set_state(self, q: Optional[Sequence[float]] = None, v: Optional[Sequence[float]] = None) -> None:
        """Puts it at q and v, or as near as the constraints allow; the run begins there."""
        n = lib.bi_variable_count(self._system_now)
        given = [None if x is None else _vector(x, n, w) for x, w in ((q, "q"), (v, "v"))]
        self._check(self._long(lib.bi_sim_set_state, *(None if x is None else x.ctypes.data for x in given), None))

    def set_poses(self, poses: np.ndarray, twists: Optional[np.ndarray] = None) -> None:
        """The same by bodies: arrays as `poses` and `twists` give them."""
        n = len(self.model.bodies)
        at = _table(poses, n, 7, "poses")
        if not np.all(np.any(at[1:, 3:] != 0.0, axis=1)):
            raise ValueError("poses: a quaternion of zeros is no direction; w x y z = 1 0 0 0 is the one of the ground")
        rate = None if twists is None else _table(twists, n, 6, "twists")
        self._check(self._long(lib.bi_sim_set_poses, at.ctypes.data, None if rate is None else rate.ctypes.data, None))

    def save(self) -> bytes:
        """Everything that changes during a run, as bytes."""

        def all_of_it(handle: int) -> bytes:
            size = lib.bi_sim_save(handle, None, 0)
            buffer = ctypes.create_string_buffer(size)
            size = lib.bi_sim_save(handle, buffer, size)
            return buffer.raw[:size]

        return self._long(all_of_it)

    def load(self, snapshot: bytes) -> None:
        """Back, or on, to where it was saved, to the bit."""
        data = bytes(snapshot)
        self._check(self._long(lib.bi_sim_load, data, len(data)))

    # ---- equations ---------------------------------------------------------------------------------------------------

    def _n(self) -> int:
        return lib.bi_variable_count(self._system_now)

    def mass_matrix(self) -> np.ndarray:
        n = self._n()
        out = np.empty((n, n))
        self._check(self._long(lib.bi_sim_mass_matrix, out.ctypes.data))
        return out

    def gradient(self) -> np.ndarray:
        """Of the constraints: (rows, coordinates)."""
        out = np.empty((lib.bi_row_count(self._system_now), self._n()))
        self._check(self._long(lib.bi_sim_gradient, out.ctypes.data))
        return out

    def forces(self) -> np.ndarray:
        """Generalised forces of all laws, and of inertia quadratic in v."""
        out = np.empty(self._n())
        self._check(self._long(lib.bi_sim_forces, out.ctypes.data))
        return out

    def forward_dynamics(self, force: Optional[Sequence[float]] = None) -> tuple:
        """(a, lambda): M a + G^T lambda = Q + force, G a + gamma = 0."""
        a, multipliers = np.empty(self._n()), np.empty(lib.bi_row_count(self._system_now))
        given = None if force is None else _vector(force, self._n(), "force")
        self._check(self._long(lib.bi_forward_dynamics, None if given is None else given.ctypes.data, a.ctypes.data,
                                            multipliers.ctypes.data))
        return a, multipliers

    def inverse_dynamics(self, a: Sequence[float]) -> np.ndarray:
        """M a - Q: what has to act besides so that the accelerations are a."""
        given, out = _vector(a, self._n(), "a"), np.empty(self._n())
        self._check(self._long(lib.bi_inverse_dynamics, given.ctypes.data, out.ctypes.data))
        return out

    def jacobian(self, body: str, at: Sequence[float] = (0.0, 0.0, 0.0)) -> np.ndarray:
        """(6, coordinates): velocity of that point of the body, then its angular velocity, by the rates."""
        out = np.empty((6, self._n()))
        point = c.bi_point(self.model.body(body), c.bi_vec3(*_vector(at, 3, "at")))
        self._check(self._long(lib.bi_point_jacobian, point, out.ctypes.data))
        return out

    def contacts(self) -> np.ndarray:
        """Every place that touches now, one row each: fields a, b (names of shapes), point, normal (from b to a), depth, area, velocity
        (of a against b), force (on a); ground axes."""
        rows: List[tuple] = []
        shape = c.bi_shape_def()

        def name(of: Any) -> str:
            lib.bi_model_shape_at(self.model._h, of, ctypes.byref(shape))
            return (shape.name or b"").decode()

        def tell(_data: Any, _t: float, place: int, force: Any) -> None:
            at = c.bi_touch.from_address(place)
            point, normal, velocity, push = ((w.x, w.y, w.z) for w in (at.point, at.normal, at.velocity, force))
            rows.append((name(at.a), name(at.b), point, normal, at.depth, at.area, velocity, push))

        told = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, c.bi_vec3)(tell)
        self._check(self._long(lib.bi_sim_touches, ctypes.cast(told, ctypes.c_void_p), None))
        return np.array(rows, dtype=[("a", object), ("b", object), ("point", float, 3), ("normal", float, 3), ("depth", float),
                                     ("area", float), ("velocity", float, 3), ("force", float, 3)])

    # ---- the motion as a function ----------------------------------------------------------------------------------

    @property
    def state(self) -> np.ndarray:
        """q, v and the states of laws and signals, one after the other: a copy."""
        out = np.empty(lib.bi_state_count(self._system_now))
        self._check(self._long(lib.bi_sim_state, out.ctypes.data))
        return out

    def step_gradient(self, change: float = 0.0) -> tuple:
        """(A, B): derivatives of the state after one step with the state and with the inputs now; central differences of steps."""
        n, m = lib.bi_state_count(self._system_now), len(self._inputs)
        A, B = np.empty((n, n)), np.empty((n, m))
        self._check(self._long(lib.bi_step_gradient, float(change), A.ctypes.data, B.ctypes.data if m else None))
        return A, B

    def rates(self, t: float, x: Sequence[float]) -> np.ndarray:
        """dx/dt at t in the state x, with the inputs of now: the right-hand side for integrators of others. The sim then stands
        there. Trees of joints in joint coordinates only; others say why."""
        n = lib.bi_state_count(self._system_now)
        given, out = _vector(x, n, "x"), np.empty(n)
        self._check(self._long(lib.bi_sim_put, float(t), given.ctypes.data))
        self._check(self._long(lib.bi_sim_rates, out.ctypes.data))
        return out

    def modes(self) -> Modes:
        """Linearises about where it stands (joint coordinates, steady motion)."""
        raw = c.bi_linear()
        with Report() as report:
            status = self._long(lib.bi_linearize, ctypes.byref(raw), report.ref)
        self._check(status)

        def take(address: int, *shape: int) -> np.ndarray:
            return np.array((_double * int(np.prod(shape))).from_address(address)).reshape(shape)

        n, m = raw.n, raw.n_value
        names = [x.decode() for x in (ctypes.c_char_p * n).from_address(raw.name)]
        values = take(raw.re, m) + 1j * take(raw.im, m)
        shapes = take(raw.shape_re, m, n) + 1j * take(raw.shape_im, m, n)
        made = Modes(names, take(raw.M, n, n), take(raw.C, n, n), take(raw.K, n, n), values, shapes)
        lib.bi_linear_clear(ctypes.byref(raw))
        return made


def _run_with(model: Model, options: Dict[str, Any]) -> "c.bi_run":
    """The run of the model with these options, set as the command line does."""
    run = c.bi_run.from_buffer_copy(model._run)
    for key, value in options.items():
        words = "on" if value is True else "off" if value is False else repr(value) if isinstance(value, float) else str(value)
        with Report() as report:
            name = key.replace("_", "-")
            if lib.bi_run_option_find(text(name)) < 0:
                known = [lib.bi_run_option_at(k).key.decode() for k in range(lib.bi_run_option_count())]
                raise TypeError(f"a run has no option {key!r}; options are: {', '.join(known)}")
            done = lib.bi_run_set(ctypes.byref(run), model._h, text(name), text(words), text(key), report.ref)
        if not done:
            raise BielaError(f"{key}={value!r} is refused", c.BI_BAD_ARGUMENT, report.issues)
    return run
