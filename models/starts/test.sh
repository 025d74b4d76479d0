#!/bin/sh
# SPDX-License-Identifier: MIT
# The test of this model: it checks, runs with a good verdict, can be driven, and moves as it did before.
# The first time, the result is kept as reference.csv. After a change that is meant, remove that file and run the test again.
set -eu
cd "$(dirname "$0")"
biela=${BIELA:-biela}
"$biela" check model.yaml
for run in default @RUNS@; do
    if [ "$run" = default ]; then set --; else set -- --run "$run"; fi
    "$biela" run model.yaml "$@" --strict --quiet --out "out/$run.csv"
done
"$biela" drive model.yaml --headless --unpaced --time 1 --quiet --record out/drive.biela
[ -e reference.csv ] || cp out/default.csv reference.csv
"$biela" diff reference.csv out/default.csv --tolerance 1e-6
echo "all good"
