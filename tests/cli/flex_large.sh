#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A mesh of eighteen thousand unknowns is reduced and has the frequencies of its beam. (A hundred thousand take 51 s of CPU time.)
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

# a block of 1 x 0.1 x 0.12 m, 60 x 9 x 9 hexahedra with incompatible modes
python3 - "$dir/block.inp" <<'PY'
import sys
n, m, l = 60, 9, 9
number = lambda i, j, k: 1 + i + (n + 1) * (j + (m + 1) * k)
with open(sys.argv[1], "w") as out:
    out.write("*NODE\n")
    for k in range(l + 1):
        for j in range(m + 1):
            for i in range(n + 1):
                out.write(f"{number(i, j, k)}, {i / n:.9g}, {0.1 * j / m:.9g}, {0.12 * k / l:.9g}\n")
    out.write("*ELEMENT, TYPE=C3D8I, ELSET=PART\n")
    e = 0
    for k in range(l):
        for j in range(m):
            for i in range(n):
                e += 1
                corners = [number(i + a, j + b, k + c) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                out.write(", ".join(map(str, [e] + corners)) + "\n")
    for name, i in (("ROOT", 0), ("TIP", n)):
        out.write(f"*NSET, NSET={name}\n" + "".join(f"{number(i, j, k)}\n" for j in range(m + 1) for k in range(l + 1)))
PY
cat >"$dir/block.yaml" <<'Y'
biela: 1
name: block
bodies:
  block:
    flex:
      mesh: {file: block.inp, interfaces: {base: ROOT}}
      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}
      frame: base
      modes: 6
Y
ends 0 flex info "$dir/block.yaml" --json
must "nothing of its progress where there is no terminal" test ! -s "$dir/stderr"
must "mass and frequencies of a beam" python3 - "$dir/stdout" <<'PY'
import json, math, sys
b = json.load(open(sys.argv[1]))["bodies"][0]
E, rho, L, w, h = 210e9, 7850.0, 1.0, 0.1, 0.12
assert b["freedoms"] == 3 * 60 * 100, b["freedoms"]
assert abs(b["mass"] / (rho * L * w * h) - 1) < 1e-9
for k, height in enumerate((w, h)):
    # Euler and Bernoulli; shear and rotary inertia take off less than 1 %, the clamped width of the face adds half of that
    hz = 1.8751040687**2 / (2 * math.pi) * math.sqrt(E / (12 * rho)) * height / L**2
    assert abs(b["normal_hz"][k] / hz - 1) < 0.01, (b["normal_hz"][k], hz)
PY
finish
