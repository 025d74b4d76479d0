#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# drive, replay and report from the command line; what a socket is needed for is in tests/api/test_drive.c.
. tests/cli/support.bash

# a drive whose inputs move: a manoeuvre of the model's own is not used, so the recording is made by a program with a socket elsewhere; here
# the rod falls by itself
drive=(drive pendulum-cart --headless --unpaced --time 2 --record "$dir/a.biela")
ends 0 "${drive[@]}"
must "the deadlines are reported" grep -q "400 steps of 0.005 s" "$dir/stdout"
must "the recording is named" grep -q "a.biela" "$dir/stdout"
ends 0 replay "$dir/a.biela" --json
must "all hashes are equal, told as JSON" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
assert found["comparable"] and found["compared"] == found["equal"] > 0 and found["status"] == "ok", found' "$dir/stdout"
ends 0 replay "$dir/a.biela"
must "hashes are compared" grep -q "5 of 5 equal" "$dir/stdout"
# files that are only seen, and what they name themselves, are in the recording
ends 0 drive tests/keys/looks.yaml --headless --unpaced --time 0.1 --record "$dir/looks.biela"
ends 0 replay "$dir/looks.biela"

# the same steps as a run
ends 0 replay "$dir/a.biela" --csv "$dir/replay.csv" --every 0.01 --manoeuvre "$dir/m.csv"
ends 0 run pendulum-cart --time 2 --out "$dir/run.csv" --quiet
ends 0 diff "$dir/run.csv" "$dir/replay.csv"
ends 0 run pendulum-cart --time 2 --manoeuvre "$dir/m.csv" --out "$dir/again.csv" --quiet
ends 0 diff "$dir/again.csv" "$dir/replay.csv"

# in the other formulation and with half the step: the rod falls alike; a chaotic motion does not
ends 0 replay "$dir/a.biela" --cross-check
must "the gaps are told" grep -q "cross-check   good: largest gap" "$dir/stdout"
ends 0 replay "$dir/a.biela" --cross-check --strict --json
must "the gaps in JSON" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))["cross_check"]
assert found["outcome"] == "good" and 0 < found["worst"] < 0.01 and len(found["channels"]) > 4, found' "$dir/stdout"
ends 0 drive double-pendulum --run high --dt 0.01 --headless --unpaced --time 20 --record "$dir/chaos.biela" --quiet
ends 4 replay "$dir/chaos.biela" --cross-check
must "bad gaps are told" grep -q "cross-check   bad: largest gap" "$dir/stdout"
must "bad gaps are told on stderr" grep -q "error: cross-check bad: the gap of" "$dir/stderr"
ends 0 replay "$dir/chaos.biela"

# with other parameters it is another motion, and hashes are not compared
ends 0 replay "$dir/a.biela" --set L=2 --csv "$dir/longer.csv" --every 0.01
must "it says that hashes are not compared" grep -q "not compared" "$dir/stdout"
ends 1 diff "$dir/longer.csv" "$dir/replay.csv" --tolerance 1e-3
ends 2 replay "$dir/a.biela" --set LL=2

# the drive as a line of text, in a file or inside an address: the model is the one of that name here
ends 0 replay "$dir/a.biela" --link
link=$(cat "$dir/stdout")
must "a line for an address" test "${link#\#drive=}" != "$link"
ends 0 replay "https://somewhere/page/?lang=es$link"
must "a link is compared by its hashes" grep -q "5 of 5 equal" "$dir/stdout"
echo "$link" >"$dir/link.txt"
ends 0 replay "$dir/link.txt" --link
must "the link of a link is the same" test "$(cat "$dir/stdout")" = "$link"
ends 0 replay "$dir/link.txt" --set L=2
must "another parameter is another motion" grep -q "not compared" "$dir/stdout"
ends 2 replay "${link%?????}"
must "a cut link is told" grep -q "cut or damaged" "$dir/stderr"
ends 0 report "$dir/link.txt" --out "$dir/link.html"
sed 's/^name: .*/name: mine/' examples/falling.yaml >"$dir/mine.yaml"
ends 0 drive "$dir/mine.yaml" --headless --unpaced --time 0.1 --record "$dir/mine.biela" --quiet
ends 2 replay "$dir/mine.biela" --link
must "a model of one's own cannot be a link" grep -q "give them the recording" "$dir/stderr"

# what is left of a recording that was cut, and what is no recording
head -c -100 "$dir/a.biela" >"$dir/cut.biela"
ends 0 replay "$dir/cut.biela"
must "the cut is told" grep -q "cut or damaged" "$dir/stderr"
head -c 100 "$dir/a.biela" >"$dir/head.biela"
ends 2 replay "$dir/head.biela"
must "the reason is told" grep -q "ends before the model" "$dir/stderr"
# cut between the files of its model: one error, not one for each file
head -c 1500 "$dir/looks.biela" >"$dir/inside.biela"
ends 2 view "$dir/inside.biela" --port 0 --no-open
must "one error tells it" test "$(grep -c error "$dir/stderr")" = 1
must "the place of the cut is told" grep -qE "ends (inside|before) the" "$dir/stderr"
# a file of any other kind is no table, and its bytes stay off the terminal
printf '\001\002t,x\n0,\033[2J\n' >"$dir/random.csv"
ends 2 view "$dir/random.csv" --port 0 --no-open
must "it is told" grep -q "random.csv: error: is no table" "$dir/stderr"
must "without its bytes" test "$(wc -l <"$dir/stderr")" = 1
ends 2 replay models/pendulum-cart/model.yaml
must "other files are told apart" grep -q "not a recording" "$dir/stderr"
ends 2 replay "$dir/none.biela"

# a recording whose hashes are of another drive: the byte order of a hash is in the last LOGS piece, so a changed model does it
sed 's/0.5, unit: kg/0.6, unit: kg/' models/pendulum-cart/model.yaml >"$dir/model.yaml"
ends 0 drive "$dir/model.yaml" --headless --unpaced --time 1 --record "$dir/b.biela" --quiet
ends 0 replay "$dir/b.biela" --quiet
rm "$dir/model.yaml"
ends 0 replay "$dir/b.biela" --quiet # the model is inside

# includes and tables travel along
mkdir "$dir/tree"
cp -r tests/include "$dir/tree/"
if [ -e "$dir/tree/include/double.yaml" ]; then
    ends 0 drive "$dir/tree/include/double.yaml" --headless --unpaced --time 0.2 --record "$dir/c.biela" --quiet
    rm -r "$dir/tree"
    ends 0 replay "$dir/c.biela" --quiet
fi

# exercises
exercise=models/pendulum-cart/exercises/to-the-right.yaml
ends 0 drive pendulum-cart --headless --unpaced --time 2 --exercise $exercise --record "$dir/e.biela" --quiet
ends 0 report "$dir/e.biela" --out "$dir/e.html"
must "the page tells the outcome" grep -q "failed after 1.0[0-9] s" "$dir/e.html"
must "the page tells the error of the step" grep -q "Error of the step" "$dir/e.html"
must "the page tells the sensitivity" grep -q "<th>M +1 %" "$dir/e.html"
must "the page has curves" grep -q "polyline" "$dir/e.html"
must "the report has the verdict" grep -q "<h2>Verdict: good</h2>" "$dir/e.html"
must "parameters have their units" grep -Eq "<div><b>[a-zA-Z_0-9]+</b> = [-0-9.e+]+ (m|kg|N|s|m/s[^<]*)<" "$dir/e.html"
must "and no SI in words" test "$(grep -c '(SI)' "$dir/e.html")" = 0
cp "$dir/e.html" "$dir/good.html"
ends 2 report "$dir/e.biela" --out "$dir/e.html" --plot nothing
ends 2 report "$dir/e.biela" --out "$dir/e.html" --vary nothing
must "a report that is refused leaves the good one" cmp "$dir/e.html" "$dir/good.html"
# what is no table, and a recording cut inside its model: one line, without raw bytes
head -c 3000 /dev/urandom >"$dir/noise.csv"
ends 2 view "$dir/noise.csv" --no-open
must "a file of noise is one line of text" test "$(LC_ALL=C grep -c . "$dir/stderr")" = 1
must "without its bytes" python3 -c "open('$dir/stderr', encoding='ascii').read()"
head -c 900 "$dir/e.biela" >"$dir/short.biela"
ends 2 view "$dir/short.biela" --no-open
must "a cut model is one line" test "$(grep -c . "$dir/stderr")" = 1
# a drive whose end is not written
head -c -40 "$dir/e.biela" >"$dir/cut.biela"
"$BIELA" report "$dir/cut.biela" --brief --out "$dir/cut.html" >/dev/null 2>&1
must "it is told as stopped before its end" grep -q "was stopped before it closed the file" "$dir/cut.html"
sed 's/tilt: angle.angle/tilt: angel.angle/; s/hold: 10/hodl: 10/' models/pendulum-cart/exercises/hold-upright.yaml >"$dir/bad.yaml"
ends 2 drive pendulum-cart --headless --time 1 --no-record --exercise "$dir/bad.yaml"
must "a misspelt key is told" grep -q "did you mean 'hold'" "$dir/stderr"
sed 's/tilt: angle.angle/tilt: angel.angle/' models/pendulum-cart/exercises/hold-upright.yaml >"$dir/bad.yaml"
ends 2 drive pendulum-cart --headless --time 1 --no-record --exercise "$dir/bad.yaml"
must "a missing channel is told" grep -q "no channel 'angel.angle'" "$dir/stderr"

# a goal is reached when the channel says so: the first row of a run beyond it, and one hold time later
cat >"$dir/easy.yaml" <<'END'
exercise: 1
names: {cart: position.position}
goals:
  - {text: left, when: cart < -0.05}
  - {text: hold, when: cart < -0.01, hold: 0.1}
END
ends 0 drive pendulum-cart --headless --unpaced --time 2 --exercise "$dir/easy.yaml" --record "$dir/f.biela" --quiet
ends 0 report "$dir/f.biela" --out "$dir/f.html" --brief
ends 0 run pendulum-cart --time 2 --every 0 --out "$dir/each.csv" --quiet
reached=$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "position.position") c = k } NR > 1 && $c < -0.05 { printf "%.2f", $1; exit }' "$dir/each.csv")
must "the goal is reached at $reached s" grep -q "reached at $reached s" "$dir/f.html"
must "the exercise is passed" grep -q "passed after" "$dir/f.html"

# what an exercise cannot say: told with its line, not left out
wrong() {
    sed "$1" "$dir/easy.yaml" >"$dir/wrong.yaml"
    ends 2 drive pendulum-cart --headless --unpaced --time 0.1 --no-record --exercise "$dir/wrong.yaml" --quiet
    must "an exercise: $2" grep -q "wrong.yaml:[0-9]*:[0-9]*: error: .*$2" "$dir/stderr"
}
wrong 's/hold: 0.1/hold: -1/' "hold: must not be negative"
wrong 's/^goals/time: 0\ngoals/' "time: must be above zero"
wrong 's/^goals/par: [5]\ngoals/' "par: a number is expected here"
wrong 's/^goals/faults: collision\ngoals/' "faults: a list is expected here"
wrong 's/^goals/limits: [{text: a, value: cart, max: 1, final: yes}]\ngoals/' "final: is true or false"
wrong 's/^goals/limits: [{text: a, value: cart, max: 1, cost: -5}]\ngoals/' "cost: must not be negative"
wrong 's/^goals/marks: [{kind: tower, at: [1, 0]}]\ngoals/' "a mark is a gate, line, zone, arrow or cone"
wrong 's/^goals/marks: [{kind: cone, at: [1, nan]}]\ngoals/' "a mark needs 2 to 3 numbers as 'at'"

# a channel that changes only by rounding: its plot ends, too
ends 0 drive four-bars --set N=1 --headless --unpaced --time 0.5 --record "$dir/g.biela" --quiet
must "the plot of a constant ends" timeout 600 "$BIELA" report "$dir/g.biela" --brief --out "$dir/g.html" --plot energy.total,energy.balance

# options
# a light ball on a stiff floor, far beyond the step: told while it is driven, and in its report
cat >"$dir/ball.yaml" <<'YAML'
biela: 1
name: ball
bodies: {b: {mass: 0.01, inertia: {sphere: 0.01}, at: [0, 0, 0.11]}}
shapes: {floor: {type: plane}, s: {type: sphere, body: b, radius: 0.01}}
forces: {f: {type: contact, a: s, b: floor, stiffness: 1e6, damping: 1, friction: 0.3}}
run: {time: 3, dt: 1e-3}
YAML
ends 4 drive "$dir/ball.yaml" --headless --unpaced --time 2 --record "$dir/h.biela"
must "a bad drive says so" grep -q "verdict: bad" "$dir/stderr"
ends 4 report "$dir/h.biela" --brief --out "$dir/h.html"
must "and so does its report" grep -q "<h2>Verdict: bad</h2>" "$dir/h.html"

ends 2 drive pendulum-cart --headless --speed 100
ends 2 drive pendulum-cart --port 70000
ends 2 drive no-such-model --headless
finish
