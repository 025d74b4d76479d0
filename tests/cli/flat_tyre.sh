#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A car whose left front tyre loses its air, in both formulations and any step; a locked wheel that gets warm; what cannot be.
. tests/cli/support.bash

for how in "joint" "natural" "joint --dt auto"; do
    # shellcheck disable=SC2086
    ends 0 run car --run flat --formulation $how --out "$dir/flat-${how// /}.csv"
done
must "the car pulls to the flat tyre, which stands on its rim" python3 - "$dir"/flat-joint.csv "$dir"/flat-natural.csv "$dir/flat-joint--dtauto.csv" <<'PY'
import csv, math, sys
runs = [[{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(f))] for f in sys.argv[1:]]
before, after = runs[0][45], runs[0][-1]
assert abs(before["chassis.y"]) < 1e-9 and before["tyre11.air"] == 1
# the air: x' = 10 s(t) (1 - x), s a smooth step from 1 s to 1.2 s, whose integral is half of it: exp(-10 (t - 1.1))
air = math.exp(-10*(2.0 - 1.1))
print(f"measured car, air after a second error={abs(runs[0][100]['tyre11.air'] - air):.3e} limit=1.000e-07")
assert abs(runs[0][100]["tyre11.air"] - air) < 1e-7
assert after["chassis.y"] > 1 and after["attitude.roll"] < -0.02
# a tenth of the spring and the rim carry it
load = 0.1*2e5*after["tyre11.depth"] + 2e6*(after["tyre11.depth"] - 0.09)
print(f"measured car, load of a flat tyre error={abs(after['tyre11.fz']/load - 1):.3e} limit=5.000e-03")
assert abs(after["tyre11.fz"]/load - 1) < 5e-3, (after["tyre11.fz"], load)
# and it rolls ten times as hard
assert abs(after["tyre11.fx"]/after["tyre11.fz"] + 0.1) < 0.005
weight = (1200 + 4*20)*9.81
assert abs(sum(after[f"tyre{i}{j}.fz"] for i in range(2) for j in range(2))/weight - 1) < 2e-3
# the load acts aside by the side force over 2e5 N/m
for w in ("tyre10", "tyre01"):
    assert abs(after[f"{w}.mx"] - after[f"{w}.fz"]*after[f"{w}.fy"]/2e5) < 1e-6*abs(after[f"{w}.fz"])
for other in runs[1:]:
    gap = abs(other[-1]["chassis.y"] - after["chassis.y"])
    print(f"measured car, flat tyre in another way error={gap:.3e} limit=1.000e-03")
    assert gap < 1e-3, gap
PY

cat >"$dir/warm.yaml" <<'YAML'
biela: 1
name: warm
bodies:
  wheel: {mass: 300, inertia: [1, 2, 1], at: [0, 0, 0.285285], velocity: [20, 0, 0]}
joints:
  slide: {type: planar, bodies: [ground, wheel], at: [0, 0, 0.285285], axis: [0, 1, 0]}
constraints:
  locked: {type: guide, joint: slide, coordinate: angle, value: 0}
forces:
  tyre: {type: tyre-linear, body: wheel, radius: 0.3, stiffness: 2e5, damping: 500, friction: 0.9, stiffness_x: 2e5, damping_x: 500, stiffness_y: 1.5e5, damping_y: 500, heat_capacity: 8e3, heat_share: 0.5}
outputs: {tyre: {tyre: tyre}, x_rate: {velocity: {body: wheel}, only: x}}
run: {time: 4, dt: 1e-3, every: 0.01}
YAML
ends 0 run "$dir/warm.yaml" --out "$dir/warm.csv"
must "half of what it loses is in the tyre" python3 - "$dir/warm.csv" <<'PY'
import csv, sys
last = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
# all of the energy slides away: 300 kg from 20 m/s; the damper of the tread has a thousandth
heat = 0.5*0.5*300*20**2/8e3
print(f"measured tyre, warmth of a stop error={abs(last['tyre.warm']/heat - 1):.3e} limit=5.000e-03")
assert abs(last["x_rate"]) < 0.1 and abs(last["tyre.warm"]/heat - 1) < 5e-3, (last["tyre.warm"], heat)
PY

# what does not fit is told with its line
refuses() {
    sed "s/heat_share: 0.5/$1/" "$dir/warm.yaml" >"$dir/bad.yaml"
    ends 2 check "$dir/bad.yaml"
    must "'$1' is told: $2" grep -q "bad.yaml:10.*$2" "$dir/stderr"
}
refuses "rim_radius: 0.4" "must be smaller than the radius"
refuses "rim_stiffness: 1e6" "nobody knows where the rim begins"
refuses "flat_grip: 0.3" "keeps its air"
refuses "best_warm: 50" "how fast friction falls"
refuses "overturning: -1" "must not be negative"
sed -i 's/heat_capacity: 8e3, //' "$dir/warm.yaml"
refuses "cooling: 5" "has no temperature"
finish
