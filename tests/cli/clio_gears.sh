#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Five gears of the Clio against an integration along its path that shares nothing with it but parameters; lock, slip and shift are
# events; the eigenvalues of its handling are those of the car without its drive line.
. tests/cli/support.bash

ends 0 run clio --set shift_speed=471.2389 --time 60 --out "$dir/clio.csv"
for event in locks slips shifts; do
    must "event $event" test "$(grep -c "event: $event at" "$dir/stderr")" -ge 4
done
cat >"$dir/along.py" <<'PY'
import csv, math, sys
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[1]))]
# parameters of the model file
mass, wheels, J_engine, R, final, eta = 672.0080733944953 + 4*38.42, 4*1.95, 0.05, 0.2626056561016273, 3.571, 0.95
gears, shift, dead, back = [3.731, 2.049, 1.321, 0.967, 0.795], 471.2389, 0.23195477700018408, 0.2
def torque(w):
    n = w*30/math.pi/1000
    y = n - 2.5
    return eta*(78.5 - 3.3737569979215434*y**2 + 1.3234526408360585*y**3 - 0.2849173514774971*y**4)
def resistance(v):
    return mass*9.81*(0.01 + 9.405768275747042e-06*v*v) + 0.5*1.225*1.86*0.33*v*v
v, t, h, gear, since, slips, log = 0.0, 0.0, 1e-3, 0, 1e9, True, []
while t < 60.0:
    ratio = gears[gear]*final
    shaft = v/R*ratio
    if gear < 4 and shaft > shift:
        gear, since, ratio = gear + 1, 0.0, gears[gear + 1]*final
        log.append(t)
    shaft = v/R*ratio
    slips = slips and shaft < 261.79938779914943
    # standing start: the clutch carries 78.5 N m, which come in 0.2 s; a shift: none, then all of it in 0.2 s
    if slips:
        T, J = eta*78.5*min(t/0.2, 1.0), 0.0
    else:
        T, J = torque(shaft)*min(max((since - dead)/back, 0.0), 1.0), (J_engine if since > dead else 0.0)
    v += h*(T*ratio/R - resistance(v))/(mass + wheels/R**2 + J*(ratio/R)**2)
    t, since = t + h, since + h
end = rows[-1]
print("measured: speed at 60 s", end["speed"], "along the path", v, "shifts", log)
assert end["gear"] == 5.0, end["gear"]
assert abs(end["speed"]/v - 1.0) < 0.01
assert rows[-1]["drive.clutch.plates.locked"] == 1.0
# from the last shift on the plates lose nothing: joules of some 40 kJ that go through them each second
late = [r["drive.clutch.in->clutch.plates.energy"] for r in rows if r["t"] > 42.0]
print("measured: lost in the clutch from 42 s on", late[-1] - late[0])
assert abs(late[-1] - late[0]) < 0.01
PY
must "five gears" python3 "$dir/along.py" "$dir/clio.csv"
# ---- the same car, driven by the torque that its graph gives in the steady motion
ends 0 modes clio --run ramp --set steer_rate=0 --json
mv "$dir/stdout" "$dir/graph.json"
# 0.02 m/s off at the start, which fade with 0.027/s
ends 0 run clio --run ramp --set steer_rate=0 --time 500 --dt 5e-3 --every 10 --out "$dir/steady.csv"
mkdir -p "$dir/models"
cp -r models/scenery "$dir/models/scenery"
cp -r models/clio "$dir/models/clio"
python3 - "$dir/models/clio/model.yaml" "$dir/steady.csv" <<'PY'
import csv, sys
torque = list(csv.DictReader(open(sys.argv[2])))[-1]["drive.differential.out->left.e"]
text = open(sys.argv[1]).read()
a, b = text.index("\ngraphs:"), text.index("\noutputs:")
text = text[:a] + "\n" + text[b:]
lines = [l for l in text.splitlines() if "of: drive" not in l and "of: motor" not in l and "graph: drive}" not in l and "graph: motor}" not in l and "engine_speed" not in l
         and "drive.clutch" not in l and "kind: gear" not in l and "channel: rpm" not in l]
at = lines.index("forces:")
lines[at+1:at+1] = [f"  pull_{s}: {{type: torque, joint: spin_{s}, torque: {torque}}}" for s in ("fl", "fr")]
open(sys.argv[1], "w").write("\n".join(lines) + "\n")
PY
ends 0 modes "$dir/models/clio/model.yaml" --run ramp --set steer_rate=0 --json
cp "$dir/stdout" "$dir/bare.json"
must "handling without a graph" python3 - "$dir/graph.json" "$dir/bare.json" <<'PY'
import json, sys
def values(path):
    return [complex(e[0], e[1]) if isinstance(e, list) else complex(e["re"], e["im"]) for e in json.load(open(path))["points"][0]["eigenvalues"]]
x, y = values(sys.argv[1]), values(sys.argv[2])
zeros = [sum(abs(e) < 1e-6 for e in v) for v in (x, y)]
# place, heading and the angles of four wheels: nothing depends on them
assert zeros == [7, 7], zeros
# of the lateral motion (weave of the body, roll with sideslip, wheels against each other): all that the bare car has in common
worst = 0.0
for want in (complex(-0.653, 4.964), complex(-5.546, 0), complex(-10.65, 0), complex(-131.67, 0), complex(-214.1, 0), complex(-6.286, 65.13), complex(-6.181, 65.22)):
    p, q = (min(v, key=lambda e: abs(e - want)) for v in (x, y))
    worst = max(worst, abs(p - q)/abs(p))
    print(p, q, abs(p - q)/abs(p))
print("measured: handling with and without the graph", worst)
assert worst < 1e-6, worst
PY

finish
