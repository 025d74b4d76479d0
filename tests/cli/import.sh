#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# URDF: the imported robot moves like the same one written by hand; what is left out is listed; broken files are told.
. tests/cli/support.bash
urdf=tests/import/double_pendulum.urdf

ends 0 import $urdf --out "$dir/robot.yaml"
for what in "link upper arm: is called upper_arm in the model" "link fore-arm: is called fore_arm in the model" "link base: is the ground" \
    "has no limit, which its type wants: it moves freely"; do
    must "lists: $what" grep -qF "$what" "$dir/stderr"
done
must "nothing else" test "$(grep -c 'note:' "$dir/stderr")" = 4
must "with the line" grep -q "$urdf:14:1: note: link upper arm" "$dir/stderr"
must "a limit is a stop: its effort just beyond the range" grep -q "shoulder_stop: {type: stop, joint: shoulder, lower: -1.5, upper: 1.5, stiffness: 1000, damping: 10}" "$dir/robot.yaml"
must "friction" grep -q "shoulder_friction: {type: joint-friction, joint: shoulder, coulomb: 0.1, inertia:" "$dir/robot.yaml"
must "a joint that mimics another" grep -q "slide_mimic: {type: gear, a: elbow.angle, b: slide.position, ratio: 1, offset: 0}" "$dir/robot.yaml"
must "what is seen" grep -q "upper_arm_look: {type: box, body: upper_arm, size: \[0.8, 0.1, 0.1\]" "$dir/robot.yaml"
must "an input of each joint that is driven" grep -q "^  shoulder: {initial: 0, min: -1.5, max: 1.5, help: place of shoulder}" "$dir/robot.yaml"
ends 0 check "$dir/robot.yaml"
sed 's/effort="10"/effort="100"/' $urdf >"$dir/strong.urdf"
ends 0 import "$dir/strong.urdf" --out "$dir/strong.yaml"
ends 0 run "$dir/strong.yaml" --time 2 --out "$dir/driven.csv" --strict
must "servos hold the arm near its place" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k } END { exit !($c["shoulder.angle"] ^ 2 < 0.01) }' "$dir/driven.csv"
ends 0 import $urdf --without actuators,friction,constraints --out "$dir/robot.yaml"

# the same motion, from the same position: rounding of the turns (1e-16), amplified by the tolerance of the steps
ends 0 check "$dir/robot.yaml"
ends 0 run "$dir/robot.yaml" --time 1 --every 0.01 --out "$dir/robot.csv" --quiet
ends 0 run tests/import/double_pendulum.yaml --formulation joint --time 1 --every 0.01 --out "$dir/hand.csv" --quiet
ends 0 diff "$dir/hand.csv" "$dir/robot.csv" --tolerance 1e-8 --columns shoulder.angle,shoulder.rate,elbow.rate,slide.position,slide.rate
must "it moves" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k } END { exit !($c["shoulder.angle"] ^ 2 > 0.1) }' "$dir/hand.csv"

# the root as a free body, results on stdout, JSON
ends 0 import $urdf --floating
must "a model on stdout" grep -q "^biela: 1" "$dir/stdout"
must "the base is a body" grep -q "^  base:" "$dir/stdout"
ends 0 import $urdf --without actuators,friction,constraints --json --out "$dir/again.yaml"
must "JSON" python3 -c "import json; d = json.load(open('$dir/stdout')); assert d['ok'] and len(d['messages']) == 4"
must "the same file" cmp "$dir/robot.yaml" "$dir/again.yaml"

# a limit holds the joint, within what its effort takes: without it the arm swings beyond
ends 0 run "$dir/robot.yaml" --time 3 --every 0.01 --out "$dir/stopped.csv" --quiet
within() { awk -F, -v most="$2" 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k; next } { a = $c["shoulder.angle"]; if (a * a > most * most) n++ } END { exit n > 0 }' "$1"; }
must "the shoulder stays near its range" within "$dir/stopped.csv" 1.6
sed '/shoulder_stop/d' "$dir/robot.yaml" >"$dir/free.yaml"
ends 0 run "$dir/free.yaml" --time 3 --every 0.01 --out "$dir/free.csv" --quiet
beyond() { ! within "$@"; }
must "without the stop it goes further" beyond "$dir/free.csv" 1.6

# a plane: the body slides along it as thrown and keeps its height
sed 's/type="prismatic"/type="planar"/; /mimic/d' $urdf >"$dir/planar.urdf"
ends 0 import "$dir/planar.urdf" --without actuators --out "$dir/planar.yaml"
must "a planar joint" grep -q "slide: {type: planar, bodies: \[fore_arm, tip\]" "$dir/planar.yaml"
ends 0 run "$dir/planar.yaml" --time 0.2 --out "$dir/planar.csv" --quiet

# mistakes: broken NAME SED-SCRIPT MESSAGE
broken() {
    sed "$2" $urdf >"$dir/broken.urdf"
    rm -f "$dir/broken.yaml"
    ends 2 import "$dir/broken.urdf" --out "$dir/broken.yaml"
    must "$1: $3" grep -q "$3" "$dir/stderr"
    must "$1: no file" test ! -e "$dir/broken.yaml"
}
broken "a tag that does not fit" 's/<\/link>/<\/lnk>/' "this is not XML: the closing tag does not fit"
broken "a quote" 's/name="base"/name="base/' "this is not XML"
broken "an entity" 's/&#45;/\&minus;/' "an entity is not known"
broken "an attribute twice" 's/<mass value="2"/<mass value="2" value="3"/' "this is not XML: duplicate attribute"
broken "a second root" '$ a <robot name="other"/>' "this is not XML"
broken "a bare ampersand" 's/name="base"/name="ba\&se"/' "this is not XML"
broken "a byte that is not UTF-8" 's/name="base"/name="ba\xffse"/' "this is not XML"
broken "types of its own" '1 a <!DOCTYPE robot [<!ENTITY a "b">]>' "documents with <!DOCTYPE ...> are not read"
broken "a type" '1 a <!DOCTYPE robot>' "take that line out"
broken "a tag left open" 's/<\/robot>//' "this is not XML: the element that begins here is not closed"
broken "an unknown link" 's/child link="tip"/child link="tipp"/' "there is no link 'tipp' for its child"
broken "two parents" 's/child link="tool"/child link="tip"/' "link tip has two parents"
broken "a type" 's/type="prismatic"/type="ball"/' "joints of type 'ball' cannot be imported"
broken "a number" 's/<mass value="2"/<mass value="two"/' 'value="two" must have 1 numbers'
broken "a vector" 's/xyz="0 0 2"/xyz="0 2"/' 'xyz="0 2" must have 3 numbers'
broken "text after a number" 's/<mass value="2"/<mass value="2.0kg"/' 'broken.urdf:17:1: error: mass: value="2.0kg" must have 1 number and nothing else'
broken "four numbers" 's/xyz="0 0 2"/xyz="0 0 2 1"/' 'xyz="0 0 2 1" must have 3 numbers and nothing else'
broken "limits the wrong way round" 's/lower="-1.5"/lower="2.5"/' 'limit: of joint shoulder: lower 2.5 is above upper 1.5'
broken "text after a limit" 's/upper="1.5"/upper="1.5rad"/' 'limit: upper="1.5rad" must have 1 number and nothing else'
broken "text after a damping" 's/damping="0.2"/damping="0.2 Nms"/' 'dynamics: damping="0.2 Nms" must have 1 number'
broken "a moment that is missing" 's/iyy="0.12"//' 'broken.urdf:18:1: error: inertia: needs iyy'
broken "a mass without value" 's/<mass value="2"/<mass/' 'mass: needs value'
broken "no mass" 's/<mass value="2".>//' "inertial: of link upper arm: needs 'mass' and 'inertia'"
broken "two masses" 's/<mass value="2".>/<mass value="2"\/><mass value="3"\/>/' "mass: a second 'mass', after that of line 17"
broken "two axes" 's/<axis xyz="0 1 0".>/&&/' "axis: a second 'axis'"
broken "moments that no body has" 's/izz="0.13"/izz="13"/' "inertial: of link upper arm: inertia has principal moments 0.01 0.12 13"
broken "a negative mass" 's/<mass value="2"/<mass value="-2"/' "of link upper arm: mass"
broken "moments without mass" 's/<mass value="2"/<mass value="0"/' "of link upper arm: inertia is given for a body without mass"
broken "a circle" 's/parent link="base"/parent link="tool"/' "does not hang on the root\|circle"
broken "another file" 's/robot/machine/' "the root of a file is 'robot'"
broken "a mesh that is not there" 's/<box size="0.8 0.1 0.1".>/<mesh filename="package:\/\/none\/a.stl"\/>/' "visual\|mesh: there is no mesh file"
broken "a box without thickness" 's/0.8 0.1 0.1/0.8 0.1 0/' "its lengths must be positive"
broken "a leader that is not there" 's/mimic joint="elbow"/mimic joint="elbo"/' "there is no joint 'elbo'"
broken "a joint that mimics itself" 's/mimic joint="elbow"/mimic joint="slide"/' "cannot follow"
ends 2 import $urdf --without wheels
must "parts" grep -q "without wheels: there are contact, self, looks" "$dir/stderr"
ends 2 import "$dir/none.urdf"
ends 2 import models/pendulum/model.yaml
finish
