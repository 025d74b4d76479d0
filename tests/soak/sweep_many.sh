#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A sweep of 1e5 cases: any of them is repeated alone from its number, with an equal row and hash.
. tests/cli/support.bash

sweep=(sweep pendulum --random 100000 --vary 'm=uniform(1,2)' --vary 'L=uniform(0.5,2)' --record final:energy.kinetic --time 0.05)
ends 0 "${sweep[@]}" --out "$dir/all.csv" --quiet
must "a row for each" test "$(wc -l <"$dir/all.csv")" -eq 100001
must "no two hashes are equal" test "$(tail -n +2 "$dir/all.csv" | sed 's/.*,//' | sort -u | wc -l)" -gt 99990
for k in 0 1 4096 54321 99999; do
    ends 0 "${sweep[@]}" --case $k
    must "case $k alone" test "$(tail -n 1 "$dir/stdout")" = "$(sed -n $((k + 2))p "$dir/all.csv")"
done
finish
