#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs that once gave wrong numbers without a word, and take their time: see examined.sh.
. tests/cli/support.bash

# ---- S1: the load ended upside down under the floor
"$BIELA" run forklift --run virola --manoeuvre tests/examined/accident.csv --time 21.5 --out "$dir/accident.csv" >"$dir/stdout" 2>"$dir/stderr"
must "the truck rolls over" grep -q "event: rolls-over" "$dir/stderr"
must "no load under the floor" python3 - "$dir/accident.csv" <<'PY'
import csv, sys
last = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
# the virola's place is that of its foot, its centre lies 0.75 m along its axis; no side of it is nearer to the centre than 0.38 m
centre = last["virola.z"] + 0.75*(1 - 2*(last["virola.qx"]**2 + last["virola.qy"]**2))
if centre < 0.3:
    sys.exit(f"the load's centre is at {centre} m")
PY

# ---- E9: a long chain of links of 1 kg has inertia in every direction
ends 0 run chain --set N=6000 --time 0.01 --dt 5e-3 --formulation joint --out "$dir/chain.csv"
must "it runs well" grep -q "verdict  *good" "$dir/stdout"

finish
