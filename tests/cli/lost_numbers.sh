#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Laws, constraints and tables whose numbers are lost during a run are named, with every scheme and formulation.
. tests/cli/support.bash

# lost NAME LINE OUTPUT: a model with this line loses a number near 0.1 s, and the message names it.
lost() {
    cat >"$dir/lost.yaml" <<YAML
biela: 1
name: lost
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}
joints: {way: {type: prismatic, bodies: [ground, b], axis: [1, 0, 0]}}
points: {P: {body: b, at: [0, 0, 0]}}
$2
outputs: {P: ${3-"{point: P}"}}
run: {time: 0.2, dt: 1e-3}
YAML
    for how in "natural ali3p" "natural rk4" "joint ali3p" "joint rk4"; do
        ends 3 run "$dir/lost.yaml" --formulation ${how% *} --scheme ${how#* } --out "$dir/lost.csv"
        must "$how: $1" grep -Eq "error: .*not finite.*$1" "$dir/stderr"
        must "$how: nothing else is blamed" sh -c "! grep -q 'no inertia' '$dir/stderr'"
    done
}

lost "force root" "forces: {root: {type: force, point: P, fx: sqrt(0.1 - way.position)}}"
lost "force held" "forces: {held: {type: torque-on-body, body: b, mz: log(0.1 - way.position)}}"
lost "worst at curve" "constraints: {curve: {type: expression, zero: P.x - sqrt(0.1 - t)}}"
lost "full from 0 to 0.1" "tables: {full: {points: [[0, 1], [0.1, 2]], outside: error}}" "{expr: full(way.position)}"

# friction, stiffness and damping that are lost were taken for zero, and the run for good
for lost in "friction: sqrt(0.05 - t)" "friction: 0.5, damping: sqrt(0.05 - t)"; do
    cat >"$dir/slides.yaml" <<YAML
biela: 1
name: slides
bodies: {b: {mass: 10, inertia: {box: [0.4, 0.4, 0.2]}, at: [0, 0, 0.1], velocity: [1, 0, 0]}}
shapes:
  floor: {type: plane}
  b: {type: box, body: b, size: [0.4, 0.4, 0.2]}
forces: {c: {type: contact, a: b, b: floor, stiffness: 1e5, $lost}}
outputs: {b: {body: b}}
run: {time: 0.2, dt: 1e-3}
YAML
    for scheme in ali3p piles rk4; do
        ends 3 run "$dir/slides.yaml" --scheme $scheme --out "$dir/lost.csv"
        must "$scheme, $lost: it is named" grep -q "not finite.*contact c\|contact c.*not finite" "$dir/stderr"
    done
done

finish
