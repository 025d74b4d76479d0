#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# durability: the example of ASTM E1049, hot spots sorted by damage, and what it says about mistakes.
. tests/cli/support.bash

cat >"$dir/astm.csv" <<'CSV'
t,low,high,mean
0,-2,-4,1
1,1,2,2
2,-3,-6,1
3,5,10,2
4,-1,-2,1
5,3,6,2
6,-4,-8,1
7,4,8,2
8,-2,-4,1
CSV

# once: half cycles of 3, 4, 6, 8, 8, 9 and a whole one of 4; damage by hand with amplitude 10 for one cycle and slope 1:
# sum of count * range / 2 / 10 = (0.5 * (3 + 4 + 6 + 8 + 8 + 9) + 4) / 20 = 23 / 20
"$BIELA" durability "$dir/astm.csv" --channel low,high --sn 10,1,1 --once --json >"$dir/out.json"
must "exit code 0" test $? -eq 0
must "json is valid, and counts as the standard prints" python3 - "$dir/out.json" <<'PY'
import json, sys
out = json.load(open(sys.argv[1]))
first, second = out["channels"]
assert (first["channel"], second["channel"]) == ("high", "low"), "the worse one comes first"
assert abs(second["damage"] - 1.15) < 1e-12, second["damage"]
assert abs(first["damage"] - 2.30) < 1e-12, first["damage"]
count = {}
for cycle in second["rainflow"]:
    count[cycle["range"]] = count.get(cycle["range"], 0) + cycle["count"]
assert count == {3: 0.5, 4: 1.5, 6: 0.5, 8: 1.0, 9: 0.5}, count
assert out["duration"] == 8
PY

"$BIELA" durability "$dir/astm.csv" --channel 'l*,m*' --sn 10,1,1 >"$dir/out.txt"
must "patterns choose channels" grep -q '^low ' "$dir/out.txt"
must "patterns choose several" grep -q '^mean ' "$dir/out.txt"
must "repeated by default" grep -q 'as repeated' "$dir/out.txt"

"$BIELA" durability "$dir/astm.csv" --channel lov --sn 10,1,1 2>"$dir/err"
must "an unknown channel is a mistake" test $? -eq 2
must "with a hint" grep -q "did you mean 'low'" "$dir/err"
"$BIELA" durability "$dir/astm.csv" --channel low --sn 10,1 2>"$dir/err"
must "an incomplete line is a mistake" test $? -eq 2
must "that says what is needed" grep -q 'three positive numbers' "$dir/err"
"$BIELA" durability "$dir/astm.csv" --sn 10,1,1 2>"$dir/err"
must "no channel is a mistake" test $? -eq 2
"$BIELA" durability "$dir/none.csv" --channel low --sn 10,1,1 2>"$dir/err"
must "a missing file is a mistake" test $? -eq 2
finish
