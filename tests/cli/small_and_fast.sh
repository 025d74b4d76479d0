#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the verdict has to see: vibrations too small or too fast for the step, pulses between steps, guides that jump, runs that stop.
. tests/cli/support.bash

slider() { # NAME, then the lines of the model below its slider
    cat >"$dir/$1.yaml" <<YAML
biela: 1
name: $1
gravity: [0, 0, 0]
inputs: {u: {initial: 0, min: 0, max: 100}}
bodies: {b: {mass: 1, inertia: {box: [1, 1, 1]}}}
joints: {s: {type: prismatic, bodies: [ground, b], axis: [1, 0, 0], rate: $2}}
outputs: {s: {joint: s}}
$3
YAML
}

told() { # CODE, WORDS, run arguments
    local code=$1 words=$2
    shift 2
    ends "$code" run "$@" --strict --out "$dir/out.csv"
    must "$words: $*" grep -q "$words" "$dir/stderr"
}

last() { # COLUMN, VALUE, TOLERANCE
    must "$1 ends with $2" python3 - "$dir/out.csv" "$@" <<'PY'
import csv, sys
*_, row = csv.DictReader(open(sys.argv[1]))
value = float(row[sys.argv[2]])
print("measured", sys.argv[2], value)
assert abs(value - float(sys.argv[3])) <= float(sys.argv[4]), value
PY
}

# a tenth of a millimetre at 300 rad/s: the rule loses 4.5 rad of phase in two seconds
slider vibration 0.03 'forces: {k: {type: torsion-spring, joint: s, stiffness: 9e4}}
run: {time: 2}'
for formulation in joint natural; do
    told 4 "of what moved" "$dir/vibration.yaml" --formulation $formulation
done
ends 0 run "$dir/vibration.yaml" --dt 2e-5 --strict --out "$dir/out.csv"
last s.position "$(python3 -c 'import math; print(1e-4 * math.sin(600))')" 2e-6

# two links that turn at 20 rad/s for hundreds of turns: an angle that errs by a turn is lost, however far it went
cat >"$dir/links.yaml" <<'YAML'
biela: 1
name: links
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], spin: [0, 0, 20]}
  b: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], at: [1, 0, 0], velocity: [0, 20, 0], spin: [0, 0, -30]}
joints:
  j1: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  j2: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}
outputs: {j1: {joint: j1}, j2: {joint: j2}}
run: {time: 20, dt: 1e-3}
YAML
for formulation in joint natural; do
    told 4 "local errors" "$dir/links.yaml" --formulation $formulation
    told 4 "local errors" "$dir/links.yaml" --formulation $formulation --scheme rk4 --dt 5e-3
done
ends 0 run "$dir/links.yaml" --time 1 --strict --out "$dir/out.csv"
ends 0 run "$dir/links.yaml" --time 1 --strict --scheme rk4 --dt 1e-3 --out "$dir/out.csv"

# pulses of half a step, and a sine that is zero at every step
slider pulse 0 'forces: {f: {type: torque, joint: s, torque: "if(t > 0.5002 && t < 0.5007, 2000, 0)"}}
run: {time: 1, dt: 1e-3}'
told 4 "falls between steps" "$dir/pulse.yaml"
slider sine 0 'forces: {f: {type: torque, joint: s, torque: "10*sin(2*pi*500*t)^2"}}
run: {time: 1, dt: 1e-3}'
for scheme in ali3p heun; do
    told 4 "falls between steps" "$dir/sine.yaml" --scheme $scheme
done

# steps of any length meet the corners of manoeuvres and tables: 100 N over 20 ms, a triangle, 1 m/s
printf 't,u\n0,0\n0.51,0\n0.52,100\n0.53,0\n1,0\n' >"$dir/pulse.csv"
slider corners 0 "forces: {f: {type: torque, joint: s, torque: u}}
run: {time: 1, dt: auto, every: 0.1, manoeuvre: pulse.csv}"
slider table 0 'tables: {p: {points: [[0, 0], [0.51, 0], [0.52, 100], [0.53, 0], [1, 0]], interpolation: linear}}
signals: {pulse: {type: table, table: p}}
forces: {f: {type: torque, joint: s, torque: pulse}}
run: {time: 1, dt: auto, every: 0.1}'
for model in corners table; do
    for scheme in ali3p dopri5; do
        for formulation in joint natural; do
            ends 0 run "$dir/$model.yaml" --scheme $scheme --formulation $formulation --strict --out "$dir/out.csv"
            last s.rate 1 1e-9
        done
    done
done

# a guide that jumps moves the body without a velocity
slider jump 0 'constraints: {g: {type: guide, joint: s, value: "if(t < 0.5005, 0, 0.3)"}}
run: {time: 1}'
for scheme in ali3p rk4; do
    told 4 "no velocity tells of" "$dir/jump.yaml" --scheme $scheme
done

# rules without an embedded one
slider fast 1 'forces: {k: {type: torsion-spring, joint: s, stiffness: 100}}
run: {time: 5}'
for scheme in heun euler semi-implicit-euler; do
    told 4 "sum of the local errors" "$dir/fast.yaml" --scheme $scheme --dt 0.01
done

# what stopped is not good
slider stops 0 'forces: {f: {type: torque, joint: s, torque: "sqrt(0.5 - t)"}}
run: {time: 1}'
ends 3 run "$dir/stops.yaml" --out "$dir/out.csv"
must "a run that stopped is bad" grep -q '"outcome": "bad"' "$dir/out.verdict.json"
finish
