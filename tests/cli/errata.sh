#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Numbers of docs/errata.md: the power that the printed (8) of the paper on vehicles loses, and its tyre with its units.
. tests/cli/support.bash

must "errata of the paper on vehicles" python3 - <<'PY'
import math
def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
def dot(a, b):
    return sum(p*q for p, q in zip(a, b))
r, w, F = [0.7, -0.4, 1.1], [0.3, 1.7, -0.9], [120.0, -45.0, 800.0]
M = [F[2]*r[1] - F[1]*r[2], F[0]*r[2] - F[2]*r[0], F[1]*r[0] - F[0]*r[1]]            # (6) as printed
assert M == cross(r, F)
right = [w[1]*r[2] - w[2]*r[1], w[2]*r[0] - w[0]*r[2], w[0]*r[1] - w[1]*r[0]]
printed = [right[0], w[0]*r[2] - w[2]*r[0], right[2]]                                  # (8) as printed
assert abs(dot(F, right) - dot(M, w)) < 1e-9
assert abs(dot(F, printed) - dot(M, w)) > 10
B = (46/5)**(1/0.6)
assert abs(B - 40.3936) < 1e-4
mu = lambda s: 1.12*(1 - math.exp(-B*s)) + 0.625*s*s - s
assert max((mu(k/1000), k/1000) for k in range(1000))[1] < 0.12
def side(alpha, Fz):
    C, D = 1.3, (-53.31*Fz + 1190)*Fz
    Bs, E = 588.6*math.sin(2*math.atan(Fz/2.5212))/(C*D), -0.5178*Fz + 1
    return D*math.sin(C*math.atan(Bs*(1 - E)*alpha + E*math.atan(Bs*alpha)))
assert abs(side(2.0, 2.55) - 1112.9) < 0.05, side(2.0, 2.55)
assert abs(side(math.radians(2.0), 2.55) - 20.5) < 0.05
assert abs((-53.31*2550 + 1190)*2550 + 3.4e8) < 0.1e8
PY

# the part `point` of the library has the right signs: power in is power out
cat >"$dir/point.yaml" <<YAML
biela: 1
name: point
graphs:
  g:
    parts:
      b: {file: $PWD/models/library/bodies.yaml, graph: body, set: {m: 2, Jx: 1, Jy: 2, Jz: 3, vx: 1, vy: -2, vz: 0.5, wx: 0.3, wy: 1.7, wz: -0.9}}
      p: {file: $PWD/models/library/bodies.yaml, graph: point, set: {x: 0.7, y: -0.4, z: 1.1}}
    nodes:
      d: {type: R, size: 3, value: [1, 2, 3]}
    bonds: [b.v -> p.v, b.w -> p.arm, p.at -> d]
outputs: {g: {graph: g}}
run: {time: 0.1, dt: 1e-2}
YAML
ends 0 run "$dir/point.yaml" --out "$dir/point.csv"
must "velocity of the point, and power" python3 - "$dir/point.csv" <<'PY'
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    f = lambda n: float(row["g." + n])
    v = [f(f"b.v#{k}->p.v#{k}.f") for k in (1, 2, 3)]
    w = [f(f"b.w#{k}->p.arm.f") for k in (1, 2, 3)]
    at = [f(f"p.at#{k}->d#{k}.f") for k in (1, 2, 3)]
    r = [0.7, -0.4, 1.1]
    want = [v[0] + w[1]*r[2] - w[2]*r[1], v[1] + w[2]*r[0] - w[0]*r[2], v[2] + w[0]*r[1] - w[1]*r[0]]
    assert max(abs(a - b) for a, b in zip(at, want)) < 1e-12
    came = sum(f(f"b.v#{k}->p.v#{k}.power") + f(f"b.w#{k}->p.arm.power") for k in (1, 2, 3))
    went = sum(f(f"p.at#{k}->d#{k}.power") for k in (1, 2, 3))
    assert abs(came - went) < 1e-12*abs(went) + 1e-12
PY
finish
