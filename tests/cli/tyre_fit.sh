#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela tyre --fit`: coefficients from tables of an independent program, from noisy data with honest intervals, and what cannot be.
. tests/cli/support.bash
sets=tests/tyres/magic_formula

# ---- what was changed comes back: forces of the rig, which are those of independent tables (tests/laws/test_magic_formula.c) ----
python3 - $sets/car_mf61 "$dir" <<'PY'
import re, sys
text = open(sys.argv[1] + ".tir").read()
open(sys.argv[2] + "/true.tir", "w").write(text)
for key, value in (("PCY1", 1.2), ("PDY1", 1.0), ("PKY1", -12.0), ("PCX1", 1.4), ("PDX1", 0.9), ("PKX1", 26.0), ("QDZ1", 0.12)):
    text, n = re.subn(rf"^({key}\s*=\s*)\S+", rf"\g<1>{value}", text, flags=re.M)
    assert n == 1, key
open(sys.argv[2] + "/start.tir", "w").write(text)
PY
ends 0 tyre "$dir/true.tir" --load 2000,4000,6000 --slip 0.3 --angle 12 --out "$dir/rig.csv"
awk -F, 'NR == 1 || NR % 25 == 0' "$dir/rig.csv" >"$dir/few.csv"
ends 0 tyre "$dir/start.tir" --fit "$dir/few.csv" --params PCY1,PDY1,PKY1,PCX1,PDX1,PKX1,QDZ1 --out "$dir/fitted.tir" --json
must "what was changed comes back" python3 - "$dir/stdout" <<'PY'
import json, sys
found = json.load(open(sys.argv[1]))["parameters"]
for key, value in dict(PCY1=1.338, PDY1=0.8785, PKY1=-15.324, PCX1=1.579, PDX1=1.0422, PKX1=21.687, QDZ1=0.09068).items():
    gap = abs(found[key]["value"]/value - 1)
    print(f"measured tyre fit, {key} error={gap:.3e} limit=1.000e-05")
    assert gap < 1e-5, (key, found[key], value)
PY
must "the file is the old one but for the values" test "$(diff "$dir/start.tir" "$dir/fitted.tir" | grep -c '^>')" -eq 7
ends 0 tyre "$dir/fitted.tir" --load 3000 --out "$dir/again.csv"

# ---- noise: the intervals hold the true values --------------------------------------------------------------------------------
cat >"$dir/noisy.py" <<'PY'
import csv, json, random, subprocess, sys
biela, folder = sys.argv[1:3]
random.seed(27)
rows = [r for r in csv.DictReader(open(f"{folder}/few.csv"))]
true = dict(PCY1=1.338, PDY1=0.8785, PKY1=-15.324)
held, n = dict.fromkeys(true, 0), 40
for k in range(n):
    with open(f"{folder}/noisy.csv", "w") as f:
        f.write("load,slip,angle,camber,fy,mz\n")
        for r in rows:
            f.write(f"{r['load']},{r['slip']},{r['angle']},{r['camber']},{float(r['fy']) + random.gauss(0, 25)!r},{float(r['mz']) + random.gauss(0, 2)!r}\n")
    start = ",".join(f"{key}={value*random.uniform(0.85, 1.15)!r}" for key, value in true.items())
    told = subprocess.run([biela, "tyre", f"{folder}/true.tir", "--fit", f"{folder}/noisy.csv", "--params", start, "--jobs", "1",
                           "--json", "--out", f"{folder}/noisy.tir"], capture_output=True, text=True, check=True)
    found = json.loads(told.stdout)["parameters"]
    for key in true:
        held[key] += found[key]["low"] <= true[key] <= found[key]["high"]
print(held, "of", n)
# fewer than 32 of 40 intervals of 95 % hold it once in 6000 times
assert min(held.values()) >= 32, held
PY
must "intervals of noisy data hold the true values" python3 "$dir/noisy.py" "$BIELA" "$dir"
cat "$dir/log"

# an outlier is named with its line; the number of processes does not matter
awk -F, 'BEGIN { OFS = "," } NR == 50 { $5 += 5000 } { print }' "$dir/noisy.csv" >"$dir/stray.csv"
for jobs in 1 2; do
    ends 0 tyre "$dir/start.tir" --fit "$dir/stray.csv" --params PCY1,PDY1,PKY1 --jobs $jobs --out "$dir/stray$jobs.tir"
    must "the outlier has its line" grep -q "stray.csv:50.*outlier" "$dir/stderr"
done
must "one process or two: the same file" cmp "$dir/stray1.tir" "$dir/stray2.tir"

# ---- what cannot be ---------------------------------------------------------------------------------------------------------
refuses() {
    ends "$1" "${@:3}" --out "$dir/no.tir"
    must "biela ${*:3} says '$2'" grep -q -- "$2" "$dir/stderr"
}
tir=$dir/start.tir
refuses 2 "is no coefficient" tyre "$tir" --fit "$dir/few.csv" --params LONGVL
refuses 2 "is not in the property file" tyre "$tir" --fit "$dir/few.csv" --params PCY9
refuses 2 "is given twice" tyre "$tir" --fit "$dir/few.csv" --params PCY1,PCY1
refuses 2 "name the coefficients" tyre "$tir" --fit "$dir/few.csv"
refuses 2 "needs --fit" tyre "$tir" --params PCY1
refuses 2 "no effect on a fit" tyre "$tir" --fit "$dir/few.csv" --params PCY1 --load 3000
refuses 2 "needs a property file" tyre tyre-rig --fit "$dir/few.csv" --params PCY1
refuses 2 "cannot" tyre "$tir" --fit "$dir/missing.csv" --params PCY1
ends 2 tyre "$tir" --fit "$dir/few.csv" --params PCY1 --out "$dir/no.csv"
must "a fit writes a .tir" grep -q "FILE.tir" "$dir/stderr"
printf 'slip,fx\n0.1,100\n' >"$dir/bad.csv"
refuses 2 "bad.csv:1.*needs a column 'load'" tyre "$tir" --fit "$dir/bad.csv" --params PCX1
printf 'load,slip,fx\n3000,0.1,100\n-5,0.1,100\n' >"$dir/bad.csv"
refuses 2 "bad.csv:3.*must be above zero" tyre "$tir" --fit "$dir/bad.csv" --params PCX1
printf 'load,slip,fx\n3000,0.1,\n' >"$dir/bad.csv"
refuses 2 "bad.csv:2" tyre "$tir" --fit "$dir/bad.csv" --params PCX1
printf 'load,slip,fx\n3000,0.1,100\n' >"$dir/bad.csv"
refuses 2 "too few" tyre "$tir" --fit "$dir/bad.csv" --params PCX1,PDX1
# data that say nothing about a coefficient: told, not invented
awk -F, 'BEGIN { OFS = "," } { print $1, $2, $5 }' "$dir/few.csv" >"$dir/along.csv"
ends 0 tyre "$dir/true.tir" --fit "$dir/along.csv" --params PCX1,QDZ1 --out "$dir/along.tir"
must "what has no influence is told" grep -q "QDZ1: cannot be identified" "$dir/stderr"
# a folder that cannot be made
ends 1 tyre "$tir" --fit "$dir/few.csv" --params PCY1 --out /proc/no/such.tir
finish
