#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A mesh in convex pieces does what its triangles do; what cannot be cut says why.
. tests/cli/support.bash

cp models/forks-in-pallet/model.yaml models/forks-in-pallet/pallet.obj "$dir"
sed 's/file: pallet.obj,/file: pallet.obj, pieces: 16,/' "$dir/model.yaml" >"$dir/pieces.yaml"
ends 0 run "$dir/model.yaml" --out "$dir/regions.csv"
ends 0 run "$dir/pieces.yaml" --out "$dir/pieces.csv"
must "their number is told" grep -q "note: shapes.pallet.pieces: 4 convex pieces, exactly the mesh" "$dir/stderr"
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
