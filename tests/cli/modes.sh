#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela modes`: eigenvalues, sweeps, critical values, refusals.
. tests/cli/support.bash

ends 0 modes whipple --set v=5
must "the weave mode" grep -q -- "-0.775341882 +- 4.46486771i" "$dir/stdout"
ends 0 modes whipple --sweep v=4:6.5:0.25 --json --out "$dir/modes.csv"
must "modes are JSON" python3 -m json.tool "$dir/stdout"
must "points and critical speeds as published" python3 - "$dir/stdout" <<'PY'
import json, sys
data = json.load(open(sys.argv[1]))
assert abs(data["critical"]["weave"] - 4.29238253634111) < 1e-8
assert abs(data["critical"]["capsize"] - 6.02426201538837) < 1e-8
assert len(data["points"]) == 11
for point in data["points"]:
    values = point["eigenvalues"]
    assert len(values) == 4 and values == sorted(values)
    assert abs(point["M"][0][1] - 2.31941332208709) < 1e-8
assert data["points"][2]["v"] == 4.5
PY
must "a table of eleven rows" test "$(wc -l < "$dir/modes.csv")" = 12
ends 0 modes coupled-pendulums --run rest
must "the slow mode" grep -q "0.287802 Hz" "$dir/stdout"

# on tyres: windows of self-stability of an independent program; two eigenvalues stay zero while capsize passes them
for case in "0.020 4.208340257 4.737833678" "0 4.556158418 6.045257197"; do
    read -r section weave capsize <<< "$case"
    ends 0 modes bicycle --set "section=$section" --sweep v=3.5:6.5:0.25 --json
    must "window of self-stability, section $section" python3 - "$dir/stdout" "$weave" "$capsize" <<'PY'
import json, sys
critical = json.load(open(sys.argv[1]))["critical"]
assert sorted(critical) == ["capsize", "weave"], critical
assert abs(critical["weave"] - float(sys.argv[2])) < 1e-6 and abs(critical["capsize"] - float(sys.argv[3])) < 1e-6, critical
PY
done

# equal boxes beside each other, each with its own modes: bounce m s^2 + 4 c s + 4 k, tilt I s^2 + 4 c a^2 s + 4 k a^2 - m g h,
# with half a side a and the height h of the centre; without friction three zeros each twice
for case in "1 0" "7 0" "5 0.5"; do
    read -r boxes friction <<< "$case"
    python3 - "$boxes" "$friction" > "$dir/boxes.yaml" <<'PY'
import sys
n = range(int(sys.argv[1]))
print("biela: 1\nname: boxes\nbodies:")
for i in n: print(f"  b{i}: {{mass: 10, inertia: {{box: [0.4, 0.4, 0.2]}}, at: [{i}, 0, 0.09975]}}")
print("shapes:\n  floor: {type: plane}")
for i in n: print(f"  b{i}: {{type: box, body: b{i}, size: [0.4, 0.4, 0.2]}}")
print(f"forces:\n  g: {{type: contact, a: b*, b: floor, stiffness: 1e5, damping: 500, friction: {sys.argv[2]}}}")
print("run: {time: 1, dt: 1e-3}")
PY
    ends 0 modes "$dir/boxes.yaml" --json
    must "modes of $boxes boxes on springs, friction $friction" python3 - "$dir/stdout" "$boxes" "$friction" <<'PY'
import cmath, json, sys
point = json.load(open(sys.argv[1]))["points"][0]
values, boxes, slides = [complex(*v) for v in point["eigenvalues"]], int(sys.argv[2]), sys.argv[3] == "0"
def pair(m, c, k):
    root = cmath.sqrt(c * c - 4 * m * k)
    return (-c + root) / (2 * m), (-c - root) / (2 * m)
def count(value):  # the height of the corner in contact is uncertain by the depth: 2.5e-4 of 0.1
    return sum(abs(v - value) <= 1e-6 * abs(value) for v in values)
k, c, a, m, g = 1e5, 500, 0.2, 10, 9.81
bounce, tilt = pair(m, 4 * c, 4 * k), pair(10 / 12 * 0.2, 4 * c * a * a, 4 * k * a * a - m * g * 0.1)
assert len(values) == 12 * boxes, len(values)
assert all(count(v) == boxes for v in bounce), [count(v) for v in bounce]
if slides:
    assert all(count(v) == 2 * boxes for v in tilt), (tilt, [count(v) for v in tilt])
    assert sum(abs(v) < 1e-3 for v in values) == 6 * boxes
else:
    assert all(v.real < -1 for v in values)
PY
done

# how the critical speeds change with the parameters, against the closed form of the benchmark's matrices
ends 0 modes whipple --sweep v=4:6.5:0.5 --sensitivity --json
must "sensitivities as those of the published matrices" python3 - "$dir/stdout" <<'PY'
import json, math, sys
value = dict(w=1.02, c=0.08, lam=math.pi/10, g=9.81, rR=0.3, mR=2, IRxx=0.0603, IRyy=0.12, xB=0.3, zB=-0.9, mB=85, IBxx=9.2,
             IBxz=2.4, IByy=11, IBzz=2.8, xH=0.9, zH=-0.7, mH=4, IHxx=0.05892, IHxz=-0.00756, IHyy=0.06, IHzz=0.00708, rF=0.35, mF=3,
             IFxx=0.1405, IFyy=0.28)
def polynomial(p, v):
    q = type("p", (), p)
    s, c = math.sin(q.lam), math.cos(q.lam)
    mT = q.mR + q.mB + q.mH + q.mF
    xT = (q.xB*q.mB + q.xH*q.mH + q.w*q.mF)/mT
    zT = (-q.rR*q.mR + q.zB*q.mB + q.zH*q.mH - q.rF*q.mF)/mT
    ITxx = q.IRxx + q.IBxx + q.IHxx + q.IFxx + q.mR*q.rR**2 + q.mB*q.zB**2 + q.mH*q.zH**2 + q.mF*q.rF**2
    ITxz = q.IBxz + q.IHxz - q.mB*q.xB*q.zB - q.mH*q.xH*q.zH + q.mF*q.w*q.rF
    ITzz = q.IRxx + q.IBzz + q.IHzz + q.IFxx + q.mB*q.xB**2 + q.mH*q.xH**2 + q.mF*q.w**2
    mA = q.mH + q.mF
    xA, zA = (q.xH*q.mH + q.w*q.mF)/mA, (q.zH*q.mH - q.rF*q.mF)/mA
    IAxx = q.IHxx + q.IFxx + q.mH*(q.zH - zA)**2 + q.mF*(q.rF + zA)**2
    IAxz = q.IHxz - q.mH*(q.xH - xA)*(q.zH - zA) + q.mF*(q.w - xA)*(q.rF + zA)
    IAzz = q.IHzz + q.IFxx + q.mH*(q.xH - xA)**2 + q.mF*(q.w - xA)**2
    uA = (xA - q.w - q.c)*c - zA*s
    IAll = mA*uA**2 + IAxx*s*s + 2*IAxz*s*c + IAzz*c*c
    IAlx = -mA*uA*zA + IAxx*s + IAxz*c
    IAlz = mA*uA*xA + IAxz*s + IAzz*c
    mu, SF = q.c/q.w*c, q.IFyy/q.rF
    ST = q.IRyy/q.rR + SF
    SA = mA*uA + mu*mT*xT
    M = [[ITxx, IAlx + mu*ITxz], [IAlx + mu*ITxz, IAll + 2*mu*IAlz + mu*mu*ITzz]]
    C = [[0, v*(mu*ST + SF*c + ITxz/q.w*c - mu*mT*zT)], [-v*(mu*ST + SF*c), v*(IAlz/q.w*c + mu*(SA + ITzz/q.w*c))]]
    K = [[q.g*mT*zT, -q.g*SA + v*v*(ST - mT*zT)/q.w*c], [-q.g*SA, -q.g*SA*s + v*v*(SA + SF*s)/q.w*c]]
    def product(a, b, d, e):  # (a s2 + .. )(..) of two entries
        out = [0]*5
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                out[i + j] += x*y
        for i, x in enumerate(d):
            for j, y in enumerate(e):
                out[i + j] -= x*y
        return out
    entry = lambda i, j: [K[i][j], C[i][j], M[i][j]]
    return product(entry(0, 0), entry(1, 1), entry(0, 1), entry(1, 0))
def weave(p, v):
    a0, a1, a2, a3, a4 = polynomial(p, v)
    return a1*a2*a3 - a0*a3*a3 - a4*a1*a1
def capsize(p, v): return polynomial(p, v)[0]
def root(f, p, low, high):
    for _ in range(200):
        mid = 0.5*(low + high)
        low, high = (mid, high) if (f(p, mid) > 0) == (f(p, low) > 0) else (low, mid)
    return 0.5*(low + high)
data = json.load(open(sys.argv[1]))
assert abs(root(weave, value, 3.5, 5) - data["critical"]["weave"]) < 1e-8
rows = {row["name"]: row for row in data["sensitivity"]["parameters"]}
for name in ("w", "c", "lam", "g", "rR", "rF", "xB", "zB", "mB", "IBxx", "IBxz", "xH", "mH", "IHzz", "mF", "IFxx", "IFyy", "IRyy"):
    for mode, f, low, high in (("weave", weave, 3.5, 5), ("capsize", capsize, 5, 7)):
        h, sum = 1e-3*value[name], 0
        for k, weight in ((-2, 1/12), (-1, -8/12), (1, 8/12), (2, -1/12)):
            sum += weight*root(f, dict(value, **{name: value[name] + k*h}), low, high)/h
        found = rows[name][mode]["derivative"]
        # relative to what one per cent of the parameter does to a speed of 5 m/s
        assert abs(found - sum)*abs(value[name]) < 2e-6, (name, mode, found, sum)
# speeds go as the root of gravity
assert abs(rows["g"]["weave"]["relative"] - 0.5) < 1e-7 and abs(rows["g"]["capsize"]["relative"] - 0.5) < 1e-7
assert {"IByy", "IHyy"} <= set(data["sensitivity"]["without_effect"])
PY
# on tyres, where two eigenvalues stay zero: against critical speeds found again with other parameters
ends 0 modes bicycle --sweep v=4:5:0.25 --sensitivity --parameters section,Kn --json
cp "$dir/stdout" "$dir/sensitivity.json"
for value in 0.0198 0.0202; do
    ends 0 modes bicycle --sweep v=4:5:0.25 --set "section=$value" --json
    cp "$dir/stdout" "$dir/section-$value.json"
done
must "sensitivity to the section of the tyres" python3 - "$dir" <<'PY'
import json, sys
read = lambda name: json.load(open(f"{sys.argv[1]}/{name}.json"))
rows = {row["name"]: row for row in read("sensitivity")["sensitivity"]["parameters"]}
assert rows["Kn"]["derived"] and not rows["section"]["derived"]
for mode in ("weave", "capsize"):
    by_hand = (read("section-0.0202")["critical"][mode] - read("section-0.0198")["critical"][mode])/0.0004
    # differences over 1 %: (1e-2)^2 of the derivative
    assert abs(rows["section"][mode]["derivative"]/by_hand - 1) < 1e-3, (mode, rows["section"][mode], by_hand)
PY
ends 2 modes bicycle --sensitivity
ends 2 modes bicycle --sweep v=4:5:0.5 --sensitivity --parameters sektion
must "the unknown parameter is named" grep -q "no parameter 'sektion'" "$dir/stderr"

# nothing damps: a real pair meets at zero and becomes an imaginary one, at (g r/3)^1/2
ends 0 modes rolling-disc --sweep v=0.55:2:0.25 --json
must "the speed from which a disc stays up" python3 - "$dir/stdout" <<'PY'
import json, math, sys
data = json.load(open(sys.argv[1]))
assert list(data["critical"]) == ["divergence"], data["critical"]
assert abs(data["critical"]["divergence"] - math.sqrt(9.81 * 0.5 / 3)) < 1e-8, data["critical"]
PY
ends 0 modes rolling-disc --sweep v=2:0.55:0.25
must "and downwards" grep -Eq "v = 1.27867118.*: divergence, unstable from here on" "$dir/stdout"

# a law with a state: L di/dt = V - R i - k w, torque k i, on a spring; the current settles first
cat > "$dir/motor.yaml" <<'YAML'
biela: 1
name: motor
parameters: {V: 3, k: 0.8}
bodies:
  rotor: {mass: 1, inertia: [0.2, 0.2, 0.2], turn: [{z: k*V/2/5}]}
joints:
  shaft: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  motor: {type: dc-motor, joint: shaft, voltage: V, resistance: 2, inductance: 0.1, constant: k}
  spring: {type: torsion-spring, joint: shaft, stiffness: 5}
run: {formulation: joint}
YAML
ends 0 modes "$dir/motor.yaml" --json
must "three eigenvalues of the cubic" python3 - "$dir/stdout" <<'PY'
import json, sys
point = json.load(open(sys.argv[1]))["points"][0]
values = [complex(*v) for v in point["eigenvalues"]]
assert len(values) == 3 and point["eigenvalues"] == sorted(point["eigenvalues"])
for s in values:
    assert abs((0.2 * s * s + 5) * (0.1 * s + 2) + 0.64 * s) < 1e-7, s
assert abs(point["F"][0][0] - 0.8) < 1e-9 and abs(point["Zz"][0][0] + 20) < 1e-7
PY
sed 's/turn: .*k.V.2.5}./turn: [{z: 0}]/' "$dir/motor.yaml" > "$dir/moving.yaml"
ends 2 modes "$dir/moving.yaml"
must "a motor that turns the spring further is not steady" grep -q "shaft.angle accelerates by 6" "$dir/stderr"

ends 2 modes whipple --set dphi0=0.3
must "names what accelerates" grep -Eq "not steady: .* accelerates by" "$dir/stderr"
ends 2 modes whipple --set dphi0=0.3 --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"
ends 2 modes whipple --sweep v=0:10
must "tells the form of a sweep" grep -q "name=from:to:step" "$dir/stderr"
ends 2 modes whipple --sweep w0=0:1:0.5
must "names the unknown parameter" grep -q "w0" "$dir/stderr"
ends 2 modes whipple --set v=5 --plot
must "a plot needs a sweep" grep -q -- "--sweep" "$dir/stderr"
ends 2 modes whipple --set v=5 --range -5:2
must "a range needs a plot" grep -q -- "--range belongs to --plot" "$dir/stderr"
for range in 2:-5 5 a:b 1:2x :; do
    ends 2 modes whipple --sweep v=4:5:0.5 --plot --range "$range" --out "$dir/range.csv"
    must "the range $range is refused" grep -q "LOW:HIGH" "$dir/stderr"
done
if command -v gnuplot >/dev/null; then
    # the picture: the window in which the bicycle stands by itself is shaded though place and heading never decay, and fast modes are cut
    mkdir -p "$dir/bin"
    printf '#!/bin/sh\ncat >"%s/script"\nexec %s "%s/script"\n' "$dir" "$(command -v gnuplot)" "$dir" >"$dir/bin/gnuplot"
    chmod +x "$dir/bin/gnuplot"
    PATH=$dir/bin:$PATH ends 0 modes bicycle --sweep v=4:5:0.25 --plot --out "$dir/window.csv"
    must "the window is shaded" grep -q "rectangle from first 4.2083[0-9]*, graph 0 to first 4.7378" "$dir/script"
    must "the fast modes are cut" python3 -c "import re; low = float(re.search(r'set yrange \\[(-[0-9.]+):', open('$dir/script').read()).group(1)); assert -10 < low < -1, low"
    PATH=$dir/bin:$PATH ends 0 modes bicycle --sweep v=4:5:0.5 --plot --range -3:1.5 --out "$dir/window.csv"
    must "the range asked for" grep -q "set yrange \[-3:1.5\]" "$dir/script"
fi

sed 's/independent: .*/independent: [base.lean, steer]/' models/whipple/model.yaml > "$dir/unknown.yaml"
ends 2 modes "$dir/unknown.yaml"
must "file, line and name of an unknown coordinate" grep -Eq "unknown.yaml:[0-9]+:[0-9]+: error: independent: 'base.lean'" "$dir/stderr"
sed 's/independent: .*/independent: [base.angle2, steer, base.angle3, rearaxle]/' models/whipple/model.yaml > "$dir/many.yaml"
ends 2 modes "$dir/many.yaml"
must "too many coordinates" grep -q "base.angle3 is not independent" "$dir/stderr"
sed 's/independent: .*/independent: [base.angle2]/' models/whipple/model.yaml > "$dir/few.yaml"
ends 2 modes "$dir/few.yaml"
must "too few coordinates" grep -q "steer.angle, which is not among them" "$dir/stderr"
sed 's/row: 1}/row: 3}/' models/whipple/model.yaml > "$dir/row.yaml"
ends 2 check "$dir/row.yaml"
must "a row that is not there" grep -q "rearwheel has no row 3" "$dir/stderr"

# ---- what carries power: graphs with states of their own
cat >"$dir/graph-motor.yaml" <<'YAML'
biela: 1
name: motor at speed
parameters: {V: 12, R: 0.5, L: 0.02, k: 0.1, b: 1e-3, J: 0.01}
bodies: {rotor: {mass: 1, inertia: [J, J, J], spin: [0, 0, V*k/(R*b + k^2)]}}
joints: {shaft: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1]}}
graphs:
  drive:
    nodes:
      supply: {type: Se, value: V}
      coil: {type: 1}
      wire: {type: I, value: L}
      heat: {type: R, value: R}
      field: {type: GY, value: k}
      out: {type: 1}
      bearing: {type: R, value: b}
      shaft: {type: port, joint: shaft}
      turned: {type: state, value: out.f}
      spent: {type: state, value: supply.e*coil.f}
      spent_twice: {type: state, value: spent}
    bonds: [supply -> coil, coil -> wire, coil -> heat, coil -> field -> out, out -> bearing, out -> shaft]
run: {formulation: joint}
YAML
ends 0 modes "$dir/graph-motor.yaml" --json
must "a motor at speed: its two modes and the place of its shaft" python3 - "$dir/stdout" <<'PY'
import json, sys
data = json.load(open(sys.argv[1]))
values = [complex(*v) for v in data["points"][0]["eigenvalues"]]
R, L, k, b, J = 0.5, 0.02, 0.1, 1e-3, 0.01
left = [s for s in values if abs(s) > 1e-9]
assert len(values) == 3 and len(left) == 2, values
worst = max(abs((L*s + R)*(J*s + b) + k*k)/(k*k) for s in left)
print(f"measured modes, motor at speed error={worst:.3e} limit=1.000e-08")
assert worst < 1e-8
note = json.dumps(data["messages"])
assert "nothing depends on drive.turned, drive.spent" in note.replace("drive.spent_twice, ", ""), note
PY
# what empties is not steady, and is named
sed 's/supply: .*/supply: {type: C, effort: "V*q\/3600", initial: 3600}/; /spent/d' "$dir/graph-motor.yaml" >"$dir/empties.yaml"
code=$("$BIELA" modes "$dir/empties.yaml" >"$dir/stdout" 2>"$dir/stderr" && echo 0 || echo $?)
must "a battery that empties is told" grep -Eq "drive.supply.q|shaft.angle is" "$dir/stderr"

# the Clio in third gear, and the same car with a rotor on a rigid gear instead of engine, clutch and gearbox: what steers, leans and bounces
# is the same; a locked clutch carries its torque within 2 ms, which is left of it in the modes along the road
python3 - "$dir/rigid.yaml" <<'PY'
import os, re, sys
s = open("models/clio/model.yaml").read()
s = s[:s.index("graphs:\n")] + s[s.index("outputs:\n"):]
s = re.sub(r"  engine_speed[01]: .*\n", "", s).replace("engine_speed$electric", "motor.rate")
s = re.sub(r"  (drive|motor): \{for.*graph: \w+\}\n|  locks: .*plates.locked.*\n|  slips: .*plates.locked.*\n", "", s)
models = os.getcwd() + "/models"
s = s.replace("../scenery", models + "/scenery").replace("meshes/", models + "/clio/meshes/")
n = "(0.00954929658551372*motor.rate)"
torque = (f"eta*(accelerator*(78.5 - 3.3737569979215434*({n} - 2.5)^2 + 1.3234526408360585*({n} - 2.5)^3 - 0.2849173514774971*({n} - 2.5)^4)"
          f" - (1 - accelerator)*(8 + {n} + 0.4*{n}^2))")
for section, line in (("bodies", "rotor: {mass: 1, inertia: [Je, Je, Je], spin: [0, engine0, 0]}"),
                      ("joints", "motor: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: [0, 1, 0]}"),
                      ("constraints", 'gears: {type: expression, zero: "motor.angle - 1.321*final*(spin_fl.angle + spin_fr.angle)/2"}'),
                      ("forces", f'burns: {{type: torque, joint: motor, torque: "{torque}"}}')):
    s = s.replace(f"\n{section}:\n", f"\n{section}:\n  {line}\n", 1)
open(sys.argv[1], "w").write(s)
PY
for m in clio "$dir/rigid.yaml"; do
    ends 0 modes "$m" --run ramp --set steer_rate=0 --set engine0=1.321*3.571*68.80584122018966 --json
    mv "$dir/stdout" "$dir/$(basename "$m" .yaml).json"
done
must "handling modes of a car with a graph are those of the same car without one" python3 - "$dir" <<'PY'
import json, sys
def point(name): return json.load(open(f"{sys.argv[1]}/{name}.json"))["points"][0]
graph = [complex(*v) for v in point("clio")["eigenvalues"]]
rigid = point("rigid")
names = json.load(open(f"{sys.argv[1]}/rigid.json"))["independent"]
worst = {"handling": 0.0, "along the road": 0.0}
for value, shape in zip(rigid["eigenvalues"], rigid["shapes"]):
    s = complex(*value)
    size = {n: abs(complex(*x)) for n, x in zip(names, shape)}
    gap = min(abs(s - g) for g in graph) / max(1.0, abs(s))
    if abs(s) > 100 and size["motor.angle"] > 0.5: continue # spins of the driven wheels: there the clutch is felt
    kind = "along the road" if size["motor.angle"] > 1e-3 and abs(s) > 1e-9 else "handling"
    worst[kind] = max(worst[kind], gap)
for (kind, gap), limit in zip(worst.items(), (1e-10, 2e-5)):
    print(f"measured modes, clio {kind} error={gap:.3e} limit={limit:.3e}")
    assert gap < limit, (kind, gap)
assert sum(abs(s) < 1e-9 for s in graph) == 7 == sum(abs(complex(*s)) < 1e-9 for s in rigid["eigenvalues"]) # x, y, yaw, four spins
PY
# a truck on trapped oil; with leaking cylinders its mast creeps, and what creeps is named
ends 0 modes forklift --run hydrostatic --set creep=0 --json
must "the hydrostatic forklift has modes, all of which decay" python3 - "$dir/stdout" <<'PY'
import json, sys
values = [complex(*v) for v in json.load(open(sys.argv[1]))["points"][0]["eigenvalues"]]
assert max(s.real for s in values) < 1e-9, values
assert min(abs(s + 50) for s in values) < 1e-6 and min(abs(s + 20) for s in values) < 1e-6 # the pedal's 20 ms, the pump's 50 ms
PY
ends 2 modes forklift --run hydrostatic
must "what creeps is named" grep -q "hydraulics.plant.oil.q" "$dir/stderr"
must "and what to do" grep -q "Shut what that leaks or flows through" "$dir/stderr"
# the car that is all graph, at speed
ends 0 modes clio-bg --run ramp --set steer_rate=0 --json
must "the same car as one graph leans and yaws alike" python3 - "$dir" <<'PY'
import json, sys
graph = [complex(*v) for v in json.load(open(f"{sys.argv[1]}/stdout"))["points"][0]["eigenvalues"]]
car = [complex(*v) for v in json.load(open(f"{sys.argv[1]}/clio.json"))["points"][0]["eigenvalues"]]
slow = [s for s in car if 0.01 < abs(s) < 12 and s.imag >= 0 and abs(s + 10.65) > 0.5]
worst = max(min(abs(s - g) for g in graph)/abs(s) for s in slow)
# wheels on elastic joints instead of rigid ones
print(f"measured modes, clio-bg beside clio error={worst:.3e} limit=5.000e-03")
assert len(slow) >= 5 and worst < 5e-3
PY
finish
