#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# flex export FILE.dmig: what the superelement says by itself, against closed forms of a bar.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

cat >"$dir/bar.yaml" <<'YAML'
biela: 1
name: bar
bodies:
  bar:
    flex:
      materials: {steel: {young: 200 GPa, density: 8000}}
      sections: {bar: {rectangle: [10 mm, 20 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: 20}}
      frame: root
      boundary: [tip]
      modes: 12
      damping: {beta: 1e-4}
joints:
  hold: {type: fixed, bodies: [ground, bar]}
YAML
ends 0 flex export "$dir/bar.yaml" --tie tip,bar.10 --out "$dir/bar.dmig"
must "matrices and equations are those of a bar" python3 - "$dir/bar.dmig" <<'PY'
import math, sys
number = lambda text: float(text.replace("D", "E"))
field = lambda line: [line[k:k + 16].strip() for k in range(8, len(line), 16)]
matrix, column, ties, grid, tie = {}, None, {}, {}, None
lines = open(sys.argv[1]).read().split("\n")
for line in lines:
    f = field(line)
    if line.startswith("GRID*"):
        grid[int(f[0])] = [number(f[2]), number(f[3])]
        last = int(f[0])
    elif line.startswith("SPOINT"):
        _, first, _, end = line.split(",")
        first, end = int(first), int(end)
    elif line.startswith("DMIG,"):
        assert line.split(",")[2:] == ["0", "6", "2", "0"], line
    elif line.startswith("DMIG*"):
        m, column = matrix.setdefault(f[0], {}), (int(f[1]), int(f[2]))
    elif line.startswith("MPC*"):
        tie, column = ties.setdefault((int(f[1]), int(f[2])), {}), None
        assert number(f[3]) == -1.0
    elif line.startswith("*") and tie is not None:
        f = f if f[0] else f[1:]
        tie[int(f[0]), int(f[1])] = number(f[2])
    elif line.startswith("*") and column:
        row = (int(f[0]), int(f[1]))
        m[row, column] = m[column, row] = number(f[2])
    elif line.startswith("*"):
        grid[last].append(number(f[0]))
K, M, B = (matrix[name] for name in ("KFLEX", "MFLEX", "BFLEX"))
assert grid[2] == [1.0, 0.0, 0.0] and grid[3] == [0.5, 0.0, 0.0], grid
modes = [(k, 0) for k in range(first, end + 1)]
rigid = [(1, c) for c in range(1, 7)]
# mass and static moment, 10 digits in the file
assert all(abs(M[(1, c), (1, c)] - 1.6) < 1e-8 for c in (1, 2, 3)) and abs(M[(1, 2), (1, 6)] - 0.8) < 1e-8
assert abs(M[(1, 6), (1, 6)] / (1.6 / 3 + 1.6 * 0.01 ** 2 / 12) - 1) < 1e-6
assert all(abs(B[k, k] / K[k, k] - 1e-4) < 1e-12 for k in modes)
# what follows the frame alone moves as a rigid body
assert ties[2, 2][1, 2] == 1.0 and ties[2, 2][1, 6] == 1.0 and ties[3, 3][1, 5] == -0.5 and ties[2, 6][1, 6] == 1.0
# a force at the tip, the frame held: P L^3 / 3 E I, and its slope P L^2 / 2 E I
I = 0.02 * 0.01 ** 3 / 12
q = {k: ties[2, 2].get(k, 0.0) / K[k, k] for k in modes}
tip = sum(ties[2, 2].get(k, 0.0) * q[k] for k in modes)
turn = sum(ties[2, 6].get(k, 0.0) * q[k] for k in modes)
assert abs(tip * 3 * 200e9 * I - 1) < 1e-8, tip
assert abs(turn * 2 * 200e9 * I - 1) < 1e-8, turn
# free on both sides: the frame is eliminated, and the lowest frequency is that of a free bar across its soft side
get = lambda a, b: M.get((a, b), 0.0)
R = [[get(a, b) for b in rigid] + [get(a, k) for k in modes] for a in rigid]
for c in range(6):  # Gauss and Jordan
    p = max(range(c, 6), key=lambda r: abs(R[r][c]))
    R[c], R[p] = R[p], R[c]
    R[c] = [v / R[c][c] for v in R[c]]
    for r in range(6):
        if r != c:
            R[r] = [a - R[r][c] * b for a, b in zip(R[r], R[c])]
D = [[(get(a, b) - sum(get(a, rigid[c]) * R[c][6 + j] for c in range(6))) / math.sqrt(K[a, a] * K[b, b])
      for j, b in enumerate(modes)] for a in modes]
x = [1.0 + 0.1 * k for k in range(len(modes))]
for _ in range(2000):
    y = [sum(d * v for d, v in zip(row, x)) for row in D]
    size = math.sqrt(sum(v * v for v in y))
    x = [v / size for v in y]
f = 1 / math.sqrt(size) / (2 * math.pi)
expected = 4.730040745 ** 2 / (2 * math.pi) * math.sqrt(200e9 * 0.01 ** 2 / 12 / 8000)
print(f, expected)
# rotary inertia takes off 1e-4 or so, modes that are left out add as much
assert abs(f / expected - 1) < 1e-3, (f, expected)
PY
ends 2 flex export "$dir/bar.yaml" --out "$dir/none.dmig"
must "it needs nodes" grep -q 'needs --tie NODES' "$dir/stderr"
ends 2 flex export "$dir/bar.yaml" --tie tipp --out "$dir/none.dmig"
must "that there are" grep -q "did you mean 'tip'" "$dir/stderr"
must "and writes nothing else" test ! -e "$dir/none.dmig"
finish
