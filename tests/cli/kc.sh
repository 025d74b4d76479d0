#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela kc`: toe, camber and caster over bump, roll and steer against geometry made from hard points alone, loads against virtual work,
# compliance against springs in a row; both sides; files and refusals.
. tests/cli/support.bash

part=models/library/suspension
for p in double-wishbone mcpherson; do
    ends 0 kc $part/$p.yaml --set soft=0 --set toe=0.2 --set camber=-1 --set bump_stiffness=0 --json
    mv "$dir/stdout" "$dir/$p.json"
done
must "curves are those of the hard points" python3 - "$dir" <<'PY'
import json, math, sys
sys.path.insert(0, "tests/support")
from suspension_geometry import *
t, c = math.radians(0.2), math.radians(-1)
axis = [math.sin(t)*math.cos(c), math.cos(t)*math.cos(c), -math.sin(c)]
dw = dict(lower_front=[.14, .34, -.10], lower_rear=[-.20, .34, -.09], lower_ball=[.01, .70, -.12], upper_front=[.10, .43, .19],
          upper_rear=[-.14, .44, .17], upper_ball=[-.02, .66, .19], rod_inner=[-.12, .36, -.06], rod_outer=[-.13, .67, -.07], centre=[0, .75, 0], axis=axis)
mp = dict(lower_front=[.02, .34, -.07], lower_rear=[-.28, .36, -.06], lower_ball=[0, .66, -.09], top=[-.035, .53, .52],
          foot=[-.005, .585, .07], rod_inner=[-.12, .32, 0], rod_outer=[-.125, .63, -.015], centre=[0, .72, 0], axis=axis)
def at_height(make, h, z, rack):
    """Of the angle of the lower wishbone at which the wheel's centre is that high."""
    low, high = -0.4, 0.4
    up = make(h, high, rack)[0][2] > make(h, low, rack)[0][2]
    for _ in range(200):
        middle = (low + high)/2
        if (make(h, middle, rack)[0][2] < z) == up: low = middle
        else: high = middle
    return make(h, low, rack)
worst, span = {}, 0.0
for name, make, h in (("double-wishbone", double_wishbone, dw), ("mcpherson", mcpherson, mp)):
    tests = json.load(open(f"{sys.argv[1]}/{name}.json"))["tests"]
    for test, key in (("bump", "lift"), ("roll", "roll"), ("steer", "rack")):
        told = tests[test]
        for i, x in enumerate(told[key]):
            rack = x if test == "steer" else 0.0
            z = x if test == "bump" else h["centre"][1]*math.tan(x) if test == "roll" else 0.0
            for side, sign in (("left", 1), ("right", -1)):
                # the right wheel is the mirror of a left one: rolled the other way, steered the other way
                seen = told[side]
                true = at_height(make, h, z if test == "bump" else sign*z, sign*rack)
                toe, camber = angles(true[1], 1)
                for what, gap in (("toe", toe - seen["toe"][i]), ("camber", camber - seen["camber"][i]), ("caster", caster(true[2]) - seen["caster"][i])):
                    worst[name, what] = max(worst.get((name, what), 0.0), abs(gap))
                if test != "steer":
                    span = max(span, abs(seen["z"][i]))
# the load on the wheel by virtual work: the strut's force times its way over that of the wheel
tests = json.load(open(f"{sys.argv[1]}/mcpherson.json"))["tests"]["bump"]
for i, z in enumerate(tests["lift"]):
    if z < -0.05: continue # the rebound stop
    s, up, down = (at_height(mcpherson, mp, z + d, 0.0)[3] for d in (0.0, 1e-4, -1e-4))
    load = (3200 - 22000*s)*-(up - down)/2e-4
    worst["mcpherson", "load, of itself"] = max(worst.get(("mcpherson", "load, of itself"), 0.0), abs(tests["left"]["load"][i]/load - 1))
for (name, what), gap in worst.items():
    limit = 1e-6 if "load" in what else 1e-9 # the load: differences of 0.1 mm
    print(f"measured kc, {name} {what} error={gap:.3e} limit={limit:.3e}")
    assert gap < limit, (name, what, gap)
assert span > 0.055
PY

# ---- compliance: hundred times harder bushings give way by a hundredth; axles without bushings not at all; links are springs in their length
for k in 1 100; do
    ends 0 kc $part/double-wishbone.yaml --set bushing_x=6e5*$k --set bushing_yz=6e6*$k --set bushing_turn=0 --force 200 --json
    mv "$dir/stdout" "$dir/soft$k.json"
done
for soft in 0 1; do
    ends 0 kc $part/multi-link.yaml --set soft=$soft --json
    mv "$dir/stdout" "$dir/links$soft.json"
done
ends 0 kc $part/live-axle.yaml --json
mv "$dir/stdout" "$dir/axle.json"
ends 0 kc $part/twist-beam.yaml --set soft=0 --json
mv "$dir/stdout" "$dir/beam.json"
must "what gives way, gives way as much as it should" python3 - "$dir" <<'PY'
import json, sys
def read(name):
    data = json.load(open(f"{sys.argv[1]}/{name}.json"))
    return data["tests"], {g["name"]: g["value"] for g in data["gradients"]}
soft, hard = read("soft1")[1], read("soft100")[1]
for name in ("lateral compliance", "longitudinal compliance", "lateral steer", "lateral camber"):
    gap = abs(100*hard[name]/soft[name] - 1)
    # the spring's load gives the rest, and turns a little with what gives way
    print(f"measured kc, {name} of bushings error={gap:.3e} limit=5.000e-02")
    assert gap < 5e-2, (name, soft[name], hard[name])
assert soft["lateral compliance"] > 0 and soft["longitudinal compliance"] > 0
rigid, links = read("links0")[1], read("links1")[1]
for name in ("bump camber", "bump steer", "wheel rate"):
    assert abs(links[name]/rigid[name] - 1) < 0.2, (name, rigid[name], links[name])
assert abs(rigid["lateral compliance"]) < 1e-6 < links["lateral compliance"]
tests, axle = read("axle")
# a rigid axle leans with its wheels: all of the roll (differences over half a degree), and no camber in bump
assert abs(axle["roll camber"] + 1) < 1e-3 and abs(axle["bump camber"]) < 1e-9, axle
tests, beam = read("beam")
assert -1 < beam["roll camber"] < -0.1 and abs(beam["bump camber"]) < 1e-9, beam
# left and right of one beam
for k in range(len(tests["roll"]["roll"])):
    assert abs(tests["roll"]["left"]["camber"][k] - tests["roll"]["right"]["camber"][-1 - k]) < 1e-9
PY

# ---- files
ends 0 kc $part/double-wishbone.yaml --out "$dir/curves"
must "a table of thirteen rows" test "$(wc -l <"$dir/curves/bump.csv")" = 14
must "with names" grep -q "^lift,left.z,left.toe,left.camber,left.caster,left.ahead,left.aside,left.load,right.z" "$dir/curves/bump.csv"
must "one for each test" test -s "$dir/curves/longitudinal.csv" -a -s "$dir/curves/steer.csv" -a -s "$dir/curves/roll.csv" -a -s "$dir/curves/lateral.csv"
must "gradients are told" grep -q "wheel rate .* N/m" "$dir/stdout"
if command -v gnuplot >/dev/null; then
    ends 0 kc $part/mcpherson.yaml --out "$dir/pictures" --plot
    must "pictures" test -s "$dir/pictures/bump.png" -a -s "$dir/pictures/lateral.png"
fi

# ---- what cannot be
ends 2 kc pendulum
must "what a suspension is" grep -q "is no suspension" "$dir/stderr"
ends 2 kc $part/mcpherson.yaml --bump no
must "a number" grep -q -- "--bump is a number above zero" "$dir/stderr"
ends 2 kc $part/mcpherson.yaml --set nothing=1
must "the parameter is named" grep -q "nothing" "$dir/stderr"
ends 2 kc $part/mcpherson.yaml --set side=1
must "what the rig gives is told" grep -q "'side' is what the rig gives by itself" "$dir/stderr"
cp $part/mcpherson.yaml "$dir/a\"b.yaml"
ends 2 kc "$dir/a\"b.yaml"
must "a name that cannot be included is told" grep -q "a double quote, .* rename it" "$dir/stderr"
ends 3 kc $part/mcpherson.yaml --bump 400
must "how far it reaches" grep -Eq "does not reach (that far|or bear that)" "$dir/stderr"
ends 3 kc $part/mcpherson.yaml --force 1e9
must "what tears it, too" grep -q "does not reach or bear that; ask for less (--force)" "$dir/stderr"
ends 0 kc $part/mcpherson.yaml --bump 90 --json
must "a wheel on its rebound stop is held down" python3 -c "
import json; b = json.load(open('$dir/stdout'))['tests']['bump']['left']['load']; assert b[0] < -300 < 0 < b[6] < b[12], b"
ends 3 kc $part/mcpherson.yaml --bump 400 --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"
mkdir "$dir/part"
sed 's/rest: sqrt[^,]*, stiffness: link_stiffness/stiffness: link_stiffness/' $part/multi-link.yaml >"$dir/part/no-length.yaml"
ends 3 kc "$dir/part/no-length.yaml"
must "springs without their length are told" grep -q "from where it is drawn" "$dir/stderr"
finish
