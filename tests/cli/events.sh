#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Events of a run: on stderr, in the JSON, in FILE.events.csv; a run that an event stops ends there.
. tests/cli/support.bash

csv=$dir/e.csv
sed '/^run:/i events:\n  low: {channel: P.y, below: -0.5, remedy: lift it}\n  end: {expr: pivot.angle, above: 4, do: stop}' \
    models/pendulum/model.yaml >"$dir/e.yaml"
ends 0 run "$dir/e.yaml" --dt 0.01 --out "$csv" --json
must "the summary is JSON" python3 -m json.tool "$dir/stdout"
must "it says why it ended" grep -q '"ending": "stopped by an event"' "$dir/stdout"
must "the event is told" grep -q "event: low at t = 0.328.* P.y is below -0.5; to try: lift it" "$dir/stderr"
must "with name, time and remedy in the list" grep -q '^low,0.328.*,"lift it",,' "$dir/e.events.csv"
must "and in the JSON" grep -q '"remedy": "lift it"' "$dir/stdout"
must "an event that ends the run says how to go on" grep -q "^end,0.42.*,\"'do: note' lets the run go on\",," "$dir/e.events.csv"
must "two events and a header" test "$(wc -l <"$dir/e.events.csv")" -eq 3
must "the last row is the event" test "$(tail -n 1 "$csv" | cut -d, -f1)" = "$(tail -n 1 "$dir/e.events.csv" | cut -d, -f2)"

# what a contact's event tells: who, where, how fast, how hard
cat >"$dir/ball.yaml" <<Y
biela: 1
name: ball
bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], at: [0.5, 0, 0.3]}}
gravity: [0, 0, -9.81]
shapes: {floor: {type: plane, title: the floor}, ball: {type: sphere, radius: 0.1, body: ball}}
forces: {touch: {type: contact, a: ball, b: floor, stiffness: 2e4, damping: 20}}
events: {lands: {type: touch, contact: touch}}
run: {time: 0.3, dt: 1e-4, every: 0.01}
Y
ends 0 run "$dir/ball.yaml" --out "$dir/ball.csv" --json
must "the touch is told" grep -q "touch: lands at t = 0.2019.*: ball against the floor at (0.50, 0.00, -\?0.00) m, 1.98 m/s; largest force 387 N, took 1.09.*J$" "$dir/stderr"
must "and is in the list" grep -q '^lands,0.2019.*,"ball","the floor",0.5,0,.*,1.980' "$dir/ball.events.csv"
must "and in the JSON" python3 -c "
import json, sys
touch = json.load(open(sys.argv[1]))['events'][0]['touch']
assert touch['a'] == 'ball' and touch['at'][0] == 0.5 and 380 < touch['force'] < 410 and 0.2 < touch['until'] < 0.25, touch" "$dir/stdout"

ends 0 run pendulum --time 0.1 --out "$csv"
must "no file when nothing happened" test ! -e "$dir/e.events.csv"

finish
