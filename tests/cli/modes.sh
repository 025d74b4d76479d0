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

finish
