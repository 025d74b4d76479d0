#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at the margin of stability in results: stability.py lifts FILE; stability.py slope SLOPE HALF THREE_QUARTERS."""
import csv
import sys

WHEELS = ["wheel.fl", "wheel.fr", "wheel.rl", "wheel.rr"]


def rows(path):
    with open(path) as file:
        table = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{k: float(row[k]) for k in [*WHEELS, "margin", "stability.right"]} for row in table]


def lifts(path):
    table = rows(path)
    flying = [k for k, row in enumerate(table) if min(row[w] for w in WHEELS) < 1.0]
    if not flying:
        sys.exit("no wheel lifts")
    if not any(row["margin"] > 0.3 for row in table[: flying[0]]):
        sys.exit("no margin before the first wheel lifts")
    for k in flying:
        if not abs(table[k]["margin"]) < 0.02:
            sys.exit(f"row {k}: margin {table[k]['margin']} with {table[k]}")


def slope(wanted, half, more):
    a, b = rows(half)[0]["stability.right"], rows(more)[0]["stability.right"]
    found = wanted * (0.75 + 0.25 * b / (a - b))
    print(found)
    if not abs(found / wanted - 1.0) < 0.02:
        sys.exit(f"{found} instead of {wanted}")


if sys.argv[1] == "lifts":
    lifts(sys.argv[2])
else:
    slope(float(sys.argv[2]), sys.argv[3], sys.argv[4])
