#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Links between two balls spin idly: kinematics of a Stewart platform does not ask for six more guides, and lifts it as geometry says.
. tests/cli/support.bash

for formulation in natural joint; do
    ends 0 kinematics tests/examined/stewart.yaml --formulation $formulation --out "$dir/$formulation.csv" --quiet
    must "the platform rises as its legs grow ($formulation)" python3 - "$dir/$formulation.csv" <<'PY'
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
foot, head = 0.8, 0.5
across2 = foot**2 + head**2 - 2*foot*head*math.cos(math.radians(30))
worst = 0.0
for row in rows:
    leg = math.sqrt(1 + across2) + 0.1*math.sin(2*float(row["t"]))
    worst = max(worst, abs(float(row["top.z"]) - math.sqrt(leg**2 - across2)))
print("measured height of the platform", worst)
# the file has twelve digits
assert worst < 1e-10, worst
PY
done
# a platform that may really move is still refused, with names
sed '/drive5/d' tests/examined/stewart.yaml >"$dir/free.yaml"
ends 2 kinematics "$dir/free.yaml"
must "the free ones are named" grep -q "not driven" "$dir/stderr"
finish
