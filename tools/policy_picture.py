#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The picture of the policy search in the guide, with gnuplot: tools/policy_picture.py PATHS.csv FILE.png

PATHS.csv is what examples/13_policy_search.c --paths writes: the way of the mean policy of each generation."""
import csv
import subprocess
import sys

SHOWN = (1, 2, 3, 4, 5, 8, 20)
COLOURS = ("#b0b0b0", "#c51b7d", "#fc8d59", "#e0b000", "#4dac26", "#2b8cbe", "#08306b")


def outline(x, y, c, s):
    """The truck about the middle of its front axle: tail, mast and forks."""
    corners = [(-2.3, 0.6), (0.45, 0.6), (0.45, 0.1), (1.5, 0.1), (1.5, -0.1), (0.45, -0.1), (0.45, -0.6), (-2.3, -0.6), (-2.3, 0.6)]
    return "\n".join(f"{x + a * c - b * s} {y + a * s + b * c}" for a, b in corners)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        bay = [float(w) for w in f.readline().split()[2:]]
        ways = {}
        for row in csv.DictReader(f):
            ways.setdefault(int(row["generation"]), []).append([float(row[k]) for k in ("x", "y", "dx", "dy")])
    shown = [g for g in SHOWN if g in ways]
    text = ["set term pngcairo size 1000,900 font 'sans,13'", f"set output '{sys.argv[2]}'", "set size ratio -1", "set grid lc rgb '#e0e0e0'",
            "set xlabel 'x, m'", "set ylabel 'y, m'", "set key top left title 'generation'", "set xrange [-1:9]", "set yrange [-1.5:8.5]"]
    lines = []
    text.append(f"$bay << END\n{outline(*bay)}\nEND")
    lines.append("$bay with filledcurves closed fc rgb '#dfe8d8' title 'bay'")
    for g, colour in zip(shown, COLOURS):
        text.append(f"$way{g} << END\n" + "\n".join(f"{w[0]} {w[1]}" for w in ways[g]) + "\nEND")
        text.append(f"$end{g} << END\n{outline(*ways[g][-1])}\nEND")
        lines.append(f"$way{g} with lines lw 2.5 lc rgb '{colour}' title '{g}'")
        lines.append(f"$end{g} with lines lw 1 lc rgb '{colour}' notitle")
    text.append("plot " + ", ".join(lines))
    subprocess.run(["gnuplot"], input="\n".join(text) + "\n", text=True, check=True)


if __name__ == "__main__":
    main()
