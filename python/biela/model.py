# SPDX-License-Identifier: MIT
"""Models: read from a file or a text, described by a dict, or built piece by piece."""
from __future__ import annotations

import ctypes
import json
import os
import sys
import weakref
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _interface as c
from ._library import BielaError, Issue, Report, lib, stays_here, text

PathLike = Union[str, "os.PathLike[str]"]


def models_folder() -> str:
    """The folder of the installed models, or of those beside these sources."""
    here = os.path.dirname(os.path.abspath(__file__))
    for way in (("..", "..", "models"), ("..", "..", "..", "..", "share", "biela", "models")):
        folder = os.path.abspath(os.path.join(here, *way))
        if os.path.isdir(folder):
            return folder
    return os.path.join(sys.prefix, "share", "biela", "models")


def find_model(name: PathLike) -> str:
    """The path of a model: a path as it is, or a name such as "forklift" among the known models."""
    with Report() as report:
        found = lib.bi_find_model(text(name), text(models_folder()), report.ref)
        if found:
            path = ctypes.string_at(found).decode()
            _libc.free(found)
            return path
    raise BielaError(f"there is no model {name!r}")


_libc = ctypes.CDLL(None)
_libc.free.argtypes = [ctypes.c_void_p]
_libc.free.restype = None


class Model:
    """What a mechanism is.

    >>> model = Model("pendulum")                        # a file, or the name of a known model
    >>> model = Model("pendulum", set={"length": 2})     # with other parameters
    >>> model = Model({"biela": 1, "bodies": {...}})     # the keys of the model file as a dict
    >>> model = Model(name="mine")                       # empty: add_body, add_joint, ...

    `warnings` has what was said while it was read.
    """

    def __init__(self, source: Union[None, PathLike, Mapping[str, Any]] = None, *, set: Optional[Mapping[str, Any]] = None,
                 run: Optional[str] = None, name: str = "model"):
        self._handle: Optional[int] = None
        self._keep: List[Any] = []  # callbacks and arrays that C holds on to
        self._raised: List[BaseException] = []  # exceptions of callbacks on their way to the caller
        self.path: Optional[str] = None
        self.settings: Dict[str, str] = {k: str(v) for k, v in (set or {}).items()}
        self.run_name = run
        self.warnings: List[Issue] = []
        self._run = lib.bi_run_usual()
        if source is None:
            if set or run:
                raise ValueError("set and run need a model that is read")
            self._own(lib.bi_model_create(text(name)))
        elif isinstance(source, Mapping):
            self._read_text(json.dumps(source), f"<{name}>")
        else:
            self._read_file(find_model(source))

    @classmethod
    def from_text(cls, yaml: str, *, set: Optional[Mapping[str, Any]] = None, run: Optional[str] = None,
                  path: str = "<text>") -> "Model":
        """A model from the text of a model file (YAML or JSON)."""
        model = cls()
        lib.bi_model_destroy(model._take())
        model.settings = {k: str(v) for k, v in (set or {}).items()}
        model.run_name = run
        model._read_text(yaml, path)
        return model

    # ---- life -----------------------------------------------------------------------------------------------

    __copy__ = __deepcopy__ = __reduce_ex__ = stays_here("a model", "pass its file, or the dict it was made of")

    def _own(self, handle: Optional[int]) -> None:
        if not handle:
            raise MemoryError("no memory for a model")
        self._handle = handle
        self._end = weakref.finalize(self, lib.bi_model_destroy, handle)

    def _take(self) -> int:
        handle, self._handle = self._h, None
        self._end.detach()
        return handle

    def close(self) -> None:
        """Ends it now. Sims of it live on."""
        if self._handle:
            self._handle = None
            self._end()

    @property
    def _h(self) -> int:
        if not self._handle:
            raise BielaError("this model is closed")
        return self._handle

    # ---- reading ----------------------------------------------------------------------------------------------

    def _settings(self):
        made = (c.bi_setting * max(1, len(self.settings)))()
        for k, (name, value) in enumerate(self.settings.items()):
            made[k].name, made[k].value = text(name), text(value)
        return made

    def _read(self, reader: Callable, *first: Any) -> None:
        run = text(self.run_name) if self.run_name else None
        with Report() as report:
            handle = reader(*first, self._settings(), len(self.settings), run, ctypes.byref(self._run), report.ref)
            if handle and report.raw.errors:
                lib.bi_model_destroy(handle)
                handle = None
        self.warnings = report.issues
        if not handle:
            raise BielaError("the model cannot be read", c.BI_BAD_FILE, report.issues)
        self._own(handle)

    def _read_file(self, path: str) -> None:
        self.path = path
        self._read(lib.bi_read_model, text(path))

    def _read_text(self, yaml: str, path: str) -> None:
        data = text(yaml)
        self._read(lib.bi_read_model_text, data, len(data), text(path))

    # ---- questions -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return lib.bi_model_name(self._h).decode()

    @property
    def bodies(self) -> List[str]:
        """Names of the bodies; the first is the ground, and poses of a sim have this order."""
        h = self._h
        return [(lib.bi_model_body_name(h, c.bi_body(k + 1)) or b"").decode() for k in range(lib.bi_model_body_count(h))]

    @property
    def parameters(self) -> Dict[str, float]:
        """Parameters with their values, SI."""
        h, found = self._h, {}
        name, unit, value = ctypes.c_char_p(), ctypes.c_char_p(), ctypes.c_double()
        for k in range(lib.bi_model_parameter_count(h)):
            if lib.bi_model_parameter_at(h, k, ctypes.byref(name), ctypes.byref(value), ctypes.byref(unit)):
                found[(name.value or b"").decode()] = value.value
        return found

    def body(self, name: Union[str, int]) -> "c.bi_body":
        """The id of a body, by its name."""
        if isinstance(name, c.bi_body):
            return name
        names = self.bodies
        if name not in names:
            raise BielaError(f"there is no body {name!r}; there are: {', '.join(names)}")
        return c.bi_body(names.index(name) + 1)

    # ---- building ------------------------------------------------------------------------------------------------

    def add(self, kind: str, name: str, /, **fields: Any) -> Any:
        """Adds a body, joint or element by the name of its C function: add("spring", "s", a=("ground", [0, 0, 1]), ...).

        The fields are those of the struct bi_KIND_def. Bodies and joints may be their names, expressions texts, points (body, place),
        vectors, poses and inertias sequences, kinds and laws numbers of `biela.constants`. Mistakes are told by Sim.
        """
        function = "bi_add_" + kind
        definition = getattr(c, f"bi_{kind}_def", None)
        if function not in c.FUNCTIONS or definition is None:
            known = sorted(f[7:] for f in c.FUNCTIONS if f.startswith("bi_add_") and hasattr(c, f"bi_{f[7:]}_def"))
            raise BielaError(f"nothing of the kind {kind!r} can be added; kinds are: {', '.join(known)}")
        made = definition()
        self._fill(made, dict(fields, name=name))
        return getattr(lib, function)(self._h, ctypes.byref(made))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("add_") and "bi_" + name in c.FUNCTIONS and hasattr(c, f"bi_{name[4:]}_def"):
            return lambda label, **fields: self.add(name[4:], label, **fields)
        raise AttributeError(f"a model has no {name!r}")

    def gravity(self, x: float, y: float, z: float) -> None:
        """The acceleration of gravity, m/s2, ground axes."""
        lib.bi_model_gravity(self._h, c.bi_vec3(x, y, z))

    def add_input(self, name: str, initial: float = 0.0) -> None:
        """A number that is set from outside while a run goes on."""
        lib.bi_add_input(self._h, text(name), initial)

    def expression(self, formula: Union[str, float], unit: Optional[str] = None) -> "c.bi_expr":
        """An expression of t, inputs, parameters and joint coordinates."""
        return lib.bi_expression(self._h, text(str(formula)), text(unit) if unit else None)

    def _fill(self, struct: ctypes.Structure, fields: Mapping[str, Any]) -> None:
        kinds = dict(struct._fields_)
        for key, value in fields.items():
            if key not in kinds:
                raise TypeError(f"{type(struct).__name__} has no field {key!r}; it has: {', '.join(kinds)}")
            try:
                setattr(struct, key, self._converted(kinds[key], value))
            except (TypeError, ValueError, ctypes.ArgumentError) as error:
                raise TypeError(f"{type(struct).__name__}.{key}: {error}") from None

    def _converted(self, kind: Any, value: Any) -> Any:
        """`value` as a field of that C type."""
        if isinstance(value, kind if isinstance(kind, type) else ()):
            return value
        if kind is ctypes.c_char_p:
            made = text(value)
            self._keep.append(made)
            return made
        if kind is c.bi_body:
            return self.body(value)
        if kind is c.bi_joint:
            found = lib.bi_model_joint(self._h, text(value))
            if found.i < 1:
                raise ValueError(f"there is no joint {value!r}")
            return found
        if kind is c.bi_expr:
            return self.expression(value)
        if isinstance(kind, type) and issubclass(kind, ctypes.Array):
            return kind(*(self._converted(kind._type_, v) for v in value))
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
            made = kind()
            if isinstance(value, Mapping):
                self._fill(made, value)
                return made
            values = list(value)
            if len(values) > len(kind._fields_):
                raise ValueError(f"{len(values)} numbers for {len(kind._fields_)}")
            for (field, inner, *_), v in zip(kind._fields_, values):
                setattr(made, field, self._converted(inner, v))
            return made
        if kind is ctypes.c_bool:
            return bool(value)
        if kind in (ctypes.c_int, ctypes.c_uint, ctypes.c_int32, ctypes.c_uint32):
            return int(value)
        return value

    def add_force_function(self, name: str, function: Callable, *, points: Iterable[Tuple[Any, Sequence[float]]] = (),
                           joints: Iterable[str] = ()) -> "c.bi_element":
        """A force of your own: function(t, pos, vel, value, rate) -> (forces, efforts).

        pos and vel are lists of (x, y, z) of the points, value and rate those of the first coordinates of the joints; forces has
        a vector for each point (or None), efforts a number for each joint (or None). It may be called several times in a step
        and must not remember anything that changes its answer. An exception in it ends the step and comes out of `step`.
        """
        if not callable(function):
            raise TypeError("function cannot be called")
        made = c.bi_user_force_def()
        points, joints = list(points), list(joints)
        if len(points) > c.BI_USER_POINTS or len(joints) > c.BI_USER_JOINTS:
            raise ValueError(f"at most {c.BI_USER_POINTS} points and {c.BI_USER_JOINTS} joints")
        label = text(name)
        made.name, made.n_point, made.n_joint = label, len(points), len(joints)
        for k, point in enumerate(points):
            made.point[k] = self._converted(c.bi_point, point)
        for k, joint in enumerate(joints):
            made.joint[k] = self._converted(c.bi_joint, joint)
        raised, n, m = self._raised, len(points), len(joints)

        def call(_data, motion, load):
            try:
                at = c.bi_force_motion.from_address(motion)
                out = c.bi_force_load.from_address(load)
                pos = [(p.x, p.y, p.z) for p in at.pos[:n]]
                vel = [(p.x, p.y, p.z) for p in at.vel[:n]]
                forces, efforts = function(at.t, pos, vel, at.value[:m], at.rate[:m])
                for k, f in enumerate(forces if forces is not None else ()):
                    out.force[k] = c.bi_vec3(*f)
                for k, e in enumerate(efforts if efforts is not None else ()):
                    out.effort[k] = e
            except BaseException as error:  # nothing may pass through C
                raised.append(error)
                out = c.bi_force_load.from_address(load)
                for k in range(n):
                    out.force[k] = c.bi_vec3(float("nan"), 0.0, 0.0)
                for k in range(m):
                    out.effort[k] = float("nan")

        made.eval = dict(c.bi_user_force_def._fields_)["eval"](call)
        self._keep += [label, made, made.eval]
        return lib.bi_add_user_force(self._h, ctypes.byref(made))

    def observe_contact(self, element: Union[str, int], function: Callable) -> None:
        """function(t, touch) after every step for every place that touches at this contact: a dict with a, b (numbers of shapes),
        point, normal, depth, velocity and force on a. Before the first Sim."""
        observes = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, c.bi_vec3)
        raised = self._raised

        def vector(v):
            return (v.x, v.y, v.z)

        def call(_data, t, place, force):
            try:
                at = c.bi_touch.from_address(place)
                function(t, {"a": at.a.i, "b": at.b.i, "point": vector(at.point), "normal": vector(at.normal),
                             "depth": at.depth, "velocity": vector(at.velocity), "force": vector(force)})
            except BaseException as error:
                raised.append(error)

        made = observes(call)
        number = element if isinstance(element, int) else self._element(element)
        if not lib.bi_contact_observe(self._h, c.bi_element(number), ctypes.cast(made, ctypes.c_void_p), None):
            raise BielaError(f"there is no contact {element!r}")
        self._keep.append(made)

    def _element(self, name: str) -> int:
        return lib.bi_model_element(self._h, text(name)).i
