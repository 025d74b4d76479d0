#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Options that lose what was said, do nothing, or are no numbers: each is refused or told, once, by its name, before anything is done.
. tests/cli/support.bash

# refused WORDS ARGUMENTS...: exit code 2, one line on stderr that has the words
refused() {
    local words=$1
    shift
    ends 2 "$@"
    must "$*: '$words'" grep -qF -- "$words" "$dir/stderr"
    must "$*: told once" test "$(grep -c . "$dir/stderr")" -eq 1
}
out=(--out "$dir/o.csv")

# model NAME RUN...: a rod with this section `run`
model() {
    cat >"$dir/$1.yaml" <<YAML
biela: 1
name: $1
parameters: {k: 1}
bodies: {rod: {mass: 1, com: [1, 0, 0], inertia: [0, 0.1, 0.1]}}
joints: {pin: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}}
$2
YAML
}
json() { python3 -c "import json, sys; print(json.load(open('$dir/stdout'))['$1'])"; }

# a scheme of the command line changes who chooses steps: told; what the file asks for by itself stays
model fixed 'run: {time: 0.1, dt: 2e-3, every: 0.1}'
model chooses 'run: {time: 0.1, scheme: dopri5, every: 0.1}'
model auto 'run: {time: 0.1, scheme: dopri5, dt: auto, every: 0.1}'
model exact 'run: {time: 0.1, scheme: dopri5, tolerance: 1e-7, every: 0.1}'
ends 0 run "$dir/fixed.yaml" --scheme dopri5 --json "${out[@]}"
must "the file's dt is told" grep -q "note: --scheme: dopri5 chooses its steps, and the model's dt of 0.002 s is the first one only; --dt 0.002 keeps it" "$dir/stderr"
ends 0 run "$dir/fixed.yaml" --scheme dopri5 --dt 2e-3 --json "${out[@]}"
must "what is asked for is not told" test ! -s "$dir/stderr"
must "50 steps" test "$(json steps)" -eq 50
ends 0 run "$dir/chooses.yaml" --scheme ali3p --json "${out[@]}"
must "steps of the usual length are told" grep -q "note: --scheme: ali3p takes steps of 0.001 s, which dopri5 of the model chooses itself; --dt auto" "$dir/stderr"
must "100 steps" test "$(json steps)" -eq 100
for file in auto exact; do
    ends 0 run "$dir/$file.yaml" --scheme ali3p --json "${out[@]}"
    must "$file: the file's choice stays" grep -q '"tolerance"' "$dir/stdout"
    must "$file: without a word" test ! -s "$dir/stderr"
done
must "and its tolerance" test "$(json tolerance)" = 1e-07

# a unit where none belongs
refused "--rho: '1 m' has the unit m where a number without unit is expected" run pendulum --scheme ali3p-alpha --rho '1 m'
refused "--tolerance: '1e-3 s' has the unit s" run pendulum --tolerance '1e-3 s'
ends 0 run pendulum --time 0.1 --scheme ali3p-alpha --rho '90 %' "${out[@]}"

# what does nothing
refused "--rho: is for schemes that damp" run pendulum --scheme rk4 --rho 0.5
refused "--rho: is for schemes that damp" run pendulum --rho 0.5
refused "--sleep: no body of the model can fall asleep" run pendulum --sleep 1
model idle 'run: {time: 0.1, dt: 1e-3, rho: 0.5}'
refused "idle.yaml:6:33: error: run.rho: is for schemes that damp" check "$dir/idle.yaml"
model idle 'run: {time: 0.1, dt: 1e-3, dt_min: 1e-6}'
refused "idle.yaml:6:36: error: run.dt_min: is for steps chosen by error" check "$dir/idle.yaml"
model idle 'run: {time: 0.1, stabilisation: baumgarte}'
refused "idle.yaml:6:33: error: run.stabilisation: is for explicit schemes" check "$dir/idle.yaml"
model idle 'run: {time: 0.1, rho: 2}'
refused "run.rho: must be between 0 and 1" check "$dir/idle.yaml"
model idle 'run: {time: 0.1}
runs: {a: {scheme: rk4, rho: 0.5}}'
refused "idle.yaml:7:30: error: runs.a.rho: is for schemes that damp" check "$dir/idle.yaml"
# what a case, or the command line, makes use of or takes away is no mistake
model of_case 'run: {time: 0.1, dt: 1e-3, rho: 0.5}
runs: {a: {scheme: ali3p-alpha}, b: {scheme: rk4}}'
ends 0 run "$dir/of_case.yaml" --run b "${out[@]}"
must "no word of a base that a case uses" test ! -s "$dir/stderr"
model auto 'run: {time: 0.1, dt: auto, dt_min: 1e-6, tolerance: 1e-4}'
ends 0 run "$dir/auto.yaml" --dt 1e-3 "${out[@]}"
must "no word of what the command line replaces" test ! -s "$dir/stderr"

# times
ends 0 run pendulum --time 0.1 --every 1e300 "${out[@]}"
must "rows at the start and at the end" test "$(grep -c '^[0-9]' "$dir/o.csv")" -eq 2
for option in --dt --time --every; do
    refused "$option: 1e-300 s is too short: a step takes 1e-15 s at least" run pendulum $option 1e-300
done
refused "--time: a run of 1e+200 s has too many steps of 0.001 s" run pendulum --time 1e200

# one mistake, one message
model limits 'run: {time: 0.1, dt: auto, dt_min: 0.2, dt_max: 0.1}
runs: {a: {time: 1}, b: {time: 2}}'
refused "run: dt_min is larger than dt_max" check "$dir/limits.yaml"

# what is no number, in one wording
for option in --time --dt --every --tolerance --rho --sleep; do
    refused "$option: 'nan' is not a finite number; give one" run pendulum $option nan
done
refused "'-inf' is not a finite number; give one" run pendulum --set L=-inf
refused "--fine-step: 'nan' is not a finite number; give one" compare flex-bar --time 0.01 --fine-step nan
refused "--tolerance: 'nan' is not a finite number; give one" diff "$dir/o.csv" "$dir/o.csv" --tolerance nan
refused "--confidence: 'inf' is not a finite number; give one" sweep pendulum --grid L=1,2 --record final:P.x --confidence inf
refused "--confidence: 'nan' is not a finite number; give one" fit pendulum "$dir/o.csv" --params L --confidence nan

# twice
refused "--dt is given twice, '1e-3' and '1e-2'" run pendulum --dt 1e-3 --dt 1e-2
refused "--dt is given twice, '1e-3' and '1e-3'" run pendulum --dt=1e-3 --dt 1e-3
refused "--set L is given twice, '1' and '2'" run pendulum --set L=1 --set L=2
ends 0 run pendulum --set L=1 --set theta0=0 --quiet --quiet --time 0.1 "${out[@]}"
ends 0 sweep pendulum --grid L=1,2 --grid theta0=0,0.1 --record final:P.x --record final:P.y --time 0.1 --jobs 1 --quiet --out "$dir/s.csv"

# numbers that were read as far as it went
refused "--fine-elements: '2.5' is not a whole number from 1 to 1000" compare flex-bar --time 0.01 --fine-elements 2.5
refused "--fine-step: between two instants are 0.005 s; give from 5e-09 to 0.005" compare flex-bar --time 0.01 --fine-step 1
printf 't,P.x\n0,-1\n0.1,-0.95\n0.2,-0.81\n' >"$dir/measured.csv"
refused "--dt: a step of 5 s is longer than the data, 0.2 s" fit pendulum "$dir/measured.csv" --params L --dt 5 --out "$dir/f.csv"
ends 2 fit pendulum "$dir/measured.csv" --params L --dt 1e300 --out "$dir/f.csv"
must "no fit with such a step" grep -q "error: --dt: a step of 1e+300 s is longer than the data, 0.2 s" "$dir/stderr"
refused "--jobs: '2.5' is not the number of processes" sweep pendulum --grid L=1,2 --record final:P.x --jobs 2.5
refused "--count: '3x' is not a whole number" flex export flex-bar bar --out "$dir/bar.inp" --count 3x
ends 0 drive pendulum --headless --unpaced --time 0.1 --record "$dir/d.biela" --quiet
refused "--every: '1 ms' is not a time in s" replay "$dir/d.biela" --csv "$dir/d.csv" --every '1 ms'
must "nothing is written" test ! -e "$dir/d.csv"
refused "--by: '0.01x' is not a part" report "$dir/d.biela" --out "$dir/d.html" --by 0.01x

# no file is called "-"
refused "--out -: give the name of a file; standard output is /dev/stdout" run pendulum --time 0.1 --out -
"$BIELA" run pendulum --time 0.1 --quiet --out /dev/stdout >"$dir/rows" 2>/dev/null
must "rows on standard output" grep -q '^t,' "$dir/rows"
finish
