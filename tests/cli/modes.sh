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
