#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs that once gave wrong numbers without a word. Each of them now gives the right number, or is judged doubtful or bad, or is
# refused. Rows with a test of their own elsewhere:
#   automatic steps of every model (E1)             api.auto_step
#   both formulations of every named run (E2)       equivalence.formulations, equivalence.runs_slow
#   fast rotors (E3)                                physics.fast_spin; the explicit ones are below
#   singular positions, semi-implicit, dopri5 (E4, E15, E16) cli.explicit_schemes
#   rank of many bodies, redundancy (E10, E11)      api.info; the command's words are below
#   equilibrium on a slope and of the car (E13, F13) physics.equilibrium_friction, cli.sweep
#   API calls that make no sense (E17)              api.misuse_*, cli.api_misuse
#   special files, full disks, signals (E18, E19, E24) cli.faults, cli.faults_signals, cli.hostile
#   commas and units (E20, E21)                     cli.bad_models, unit.math.unit
#   diff, documents, factors of time (E22, E23, E25) cli.diff, cli.documents, cli.schema, cli.run_options
#   energy of contacts under sanitizers (E27)       physics.contact_energy
#   modes and fits of graphs (V1, V2)               reference.modes_graphs, cli.fit, cli.fit_coverage_slow
#   cars that roll over, storages, J-turn (V3, V5, V11) cli.turn_over, cli.bad_models, reference.forklift
#   prototype car left and right (F12)              cli.prototype_car
#   flat bodies (S2), names in parts (S16)          physics.flat_body, cli.graph_files
#   stick speed of contacts (C7)                    physics.contact
#   the accident (S1), long chains (E9)             cli.examined_slow
. tests/cli/support.bash
cases=tests/examined

# judged OUTCOME WORDS ARGUMENTS...: the run calls itself so, for this reason, and ends with the code of that outcome
judged() {
    local outcome=$1 words=$2 code=0
    shift 2
    [ "$outcome" = bad ] && code=4
    ends $code run "$@" --out "$dir/judged.csv"
    must "$* is $outcome: $words" grep -q "verdict $outcome: $words" "$dir/stderr"
    must "$*: the summary says the same" grep -q "verdict  *$outcome: " "$dir/stdout"
}
# good ARGUMENTS...: the run finds nothing wrong with itself
good() {
    ends 0 run "$@"
    must "$* is good" grep -q "verdict  *good" "$dir/stdout"
    must "$* has nothing to say" test ! -s "$dir/stderr"
}
# values CSV: python on standard input sees `rows`, a list of dictionaries of numbers
values() {
    local file=$1
    { echo "import csv; rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open('$file'))]"; cat; } >"$dir/values.py"
    python3 "$dir/values.py"
}

# ---- E3: explicit steps of natural coordinates cannot follow 1.5 rad a step; the implicit ones keep the speed
judged bad "energy from nowhere" $cases/rotor.yaml --set T=0 --set w0=1500 --time 0.5 --scheme index1-rk4
judged doubtful "largest turn" $cases/rotor.yaml --set T=0 --set w0=1500 --time 0.5
must "speed kept" values "$dir/judged.csv" <<<'assert all(abs(r["w"] / 1500 - 1) < 1e-6 for r in rows), rows[-1]'
"$BIELA" info $cases/rotor.yaml --set w0=1500 >"$dir/info" 2>&1
must "info sees the turn per step" grep -q "recommended scheme  *ali3p: a body turns far in a step" "$dir/info"
# sun, carrier and ring behind the released brake: M(q) is constant, so the closed form is linear in time; joint coordinates step
# it exactly
ends 0 run $cases/planetary.yaml --formulation natural --out "$dir/natural.csv"
ends 0 run $cases/planetary.yaml --formulation joint --out "$dir/joint.csv"
must "the planetary gear turns alike" "$BIELA" diff "$dir/natural.csv" "$dir/joint.csv" --tolerance 1e-6

# ---- E5: least kinetic energy of the change: the described motion has no momentum about the joint
for formulation in natural joint; do
    judged doubtful "described velocities, changed by the constraints" $cases/wrong-velocity.yaml --time 0.01 --formulation $formulation
    must "no speed at the start" values "$dir/judged.csv" <<<'assert abs(rows[0]["w"]) < 1e-12, rows[0]'
done
# a bicycle that starts with a lean stands where it stood, in both
{ cat models/whipple/model.yaml && printf 'imposed:\n  lean: {coordinate: base.angle2, value: 0.1}\n'; } >"$dir/lean.yaml"
for formulation in natural joint; do
    ends 0 run "$dir/lean.yaml" --time 0.1 --formulation $formulation --out "$dir/$formulation.csv"
    must "not moved aside" values "$dir/$formulation.csv" <<<'assert abs(rows[0]["Ry"]) < 1e-9 and abs(rows[0]["phi"] - 0.1) < 1e-9, rows[0]'
done
must "leaning bicycles ride alike" "$BIELA" diff "$dir/natural.csv" "$dir/joint.csv" --tolerance 1e-6

# ---- E6: two rigid metres at 10 rad/s: tip at 20 m/s; 310 J = (1/3 + 0.8 (1 + 1 + 1/3) + 4 + 0.1) w^2/2 and the bar's own thickness
ends 0 run $cases/flex-start-speed.yaml --out "$dir/start.csv"
must "the flexible bar starts like a rigid one" values "$dir/start.csv" <<<'assert abs(rows[0]["tip.vy"] - 20) < 1e-6 and abs(rows[0]["energy.kinetic"] - 310) < 1e-2, rows[0]'

# ---- E7: steps that are much too long
judged bad "share of steps that stepped over" top --time 1 --dt 0.02 --every 0.02 --scheme ali3p --formulation joint
judged bad "sum of the local errors" pendulum --dt 0.2 --every 0.2
judged doubtful "sum of the local errors" pendulum --dt 0.2 --every 0.2 --formulation joint
judged bad "energy from nowhere" andrews --dt 1e-3 --every 1e-3
judged bad "energy from nowhere" andrews --dt 1e-3 --every 1e-3 --formulation joint
judged bad "share of accelerations that change sign" $cases/stiff.yaml --set k=1e15
# as long as it is called good, the force of the stiff spring is that of the rod, 3 m g sin, but for one bit of its length, 0.22 N
good $cases/stiff.yaml --set k=1e15 --time 0.4 --out "$dir/stiff.csv"
must "the force of a good run" values "$dir/stiff.csv" <<<'assert all(abs(r["F"] + 29.43*r["P.y"]) < 0.25 for r in rows)'
judged bad "energy from nowhere" $cases/mass-ratio.yaml --set m2=1e6 --dt 2e-5
# --strict: doubtful is an end with code 4, too
ends 4 run pendulum --dt 0.2 --every 0.2 --formulation joint --strict --out "$dir/strict.csv"

# ---- E8: a rod without inertia about itself, between two spheres
for formulation in natural joint; do
    ends 0 run $cases/rssr.yaml --time 0.2 --formulation $formulation --out "$dir/$formulation.csv"
done
must "both formulations run it alike" python3 - "$dir/natural.csv" "$dir/joint.csv" <<'PY'
import csv, sys
natural, joint = (list(csv.DictReader(open(path))) for path in sys.argv[1:])
assert len(natural) == len(joint) == 21
for a, b in zip(natural, joint):
    assert all(abs(float(a[c]) - float(b[c])) < 1e-6 for c in ("b", "M", "Bp.y", "Bp.z")), (a, b)
PY

# ---- E10, E11: an open chain has nothing redundant; many free bodies have six degrees of freedom each
ends 0 check $cases/two-links.yaml
must "two degrees of freedom" grep -q "2 joints, 2 degrees of freedom$" "$dir/stdout"
printf 'biela: 1\nname: many\nbodies:\n  b$i: {for: {i: 1..1001}, mass: 1, inertia: [1, 1, 1], at: [i, 0, 0]}\nrun: {time: 1}\n' >"$dir/many.yaml"
ends 0 check "$dir/many.yaml"
must "6006 degrees of freedom" grep -q "6006 degrees of freedom" "$dir/stdout"

# ---- E14: the work of the guide is in the balance; trapezoidal rule over 1 ms
ends 0 kinematics $cases/rssr.yaml --out "$dir/guided.csv"
must "the guide's work is counted" values "$dir/guided.csv" <<<'assert all(abs(r["energy.balance"]) < 1e-3 for r in rows)'

# ---- E26: no contact, no word of contact
"$BIELA" info crane >"$dir/info" 2>&1
must "the reason is true" bash -c '! grep -q "recommended.*contact" "$1"' - "$dir/info"

# ---- V7: the bicycle at rest, explicit
judged bad "energy from nowhere" bicycle --set v=0 --time 1

# ---- C1: a light ball on a hard floor, 10 rad of its oscillation a step; dopri5 finds its steps, and the ball never gets higher
for how in "--scheme ali3p" "--scheme rk4" "--formulation joint"; do
    # shellcheck disable=SC2086
    judged bad "energy from nowhere" $cases/light-ball.yaml --time 0.5 $how
done
for how in "--formulation natural" "--formulation joint"; do
    # shellcheck disable=SC2086
    judged bad "step against the time of a contact" $cases/light-ball.yaml --scheme piles $how
    must "piles, $how: no higher than it began" values "$dir/judged.csv" <<<'assert all(r["b.z"] < 0.1101 for r in rows) and abs(rows[-1]["b.vz"]) < 1e-6'
done
# steps chosen by the error follow the hit
for scheme in ali3p dopri5; do
    good $cases/light-ball.yaml --time 0.5 --scheme $scheme --dt auto --out "$dir/ball.csv"
    must "no higher than it began, $scheme" values "$dir/ball.csv" <<<'assert all(r["b.z"] < 0.1101 for r in rows)'
done

# ---- C2: a box that tips over the edge of another, which took 31 to 45 iterations a step
for how in "--formulation natural" "--formulation joint" "--scheme piles" "--scheme piles --formulation joint"; do
    # shellcheck disable=SC2086
    good $cases/tipping-box.yaml $how --out "$dir/tip.csv"
    must "$how: at most four iterations a step" awk '/iterations/ { exit !($2 <= 4) }' "$dir/stdout"
done

for formulation in natural joint; do
    ends 0 run $cases/tipping-box.yaml --formulation $formulation --dt auto --out "$dir/tip.csv"
    # with those of the steps that it takes back; were 37
    must "at most seven iterations a step of its own choice, $formulation" awk '/iterations/ { exit !($2 <= 7) }' "$dir/stdout"
done

# ---- C5: 300 m/s through a wall of 2 cm that gives way by 3 cm: seen and told; a stiff wall sends it back
for how in "--scheme ali3p" "--scheme rk4" "--formulation joint"; do
    # shellcheck disable=SC2086
    judged bad "depth of a contact" $cases/projectile.yaml $how
done
sed 's/stiffness: 1e6/stiffness: 1e8/' $cases/projectile.yaml >"$dir/stiff-wall.yaml"
for how in "--scheme ali3p" "--scheme piles" "--formulation joint" "--scheme piles --formulation joint"; do
    # shellcheck disable=SC2086
    "$BIELA" run "$dir/stiff-wall.yaml" $how --quiet --out "$dir/wall.csv" 2>"$dir/stderr"
    must "$how: the wall sends it back" values "$dir/wall.csv" <<<'assert all(r["b.x"] < 0 for r in rows) and rows[-1]["b.vx"] < 0'
done

# a box that falls into a solid made of triangles and lies wholly inside after a step
cat >"$dir/cube.obj" <<'EOF'
v -1 -1 -2
v 1 -1 -2
v 1 1 -2
v -1 1 -2
v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
EOF
cat >"$dir/into-mesh.yaml" <<'EOF'
biela: 1
name: into a mesh
bodies:
  b: {mass: 1, inertia: {box: [0.01, 0.01, 0.01]}, at: [0.1, 0.2, 1], velocity: [0, 0, -12]}
shapes:
  cube: {type: mesh, file: cube.obj}
  b: {type: box, body: b, size: [0.01, 0.01, 0.01]}
forces:
  f: {type: contact, a: b, b: cube, stiffness: 1e5, damping: 10}
outputs: {b: {body: b}}
run: {time: 0.2, dt: 1e-3}
EOF
"$BIELA" run "$dir/into-mesh.yaml" --out "$dir/into.csv" >"$dir/stdout" 2>"$dir/stderr"
must "what falls through a mesh is told" grep -q "verdict bad: " "$dir/stderr"

# the page names the test of every row: each is there
must "the tests of all rows are there" python3 - <<'END'
import pathlib, re
page = pathlib.Path("tests/examined/README.md").read_text()
named = set(re.findall(r"`(cli|web|reference|physics|api)\.(\w+)`", page))
lost = [f"{room}.{name}" for room, name in named if not any(pathlib.Path("tests", room, file).is_file() for file in (f"{name}.sh", f"test_{name}.c"))]
rows = set(re.findall(r"\b([CLV]\d+)\b", " ".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| "))))
assert not lost, lost
assert rows == {f"L{k}" for k in range(1, 16)} | {"C6", "V3", "V10"}, rows
END

finish
