#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lessons of the forklift judged from recorded inputs (tests/course, of a driver in tests/unit/app/course): careful drives pass three of
# them without a fault, a careless one fails with the right faults by their names.
. tests/cli/support.bash
lessons=models/forklift/course

for lesson in 01-start-and-stop 02-there-and-back 03-between-the-cones; do
    ends 0 course judge forklift $lessons/$lesson.yaml tests/course/$lesson.csv --json
    must "$lesson is passed without a fault" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
assert found["state"] == "passed" and found["score"] == 100 and not found["faults"] and not found["reasons"], found' "$dir/stdout"
done

ends 4 course judge forklift $lessons/03-between-the-cones.yaml tests/course/careless.csv --json
must "the careless drive fails with the right faults" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
assert found["state"] == "failed" and found["score"] == 0, found
assert sorted(found["faults"]) == ["blind-reversing", "collision", "raised-speed", "rolls-over", "tilted-travel", "unstable"], found
assert found["reasons"][0]["text"] == "rolls over", found' "$dir/stdout"
ends 4 course judge forklift $lessons/03-between-the-cones.yaml tests/course/careless.csv
must "told in words" grep -q "fault: mast tilted ahead while travelling, -10 points; to do better: level the mast" "$dir/stdout"

# the clock begins with the first input: the same inputs ten seconds later take as long
awk -F, 'NR == 1 { print; next } NR == 2 { z = $0; sub(/^[^,]*,/, "", z); gsub(/[^,]+/, "0", z); print "0," z; print "10," z } { t = $1; sub(/^[^,]*,/, ""); printf "%.4f,%s\n", t + 10.001, $0 }' \
    tests/course/01-start-and-stop.csv >"$dir/late.csv"
ends 0 course judge forklift $lessons/01-start-and-stop.yaml "$dir/late.csv" --json
must "waiting costs nothing" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
assert abs(found["time"] - 12) < 0.2 and found["score"] == 100, found' "$dir/stdout"

# mistakes
ends 2 course
ends 2 course jugde forklift a b
ends 2 course judge forklift
must "what is missing is told" grep -q "wants MODEL EXERCISE.yaml INPUTS.csv" "$dir/stderr"
ends 2 course judge forklift no-such.yaml tests/course/careless.csv
ends 2 course judge forklift $lessons/01-start-and-stop.yaml no-such.csv
sed 's/collision: 30/colision: 30/' $lessons/01-start-and-stop.yaml >"$dir/bad.yaml"
ends 2 course judge forklift "$dir/bad.yaml" tests/course/careless.csv
must "an unknown fault is told with the nearest" grep -q "bad.yaml:.*the section 'faults' of the model has no 'colision'; did you mean 'collision'" "$dir/stderr"
sed 's/clock: input/clock: imput/' $lessons/01-start-and-stop.yaml >"$dir/bad.yaml"
ends 2 course judge forklift "$dir/bad.yaml" tests/course/careless.csv
must "a clock that is none" grep -q "bad.yaml:7:.*first input" "$dir/stderr"
sed 's/faults: .*/limits: [{text: t, event: nothing-like-it}]/; /^limits:$/,$d' $lessons/03-between-the-cones.yaml >"$dir/bad.yaml"
echo 'limits: [{text: t, event: crashess}]' >>"$dir/bad.yaml"
ends 2 course judge forklift "$dir/bad.yaml" tests/course/careless.csv
finish
