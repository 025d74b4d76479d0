#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela compare`: the same model by modes and by nonlinear finite elements.
. tests/cli/support.bash

head='biela: 1
name: bar
gravity: [0, -9.81, 0]
bodies:
  bar:
    flex:
      plane: true
      materials: {steel: {young: 200 GPa, density: 8000}}
      sections: {flat: {rectangle: [8 mm, 20 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {beam: {from: root, to: tip, elements: 8}}
      frame: root
      boundary: [tip]
      modes: 2
      damping: {beta: 1e-3 s}
joints:
  root: {type: revolute, bodies: [ground, bar], at: [0, 0, 0]}'
outputs='outputs:
  tip: {point: {body: bar, node: tip}}
  top: {stress: bar, element: beam, at: mid, fibre: top}
run: {time: 0.4 s, dt: 1e-3 s}'
printf '%s\n%s\n' "$head" "$outputs" >"$dir/bar.yaml"

ends 0 compare "$dir/bar.yaml"
must "a line for the modes" grep -q "^modes " "$dir/stdout"
must "a line for the finite elements" grep -q "^finite elements " "$dir/stdout"
must "the ratio" grep -q "^CPU at equal error: " "$dir/stdout"
must "what the reference is worth" grep -q "steps twice as long change it by" "$dir/stdout"

ends 0 compare "$dir/bar.yaml" --displacement tip.y --stress top --json
cat >"$dir/check.py" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
m, e, f = r["modes"], r["finite_elements"], r["reference"]
# two modes of a bar that sags by millimetres: within 1 % of its path, 10 % of its stress; and not by chance equal
assert 0 < m["displacement_share"] < 0.01 and 0 < m["stress_share"] < 0.1, m
for side in (m, e):
    assert side["displacement_share"] <= r["goal_displacement_share"] and side["stress_share"] <= r["goal_stress_share"]
assert f["stress_share"] < 0.5 * m["stress_share"], f
assert m["worst_displacement"] == "tip.y" and m["worst_stress"] == "top"
assert abs(r["ratio"] - e["cpu"] / m["cpu"]) < 1e-9 and r["ratio"] > 0
END
must "both errors, the same goal" python3 "$dir/check.py" "$dir/stdout"

# what cannot be compared is told
{ printf '%s\n' "$head"; printf 'forces:\n  s: {type: drag, point: {body: bar, node: tip}, area: 1, coefficient: 1}\n%s\n' "$outputs"; } >"$dir/drag.yaml"
ends 2 compare "$dir/drag.yaml"
must "the drag is named with its line" grep -q "drag.yaml:19:.* s: a 'drag' has no counterpart" "$dir/stderr"
ends 2 compare "$dir/drag.yaml" --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"
ends 2 compare "$dir/bar.yaml" --stress topp
must "a misspelt channel" grep -q "did you mean 'top'?" "$dir/stderr"
ends 2 compare "$dir/bar.yaml" --fine-elements 0
must "a number out of its range" grep -q "not a whole number from 1 to 1000" "$dir/stderr"
ends 2 compare pendulum
must "nothing to compare" grep -q "needs an output 'point' and an output 'stress'" "$dir/stderr"

finish
