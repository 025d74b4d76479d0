#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shells in a model: a strip and a Gmsh surface against beam and plate theory, stress on both sides, grids, mistakes.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

strip() { # kind
    cat <<Y
biela: 1
name: strip
gravity: [0, 0, 0]
bodies:
  strip:
    flex:
      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}
      sections: {sheet: {thickness: 5 mm}}
      rectangles: {strip: {size: [1, 0.05], at: [0, -0.025, 0], divisions: [20, 2], kind: $1, rigid_ends: true}}
      frame: strip.start
      boundary: [strip.end]
joints:
  hold: {type: fixed, bodies: [ground, strip]}
forces:
  push: {type: force, point: {body: strip, node: strip.end}, fz: -10, fx: 1000}
outputs:
  tip: {point: {body: strip, node: strip.end}}
  top: {stress: strip, node: strip.10.1, fibre: top, only: xx}
  middle: {stress: strip, node: strip.10.1, fibre: centre, only: xx}
  bottom: {stress: strip, node: strip.10.1, fibre: bottom, only: xx}
  inside: {stress: strip, element: strip.20, at: [0, 0, -1], only: xx}
  worst: {stress: strip}
run: {time: 10 ms, dt: 1 ms, every: 10 ms}
Y
}
for kind in shell4 shell3; do
    strip $kind >"$dir/strip.yaml"
    ends 0 equilibrium "$dir/strip.yaml" --out "$dir/strip.csv"
    must "$kind: bends and is stretched like a beam" python3 - "$dir/strip.csv" $kind <<'PY'
import csv, sys
head, row = csv.reader(open(sys.argv[1]))
v = dict(zip(head, map(float, row)))
E, b, t, P = 210e9, 0.05, 5e-3, 10.0
I = b * t**3 / 12
# rigid ends keep the strip from curving across: a share of 1 - nu^2 near them
assert abs(v["tip.z"] / (-P / (3 * E * I)) - 1) < 0.02, v["tip.z"]
assert abs(v["tip.x"] - 1 - 1000 / (E * b * t)) < 0.01 * 1000 / (E * b * t), v["tip.x"]
bending, pull = P * 0.5 / (b * t * t / 6), 1000 / (b * t)
# downwards at the free end: tension on top
for name, sign in (("top", 1), ("middle", 0), ("bottom", -1)):
    assert abs(v[name] - pull - sign * bending) < 0.03 * bending, (name, v[name], pull, bending)
assert v["worst"] > 0.9 * (P / (b * t * t / 6) + pull), v["worst"]
if sys.argv[2] == "shell4":
    # element 20 is in the row of x from 0.45 to 0.5 m
    assert abs(v["inside"] - pull + P * 0.525 / (b * t * t / 6)) < 0.03 * bending, v["inside"]
PY
done
ends 0 run "$dir/strip.yaml" --out "$dir/strip.csv" --vtu
must "a grid of triangles for ParaView" grep -q '<DataArray type="UInt8" Name="types"' "$dir"/strip*.vtu
ends 0 run "$dir/strip.yaml" --formulation natural --out "$dir/natural.csv"
must "both formulations agree" "$BIELA" diff "$dir/strip.csv" "$dir/natural.csv" --columns tip.z,worst --tolerance 1e-3

# a surface of Gmsh: a cantilever plate of quadrilaterals, 16 x 16
python3 - "$dir/plate.msh" <<'PY'
import sys
n = 16
with open(sys.argv[1], "w") as out:
    out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"root\"\n2 2 \"plate\"\n$EndPhysicalNames\n")
    out.write(f"$Nodes\n{(n + 1) ** 2}\n")
    for k in range((n + 1) ** 2):
        out.write(f"{k + 1} {k % (n + 1) / n} 0 {k // (n + 1) / n}\n")
    quads = [(i + 1 + (n + 1) * j, i + 2 + (n + 1) * j, i + 2 + (n + 1) * (j + 1), i + 1 + (n + 1) * (j + 1)) for j in range(n) for i in range(n)]
    out.write(f"$EndNodes\n$Elements\n{n + n * n}\n")
    for k in range(n):
        out.write(f"{k + 1} 1 2 1 1 {1 + (n + 1) * k} {1 + (n + 1) * (k + 1)}\n")
    for k, q in enumerate(quads):
        out.write(f"{n + k + 1} 3 2 2 1 {q[0]} {q[1]} {q[2]} {q[3]}\n")
    out.write("$EndElements\n")
PY
plate() { # thickness
    cat <<Y
biela: 1
name: plate
bodies:
  plate: {flex: {mesh: {file: plate.msh, interfaces: {base: root}$1}, materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}, frame: base, modes: 3}}
Y
}
plate ", thickness: 10 mm" >"$dir/plate.yaml"
ends 0 flex info "$dir/plate.yaml" --json
must "frequencies of a square plate with one clamped edge" python3 - "$dir/stdout" <<'PY'
import json, math, sys
b = json.load(open(sys.argv[1]))["bodies"][0]
D = 210e9 * 0.01**3 / 12 / (1 - 0.3**2)
assert abs(b["mass"] - 78.5) < 1e-9 and b["patch_error"] < 1e-9
# Leissa 1973, nu = 0.3: omega a^2 sqrt(rho t / D)
for ours, factor in zip(b["normal_hz"], (3.4917, 8.5246, 21.429)):
    hz = factor / (2 * math.pi) * math.sqrt(D / 78.5)
    assert abs(ours / hz - 1) < 0.02, (ours, hz)
PY
plate "" >"$dir/plate.yaml"
ends 2 flex info "$dir/plate.yaml"
must "without a thickness it says what to do" grep -q "element 17 needs a section with a thickness; beside a mesh file 'thickness' makes shells" "$dir/stderr"
must "not for every element" test "$(wc -l <"$dir/stderr")" -lt 25
plate "" | sed 's/frame: base/sections: {s: {thickness: 1 cm}}, frame: base/' >"$dir/plate.yaml"
ends 2 flex info "$dir/plate.yaml"
must "plane stress lies in a plane" grep -q 'elsewhere use shells' "$dir/stderr"
plate ", thickness: 0" >"$dir/plate.yaml"
ends 2 flex info "$dir/plate.yaml"
must "a thickness is positive" grep -q 'mesh.thickness: must be positive' "$dir/stderr"
finish
