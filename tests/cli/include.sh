#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Included files: the same motion as the model written out by hand; names, parameters, places, and messages.
. tests/cli/support.bash
parts=tests/include

# a link included twice, the second one on the first, turned, with other parameters. Rounding of the poses (1e-16) is
# what differs; it comes back amplified by the convergence tolerance of the steps (1e-11 seen)
ends 0 run $parts/double.yaml --out "$dir/include.csv" --quiet
ends 0 run $parts/double_direct.yaml --out "$dir/direct.csv" --quiet
ends 0 diff "$dir/direct.csv" "$dir/include.csv" --tolerance 1e-9
must "all columns of the model by hand are there" sh -c "! grep -q 'only in $dir/direct.csv' '$dir/stdout'"
ends 0 run $parts/double.yaml --set lean=31 --out "$dir/other.csv" --quiet
ends 1 diff "$dir/direct.csv" "$dir/other.csv" --tolerance 1e-4

# a file inside a file, the contact plane turned with its part: what was z is x now, 2 m away, and x is -z
ends 0 run $parts/ball.yaml --out "$dir/ball.csv" --quiet
ends 0 run $parts/wall.yaml --out "$dir/wall.csv" --quiet
turn() { awk -F, -v OFS=, -v x="$2" -v z="$3" -v shift="$4" -v sign="$5" 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k; print "t,x,z"; next }
    { print $1, sign * $c[x], $c[z] - shift }' "$1"; }
turn "$dir/ball.csv" P.x P.z 0 1 >"$dir/a.csv"
turn "$dir/wall.csv" my-P.z my-P.x 2 -1 >"$dir/b.csv"
ends 0 diff "$dir/a.csv" "$dir/b.csv" --tolerance 1e-9

# a part with points, vectors, frames, tables, signals and events moves the same wherever it stands, on any body
ends 0 run $parts/rich.yaml --out "$dir/rich.csv" --quiet
ends 0 run $parts/rich_placed.yaml --out "$dir/placed.csv" --quiet
sed -i '1s/part_//g' "$dir/placed.csv"
ends 0 diff "$dir/rich.csv" "$dir/placed.csv" --columns pin.rate,M,S,energy.kinetic --tolerance 1e-8
# angles count from the axes of the body that stands for the ground: a warning when they are others
ends 0 check $parts/rich_placed.yaml
must "a warning about the axes" grep -q "rich_placed.yaml:12:[0-9]*: warning: include.ground: its axes are not parallel" "$dir/stderr"
mkdir "$dir/p"
cp $parts/rich.yaml "$dir/p"
sed 's/turn: {y: 33 deg}/turn: {x: a}/' $parts/rich_placed.yaml >"$dir/p/parallel.yaml"
ends 0 run "$dir/p/parallel.yaml" --out "$dir/placed.csv" --quiet
must "no warning" test ! -s "$dir/stderr"
sed -i '1s/part_//g' "$dir/placed.csv"
ends 0 diff "$dir/rich.csv" "$dir/placed.csv" --columns pin.angle,pin.rate,M,S,energy.kinetic --tolerance 1e-8
must "it moves" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k } NR > 1 && $c["pin.rate"] ^ 2 > 1 { n++ } END { exit !n }' "$dir/rich.csv"

# imposed motion, actions and second rates of a part are those of its own joints
cat >"$dir/arm.yaml" <<'YAML'
biela: 1
name: arm
parameters: {speed: 2}
bodies: {arm: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}}
imposed: {swing: {coordinate: hinge.angle, value: 0.1*sin(speed*t)}}
actions: {motor: {type: effort, joint: hinge}}
outputs: {second: {acceleration: hinge.angle}, M: {effort: motor}}
independent: [hinge]
critical: {real: fall}
YAML
cat >"$dir/arms.yaml" <<'YAML'
biela: 1
name: two arms
gravity: [0, 0, -9.81]
include:
  - {file: arm.yaml, prefix: left_}
  - {file: arm.yaml, prefix: right_, set: {speed: 3}, at: [0, 2, 0]}
run: {time: 1, dt: 1e-2, scheme: rk4, formulation: joint}
YAML
ends 0 inverse "$dir/arms.yaml" --out "$dir/arms.csv" --quiet
must "each part follows its own motion, I a = M" awk -F, '
    NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k }
    NR > 1 { a = -0.1 * 4 * sin(2 * $c["t"]); b = -0.1 * 9 * sin(3 * $c["t"]); n++
             if (($c["left_second"] - a) ^ 2 > 1e-16 || ($c["right_second"] - b) ^ 2 > 1e-16) bad++
             if (($c["left_M"] - 0.35 * a) ^ 2 > 1e-16 || ($c["right_M"] - 0.35 * b) ^ 2 > 1e-16) bad++ }
    END { exit bad > 0 || n < 50 }' "$dir/arms.csv"
sed -i 's/hinge.angle, value/hinge.angel, value/' "$dir/arm.yaml"
ends 2 check "$dir/arms.yaml"
must "a coordinate that is not there, with its place in the part" grep -q "arm.yaml:6:" "$dir/stderr"

# a part is a model of its own
ends 0 check $parts/link.yaml

# mistakes in an included file carry its name; those of the including one its own
mkdir "$dir/m"
sed 's/stiffness: k/stiffnes: k/; s/body: rod, at: \[L, 0, 0\]}}/body: rdo}}/' $parts/link.yaml >"$dir/m/link.yaml"
sed 's/L: length\/2/LL: length\/2/; s/heavy}/heavier}/; s/heavy, th/heavier, th/' $parts/double.yaml >"$dir/m/double.yaml"
ends 2 check "$dir/m/double.yaml"
must "an unknown key in the part" grep -q "m/link.yaml:19:[0-9]*: error: forces.upper_back: unknown key 'stiffnes' (did you mean 'stiffness'?)" "$dir/stderr"
must "an unknown body, suggested as the part calls it" grep -q "m/link.yaml:21:[0-9]*: error: .*no body called 'rdo' (did you mean 'rod'?)" "$dir/stderr"
must "an unknown parameter of the part" grep -q "m/double.yaml:13:[0-9]*: error: include.set: .*link.yaml has no parameter called 'LL' (did you mean 'L'?)" "$dir/stderr"
must "an unknown name in a value" grep -q "m/double.yaml:7:[0-9]*: error: include.set.m: unknown name 'heavier'" "$dir/stderr"
must "once per place, though included twice" test "$(grep -c stiffnes\' "$dir/stderr")" = 1
must "the including file comes first" sh -c "head -1 '$dir/stderr' | grep -q double.yaml"

# what the core says about an entry of a part
sed 's/mass: m, com/mass: -m, com/' $parts/link.yaml >"$dir/m/link.yaml"
cp $parts/double.yaml "$dir/m/double.yaml"
ends 2 check "$dir/m/double.yaml"
must "the place of the field in the part" grep -q "m/link.yaml:14:15: error: bodies.upper_rod.mass: must not be negative" "$dir/stderr"
# `for` includes a file many times: the same as written out; prefix, file, set and place may use the index
cp $parts/link.yaml "$dir/p"
head=$'biela: 1\nname: row\nparameters: {n: 3}\nrun: {time: 0.5, every: 0.01}\n'
printf '%sinclude: {for: {i: 1..n}, file: link.yaml, prefix: a$(i)_, set: {L: 0.4 + 0.1*i, theta0: 10*i}, at: [2*i, 0, 0]}\n' "$head" >"$dir/p/for.yaml"
{
    printf '%sinclude:\n' "$head"
    for i in 1 2 3; do
        echo "  - {file: link.yaml, prefix: a${i}_, set: {L: 0.4 + 0.1*$i, theta0: 10*$i}, at: [2*$i, 0, 0]}"
    done
} >"$dir/p/by_hand.yaml"
ends 0 run "$dir/p/for.yaml" --out "$dir/for.csv" --quiet
ends 0 run "$dir/p/by_hand.yaml" --out "$dir/by_hand.csv" --quiet
must "the same bytes" cmp "$dir/for.csv" "$dir/by_hand.csv"
must "three links" grep -q "a3_tip.x" "$dir/for.csv"
ends 0 run "$dir/p/for.yaml" --set n=1 --out "$dir/one.csv" --quiet
must "one link" sh -c "! grep -q a2_ '$dir/one.csv'"
printf '%sinclude: [{for: {i: 1..2}, file: link.yaml, prefix: a_}]\n' "$head" >"$dir/p/twice.yaml"
ends 2 check "$dir/p/twice.yaml"
must "a prefix without the index" grep -q "twice.yaml:5:[0-9]*: error: include.prefix: the prefix 'a_' is used twice" "$dir/stderr"
must "told once" test "$(grep -c error: "$dir/stderr")" = 1
printf '%sinclude: [{for: {i: 1..x}, file: link.yaml, prefix: a$(i)_}]\noutputs: {o: a1_pin.angle}\n' "$head" >"$dir/p/range.yaml"
ends 2 check "$dir/p/range.yaml"
must "a range with a mistake" grep -q "range.yaml:5:[0-9]*: error: include.for: .*'x'" "$dir/stderr"

finish
