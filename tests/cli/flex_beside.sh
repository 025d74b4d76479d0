#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What touches a flexible body beside its nodes is refused, with the nearest node; rounding is not beside.
. tests/cli/support.bash

cat >"$dir/bar.yaml" <<'Y'
biela: 1
name: bar
gravity: [0, 0, 0]
parameters: {d: 0, e: 0, f: 0, g: 0}
bodies:
  bar:
    flex:
      plane: true
      materials: {s: {young: 200 GPa, density: 8000}}
      sections: {r: {rectangle: [20 mm, 20 mm]}}
      nodes: {a: [0, 0, 0], b: [1, 0, 0]}
      lines: {l: {from: a, to: b, elements: 8}}
      frame: a
  ball: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}
joints:
  c: {type: fixed, bodies: [ground, bar]}
  pin: {type: revolute, bodies: [bar, ball], at_a: [1 - e, 0, 0], at_b: [0, 0, 0], axis: [0, 0, 1]}
forces:
  push: {type: force, point: {body: bar, at: [1 - d, 0, 0]}, fy: -100}
  spring: {type: spring, a: {body: bar, at: [0.5 + f, 0, 0]}, b: {body: ground, at: [0.5, 1, 0]}, stiffness: 0, rest: 1}
outputs:
  tip: {point: {body: bar, at: [1 + g, 0, 0]}}
  frame: {body: bar}
run: {time: 0.01, dt: 1e-3, start: equilibrium}
Y
ends 0 run "$dir/bar.yaml" --out "$dir/bar.csv"
ends 0 run "$dir/bar.yaml" --set d=1e-12 --out "$dir/near.csv"
ends 0 diff "$dir/bar.csv" "$dir/near.csv" --tolerance 1e-9
ends 2 run "$dir/bar.yaml" --set d=1e-6
must "a force one micrometre off" grep -q "bar.yaml:19:.*forces.push.point: body bar has no node at \[0.999999, 0, 0\].*the nearest is node 'b' at \[1, 0, 0\], 1e-06 m away" "$dir/stderr"
ends 2 run "$dir/bar.yaml" --set e=0.03
must "a joint" grep -q "bar.yaml:17:.*joints.pin.*nearest is node 'b' .*0.03 m away" "$dir/stderr"
ends 2 run "$dir/bar.yaml" --set f=0.01
must "a spring" grep -q "bar.yaml:20:.*forces.spring.a.*nearest is node 'l.4' .*0.01 m away" "$dir/stderr"
ends 2 run "$dir/bar.yaml" --set g=0.01
must "what is shown" grep -q "bar.yaml:22:.*outputs.tip.*nearest is node 'b'" "$dir/stderr"
must "one message" test "$(grep -c error: "$dir/stderr")" -eq 1

# an axis on a node of plane solids: it does not turn
cat >"$dir/plate.yaml" <<'Y'
biela: 1
name: plate
bodies:
  plate:
    flex:
      plane: true
      materials: {s: {young: 200 GPa, poisson: 0.3, density: 8000}}
      sections: {r: {thickness: 10 mm}}
      rectangles: {p: {at: [0, 0, 0], size: [1, 0.1], divisions: [8, 2], kind: quad}}
      frame: [p.0.0, p.0.1, p.0.2]
  block: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}
joints:
  hold: {type: fixed, bodies: [ground, plate]}
  weld: {type: fixed, bodies: [plate, block], at: [1, 0, 0]}
run: {time: 0.01, dt: 1e-3}
Y
ends 2 run "$dir/plate.yaml"
must "a node that does not turn" grep -q "plate.yaml:14:.*joints.weld: node 'p.8.0' of body plate does not turn" "$dir/stderr"
finish
