#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The OpenCRG files of this folder: one of each format, each with something that the others lack.

Heights are multiples of 1/128 m: numbers that floats have exactly, as ASAM's library keeps them.
"""
import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def height(i, j, seed):
    """A height that looks rough: a multiple of 1/128 m up to 0.1 m."""
    return ((i * 7919 + j * 104729 + seed * 1299709 + i * j * 31) % 25 - 12) / 128.0


def header(numbers, options, mods, columns, form):
    out = ["$CT", "made by make_crg.py", "$", "$ROAD_CRG  ! a road"]
    out += [f"{key} = {value!r}" for key, value in numbers.items()]
    out += ["$", "$ROAD_CRG_OPTS"] + [f"{key} = {value!r}" for key, value in options.items()]
    out += ["$", "$ROAD_CRG_MODS"] + [f"{key} = {value!r}" for key, value in mods.items()]
    out += ["$", "$KD_DEFINITION", f"#:{form}", "U:reference line u,m,0,0.5"] + [f"D:{c}" for c in columns]
    return "\n".join(out) + "\n$\n" + "$" * 72 + "\n"


def letters(rows, width):
    per_line, out = 80 // width, []
    for row in rows:
        fields = []
        for x in row:
            text = "*missing*" if math.isnan(x) else repr(x) if width == 20 else f"{x:.7f}"
            text = text if len(text) <= width else f"{x:.{width - 8}e}"
            fields.append(text.rjust(width))
        for k in range(0, len(fields), per_line):
            out.append("".join(fields[k:k + per_line]))
    return "\n".join(out) + "\n"


def numbers(rows, form):
    data = b"".join(struct.pack(">" + form, x) for row in rows for x in row)
    short = -len(data) % 80
    nan = struct.pack(">" + form, math.nan)
    return data + nan * (short // len(nan))


def line(n, step, phi, start=(0.0, 0.0)):
    x, y = start
    for i in range(1, n):
        x, y = x + step * math.cos(phi[i]), y + step * math.sin(phi[i])
    return x, y


def curve():
    """Letters, floats: heading, banking and slope; sections at uneven places; both ends known."""
    n, step = 81, 0.5
    phi = [round(0.3 + 0.5 * math.sin(0.12 * i * step), 7) for i in range(n)]
    end = line(n, step, phi, (10.0, -4.0))
    v = [-3.5, -2.0, -1.25, 0.0, 0.5, 1.75, 3.5]
    rows = [[phi[i], round(0.02 * math.sin(0.1 * i), 7), round(0.03 * math.cos(0.07 * i), 7)]
            + [height(i, j, 1) for j in range(len(v))] for i in range(n)]
    head = {"REFERENCE_LINE_START_U": 100.0, "REFERENCE_LINE_INCREMENT": step,
            "REFERENCE_LINE_START_X": 10.0, "REFERENCE_LINE_START_Y": -4.0, "REFERENCE_LINE_START_PHI": phi[0],
            "REFERENCE_LINE_END_X": end[0] + 0.003, "REFERENCE_LINE_END_Y": end[1] - 0.002,
            "REFERENCE_LINE_END_PHI": phi[-1], "REFERENCE_LINE_START_Z": 2.0,
            "LONG_SECTION_V_RIGHT": v[0], "LONG_SECTION_V_LEFT": v[-1]}
    columns = ["reference line phi,rad", "reference line banking,m/m", "reference line slope,m/m"]
    columns += [f"long section at v = {x},m" for x in v]
    return (header(head, {}, {"GRID_NAN_MODE": 2}, columns, "LRFI") + letters(rows, 10)).encode()


def gaps():
    """Letters, doubles: numbered sections, missing heights, a tight arc, the road mirrored beyond all borders."""
    n, step, n_v = 61, 0.25, 9
    phi = [0.05 * i * step * 4 for i in range(n)]
    rows = []
    for i in range(n):
        row = [height(i, j, 2) for j in range(n_v)]
        for j in range(i % 4):
            row[j] = math.nan
        for j in range(i % 3):
            row[n_v - 1 - j] = math.nan
        rows.append([phi[i]] + row)
    head = {"REFERENCE_LINE_INCREMENT": step, "REFERENCE_LINE_START_PHI": phi[0],
            "REFERENCE_LINE_END_PHI": phi[-1], "LONG_SECTION_V_RIGHT": -2.0, "LONG_SECTION_V_LEFT": 2.0,
            "LONG_SECTION_V_INCREMENT": 0.5, "REFERENCE_LINE_START_B": 0.03}
    columns = ["reference line phi,rad"] + [f"long section {k + 1},m" for k in range(n_v)]
    options = {"BORDER_MODE_U": 4, "BORDER_MODE_V": 4}
    return (header(head, options, {"GRID_NAN_MODE": 2}, columns, "LDFI") + letters(rows, 20)).encode()


def loop():
    """Doubles in bytes: a constant slope up to a known height, the road again beyond all borders."""
    n, step = 120, 0.4
    phi = [2.0 - 0.9 * math.cos(0.05 * i) for i in range(n)]
    n_v = 5
    rows = [[phi[i], 0.01 + 0.0001 * i] + [height(i, j, 3) for j in range(n_v)] for i in range(n)]
    head = {"REFERENCE_LINE_START_U": -7.0, "REFERENCE_LINE_END_U": -7.0 + step * (n - 1),
            "REFERENCE_LINE_INCREMENT": step, "REFERENCE_LINE_START_PHI": phi[0], "REFERENCE_LINE_END_PHI": phi[-1],
            "REFERENCE_LINE_START_Z": 1.0, "REFERENCE_LINE_START_S": 0.02,
            "REFERENCE_LINE_END_Z": 1.0 + 0.02 * step * (n - 1),
            "LONG_SECTION_V_RIGHT": -2.0, "LONG_SECTION_V_LEFT": 2.0, "LONG_SECTION_V_INCREMENT": 1.0}
    columns = ["reference line phi,rad", "reference line banking,m/m"]
    columns += [f"long section {k + 1},m" for k in range(n_v)]
    options = {"BORDER_MODE_U": 3, "BORDER_MODE_V": 3}
    return header(head, options, {"GRID_NAN_MODE": 2}, columns, "KDBI").encode() + numbers(rows, "d")


def straight():
    """Floats in bytes: no heading at all, columns in another order, heights of nothing beyond the borders."""
    n, step, n_v = 50, 0.2, 7
    order = [3, 0, 6, 1, 5, 2, 4]
    rows = [[height(i, j, 4) for j in order] for i in range(n)]
    head = {"REFERENCE_LINE_INCREMENT": step, "REFERENCE_LINE_START_X": 3.0, "REFERENCE_LINE_START_Y": 1.0,
            "REFERENCE_LINE_START_PHI": 0.7, "REFERENCE_LINE_END_PHI": 0.7, "REFERENCE_LINE_END_U": step * (n - 1),
            "LONG_SECTION_V_RIGHT": -1.5, "LONG_SECTION_V_LEFT": 1.5, "LONG_SECTION_V_INCREMENT": 0.5}
    columns = [f"long section {j + 1},m" for j in order]
    options = {"BORDER_MODE_U": 1, "BORDER_MODE_V": 2, "BORDER_OFFSET_U": 0.25, "BORDER_OFFSET_V": -0.125}
    return header(head, options, {"GRID_NAN_MODE": 2}, columns, "KRBI").encode() + numbers(rows, "f")


if __name__ == "__main__":
    where = sys.argv[1] if len(sys.argv) > 1 else HERE
    for make in (curve, gaps, loop, straight):
        with open(os.path.join(where, make.__name__ + ".crg"), "wb") as out:
            out.write(make())
