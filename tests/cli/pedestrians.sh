#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pedestrians of the yard: they walk as they should, stop at a truck that stands in their way, and whoever hits one is told by name.
. tests/cli/support.bash

ends 0 run forklift --run pedestrians --set loads=0 --time 6 --out "$dir/free.csv"
must "the walk is that of the ramp, later by inertia over gain" python3 - "$dir/free.csv" <<'PY'
import csv, math, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
radius, pace, gain, m = 5, 1.3, 400*5**2, 78
late = (m*radius**2 + m*(0.3**2 + 0.5**2)/12)/gain
angle = math.pi/2 + pace/radius*(row["t"] - 1 - late)
# first order in the lag: what is left of the start of the ramp has died out as exp(-4/0.2) before
assert abs(row["walker.1.x"] - 18 - radius*math.cos(angle)) < 1e-3, (row["walker.1.x"], angle)
assert abs(row["walker.1.y"] + 2 - radius*math.sin(angle)) < 1e-3, (row["walker.1.y"], angle)
assert row["hit.walkers.normal"] == 0
PY

# the yard is moved so that the circle leads into the side of the truck, which stands
ends 0 run forklift --run pedestrians --set loads=0 --set yard_x=-12 --time 8 --out "$dir/hit.csv" --formulation natural
must "the event has its name" grep -q "event: hits-pedestrian at t = 4.8" "$dir/stderr"
must "the touch says who" grep -q "touch: hits-pedestrian .*against pedestrian" "$dir/stderr"
must "nobody walks through the truck, nor moves it" python3 - "$dir/hit.csv" <<'PY'
import csv, math, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
assert math.hypot(row["truck.x"], row["truck.y"]) < 0.01
assert row["walker.1.y"] > 0.5, row["walker.1.y"]
# no harder than a person: 250 N along the way, which meets the side at 60 degrees, and friction 0.4 that helps or holds
assert 100 < row["hit.walkers.normal"] < 500, row["hit.walkers.normal"]
PY
ends 2 run forklift --run pedestrians --set walkers=3 --time 1
must "more than there are is refused" grep -q "walkers" "$dir/stderr"
finish
