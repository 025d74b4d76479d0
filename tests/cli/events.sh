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
must "with name, time and remedy in the list" grep -q '^low,0.328.*,"lift it"$' "$dir/e.events.csv"
must "and in the JSON" grep -q '"remedy": "lift it"' "$dir/stdout"
must "an event that ends the run says how to go on" grep -q "^end,0.42.*,\"'do: note' lets the run go on\"$" "$dir/e.events.csv"
must "two events and a header" test "$(wc -l <"$dir/e.events.csv")" -eq 3
must "the last row is the event" test "$(tail -n 1 "$csv" | cut -d, -f1)" = "$(tail -n 1 "$dir/e.events.csv" | cut -d, -f2)"
ends 0 run pendulum --time 0.1 --out "$csv"
must "no file when nothing happened" test ! -e "$dir/e.events.csv"

finish
