#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Clio on its real axles: `biela kc` of a whole car against closed forms, against its part, and against what the car does in turns;
# both formulations, automatic steps, and what a rig refuses.
. tests/cli/support.bash

# ---- a whole car on the rig: wheels on upright rails have no angles, and springs are springs
ends 0 kc clio --json
mv "$dir/stdout" "$dir/rails.json"
ends 0 kc clio --set axles=1 --json
mv "$dir/stdout" "$dir/axles.json"
# without weight it is the front axle of the file, to which the same is done
ends 0 kc clio --set axles=1 --set g=0 --set load_front=2000 --json
mv "$dir/stdout" "$dir/light.json"
ends 0 kc models/clio/front-axle.yaml --set "ks=14900*0.88777" --set load=2000 --set rolling=0.2496 --json
mv "$dir/stdout" "$dir/part.json"
ends 0 handling clio --set axles=1 --only steady-speed --json
mv "$dir/stdout" "$dir/turns.json"
must "curves of a car" python3 - "$dir" <<'PY'
import json, math, sys
def read(name): return json.load(open(f"{sys.argv[1]}/{name}.json"))
def slopes(data): return {(g.get("axle"), g["name"]): g["value"] for g in data["gradients"]}
# parameters of the model file
ks, half, front, rear, weight = 14900, 0.67, 0.8422738433679805, 1.6297261566320196, 672.0080733944953
rails = read("rails")["tests"]
worst = 0.0
for wheel, load in (("front_left", 2173.0998), ("front_right", 2173.0998), ("rear_left", 1123.0998), ("rear_right", 1123.0998)):
    sign = 1 if wheel.endswith("left") else -1
    for test, key in (("bump", "lift"), ("roll", "roll"), ("steer", "steering"), ("lateral", "force"), ("longitudinal", "force")):
        for i, x in enumerate(rails[test][key]):
            told = {k: v[i] for k, v in rails[test][wheel].items()}
            z = x if test == "bump" else sign*half*math.tan(x) if test == "roll" else 0.0
            # the spring and the wheel's own weight
            worst = max(worst, abs(told["load"]/(load + 38.42*9.81 + ks*z) - 1), abs(told["z"] - z), abs(told["camber"]), abs(told["ahead"]))
            worst = max(worst, abs(told["toe"] + (sign*x if test == "steer" and "front" in wheel else 0.0)))
print(f"measured kc of the clio on rails error={worst:.3e} limit=1.000e-09")
assert worst < 1e-9, worst
# the front axle in the car and by itself
whole, part, worst = read("light")["tests"], read("part")["tests"], 0.0
for test in ("bump", "roll", "lateral", "longitudinal"):
    for what in ("toe", "camber", "caster", "aside", "ahead"):
        for side in ("left", "right"):
            worst = max([worst] + [abs(a - b) for a, b in zip(whole[test]["front_" + side][what], part[test][side][what])])
print(f"measured kc of an axle in its car error={worst:.3e} limit=1.000e-09")
# rad and m: where Newton's method ends in two systems
assert worst < 1e-9, worst
axles = read("axles")
g = slopes(axles)
# springs are chosen so that wheels have the loads and the stiffness of the rails
for name in ("front", "rear"):
    assert abs(g[name, "wheel rate"]/ks - 1) < 1e-4, g
assert abs(axles["tests"]["bump"]["front_left"]["load"][6] - 2550) < 0.01 and abs(axles["tests"]["bump"]["rear_left"]["load"][6] - 1500) < 0.01
# understeer by roll: the front axle turns out of the turn, the rear axle into it; the rack turns wheels by the angle that is asked for
assert g["front", "roll steer"] < -0.02 and g["rear", "roll steer"] > 0.02, g
assert abs(g["front", "steering ratio"] + 1) < 1e-3 and abs(g["rear", "steering ratio"]) < 1e-9
assert g["front", "bump camber"] < -10 and 0.03 < axles["tests"]["bump"]["front_left"]["caster"][6] < 0.08
# ---- roll in a turn from the curves alone: roll stiffness and roll centres of both axles by the slopes of the roll test, tyres in a row
def axle(name, radius):
    t, m = axles["tests"]["roll"], 6
    phi = t["roll"][m + 1] - t["roll"][m - 1]
    def d(what): return (t[name + "_left"][what][m + 1] - t[name + "_left"][what][m - 1])/phi
    stiff, tyre = 2*half*d("load"), 2*half**2*150000
    # the contact goes aside under the chassis; the wheel's own weight and the arm of its load are small
    centre = d("aside") - radius*d("camber")
    return stiff*tyre/(stiff + tyre), centre
(kf, hf), (kr, hr) = axle("front", 0.2496), axle("rear", 0.2566)
lever = 0.6793 - (hf*rear + hr*front)/(front + rear)
# the body about the roll axis; the wheels' own force acts at their centres, above that axis, too
wheels = 2*38.42*9.81*(0.2496 - hf + 0.2566 - hr)
want = math.degrees((weight*9.81*lever + wheels)/(kf + kr - weight*9.81*lever))
told = next(x["value"] for t in read("turns")["manoeuvres"] for x in t["found"] if x["name"] == "roll gradient")
print(f"measured roll gradient of the clio, deg/g: {told:.3f}, from its curves {want:.3f}")
# the estimate takes the masses of links for wheels, and leaves out that roll centres move
assert abs(told/want - 1) < 0.05, (told, want)
PY

# ---- the same car in both formulations, with its own steps, and along the road
for f in joint natural; do
    ends 0 run clio --run axles-step --dt 1e-3 --formulation $f --out "$dir/$f.csv" --strict --quiet
done
ends 0 run clio --run axles-step --time 3 --dt auto --out "$dir/auto.csv" --strict --quiet
ends 0 run clio --set axles=1 --time 18 --out "$dir/start.csv" --strict --quiet
ends 0 run clio --time 18 --out "$dir/rails.csv" --strict --quiet
ends 0 run clio --run axles-lane-change --out "$dir/lanes.csv" --strict --quiet
# a driver and rounding: automatic steps came to stand at 1 ns
ends 0 run clio --run axles-lane-change --time 1 --dt auto --out "$dir/lanes-auto.csv" --quiet
must "one car" python3 - "$dir" <<'PY'
import csv, sys
def rows(name): return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(f"{sys.argv[1]}/{name}.csv"))]
joint, natural, auto = rows("joint"), rows("natural"), rows("auto")
# both of second order: half the step, a quarter of it (measured 4.6e-4 and 1.1e-4 m)
for what, limit in (("body.x", 1e-3), ("body.y", 1e-3), ("attitude.roll", 3e-6), ("attitude.yaw", 3e-5)):
    gap = max(abs(a[what] - b[what]) for a, b in zip(joint, natural))
    print(f"measured clio on axles, both formulations, {what} error={gap:.3e} limit={limit:.1e}")
    assert gap < limit, (what, gap)
    gap = abs(auto[-1][what] - next(r[what] for r in joint if abs(r["t"] - 3) < 1e-9))
    assert gap < 10*limit, (what, gap) # tolerance of 1e-5 against steps of 1 ms
def hundred(table):
    a, b = next((a, b) for a, b in zip(table, table[1:]) if b["speed"] >= 100/3.6)
    return a["t"] + (b["t"] - a["t"])*(100/3.6 - a["speed"])/(b["speed"] - a["speed"])
t = hundred(rows("start")), hundred(rows("rails"))
print("measured: 100 km/h after", t, "s")
# the same mass and drive line: suspensions change the time by less than a shift's length in thousand
assert abs(t[0]/t[1] - 1) < 1e-3, t
lanes = rows("lanes")
# the second lane: 1.2 times the width of the car and 0.25 m, less half of it, about its middle 3.5 m aside
y = [r["body.y"] for r in lanes if 95 <= r["body.x"] <= 120]
assert y and max(abs(v - 3.5) for v in y) < 0.285 + 0.1, (min(y), max(y))
PY

# ---- what cannot be
ends 2 kc bicycle
must "four wheels" grep -q "wants a body and four wheels" "$dir/stderr"
ends 3 kc forklift
must "how far it reaches" grep -q "does not reach that far" "$dir/stderr"
ends 2 kc clio --set axles=2
must "an option is 0 or 1" grep -q "axles" "$dir/stderr"
ends 2 kc clio --set axles=2 --json
must "and no result is called one" python3 -c "import json; assert not json.load(open('$dir/stdout'))['ok']"
finish
