#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Electronics of cars as parts (models/library/control.yaml) in the model assisted-car: what each of them is for, against the same car
# without it; and what they are made of, values of graphs that read joints.
. tests/cli/support.bash

# what a graph reads of a joint is what the joint tells, as often as it is read, beside states
for f in joint natural; do
    cat >"$dir/reads.yaml" <<YAML
biela: 1
name: a graph that reads rates
bodies: {disc: {mass: 1, inertia: [1, 1, 2], spin: [0, 0, 3]}, slide: {mass: 2, velocity: [0.5, 0, 0]}}
joints:
  pin: {type: revolute, bodies: [ground, disc], at: [0, 0, 0], axis: [0, 0, 1]}
  rail: {type: prismatic, bodies: [ground, slide], at: [0, 0, 0], axis: [1, 0, 0]}
graphs:
  g:
    nodes:
      a: {type: value, value: pin.rate}
      b: {type: value, value: rail.rate}
      c: {type: value, value: pin.rate - rail.rate}
      s: {type: state, value: a + b, initial: 7}
    bonds: []
outputs: {g: {graph: g}, a: pin.rate, b: rail.rate}
run: {time: 1, dt: 0.01, formulation: $f}
YAML
    ends 0 run "$dir/reads.yaml" --out "$dir/reads.csv" --quiet
    must "rates of joints in a graph, $f" python3 - "$dir/reads.csv" <<'PY'
import csv, sys
with open(sys.argv[1]) as file:
    rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
for r in rows:
    assert abs(r["a"] - 3) < 1e-12 and abs(r["b"] - 0.5) < 1e-12, r
    assert abs(r["g.a"] - 3) < 1e-12 and abs(r["g.b"] - 0.5) < 1e-12 and abs(r["g.c"] - 2.5) < 1e-12, r
    assert abs(r["g.s"] - 7 - 3.5*r["t"]) < 1e-9, r
PY
done

# ---- stability control and antilock brakes
for with in 0 1; do
    ends 0 handling assisted-car --only sine-dwell,split --set abs=$with --set esc=$with --json
    mv "$dir/stdout" "$dir/$with.json"
done
ends 0 handling assisted-car --only split --set abs=1 --set esc=0 --json
mv "$dir/stdout" "$dir/abs.json"
ends 0 handling assisted-car --only split --set clock=0.001 --set late=0.001 --json
mv "$dir/stdout" "$dir/quick.json"
ends 0 handling assisted-car --only split --set clock=0.01 --set late=0.01 --json
mv "$dir/stdout" "$dir/slow.json"
must "electronics do what they are for" python3 - "$dir" <<'PY'
import json, sys
def read(name):
    told = json.load(open(f"{sys.argv[1]}/{name}.json"))
    return {m["name"]: (m["outcome"], {f["name"]: f["value"] for f in m["found"]}) for m in told["manoeuvres"]}
bare, both, antilock = read("0"), read("1"), read("abs")
for name, told in (("without", bare), ("both", both), ("antilock", antilock)):
    print(f"  {name}: stops in {told['split'][1]['stopping distance']:.2f} m, {told['split'][1]['largest deviation']:.2f} m aside")
assert bare["sine-dwell"][0] == "fail" and both["sine-dwell"][0] == "pass", (bare, both)
assert bare["sine-dwell"][1]["yaw rate 1.00 s after the end"] > 100 and both["sine-dwell"][1]["yaw rate 1.75 s after the end"] < 5
assert both["sine-dwell"][1]["lateral displacement"] > 1.83
# half of a lane of 3.5 m, less half of the car: locked wheels leave it, the others do not
for told in (both, antilock):
    assert told["split"][1]["stopping distance"] < 0.95*bare["split"][1]["stopping distance"]
    assert abs(told["split"][1]["largest deviation"]) < 1.75 < abs(bare["split"][1]["largest deviation"])
assert abs(both["split"][1]["largest deviation"]) < 0.95
# a computer that looks every millisecond is as good; one that takes ten and answers ten later is not
quick, slow = read("quick"), read("slow")
assert abs(quick["split"][1]["stopping distance"]/both["split"][1]["stopping distance"] - 1) < 0.02
assert slow["split"][1]["stopping distance"] > 1.1*both["split"][1]["stopping distance"]
PY

# ---- traction control on ice, and a speed that is held
for f in joint natural; do
    for with in 0 1; do
        ends 0 run assisted-car --run ice --formulation $f --set tc=$with --out "$dir/ice$with.csv" --quiet
    done
    must "wheels on ice do not spin, $f" python3 - "$dir" <<'PY'
import csv, sys
def rows(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
free, held = rows("ice0"), rows("ice1")
assert max(r["aids.traction.slip"] for r in free) > 2
assert max(r["aids.traction.slip"] for r in held) < 0.15, max(r["aids.traction.slip"] for r in held)
assert held[-1]["x"] > 0.97*free[-1]["x"]
PY
done
ends 0 run assisted-car --run cruise --every 1 --out "$dir/cruise.csv" --quiet --strict
must "the speed is held" python3 - "$dir/cruise.csv" <<'PY'
import csv, sys
with open(sys.argv[1]) as file:
    rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
late = [r["aids.measured.y"] for r in rows if r["t"] > 50]
assert max(abs(v - 25) for v in late) < 0.05, late
PY
finish
