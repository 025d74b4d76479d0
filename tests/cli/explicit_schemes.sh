#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Explicit schemes off the easy path: through positions where constraints lose rank, semi-implicit steps with constraints, and which
# steps dopri5 takes.
. tests/cli/support.bash

# tip NAME OPTIONS: height of the tip after 2 s, energy from nowhere and steps, of a linkage that lies flat three times
tip() {
    "$BIELA" run tests/examined/peaucellier.yaml --time 2 --out "$dir/tip.csv" --json "$@" >"$dir/tip.json" 2>"$dir/log"
    python3 - "$dir/tip.csv" "$dir/tip.json" <<'PY'
import csv, json, sys
rows = [row for row in csv.reader(open(sys.argv[1])) if not row[0].startswith('#')]
last = dict(zip(rows[0], rows[-1]))
said = json.load(open(sys.argv[2]))
print(last['D.y'], said['energy_drift'])
PY
}
# dopri5 and ali3p with ever smaller steps agree on it
right=-0.2231817
for formulation in joint natural; do
    for case in "1e-4 1e-4" "1e-6 2e-5" "1e-7 5e-6" "1e-8 5e-6"; do
        read -r tolerance limit <<<"$case"
        read -r y drift <<<"$(tip --scheme dopri5 --formulation $formulation --tolerance "$tolerance")"
        echo "measured tip of the linkage, dopri5 $formulation $tolerance: $y, $drift J from nowhere"
        must "dopri5 with $tolerance in $formulation coordinates is right to $limit" \
            awk -v y="$y" -v r=$right -v l="$limit" 'BEGIN { d = y - r; exit !(d < l && -d < l) }'
    done
    for case in "1e-3 1e-3" "2e-4 4e-5"; do
        read -r dt limit <<<"$case"
        read -r y drift <<<"$(tip --scheme index1-rk4 --formulation $formulation --dt "$dt")"
        echo "measured tip of the linkage, rk4 $formulation $dt: $y, $drift J from nowhere"
        must "rk4 with $dt in $formulation coordinates is right to $limit" \
            awk -v y="$y" -v r=$right -v l="$limit" 'BEGIN { d = y - r; exit !(d < l && -d < l) }'
    done
done

# semi-implicit steps: the energy swings and does not grow
drift() { "$BIELA" run "$@" --dt 1e-3 --json --out "$dir/e.csv" 2>/dev/null | python3 -c "import json, sys; print(json.load(sys.stdin)['energy_drift'])"; }
for model in pendulum four-bars; do
    short=$(drift $model --scheme semi-implicit-euler --formulation natural --time 10)
    long=$(drift $model --scheme semi-implicit-euler --formulation natural --time 40)
    euler=$(drift $model --scheme euler --formulation natural --time 10)
    echo "measured energy of $model: semi-implicit $short J in 10 s, $long J in 40 s, euler $euler J in 10 s"
    must "the energy of $model swings" awk -v a="$short" -v b="$long" -v e="$euler" \
        'BEGIN { a = a < 0 ? -a : a; b = b < 0 ? -b : b; e = e < 0 ? -e : e; exit !(b < 2 * a && 20 * a < e) }'
done

# dopri5 chooses its steps unless a dt stands beside it
steps() { "$BIELA" run "$@" --time 1 --json --out "$dir/s.csv" 2>/dev/null | python3 -c "import json, sys; print(json.load(sys.stdin)['steps'])"; }
cat >"$dir/own.yaml" <<'YAML'
biela: 1
name: own
bodies: {rod: {mass: 1, com: [1, 0, 0], inertia: [0, 0.1, 0.1]}}
joints: {pin: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}}
run: {time: 1, dt: 1e-3, every: 1}
runs: {chosen: {scheme: dopri5}, fixed: {scheme: dopri5, dt: 2e-3}}
YAML
must "--scheme dopri5 chooses" test "$(steps "$dir/own.yaml" --scheme dopri5)" -lt 500
must "--scheme dopri5 --dt is fixed" test "$(steps "$dir/own.yaml" --scheme dopri5 --dt 1e-3)" -eq 1000
must "a run with dopri5 chooses" test "$(steps "$dir/own.yaml" --run chosen)" -lt 500
must "a run with dopri5 and dt is fixed" test "$(steps "$dir/own.yaml" --run fixed)" -eq 500
must "--dt auto is for all" test "$(steps "$dir/own.yaml" --run fixed --dt auto)" -lt 500
finish
