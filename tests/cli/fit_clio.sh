#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Identification on the Clio: rolling resistance and drag from a coast-down that a formula made, cornering stiffness from the noisy curves of
# an independent program.
. tests/cli/support.bash

cat >"$dir/data.py" <<'END'
import csv, math, random, sys
folder = sys.argv[1]
random.seed(7)
# coast-down by its closed form: m v' = -(a + b v^2) with f0 = 0.013 and Cx = 0.37; speed with 0.03 m/s of noise
Re, f2, W = 0.2626056561016273, 9.405768275747042e-06, 8100.0
a, b = W * 0.013, W * f2 + 0.5 * 1.225 * 1.86 * 0.37
m = W / 9.81 + 4 * 1.95 / Re ** 2
start = math.atan(33.333 * math.sqrt(b / a))
with open(f"{folder}/coast.csv", "w") as f:
    f.write("t,speed\n")
    for k in range(0, 61):
        t = k / 2
        f.write(f"{t},{math.sqrt(a / b) * math.tan(start - math.sqrt(a * b) * t / m) + random.gauss(0, 0.03)}\n")
# the steering ramp of the independent program, with noise of 1 mrad/s
with open(f"{folder}/ramp.csv", "w") as f:
    f.write("t,body.wz\n")
    for k, r in enumerate(csv.DictReader(open("models/clio/reference-ramp.csv"))):
        if k % 2 == 0 and float(r["t"]) <= 10:
            f.write(f"{r['t']},{float(r['body.wz']) + random.gauss(0, 1e-3)}\n")
END
python3 "$dir/data.py" "$dir"

ends 0 fit clio "$dir/coast.csv" --run coast-down --params f0,Cx --dt 0.05 --noise speed=0.03 --out "$dir/c.csv" --json
must "rolling resistance and drag are in their intervals" python3 - "$dir/stdout" <<'END'
import json, sys
told = json.load(open(sys.argv[1]))
for name, true, most in (("f0", 0.013, 0.1), ("Cx", 0.37, 0.05)):
    p = told["parameters"][name]
    assert p["low"] < true < p["high"] and p["high"] - p["low"] < most * true, (name, p)
# 61 values: standard deviation of the ratio 0.18
assert 0.5 < told["reduced_chi2"] < 1.6, told["reduced_chi2"]
END
# at speed they look alike, and that is told
must "the pair is told" grep -q "Cx: and f0 are hardly told apart" "$dir/stderr"

ends 0 fit clio "$dir/ramp.csv" --run ramp --params cornering_f=520 --dt 0.02 --noise body.wz=1e-3 --out "$dir/r.csv" --json
must "cornering stiffness is in its interval" python3 - "$dir/stdout" <<'END'
import json, sys
p = json.load(open(sys.argv[1]))["parameters"]["cornering_f"]
assert p["low"] < 588.6 < p["high"] and p["high"] - p["low"] < 15, p
END
finish
