#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Meshes that touch: open ones, those that cross themselves, without volume, broken or huge files. Each is told by name and line.
. tests/cli/support.bash

python3 - "$dir" <<'PY'
import sys
def write(name, vertices, faces):
    with open(f"{sys.argv[1]}/{name}.obj", "w") as f:
        f.writelines("v %s %s %s\n" % tuple(v) for v in vertices)
        f.writelines("f %d %d %d\n" % tuple(i + 1 for i in t) for t in faces)
V = [[0.5 * (1 if k & 1 else -1), 0.5 * (1 if k & 2 else -1), 0.5 * (1 if k & 4 else -1)] for k in range(8)]
F = [t for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)) for t in ((a, b, c), (a, c, d))]
more = [[x + 0.5, y + 0.3, z + 0.2] for x, y, z in V]
write("good", V, F)
write("solids", V + more, F + [tuple(i + 8 for i in t) for t in F])
write("open", V, F[2:])
write("flat", [[x, y, 0] for x, y, z in V], F)
write("nan", V[:3] + [["nan", 0.5, -0.5]] + V[4:], F)
write("twice", [V[i] for t in F for i in t], [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(F))])
write("beyond", V, F + [(0, 1, 99)])
write("empty", [], [])
# a closed surface whose top is pushed through its bottom, off the corners
write("through", [[x, y, 0] for x, y, z in V[:4]] + [[0.6 * x, 0.6 * y, -0.48 + 0.03 * x] for x, y, z in V[4:]] + [[0, 0, 0.5]], F[:2] + F[4:] + [(4, 5, 8), (5, 7, 8), (7, 6, 8), (6, 4, 8)])
# four corners in a plane
write("leaf", [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
PY

block() { # SHAPE
    cat >"$dir/block.yaml" <<YAML
biela: 1
name: block
bodies: {b: {mass: 10, inertia: {box: [1, 1, 1]}, at: [0, 0, 0.4999]}}
shapes:
  floor: {type: plane}
  b: {body: b, $1}
forces: {g: {type: contact, a: b, b: floor, stiffness: 1e5, damping: 500}}
outputs: {b: {body: b}}
run: {time: 0.003, dt: 1e-3}
YAML
}

told() { # WORDS, SHAPE; it runs
    block "$2"
    "$BIELA" run "$dir/block.yaml" "${with[@]}" >"$dir/stdout" 2>"$dir/stderr"
    must "it runs: $2" grep -q "^0.003" "$dir/out.csv"
    if [ -n "$1" ]; then
        must "$1: $2" grep -q "$1" "$dir/stderr"
        must "once: $2" test "$(grep -c "$1" "$dir/stderr")" = 1
    else
        must "nothing is told: $2" test "$(grep -c "mesh" "$dir/stderr")" = 0
    fi
    rm -f "$dir"/out.*
}

refused() { # WORDS, SHAPE
    block "$2"
    ends 2 run "$dir/block.yaml" "${with[@]}"
    must "$1: $2" grep -q "error: shapes.b.*$1" "$dir/stderr"
    must "nothing is written: $2" test -z "$(ls "$dir" | grep '^out')"
}

for formulation in natural joint; do
    for scheme in ali3p piles; do
        with=(--scheme $scheme --formulation $formulation --out "$dir/out.csv")
        told "" "type: mesh, file: good.obj"
        told "" "type: mesh, file: solids.obj" # solids that overlap are one solid
        told "block.yaml:6:.*warning: shapes.b: the mesh crosses itself" "type: mesh, file: through.obj"
        told "block.yaml:6:.*warning: shapes.b: the mesh is closed and has no volume" "type: mesh, file: leaf.obj"
        told "open.obj: warning: shapes.b.file: 4 edges have one triangle only" "type: mesh, file: open.obj"
        told "28 vertices at the place of another one were joined" "type: mesh, file: twice.obj"
        told "" "type: mesh, file: solids.obj, pieces: 8"
        refused "needs a mesh that does not cross itself" "type: mesh, file: through.obj, pieces: 8"
        refused "needs a closed mesh" "type: mesh, file: open.obj, pieces: 8"
        refused "all its points lie in a plane" "type: hull, file: flat.obj"
        for kind in "mesh" "hull" "mesh, pieces: 8"; do
            refused "three finite numbers must follow" "type: $kind, file: nan.obj"
            refused "the face names vertex 100" "type: $kind, file: beyond.obj"
            refused "the mesh has no triangles" "type: $kind, file: empty.obj"
        done
    done
done

finish
