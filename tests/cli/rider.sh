#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Riders of the bicycle: starts that lean and steer, hands that hold an angle, pulses, other friction across, a speed that is kept, a path.
. tests/cli/support.bash

cat >"$dir/look.py" <<'PY'
import csv, math, sys

def read(name):
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(name))]

def near(what, value, wanted, tolerance):
    print(f"measured bicycle, {what} error={abs(value - wanted):.3e} limit={tolerance:.3e}")
    assert abs(value - wanted) <= tolerance, (what, value, wanted)
PY

# ---- starts: what was asked for, each wheel as deep in the ground as upright, and rolling without any slip -------------------------
cat >"$dir/start.py" <<'PY'
from look import *
path, lean, steer, v, section, suspension = sys.argv[1], *map(float, sys.argv[2:7])
r = read(path)[0]
near("lean of a start", r["phi"], lean, 1e-12)
near("steer of a start", r["gamma"], steer, 1e-12)
near("weight of a start", r["Fn_r"] + r["Fn_f"], (94 + 2.5*suspension)*9.81, 1e-6)
for wheel in "rf":
    # slips by the engine, which knows nothing of how the start was found
    near(f"slip of a start, {wheel}", r[f"sigma_{wheel}"], 0, 1e-12)
    near(f"slip angle of a start, {wheel}", r[f"chi_{wheel}"], 0, 1e-12)
# steering without camber of a bicycle on knife edges: tan(heading) = tan(steer) cos(tilt)/cos(lean) to 2 % below 0.2 rad (Meijaard 2007)
if steer != 0 and abs(steer) <= 0.2 and section == 0:
    heading = math.tan(steer)*math.cos(math.pi/10)/math.cos(lean)
    near("yaw rate of a start over its circle", r["d_psi"]/(v*heading/1.02), 1, 0.02)
PY
export PYTHONPATH=$dir
start() { # LEAN STEER SPEED SECTION SUSPENSION WORDS...
    ends 0 run bicycle --set lean0="$1" --set steer0="$2" --set v="$3" --set section="$4" --set suspension="$5" --time 0.002 --every 0.001 "${@:6}" --out "$dir/start.csv"
    must "starts with lean $1, steer $2, speed $3 (section $4, suspension $5, ${*:6})" python3 "$dir/start.py" "$dir/start.csv" "$1" "$2" "$3" "$4" "$5"
}
start 0.3 0 4.5 0.02 0
start -0.5 -0.3 6 0 0
start 0.25 0.2 5 0 0
start -1.0 0.6 3 0.02 0
start 0.2 -0.4 7 0.02 1
start 0.3 0.3 5 0.02 0 --formulation natural
# both formulations go the same way from there
for how in joint natural; do
    ends 0 run bicycle --set lean0=-0.2 --set steer0=0.15 --set v=5 --time 0.5 --formulation $how --out "$dir/$how.csv"
done
must "both formulations agree on a leaning start" python3 - "$dir/joint.csv" "$dir/natural.csv" <<'PY'
from look import *
a, b = read(sys.argv[1])[-1], read(sys.argv[2])[-1]
for k in ("Rx", "Ry", "Rz", "phi", "gamma", "d_psi"):
    near(f"formulations from a leaning start, {k}", a[k], b[k], 2e-5)
PY
ends 2 check bicycle --set lean0=2
must "a lean beyond its limits is told" grep -q "lean0" "$dir/stderr"
ends 0 run bicycle --run leaning --out "$dir/leaning.csv"
must "the assistant puts a leaning start right" python3 - "$dir/leaning.csv" <<'PY'
from look import *
rows = read(sys.argv[1])
near("lean at the start", rows[0]["phi"], -0.25, 1e-12)
near("lean after six seconds", rows[-1]["phi"], 0, 1e-3)
PY

# ---- hands at an angle: it is reached; the torque told does the same to a free handlebar -------------------------------------------
ends 0 run bicycle --set held=1 --set A_steer=0.0175 --set steer_from=0.1 --set steer_to=0.3 --set v=5 --every 0.001 --time 0.6 --out "$dir/held.csv"
python3 - "$dir/held.csv" "$dir/torque.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
with open(sys.argv[2], "w") as f:
    f.write("t,steer\n")
    f.writelines(f"{r['t']},{r['T_hands']}\n" for r in rows)
PY
ends 0 run bicycle --set v=5 --manoeuvre "$dir/torque.csv" --every 0.001 --time 0.6 --out "$dir/free.csv"
must "an angle and its torque are the same ride" python3 - "$dir/held.csv" "$dir/free.csv" <<'PY'
from look import *
held, free = read(sys.argv[1]), read(sys.argv[2])
# the filter of 0.02 s has e^-15 (1 + 15) of the way left after 0.3 s
near("angle of the hands", held[-1]["gamma"], 0.0175, 1e-6)
near("countersteering: leans to the other side", max(0, -held[-1]["phi"]), 0, 0)
# inputs are held over a step: half of it late, 3 % of a ramp of 17 ms
near("steer of the torque told", free[-1]["gamma"], held[-1]["gamma"], 0.03*0.0175)
near("lean of the torque told", free[-1]["phi"], held[-1]["phi"], 0.03*abs(held[-1]["phi"]))
PY
ends 0 run bicycle --run hands --out "$dir/hands.csv"
ends 0 modes bicycle --set held=1 --set v=5 --json
must "held, it falls as an inverted pendulum" python3 - "$dir/stdout" <<'PY'
import json, sys
from look import *
# an inverted pendulum of m h = 80.95, I = 80.82 (Meijaard 2007) on a base that slips aside, whose side force is 8 loads per
# slip angle, so c = 8 m g/v against its speed; the round tread, 0.02 m, takes as much of the height:
# I x^2 - (m h)^2 x^3/(m x + c) = g (m h - m s)
m, mh, I, s, c = 94, 80.95, 80.82, 0.02, 8*94*9.81/5
low, high = 1.0, 8.0
for _ in range(60):
    x = (low + high)/2
    low, high = (x, high) if I*x*x - mh**2*x**3/(m*x + c) < 9.81*(mh - m*s) else (low, x)
worst = max(e[0] for e in json.load(open(sys.argv[1]))["points"][0]["eigenvalues"])
near("held: rate of the fall over that of a pendulum", worst/x, 1, 0.01)
PY

# ---- torque pulses -------------------------------------------------------------------------------------------------------------
ends 0 run bicycle --set T_steer=0.5 --set steer_from=0.1 --set steer_to=0.2 --set steer_off=0.3 --time 0.5 --every 0.05 --out "$dir/pulse.csv"
must "a torque comes and goes" python3 - "$dir/pulse.csv" <<'PY'
from look import *
told = [r["T_handlebar"] for r in read(sys.argv[1])]
for k, wanted in enumerate([0, 0, 0, 0.25, 0.5, 0.5, 0.5, 0.25, 0, 0, 0]):
    near("torque of a pulse", told[k], wanted, 1e-12)
PY
ends 0 run bicycle --set v=3 --set T_pedal=30 --set pedal_from=0.1 --set pedal_to=0.2 --set pedal_off=0.5 --time 1 --every 0.05 --out "$dir/push.csv"
must "a push of the pedals" python3 - "$dir/push.csv" <<'PY'
from look import *
rows = read(sys.argv[1])
# impulse 30 N m/0.3 m over 0.4 s on 94 kg and the wheels' inertia; slip of the driven wheel takes 1 %
mass = 94 + 0.12/0.09 + 0.28/0.35**2
near("speed after a push", rows[-1]["d_Rx"] - 3, 30/0.3*0.4/mass, 0.01*30/0.3*0.4/mass)
PY

# ---- another friction across: side forces stay below it, forces along do not ---------------------------------------------------------
ends 0 run bicycle --set steer0=0.2 --set v=5 --set mu_y=0.05 --set T_pedal=-60 --set pedal_from=0 --set pedal_to=0.05 --time 0.3 --out "$dir/ice.csv"
must "friction across is its own" python3 - "$dir/ice.csv" <<'PY'
from look import *
rows = read(sys.argv[1])
across = max(abs(r[f"Fy_{w}"])/r[f"Fn_{w}"] for r in rows for w in "rf")
along = max(abs(r["Fx_r"])/r["Fn_r"] for r in rows)
near("friction used across", across, 0.05, 1e-4)
assert across <= 0.05 + 1e-12 and 0.2 < along < 0.8, (across, along)
PY

# ---- a speed that is kept, against the air; a path -----------------------------------------------------------------------------------
ends 0 run bicycle --run lane-change --time 40 --out "$dir/lane.csv"
must "speed and path are kept" python3 - "$dir/lane.csv" <<'PY'
from look import *
rows = read(sys.argv[1])
near("speed that is kept", rows[-1]["speed"], 5, 0.02)
near("drag that the pedals overcome", rows[-1]["Fx_r"] + rows[-1]["Fx_f"], 0.3*25, 0.05*0.3*25)
near("place across after the change of lane", rows[-1]["Ry"], 3, 0.01)
assert max(r["Ry"] for r in rows) < 3.15 and max(abs(r["phi"]) for r in rows) < 0.1
PY
ends 0 run bicycle --run lane-change --set late=0.5 --set preview=1.2 --time 12 --out "$dir/late.csv"
must "a rider who looks too near and acts late does not hold it" python3 - "$dir/late.csv" <<'PY'
from look import *
rows = read(sys.argv[1])
assert max(abs(r["phi"]) for r in rows) > 0.2, max(abs(r["phi"]) for r in rows)
PY

# ---- moments of the air: per speed squared of the flow that it tells -----------------------------------------------------------------
ends 0 run bicycle --run side-wind --set c_yaw=-0.1 --set c_roll=0.2 --set c_pitch=0.3 --set c_lift=0.05 --time 4 --out "$dir/wind.csv"
must "moments of the air" python3 - "$dir/wind.csv" <<'PY'
from look import *
r = read(sys.argv[1])[-1]
w2, angle = r["wind.speed"]**2, r["wind.angle"]
near("lift of the air", r["wind.lift"], 0.05*w2, 1e-9)
near("yaw moment of the air", abs(r["wind.yaw"]), 0.1*w2*abs(math.sin(angle)), 1e-9)
near("roll moment of the air", abs(r["wind.roll"]), 0.2*w2*abs(math.sin(angle)), 1e-9)
near("pitch moment of the air", r["wind.pitch"], 0.3*w2*math.cos(angle), 1e-9)
PY
finish
