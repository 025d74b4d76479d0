#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Inputs from a file: the motion they cause against closed forms in every scheme, what is recorded, and mistakes in the file.
. tests/cli/support.bash

# a mass of 2 kg pushed along a rail by the input, and another moved along by a guide
mkdir "$dir/cart"
cat >"$dir/cart/model.yaml" <<'END'
biela: 1
name: cart
gravity: [0, 0, 0]
inputs: {push: 0, place: 0, spare: 3}
bodies:
  cart: {mass: 2, inertia: [0.1, 0.1, 0.1]}
  other: {mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  rail: {type: prismatic, bodies: [ground, cart], axis: [1, 0, 0]}
  rail2: {type: prismatic, bodies: [ground, other], axis: [1, 0, 0]}
forces: {drive: {type: torque, joint: rail, torque: push}}
constraints: {hold: {type: guide, joint: rail2, value: place}}
outputs: {x: {joint: rail}, y: {joint: rail2}, spare: spare}
run: {time: 3, dt: 0.02}
runs:
  filed: {manoeuvre: push.csv}
  missing: {manoeuvre: nowhere.csv}
END
printf 't,push,place\n0,0,0\n1,4,0.5\n2,4,0.5\n' >"$dir/cart/push.csv"

# closed form: force 4 t until 1 s, then 4. v = t^2, x = t^3/3; from 1 s on v = 1 + 2 (t-1), x = 1/3 + (t-1) + (t-1)^2
cat >"$dir/judge.py" <<'END'
import csv, sys
tolerance_v, tolerance_x = float(sys.argv[2]), float(sys.argv[3])
for r in csv.DictReader(open(sys.argv[1])):
    t = float(r["t"])
    s = t - 1
    v, x = (t * t, t ** 3 / 3) if t < 1 else (1 + 2 * s, 1 / 3 + s + s * s)
    assert abs(float(r["x.rate"]) - v) <= tolerance_v, (t, r["x.rate"], v)
    assert abs(float(r["x.position"]) - x) <= tolerance_x, (t, r["x.position"], x)
    assert abs(float(r["y.position"]) - min(0.5 * t, 0.5)) < 1e-9, (t, r["y.position"])
    assert abs(t - 1) < 0.03 or abs(float(r["y.rate"]) - (0.5 if t < 1 else 0)) < 1e-6, (t, r["y.rate"])
    assert float(r["spare"]) == 3
END
# the trapezoidal rule takes a force that is linear within each step exactly; its position is off by h^2/12 dv = 3e-5 at most.
# a force one step late would be off by 4 N h / 2 kg = 0.04 m/s
for formulation in natural joint; do
    ends 0 run "$dir/cart/model.yaml" --manoeuvre "$dir/cart/push.csv" --formulation $formulation --out "$dir/a.csv" --json
    must "trapezoidal, $formulation" python3 "$dir/judge.py" "$dir/a.csv" 1e-9 2e-4
    must "the summary names the file" grep -q '"manoeuvre": ".*push.csv"' "$dir/stdout"
    ends 0 run "$dir/cart/model.yaml" --manoeuvre "$dir/cart/push.csv" --scheme rk4 --formulation $formulation --out "$dir/b.csv" --quiet
    must "rk4, $formulation" python3 "$dir/judge.py" "$dir/b.csv" 1e-8 1e-8
    ends 0 run "$dir/cart/model.yaml" --manoeuvre "$dir/cart/push.csv" --dt auto --every 0.1 --tolerance 1e-6 --formulation $formulation --out "$dir/c.csv" --quiet
    must "steps by error, $formulation" python3 "$dir/judge.py" "$dir/c.csv" 1e-4 1e-4
    ends 0 run "$dir/cart/model.yaml" --manoeuvre "$dir/cart/push.csv" --scheme dopri5 --tolerance 1e-6 --every 0.1 --formulation $formulation --out "$dir/d.csv" --quiet
    must "dopri5, $formulation" python3 "$dir/judge.py" "$dir/d.csv" 1e-4 1e-4
done

# in the run section, the file is looked for beside the model
ends 0 run "$dir/cart/model.yaml" --run filed --out "$dir/e.csv" --quiet
must "the run section does the same" cmp "$dir/e.csv" <("$BIELA" run "$dir/cart/model.yaml" --manoeuvre "$dir/cart/push.csv" --out "$dir/f.csv" --quiet; cat "$dir/f.csv")
# the command line replaces it altogether
printf 't,place\n0,0.25\n' >"$dir/still.csv"
ends 0 run "$dir/cart/model.yaml" --run filed --manoeuvre "$dir/still.csv" --out "$dir/g.csv" --quiet
must "nothing of the other manoeuvre is left" python3 -c '
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
assert float(last["x.position"]) == 0 and abs(float(last["y.position"]) - 0.25) < 1e-12' "$dir/g.csv"
ends 2 run "$dir/cart/model.yaml" --run missing --out "$dir/h.csv"
must "the missing file is named" grep -q 'nowhere.csv.*cannot be read' "$dir/stderr"

# verify, checkpoint and restart
ends 0 run "$dir/cart/model.yaml" --run filed --verify --out "$dir/v.csv" --json
must "an estimate of the error" grep -q '"verify"' "$dir/stdout"
ends 0 run "$dir/cart/model.yaml" --run filed --out "$dir/r.csv" --checkpoint "$dir/kept" --every-seconds 0 --quiet
ends 0 run "$dir/cart/model.yaml" --run filed --out "$dir/r.csv" --restart "$dir/kept" --quiet
must "restarted: the same bytes" cmp "$dir/e.csv" "$dir/r.csv"
sed 's/1,4,/1,5,/' "$dir/cart/push.csv" >"$dir/more.csv"
ends 2 run "$dir/cart/model.yaml" --manoeuvre "$dir/more.csv" --out "$dir/r.csv" --restart "$dir/kept" --quiet

# the header of an HDF5 file carries the manoeuvre
if "$BIELA" run "$dir/cart/model.yaml" --run filed --out "$dir/x.h5" --quiet 2>/dev/null && command -v h5dump >/dev/null; then
    must "the manoeuvre is in the file" sh -c "h5dump -a /manoeuvre '$dir/x.h5' | grep -q push.csv"
    must "and its text" sh -c "h5dump -a /manoeuvre_text '$dir/x.h5' | grep -q 't,push,place'"
fi

# mistakes: all of them, with file and line
bad() { # NAME TEXT MESSAGE
    printf "$2" >"$dir/bad.csv"
    ends 2 run "$dir/cart/model.yaml" --manoeuvre "$dir/bad.csv" --out "$dir/no.csv"
    must "$1" grep -q "$3" "$dir/stderr"
}
bad "unsorted times" 't,push\n0,1\n2,1\n\n1,1\n' 'bad.csv:5:.*t = 1 is not after 2'
bad "twice the same time" 't,push\n0,1\n0,2\n' 'bad.csv:3:.*a jump is two rows'
bad "an unknown input" "t,pusch\n0,1\n" "bad.csv:1:.*no input of this name.*push"
bad "a gap" 't,push\n0,1\n1,\n2,3\n' 'bad.csv:3:.*empty or not a finite'
bad "not a number" 't,push\n0,1\n1,nan\n' 'bad.csv:3:.*empty or not a finite'
bad "infinite" 't,push\n0,inf\n' 'bad.csv:2:.*empty or not a finite'
bad "a word" 't,push\n0,1\n1,full\n' "bad.csv:3:.*'full' is not a number"
bad "a short row" 't,push\n0,1\n1\n' 'bad.csv:3:.*fewer'
bad "no column t" 'time,push\n0,1\n' 'names no column t'
bad "no rows" 't,push\n' 'at least one row'
bad "a column twice" 't,push,push\n0,1,1\n' 'two columns have this name'
bad "several mistakes" 't,pull,push\n0,1,\n0,1,2\n' 'bad.csv:2:.*empty'
must "and the others in the same run" sh -c "grep -q 'bad.csv:3' '$dir/stderr' && grep -q 'no input of this name' '$dir/stderr'"
must "no result of a refused run" test ! -e "$dir/no.csv"
finish
