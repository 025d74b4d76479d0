#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela integrate` against a motion that is known: 5 m/s and back to rest in closed form, told with a bias that wanders, with
# noise, in two columns, by sensors that pitch; bad input.
. tests/cli/support.bash

# a = 5 pi/2 sin(pi (t - 2)/1) half waves: from 2 to 3 s up to 5 m/s, from 5 to 6 s down again; way 5 m/s * 3 s
python3 - "$dir" <<'PY'
import math, random, sys
random.seed(1)
def motion(t):
    a = v = x = 0.0
    for start, sign in ((2.0, 1.0), (5.0, -1.0)):
        s = min(max(t - start, 0.0), 1.0)
        a += sign * (2.5 * math.pi * math.sin(math.pi * s) if 0 < t - start < 1 else 0.0)
        v += sign * 2.5 * (1 - math.cos(math.pi * s))
        x += sign * (2.5 * (s - math.sin(math.pi * s) / math.pi) + 5.0 * max(t - start - 1.0, 0.0))
    return a, v, x
with open(f"{sys.argv[1]}/a.csv", "w") as out:
    out.write("t,true.v,true.x,left,right,noisy,pitch,tilted\n")
    for k in range(8001):
        t = k / 1000
        a, v, x = motion(t)
        p = 0.05 * math.sin(t)
        out.write(f"{t},{v!r},{x!r},{a + 0.3 + 0.02 * t!r},{a - 0.1!r},{a + 0.3 + random.gauss(0, 0.05)!r},{p!r},{a * math.cos(p) - 9.81 * math.sin(p) + 0.2!r}\n")
PY
gaps() { # FILE: largest gaps of speed and way to the true motion
    python3 - "$dir/a.csv" "$1" <<'PY'
import csv, sys
true, own = ([{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(f))] for f in sys.argv[1:])
at = {round(row["t"], 6): row for row in true}
print(max(abs(r["v"] - at[round(r["t"], 6)]["true.v"]) for r in own), max(abs(r["x"] - at[round(r["t"], 6)]["true.x"]) for r in own))
PY
}
within() { # WHAT FILE SPEED WAY
    must "$1" python3 -c 'import sys; v, x = map(float, sys.argv[1].split()); print("measured", v, x); sys.exit(not (v < float(sys.argv[2]) and x < float(sys.argv[3])))' "$(gaps "$2")" "$3" "$4"
}

# a straight drift goes without a rest: only the trapezoidal rule, a'' h^2 / 12 over a second, is left
ends 0 integrate "$dir/a.csv" left,right --rest 0:1.9,6.1:8 --out "$dir/mean.csv" --json
within "straight drift" "$dir/mean.csv" 2e-5 5e-5
must "biases of the mean" python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); b = [x["bias"] for x in r["rests"]]; sys.exit(not (abs(b[0] - 0.1095) < 1e-6 and abs(b[1] - 0.1705) < 1e-6 and abs(r["way"] - 15) < 1e-4))' "$dir/stdout"
# noise of 0.05 in 1 ms for 4 s between: sqrt(4000) * 0.05 * 1e-3 = 3 mm/s, of which the closing takes half; way some 4 s of it
ends 0 integrate "$dir/a.csv" noisy --rest 0:1.9,6.1:8 --out "$dir/noisy.csv"
within "noise" "$dir/noisy.csv" 0.01 0.03
# without its pitch a sensor takes its weight for motion: 0.5 m/s^2; with it only its bias is seen tilted, 0.2 (1/cos p - 1)
ends 0 integrate "$dir/a.csv" tilted --pitch pitch --rest 0:1.9,6.1:8 --out "$dir/tilted.csv" --every 0.1
within "pitch" "$dir/tilted.csv" 3e-4 5e-4
must "rows every 0.1 s" test "$(wc -l <"$dir/tilted.csv")" -eq 82
ends 0 integrate "$dir/a.csv" tilted --rest 0:1.9,6.1:8 --out "$dir/wrong.csv"
must "the pitch matters" sh -c "! python3 -c 'import sys; v, x = map(float, sys.argv[1].split()); sys.exit(not v < 0.1)' '$(gaps "$dir/wrong.csv")'"
# only one rest: forwards from it and back
ends 0 integrate "$dir/a.csv" right --rest 3.5:3.6 --out "$dir/one.csv"

# what cannot be done is told
fails() { # EXPECTED ARGUMENTS...
    local expected=$1
    shift
    ends 2 integrate "$@"
    must "$expected" grep -q -- "$expected" "$dir/stderr"
}
fails "did you mean 'left'" "$dir/a.csv" lift --rest 0:1
fails "rest wants when it stood" "$dir/a.csv" left
fails "rest wants when it stood" "$dir/a.csv" left --rest 0-1
fails "must not overlap" "$dir/a.csv" left --rest 0:3,2:4
fails "fewer than three rows" "$dir/a.csv" left --rest 9:10
fails "has no column 'heel'" "$dir/a.csv" left --rest 0:1 --pitch heel
fails "a.csv" "$dir/a.csv" left --rest 0:1 --out "$dir/a.csv"
printf 't,a\n0,1\n0,1\n1,1\n2,1\n' >"$dir/still.csv"
fails "rise" "$dir/still.csv" a --rest 0:2
finish
