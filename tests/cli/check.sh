#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela check`: ok or the mistakes, exit code 0 or 2.
. tests/cli/support.bash

ends 0 check pendulum
must "says ok" grep -q "^ok: Simple pendulum: 1 body, 1 joint, 1 degree of freedom" "$dir/stdout"
ends 0 check models/pendulum/model.yaml
ends 0 check four-bars --set N=5
must "eleven bodies" grep -q "11 bodies" "$dir/stdout"
ends 0 check pendulum --run slow --json
must "ok is JSON" python3 -m json.tool "$dir/stdout"
must "JSON says ok" grep -q '"ok": true' "$dir/stdout"

# a mistake is told with its place
sed 's/mass: m,/mass: mm,/' models/pendulum/model.yaml >"$dir/broken.yaml"
ends 2 check "$dir/broken.yaml"
must "file, line and column" grep -Eq "broken.yaml:[0-9]+:[0-9]+: error: " "$dir/stderr"
must "nothing is ok" test ! -s "$dir/stdout"
ends 2 check "$dir/broken.yaml" --json
must "mistakes are JSON" python3 -m json.tool "$dir/stdout"
must "JSON has the line" grep -Eq '"line": [1-9]' "$dir/stdout"
ends 2 check pendulum --set nothing=1
ends 2 check pendulm
must "the nearest model" grep -q "did you mean 'pendulum'?" "$dir/stderr"
ends 2 check "$dir"

# stiffness and damping that are possible and hardly meant are warnings
cat >"$dir/odd.yaml" <<'YAML'
biela: 1
name: odd
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
forces:
  hold: {type: bushing, a: {body: ground}, b: {body: b}, stiffness: [1e3, -2e3, 1e3, 10, 10, 10], damping: [1, 1, 1, 1, 1, -1]}
  sound: {type: bushing, a: {body: ground}, b: {body: b}, stiffness: [1e3, 2e3, 1e3, 10, 10, 0], damping: [1, 1, 1, 1, 1, 0]}
YAML
ends 0 check "$dir/odd.yaml"
must "a stiffness that pushes away" grep -q "odd.yaml:5:.*warning: forces.hold.stiffness: has the eigenvalue -2000 in the direction 1 y: it pushes away" "$dir/stderr"
must "a damping that gives power" grep -q "warning: forces.hold.damping: has the eigenvalue -1 in the direction 1 turn z: it gives power" "$dir/stderr"
must "nothing about what is sound" test "$(grep -c warning "$dir/stderr")" -eq 2
finish
