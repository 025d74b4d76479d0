#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela tyre`: figures of a published tyre, checks that can fail, data from YAML and .tir files, mistakes with their lines.
. tests/cli/support.bash

# figures of the study: adhesion 1.0066 at most, 588.562 and 517.279 N/deg at 2550 and 1500 N
ends 0 tyre tests/tyres/car.yaml --load 1500,2550 --out "$dir/car.csv" --json
must "the figures of the study" python3 - "$dir/stdout" <<'PY'
import json, math, sys
result = json.load(open(sys.argv[1]))
assert result["ok"] and all(result["checks"].values()), result["checks"]
low, high = result["loads"]
per_degree = math.pi / 180
# differences of 1e-5 rad: the curve bends by less than 1e-6
assert abs(high["slope_y"] * per_degree - 588.562) < 1e-2, high
assert abs(low["slope_y"] * per_degree - 517.279) < 1e-2, low
# the peak lies between two points of the sweep
assert abs(high["peak_x"] - 1.006624) < 1e-3, high
PY
must "columns of the points" grep -q '^load,slip,angle,camber,fx,fy,fz,' "$dir/car.csv"

# a tyre of a model, by name and by default
ends 0 tyre tyre-rig --tyre tyre --out "$dir/rig.csv"
must "the checks are told" grep -q 'dissipation  ok' "$dir/stdout"
ends 2 tyre tyre-rig --tyre brake --out "$dir/rig.csv"
must "a force that is no tyre" grep -q 'brake is no tyre' "$dir/stderr"
ends 2 tyre pendulum --out "$dir/p.csv"
must "a model without tyres" grep -q 'has no tyre' "$dir/stderr"

# property files
ends 0 tyre tests/tyres/magic.tir --out "$dir/magic.csv"
must "the strange section" grep -q 'magic.tir:29:1: note: STRANGE_SECTION' "$dir/stderr"
ends 2 tyre tests/tyres/magic_formula/nowhere.tir
for set in car_mf52 car_mf61 moto_mf62; do
    ends 0 tyre tests/tyres/magic_formula/$set.tir --out "$dir/$set.csv"
    must "$set passes the checks of the rig" grep -q 'dissipation  ok' "$dir/stdout"
done
must "a key without effect, with its reason" grep -q 'car_mf52.tir:172:1: note: ALIGNING_COEFFICIENTS: QTZ1 is not used: the belt' <("$BIELA" tyre tests/tyres/magic_formula/car_mf52.tir --out "$dir/x.csv" 2>&1)
# the slope at no slip is that of the file at this load, and LKY scales it (independent table: K_ya)
printf 'biela: 1\nname: w\nbodies: {w: {mass: 1, inertia: [1, 1, 1]}}\nforces: {t: {file: %s/tests/tyres/magic_formula/car_mf61.tir, body: w, LKY: 2}}\n' "$PWD" >"$dir/scaled.yaml"
ends 0 tyre "$dir/scaled.yaml" --load 4000 --out "$dir/s.csv" --json
cp "$dir/stdout" "$dir/scaled.json"
ends 0 tyre tests/tyres/magic_formula/car_mf61.tir --load 4000 --out "$dir/s.csv" --json
must "LKY doubles the stiffness" python3 - "$dir/scaled.json" "$dir/stdout" <<'PY'
import json, sys
two, one = (json.load(open(name))["loads"][0]["slope_y"] for name in sys.argv[1:])
# offsets bend the curve at no slip a little
assert abs(two / one - 2) < 0.02, (two, one)
PY
# the fit stays: another type beside the file
sed -i 's/file:/type: tyre-tmeasy, file:/; s/, LKY: 2//' "$dir/scaled.yaml"
ends 0 tyre "$dir/scaled.yaml" --load 4000 --out "$dir/s.csv"
must "a TMeasy tyre has no LKY of the file" grep -q 'is not used' "$dir/stderr"

ends 2 tyre tests/tyres/broken.tir --out "$dir/b.csv"
must "the unknown unit" grep -q 'broken.tir:2:1: error: UNITS' "$dir/stderr"

# a curve that turns its sign does not pass
sed 's/adhesion:.*/adhesion: [1.12, 40.39, 0.625, 3]/' tests/tyres/car.yaml >"$dir/wrong.yaml"
ends 2 tyre "$dir/wrong.yaml" --out "$dir/w.csv"
must "the wrong sign" grep -q 'signs        NOT MET' "$dir/stdout"
must "the power it gives" grep -q 'dissipation  NOT MET' "$dir/stdout"

# data of a tyre in a model: what the model says counts before the file, mistakes have the line of their file
cat >"$dir/model.yaml" <<'YAML'
biela: 1
name: wheel
bodies: {wheel: {mass: 10, inertia: [1, 1, 1], at: [0, 0, 0.25]}}
forces: {front: {file: data.yaml, body: wheel, rolling_resistance: 0.02}}
YAML
cp tests/tyres/car.yaml "$dir/data.yaml"
ends 0 check "$dir/model.yaml"
printf 'stifness: 3\n' >>"$dir/data.yaml"
ends 2 check "$dir/model.yaml"
must "the line of the mistake in the data" grep -q 'data.yaml:11:.*stifness' "$dir/stderr"
ends 2 tyre "$dir/nowhere.tir"
must "a missing file of data" grep -q 'nowhere.tir cannot be read' "$dir/stderr"

# wrong options
ends 2 tyre tyre-rig --load 0
ends 2 tyre tyre-rig --angle 95
finish
