#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Filters and PID controllers inside graphs (models/library/control.yaml) read the graph without a step's delay: a car that keeps
# its speed against an integration of its own, of second order in the step; with limits, whose integral does not wind up; both formulations.
. tests/cli/support.bash

model() { # UPPER: largest force
    cat <<YAML
biela: 1
name: cruise control inside a graph
graphs:
  car:
    parts:
      control: {file: $PWD/models/library/control.yaml, graph: pid, set: {kp: 800, ki: 300, kd: 60, T: 0.05, upper: $1, lower: -100, tracking: 0.5}, bind: {setpoint: 20, measured: mass.f}}
      shown: {file: $PWD/models/library/control.yaml, graph: filter, set: {T: 0.5}, bind: {u: mass.f}}
      smooth: {file: $PWD/models/library/control.yaml, graph: filter2, set: {T: 0.2}, bind: {u: mass.f}}
    nodes:
      engine: {type: Se, value: control.y}
      road: {type: 1}
      mass: {type: I, value: 1000}
      drag: {type: R, value: 50}
    bonds: [engine -> road, road -> mass, road -> drag]
outputs: {car: {graph: car}}
run: {time: 10, dt: 0.01}
YAML
}
model 1e9 >"$dir/free.yaml"
model 6000 >"$dir/limited.yaml"
for case in free limited; do
    ends 0 run "$dir/$case.yaml" --out "$dir/$case.csv"
    ends 0 run "$dir/$case.yaml" --dt 5e-3 --every 0.01 --out "$dir/$case-half.csv"
    ends 0 run "$dir/$case.yaml" --formulation joint --out "$dir/$case-joint.csv"
    ends 0 run "$dir/$case.yaml" --scheme rk4 --out "$dir/$case-rk4.csv"
done
must "speed, force and filters follow the integration" python3 - "$dir" <<'PY'
import csv, math, sys
def rates(s, upper):
    v, z, I, f, y, w = s
    e = 20 - v
    asked = 800*e + I + 60*(e - z)/0.05
    force = max(-100, min(upper, asked))
    return [(force - 50*v)/1000, (e - z)/0.05, 300*e + (force - asked)/0.5, (v - f)/0.5, w, (v - y - 2*math.sqrt(0.5)*0.2*w)/0.04], force
def exact(upper):
    s, h, out = [0.0]*6, 1e-3, {}
    for k in range(10001):
        out[k] = s + [rates(s, upper)[1]]
        k1 = rates(s, upper)[0]
        k2 = rates([a + h/2*b for a, b in zip(s, k1)], upper)[0]
        k3 = rates([a + h/2*b for a, b in zip(s, k2)], upper)[0]
        k4 = rates([a + h*b for a, b in zip(s, k3)], upper)[0]
        s = [a + h/6*(p + 2*q + 2*r + t) for a, p, q, r, t in zip(s, k1, k2, k3, k4)]
    return out
for case, upper in (("free", 1e9), ("limited", 6000.0)):
    true = exact(upper)
    gap = {}
    for run in ("", "-half", "-joint", "-rk4"):
        with open(f"{sys.argv[1]}/{case}{run}.csv") as file:
            rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
        worst = 0.0
        for r in rows:
            s = true[round(1000*r["t"])]
            worst = max(worst, abs(r["car.mass.p"]/1000 - s[0]), abs(r["car.shown.y"] - s[3]), abs(r["car.smooth.y"] - s[4]))
        gap[run] = worst
    print("measured", case, gap)
    # a step's delay would be 16 m/s^2 * 10 ms, 0.16 m/s; what is left falls with the square of the step
    assert gap[""] < 0.02 and gap["-half"] < 0.3*gap[""] + 2e-4 and abs(gap["-joint"] - gap[""]) < 1e-9 and gap["-rk4"] < 5e-3, (case, gap)
    if case == "limited":
        top = max(s[0] for s in true.values())
        assert top < 22.5, top
PY
# ---- a controller slower than its plant, from the tenth look on: the mass swings with 20 rad/s, growing where it is looked at late
cat >"$dir/slow.yaml" <<'Y'
biela: 1
name: slow controller
parameters: {period: 0.5 s}
bodies: {m: {mass: 1, velocity: [1, 0, 0]}}
joints: {x: {type: prismatic, bodies: [ground, m], axis: [1, 0, 0]}}
signals:
  seen: {type: sample, input: x.position, period: period}
  u: "-400*seen"
forces:
  pull: {type: torque, joint: x, torque: u - 2*x.rate}
outputs: {x: {joint: x}}
run: {time: 5, dt: 0.001}
Y
ends 0 run "$dir/slow.yaml" --out "$dir/slow.csv"
must "a slow controller is told, with the remedy" grep -q "doubtful: looks of a device .* a shorter period" "$dir/stdout"
# looked at 150 times in a period of the motion
ends 0 run "$dir/slow.yaml" --set period=0.002 --out "$dir/quick.csv"
must "a quick one is not" grep -q "verdict *good" "$dir/stdout"
finish
