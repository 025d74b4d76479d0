#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# MJCF and SDF: mass matrix, forward dynamics and free motion are those of libmujoco; what touches, is driven and is held; named
# omissions; broken files.
. tests/cli/support.bash
here=tests/import

# ---- against MuJoCo: stored numbers of 2.2.2, and the library itself where it is installed -------------------------------------
build=$(dirname "$(realpath "$BIELA")")
python=
for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$candidate" ] && "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
compared() { # MODEL REFERENCE
    BIELA_LIBRARY=$build/libbiela.so.1 PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1 "$python" $here/compare.py "$1" "$2"
}
if [ -z "$python" ] || grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$build/CMakeCache.txt"; then
    echo "no NumPy (Debian: python3-numpy), or a sanitized build: not compared with MuJoCo"
    python=
fi
live=
if [ -n "$python" ] && echo '#include <mujoco/mujoco.h>' | cc -E - >/dev/null 2>&1 &&
    cc -O1 $here/mujoco_reference.c -o "$dir/mujoco_reference" -lmujoco 2>/dev/null; then
    live=1
else
    echo "libmujoco-dev is not installed: compared with the stored numbers of MuJoCo 2.2.2 only"
fi
for name in mjcf_arm mjcf_float; do
    ends 0 import $here/$name.xml --without contact,looks,limits,friction,constraints --out "$dir/$name.yaml"
    [ -z "$python" ] || must "$name agrees to 1e-8 with the numbers of MuJoCo" compared "$dir/$name.yaml" $here/$name.json
    if [ -n "$live" ]; then
        "$dir/mujoco_reference" $here/$name.xml 0.5 2e-4 >"$dir/$name.json"
        must "$name agrees to 1e-8 with the MuJoCo of this machine" compared "$dir/$name.yaml" "$dir/$name.json"
    fi
done

# ---- the whole of it: looks, contact, limits, inputs; both formulations ----------------------------------------------------------
for name in mjcf_arm mjcf_float; do
    ends 0 import $here/$name.xml --floor --out "$dir/$name.yaml"
    ends 0 check "$dir/$name.yaml"
    for formulation in joint natural; do
        ends 0 run "$dir/$name.yaml" --time 0.3 --formulation $formulation --out "$dir/$name.$formulation.csv" --quiet
    done
done
ends 0 diff "$dir/mjcf_arm.joint.csv" "$dir/mjcf_arm.natural.csv" --tolerance 1e-4 --columns shoulder.angle,elbow.angle,reach.position,pitch.angle
ends 0 import $here/mjcf_arm.xml --out "$dir/arm.yaml"
must "a class inside a class" grep -q "pitch: {type: revolute.*armature: 0.001}" "$dir/arm.yaml"
must "a reference in degrees" grep -q "shoulder: {type: revolute.*zero: -0.2617993877" "$dir/arm.yaml"
must "a limit" grep -q "shoulder_stop: {type: stop, joint: shoulder, lower: -2.0943951023.*, upper: 2.0943951023" "$dir/arm.yaml"
must "friction" grep -q "pitch_friction: {type: joint-friction, joint: pitch, coulomb: 0.05" "$dir/arm.yaml"
must "contact with the floor" grep -q "ground_contact.*b: \[floor, base\].*friction: 0.9" "$dir/arm.yaml"
must "geoms without masks do not touch" bash -c "! grep contact: '$dir/arm.yaml' | grep -q hand_2"
must "an input with its range" grep -q "^  elbow_servo: {initial: 0, min: -1, max: 1, help: place of elbow}" "$dir/arm.yaml"

# ---- equalities and keyframes: a four-bar by connect, a weld, a gear ------------------------------------------------------------
cat >"$dir/loop.xml" <<'EOF'
<mujoco>
  <compiler angle="radian"/>
  <default><geom type="capsule" size="0.02" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="crank"><joint name="a" axis="0 1 0"/><geom fromto="0 0 0 0 0 1"/>
      <body name="rod" pos="0 0 1"><joint name="b" axis="0 1 0"/><geom fromto="0 0 0 2 0 0"/></body></body>
    <body name="rocker" pos="2 0 0"><joint name="c" axis="0 1 0"/><geom fromto="0 0 0 0 0 1"/></body>
    <body name="lid" pos="0 1 0"><joint name="d" axis="0 1 0"/><geom fromto="0 0 0 1 0 0"/>
      <body name="handle" pos="1 0 0"><joint name="e" axis="0 1 0"/><geom fromto="0 0 0 0.2 0 0"/></body></body>
    <body name="brick" pos="3 3 1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <equality>
    <connect body1="rod" body2="rocker" anchor="2 0 0"/>
    <joint joint1="d" joint2="a" polycoef="0.1 -2 0 0 0"/>
    <joint joint1="e" joint2="a" polycoef="0 0.5 0.3 0 0"/>
    <weld body1="brick" body2="rocker" active="false"/>
  </equality>
  <keyframe><key name="home" qpos="0.3 -0.3 0.3 -0.5 0.177 3 3 2 1 0 0 0"/></keyframe>
</mujoco>
EOF
ends 0 import "$dir/loop.xml" --key home --out "$dir/loop.yaml"
must "what is not active is named" grep -q "loop.xml:16:1: note: weld: left out: it is not active" "$dir/stderr"
ends 0 run "$dir/loop.yaml" --time 0.5 --out "$dir/loop.csv" --quiet
must "the loop is closed and the followers follow" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k; next }
    { a = $c["a.angle"]; if ((a - $c["c.angle"])^2 > 1e-16 || ($c["d.angle"] - 0.1 + 2*a)^2 > 1e-14 || ($c["e.angle"] - 0.5*a - 0.3*a*a)^2 > 1e-14) bad++; last = a }
    END { exit bad > 0 || (last - 0.3)^2 < 0.01 }' "$dir/loop.csv"
must "starts at the keyframe" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k; next } NR == 2 { exit ($c["a.angle"] - 0.3)^2 > 1e-12 || ($c["brick_at.z"] - 2)^2 > 1e-12 }' "$dir/loop.csv"
ends 2 import "$dir/loop.xml" --key away
must "a keyframe that is not there" grep -q "there is no keyframe 'away'" "$dir/stderr"

# ---- SDF: the same arm as in URDF, frames inside frames, an included model --------------------------------------------------------
ends 0 import $here/arm.sdf --without actuators,contact,limits --out "$dir/sdf.yaml"
ends 0 import $here/arm_same.urdf --without actuators,contact,limits --out "$dir/urdf.yaml"
for name in sdf urdf; do
    sed -i 's/^gravity:.*/gravity: [0, 0, -9.8]/' "$dir/$name.yaml"
    ends 0 check "$dir/$name.yaml"
    ends 0 run "$dir/$name.yaml" --time 0.5 --out "$dir/$name.csv" --quiet
done
ends 0 diff "$dir/urdf.csv" "$dir/sdf.csv" --tolerance 1e-8 --columns shoulder.angle,elbow.angle,slide.position
must "it moves" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k } END { exit !($c["shoulder.angle"] ^ 2 > 0.01) }' "$dir/sdf.csv"
ends 0 import $here/arm.sdf --out "$dir/sdf.yaml"
must "an input of each joint" grep -q "^  slide: {initial: 0, min: -0.2, max: 0.3, help: place of slide}" "$dir/sdf.yaml"
must "contact with what is static" grep -q "ground_contact.*friction: 0.6" "$dir/sdf.yaml"
ends 0 run "$dir/sdf.yaml" --time 1 --out "$dir/sdf.csv" --strict

# ---- mistakes: broken FILE NAME SED-SCRIPT MESSAGE --------------------------------------------------------------------------------
broken() {
    sed "$3" "$1" >"$dir/broken_${1##*/}"
    rm -f "$dir/broken.yaml"
    ends 2 import "$dir/broken_${1##*/}" --out "$dir/broken.yaml"
    must "$2: $4" grep -q "broken_${1##*/}:[0-9]*:[0-9]*: error: .*$4" "$dir/stderr"
    must "$2: no file" test ! -e "$dir/broken.yaml"
}
cp $here/mjcf_hand.xml $here/mjcf_wedge.obj $here/arm_tool.sdf "$dir"
arm=$here/mjcf_arm.xml float=$here/mjcf_float.xml sdf=$here/arm.sdf
broken $arm "a file that includes itself" 's/mjcf_hand.xml/broken_mjcf_arm.xml/' "broken_mjcf_arm.xml includes itself"
broken $arm "a file that is not there" 's/mjcf_hand.xml/mjcf_hnd.xml/' "mjcf_hnd.xml"
broken $arm "an entity bomb" '1 i <!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' "documents with <!DOCTYPE ...> are not read"
broken $arm "a class" 's/class="tip" axis/class="tipp" axis/' "there is no default class 'tipp'"
broken $arm "a number" 's/armature="0.02"/armature="0,02"/' 'armature="0,02" must have 1 number and nothing else'
broken $arm "not a number" 's/mass="0.4"/mass="nan"/' 'mass="nan" must have 1 numbers'
broken $arm "a negative mass" 's/mass="0.4"/mass="-0.4"/' 'mass="-0.4" is negative'
broken $arm "a negative density" 's/density="800"/density="-800"/' "mass and density must not be negative"
broken $arm "negative damping" 's/damping="5"/damping="-5"/' "damping is negative"
broken $arm "moments that no body has" 's/diaginertia="0.002 0.0015 0.001"/diaginertia="0.002 0.0015 0.1"/' "inertia has principal moments"
broken $arm "a zero axis" 's/axis="0 1 1"/axis="0 0 0"/' "the axis is zero"
broken $arm "a type" 's/type="slide"/type="screw"/' "must be hinge, slide, ball or free"
broken $arm "a joint that is not there" 's/joint="shoulder" gear/joint="sholder" gear/' "there is no joint 'sholder'"
broken $arm "a range" 's/range="-120 120"/range="120 -120"/' "the smaller one first"
broken $arm "a size" 's/size="0.1 0.2"/size="0.1"/' "a cylinder needs 2 positive numbers in size"
broken $arm "an angle" 's/angle="degree"/angle="grad"/' "must be radian or degree"
broken $arm "an order of angles" 's/eulerseq="zyx"/eulerseq="zy"/' "three letters of xyzXYZ"
broken $float "a mesh that is not there" 's/mjcf_wedge/mjcf_wege/' "there is no mesh file .*mjcf_wege.obj"
broken $float "a mesh without name" 's/mesh="wedge"/mesh="wege"/' "there is no mesh 'wege' among the assets"
broken $float "a site" 's/site="port"/site="prt"/' "there is no site 'prt'"
broken $sdf "a frame" 's/relative_to="elbow_frame"/relative_to="nowhere"/' "there is no frame 'nowhere'"
broken $sdf "frames in a circle" 's/<frame name="elbow_frame"[^>]*>/<frame name="elbow_frame"><pose relative_to="fore_arm">0 0 0 0 0 0<\/pose><\/frame><frame name="x">/' "relative to itself"
broken $sdf "a model that includes itself" 's/arm_tool.sdf/broken_arm.sdf/' "broken_arm.sdf includes itself"
broken $sdf "a link" 's/<child>fore_arm/<child>fore_am/' "there is no"
broken $sdf "a number" 's/<mass>2</<mass>two</' 'mass "two" must have 1 numbers'
broken $sdf "a negative mass" 's/<mass>2</<mass>-2</' "mass"
broken $sdf "a type" 's/type="prismatic"/type="revolute2"/' "joints of type 'revolute2' cannot be imported"
sed 's/<worldbody>/<worldbdy\/><worldbody>/; s/<site name="hook"/<sight name="hook"/' $arm >"$dir/unknown.xml"
ends 0 import "$dir/unknown.xml" --out "$dir/unknown.yaml"
must "unknown elements are named" grep -q "unknown.xml:[0-9]*:1: warning: worldbdy: is not known in MJCF" "$dir/stderr"
must "in bodies, too" grep -q "warning: sight hook: is not known in a body" "$dir/stderr"
finish
