#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run --life: fatigue of every place against rainflow of recorded channels, and what it says about mistakes.
. tests/cli/support.bash

cat >"$dir/steel.yaml" <<'YAML'
fatigue: 1
mean: goodman
materials:
  steel: {amplitude: 150 MPa, cycles: 1e6, slope: 5, ultimate: 500 MPa}
YAML

# ---- the chassis of the prototype car: section forces of 100 random ends of its tubes, each step of a second --------
cp -r models/prototype-car "$dir/car"
python3 - "$dir/car" <<'PY'
import csv, random, sys
folder = sys.argv[1]
number = [int(float(row["id"])) for row in csv.DictReader(open(folder + "/chassis/elements.csv"))]
random.seed(7)
ends = random.sample([(n, end) for n in number for end in ("start", "end")], 100)
lines = open(folder + "/model.yaml").read().split("\n")
at = lines.index("outputs:")
lines[at + 1:at + 1] = [f"  f_{n}_{end}: {{section: chassis1, element: {n}, at: {end}}}" for n, end in ends]
open(folder + "/model.yaml", "w").write("\n".join(lines))
PY
"$BIELA" run "$dir/car/model.yaml" --run driven --set from=4.9 --time 1 --every 1e-3 --life "$dir/steel.yaml" \
    --out "$dir/car.csv" --quiet
must "the car runs" test $? -eq 0
must "100 random ends as rainflow of their channels" python3 - "$dir" <<'PY'
import csv, math, sys
folder = sys.argv[1]
tube = {"1": (21.3e-3, 2.65e-3), "2": (26.9e-3, 2.65e-3), "3": (33.7e-3, 3.25e-3), "4": (42.4e-3, 3.25e-3)}
section = {int(float(r["id"])): str(int(float(r["section"])))
           for r in csv.DictReader(open(folder + "/car/chassis/elements.csv"))}
rows = list(csv.reader(open(folder + "/car.csv")))
column = {name: [float(r[k]) for r in rows[1:]] for k, name in enumerate(rows[0])}
life = {(int(r["number"]), r["end"]): r for r in csv.DictReader(open(folder + "/car.life.csv"))}
assert len(rows) == 1002 and len(life) == 2 * len(section)

def damage(x):
    top = x.index(max(x))
    turn, stack, total = [], [], 0.0
    for v in x[top:] + x[:top + 1]:
        if turn and v == turn[-1]:
            continue
        if len(turn) > 1 and (turn[-1] > turn[-2]) == (v > turn[-1]):
            turn.pop()
        turn.append(v)
    for v in turn:
        stack.append(v)
        while len(stack) >= 3 and abs(stack[-1] - stack[-2]) >= abs(stack[-2] - stack[-3]):
            a, b = stack[-3], stack[-2]
            mean, amplitude = 0.5 * (a + b), 0.5 * abs(a - b)
            amplitude /= 1.0 - max(mean, 0.0) / 500e6
            total += (amplitude / 150e6) ** 5 / 1e6
            del stack[-3:-1]
    return total

worst = 0.0
names = [name[:-2] for name in column if name.startswith("f_") and name.endswith(".N")]
assert len(names) == 100
for name in names:
    _, number, end = name.split("_")
    d, w = tube[section[int(number)]]
    d2 = d - 2 * w
    area, i = math.pi / 4 * (d * d - d2 * d2), math.pi / 64 * (d ** 4 - d2 ** 4)
    N, Mt, My, Mz = (column[f"{name}.{part}"] for part in ("N", "Mt", "My", "Mz"))
    most = 0.0
    for k in range(16):
        y, z = math.cos(2 * math.pi * k / 16), math.sin(2 * math.pi * k / 16)
        history = []
        for n, mt, my, mz in zip(N, Mt, My, Mz):
            s, t = n / area + (my * z - mz * y) * d / 2 / i, mt * d / 2 / (2 * i)
            history.append(s / 2 + math.copysign(math.hypot(s / 2, t), s))
        most = max(most, damage(history))
    told = float(life[int(number), end]["damage"])
    worst = max(worst, abs(told - most) / most)

    assert abs(float(life[int(number), end]["runs"]) * told - 1) < 1e-12
print(f"largest difference {worst:.1e}")
# the same sums in another order, 17 digits in the file
assert worst < 1e-9, worst
PY
must "ParaView has the damage" grep -q 'Name="damage_of_beam"' "$dir/car-chassis1-life.vtu"

# ---- solids: tensors at a node; notches; both formulations ----------------------------------------------------------
cat >"$dir/bracket.yaml" <<YAML
biela: 1
name: bracket
bodies:
  bracket:
    flex:
      mesh: {file: $PWD/tests/import/mesh/beam_hex20.msh, interfaces: {base: root, end: tip}}
      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}
      frame: base
      modes: 2
      damping: 0.02
joints:
  bolt: {type: fixed, bodies: [ground, bracket]}
forces:
  shake: {type: force, point: {body: bracket, node: end}, fy: "3000*sin(2*pi*15*t)*(1 + 0.3*sin(2*pi*2*t))", fz: "9000*cos(2*pi*11*t)"}
outputs:
  hot: {stress: bracket, node: [0.125, 0, 0.04], quantity: tensor}
run: {time: 0.3 s, dt: 1 ms}
YAML
for method in principal mises plane shear; do
    sed "s/^mean: .*/method: $method\nmean: none\nplanes: 8\nshare: 0.4/; s/ultimate/yield: 350 MPa, ultimate/" "$dir/steel.yaml" >"$dir/$method.yaml"
    "$BIELA" run "$dir/bracket.yaml" --life "$dir/$method.yaml" --out "$dir/$method.csv" --quiet 2>/dev/null || must "$method runs" false
done
must "four ways to count a tensor" python3 - "$dir" <<'PY'
import csv, math, sys
folder = sys.argv[1]

def stack_cycles(x, beside):
    """Cycles of the repeated history with the largest normal stress in them: start at the largest value."""
    top = x.index(max(x))
    n = len(x)
    order = [(top + k) % n for k in range(n)] + [top]
    turn = []
    for k in order:
        if turn and x[k] == x[turn[-1][0]]:
            continue
        if len(turn) > 1 and (x[turn[-1][0]] > x[turn[-2][0]]) == (x[k] > x[turn[-1][0]]):
            turn.pop()
        turn.append((k,))
    out, stack = [], []
    for (k,) in turn:
        stack.append(k)
        while len(stack) >= 3 and abs(x[stack[-1]] - x[stack[-2]]) >= abs(x[stack[-2]] - x[stack[-3]]):
            out.append((abs(x[stack[-3]] - x[stack[-2]]), 0.5 * (x[stack[-3]] + x[stack[-2]])))
            del stack[-3:-1]
    return out

def eig(s):
    xx, yy, zz, xy, yz, zx = s
    m = (xx + yy + zz) / 3
    # power of the characteristic cubic by bisection: nothing of the program
    def f(v):
        a, b, c = xx - v, yy - v, zz - v
        return a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx)
    size = math.sqrt(sum(v * v for v in s) * 2) + 1e-9
    roots, n = [], 400
    grid = [m - 2 * size + 4 * size * k / n for k in range(n + 1)]
    for lo, hi in zip(grid, grid[1:]):
        if f(lo) * f(hi) <= 0:
            a, b = lo, hi
            for _ in range(80):
                c = 0.5 * (a + b)
                a, b = (c, b) if f(a) * f(c) > 0 else (a, c)
            roots.append(0.5 * (a + b))
    return max(roots, key=abs)

def check(method, histories):
    worst = 0.0
    for x in histories:
        worst = max(worst, sum((r / 2 / 150e6) ** 5 / 1e6 for r, _ in stack_cycles(x, None)))
    return worst

rows = {m: list(csv.DictReader(open(f"{folder}/{m}.csv"))) for m in ("principal",)}["principal"]
part = [k for k in rows[0] if k.startswith("hot.")]
order = ["xx", "yy", "zz", "xy", "yz", "zx"]
tensors = [[float(r[f"hot.{p}"]) for p in order] for r in rows]
mises = lambda s: math.sqrt(0.5 * ((s[0] - s[1]) ** 2 + (s[1] - s[2]) ** 2 + (s[2] - s[0]) ** 2) + 3 * (s[3] ** 2 + s[4] ** 2 + s[5] ** 2))
P = [eig(s) for s in tensors]
expected = {"principal": check("principal", [P]),
            "mises": check("mises", [[math.copysign(mises(s), p) for s, p in zip(tensors, P)]])}
directions = []
for ring in range(5):
    polar = math.pi / 2 * ring / 4
    count = max(1, math.ceil((1 if ring == 4 else 2) * 8 * math.sin(polar) - 1e-9))
    for k in range(count):
        around = (math.pi if ring == 4 else 2 * math.pi) * k / count
        directions.append((math.sin(polar) * math.cos(around), math.sin(polar) * math.sin(around), math.cos(polar)))
normal = lambda s, n: (s[0] * n[0] ** 2 + s[1] * n[1] ** 2 + s[2] * n[2] ** 2 + 2 * (s[3] * n[0] * n[1] + s[4] * n[1] * n[2] + s[5] * n[2] * n[0]))
expected["plane"] = check("plane", [[normal(s, n) for s in tensors] for n in directions])
# the node of the output by its damage: some place has it
for method, value in expected.items():
    told = [float(r["damage"]) for r in csv.DictReader(open(f"{folder}/{method}.life.csv"))]
    near = min(told, key=lambda d: abs(d / value - 1))
    assert abs(near / value - 1) < 1e-9, (method, value, near)
# the shear is uniaxial at the worst place but for the load's second direction: near the principal stress without mean
shear, first = (max(float(r["damage"]) for r in csv.DictReader(open(f"{folder}/{m}.life.csv"))) for m in ("shear", "principal"))
assert 0.3 < shear / first < 3.0, (shear, first)
PY
"$BIELA" run "$dir/bracket.yaml" --formulation natural --life "$dir/principal.yaml" --out "$dir/natural.csv" --quiet 2>/dev/null
"$BIELA" run "$dir/bracket.yaml" --formulation joint --life "$dir/principal.yaml" --out "$dir/joint.csv" --quiet 2>/dev/null
# the two discretise the modes alike: fifth powers of differences of 1e-6 at most
must "natural and joint coordinates agree" python3 -c "
import csv, sys
a, b = (list(csv.DictReader(open(f'$dir/{n}.life.csv'))) for n in ('natural', 'joint'))
worst = max(abs(float(x['damage']) - float(y['damage'])) for x, y in zip(a, b)) / max(float(x['damage']) for x in a)
print(worst); sys.exit(worst > 1e-5)"

cat "$dir/principal.yaml" - >"$dir/notch.yaml" <<'YAML'
  seam: {fat: 71 MPa}
places:
  notch: {body: bracket, nodes: [1, 2, 3], notch: 2}
YAML
"$BIELA" run "$dir/bracket.yaml" --life "$dir/notch.yaml" --out "$dir/notch.csv" --quiet 2>/dev/null
must "a notch of two is the fifth power of two" python3 -c "
import csv
a, b = (list(csv.DictReader(open(f'$dir/{n}.life.csv'))) for n in ('principal', 'notch'))
for x, y in zip(a, b):
    times = 32 if y['spot'] == 'notch' else 1
    assert abs(float(y['damage']) - times * float(x['damage'])) <= 1e-9 * float(y['damage']), (x, y)
assert sum(r['spot'] == 'notch' for r in b) == 3"

# ---- a drive that was recorded --------------------------------------------------------------------------------------
"$BIELA" drive "$dir/bracket.yaml" --headless --time 0.2 --record "$dir/drive.biela" >/dev/null 2>&1
"$BIELA" replay "$dir/drive.biela" --csv "$dir/drive.csv" --life "$dir/principal.yaml" >"$dir/drive.txt" 2>&1
must "a recorded drive has a life" grep -q '^   1  bracket node' "$dir/drive.txt"
must "told in runs and hours" grep -q 'life .* runs = ' "$dir/drive.txt"

# ---- mistakes -------------------------------------------------------------------------------------------------------
refuse() { # WHAT PATTERN: the data of stdin are refused with this
    cat >"$dir/bad.yaml"
    rm -f "$dir/bad.csv" "$dir/bad.life.csv"
    "$BIELA" run "$dir/bracket.yaml" --life "$dir/bad.yaml" --out "$dir/bad.csv" --quiet 2>"$dir/err"
    must "$1: exit code 2" test $? -eq 2
    must "$1: says so" grep -q "$2" "$dir/err"
    must "$1: writes nothing" test ! -e "$dir/bad.csv" -a ! -e "$dir/bad.life.csv"
}
refuse "no version" "begins with 'fatigue: 1'" <<<'materials: {}'
refuse "an empty file" "mapping that begins with" <<<''
refuse "another material" "no material of the flexible bodies has a line here; the first one without is 'steel'" <<'YAML'
fatigue: 1
materials: {iron: {amplitude: 150 MPa, cycles: 1e6, slope: 5}}
YAML
refuse "a key that there is not" "did you mean 'slope'" <<'YAML'
fatigue: 1
materials: {steel: {amplitude: 150 MPa, cycles: 1e6, slpoe: 5}}
YAML
refuse "a wrong unit" "bad.yaml:2:" <<'YAML'
fatigue: 1
materials: {steel: {amplitude: 150 mm, cycles: 1e6, slope: 5}}
YAML
refuse "no strength for Goodman" "goodman needs 'ultimate'" <<'YAML'
fatigue: 1
mean: goodman
materials: {steel: {amplitude: 150 MPa, cycles: 1e6, slope: 5}}
YAML
refuse "a line that rises" "amplitudes fall from point to point" <<'YAML'
fatigue: 1
materials: {steel: {points: [[1e4, 100 MPa], [1e6, 150 MPa]]}}
YAML
refuse "survival without scatter" "needs 'scatter'" <<'YAML'
fatigue: 1
survival: 97.7 %
materials: {steel: {amplitude: 150 MPa, cycles: 1e6, slope: 5}}
YAML
refuse "a place on nothing" "no such node: '99999'" <<'YAML'
fatigue: 1
materials: {steel: {amplitude: 150 MPa, cycles: 1e6, slope: 5}}
places: {a: {body: bracket, nodes: [99999]}}
YAML
refuse "another body" "not a flexible body" <<'YAML'
fatigue: 1
materials: {steel: {amplitude: 150 MPa, cycles: 1e6, slope: 5}}
places: {a: {body: ground, nodes: [1]}}
YAML
"$BIELA" run "$dir/bracket.yaml" --life "$dir/none.yaml" --out "$dir/bad.csv" --quiet 2>"$dir/err"
must "no such file" test $? -eq 2
"$BIELA" run pendulum --life "$dir/steel.yaml" --out "$dir/bad.csv" --quiet 2>"$dir/err"
must "a model without flexible bodies" grep -q 'there is no flexible body' "$dir/err"
"$BIELA" run "$dir/bracket.yaml" --life "$dir/principal.yaml" --out /dev/null --quiet 2>"$dir/err"
must "a device has nothing beside it" grep -q 'needs a plain file' "$dir/err"
"$BIELA" run "$dir/bracket.yaml" --life "$dir/principal.yaml" --out "$dir/principal.yaml" --quiet 2>"$dir/err"
must "results do not replace the data" test $? -eq 2
sed 's/slope: 5/slope: 1e308/' "$dir/steel.yaml" >"$dir/steep.yaml"
"$BIELA" run "$dir/bracket.yaml" --life "$dir/steep.yaml" --out "$dir/steep.csv" >"$dir/out" 2>"$dir/err"
must "a damage without end says why" grep -q 'damage inf.*too large for a number' "$dir/out"
finish
