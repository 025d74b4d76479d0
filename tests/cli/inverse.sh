#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela inverse`, and its actions back into `biela run`.
. tests/cli/support.bash

ends 0 inverse waveboard --run inverse1 --time 0.05 --out "$dir/gait.csv" --actions "$dir/actions.csv"
must "a pulling wheel is a warning with its time" grep -q "warning: wheel7 pulls on the ground from t = 0.01 s on" "$dir/stderr"
must "the actions have their names" grep -q "^t,F2x,F2y,M2x,F5y,M5x$" "$dir/actions.csv"
must "one row per instant" test "$(wc -l <"$dir/actions.csv")" -eq 7
ends 0 inverse waveboard --time 0.02 --out "$dir/gait.csv" --json
must "the summary is JSON" python3 -m json.tool "$dir/stdout"
must "JSON tells who pulls" grep -q '"name": "wheel7"' "$dir/stdout"

# back into the direct problem, by the samples or steered
ends 0 run waveboard --actions "$dir/actions.csv" --time 0.02 --out "$dir/open.csv"
ends 0 run waveboard --follow 0.02 --offset base.angle1=0.01 --feedback 100,20 --time 0.02 --out "$dir/closed.csv"
must "the run begins where it is let go" grep -q "^0.02" <(sed -n 2p "$dir/closed.csv")

# guides without actions: their own efforts
ends 0 inverse slider-crank --time 0.1 --out "$dir/crank.csv"

# an actuator set that cannot produce the motion
grep -v "F5y" models/waveboard/model.yaml >"$dir/four.yaml"
ends 2 inverse "$dir/four.yaml" --out "$dir/none.csv"
must "names the lack" grep -q "the 4 actions cannot produce the motion of 5 degrees of freedom" "$dir/stderr"
must "nothing is written" test ! -e "$dir/none.csv"

# an imposed motion that violates the constraints
sed 's/^imposed:/imposed:\n  more: {coordinate: th32.angle, value: 3*t}/' models/waveboard/model.yaml >"$dir/more.yaml"
ends 2 inverse "$dir/more.yaml" --out "$dir/none.csv"
must "says that it is imposed" grep -q "imposed" "$dir/stderr"
sed 's/coordinate: base.y/coordinate: base.q/' models/waveboard/model.yaml >"$dir/unknown.yaml"
ends 2 inverse "$dir/unknown.yaml" --out "$dir/none.csv"
must "an unknown coordinate has its line" grep -Eq "unknown.yaml:[0-9]+:[0-9]+: error: imposed.y21" "$dir/stderr"

# a motion that is not enough
grep -v "coordinate: th43" models/waveboard/model.yaml >"$dir/less.yaml"
ends 2 inverse "$dir/less.yaml" --out "$dir/none.csv"
must "names the free direction" grep -q "leaves 1 direction free" "$dir/stderr"

# feedback steers what is imposed; what the motion leaves free moves as it must: a pendulum under a cart
cat >"$dir/cart.yaml" <<'YAML'
biela: 1
name: cart
gravity: [0, -9.81, 0]
bodies:
  cart: {mass: 2, inertia: [1, 1, 1]}
  rod: {mass: 0.5, com: [0, -0.4, 0], inertia: [0.03, 0.03, 0.03]}
  other: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 3]}
joints:
  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}
  hinge: {type: revolute, bodies: [cart, rod], at: [0, 0, 0], axis: [0, 0, 1]}
  far: {type: prismatic, bodies: [ground, other], at: [0, 0, 3], axis: [1, 0, 0]}
imposed: {x: {coordinate: rail.position, value: 0.1*(1 - cos(5*t))}}
actions: {push: {type: effort, joint: rail}}
outputs: {x: rail.position, angle: hinge.angle, push: {effort: push}}
run: {time: 1, dt: 2e-3, every: 0.02, scheme: rk4}
YAML
for formulation in natural joint; do
    ends 0 run "$dir/cart.yaml" --feedback 100,20 --formulation $formulation --out "$dir/cart.csv"
    must "the free pendulum follows its own equation ($formulation)" python3 - "$dir/cart.csv" <<'PY'
import csv, math, sys
def rate(t, s):
    a = 0.1 * 25 * math.cos(5 * t)
    return s[1], -(0.5 * 0.4 / (0.03 + 0.5 * 0.16)) * (9.81 * math.sin(s[0]) + a * math.cos(s[0]))
rows = list(csv.DictReader(open(sys.argv[1])))
s, t, h, worst, swing = (0.0, 0.0), 0.0, 2e-4, 0.0, 0.0
for row in rows:
    while t < float(row["t"]) - h / 2:
        a = rate(t, s)
        b = rate(t + h / 2, [s[i] + h / 2 * a[i] for i in (0, 1)])
        c = rate(t + h / 2, [s[i] + h / 2 * b[i] for i in (0, 1)])
        d = rate(t + h, [s[i] + h * c[i] for i in (0, 1)])
        s = [s[i] + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) for i in (0, 1)]
        t += h
    worst = max(worst, abs(float(row["angle"]) - s[0]), abs(float(row["x"]) - 0.1 * (1 - math.cos(5 * t))))
    swing = max(swing, abs(s[0]))
assert len(rows) == 51 and swing > 0.1 and worst < 1e-7, (worst, swing)
PY
done
sed 's/joint: rail}/joint: far}/' "$dir/cart.yaml" >"$dir/nowhere.yaml"
ends 2 run "$dir/nowhere.yaml" --feedback 100,20 --out "$dir/none.csv"
must "an action that does not move the cart" grep -q "feedback cannot steer: the imposed motion leaves 2 of 3" "$dir/stderr"

# work is that of every step, however many rows are written: the balance closes with the second order
sed 's/actions: {/&turn: {type: effort, joint: hinge}, hold: {type: effort, joint: far}, /
     s/imposed: {/&angle: {coordinate: hinge.angle, value: 0.3*sin(7*t)}, far: {coordinate: far.position, value: 0}, /' \
    "$dir/cart.yaml" >"$dir/balance.yaml"
for formulation in natural joint; do
    for every in 0 0.02 0.5; do
        ends 0 inverse "$dir/balance.yaml" --formulation $formulation --every $every --out "$dir/rows.csv"
        must "the energy balance with --every $every ($formulation)" python3 - "$dir/rows.csv" <<'PY'
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
# the trapezoids of h = 2 ms leave h^2 / 12 times the change of the power's rate, about 3e-6 J of 0.28 J
assert abs(float(last["energy.balance"])) < 5e-6 and float(last["energy.kinetic"]) > 0.2, last
PY
    done
done

# files and options
ends 2 run waveboard --actions "$dir/nowhere.csv"
echo "t,a" >"$dir/other.csv"
echo "0,1" >>"$dir/other.csv"
ends 2 run waveboard --actions "$dir/other.csv"
must "a file of something else" grep -q "no column that is called as an action" "$dir/stderr"
ends 2 run waveboard --feedback 100
must "feedback needs two numbers" grep -q "write kp,kv" "$dir/stderr"
ends 2 run pendulum --feedback 100,20
must "feedback needs imposed motion" grep -q "has no imposed motion" "$dir/stderr"
ends 2 run waveboard --offset nothing=1
must "an offset of nothing" grep -q "is neither an imposed coordinate" "$dir/stderr"

finish
