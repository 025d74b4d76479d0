#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The bicycle without gyroscopic or caster effect that is stable by itself: run two-mass-skate of whipple, against the printed formulas of the benchmark
# (Meijaard and others 2007, appendix A) and the criterion of Routh and Hurwitz; the same on tyres.
. tests/cli/support.bash

ends 0 modes whipple --run two-mass-skate --set dphi0=0 --sweep v=1:8:0.5 --json
cp "$dir/stdout" "$dir/rigid.json"
ends 0 modes bicycle --run two-mass-skate --set dphi0=0 --sweep v=1:8:0.5 --json
cp "$dir/stdout" "$dir/tyres.json"
must "it is stable from the speed of Routh and Hurwitz on" python3 - "$dir/rigid.json" "$dir/tyres.json" <<'PY'
import json, math, sys

rigid, tyres = (json.load(open(name)) for name in sys.argv[1:])
# two point masses B and H, wheels that weigh nothing: M, C1, K0, K2 of the appendix with these zeros
w, c, lam, g = 1.0, -0.005, math.radians(-3), 9.81
mB, xB, zB, mH, xH, zH = 10.0, 0.65, -0.25, 2.0, 0.98, -0.55
s, k = math.sin(lam), math.cos(lam)
mT, xT, zT = mB + mH, (mB*xB + mH*xH)/(mB + mH), (mB*zB + mH*zH)/(mB + mH)
assert 0 < xT < w, "both wheels are pressed on the ground"
ITxx, ITxz, ITzz = mB*zB**2 + mH*zH**2, -mB*xB*zB - mH*xH*zH, mB*xB**2 + mH*xH**2
uA, mu = (xH - w - c)*k - zH*s, c/w*k
SA = mH*uA + mu*mT*xT
IAll, IAlx, IAlz = mH*uA**2, -mH*uA*zH, mH*uA*xH
M = ((ITxx, IAlx + mu*ITxz), (IAlx + mu*ITxz, IAll + 2*mu*IAlz + mu**2*ITzz))
C1 = ((0, ITxz/w*k - mu*mT*zT), (0, IAlz/w*k + mu*(SA + ITzz/w*k)))
K0 = ((mT*zT, -SA), (-SA, -SA*s))
K2 = ((0, -mT*zT/w*k), (0, SA/w*k))
point = next(p for p in rigid["points"] if abs(p["v"] - 4) < 1e-9)
for name, matrix in (("M", M), ("C", [[4*x for x in row] for row in C1]), ("K", [[g*a + 16*b for a, b in zip(*rows)] for rows in zip(K0, K2)])):
    for i in range(2):
        for j in range(2):
            assert abs(point[name][i][j] - matrix[i][j]) < 1e-8*(1 + abs(matrix[i][j])), (name, i, j, point[name][i][j], matrix[i][j])

def is_stable(v):
    def entry(i, j):
        return M[i][j], v*C1[i][j], g*K0[i][j] + v*v*K2[i][j]
    def product(a, b):
        out = [0.0]*5
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                out[i + j] += x*y
        return out
    A, B, C, D, E = (x - y for x, y in zip(product(entry(0, 0), entry(1, 1)), product(entry(0, 1), entry(1, 0))))
    return min(A, B, C, D, E) > 0 and D*(B*C - A*D) > B*B*E

low, high = 1.0, 4.0
assert not is_stable(low) and is_stable(high) and all(is_stable(v) for v in range(4, 20))
for _ in range(60):
    middle = (low + high)/2
    low, high = (low, middle) if is_stable(middle) else (middle, high)
found = list(rigid["critical"].values())
assert len(found) == 1 and abs(found[0] - high) < 1e-8, (found, high)
# on tyres that slip it wants a little more speed
at = list(tyres["critical"].values())
assert len(at) == 1 and high < at[0] < 1.2*high, at
PY

# pushed sideways it comes back, in both formulations
for model in whipple bicycle; do
    for formulation in joint natural; do
        ends 0 run $model --run two-mass-skate --formulation $formulation --time 6 --out "$dir/$model-$formulation.csv"
    done
    must "$model: its lean and steer decay" python3 - "$dir/$model-joint.csv" <<'PY'
import csv, sys
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
largest = max(abs(r["phi"]) for r in rows)
assert largest > 0.03 and abs(rows[-1]["phi"]) < 0.25*largest and abs(rows[-1]["gamma"]) < 0.25*largest
PY
    ends 0 diff "$dir/$model-joint.csv" "$dir/$model-natural.csv" --columns phi,gamma,psi --tolerance 1e-3
done

# nothing of the drawing refuses a wheel however small
for radius in 0.02 0.06 0.12; do
    ends 0 check bicycle --set rR=$radius --set rF=$radius
done
finish
