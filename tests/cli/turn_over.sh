#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Cars that are driven too hard: the body meets the ground, an event says so; the road does not end.
. tests/cli/support.bash

# lowest CSV CHANNEL: its smallest value
lowest() {
    python3 - "$1" "$2" <<'PY'
import csv, sys
print(min(float(row[sys.argv[2]]) for row in csv.DictReader(open(sys.argv[1]))))
PY
}
# above CSV CHANNEL LIMIT
above() { awk "BEGIN { exit !($(lowest "$1" "$2") > $3) }"; }

ends 0 run clio --run step-steer --set step=30 --every 0.01 --out "$dir/clio.csv"
must "the car says that it touches" grep -q "event: touches-ground at t = 1.9" "$dir/stderr"
# on its roof the centre of mass is 0.73 m above the ground, on its side 0.79, upright 0.68; the sills of an upright one bend 0.2 m in
must "no car below the road" above "$dir/clio.csv" body.z 0.4
ends 0 run clio --run step-steer --every 0.01 --out "$dir/clio.csv"
must "a car that is driven well touches nothing" test -z "$(grep -v 'event: \(locks\|slips\|shifts\)' "$dir/stderr")"

# pedal down, then the wheel too: along the straight for ever; turned over beyond the end of the old floor at 29.9 m
printf 't,throttle,wheel\n0,0,0\n0.5,1,0\n8,1,0\n8.5,1,0.06\n14,1,0.06\n' >"$dir/wild.csv"
printf 't,throttle\n0,0\n0.5,1\n14,1\n' >"$dir/straight.csv"
ends 0 run prototype-car --run driven --set flexible=0 --dt 2e-3 --time 14 --manoeuvre "$dir/straight.csv" --out "$dir/straight.out.csv"
must "the road goes on" above "$dir/straight.out.csv" chassis.z -0.2
must "nothing touches it" test ! -s "$dir/stderr"
ends 0 run prototype-car --run driven --set flexible=0 --dt 2e-3 --time 14 --manoeuvre "$dir/wild.csv" --out "$dir/wild.out.csv"
must "it says that it touches" grep -q "event: touches-ground" "$dir/stderr"
must "it lies on the ground" above "$dir/wild.out.csv" chassis.z -0.5

# what stands in the way is solid: a wall 40 m ahead at 18 m/s, a guard rail for a car that is steered to the side
ends 0 run clio --run ramp --set steer_rate=0 --set course=1 --set wall=40 --time 3.5 --every 0.01 --out "$dir/wall.csv"
must "the wall is hit by the car, at 18 m/s" grep -q '^hits-barrier,2\.1.*,"car","wall",40,.*,1[78]\.' "$dir/wall.events.csv"
must "it took what the car had, and nothing went through" python3 - "$dir/wall.csv" "$dir/wall.events.csv" <<'PY'
import csv, sys
rows, event = list(csv.DictReader(open(sys.argv[1]))), next(e for e in csv.DictReader(open(sys.argv[2])) if e["name"] == "hits-barrier")
had = 0.5 * 825.7 * 18.06**2  # 825.7 kg; the springs of the contact give a part back
assert 0.4 * had < float(event["energy"]) < 1.05 * had, (event["energy"], had)
# front of the car 1.415 m before its centre; the body may dent by half a metre
assert max(float(row["body.x"]) for row in rows) < 40 - 1.4 + 0.9, max(float(row["body.x"]) for row in rows)
PY
ends 0 run clio --run step-steer --set course=1 --set step=2 --time 8 --every 0.01 --out "$dir/rail.csv"
must "the guard rail is hit" grep -q '^hits-barrier,.*,"car","guard rail",' "$dir/rail.events.csv"

# the other cars as well: into the wall, into the rail, and a prototype car that drives at a wall
printf 't,pedal,wheel\n0,0,0\n0.2,1,0\n20,1,0\n' >"$dir/pedal.csv"
ends 0 run car --run drive --set wall=40 --time 7.5 --manoeuvre "$dir/pedal.csv" --out "$dir/car.csv"
must "the car hits the wall" grep -q '^hits-barrier,.*,"car","wall",40,' "$dir/car.events.csv"
must "and is stopped by it" python3 -c "
import csv, sys
x = [float(row['chassis.x']) for row in csv.DictReader(open(sys.argv[1]))]
assert 37.5 < max(x) < 38.6, max(x)" "$dir/car.csv"
printf 't,pedal,wheel\n0,0,0\n0.1,0.6,0\n3,0.6,0.15\n20,0.6,0.15\n' >"$dir/aside.csv"
ends 0 run car --run drive --time 6.5 --manoeuvre "$dir/aside.csv" --out "$dir/aside.out.csv"
must "the rail is hit on the left" grep -q '^hits-barrier,.*,"car","guard rail",.*,8.85' "$dir/aside.out.events.csv"
ends 0 run prototype-car --run driven --set flexible=0 --set wall=25 --dt 2e-3 --time 9 --manoeuvre "$dir/straight.csv" --out "$dir/proto.csv"
must "the prototype car hits the wall" grep -q '^hits-barrier,.*,"car","wall",' "$dir/proto.events.csv"
must "and does not pass it" python3 -c "
import csv, sys
x = [float(row['chassis.x']) for row in csv.DictReader(open(sys.argv[1]))]
assert 21.5 < max(x) < 22.6, max(x)" "$dir/proto.csv"

finish
