#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Meshes of models/clio, from the outer dimensions of the car (3.71 x 1.63 x 1.40 m): OBJ files, in metres.

One file per colour, in the frame of the body: origin at its centre of mass, x forwards. Every solid is convex, closed and faces
outwards; solids overlap instead of touching. `python3 tools/clio_meshes.py` writes them again.
"""
import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models", "clio", "meshes")
FRONT, REAR, GROUND = 0.84227, -1.62973, -0.6793  # wheel centres and ground from the centre of mass


class Mesh:
    def __init__(self):
        self.vertices, self.faces = [], []

    def loft(self, lower, upper):
        """Between two outlines of as many corners, counter-clockwise seen from where `upper` lies."""
        first, n = len(self.vertices), len(lower)
        self.vertices += lower + upper
        rings = [list(reversed(range(n))), list(range(n, 2 * n))]
        rings += [[k, (k + 1) % n, n + (k + 1) % n, n + k] for k in range(n)]
        for ring in rings:
            self.faces += [(first + ring[0], first + ring[k], first + ring[k + 1]) for k in range(1, len(ring) - 1)]
        return self

    def side(self, outline, right, left, shrink=0.0):
        """An outline of (x, z), counter-clockwise seen from the right, from y = right to left; `shrink` narrows what is high."""
        def at(y):
            return [(x, y * (1 - shrink * max(0.0, z - 0.16)), z) for x, z in outline]
        return self.loft(at(left), at(right))

    def box(self, x, y, z):
        return self.side([(x[0], z[0]), (x[1], z[0]), (x[1], z[1]), (x[0], z[1])], y[0], y[1])

    def write(self, name):
        with open(os.path.join(FOLDER, name + ".obj"), "w", encoding="ascii") as f:
            f.write("# made by tools/clio_meshes.py, MIT\n")
            for p in self.vertices:
                f.write("v %.6g %.6g %.6g\n" % p)
            for t in self.faces:
                f.write("f %d %d %d\n" % tuple(i + 1 for i in t))


def arch(mesh, middle, low, top, right, left):
    """What is above a wheel house: pieces of a ring from its edge up to the waist."""
    radius, n = 0.335, 8
    height = GROUND + 0.25
    for k in range(n):
        a, b = math.pi * k / n, math.pi * (k + 1) / n + (0.01 if k < n - 1 else 0.0)
        p, q = middle - radius * math.cos(a), middle - radius * math.cos(b)
        u, v = max(low, height + radius * math.sin(a)), max(low, height + radius * math.sin(b))
        mesh.side([(p, u), (q, v), (q, top), (p, top)], right, left)


def body():
    hull, half, low, waist = Mesh(), 0.80, -0.47, 0.16
    nose, tail = 1.42, -2.29
    # lower body between the wheel houses, ends, and what is above the wheels
    hull.side([(REAR + 0.33, low), (FRONT - 0.33, low), (FRONT - 0.33, waist), (REAR + 0.33, waist)], -half, half)
    hull.side([(FRONT + 0.33, low), (nose - 0.05, low), (nose, -0.30), (nose - 0.04, 0.02), (FRONT + 0.33, 0.06)], -half, half)
    hull.side([(tail + 0.10, low + 0.05), (REAR - 0.33, low), (REAR - 0.33, waist), (tail + 0.03, waist), (tail, -0.25)], -half, half)
    for right, left in ((-half, -0.56), (0.56, half)):
        arch(hull, FRONT, low, 0.06, right, left)
        arch(hull, REAR, low, waist, right, left)
    hull.side([(FRONT - 0.34, -0.10), (FRONT + 0.34, -0.10), (FRONT + 0.34, 0.06), (FRONT - 0.34, 0.13)], -0.58, 0.58)
    hull.side([(REAR - 0.34, -0.10), (REAR + 0.34, -0.10), (REAR + 0.34, waist), (REAR - 0.34, waist)], -0.58, 0.58)
    # bonnet, roof, pillars
    hull.side([(0.45, 0.05), (nose - 0.10, 0.02), (nose - 0.12, 0.06), (0.45, 0.185)], -0.74, 0.74)
    hull.side([(-2.00, 0.665), (-0.35, 0.685), (-0.42, 0.72), (-1.05, 0.735), (-1.90, 0.715)], -0.76, 0.76, 0.22)
    for right, left in ((-0.79, -0.755), (0.755, 0.79)):
        hull.side([(0.46, 0.13), (0.55, 0.13), (-0.35, 0.70), (-0.43, 0.70)], right, left, 0.22)
        hull.side([(-0.62, 0.13), (-0.54, 0.13), (-0.58, 0.70), (-0.66, 0.70)], right, left, 0.22)
        hull.side([(-2.20, 0.13), (-1.62, 0.13), (-1.78, 0.70), (-1.98, 0.70)], right, left, 0.22)
    hull.write("hull")
    glass = Mesh()
    glass.side([(-2.19, 0.14), (0.53, 0.14), (-0.37, 0.69), (-1.98, 0.69)], -0.77, 0.77, 0.22)
    glass.write("glass")
    dark = Mesh()
    dark.side([(nose - 0.06, low - 0.02), (nose + 0.035, low + 0.02), (nose + 0.035, -0.26), (nose - 0.06, -0.22)], -0.78, 0.78)
    dark.side([(tail - 0.035, low + 0.05), (tail + 0.10, low + 0.02), (tail + 0.10, -0.24), (tail - 0.035, -0.27)], -0.78, 0.78)
    dark.box((REAR + 0.32, FRONT - 0.32), (-0.805, 0.805), (-0.30, -0.26))
    # grille; plates below the sills
    dark.box((nose - 0.08, nose + 0.004), (-0.34, 0.34), (-0.14, -0.03))
    dark.box((REAR - 0.30, FRONT + 0.30), (-0.55, 0.55), (-0.50, -0.12))
    for side in (-1, 1):
        y = (0.78, 0.90) if side > 0 else (-0.90, -0.78)
        dark.box((0.30, 0.40), y, (0.20, 0.32))
    dark.write("trim")


os.makedirs(FOLDER, exist_ok=True)
body()
