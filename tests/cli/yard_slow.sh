#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The yard is solid: wall, lorry and pallet stop the truck, a kerb is climbed and left, cones fall, crates are pushed, forks do not pass
# through a pallet; in both formulations, and in a replay. The yard is moved so that the thing stands ahead.
source tests/cli/support.bash

printf 't,drive\n0,0.3\n20,0.3\n' >"$dir/ahead.csv"
printf 't,drive\n0,1\n20,1\n' >"$dir/fast.csv"
printf 't,drive\n0,0.5\n4.5,0.5\n4.6,0\n' >"$dir/stop.csv"
drive() { # NAME OPTIONS...: ends well, rows in $dir/NAME.csv
    local name=$1
    shift
    must "$name" "$BIELA" run forklift --run yard --start described --out "$dir/$name.csv" "$@"
}
check() { # WHAT NAME EXPRESSION: c(column) its last value, most(column), least(column)
    must "$1" python3 - "$dir/$2.csv" "$3" <<'P'
import csv, sys
rows = list(csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith("#")))
column = lambda name: [float(row[name]) for row in rows]
c, most, least = (lambda n: column(n)[-1]), (lambda n: max(column(n))), (lambda n: min(column(n)))
if not eval(sys.argv[2]):
    names = [w for w in ("truck.x", "truck.z", "tip.x", "hit.solid.normal", "pallet.x", "pallet.z", "margin") if w in rows[0]]
    sys.exit(f"{sys.argv[2]}: " + ", ".join(f"{n} {c(n):.4f} [{least(n):.4f}, {most(n):.4f}]" for n in names))
P
}

# the inner face of the hall's back wall, 77.74 - 72.5 m; the tips of the forks may dent it by 5 cm
for formulation in joint natural; do
    drive wall-$formulation --formulation $formulation --set loads=0 --set yard_x=-72.5 --time 2.5 --manoeuvre "$dir/fast.csv"
    check "the wall stops the truck ($formulation)" wall-$formulation "most('tip.x') < 5.24 + 0.05 and most('tip.x') > 5.2 and most('hit.solid.normal') > 1e4"
done
must "the crash is an event of the forks and the wall, of 2.1 m/s" grep -q '^crashes,.*,"forks","wall of the hall",5.24,.*,2.1' "$dir/wall-joint.events.csv"
must "with a force, and the energy that the truck had" python3 -c "
import csv, sys
row = next(csv.DictReader(open(sys.argv[1])))
# 4.8 t at 2.1 m/s
assert 2e5 < float(row['force']) < 1e6 and 8e3 < float(row['energy']) < 11e3, row" "$dir/wall-joint.events.csv"
# the tail of the lorry stands at 5.55 m; the mast is 2.29 m before the rear axle, and its face meets it
drive lorry --set loads=0 --set yard_x=-6 --set yard_y=-15 --time 5 --manoeuvre "$dir/ahead.csv"
check "the lorry stops the truck" lorry "most('truck.x') < 3.4 and most('hit.solid.normal') > 1e3"
# an island of 12 cm, 6 m long: up and down again
drive kerb --set loads=0 --set yard_x=16 --set yard_y=-8 --set lift0=0.4 --time 7 --manoeuvre "$dir/stop.csv"
check "the kerb lifts the truck by 12 cm, then it is down again" kerb "0.1 < most('truck.z') < 0.25 and abs(c('truck.z') + 0.012) < 0.01 and c('truck.x') > 9.5"
# a lane of 10 cm with a hole for the left wheels, then one for the right ones: each falls in, its tyre stands on the ground, and climbs out
printf 't,drive\n0,0.25\n20,0.25\n' >"$dir/slow.csv"
drive hole --set loads=0 --set yard_x=-13 --set yard_y=10 --set lift0=0.5 --time 10.5 --manoeuvre "$dir/slow.csv"
check "wheels fall into the holes of the lane, on their sides" hole "least('attitude.roll') < -0.08 and most('attitude.roll') > 0.08 and most('truck.z') > 0.08 and c('truck.x') > 10"
check "the left one first, and its tyre feels the ground" hole "column('attitude.roll').index(least('attitude.roll')) < column('attitude.roll').index(most('attitude.roll')) and max(x for x, t in zip(column('wheel.fl'), column('t')) if t > 5) > 5e3"
# wheel loads of the display count what carries the wheels besides the tyres: from 4.9 to 5.6 s all stand on the lane, 47.2 kN in the mean
check "wheels on the lane have their loads" hole "(lambda on: max(max(column('wheel.fl')[k], column('wheel.rr')[k]) for k in on) == 0 and abs(sum(column('stability.' + w)[k] for w in ('fl', 'fr', 'rl', 'rr') for k in on)/len(on)/47.2e3 - 1) < 0.05)([k for k, t in enumerate(column('t')) if 4.9 < t < 5.6])"
# forks 0.6 m up above the pallet come down on it, do not reach the ground, and the truck feels it
printf 't,drive,lift\n0,0.3,0\n3.3,0.3,0\n3.4,0,0\n5,0,-1\n9,0,-1\n' >"$dir/lower.csv"
drive onto --set yard_x=200 --set lift0=0.6 --time 8 --manoeuvre "$dir/lower.csv"
check "forks rest on the pallet" onto "c('tip.x') > 5.6 and c('tip.z') > 0.1"
# the truck pushes the pallet with forks too high to enter
drive push --set yard_x=200 --set lift0=0.10 --time 6 --manoeuvre "$dir/ahead.csv"
check "the pallet is pushed, not passed" push "c('pallet.x') > 6.2 and c('pallet.x') - c('truck.x') > 2.3"

# ---- cones fall and crates move: seen through a model that includes the truck
models=$PWD/models
cat >"$dir/loose.yaml" <<Y
biela: 1
name: loose
parameters: {x: {value: -29, unit: m}, y: {value: 7, unit: m}}
gravity: [0, 0, -9.81]
include: {file: $models/forklift/model.yaml, set: {loads: 0, yard: 1, yard_x: x, yard_y: y}}
outputs: {cone: {body: yard_cone0}, crate: {body: yard_crate0}}
run: {time: 5, dt: 5e-3, every: 0.02, formulation: joint, sleep: 0.5}
Y
must "cone" "$BIELA" run "$dir/loose.yaml" --manoeuvre "$dir/ahead.csv" --out "$dir/cone.csv"
check "the cone is pushed away or falls" cone "abs(c('cone.x') - 5) > 0.3 or abs(c('cone.qw')) < 0.95"
must "crate" "$BIELA" run "$dir/loose.yaml" --set x=9.5 --set y=16 --time 4 --manoeuvre "$dir/ahead.csv" --out "$dir/crate.csv"
check "the crate is pushed" crate "c('crate.x') > 5.2"

# the cones of the slalom are cones: the truck that goes straight ahead knocks the first one over, and is told so
must "slalom" "$BIELA" run forklift --run yard --start described --set loads=0 --set slalom=1 --time 3.5 --manoeuvre "$dir/fast.csv" --out "$dir/slalom.csv"
must "the first cone of the slalom is hit at 8 m" grep -q '^hits-cone,.*,"cone",[78]\.' "$dir/slalom.events.csv"

# ---- a drive in the yard is recorded with its run and is the same again, to the bit
must "drive" "$BIELA" drive forklift --headless --unpaced --time 0.5 --record "$dir/drive.biela" --quiet
must "replay" "$BIELA" replay "$dir/drive.biela"

# ---- scenery that is missing, a finish that is none, a run that is none
cat >"$dir/missing.yaml" <<'Y'
biela: 1
name: missing
include: {file: nowhere.yaml, prefix: yard_}
live_run: gone
shapes: {wall: {type: box, size: [1, 1, 1], finish: velvet}}
Y
ends 2 check "$dir/missing.yaml"
must "a missing file is named" grep -q "missing.yaml:3:.*nowhere.yaml cannot be read" "$dir/stderr"
must "a finish is named" grep -q "missing.yaml:5:.*'velvet' is not known; there are: plain, concrete" "$dir/stderr"
must "a run is named" grep -q "missing.yaml:4:.*there is no run 'gone'" "$dir/stderr"
finish
