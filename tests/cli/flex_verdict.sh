#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A flexible body that leaves the range of linear shapes says so, and what helps: how many pieces, or that stiffening is for beams.
. tests/cli/support.bash

# the tip of a bar of 1 m is pushed 2 m away: only linear shapes do that
cat >"$dir/bend.yaml" <<'Y'
biela: 1
name: bend
gravity: [0, 0, 0]
parameters: {pieces: 1, push: 120}
bodies:
  bar:
    flex:
      plane: true
      materials: {steel: {young: 200 GPa, density: 8000}}
      sections: {bar: {rectangle: [5 mm, 10 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: 36}}
      frame: root
      split: pieces
joints: {c: {type: fixed, bodies: [ground, bar]}}
forces: {p: {type: force, point: {body: bar, node: tip}, fy: push}}
outputs: {tip: {point: {body: bar, node: tip}}}
run: {time: 0.01, dt: 1e-3, start: equilibrium}
Y
ends 4 run "$dir/bend.yaml" --strict
must "bad, and how many pieces" grep -q 'verdict bad: deflection of a flexible body.*about 36 times as many pieces' "$dir/stderr"
must "turns, too" grep -q 'verdict bad: turn of a node.*about 36 times as many pieces' "$dir/stderr"
# a tenth of the length: doubtful
ends 4 run "$dir/bend.yaml" --set push=6.25 --strict
must "doubtful, and how many pieces" grep -q 'verdict doubtful: deflection of a flexible body.*about 3 times as many pieces' "$dir/stderr"
must "turns of a tenth" grep -q 'verdict doubtful: turn of a node.*about 3 times as many pieces' "$dir/stderr"
ends 0 run "$dir/bend.yaml" --set push=6.25 --set pieces=4 --strict --out "$dir/many.csv"
must "in that many pieces it is good" grep -q 'verdict *good' "$dir/stdout"

# a blade of shells that spins three times as fast as it flaps
cat >"$dir/blade.yaml" <<'Y'
biela: 1
name: blade
gravity: [0, 0, 0]
bodies:
  blade:
    flex:
      materials: {al: {young: 70 GPa, poisson: 0, density: 2700}}
      sections: {s: {thickness: 10 mm}}
      rectangles: {p: {at: [0, -0.05, 0], size: [2, 0.1], divisions: [10, 1], kind: shell4, rigid_ends: true}}
      frame: p.start
      boundary: [p.end]
joints: {hub: {type: revolute, bodies: [ground, blade], axis: [0, 0, 1], rate: 40}}
run: {time: 0.01, dt: 1e-3}
Y
ends 4 run "$dir/blade.yaml" --strict
must "stiffening is for beams only" grep -q 'verdict bad: spin of a flexible body.*foreshortening: true.*straight beams only' "$dir/stderr"
finish
