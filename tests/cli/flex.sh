#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela flex`, the cache of reduced bodies, frames for ParaView, envelopes.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

cat >"$dir/bar.yaml" <<'Y'
biela: 1
name: bar
gravity: [0, -10, 0]
parameters: {modes: 2}
bodies:
  bar:
    flex:
      plane: true
      materials: {steel: {young: 200 GPa, density: 8000}}
      sections: {bar: {rectangle: [20 mm, 10 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: 80}}
      frame: root
      boundary: [tip]
      modes: modes
      damping: 0.02
  block: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0]}
joints:
  hold: {type: fixed, bodies: [ground, bar]}
  free: {type: free, bodies: [ground, block]}
outputs:
  worst: {stress: bar}
  root: {section: bar, element: bar, at: 0}
run: {time: 0.2 s, dt: 1 ms, every: 0.02 s}
Y
ends 0 flex info "$dir/bar.yaml"
must "counts" grep -q 'bar: 81 nodes, 80 beam' "$dir/stdout"
must "modes" grep -q '2 static + 2 normal = 4' "$dir/stdout"
must "one file in the cache, whole" test "$(ls "$dir/cache" | grep -c '^flex-[0-9a-f]\{16\}[.]bin$')" -eq 1
cp "$dir/stdout" "$dir/first"
ends 0 flex info "$dir/bar.yaml"
must "the cached body is the same" cmp "$dir/first" "$dir/stdout"
# half a file, as after a full disk, is not taken
for file in "$dir"/cache/*; do head -c 1000 "$file" >"$dir/half" && cp "$dir/half" "$file"; done
ends 0 flex info "$dir/bar.yaml"
must "a damaged file is made again" cmp "$dir/first" "$dir/stdout"
must "and is whole again" test "$(stat -c %s "$dir"/cache/flex-*.bin)" -gt 1000
ends 0 flex info "$dir/bar.yaml" --set modes=3
must "another body has another file" test "$(ls "$dir/cache" | wc -l)" -eq 2
# without a place for the cache it works all the same
BIELA_CACHE=/proc/none ends 0 flex info "$dir/bar.yaml"

# input for CalculiX: a wrong node, direction or force is told; what is held, pulled and asked for is in the file
ends 2 flex export "$dir/bar.yaml" bar --out "$dir/bar.inp" --pin tip:xw
must "directions are x, y and z" grep -q "'xw' are no directions" "$dir/stderr"
ends 2 flex export "$dir/bar.yaml" bar --out "$dir/bar.inp" --pin tap
must "a node that is not there" grep -q "no node 'tap'; did you mean 'tip'" "$dir/stderr"
ends 2 flex export "$dir/bar.yaml" bar --out "$dir/bar.inp" --force tip=1,2
must "a force has three numbers" grep -q "needs three numbers x,y,z, not '1,2'" "$dir/stderr"
ends 2 flex export "$dir/bar.yaml" bar --out "$dir/bar.inp" --force 1,2,3
must "a force has a node" grep -q "needs NODE=x,y,z, not '1,2,3'" "$dir/stderr"
ends 0 flex export "$dir/bar.yaml" bar --count 0 --clamp root --pin tip:y --force tip=5,0,-7 --gravity 0,-10,0 --out "$dir/bar.inp"
must "holds, loads, and what is asked for" python3 - "$dir/bar.inp" <<'PY'
import sys
lines = open(sys.argv[1]).read().split("\n")
root = lines.index("1, 1, 1")
assert lines[root : root + 4] == ["1, 1, 1", "1, 2, 2", "1, 3, 3", "1, 4, 6"], lines[root : root + 5]
assert "2, 2, 2" in lines and "2, 1, 1" not in lines
assert lines.count("*CLOAD") == 2 and "2, 1, 5" in lines and "2, 3, -7" in lines
assert "E80, GRAV, 10, 0, -1, 0" in lines and "*EL PRINT, ELSET=BEAMS" in lines
PY

ends 0 flex modes "$dir/bar.yaml" bar --json
must "frequencies and shapes in JSON" python3 - "$dir/stdout" <<'PY'
import json, math, sys
b = json.load(open(sys.argv[1]))["bodies"][0]
assert b["name"] == "bar" and len(b["hz"]) == 4 and len(b["shapes"]) == 4 and len(b["shapes"][0]) == 81
# clamped and pinned: tan x = tanh x; rotary inertia takes 1e-3 away
x, EI, mu = 3.926602312, 200e9 * 0.01 * 0.02**3 / 12, 8000 * 0.02 * 0.01
hz = x * x * math.sqrt(EI / mu) / (2 * math.pi)
assert abs(b["normal_hz"][0] / hz - 1) < 2e-3, (b["normal_hz"][0], hz)
assert abs(b["mass"] - 1.6) < 1e-12 and b["rigid_error"] < 1e-12 and b["patch_error"] < 1e-9
PY
ends 0 flex modes "$dir/bar.yaml" --out "$dir/modes.pvd"
must "a grid per mode" test "$(ls "$dir"/modes-bar-*.vtu | wc -l)" -eq 4
ends 0 flex build "$dir/bar.yaml" --out "$dir/bar.flex"
must "the reduced body" test -s "$dir/bar.flex"
ends 2 flex info pendulum
must "no flexible body" grep -q 'no flexible body' "$dir/stderr"
ends 2 flex info "$dir/bar.yaml" block
ends 2 flex show "$dir/bar.yaml"
must "verbs" grep -q 'build, info, modes' "$dir/stderr"

ends 0 run "$dir/bar.yaml" --out "$dir/bar.csv" --vtu --envelope "$dir/envelope.csv" --json
must "frames, envelope and channels agree" python3 - "$dir" <<'PY'
import csv, json, sys, xml.etree.ElementTree as xml
d = sys.argv[1]
told = json.load(open(d + "/stdout"))
assert told["frames"] == d + "/bar.pvd" and told["envelope"] == d + "/envelope.csv"
rows = list(csv.DictReader(open(d + "/bar.csv")))
sets = xml.parse(d + "/bar.pvd").getroot().findall("./Collection/DataSet")
assert len(sets) == len(rows) == 11
most = 0.0
for row, frame in zip(rows, sets):
    grid = xml.parse(d + "/" + frame.get("file")).getroot().find("./UnstructuredGrid/Piece")
    field = {a.get("Name"): [float(x) for x in a.text.split()] for a in grid.find("PointData")}
    cell = {a.get("Name"): [float(x) for x in a.text.split()] for a in grid.find("CellData")}
    assert len(field["mises"]) == 81 and len(field["displacement"]) == 243 and len(cell["section"]) == 480
    assert abs(float(frame.get("timestep")) - float(row["t"])) < 1e-9
    # nine digits are written
    assert abs(max(field["mises"]) - float(row["worst"])) <= 1e-8 * (1 + float(row["worst"]))
    most = max(most, float(row["worst"]))
envelope = list(csv.DictReader(open(d + "/envelope.csv")))
assert len(envelope) == 80 and envelope[0]["body"] == "bar"
assert abs(max(float(e["mises"]) for e in envelope) - most) <= 1e-12 * most and most > 1e6
worst = max(envelope, key=lambda e: float(e["mises"]))
assert worst["number"] == "1" and any(abs(float(r["t"]) - float(worst["t"])) < 1e-12 for r in rows)
PY
ends 2 run pendulum --time 0.1 --out "$dir/p.csv" --vtu
must "no stress to show" grep -q "no flexible body" "$dir/stderr"
finish
