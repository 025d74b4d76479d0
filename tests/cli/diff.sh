#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela diff` against differences known beforehand: tables made by awk.
. tests/cli/support.bash

# table FILE STEP ROWS OFFSET: t, s = sin t, c = 100 cos t, and OFFSET added to s at the third row
table() {
    awk -v h="$2" -v n="$3" -v o="$4" 'BEGIN { print "t,s,c"
        for (k = 0; k < n; k++) { t = k * h; printf "%.17g,%.17g,%.17g\n", t, sin(t) + (k == 2 ? o : 0), 100 * cos(t) } }' >"$1"
}
field() { # COLUMN NUMBER: a word of the line of that column
    awk -v c="$1" -v n="$2" '$1 == c { print $n }' "$dir/stdout"
}

table "$dir/a.csv" 0.1 100 0
table "$dir/b.csv" 0.1 100 0.25
ends 0 diff "$dir/a.csv" "$dir/a.csv"
ends 1 diff "$dir/a.csv" "$dir/b.csv"
must "the largest difference" test "$(field s 2)" = 2.500e-01
must "relative to the range 2 of a sine" awk -v x="$(field s 3)" 'BEGIN { exit !(x > 0.1249 && x < 0.1255) }'
must "its time" test "$(field s 5)" = 0.2
must "rms = 0.25 / sqrt(100)" test "$(field s 4)" = 2.500e-02
must "the column beyond is marked" grep -q '^s .*beyond' "$dir/stdout"
must "the equal one is not" sh -c "! grep -q '^c .*beyond' '$dir/stdout'"
ends 0 diff "$dir/a.csv" "$dir/b.csv" --columns c
ends 0 diff "$dir/a.csv" "$dir/b.csv" --tolerance 0.13
ends 1 diff "$dir/a.csv" "$dir/b.csv" --tolerance 0.12

# a column that hardly moves is measured by its own range: half of a micrometre is half of it
awk 'BEGIN { print "t,P.x,P.y,Q.f"; for (k = 0; k < 50; k++) printf "%.17g,%.17g,%.17g,%.17g\n", 0.1 * k, 1e-6 * sin(0.1 * k), 1e-14 * (k % 3), 3e5 * cos(0.1 * k) }' >"$dir/small.csv"
awk -F, -v OFS=, 'NR == 1 { print } NR > 1 { $2 += 1e-6; $3 = -$3; $4 += 2e-8; print }' CONVFMT=%.17g OFMT=%.17g "$dir/small.csv" >"$dir/moved.csv"
ends 1 diff "$dir/small.csv" "$dir/moved.csv" --tolerance 0.1
must "the small column is beyond" grep -q '^P.x .*beyond' "$dir/stdout"
must "noise is not" grep -q '^P.y .*below the floor' "$dir/stdout"
must "the floor is told" grep -q "floor: 1e-12 of the largest value" "$dir/stdout"
ends 0 diff "$dir/small.csv" "$dir/moved.csv" --tolerance 0.6
ends 0 diff "$dir/small.csv" "$dir/moved.csv" --tolerance 1e-15 --columns Q.f
must "rounding of large numbers grows with them" grep -q '^Q.f .*below the floor' "$dir/stdout"
ends 1 diff "$dir/small.csv" "$dir/moved.csv" --tolerance 0.6 --floor 0
ends 0 diff "$dir/small.csv" "$dir/moved.csv" --tolerance 0.1 --floor 1e-5
ends 2 diff "$dir/small.csv" "$dir/moved.csv" --floor -1

# another grid: a cubic through four points is off by at most h^4 / 24 = 1.0e-6 of the fourth derivative at the ends,
# a straight line would be off by h^2 / 8 = 6.1e-4
table "$dir/fine.csv" 0.07 143 0
ends 0 diff "$dir/a.csv" "$dir/fine.csv" --tolerance 1.1e-6
ends 1 diff "$dir/a.csv" "$dir/fine.csv" --tolerance 1e-8
must "says that it interpolates" grep -q "interpolated at 100 of the 100 times" "$dir/stdout"
table "$dir/short.csv" 0.07 72 0
ends 0 diff "$dir/a.csv" "$dir/short.csv" --tolerance 1.1e-6
must "the common time only" grep -q "interpolated at 50 of the 100 times" "$dir/stdout"

# columns of one file only are listed
sed '1s/,c/,d/' "$dir/a.csv" >"$dir/d.csv"
ends 0 diff "$dir/a.csv" "$dir/d.csv"
must "only in a" grep -q "only in $dir/a.csv: c" "$dir/stdout"
must "only in b" grep -q "only in $dir/d.csv: d" "$dir/stdout"
ends 0 diff "$dir/a.csv" "$dir/d.csv" --json
must "JSON" python3 - "$dir/stdout" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["only_in_a"] == ["c"] and d["only_in_b"] == ["d"] and d["ok"] and d["columns"][0]["largest"] == 0, d
PY

# a number that is not one is never within a tolerance
sed '5s/,[^,]*$/,nan/' "$dir/a.csv" >"$dir/nan.csv"
ends 1 diff "$dir/a.csv" "$dir/nan.csv" --tolerance 1e9
must "names the column" grep -q '^c .*not a number at t = 0.3' "$dir/stdout"

# bad usage
ends 2 diff "$dir/a.csv"
ends 2 diff "$dir/a.csv" "$dir/none.csv"
ends 2 diff "$dir/a.csv" "$dir/b.csv" --columns ss
must "a suggestion" grep -q "did you mean 's'?" "$dir/stderr"
ends 2 diff "$dir/a.csv" "$dir/b.csv" --tolerance much
sed '4s/^[^,]*/0/' "$dir/a.csv" >"$dir/back.csv"
ends 2 diff "$dir/a.csv" "$dir/back.csv"
must "the line of the time that goes back" grep -q "back.csv:4:" "$dir/stderr"
awk -F, 'NR == 1 { print } NR > 1 { print $1 + 1000 "," $2 "," $3 }' "$dir/a.csv" >"$dir/later.csv"
ends 2 diff "$dir/a.csv" "$dir/later.csv"
must "no common time" grep -q "no time in common" "$dir/stderr"

# a model against its published curve, at other times
ends 0 run pendulum --dt 1e-3 --every 0.007 --time 5 --out "$dir/p.csv" --quiet
ends 0 diff models/pendulum/reference.csv "$dir/p.csv" --tolerance 1e-3
finish
