#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ten minutes of a pendulum and of the Bricard mechanism at 1 ms (a million steps): no failure, and the energy error stays the bounded one of
# the first ten seconds, in both formulations.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bad=0
for model in pendulum bricard; do
    for formulation in natural joint; do
        for time in 10 600; do
            "$BIELA" run $model --formulation $formulation --time $time --every 1 --out "$out/$time.csv" --quiet || bad=1
        done
        python3 - "$out/10.csv" "$out/600.csv" $model $formulation <<'PY' || bad=1
import csv, sys
def worst(path):
    rows = list(csv.reader(open(path)))
    k = rows[0].index("energy.balance")
    return max(abs(float(r[k])) for r in rows[1:])
short, long = worst(sys.argv[1]), worst(sys.argv[2])
print(f"{sys.argv[3]} {sys.argv[4]}: energy error {short:.2e} J in 10 s, {long:.2e} J in 600 s")
sys.exit(not long <= 20 * short + 1e-9)
PY
    done
done
exit $bad
