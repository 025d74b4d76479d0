#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A car on a random road of class C: both formulations go the same way, energy is accounted for, and forces have no jump: half the step, half the
# largest change in a step.
. tests/cli/support.bash

for how in joint natural; do
    ends 0 run car --run class-c --formulation $how --time 2 --dt 5e-4 --every 5e-4 --out "$dir/$how.csv"
done
ends 0 run car --run class-c --time 2 --dt 2.5e-4 --every 2.5e-4 --out "$dir/half.csv"
must "class C in both formulations, continuous" python3 - "$dir/joint.csv" "$dir/natural.csv" "$dir/half.csv" <<'PY'
import csv, math, sys
joint, natural, half = ([{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(f))] for f in sys.argv[1:])
tyres = [f"tyre{i}{j}" for i in range(2) for j in range(2)]
def measured(name, value, limit):
    print(f"measured car on class C, {name} error={value:.3e} limit={limit:.3e}")
    assert value <= limit, (name, value)
# it is a road: loads vary by hundreds of newtons, heights by centimetres
spread = math.sqrt(sum((r["tyre10.fz"] - 3139.2)**2 for r in joint)/len(joint))
assert 100 < spread < 1500, spread
# the same rule of the step in both: what is left are tolerances of the constraints
measured("heights of the body in both formulations, m", max(abs(a["chassis.z"] - b["chassis.z"]) for a, b in zip(joint, natural)), 1e-7)
measured("loads in both formulations, N", max(abs(a[f"{t}.fz"] - b[f"{t}.fz"]) for a, b in zip(joint, natural) for t in tyres), 0.05)
# of 256 kJ: what is lost is in the dampers and tyres, and counted
measured("energy not accounted for, of that of the motion", abs(joint[-1]["energy.balance"] - joint[0]["energy.balance"])/joint[0]["energy.kinetic"], 1e-5)
def leap(rows, what):
    return max(abs(b[f"{t}.{what}"] - a[f"{t}.{what}"]) for a, b in zip(rows, rows[1:]) for t in tyres)
for what in ("fz", "fx", "fy"):
    print(what, leap(joint, what), leap(half, what))
    measured(f"largest change of {what} in half a step over that in a step", leap(half, what)/leap(joint, what), 0.6)
PY
cat "$dir/log"
finish
