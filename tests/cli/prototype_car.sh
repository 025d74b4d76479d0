#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The prototype car: static wheel loads of its masses, rigid and flexible; down the step the energy balance closes.
. tests/cli/support.bash

"$BIELA" run models/prototype-car/model.yaml --time 0.02 --every 0.01 --out "$dir/flexible.csv" >"$dir/log" 2>&1
must "the flexible car stands" test $? -eq 0
"$BIELA" run models/prototype-car/model.yaml --run rigid --time 9 --dt 2ms --every 0.02 --out "$dir/rigid.csv" >"$dir/log" 2>&1
must "the rigid car runs" test $? -eq 0
must "loads, accelerations and energy are right" python3 - "$dir" <<'PY'
import csv, sys
def read(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(l for l in file if not l.startswith("#"))]
    return rows
# statics by hand: all masses at their places, axles at x = 0.45 and 2.70 m; springs and rack lean the car a little: 0.1 % of a front load
for name in ("flexible", "rigid"):
    first = read(name)[0]
    for wheel, load in (("fl", 877.6), ("fr", 877.6), ("rl", 2056.8), ("rr", 2056.8)):
        assert abs(first["load_" + wheel] - load) < 0.88, (name, wheel, first["load_" + wheel])
    assert abs(sum(first["load_" + w] for w in ("fl", "fr", "rl", "rr")) - 598.24 * 9.81) < 0.1
rigid = read("rigid")
last = rigid[-1]
# guided: 6.25 m while accelerating, 3.5 m at 5 m/s, then half of a braking pulse: the table says where it is at 9 s
assert abs(last["t"] - 9.0) < 1e-9
assert abs(last["chassis.x"] - 13.4082) < 0.01, last["chassis.x"]
assert max(r["energy.kinetic"] for r in rigid) > 7000.0
# nothing is lost but what dampers, tyres and guide account for: trapezoidal rule, 2 ms
assert max(abs(r["energy.balance"]) for r in rigid) < 1.0, max(abs(r["energy.balance"]) for r in rigid)
# both front wheels leave the ground after the step, and come down hard
assert min(r["load_fl"] for r in rigid) == 0.0
assert max(r["load_fl"] for r in rigid) > 1800.0
# left and right are alike
assert max(abs(r["load_fl"] - r["load_fr"]) for r in rigid) < 1e-3
PY
finish
