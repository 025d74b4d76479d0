#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela bench --contact`: the smallest scenes; `bench --batch`: few sims. Times are not judged; what is measured must be numbers.
. tests/cli/support.bash

# judge.py FILE OUTCOMES: all rows that were tried have one of these outcomes, and their numbers are there
cat >"$dir/judge.py" <<'END'
import json, math, sys
told = json.load(open(sys.argv[1]))
outcomes = sys.argv[2].split(",")
numbers = ["us_per_step", "iterations", "setup", "energy_growth", "energy_from_nowhere", "depth", "depth_static",
           "depth_allowed", "speed_at_end", "touching_pairs"]
measured = [row for row in told["rows"] if row["outcome"] != "left out"]
assert measured, "no row"
for row in measured:
    assert row["outcome"] in outcomes, row
    if row["outcome"] == "measured" and row["scene"] != "forklift":
        for key in numbers:
            assert isinstance(row[key], (int, float)) and math.isfinite(row[key]), (row["scene"], key)
        assert row["bodies"] == row["n"], row
assert all(row["outcome"] == "left out" for row in told["rows"] if row["n"] > 10), "--most"
END

for scene in free-fall at-rest asleep apart; do
    ends 0 bench --contact --only $scene --most 10 --budget 500 --json
    must "$scene is measured" python3 "$dir/judge.py" "$dir/stdout" measured
done
ends 0 bench --contact --only asleep --most 10 --budget 500 --json
must "all sleep" python3 -c "import json; r = json.load(open('$dir/stdout'))['rows'][0]; assert r['asleep'] == 10, r"
ends 0 bench --contact --only at-rest --most 10 --budget 500 --formulation natural --json
must "at rest means at rest" python3 -c "
import json; r = json.load(open('$dir/stdout'))['rows'][0]
assert r['speed_at_end'] < 1e-6 and r['touching_pairs'] == 10 and r['keeps_promises'], r"

ends 0 bench --contact --only pile --most 10 --budget 0.001 --json
must "without time it is stopped" python3 "$dir/judge.py" "$dir/stdout" stopped
ends 0 bench --contact --only forklift --budget 0.001
must "and says so" grep -q "stopped after" "$dir/stdout"

ends 2 bench --contact --only pyle
must "the nearest scene" grep -q "is it 'pile'" "$dir/stderr"
ends 2 bench --contact --scheme ali4
ends 2 bench --contact --most few
must "a number" grep -q "wants a number" "$dir/stderr"
ends 2 bench --most 10
must "needs --contact" grep -q "needs --contact" "$dir/stderr"
# sims side by side: each has the bits that one has alone
ends 0 bench --batch --quick --json
must "all hashes of the batches are equal" python3 -c "
import json; rows = json.load(open('$dir/stdout'))['rows']
assert [r['model'] for r in rows] == ['chain', 'car', 'clio'], rows
assert all(r['ok'] and r['hashes_equal'] and r['sims'] == 4 for r in rows), rows"
ends 0 bench --batch --quick
must "and told" grep -q "all hashes equal" "$dir/stdout"
finish
