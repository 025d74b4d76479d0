#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shapes that start inside each other: meshes, height fields, neighbours at a joint.
. tests/cli/support.bash

python3 - "$dir" <<'PY'
import sys
def cube(path, x, y, z):
    with open(path, "w") as f:
        for k in range(8):
            f.write(f"v {x / 2 * (1 if k & 1 else -1)} {y / 2 * (1 if k & 2 else -1)} {z / 2 * (1 if k & 4 else -1)}\n")
        for a, b, c, d in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)):
            f.write(f"f {a} {b} {c}\nf {a} {c} {d}\n")
cube(sys.argv[1] + "/cube.obj", 1, 1, 1)
cube(sys.argv[1] + "/small.obj", 0.2, 0.2, 0.2)
PY
field='{type: field, spacing: 1, from: [-2, -2], heights: [[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]}'

pair() { # WHERE OF b, SHAPE OF a, SHAPE OF b, MORE
    cat >"$dir/pair.yaml" <<YAML
biela: 1
name: pair
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: {sphere: 1}}
  b: {mass: 1, inertia: {sphere: 1}, at: $1}
shapes:
  a: $2
  b: $3
forces: {touch: {type: contact, a: b, b: a, stiffness: 1e4}}
${4:-}
run: {time: 0.01, dt: 1e-3}
YAML
}

for formulation in natural joint; do
    for scheme in ali3p piles; do
        with=(--scheme $scheme --formulation $formulation --out "$dir/out.csv")
        note() { # WORDS; what the verdict says of the push is not asked here
            "$BIELA" run "$dir/pair.yaml" "${with[@]}" >"$dir/stdout" 2>"$dir/stderr"
            must "noted: $1 ($scheme, $formulation)" grep -q "pair.yaml:10.*note: touch: $1" "$dir/stderr"
            must "it runs ($scheme, $formulation)" grep -q "^0.01," "$dir/out.csv"
            rm -f "$dir"/out.*
        }
        refuse() { # WORDS
            ends 2 run "$dir/pair.yaml" "${with[@]}"
            must "refused: $1 ($scheme, $formulation)" grep -q "pair.yaml:10.*error: touch: $1" "$dir/stderr"
            must "nothing is written ($scheme, $formulation)" test -z "$(ls "$dir" | grep '^out')"
        }
        cube='{body: a, type: mesh, file: cube.obj}'
        # a tenth of a metre into each other: 10 % of 1 m, 50 % of 0.2 m
        pair "[0, 0, 0.9]" "$cube" '{body: b, type: mesh, file: cube.obj}'
        note "a and b start 0.1 m inside each other, 10 %"
        pair "[0, 0, 0.95]" "$cube" '{body: b, type: box, size: [0.3, 0.3, 1]}'
        note "a and b start 0.05 m inside each other, 17 %"
        pair "[0, 0, 0.95]" "$cube" '{body: b, type: capsule, radius: 0.2, length: 0.6}'
        note "a and b start 0.05 m inside each other, 1[23] %"
        # wholly inside, with and without a middle of its own
        pair "[0.05, 0, 0.1]" "$cube" '{body: b, type: mesh, file: small.obj}'
        refuse "a and b start 0.4 m inside each other, 200 %"
        pair "[0.05, 0, 0.1]" "$cube" '{body: b, type: box, size: [0.1, 0.1, 0.1]}'
        refuse "a and b start 0.4 m inside each other, 400 %"
        pair "[0, 0, 0]" "$cube" '{body: b, type: torus, ring: 0.3, radius: 0.05}'
        refuse "a and b start 0.1 m inside each other, 100 %"
        # a ring around a post touches nothing
        pair "[0, 0, 0]" '{body: a, type: mesh, file: small.obj}' '{body: b, type: torus, ring: 0.5, radius: 0.05}'
        ends 0 run "$dir/pair.yaml" --scheme $scheme --formulation $formulation --out "$dir/out.csv"
        must "a ring around a post is not told" test "$(grep -c inside "$dir/stderr")" = 0
        rm -f "$dir"/out.*
        # below a field, near and far
        for shape in 'box, size: [0.2, 0.2, 0.2]' 'mesh, file: small.obj' 'capsule, radius: 0.1, length: 0.5' 'sphere, radius: 0.1'; do
            pair "[0.3, 0.1, -0.6]" "$field" "{body: b, type: $shape}"
            refuse "a and b start 0.[67] m inside each other, 3[05][01]* %"
        done
        pair "[0.3, 0.1, 0.088]" "$field" '{body: b, type: mesh, file: small.obj}'
        note "a and b start 0.012 m inside each other, 6 %"
    done
done

# neighbours at a joint: the joint is named
pair "[0, 0, 0.8]" '{body: a, type: box, size: [1, 1, 1]}' '{body: b, type: box, size: [1, 1, 1]}' \
    'joints: {hinge: {type: revolute, bodies: [a, b], at: [0, 0, 0.4], axis: [0, 1, 0]}}'
ends 0 run "$dir/pair.yaml" --out "$dir/out.csv"
must "the joint is named" grep -q "pair.yaml:10.*0.2 m inside.*joint hinge holds their bodies there.*leave one of the two out" "$dir/stderr"

finish
