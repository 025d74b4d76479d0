#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The margin of stability: zero when a wheel lifts, whichever line of the triangle it is, and at the slopes of the tilt table.
source tests/cli/support.bash

look() { python3 tests/support/stability.py "$@"; }

# ---- rows of every step: while a wheel is in the air there is no margin, whichever it is; before there is one
lifts() { # MODEL NAME OPTIONS...
    model=$1 name=$2
    shift 2
    "$BIELA" run "$model" --every 0 --out "$dir/$name.csv" "$@" >"$dir/$name.log" 2>&1
    must "$name: no margin with a wheel in the air" look lifts "$dir/$name.csv"
}
for speed in 4.6 5.6; do
    lifts forklift "jturn-$speed-joint" --run j-turn --set speed=$speed --time 2
    lifts forklift "jturn-$speed-natural" --run j-turn --set speed=$speed --time 1.2 --formulation natural
done
lifts forklift raised --run j-turn --set load=3500 --set lift0=3 --set speed=3.2 --time 2
lifts electric-truck electric --run j-turn --set speed=4.4 --set lift0=3 --time 2
lifts forklift braking --run rated --set lift0=2.5 --set speed=5 --set tilt0=-5 --time 2
lifts forklift climbing --run settle --set ahead=-1.3 --set mu=3 --set lift0=1 --time 2

# ---- the tilt table: slope, lift, tilt, load; the truck stands as drawn. Half and three quarters of the slope lead to where it is zero
table() {
    for share in 0.5 0.75; do
        "$BIELA" run forklift --run tilt-table --start equilibrium --time 0.005 --set stands=1 --set mu=2 --set side="$(python3 -c "print($1*$share)")" \
            --set lift0="$2" --set tilt0="$3" --set load="$4" --out "$dir/t$share.csv" >"$dir/t.log" 2>&1
    done
    must "tilt table, slope $1 within 2 %" look slope "$1" "$dir/t0.5.csv" "$dir/t0.75.csv"
}
table 0.4010 0.25 0 0
table 0.1769 3 8 0
table 0.5643 0.25 0 3500
table 0.1693 3 -5 3500

# ---- mistakes
cat >"$dir/bad.yaml" <<'Y'
biela: 1
name: bad
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
forces: {f: {type: force, point: {body: a}, force: [0, 0, 1]}}
outputs: {s: {stability: [f, f, f]}}
Y
"$BIELA" check "$dir/bad.yaml" 2>"$dir/bad.log"
must "three wheels are too few" grep -q "bad.yaml:5:.*has 3 names" "$dir/bad.log"
finish
