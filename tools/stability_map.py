#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The map of docs/guide/stability: a van in a J-turn, over speed, load, its height and friction.

usage: stability_map.py sweep DEVICE    all runs, into out/stability.csv
       stability_map.py table out/stability.csv    the least friction at which it tips over -> docs/guide/stability/map.csv
       stability_map.py draw    that table as docs/guide/stability/map.png (gnuplot)

A journal of a sweep that goes on (.journal) serves as its result, as far as it is."""
import csv
import os
import subprocess
import sys

FOLDER = "docs/guide/stability"
SPEEDS, LOADS = [40 + 2 * k for k in range(38)], [125 * k for k in range(13)]
HEIGHTS, FRICTIONS = [0.8 + 0.1 * k for k in range(15)], [0.4 + 0.02 * k for k in range(36)]
SHOWN = (0, 500, 1000, 1500)  # kg
HAPPENED = 5  # word of a line of the journal


def sweep(device):
    grids = [("v", "40:114:2"), ("load", "0:1500:125"), ("height", "0.8:2.2:0.1"), ("mu", "0.4:1.1:0.02")]
    command = [os.environ.get("BIELA", "build/biela"), "sweep", f"{FOLDER}/van.yaml", "--until", "over", "--record", "final:attitude.roll",
               "--device", device, "--out", "out/stability.csv"]
    for name, values in grids:
        command += ["--grid", f"{name}={values}"]
    sys.exit(subprocess.run(command, check=False).returncode)


def rows(path):
    """Number of a case, and whether it tipped over."""
    with open(path) as f:
        if not path.endswith(".journal"):
            for row in csv.DictReader(f):
                yield int(row["case"]), row["over"] == "1"
            return
        for line in list(f)[2:]:
            word = line.split()
            yield int(word[0]), float.fromhex(word[HAPPENED]) == 1.0


def table(path):
    least, seen, per = {}, set(), len(FRICTIONS)
    wanted = len(SPEEDS) * len(LOADS) * len(HEIGHTS) * per
    for case, over in rows(path):
        place, k = divmod(case, per)
        seen.add(case)
        if over:
            least[place] = min(least.get(place, per), k)
    missing = wanted - len([k for k in range(wanted) if k in seen])
    if missing:
        sys.exit(f"{missing} of {wanted} cases are missing")
    with open(f"{FOLDER}/map.csv", "w") as out:
        out.write("v,load,height,mu\n")
        for place in range(wanted // per):
            v, rest = divmod(place, len(LOADS) * len(HEIGHTS))
            load, height = divmod(rest, len(HEIGHTS))
            mu = f"{FRICTIONS[least[place]]:.2f}" if place in least else ""
            out.write(f"{SPEEDS[v]},{LOADS[load]},{HEIGHTS[height]:.1f},{mu}\n")
    tips = len([k for k in least if k < wanted // per])
    print(f"{wanted} runs; {tips} of {wanted // per} places tip over at some friction")


def draw():
    with open(f"{FOLDER}/map.csv") as f:
        data = {(int(r["v"]), int(r["load"]), float(r["height"])): r["mu"] for r in csv.DictReader(f)}
    text = ["set term pngcairo size 1200,900 font 'sans,12'", f"set output '{FOLDER}/map.png'", "set multiplot layout 2,2",
            "set palette defined (0.4 '#7a0000', 0.6 '#d7301f', 0.8 '#fc8d59', 1.0 '#fdcc8a', 1.1 '#fef0d9')", "set cbrange [0.4:1.1]",
            "set xrange [39:115]", "set yrange [0.75:2.25]", "set xlabel 'speed, km/h'", "set ylabel 'height of the load, m'",
            "set cblabel 'least friction at which it tips over'", "set object 1 rect from graph 0,0 to graph 1,1 fc rgb '#2b8cbe' behind"]
    for load in SHOWN:
        text.append(f"set title 'load {load} kg (blue: it stays on its wheels)'")
        text.append(f"$load{load} << END")
        text += [f"{v} {h} {mu}" for (v, l, h), mu in data.items() if l == load and mu] or ["-9 -9 1"]
        text += ["END", f"plot $load{load} using 1:2:(1):(0.05):3 with boxxyerror fs solid noborder fc palette notitle"]
    subprocess.run(["gnuplot"], input="\n".join(text) + "\n", text=True, check=True)


def main():
    words = sys.argv[1:]
    if words[:1] == ["sweep"] and len(words) == 2:
        sweep(words[1])
    elif words[:1] == ["table"] and len(words) == 2:
        table(words[1])
    elif words == ["draw"]:
        draw()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
