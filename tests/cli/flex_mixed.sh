#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A body of shells with a beam on it: every element counts in the largest stress, the envelope and the grids.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

cat >"$dir/mixed.yaml" <<'Y'
biela: 1
name: mixed
gravity: [0, 0, 0]
parameters: {fz: 5, stick: 0}
bodies:
  sheet:
    flex:
      materials: {a: {young: 70 GPa, poisson: 0.3, density: 2700}}
      sections: {sheet: {thickness: 2 mm}, stick: {rectangle: [4 mm, 4 mm]}}
      rectangles:
        p: {size: [0.3, 0.1], at: [0, -0.05, 0], divisions: [12, 4], kind: shell4, rigid_ends: true, section: sheet}
      nodes: {far: [0.4, 0, 0]}
      lines: {s: {from: p.end, to: far, elements: 2, section: stick}}
      frame: p.start
      boundary: [p.end, far]
      modes: 4
joints: {h: {type: fixed, bodies: [ground, sheet]}}
forces:
  f: {type: force, point: {body: sheet, node: p.end}, fz: fz}
  g: {type: force, point: {body: sheet, node: far}, fz: stick}
outputs:
  worst: {stress: sheet}
  at: {stress: sheet, node: p.0.2, fibre: top, quantity: mises}
  root: {stress: sheet, element: s, at: start}
run: {time: 1 ms, dt: 1 ms, start: equilibrium}
Y

ends 0 run "$dir/mixed.yaml" --out "$dir/sheet.csv" --envelope "$dir/sheet-envelope.csv" --vtu
ends 0 run "$dir/mixed.yaml" --set fz=0 --set stick=2 --out "$dir/stick.csv" --envelope "$dir/stick-envelope.csv"
must "the sheet and the stick are both seen" python3 - "$dir" <<'P'
import csv, glob, re, sys
folder = sys.argv[1]
def last(name):
    rows = list(csv.DictReader(open(f"{folder}/{name}.csv")))
    return {k: float(v) for k, v in rows[-1].items()}
def envelope(name):
    rows = list(csv.DictReader(open(f"{folder}/{name}-envelope.csv")))
    return {(r["place"], r["number"]): float(r["mises"]) for r in rows}
sheet, stick = last("sheet"), last("stick")
# bending of a strip of width 0.1 m: M = 5 N * 0.3 m at its root, less what the average at a node smooths
strip = 5 * 0.3 / (0.1 * 2e-3**2 / 6)
assert abs(sheet["at"] / strip - 1) < 0.1, (sheet["at"], strip)
assert sheet["worst"] >= sheet["at"], sheet
# 2 N at 0.1 m on a square of 4 mm
assert abs(stick["root"] / (2 * 0.1 / (4e-3**3 / 6)) - 1) < 1e-6, stick
assert abs(stick["worst"] / stick["root"] - 1) < 1e-12, stick
for name, worst in (("sheet", sheet["worst"]), ("stick", stick["worst"])):
    e = envelope(name)
    assert sum(k[0] == "element" for k in e) == 2 and sum(k[0] == "node" for k in e) == 13 * 5, e
    assert abs(max(e.values()) / worst - 1) < 1e-12, (name, max(e.values()), worst)
grid = open(sorted(glob.glob(f"{folder}/*.vtu"))[-1]).read()
mises = re.search(r'Name="mises" format="ascii">\n(.*?)</DataArray>', grid, re.S).group(1)
assert abs(max(map(float, mises.split())) / sheet["worst"] - 1) < 1e-6
P
finish
