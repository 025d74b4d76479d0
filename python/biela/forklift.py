# SPDX-License-Identifier: MIT
"""The forklift as an environment to learn in: reset and step as Gymnasium has them, without depending on it.

>>> env = Forklift()
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step([0.2, 1.0, 0.0, 0.0])

The task: drive to a place on the yard and stand there without tipping over. The action is steer, drive, lift, tilt, each -1 to 1; the
observation is where the target is (m, in the truck's axes), speed (m/s), yaw rate (rad/s), roll, pitch (rad), lifted (m), steering (rad).
"""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._library import BielaError
from .sim import Sim


class Box(NamedTuple):
    """Bounds of actions and observations, with the names that Gymnasium uses."""

    low: np.ndarray
    high: np.ndarray

    @property
    def shape(self) -> Tuple[int, ...]:
        return self.low.shape

    @property
    def dtype(self) -> np.dtype:
        return self.low.dtype

    def contains(self, x: Sequence[float]) -> bool:
        x = np.asarray(x, dtype=float)
        return x.shape == self.low.shape and bool(np.all((x >= self.low) & (x <= self.high)))

    def sample(self, rng: Optional[np.random.Generator] = None) -> np.ndarray:
        rng = rng or np.random.default_rng()
        return rng.uniform(np.maximum(self.low, -1e3), np.minimum(self.high, 1e3))


ACTIONS = ("steer", "drive", "lift", "tilt")
CHANNELS = ("truck.x", "truck.y", "attitude.yaw", "speed", "truck.wz", "attitude.roll", "attitude.pitch", "lifted", "steering.left")


class Forklift:
    """An episode begins at the origin and ends at the target, when the truck tips, or after `seconds`."""

    action_space = Box(-np.ones(4), np.ones(4))
    observation_space = Box(np.full(8, -np.inf), np.full(8, np.inf))
    metadata: Dict[str, Any] = {"render_modes": []}
    render_mode = None

    def __init__(self, *, rate: float = 20.0, seconds: float = 30.0, reach: float = 20.0, **options: Any):
        """rate: actions per second; reach: how far targets are away, m; options: those of a Sim."""
        self.sim = Sim("forklift", **options)
        self._start = self.sim.save()
        self._per_action = max(1, round(1.0 / (rate * self.sim.dt)))
        self._most = round(seconds * rate)
        self._reach = reach
        self._read = self.sim.reader(CHANNELS)
        self._slots = [self.sim.input_names.index(name) for name in ACTIONS]
        self._rng = np.random.default_rng()
        self.target = np.array([reach, 0.0])
        self._count = 0

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        """To the start, with a new target; the same seed gives the same one. options={"target": (x, y)} sets it."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.sim.load(self._start)
        self.sim.inputs[self._slots] = 0.0
        angle = self._rng.uniform(-0.5, 0.5)
        self.target = np.array((options or {}).get("target", self._reach * np.array([np.cos(angle), np.sin(angle)])), dtype=float)
        if self.target.shape != (2,):
            raise ValueError("a target is x and y")
        self._count = 0
        seen, self._far = self._look()
        return seen, {"target": self.target.copy()}

    def step(self, action: Sequence[float]) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """One action; the reward is the way that the truck came nearer, m, less 100 when it tips."""
        given = np.asarray(action, dtype=float)
        if given.shape != (4,) or not np.all(np.isfinite(given)):
            raise ValueError(f"an action is four finite numbers ({', '.join(ACTIONS)}), and this is {action!r}")
        self.sim.inputs[self._slots] = np.clip(given, -1.0, 1.0)
        self._count += 1
        try:
            self.sim.step(self._per_action)
        except BielaError as error:
            seen, _ = self._look()
            return seen, -100.0, True, False, {"failure": str(error)}
        seen, far = self._look()
        tipped = bool(max(abs(seen[4]), abs(seen[5])) > 0.6)
        reward = self._far - far - (100.0 if tipped else 0.0)
        self._far = far
        there = far < 1.0 and abs(seen[2]) < 0.2
        return seen, float(reward), bool(tipped or there), self._count >= self._most, {"distance": far, "tipped": tipped}

    def _look(self) -> Tuple[np.ndarray, float]:
        x, y, yaw, speed, turning, roll, pitch, lifted, steering = self._read()
        dx, dy = self.target[0] - x, self.target[1] - y
        seen = np.array([np.cos(yaw) * dx + np.sin(yaw) * dy, np.cos(yaw) * dy - np.sin(yaw) * dx, speed, turning, roll, pitch,
                         lifted, steering])
        return seen, float(np.hypot(dx, dy))

    def close(self) -> None:
        """Ends it."""
        self.sim.close()
