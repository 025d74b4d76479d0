#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A mesh in convex pieces does what its triangles do; what cannot be cut says why.
. tests/cli/support.bash

cp models/forks-in-pallet/model.yaml models/forks-in-pallet/pallet.obj "$dir"
sed 's/file: pallet.obj,/file: pallet.obj, pieces: 16,/' "$dir/model.yaml" >"$dir/pieces.yaml"
ends 0 run "$dir/model.yaml" --out "$dir/regions.csv"
ends 0 run "$dir/pieces.yaml" --out "$dir/pieces.csv"
must "pieces that are exactly the mesh say nothing" test -z "$(grep "pieces" "$dir/stderr")"
sed 's/pieces: 16,/pieces: 2,/' "$dir/pieces.yaml" >"$dir/two.yaml"
"$BIELA" check "$dir/two.yaml" >"$dir/two" 2>&1
must "others tell what they add" grep -q "note: shapes.pallet.pieces: 2 convex pieces with .* % more volume than the mesh" "$dir/two"
# boards that stand in each other: each a piece
boards() {
    for at in "0 0 0" "0.5 0 0.9" "-0.5 0 0.9"; do
        set -- $at
        awk -v x="$1" -v y="$2" -v z="$3" 'BEGIN { for (k = 0; k < 8; k++) print "v", x + (k % 2) * 0.4, y + int(k / 2) % 2, z + int(k / 4) }'
    done
    for first in 0 8 16; do
        for f in "1 3 4 2" "5 6 8 7" "1 2 6 5" "3 7 8 4" "1 5 7 3" "2 4 8 6"; do
            echo $f | awk -v n="$first" '{ print "f", $1 + n, $2 + n, $3 + n, $4 + n }'
        done
    done
}
boards | sed 's/^v -0.5/v 0.1/' >"$dir/boards.obj"
sed 's/file: pallet.obj, pieces: 16, unit: mm/file: boards.obj, pieces: 3, unit: mm/' "$dir/pieces.yaml" >"$dir/boards.yaml"
"$BIELA" check "$dir/boards.yaml" >"$dir/said" 2>&1
must "convex solids that overlap are pieces" test -z "$(grep "pieces" "$dir/said")"
sed 's/pieces: 3/pieces: 2/' "$dir/boards.yaml" >"$dir/few.yaml"
"$BIELA" check "$dir/few.yaml" >"$dir/said" 2>&1
must "more solids than pieces" grep -q "needs a mesh that does not cross itself, or one of convex solids" "$dir/said"
cat >"$dir/check.py" <<'END'
import csv, sys
a, b = (list(csv.DictReader(open(name))) for name in sys.argv[1:3])
assert len(a) == len(b) == 201
for p, q in zip(a, b):
    # the faces are the same, and so are the middles of their patches: what differs are roundings of regions
    for name in ("pallet.x", "pallet.z", "pallet.qy"):
        assert abs(float(p[name]) - float(q[name])) < 1e-6, (name, p["t"], p[name], q[name])
assert float(a[-1]["pallet.z"]) > 0.27
END
must "the pallet is lifted alike" python3 "$dir/check.py" "$dir/regions.csv" "$dir/pieces.csv"

mistake() {
    sed "s/file: pallet.obj,/file: pallet.obj, pieces: $1,/" "$dir/model.yaml" >"$dir/bad.yaml"
    ends 2 run "$dir/bad.yaml" --out "$dir/bad.csv"
    must "pieces: $1" grep -q "shapes.pallet.pieces: $2" "$dir/stderr"
}
mistake 0 "must be from 1 to 256"
mistake 257 "must be from 1 to 256"
mistake 2.5 "must be a whole number, and it is 2.5"
sed -i '$d' "$dir/pallet.obj"
mistake 4 "needs a closed mesh, and this one has open edges"

finish
