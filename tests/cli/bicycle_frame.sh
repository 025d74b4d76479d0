#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Loads of a bicycle's frame of tubes: a cut behind the head is in balance with tyre, fork and wheel; the ride is the rigid one's.
. tests/cli/support.bash

ends 0 run bicycle --run frame-loads --out "$dir/tubes.csv"
ends 0 run bicycle --run frame-loads --set flexible=0 --out "$dir/rigid.csv"
must "the tubes carry what is ahead of them" python3 - "$dir/tubes.csv" "$dir/rigid.csv" <<'PY'
import csv, math, sys
tubes, rigid = ([{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(f))] for f in sys.argv[1:])
r = tubes[0]
tan = math.tan(math.pi/10)
seat, high, crank, low = (0.03, -0.1), (0.85 - tan*0.74, -0.11), (0.17, -0.57), (0.85 - tan*0.62, -0.23)
pitch, g, o = r["theta"], 9.81, high

# force (x, z) at a place of the frame, and the sums: forces, moment about y at o
total = [0.0, 0.0, 0.0]
def add(x, z, at):
    total[0] += x
    total[1] += z
    total[2] += (at[1] - o[1])*x - (at[0] - o[0])*z
def weight(m, at):
    add(m*g*math.sin(pitch), -m*g*math.cos(pitch), at)
def area(d, t):
    return math.pi/4*(d**2 - (d - 2*t)**2)

# the tubes end at the head; their last elements, of four, tell the shear of their middle
for name, a, b, section in ("top_tube", seat, high, area(0.0318, 0.0009)), ("down_tube", crank, low, area(0.035, 0.0009)):
    length = math.dist(a, b)
    e = (b[0] - a[0])/length, (b[1] - a[1])/length
    n, v = r[f"{name}.N"], r[f"{name}.Vz"]
    add(-n*e[0] + v*e[1], -n*e[1] - v*e[0], b)
    weight(7850*section*length/8, b)
    total[2] -= r[f"{name}.My"]
# head tube, fork with handlebar, wheel; the tyre's load below the axle
weight(7850*area(0.0365, 0.0015)*math.dist(high, low), ((high[0] + low[0])/2, (high[1] + low[1])/2))
weight(4, (0.65, -0.15))
weight(3, (0.77, -0.5))
load = r["Fn_f"]
add(-load*math.sin(pitch), load*math.cos(pitch), (0.77 + 0.35*math.sin(pitch), -0.5 - 0.35*math.cos(pitch)))
# of 308 N; of the moments of 50 N m the places of a sagging frame (0.6 mm) make 0.2
assert abs(total[0]) < 1e-6 and abs(total[1]) < 1e-6 and abs(total[2]) < 0.3, total

# upright: nothing across. In the turn the head twists the frame; the ride is that of a rigid frame within 1 %
assert abs(r["head_top.Mt"]) < 1e-6
last, other = tubes[-1], rigid[-1]
for name in "phi", "gamma", "speed", "Fn_f", "Fn_r", "Fy_f", "Fy_r":
    assert abs(last[name]/other[name] - 1) < 0.01, (name, last[name], other[name])
assert 0.05 < abs(last["head_top.Mt"]) < 5 and 5e7 < last["frame.worst"] < 1e8, last
PY
finish
