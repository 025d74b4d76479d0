#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Static modes follow from joints and loads; what the user lists only adds.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

# the four-bar linkage with all vectors listed by hand, without them, with an empty list, and without a list
sed 's/{node: tip, vectors: [^}]*}/tip/' models/flex-four-bar/model.yaml >"$dir/points.yaml"
sed 's/boundary: .*/boundary: []/' models/flex-four-bar/model.yaml >"$dir/empty.yaml"
sed '/boundary: /d' models/flex-four-bar/model.yaml >"$dir/none.yaml"
ends 0 run models/flex-four-bar/model.yaml --out "$dir/listed.csv"
for case in points empty none; do
    ends 0 flex info "$dir/$case.yaml"
    must "$case: displacements and turns of each end" test "$(grep -c ' 6 static' "$dir/stdout")" -eq 3
    ends 0 run "$dir/$case.yaml" --out "$dir/$case.csv"
    # without them the moments were 8.6 times as large
    ends 0 diff "$dir/listed.csv" "$dir/$case.csv" --tolerance 1e-3
done
# pieces get what they are held by, too
ends 0 flex info "$dir/none.yaml" --run split
must "welds and the far end" test "$(grep -c ' 6 static' "$dir/stdout")" -eq 6

# a motor at a node turns it about the axis of its joint; what a force pulls at has its displacements
cat >"$dir/bar.yaml" <<'Y'
biela: 1
name: bar
gravity: [0, 0, 0]
bodies:
  bar:
    flex:
      plane: true
      materials: {steel: {young: 200 GPa, density: 8000}}
      sections: {bar: {rectangle: [20 mm, 20 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: 8}}
      frame: root
  disc: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}
joints:
  hold: {type: fixed, bodies: [ground, bar]}
  axle: {type: revolute, bodies: [bar, disc], at: [1, 0, 0], axis: [0, 0, 1]}
forces:
  motor: {type: torque, joint: axle, torque: 10}
outputs:
  tip: {point: {body: bar, node: tip}}
  root: {stress: bar, element: bar, at: start, fibre: top}
run: {time: 0.1, dt: 1 ms, start: equilibrium}
Y
ends 0 flex info "$dir/bar.yaml"
must "the turn of the motor" grep -q '3 static' "$dir/stdout"
sed -i 's/axle: {type: revolute,/axle: {type: fixed,/; s/motor: .*/motor: {type: force, point: {body: bar, node: bar.4}, fy: -100}/' "$dir/bar.yaml"
ends 0 flex info "$dir/bar.yaml"
must "end with its turn, middle without" grep -q '5 static' "$dir/stdout"
ends 0 run "$dir/bar.yaml" --out "$dir/bar.csv"
# P a^2 (3 L - a) / 6 EI at the tip of a bar that is pulled in its middle, P a / W at its root
must "deflection and stress of a bar pulled in the middle" python3 - "$dir/bar.csv" <<'PY'
import csv, sys
row = next(csv.DictReader(open(sys.argv[1])))
row = {key.split(' ')[0]: float(value) for key, value in row.items()}
EI, W = 200e9 * 0.02**4 / 12, 0.02**3 / 6
assert abs(row['tip.y'] + 100 * 0.5**2 * 2.5 / 6 / EI) < 1e-6, row['tip.y']
assert abs(row['root'] - 100 * 0.5 / W) < 1e-4 * 100 * 0.5 / W, row['root']
PY

# nothing holds it, and no modes are asked for
sed -i '/axle/d; /motor/d; /^forces/d; /disc/d' "$dir/bar.yaml"
ends 2 run "$dir/bar.yaml"
must "without modes" grep -q "has no modes: give 'boundary' nodes" "$dir/stderr"
finish
