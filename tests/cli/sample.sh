#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Signals of type `sample`: a device with a clock of its own, against its definition; a digital loop against the z plane; a controller that is
# slower than its plant is named; both formulations, snapshots, bad input.
. tests/cli/support.bash

cat >"$dir/hold.yaml" <<'YAML'
biela: 1
name: devices
bodies: {m: {mass: 1}}
joints: {way: {type: prismatic, bodies: [ground, m], axis: [1, 0, 0]}}
signals:
  wave: sin(2*t) + 0.2*t
  plain: {type: sample, input: wave, period: 0.05}
  late: {type: sample, input: wave, period: 0.05, delay: 0.12}
  coarse: {type: sample, input: wave, period: 0.03, resolution: 0.1}
  quick: {type: sample, input: wave, period: 0.004, delay: 0.004}
outputs: {plain: plain, late: late, coarse: coarse, quick: quick}
run: {time: 4, dt: 0.01, every: 0.01}
YAML
# a mass is held at 1 by u = -k (x - 1) - c v, both sampled; between looks the force is constant
loop() { # PERIOD
    cat <<YAML
biela: 1
name: a digital loop
bodies: {m: {mass: 2, inertia: [1, 1, 1]}}
joints: {way: {type: prismatic, bodies: [ground, m], axis: [1, 0, 0]}}
gravity: [0, 0, 0]
signals:
  x: {type: sample, input: way.position, period: $1}
  v: {type: sample, input: way.rate, period: $1}
forces: {servo: {type: torque, joint: way, torque: "-50*(x - 1) - 20*v"}}
outputs: {p: way.position}
run: {time: 8, dt: 0.01, every: $1}
YAML
}
loop 0.1 >"$dir/loop.yaml"
loop 0.4 >"$dir/slow.yaml"
for f in natural joint; do
    ends 0 run "$dir/hold.yaml" --formulation $f --out "$dir/hold.$f.csv" --quiet
    ends 0 run "$dir/loop.yaml" --formulation $f --out "$dir/loop.$f.csv" --quiet --strict
done
ends 0 run "$dir/hold.yaml" --scheme rk4 --out "$dir/hold.rk4.csv" --quiet
must "looks, and a loop, are as defined" python3 - "$dir" <<'PY'
import csv, math, sys
def rows(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
def u(t): return math.sin(2*t) + 0.2*t
worst = 0.0
for name in ("hold.natural", "hold.joint", "hold.rk4"):
    for r in rows(name):
        for what, period, delay, step in (("plain", 0.05, 0.0, 0), ("late", 0.05, 0.12, 0), ("coarse", 0.03, 0.0, 0.1), ("quick", 0.004, 0.004, 0)):
            # at an instant itself a device without delay still shows the look before, or the new one
            allowed = []
            for t in (r["t"] - delay, r["t"] - delay - 1e-6, r["t"] - delay - period):
                k = max(math.floor(t/period + 1e-7), 0)
                if t < r["t"] - delay - 1e-3*period and delay > 0: continue
                value = u(k*period)
                allowed.append(step*math.floor(value/step + 0.5) if step else value)
            # a step of 10 ms: the input between its ends is straight, h^2/8 of 4
            gap = min(abs(r[what] - a) for a in allowed)
            assert gap < (6e-5 if not step else 1e-9 if gap < 0.05 else 0), (name, what, r["t"], r[what], allowed)
            worst = max(worst, gap if not step else 0)
print(f"measured sample, looks error={worst:.3e} limit=6.000e-05")
# the loop by its own recursion: force held over each period
T, m = 0.1, 2.0
for f in ("natural", "joint"):
    x = v = gap = 0.0
    for r in rows(f"loop.{f}"):
        gap = max(gap, abs(r["p"] - x))
        a = (-50*(x - 1) - 20*v)/m
        x, v = x + T*v + T*T/2*a, v + T*a
    # the force jumps at the ends of steps, where the trapezoidal rule takes both sides: it acts half a step later
    print(f"measured sample, digital loop, {f} error={gap:.3e} limit=5.000e-02")
    assert gap < 5e-2, gap
PY
# slower than its plant: the loop rings from look to look
ends 0 run "$dir/slow.yaml" --out "$dir/slow.csv" --quiet
must "a controller slower than its plant is named" grep -Eq "verdict doubtful: looks of a device.*\b[xv]\b.*slower than what it measures" "$dir/stderr"
ends 4 run "$dir/slow.yaml" --out "$dir/slow.csv" --quiet --strict
# bad input
sed 's/period: 0.05, delay: 0.12/period: 0.05, delay: 12/' "$dir/hold.yaml" >"$dir/long.yaml"
ends 2 check "$dir/long.yaml"
must "a delay of too many periods" grep -q "longer than 60 periods" "$dir/stderr"
sed 's/period: 0.004/period: 0/' "$dir/hold.yaml" >"$dir/zero.yaml"
ends 2 check "$dir/zero.yaml"
must "a period of none" grep -q "period" "$dir/stderr"
finish
