#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Steps chosen by error, from the command line and from the file.
. tests/cli/support.bash

csv=$dir/a.csv
ends 0 run pendulum --time 1 --tolerance 1e-4 --every 0.1 --out "$csv"
must "the summary says the tolerance" grep -q "for a tolerance of 0.0001" "$dir/stdout"
must "rows at 0, 0.1 ... 1" test "$(wc -l <"$csv")" -eq 12
must "the last row is the end" test "$(tail -n 1 "$csv" | cut -d, -f1)" = 1
ends 0 run pendulum --time 1 --dt auto --every 0 --json --out "$csv"
must "the summary is JSON" python3 -m json.tool "$dir/stdout"
must "each step is a row" test "$(wc -l <"$csv")" -gt 200
must "the last row is the end" test "$(tail -n 1 "$csv" | cut -d, -f1)" = 1
ends 2 run pendulum --tolerance 2 --out "$csv"
sed 's/^run:.*/run: {time: 1, dt: auto, tolerance: 1e-4, dt_max: 1e-3}/' models/pendulum/model.yaml >"$dir/auto.yaml"
ends 0 run "$dir/auto.yaml" --out "$csv"
must "dt_max holds" grep -q "to 0.001 s" "$dir/stdout"
sed 's/^run:.*/run: {time: 1, dt: 0.1, tolerance: 1e-4}/' models/pendulum/model.yaml >"$dir/bad.yaml"
ends 2 run "$dir/bad.yaml" --out "$csv"
must "a tolerance without auto is told" grep -q "add 'dt: auto'" "$dir/stderr"
ends 0 run pendulum --time 0.1 --solver dense --out "$csv"
ends 2 run pendulum --solver mumps --out "$csv"
ends 0 run pendulum --time 0.1 --scheme ali3p-alpha --rho 0.5 --out "$csv"
ends 2 run pendulum --scheme ali3p-alpha --rho 1.5 --out "$csv"

finish
