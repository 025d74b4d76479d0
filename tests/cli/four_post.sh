#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The car on four posts: its frequencies against the wheel rates that `biela kc` measures, peaks of the run against its frequencies, symmetry.
. tests/cli/support.bash

ends 0 modes four-post --set shake=0 --set damping=0 --set ct=0 --json
mv "$dir/stdout" "$dir/modes.json"
for p in double-wishbone multi-link; do
    ends 0 kc models/library/suspension/$p.yaml --set soft=0 --json
    mv "$dir/stdout" "$dir/$p.json"
done
ends 0 run four-post --out "$dir/heave.csv" --quiet --strict
ends 0 run four-post --run roll --time 2 --out "$dir/roll.csv" --quiet --strict
ends 0 run four-post --run roll --time 2 --formulation natural --out "$dir/roll-natural.csv" --quiet
must "a body on springs and tyres" python3 - "$dir" <<'PY'
import csv, json, math, sys
def rows(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
def rate(name):
    k = {g["name"]: g["value"] for g in json.load(open(f"{sys.argv[1]}/{name}.json"))["gradients"]}["wheel rate"]
    return 2*k*2e5/(k + 2e5) # two of them, in a row with their tyres
front, rear = rate("double-wishbone"), rate("multi-link")
m, I, l = 1000.0, 1500.0, 1.3
a, b, c = front + rear, (front - rear)*l, (front + rear)*l*l
mean, root = (a/m + c/I)/2, math.sqrt(((a/m - c/I)/2)**2 + b*b/(m*I))
told = [complex(*v).imag/(2*math.pi) for v in json.load(open(f"{sys.argv[1]}/modes.json"))["points"][0]["eigenvalues"] if v[1] > 0]
assert len(told) == 7, told # heave, pitch, roll, four wheels
for want in (math.sqrt(mean - root)/(2*math.pi), math.sqrt(mean + root)/(2*math.pi)):
    gap = min(abs(f/want - 1) for f in told)
    # wheels and links of 36 kg on springs of 11 and 21 kN/m before tyres of 200: their mass counts with a few per cent
    print(f"measured four posts, {want:.3f} Hz error={gap:.3e} limit=3.000e-02")
    assert gap < 3e-2
# wheels on both springs: sqrt(k/m)
assert sum(12 < f < 14.5 for f in told) == 4, told
heave = rows("heave")
def most(channel, low, high):
    still = heave[0][channel]
    return max((abs(r[channel] - still), r["frequency"]) for r in heave if low <= r["frequency"] <= high)
size, at = most("heave", 0.5, 20)
assert 0.95 < at < 1.3 and 2 < size/0.002 < 4, (size, at)
size, at = most("load_11", 5, 20)
assert 11.5 < at < 15, (size, at)
# left and right alike; with roll the body does not heave with the posts
assert max(abs(r["load_11"] - r["load_10"]) for r in heave) < 1e-3 and max(abs(r["roll"]) for r in heave) < 1e-7
rolled, natural = rows("roll"), rows("roll-natural")
assert max(abs(r["roll"]) for r in rolled) > 1e-3 > 50*max(abs(r["heave"] - rolled[0]["heave"]) for r in rolled)
gap = max(abs(a["roll"] - b["roll"]) for a, b in zip(rolled, natural))
print(f"measured four posts, both formulations, rad error={gap:.3e} limit=1.000e-06")
assert gap < 1e-6
PY
finish
