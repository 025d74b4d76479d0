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
# engine and driver are guided: the frame, whose place is told, pitches under them by 3 mrad while it brakes, 1 cm
assert abs(last["chassis.x"] - 13.4082) < 0.02, last["chassis.x"]
assert max(r["energy.kinetic"] for r in rigid) > 7000.0
# nothing is lost but what dampers, tyres and guide account for: trapezoidal rule, 2 ms
assert max(abs(r["energy.balance"]) for r in rigid) < 1.0, max(abs(r["energy.balance"]) for r in rigid)
# both front wheels leave the ground after the step, and come down hard
assert min(r["load_fl"] for r in rigid) == 0.0
assert max(r["load_fl"] for r in rigid) > 1800.0
# left and right are alike
assert max(abs(r["load_fl"] - r["load_fr"]) for r in rigid) < 1e-3
PY

# half shafts of 4 and 6 kg, and a gear that is engaged while the car stands: a small peak in the rails
"$BIELA" run models/prototype-car/model.yaml --run shafts --time 0.02 --every 0.01 --out "$dir/shafts.csv" >"$dir/log" 2>&1
must "the car with its shafts stands" test $? -eq 0
"$BIELA" run models/prototype-car/model.yaml --run gear --set from=1.9 --time 0.4 --every 0.01 --out "$dir/gear.csv" >"$dir/log" 2>&1
must "the gear is engaged" test $? -eq 0
must "shafts and gear are felt" python3 - "$dir" <<'PY'
import csv, sys
def read(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(l for l in file if not l.startswith("#"))]
first = read("shafts")[0]
loads = [first["load_" + w] for w in ("fl", "fr", "rl", "rr")]
# all of the weight, 2 kg more on the right: at 0.62 m from the middle, wheels at 0.70 m
assert abs(sum(loads) - 598.24 * 9.81) < 0.1, loads
assert abs((loads[1] + loads[3] - loads[0] - loads[2]) - 2.0 * 9.81 * 0.62 / 0.70) < 0.5, loads
gear = read("gear")
before = [r["low_left1.My"] for r in gear if r["t"] <= 0.1]
after = [r["low_left1.My"] for r in gear if r["t"] > 0.15]
assert max(before) - min(before) < 0.01 and 0.05 < max(after) - before[0] < 0.5, (before, max(after))
PY

# the flexible car over the step: each tube and its mirror image are strained alike, and none more than the step strains it
"$BIELA" run models/prototype-car/model.yaml --set from=4.98 --time 3.4 --every 0.01 --out "$dir/step.csv" --envelope "$dir/stress.csv" >"$dir/log" 2>&1
must "the flexible car goes down the step" test $? -eq 0
must "left and right are strained alike" python3 - "$dir/stress.csv" <<'PY'
import csv, sys
nodes, tubes = {}, {}
with open("models/prototype-car/chassis/nodes.csv") as file:
    for number, x, y, z, *_ in list(csv.reader(file))[1:]:
        nodes[number] = (round(float(x), 4), round(float(y), 4), round(float(z), 4))
with open("models/prototype-car/chassis/elements.csv") as file:
    for number, a, b, *_ in list(csv.reader(file))[1:]:
        tubes[frozenset((nodes[a], nodes[b]))] = number
with open(sys.argv[1]) as file:
    stress = {row["number"]: float(row["mises"]) for row in csv.DictReader(file) if row["place"] == "element"}
pairs = 0
for ends, number in tubes.items():
    mirror = tubes.get(frozenset((x, 0.0 - y, z) for x, y, z in ends))
    if mirror:
        pairs += 1
        # engine and seat have a ball on the left and a sliding ball on the right: 1.3 MPa; guided at one rail it was 250
        assert abs(stress[number] - stress[mirror]) < 3e6, (number, mirror, stress[number], stress[mirror])
assert pairs > 200 and 140e6 < max(stress.values()) < 190e6, (pairs, max(stress.values()))
PY
# a sharp edge: a tyre that touches at a point lets go at once of what it stores, N^2/2k, and gives it to nobody
for slope in 0.4 0.005; do
    ends 0 run prototype-car --run rigid --set from=4.9 --set slope=$slope --time 4.5 --dt 2ms --every 0.01 --out "$dir/slope-$slope.csv"
done
must "the edge costs what the tyres store" python3 - "$dir" <<'PY'
import csv, sys
smooth, sharp = ([{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(f"{sys.argv[1]}/slope-{s}.csv"))] for s in ("0.4", "0.005"))
stored = sum(load**2/(2*60000.0) for load in (877.6, 877.6, 2056.8, 2056.8))
lost = -sharp[-1]["energy.balance"]
# the loads while it rolls, without acceleration, are those at rest within 2 %
assert abs(lost/stored - 1) < 0.04, (lost, stored)
# it flies over edge and slope alike: loads where it lands
for wheel in ("fl", "fr", "rl", "rr"):
    a, b = (max(r["load_" + wheel] for r in rows) for rows in (smooth, sharp))
    assert abs(b/a - 1) < 0.02, (wheel, a, b)
PY
finish
