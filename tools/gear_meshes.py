#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the meshes of the model gears: tools/gear_meshes.py [FOLDER]

Spur gears with involute teeth in mm, about z, a tooth on the x axis. Unshifted, pressure angle 20 degrees, tip one module above the pitch circle, root 1.25 below."""
import math, os, sys

MODULE, WIDTH, PRESSURE, PLAY = 10.0, 30.0, math.radians(20), 0.05  # mm, mm, rad, mm taken off each flank
FLANK = 6  # points of one flank


def involute(angle):
    return math.tan(angle) - angle


def flank(teeth):
    """radius and angle from the middle of the tooth, from its foot to its tip"""
    pitch, base = MODULE * teeth / 2, MODULE * teeth / 2 * math.cos(PRESSURE)
    half = math.pi / (2 * teeth) - PLAY / pitch
    foot, tip = max(base, pitch - 1.25 * MODULE), pitch + MODULE
    points = []
    for k in range(FLANK):
        # even in the angle of the involute: close together where it bends most
        radius = base / math.cos(math.acos(base / foot) + (math.acos(base / tip) - math.acos(base / foot)) * k / (FLANK - 1))
        points.append((radius, half + involute(PRESSURE) - involute(math.acos(min(1.0, base / radius)))))
    return points


def outline(teeth):
    """counter-clockwise"""
    side, root = flank(teeth), MODULE * teeth / 2 - 1.25 * MODULE
    points = []
    for tooth in range(teeth):
        middle = 2 * math.pi * tooth / teeth
        points.append((root, middle - side[0][1]))
        points += [(radius, middle - angle) for radius, angle in side]
        points += [(radius, middle + angle) for radius, angle in reversed(side)]
        points.append((root, middle + side[0][1]))
    return [(r * math.cos(a), r * math.sin(a)) for r, a in points]


def write(path, teeth):
    around = outline(teeth)
    n = len(around)
    with open(path, "w") as file:
        file.write(f"# SPDX-License-Identifier: MIT\n# {teeth} teeth, module {MODULE:g} mm; made by tools/gear_meshes.py\n")
        for z in (-WIDTH / 2, WIDTH / 2):
            for x, y in around:
                file.write(f"v {x:.6f} {y:.6f} {z:g}\n")
        file.write(f"v 0 0 {-WIDTH / 2:g}\nv 0 0 {WIDTH / 2:g}\n")
        for k in range(n):
            a, b = k + 1, (k + 1) % n + 1
            file.write(f"f {a} {b} {n + b}\nf {a} {n + b} {n + a}\nf {2 * n + 1} {b} {a}\nf {2 * n + 2} {n + a} {n + b}\n")


folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models", "gears")
write(os.path.join(folder, "pinion.obj"), 18)
write(os.path.join(folder, "wheel.obj"), 27)
