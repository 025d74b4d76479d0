#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The bicycle as it is ridden: stands, starts, brakes; with the assistant it stays up, without it falls; suspension, track, crash.
. tests/cli/support.bash

# stands for two seconds, starts, rides a curve each way, brakes, stands again; a push sideways at the start
cat > "$dir/ride.csv" <<'CSV'
t,pedal,steer,assist,lean
0,0,0,1,0
2,0,0,1,0
2.5,25,0,1,0
12,25,3,1,0
12.5,0,-3,1,0
16,-40,0,1,0
24,-40,0,1,0
CSV
ends 0 run bicycle --run ride --set v=0 --set dphi0=0.05 --manoeuvre "$dir/ride.csv" --time 24 --out "$dir/ride-out.csv"
must "stands, starts from rest, brakes to a stop, all numbers finite" python3 - "$dir/ride-out.csv" <<'PY'
import csv, math, sys
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
assert len(rows) == 2401
assert all(math.isfinite(v) for row in rows for v in row.values())
at = lambda t: rows[round(100*t)]
assert abs(at(2)["Rx"]) < 0.01 and abs(at(2)["speed"]) < 0.01
assert at(12)["speed"] > 6 and at(12)["psi"] > 0.3, "turns to the left"
assert at(14)["phi"] > 0.005, "and leans to the right when asked to"
assert max(abs(row["phi"]) for row in rows) < 0.15
# a tyre that deflects holds it where it stopped
assert abs(at(24)["speed"]) < 1e-3 and math.hypot(at(24)["Rx"] - at(22)["Rx"], at(24)["Ry"] - at(22)["Ry"]) < 1e-4
assert abs(at(24)["Fn_r"] + at(24)["Fn_f"] - 94*9.81) < 0.01, "the ground carries the weight"
PY

# slow: from 1.5 m/s on the assistant alone holds it up; without it the bicycle falls and lies on the ground
ends 0 run bicycle --run ride --set v=1.6 --set cv=0 --set dphi0=0.05 --time 10 --out "$dir/slow.csv" --json
must "stays up at 1.6 m/s" python3 - "$dir/slow.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert max(abs(float(row["phi"])) for row in rows) < 0.2 and abs(float(rows[-1]["phi"])) < 0.01, rows[-1]["phi"]
PY
ends 0 run bicycle --run ride --set v=1.6 --set assist0=0 --set dphi0=0.05 --time 4 --out "$dir/falls.csv"
must "the fall is told" grep -q "falls" "$dir/stderr"
must "and the crash" grep -q "crash_" "$dir/stderr"
must "it lies on its side" python3 - "$dir/falls.csv" <<'PY'
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert all(math.isfinite(float(v)) for row in rows for v in row.values())
assert 0.8 < abs(float(rows[-1]["phi"])) < 1.8 and float(rows[-1]["Rz"]) > 0.1, rows[-1]
PY

# sprung: starts in balance, and nothing moves but the wheels
ends 0 run bicycle --set suspension=1 --time 0.5 --out "$dir/sprung.csv"
must "the suspension carries the weight from the start" python3 - "$dir/sprung.csv" <<'PY'
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    assert max(abs(float(row[k])) for k in ("swing_angle", "telescope_travel", "phi")) < 1e-11, row
    assert abs(float(row["Fn_r"]) + float(row["Fn_f"]) - 96.5*9.81) < 1e-6
PY
# as stiff as a rigid one, the sprung bicycle has its modes: the parts have next to no mass
ends 0 modes bicycle --set suspension=1 --set k_rear=1e9 --set k_front=1e9 --set mA=1e-3 --set mL=1e-3 --set IAxx=1e-6 --set IAyy=1e-5 --set ILxx=1e-6 --set ILzz=1e-6 --set v=4.5 --json
cp "$dir/stdout" "$dir/stiff.json"
ends 0 modes bicycle --set v=4.5 --json
must "stiff springs and light parts: the modes of the rigid bicycle" python3 - "$dir/stiff.json" "$dir/stdout" <<'PY'
import json, sys
a, b = (sorted(json.load(open(f))["points"][0]["eigenvalues"]) for f in sys.argv[1:])
assert len(a) == len(b) == 8
assert all(abs(x[0] - y[0]) + abs(x[1] - y[1]) < 1e-3*max(1, abs(y[0])) for x, y in zip(a, b)), (a, b)
PY

# the track: over the hill with the assistant, on the ground all the way
cat > "$dir/track.csv" <<'CSV'
t,pedal,steer,assist,lean
0,8,0,1,0
1,8,4.1,1,0
14,8,4.1,1,0
CSV
ends 0 run bicycle --run track --manoeuvre "$dir/track.csv" --time 14 --out "$dir/track-out.csv"
must "rides up and down" python3 - "$dir/track-out.csv" <<'PY'
import csv, math, sys
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
assert all(math.isfinite(v) for row in rows for v in row.values())
assert max(abs(row["phi"]) for row in rows) < 0.6
height = [row["Rz"] for row in rows]
assert max(height) > 1.3 and min(height) > 0.6, (min(height), max(height))
PY
# steady turns over speed and radius: each lean is the balance
ends 0 sweep bicycle --run ride --set cv=0 --manoeuvre models/bicycle/manoeuvres/turn.csv --time 20 --grid v=4:8:2 --grid a_lean=0.01,0.02 --record final:phi,final:d_psi,final:speed,final:Fn_r,final:Fn_f --jobs 1 --out "$dir/turns.csv"
must "leans of steady turns over speed and radius" python3 - "$dir/turns.csv" <<'PY'
import csv, math, sys
rows = [{k: float(v) for k, v in row.items() if k not in ("hash", "status")} for row in csv.DictReader(open(sys.argv[1]))]
m, g, h = 94.0, 9.81, (2*0.3 + 85*0.9 + 4*0.7 + 3*0.35)/94
assert len(rows) == 6
for r in rows:
    turn = r["final:speed"]*r["final:d_psi"]
    lean = math.atan((turn + (0.12/0.3 + 0.28/0.35)*turn/(m*h))/g)
    assert abs(-r["final:phi"] - lean) < 0.015*lean, (r, lean)
    assert abs(r["final:Fn_r"] + r["final:Fn_f"] - m*g) < 1e-3*m*g
radii = [r["final:speed"]/r["final:d_psi"] for r in rows]
assert min(radii) < 13 and max(radii) > 80, radii
PY
# a steady turn: the lean that weight, centrifugal force and the wheels' gyroscopic moment balance at, the loads of the tyres
for speed in 3.5 7; do
    ends 0 run bicycle --run ride --set v=$speed --set cv=0 --manoeuvre models/bicycle/manoeuvres/turn.csv --time 20 --out "$dir/turn.csv"
    must "lean and loads of a steady turn from $speed m/s" python3 - "$dir/turn.csv" <<'PY'
import csv, math, sys
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
r = rows[-1]
m, g, h = 94.0, 9.81, (2*0.3 + 85*0.9 + 4*0.7 + 3*0.35)/94
v = math.hypot(r["d_Rx"], r["d_Ry"])
turn = v*r["d_psi"]
assert turn > 1 and r["phi"] < 0, "to the left, and leaning to the left"
lean = math.atan((turn + (0.12/0.3 + 0.28/0.35)*turn/(m*h))/g)
assert abs(-r["phi"] - lean) < 0.015*lean, (r["phi"], lean, math.atan(turn/g))
assert abs(r["Fn_r"] + r["Fn_f"] - m*g) < 1e-3*m*g
assert abs(r["Fy_r"] + r["Fy_f"] - m*turn) < 0.01*m*turn, (r["Fy_r"] + r["Fy_f"], m*turn)
PY
done
finish
