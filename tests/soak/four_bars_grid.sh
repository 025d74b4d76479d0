#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The N-four-bar through its singular positions on the whole grid of N and dt without round numbers: 72 runs of 20 s, none may fail, and none
# may drift more than 1.5 times as much per rod as one window does at the same step.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
drift() { # N dt -> energy drift per rod
    "$BIELA" run four-bars --set N="$1" --dt "$2" --time 20 --every 0.1 --out "$out/a.csv" --json >"$out/a.json" 2>"$out/err" || return 1
    python3 -c '
import json, sys
print(abs(json.load(open(sys.argv[1]))["energy_drift"]) / (2 * int(sys.argv[2]) + 1))' "$out/a.json" "$1"
}
bad=0
for dt in 1.3e-3 1.7e-3 2.3e-3 3.7e-3 4.9e-3 5.3e-3 7.9e-3 9e-3; do
    base=$(drift 1 $dt) || { echo "N=1 dt=$dt fails: $(cat "$out/err")"; exit 1; }
    for n in 2 3 4 7 9 15 25 33 60; do
        if ! d=$(drift $n $dt); then
            echo "N=$n dt=$dt fails: $(head -n 1 "$out/err")"
            bad=$((bad + 1))
        elif ! python3 -c "import sys; sys.exit(not ($d <= 1.5 * $base + 1e-9))"; then
            echo "N=$n dt=$dt drifts $d J per rod, one window $base"
            bad=$((bad + 1))
        fi
    done
    echo "dt=$dt done, one window drifts $base J per rod"
done
exit $((bad > 0))
