#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what fmusim wrote of an FMU with what `biela run` wrote of its model.

usage: fmu_compare.py RUN.csv RUN.json FMUSIM.csv

Every column of the run must be in the other file with the same 16 digits in every row, and the last hash must be
that of the run: equal in every bit. Prints the number of values compared."""
import csv
import json
import sys


def table(path):
    rows = list(csv.reader(open(path)))
    return rows[0], rows[1:]


def main():
    run_names, run = table(sys.argv[1])
    fmu_names, fmu = table(sys.argv[3])
    if len(run) != len(fmu):
        sys.exit(f"{len(run)} rows of the run, {len(fmu)} of the FMU")
    at = {name: k for k, name in enumerate(fmu_names)}
    count = 0
    for k, name in enumerate(run_names):
        other = "time" if name == "t" else name if name in at else "outputs." + name
        for i, row in enumerate(run):
            ours, theirs = "%.16g" % float(row[k]), "%.16g" % float(fmu[i][at[other]])
            if ours != theirs and name != "t":
                sys.exit(f"{name}, row {i}: {ours} of the run, {theirs} of the FMU")
            count += 1
    last = fmu[-1]
    if "state.hash" in at:
        theirs = int(last[at["state.hash"]])
    else:
        high, low = (int(last[at["state.hash." + half]]) & 0xffffffff for half in ("high", "low"))
        theirs = high << 32 | low
    ours = int(json.load(open(sys.argv[2]))["hash"], 16)
    if ours != theirs:
        sys.exit(f"hash {ours:016x} of the run, {theirs:016x} of the FMU")
    print(f"{count} values, {len(run)} rows, hash {ours:016x}")


main()
