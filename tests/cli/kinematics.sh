#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela kinematics`: guided mechanisms run, free ones are refused with names.
. tests/cli/support.bash

csv=$dir/k.csv
ends 0 kinematics slider-crank --time 1 --dt 0.05 --every 0.1 --out "$csv"
must "the summary says what it was" grep -q "20 steps of 0.05 s, kinematics" "$dir/stdout"
must "rows at 0, 0.1 ... 1" test "$(wc -l <"$csv")" -eq 12
ends 0 kinematics slider-crank --time 0.1 --json --out "$csv"
must "the summary is JSON" python3 -m json.tool "$dir/stdout"
ends 2 kinematics pendulum --out "$csv"
must "the free joint is named" grep -q "1 degree of freedom is not driven: pivot.angle" "$dir/stderr"
ends 2 kinematics pendulum --json --out "$csv"
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"

# a guide from a CSV file: value, rate and acceleration are those of the curve, 0.5 sin t sampled every 2 pi / 64 s. A spline of spacing
# h = 0.098 errs by 5/384 h^4, h^3/24 and h^2/8 of the amplitude
awk 'BEGIN { print "time,ignored,way"; for (k = 0; k <= 64; k++) { t = 6.283185307179586 * k / 64; printf "%.17g,0,%.17g\n", t * 1000, 500 * sin(t) } }' >"$dir/path.csv"
cat >"$dir/guided.yaml" <<END
biela: 1
name: guided by a file
bodies: {block: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, block], axis: [1, 0, 0]}}
tables: {path: {file: path.csv, columns: [time, way], units: [ms, mm]}}
signals: {along: {type: table, table: path}}
constraints: {drive: {type: guide, joint: rail, value: along}}
outputs: {x: {joint: rail}, f: {effort: drive}}
END
ends 0 kinematics "$dir/guided.yaml" --time 6 --dt 0.1 --every 0.1 --out "$dir/guided.csv"
must "value, rate and force follow the file" awk -F, '
    function far(a, b, limit) { return (a - b) ^ 2 > limit ^ 2 }
    NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k; next }
    { t = $1; n++
      if (far($c["x.position"], 0.5 * sin(t), 6.1e-7) || far($c["x.rate"], 0.5 * cos(t), 2e-5) || far($c["f"], -sin(t), 1.25e-3)) bad++ }
    END { exit bad > 0 || n != 61 }' "$dir/guided.csv"
sed -i 's/columns: .time, way./columns: [time, wya]/' "$dir/guided.yaml"
ends 2 kinematics "$dir/guided.yaml" --out "$dir/guided.csv"
must "a column that is not there" grep -q "guided.yaml:5:[0-9]*: error: .*wya" "$dir/stderr"

finish
