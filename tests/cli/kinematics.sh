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

finish
