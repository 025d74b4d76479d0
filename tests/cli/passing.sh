#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Thin rods that cross each other fast: they bounce, or the verdict says that they passed.
. tests/cli/support.bash

rods() { # SPEED, WHERE OF THE FIRST, STIFFNESS, TIME
    cat >"$dir/rods.yaml" <<YAML
biela: 1
name: rods
gravity: [0, 0, 0]
bodies:
  p: {mass: 1, inertia: {sphere: 0.1}, at: $2, velocity: [$1, 0, 0]}
  q: {mass: 1, inertia: {sphere: 0.1}, at: [1, 0, 0]}
shapes:
  p: {body: p, type: capsule, radius: 5 mm, length: 0.2}
  q: {body: q, type: capsule, radius: 5 mm, length: 0.2, turn: {x: 90 deg}}
forces: {f: {type: contact, a: p, b: q, stiffness: $3}}
outputs: {p: {body: p}}
run: {time: $4, dt: 1e-3}
YAML
}

passes() { # WHAT, then scheme and formulation
    ends 4 run "$dir/rods.yaml" --strict --scheme "$2" --formulation "$3" --out "$dir/out.csv"
    must "$1 are seen to pass: $2, $3" grep -q "passed through each other" "$dir/stderr"
}

slower() { # WHAT, SPEED
    must "$1 bounce" python3 - "$dir/out.csv" "$2" <<'PY'
import csv, sys
*_, row = csv.DictReader(open(sys.argv[1]))
assert abs(float(row["p.vx"])) < float(sys.argv[2]), row
PY
}

for scheme in ali3p piles; do
    for formulation in natural joint; do
        # a spring of 1e9 N/m stops them within 13 to 20 mm, and both together are 10 mm thick
        rods 600 "[-1.013, 0.002, 0.001]" 1e9 0.02
        passes "rods that touch in between" "$scheme" "$formulation"
        rods 900 "[-1.3, 0.002, 0.001]" 1e9 0.02
        passes "rods that are faster" "$scheme" "$formulation"
        # their middles pass 0.1 m beside each other, and nothing touches at the end of a step: an impact at both ends takes
        # 2 / (2/m + (0.07^2 + 0.08^2)/I) = 0.41 of the speed
        rods 600 "[-1.013, 0.08, 0.07]" 1e9 0.02
        "$BIELA" run "$dir/rods.yaml" --scheme "$scheme" --formulation "$formulation" --out "$dir/out.csv" >"$dir/stdout" 2>&1
        slower "rods that meet at their ends: $scheme, $formulation" 450
        # 20 m/s is stopped within 0.45 mm: p nearly stands, q goes on
        rods 20 "[-1.013, 0.0, 0.0]" 1e9 0.2
        ends 0 run "$dir/rods.yaml" --strict --dt 1e-5 --scheme "$scheme" --formulation "$formulation" --out "$dir/out.csv"
        slower "slow rods: $scheme, $formulation" 5
    done
done

finish
