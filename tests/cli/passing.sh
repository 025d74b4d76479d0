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
        # 20 m/s is stopped within 0.45 mm: p nearly stands, q goes on; steps of 1e-6 s resolve the hit in both schemes
        rods 20 "[-1.013, 0.0, 0.0]" 1e9 0.12
        ends 0 run "$dir/rods.yaml" --strict --dt 1e-6 --scheme "$scheme" --formulation "$formulation" --out "$dir/out.csv"
        slower "slow rods: $scheme, $formulation" 5
    done
done

# a box against a wall of 2 cm, of which 1e6 N/m give way: it comes back, or it went through and the verdict says so, in
# whatever place its step ended and with whatever length of step
cat >"$dir/bullet.yaml" <<'YAML'
biela: 1
name: bullet
gravity: [0, 0, 0]
parameters: {v: 300 m/s, x0: -1 m}
bodies: {p: {mass: 0.01, inertia: {sphere: 0.01}, at: [x0, 0, 0], velocity: [v, 0, 0]}}
shapes:
  wall: {type: box, size: [0.02, 2, 2]}
  ball: {type: sphere, body: p, radius: 0.01}
  cube: {type: box, body: p, size: [0.02, 0.02, 0.02]}
forces: {touch: {type: contact, a: cube, b: wall, stiffness: 1e6, damping: 1, friction: 0.3}}
outputs: {p: {body: p}}
run: {time: 0.02, dt: 1e-3}
YAML
sed 's/a: cube/a: ball/' "$dir/bullet.yaml" >"$dir/round.yaml"
caught() { # FILE ARGUMENTS...
    "$BIELA" run "$@" --out "$dir/out.csv" >"$dir/stdout" 2>&1
    local code=$?
    must "$*: it comes back, or it is told (exit code $code)" python3 - "$dir/out.csv" $code <<'PY'
import csv, sys
*_, row = csv.DictReader(open(sys.argv[1]))
assert float(row["p.vx"]) < 0.0 or sys.argv[2] == "4", row
PY
}
for scheme in ali3p piles; do
    for steps in auto 1e-3; do
        caught "$dir/bullet.yaml" --scheme $scheme --dt $steps --set v=295
        caught "$dir/bullet.yaml" --scheme $scheme --dt $steps --set x0=-1.2175
        caught "$dir/round.yaml" --scheme $scheme --dt $steps --formulation joint
        caught "$dir/round.yaml" --scheme $scheme --dt $steps --set v=985 --time 0.3
    done
done
# a ball that falls on a shelf stays there
cat >"$dir/shelf.yaml" <<'YAML'
biela: 1
name: shelf
bodies: {p: {mass: 1, inertia: {sphere: 0.1}, at: [0, 0, 0.625]}}
shapes: {shelf: {type: box, size: [2, 2, 0.05]}, ball: {type: sphere, body: p, radius: 0.1}}
forces: {touch: {type: contact, a: ball, b: shelf, stiffness: 1e5, damping: 200, friction: 0.3}}
outputs: {p: {body: p}}
run: {time: 3, dt: auto}
YAML
for scheme in ali3p piles; do
    "$BIELA" run "$dir/shelf.yaml" --scheme $scheme --out "$dir/out.csv" >"$dir/stdout" 2>&1
    must "it lies on the shelf, $scheme" python3 - "$dir/out.csv" <<'PY'
import csv, sys
*_, row = csv.DictReader(open(sys.argv[1]))
assert 0.1 < float(row["p.z"]) < 0.7, row
PY
done

finish
