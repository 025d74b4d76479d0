#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The waveboard besides the cases of its document: gaits as parameters, masses of each end, rates at the start, friction, the fall, and riding it.
. tests/cli/support.bash

read_csv='
import csv, math, sys
def rows(path):
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(path))]
'

# ---- parameters --------------------------------------------------------------------------------------------------------------

# upright, the wheels carry the weight of all parts, by the lever rule: the front end heavier
ends 0 run waveboard --run direct1 --set m5=2 --set m6=0.4 --set m7=0.3 --time 0.1 --out "$dir/heavy.csv"
# rates at the start are those asked for
ends 0 run waveboard --run direct1 --set dalpha_0=0.1 --set dgamma_0=-0.05 --set dth52_0=0.2 --set dy_0=0.02 --time 0.01 --out "$dir/rates.csv"
# dry friction on straight wheels: a constant deceleration, 2 T/R over the mass and the inertia of the wheels
ends 0 run waveboard --run direct1 --set v=1 --set axle_friction=0.01 --time 1 --out "$dir/dry.csv"
must "masses, rates and friction" python3 - "$dir/heavy.csv" "$dir/rates.csv" "$dir/dry.csv" <<PY
$read_csv
heavy, rates, dry = map(rows, sys.argv[1:])
g, w = 9.81, math.radians(60)
px, s, u, e = -0.04*math.cos(w) - 0.05*math.sin(w), 0.07, 0.37, 0.10
parts = [(1.143, 0), (0.252, -s), (0.105, -s + px), (2, u), (0.4, u + e), (0.3, u + e + px)]
rear, front = -s + px, u + e + px
weight = sum(m for m, _ in parts)*g
on_front = sum(m*(x - rear) for m, x in parts)*g/(front - rear)
assert abs(heavy[-1]["lam2"] + on_front) < 1e-4*weight and abs(heavy[-1]["lam1"] + weight - on_front) < 1e-4*weight, (heavy[-1]["lam1"], heavy[-1]["lam2"], on_front)
first = rates[0]
assert all(abs(first[k] - v) < 1e-9 for k, v in (("d_alpha", 0.1), ("d_gamma", -0.05), ("d_th52", 0.2), ("d_y21", 0.02))), first
mass, inertia, R = 3.0, 2*0.8e-4, 0.04
brakes = 2*0.01/R/(mass + inertia/R**2)
assert abs(dry[-1]["d_x21"] - (1 - brakes)) < 1e-6, (dry[-1]["d_x21"], 1 - brakes)
PY

# the second way of riding: the gait's frequency and amplitudes, and its actions bring it about
ends 0 inverse waveboard --run quick --time 1.5 --actions "$dir/actions.csv" --out "$dir/quick.csv"
ends 0 run waveboard --run quick --follow 1 --actions "$dir/actions.csv" --time 0.3 --out "$dir/again.csv"
must "a gait of 2 Hz that its actions make" python3 - "$dir/quick.csv" "$dir/again.csv" <<PY
$read_csv
quick, again = map(rows, sys.argv[1:])
assert all(abs(r["alpha"] - 0.15*math.sin(4*math.pi*r["t"])) < 1e-9 and abs(r["th52"] - 0.2*math.sin(4*math.pi*r["t"] - 1.85)) < 1e-9 for r in quick)
assert quick[-1]["x21"] > 1.4
imposed = {round(r["t"], 6): r for r in quick}
compared = [(r, imposed[round(r["t"], 6)]) for r in again if round(r["t"], 6) in imposed]
assert len(compared) > 20 and all(abs(a[k] - b[k]) < 1e-3 for a, b in compared for k in ("alpha", "th32", "x21")), len(compared)
PY

# Baumgarte's alpha and beta
ends 0 run waveboard --run direct2 --out "$dir/projected.csv"
ends 0 run waveboard --run direct2-baumgarte --out "$dir/pulled.csv"
ends 0 diff "$dir/projected.csv" "$dir/pulled.csv" --columns z21,alpha,x21 --tolerance 1e-8
sed 's/alpha: 50, beta: 50/alpha: 50, beta: 5/' models/waveboard/model.yaml >"$dir/soft.yaml"
ends 0 run "$dir/soft.yaml" --run direct2-baumgarte --out "$dir/soft.csv"
ends 0 diff "$dir/projected.csv" "$dir/soft.csv" --columns z21,alpha,x21 --tolerance 1e-6
must "beta is another number" test "$(sha256sum <"$dir/soft.csv")" != "$(sha256sum <"$dir/pulled.csv")"
sed 's/stabilisation: baumgarte, alpha: 50, beta: 50/beta: 5/' models/waveboard/model.yaml >"$dir/bare.yaml"
ends 2 run "$dir/bare.yaml" --run direct2-baumgarte --out "$dir/bare.csv"
must "beta alone is refused with its line" grep -q "bare.yaml:[0-9]*:.*baumgarte" "$dir/stderr"

# ---- it lands ----------------------------------------------------------------------------------------------------------------

ends 0 run waveboard --run fall --out "$dir/fall.csv"
must "it tells that it fell and landed" grep -q "event: falls at t = 0.19" "$dir/stderr"
must "corners touch" grep -q "event: lands2.* at t = 0.21" "$dir/stderr"
ends 0 run waveboard --run fall --formulation natural --out "$dir/fall-natural.csv"
ends 0 diff "$dir/fall.csv" "$dir/fall-natural.csv" --columns z21,alpha,gamma,x21 --tolerance 1e-5
ends 0 run waveboard --run fall --dt 5e-5 --out "$dir/fall-half.csv"
ends 0 diff "$dir/fall.csv" "$dir/fall-half.csv" --columns z21,alpha,gamma,x21 --tolerance 1e-3
must "it stays above the ground and only loses energy" python3 - "$dir/fall.csv" <<PY
$read_csv
fall = rows(sys.argv[1])
def corners(r):
    for name, reach in (("board2", (-0.2, 0.12)), ("board5", (-0.12, 0.2))):
        q = [r[f"{name}.q{k}"] for k in "wxyz"]
        for x in reach:
            for y in (-0.1, 0.1):
                yield r[f"{name}.z"] + 2*(q[1]*q[3] - q[0]*q[2])*x + 2*(q[2]*q[3] + q[0]*q[1])*y
lowest = min(z for r in fall for z in corners(r))
assert -4e-3 < lowest < 0, lowest
E = [r["E"] for r in fall]
assert all(b < a + 1e-3*E[0] for a, b in zip(E, E[1:])) and E[-1] < 0.2*E[0]
assert min(r["z21"] for r in fall) > 0.05 and max(max(r["lam1"], r["lam2"]) for r in fall) < 200
PY

# ---- it is ridden -------------------------------------------------------------------------------------------------------------

ends 0 run waveboard --run ride --time 8 --out "$dir/ride.csv"
ends 0 run waveboard --run ride --set pump_0=0 --time 8 --out "$dir/still.csv"
printf 't,rear,front,pump\n0,0,0,0\n0.5,0.3,0.3,0\n8,0.3,0.3,0\n' >"$dir/lean.csv"
ends 0 run waveboard --run ride --manoeuvre "$dir/lean.csv" --time 5 --out "$dir/aside.csv"
printf 't,rear,front,pump\n0,0,0,0\n0.5,-0.3,0.3,0\n8,-0.3,0.3,0\n' >"$dir/opposite.csv"
ends 0 run waveboard --run ride --manoeuvre "$dir/opposite.csv" --time 5 --out "$dir/curve.csv"
ends 0 run waveboard --run ride --formulation natural --time 2 --out "$dir/ride-natural.csv"
ends 0 run waveboard --run ride --time 2 --out "$dir/ride-short.csv"
ends 0 diff "$dir/ride-short.csv" "$dir/ride-natural.csv" --columns x21,y21,alpha,th32 --tolerance 3e-5
must "legs that pump make it faster, legs at rest do not; feet to one side: it goes aside, apart: it turns" python3 - "$dir/ride.csv" "$dir/still.csv" "$dir/aside.csv" "$dir/curve.csv" <<PY
$read_csv
ride, still, aside, curve = map(rows, sys.argv[1:])
assert ride[-1]["d_x21"] > 1.6 and max(abs(r["alpha"]) for r in ride) < 0.5, ride[-1]["d_x21"]
assert abs(still[-1]["d_x21"] - 1) < 1e-6 and abs(still[-1]["y21"]) < 1e-9
assert abs(aside[-1]["y21"]) > 0.25 and max(abs(r["gamma"]) for r in aside) < 0.05, aside[-1]
assert abs(curve[-1]["gamma"]) > 0.3, curve[-1]["gamma"]
PY

# a mechanism with imposed motion is sent to the command that follows it
ends 2 kinematics waveboard --run inverse1
must "kinematics names inverse" grep -q 'biela inverse' "$dir/stderr"
finish
