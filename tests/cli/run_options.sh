#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The options of `biela run`: file, rows, times, parameters, messages, JSON.
. tests/cli/support.bash

csv=$dir/new/folder/result.csv
rows() { echo $(($(wc -l <"$csv") - 1)); }
# field ROW COLUMN: of the result; row 0 is the header, -1 the last row
field() {
    if [ "$1" -lt 0 ]; then tail -n 1 "$csv"; else sed -n "$(($1 + 1))p" "$csv"; fi | cut -d, -f"$2"
}
column() { head -n 1 "$csv" | tr , '\n' | grep -nx "$1" | cut -d: -f1; }
near() { awk -v a="$1" -v b="$2" -v d="$3" 'BEGIN { exit !(a - b <= d && b - a <= d) }'; }

ends 0 run pendulum --time 1 --dt 1e-3 --every 0.1 --out "$csv"
must "the header begins with t" test "$(field 0 1)" = t
must "the header has P.x" test -n "$(column P.x)"
must "rows at 0, 0.1 ... 1" test "$(rows)" -eq 11
must "the first row is t = 0" test "$(field 1 1)" = 0
must "the last row is t = 1" test "$(field -1 1)" = 1
must "a row in between" near "$(field 4 1)" 0.3 1e-14
must "no temporary file stays" test ! -e "$csv.part"
must "the summary names the file" grep -q "$csv" "$dir/stdout"
must "the summary counts steps" grep -q "1000 steps" "$dir/stdout"
must "the pendulum starts at -1" near "$(field 1 "$(column P.x)")" -1 1e-12

# rows land on the multiples of `every`, whatever dt is; the run ends exactly at `time`
ends 0 run pendulum --time 1 --dt 0.003 --every 0.01 --out "$csv" --quiet
must "quiet says nothing" test ! -s "$dir/stdout"
must "rows of an odd dt" test "$(rows)" -eq 101
must "an odd dt lands on 0.37" near "$(field 38 1)" 0.37 1e-14
ends 0 run pendulum --time 0.1234 --dt 0.01 --every 0.05 --out "$csv"
must "0, 0.05, 0.1 and the end" test "$(rows)" -eq 4
must "the end is exact" test "$(field -1 1)" = "$(printf %.17g 0.1234)"
ends 0 run pendulum --time 0.01 --dt 10 --every 3 --out "$csv"
must "a step longer than the run is told" grep -q "step of 10 s is longer than the run of 0.01 s" "$dir/stderr"
must "and the summary tells the step that was made" grep -q "0.01 s in 1 steps of 0.01 s" "$dir/stdout"
ends 0 run pendulum --time 0.1 --dt 0.01 --every 0 --out "$csv"
must "every = 0 writes each step" test "$(rows)" -eq 11
ends 0 run pendulum --time 0 --out "$csv"
must "time = 0 writes the start" test "$(rows)" -eq 1
ends 0 run pendulum --time "100 ms" --every 0.01 --out "$csv"
must "times may have a unit" test "$(rows)" -eq 11

# named cases and parameters
ends 0 run pendulum --run slow --time 1 --out "$csv"
must "the case slow has dt = 0.01" grep -q "100 steps" "$dir/stdout"
ends 0 run pendulum --set "theta0=-90 deg" --time 0 --out "$csv"
must "a parameter with a unit" near "$(field 1 "$(column P.y)")" -1 1e-12
ends 0 run pendulum --set L=2 --set theta0=0 --time 0 --out "$csv"
must "two parameters" near "$(field 1 "$(column P.x)")" 2 1e-12
ends 2 run pendulum --set LL=2 --time 0 --out "$csv"
ends 2 run pendulum --set L --time 0 --out "$csv"
ends 2 run pendulum --run nothing --out "$csv"
ends 0 run four-bars --set N=3 --scheme index1-rk4 --dt 0.01 --time 1 --out "$csv"
must "the other scheme" grep -q "index1-rk4" "$dir/stdout"
ends 2 run pendulum --scheme index1 --out "$csv"
must "a misspelt scheme" grep -q "did you mean 'index1-rk4'?" "$dir/stderr"

# mistakes end before the first step and leave no file
rm -f "$csv"
ends 2 run pendulum --plot P.xx --out "$csv"
must "an unknown channel" grep -q "did you mean 'P.x'?" "$dir/stderr"
ends 2 run pendulum --tiem 1 --out "$csv"
must "an unknown option" grep -q "did you mean '--time'?" "$dir/stderr"
ends 2 run pendulum --time -1 --out "$csv"
ends 2 run pendulum --dt 0 --out "$csv"
ends 2 run pendulum --every abc --out "$csv"
ends 2 run no-such-model --out "$csv"
must "no file after a mistake" test ! -e "$csv"
ends 1 run pendulum --time 0 --out /proc/no/such/folder/a.csv

# three digits each: the product is right to a hundredth
ends 0 run pendulum --time 1 --out "$csv"
must "the factor of each clock is that of its own time" awk '/CPU time|wall clock/ { n++; x = $3 * $5; if (x < 0.98 || x > 1.02) bad++ } END { exit !(n == 2 && !bad) }' "$dir/stdout"

# one JSON object on stdout, also when the run is refused
ends 0 run pendulum --time 1 --json --out "$csv"
must "the summary is JSON" python3 -m json.tool "$dir/stdout"
must "both clocks and both factors" python3 - "$dir/stdout" <<'PY'
import json, math, sys
r = json.load(open(sys.argv[1]))
for clock in ("cpu", "wall"):
    assert r[f"{clock}_time"] > 0, r
    assert math.isclose(r[f"real_time_factor_{clock}"] * r[f"{clock}_time"], r["time"], rel_tol=1e-9), r
PY
must "JSON says ok" grep -q '"ok": true' "$dir/stdout"
must "JSON counts rows" grep -q '"rows": 101,' "$dir/stdout"
hash=$(grep '"hash"' "$dir/stdout")
ends 0 run pendulum --time 1 --json --out "$csv"
must "the same run has the same hash" test "$hash" = "$(grep '"hash"' "$dir/stdout")"
ends 2 run no-such-model --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"

# the default file is out/MODEL.csv under the present folder
root=$PWD
biela=$(realpath "$BIELA")
must "runs elsewhere" env -C "$dir" BIELA_MODELS="$root/models" "$biela" run pendulum --time 0.1
must "the default file" test -s "$dir/out/pendulum.csv"

finish
