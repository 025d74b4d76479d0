#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What carries a body's own weight between boundary nodes: bending moments of a bar against the formula of a clamped and
# propped beam, at rest and shaken slowly, with few modes and with many; moments in the bars of the prototype car.
. tests/cli/support.bash

cat >"$dir/bar.yaml" <<'YAML'
biela: 1
name: Propped bar
parameters:
  L: {value: 2, unit: m}
  modes: {value: 0}
  shake: {value: 0, unit: m}
gravity: [0, 0, -9.81]
bodies:
  slide: {mass: 1, inertia: [1, 1, 1]}
  bar:
    flex:
      materials: {steel: {young: 2e11, poisson: 0.3, density: 7850}}
      sections: {bar: {tube: [30 mm, 3 mm]}}
      nodes: {clamp: [0, 0, 0], prop: [L, 0, 0]}
      lines: {bar: {from: clamp, to: prop, elements: 16, section: bar, material: steel}}
      frame: clamp
      boundary: [prop]
      modes: modes
      damping: 0.05
      WEIGHT
joints:
  lift: {type: prismatic, bodies: [ground, slide], axis: [0, 0, 1]}
  clamp: {type: fixed, bodies: [slide, bar], at: [0, 0, 0]}
constraints:
  prop: {type: in-plane, point: {body: bar, at: [L, 0, 0]}, plane: {body: slide, at: [0, 0, 0]}, normal: [0, 0, 1]}
  # slowly against the first frequency of the bar: 20 rad/s against 15.42 sqrt(E I / m L^4) = 187
  drive: {type: guide, joint: lift, value: "shake*(1 - cos(20*t))"}
outputs:
  at: {section: bar, element: 9, at: start}
  lift: {expr: lift.position}
run: {time: 0.002, dt: 1e-3, start: equilibrium, formulation: joint}
YAML
for weight in false true; do
    sed "s/WEIGHT/weight_modes: $weight/" "$dir/bar.yaml" >"$dir/$weight.yaml"
    for modes in 0 2 6; do
        "$BIELA" run "$dir/$weight.yaml" --set modes=$modes --out "$dir/rest-$weight-$modes.csv" >"$dir/log" 2>&1
        must "the bar with $modes modes stands" test $? -eq 0
        "$BIELA" run "$dir/$weight.yaml" --set modes=$modes --set shake=0.02 --time 0.9 --every 0.01 \
            --out "$dir/shake-$weight-$modes.csv" >"$dir/log" 2>&1
        must "the bar with $modes modes is shaken" test $? -eq 0
    done
done
must "moments in the bar are those of its weight" python3 - "$dir" <<'PY'
import csv, math, sys
def read(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(l for l in file if not l.startswith("#"))]
area = math.pi / 4 * (0.030**2 - 0.024**2)
w, L = 7850 * area * 9.81, 2.0
# beside the middle, M = w L^2 / 16; elements leave out what their own weight adds inside, w l^2 / 12 at their ends
middle, inside = w * L**2 / 16, w * (L / 16) ** 2 / 12
error = {}
for weight in ("false", "true"):
    for modes in (0, 2, 6):
        error[weight, modes] = abs(abs(read(f"rest-{weight}-{modes}")[0]["at.My"]) - middle)
print("measured", {k: round(v / middle, 5) for k, v in error.items()})
for modes in (0, 2, 6):
    assert error["true", modes] < 1.02 * inside, (modes, error["true", modes], inside)
# the reason: without them few modes carry little of it
assert error["false", 0] > 0.9 * middle
# shaken: the moment follows the acceleration, but for (20/187)^2 = 1.1 % of it, a lag of 2 * 0.05 * 20/187 = 1.1 %, and 0.4 %
# of the start, e^(-0.05 * 187 * 0.6)
for modes in (0, 2, 6):
    rows = [r for r in read(f"shake-true-{modes}") if r["t"] > 0.6]
    worst = 0.0
    for r in rows:
        acceleration = 9.81 + 0.02 * 400 * math.cos(20 * r["t"])
        worst = max(worst, abs(abs(r["at.My"]) - middle * acceleration / 9.81))
    print("measured shaken", modes, round(worst / middle, 4))
    assert worst < 0.03 * middle, (modes, worst / middle)
PY

for cut in 60 100 200; do
    "$BIELA" run models/prototype-car/model.yaml --set cut=$cut --set modes=100 --time 0.001 --every 0.001 \
        --out "$dir/car-$cut.csv" >"$dir/log" 2>&1
    must "the car with modes up to $cut Hz stands" test $? -eq 0
done
must "moments in the bars of the car converge with the number of modes" python3 - "$dir" <<'PY'
import csv, sys
def first(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return {k: float(v) for k, v in next(csv.DictReader(l for l in file if not l.startswith("#"))).items()}
few, some, many = (first(f"car-{cut}") for cut in (60, 100, 200))
bars = [name for name in many if name.startswith(("low_", "high_")) and name.endswith((".My", ".Mz"))]
assert len(bars) == 8, bars
size = max(abs(many[name]) for name in bars)
gap = [max(abs(run[name] - many[name]) for name in bars) / size for run in (few, some)]
print("measured gaps to 200 Hz of the largest moment: 60 Hz %.4f, 100 Hz %.4f" % tuple(gap))
# what is left are moments of joints at points that have no static modes of their own; without modes of the weight: 31 %
assert gap[0] < 0.02 and gap[1] < 0.01, gap
PY
finish
