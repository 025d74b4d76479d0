#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Decks of meshers: named faces of second order, no density, sets in place of nodes, points far away, moduli in MPa.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

# a bar of 1 x 0.1 x 0.1 m of second-order bricks, its ends named by faces of eight nodes and an edge by a line of three
python3 - "$dir/bar.inp" <<'PY'
import sys
n = 4
number, lines, elements = {}, [], []
def node(i, j, k):  # in halves of an element
    if (i, j, k) not in number:
        number[i, j, k] = len(number) + 1
        lines.append("%d, %g, %g, %g" % (number[i, j, k], i / (2 * n), j / 20, k / 20))
    return number[i, j, k]
corner = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
middle = [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2), (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]
for e in range(n):
    elements.append([node(2 * e + i, j, k) for i, j, k in corner + middle])
face = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1)]
write = open(sys.argv[1], "w").write
write("*HEADING\n*NODE\n" + "\n".join(lines) + "\n*ELEMENT, TYPE=C3D20, ELSET=BODY\n")
for e, nodes in enumerate(elements):
    write("%d, %s,\n %s\n" % (e + 1, ", ".join(map(str, nodes[:12])), ", ".join(map(str, nodes[12:]))))
for name, i, e in ("ROOT", 0, 11), ("TIP", 2 * n, 12):
    write("*ELEMENT, TYPE=CPS8, ELSET=%s\n%d, %s\n" % (name, e, ", ".join(str(node(i, j, k)) for j, k in face)))
write("*ELEMENT, TYPE=T3D3, ELSET=EDGE\n13, %d, %d, %d\n" % (node(0, 0, 0), node(1, 0, 0), node(2, 0, 0)))
write("*MATERIAL, NAME=STEEL\n*ELASTIC\n2e11, 0.3\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n")
PY
cat >"$dir/bar.yaml" <<'Y'
biela: 1
name: bar
bodies:
  bar:
    flex:
      mesh: {file: bar.inp, interfaces: {root: ROOT, tip: {set: TIP, at: [1, 0.05, 0.05]}}}
      materials: {steel: {young: 200 GPa, poisson: 0.3, density: 7850}}
      frame: root
joints: {hold: {type: fixed, bodies: [ground, bar], at: [0, 0.05, 0.05]}}
forces: {push: {type: force, point: {body: bar, node: tip}, fz: -1000}}
outputs: {tip: {point: {body: bar, node: tip}}}
run: {time: 0.01, dt: 1e-3}
Y
ends 0 flex info "$dir/bar.yaml"
must "the density of the model" grep -q '78.5' "$dir/stdout"
must "faces are names" grep -q '3 plane elements and lines are taken as names of faces and edges' "$dir/stderr"
ends 0 run "$dir/bar.yaml"
# without a material in the model the deck needs one
sed '/materials:/d' "$dir/bar.yaml" >"$dir/bare.yaml"
ends 2 run "$dir/bare.yaml"
must "no density anywhere" grep -q "bar.inp.*density must be positive" "$dir/stderr"
# the second-order faces are no plates
sed 's/C3D20/CPS8/; /C3D20/d' "$dir/bar.inp" | awk '/ELEMENT, TYPE=CPS8, ELSET=BODY/{skip=1} /ELSET=ROOT/{skip=0} !skip && !/SOLID SECTION/' >"$dir/plate.inp"
sed 's/bar.inp/plate.inp/' "$dir/bar.yaml" >"$dir/plate.yaml"
ends 2 run "$dir/plate.yaml"
must "no plates of second order" grep -q "second order are taken as names of faces of solids only" "$dir/stderr"

sed 's/frame: root/frame: ROOT/' "$dir/bar.yaml" >"$dir/set.yaml"
ends 2 run "$dir/set.yaml"
must "a set in place of a node" grep -q "set.yaml:8:.*'ROOT' is a set of 8 nodes: .*interfaces: {ROOT: ROOT}" "$dir/stderr"
sed 's/at: \[1, 0.05, 0.05\]/at: [1000, 50, 50]/' "$dir/bar.yaml" >"$dir/far.yaml"
ends 2 run "$dir/far.yaml"
must "a point in mm" grep -q "far.yaml:6:.*interfaces.tip.at: \[1000, 50, 50\] is farther from the mesh than the mesh is large" "$dir/stderr"

# 2e5 MPa given as Pa: told every time, whether the body comes from the cache or not, and once
sed 's/2e11, 0.3/2e5, 0.3/' "$dir/bar.inp" >"$dir/soft.inp"
sed 's/bar.inp/soft.inp/' "$dir/bar.yaml" >"$dir/soft.yaml"
for turn in 1 2; do
    ends 0 flex info "$dir/soft.yaml"
    must "sound at 5 m/s, turn $turn" test "$(grep -c 'sound would travel at 5.05 m/s' "$dir/stderr")" -eq 1
done
finish
