#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parameters from data: values, intervals and covariance against linear regression; a pendulum integrated elsewhere; inputs in the
# data; parameters that the data cannot tell; mistakes.
. tests/cli/support.bash

cat >"$dir/sledge.yaml" <<'END'
biela: 1
name: sledge
gravity: [0, 0, 0]
parameters: {v: 1 m/s, m: 1 kg, spare: 3, twice: 1}
inputs: {push: 0}
bodies: {sledge: {mass: m, inertia: [0.1, 0.1, 0.1]}}
joints: {rail: {type: prismatic, bodies: [ground, sledge], axis: [1, 0, 0], rate: v*twice}}
forces: {drive: {type: torque, joint: rail, torque: push}}
outputs: {x: {joint: rail}, push: push}
run: {time: 1, dt: 0.05}
END
cat >"$dir/pendulum.yaml" <<'END'
biela: 1
name: damped pendulum
parameters: {L: 1 m, c: 0.05 N*m*s, m: 1 kg, start: 40 deg}
bodies: {bob: {mass: m, com: [0, 0, -L], inertia: [1e-9, 1e-9, 1e-9]}}
joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0], value: start}}
forces: {drag: {type: torque, joint: pivot, torque: -c*pivot.rate}}
outputs: {P: {joint: pivot}}
run: {time: 6, dt: 0.01}
END
sledge=$dir/sledge.yaml pendulum=$dir/pendulum.yaml

# the data: a straight line through zero with noise, 40 times; a pendulum by Runge-Kutta; a pushed sledge by its formula
cat >"$dir/data.py" <<'END'
import math, random, sys
folder = sys.argv[1]
random.seed(4)
for k in range(40):
    with open(f"{folder}/line{k}.csv", "w") as f:
        f.write("t,x.position\n")
        for i in range(1, 21):
            t = i * 0.05
            f.write(f"{t!r},{2 * t + random.gauss(0, 0.05)!r}\n")
# L = 1.23, c = 0.11, 40 degrees; noise 0.01 rad and 0.05 rad/s
L, c, y, h = 1.23, 0.11, [math.radians(40), 0.0], 1e-3
slope = lambda y: [y[1], -9.80665 / L * math.sin(y[0]) - c / L ** 2 * y[1]]
add = lambda y, k, a: [y[0] + a * k[0], y[1] + a * k[1]]
with open(f"{folder}/swing.csv", "w") as f, open(f"{folder}/gaps.csv", "w") as g:
    f.write("t,P.angle,P.rate\n")
    g.write("t,P.angle\n")
    for i in range(6001):
        if i % 50 == 0:
            a, w = y[0] + random.gauss(0, 0.01), y[1] + random.gauss(0, 0.05)
            f.write(f"{i * h!r},{a!r},{w!r}\n")
            g.write(f"{i * h!r},{'' if i in (1000, 2000) else repr(a)}\n")
        k1 = slope(y); k2 = slope(add(y, k1, h / 2)); k3 = slope(add(y, k2, h / 2)); k4 = slope(add(y, k3, h))
        y = [y[j] + h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]) for j in (0, 1)]
# force 4 t on 2.5 kg from 0.7 m/s: x = 0.7 t + 4 t^3 / 15
with open(f"{folder}/pushed.csv", "w") as f:
    f.write("t,push,x.rate\n")
    for i in range(21):
        t = i * 0.05
        f.write(f"{t!r},{4 * t!r},{0.7 + 0.8 * t * t!r}\n")
END
python3 "$dir/data.py" "$dir"

# a straight line: value, standard deviation and interval are those of regression; coverage of 40 intervals
cat >"$dir/lines.py" <<'END'
import csv, json, subprocess, sys
biela, model, folder = sys.argv[1:]
covered = 0
for k in range(40):
    data = f"{folder}/line{k}.csv"
    told = json.loads(subprocess.run([biela, "fit", model, data, "--params", "v", "--out", f"{folder}/o.csv", "--json", "--jobs", "1"],
                                     capture_output=True, text=True, check=True).stdout)["parameters"]["v"]
    rows = [(float(r["t"]), float(r["x.position"])) for r in csv.DictReader(open(data))]
    tt = sum(t * t for t, x in rows)
    v = sum(t * x for t, x in rows) / tt
    sd = (sum((x - v * t) ** 2 for t, x in rows) / (len(rows) - 1) / tt) ** 0.5
    student = 2.093024054408263  # 97.5 %, 19 degrees of freedom
    assert abs(told["value"] - v) < 1e-8 * 2, (told, v)
    assert abs(told["deviation"] / sd - 1) < 1e-6, (told, sd)
    assert abs(told["high"] - (v + student * sd)) < 1e-6
    covered += told["low"] <= 2 <= told["high"]
# 95 % of 40, less four standard deviations of the binomial
assert covered >= 33, covered
END
must "the straight line is regression" python3 "$dir/lines.py" "$BIELA" "$sledge" "$dir"

# the pendulum
ends 0 fit "$pendulum" "$dir/swing.csv" --params L,c --bounds L=0.1:5,c=0: --out "$dir/p.csv" --json
must "length and damping within their intervals" python3 - "$dir/stdout" "$dir/p.csv" <<'END'
import csv, json, sys
told = json.load(open(sys.argv[1]))
for name, true, most in (("L", 1.23, 0.01), ("c", 0.11, 0.02)):
    p = told["parameters"][name]
    assert p["is_identified"] and p["low"] < true < p["high"], p
    assert p["high"] - p["low"] < most, p
# the noise is found for each column; 121 values each: 6.5 % standard deviation
assert abs(told["columns"]["P.angle"]["noise"] / 0.01 - 1) < 0.25 and abs(told["columns"]["P.rate"]["noise"] / 0.05 - 1) < 0.25
rows = list(csv.DictReader(open(sys.argv[2])))
assert len(rows) == 121 and all(abs(float(r["P.angle"]) - float(r["P.angle.model"]) - float(r["P.angle.residual"])) < 1e-12 for r in rows)
END
ends 0 fit "$pendulum" "$dir/swing.csv" --params L,c,start --noise P.angle=0.01,P.rate=0.05 --out "$dir/q.csv" --json --jobs 1
must "degrees, and the noise that was given" python3 -c '
import json, sys
told = json.load(open(sys.argv[1]))
p = told["parameters"]["start"]
assert p["unit"] == "deg" and p["low"] < 40 < p["high"] and p["high"] - p["low"] < 1 and 0.7 < told["reduced_chi2"] < 1.3' "$dir/stdout"
cp "$dir/q.csv" "$dir/q1.csv"
ends 0 fit "$pendulum" "$dir/swing.csv" --params L,c,start --noise P.angle=0.01,P.rate=0.05 --out "$dir/q.csv" --quiet --jobs 3
must "the same bytes with other processes" cmp "$dir/q.csv" "$dir/q1.csv"
ends 0 fit "$pendulum" "$dir/swing.csv" --params L,c --noise P.angle=0.001,P.rate=0.005 --out "$dir/q.csv" --quiet
must "too small a noise is told" grep -q "residuals are .* times the noise given" "$dir/stderr"
ends 0 fit "$pendulum" "$dir/swing.csv" --params L --bounds L=0.5:1.1 --out "$dir/q.csv" --quiet
must "the bound is told" grep -q "L: ends at its bound 1.1" "$dir/stderr"
must "and what the residuals say" grep -q "neighbouring residuals resemble" "$dir/stderr"

# only c/m acts: the pair is reported, L is not
ends 0 fit "$pendulum" "$dir/swing.csv" --params L,c,m --out "$dir/q.csv" --json
must "the pair is told" grep -q "warning: c, m: cannot be identified one by one" "$dir/stderr"
must "and only the pair" python3 -c '
import json, sys
told = json.load(open(sys.argv[1]))
p = told["parameters"]
assert told["not_identified"] == ["c, m"] and p["L"]["is_identified"] and not p["c"]["is_identified"] and p["m"]["low"] is None
assert abs(p["c"]["value"] / p["m"]["value"] - 0.11) < 0.02' "$dir/stdout"
ends 0 fit "$sledge" "$dir/line0.csv" --params v,spare --out "$dir/q.csv"
must "no influence" grep -q "spare: cannot be identified: it has no influence" "$dir/stderr"
must "not identified in the table" grep -q "spare .*not identified" "$dir/stdout"

# inputs of the data drive the run, exactly; the force is linear between rows and so is the acceleration
ends 0 fit "$sledge" "$dir/pushed.csv" --params v,m --out "$dir/q.csv" --json
must "mass and speed of a pushed sledge" python3 -c '
import json, sys
p = json.load(open(sys.argv[1]))["parameters"]
assert abs(p["v"]["value"] - 0.7) < 1e-6 and abs(p["m"]["value"] - 2.5) < 1e-5, p' "$dir/stdout"
# the same with the input in a file of its own
cut -d, -f1,3 "$dir/pushed.csv" >"$dir/rate.csv"
cut -d, -f1,2 "$dir/pushed.csv" >"$dir/push.csv"
ends 0 fit "$sledge" "$dir/rate.csv" --manoeuvre "$dir/push.csv" --params v,m --out "$dir/q2.csv" --quiet
must "a manoeuvre does the same" cmp "$dir/q.csv" "$dir/q2.csv"

# data that jump with a parameter: small jumps are smoothed out by longer differences, large ones are told
sed 's|^outputs:.*|outputs: {x: {expr: "rail.position + jump*if(sin(3e5*v/(1 m/s)) > 0, 1, 0)"}}|; s|twice: 1|twice: 1, jump: 1e-4 m|' "$sledge" >"$dir/jumpy.yaml"
sed '1s/x.position/x/' "$dir/line0.csv" >"$dir/jumpy.csv"
ends 0 fit "$sledge" "$dir/line0.csv" --params v --json --out "$dir/g.csv"
cp "$dir/stdout" "$dir/straight.json"
ends 0 fit "$dir/jumpy.yaml" "$dir/jumpy.csv" --params v --json --out "$dir/g.csv"
must "small jumps do not spoil the deviation" python3 -c '
import json, sys
a, b = (json.load(open(f))["parameters"]["v"] for f in sys.argv[1:])
assert b["is_smooth"] and abs(b["deviation"] / a["deviation"] - 1) < 0.05, (a, b)' "$dir/straight.json" "$dir/stdout"
ends 0 fit "$dir/jumpy.yaml" "$dir/jumpy.csv" --params v --set "jump=0.5 m" --out "$dir/g.csv"
must "large ones are told" grep -q "v: the computed data jump when it changes" "$dir/stderr"

# gaps and other mistakes
bad() { # MESSAGE ARGUMENTS...
    local message=$1
    shift
    ends 2 fit "$@" --out "$dir/no.csv"
    must "$message" grep -q -e "$message" "$dir/stderr"
}
bad "gaps.csv:22:.*P.angle: a gap" "$pendulum" "$dir/gaps.csv" --params L
must "both gaps" grep -q "gaps.csv:42:" "$dir/stderr"
ends 0 fit "$pendulum" "$dir/gaps.csv" --params L,c --skip-gaps --out "$dir/g.csv"
must "119 values" grep -q "from 119 values" "$dir/stdout"
sed '40,60d' "$dir/swing.csv" >"$dir/hole.csv"
ends 0 fit "$pendulum" "$dir/hole.csv" --params L,c --out "$dir/g.csv" --quiet
must "rows that are missing" grep -q "hole.csv:40:.*a gap of 1.1 s" "$dir/stderr"
bad "no parameter called 'l'" "$pendulum" "$dir/swing.csv" --params l
bad "name the parameters" "$pendulum" "$dir/swing.csv"
bad "is given twice" "$pendulum" "$dir/swing.csv" --params L,L
bad "also given by --set" "$pendulum" "$dir/swing.csv" --params L --set L=2
bad "low < high" "$pendulum" "$dir/swing.csv" --params L --bounds L=2:1
bad "with a parameter of --params" "$pendulum" "$dir/swing.csv" --params L --bounds m=1:2
bad "L starts at 1, outside of 2 to 3" "$pendulum" "$dir/swing.csv" --params L --bounds L=2:3
bad "every measured column" "$pendulum" "$dir/swing.csv" --params L --noise P.angle=0.1
bad "greater than zero" "$pendulum" "$dir/swing.csv" --params L --noise P.angle=-0.1,P.rate=1
bad "measured column of the data" "$pendulum" "$dir/swing.csv" --params L --noise Q=0.1
sed '1s/P.rate/P.speed/' "$dir/swing.csv" >"$dir/u.csv"
bad "u.csv:1:.*P.speed: is no channel and no input" "$pendulum" "$dir/u.csv" --params L
ends 0 fit "$pendulum" "$dir/u.csv" --params L,c --ignore P.speed --out "$dir/g.csv" --quiet
printf 't,P.angle\n0,0.7\n0,0.6\n' >"$dir/t.csv"
bad "t.csv:3:.*times do not increase" "$pendulum" "$dir/t.csv" --params L
printf 't,P.angle\n0,0.7\n1,0.6\n' >"$dir/f.csv"
bad "too few for 2 parameters" "$pendulum" "$dir/f.csv" --params L,c
printf 'time,P.angle\n0,0.7\n1,0.6\n' >"$dir/f.csv"
bad "names no column t" "$pendulum" "$dir/f.csv" --params L
bad "cannot be read" "$pendulum" "$dir/nowhere.csv" --params L
must "nothing is written then" test ! -e "$dir/no.csv"
# outliers are named with their lines; a robust loss bears them
awk -F, 'BEGIN { OFS = "," } NR == 30 || NR == 70 { $2 += 0.3 } { print $1, $2 }' "$dir/swing.csv" >"$dir/stray.csv"
ends 0 fit "$pendulum" "$dir/stray.csv" --params L,c --out "$dir/g.csv" --quiet
must "outliers have lines" test "$(grep -c 'stray.csv:[37]0:.*an outlier' "$dir/stderr")" -eq 2
ends 0 fit "$pendulum" "$dir/stray.csv" --params L,c --loss huber --out "$dir/g.csv" --json
must "Huber's loss finds what the clean data have" python3 - "$dir/stdout" <<'PY'
import json, sys
p = json.load(open(sys.argv[1]))["parameters"]
sys.exit(not (p["L"]["low"] < 1.23 < p["L"]["high"] and p["c"]["low"] < 0.11 < p["c"]["high"] and p["L"]["high"] - p["L"]["low"] < 0.006))
PY
# the same file as two runs: as many values twice; intervals by the likelihood are near those of linear theory
ends 0 fit "$pendulum" "$dir/swing.csv" "$dir/swing.csv" --params L,c --ignore P.rate --profile L --out "$dir/g.csv" --json
must "two files, and a profile" python3 - "$dir/stdout" <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))
L = told["parameters"]["L"]
width = L["high"] - L["low"]
sys.exit(not (told["values"] == 242 and abs(L["profile_low"] - L["low"]) < 0.05 * width and abs(L["profile_high"] - L["high"]) < 0.05 * width))
PY
# what a fit would tell is known before: standard deviations by Fisher information are those of the fit, but for where it ends
ends 0 fit "$pendulum" "$dir/swing.csv" --params L,c --ignore P.rate --noise P.angle=0.01 --out "$dir/g.csv" --json
cp "$dir/stdout" "$dir/fitted.json"
ends 0 design "$pendulum" --set L=1.23 --set c=0.11 --params L,c --channels P.angle --noise P.angle=0.01 --every 0.05 --json
must "a design tells what the fit does" python3 - "$dir/stdout" "$dir/fitted.json" <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))["deviations"]["run"]
fitted = json.load(open(sys.argv[2]))["parameters"]
sys.exit(not all(abs(told[name] / fitted[name]["deviation"] - 1) < 0.05 for name in ("L", "c")))
PY
ends 0 design "$pendulum" --params c,m --channels P.angle --noise P.angle=0.01 --every 0.05
must "what no run tells" grep -q "m .* none tells it" "$dir/stdout"
ends 2 design "$pendulum" --params l --channels P.angle --noise P.angle=0.01
must "a name that is near" grep -q "did you mean 'L'" "$dir/stderr"
ends 2 design "$pendulum" --params L --channels P.angle
must "noise is needed" grep -q "how well P.angle would be measured" "$dir/stderr"
bad "names 1 runs for 2 files" "$pendulum" "$dir/swing.csv" "$dir/swing.csv" --params L --runs low
bad "not 'cubes'" "$pendulum" "$dir/swing.csv" --params L --loss cubes
bad "is not among --params" "$pendulum" "$dir/swing.csv" --params L --profile c
if command -v gnuplot >/dev/null; then
    ends 0 fit "$pendulum" "$dir/swing.csv" --params L,c --out "$dir/plot.csv" --plot --quiet
    must "a picture" sh -c "head -c 4 '$dir/plot.png' | grep -q PNG"
fi
finish
