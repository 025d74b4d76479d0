#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Source FMUs: two exports are the same bytes; a C compiler alone makes the library from the pages in an empty folder, without a
# warning; it gives the bits of `biela run`, here inside a model of our own and, where FMUSIM names one, in another simulator.
# FMU_COMPILERS: "compiler flags;...", default one that is quick; FMI_SCHEMAS as for export.sh.
. tests/cli/support.bash
: "${FMU_COMPILERS:=$(command -v clang >/dev/null && echo 'clang -O0' || echo 'cc -O0 -Wno-psabi')}"

for version in 2 3; do
    ends 0 export pendulum --sources --fmi $version --fmu "$dir/p$version.fmu" --quiet
    ends 0 export pendulum --sources --fmi $version --fmu "$dir/again.fmu" --quiet
    # but in sanitized builds, see image.sh
    grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt" ||
        must "equal models are equal bytes, FMI $version" cmp "$dir/p$version.fmu" "$dir/again.fmu"
done
must "what is inside" python3 - "$dir/p2.fmu" "$dir/p3.fmu" <<'P'
import sys, xml.etree.ElementTree as E, zipfile
for path in sys.argv[1:]:
    z = zipfile.ZipFile(path)
    names = z.namelist()
    assert "resources/model.image" in names and not any(n.startswith("resources/model/") for n in names), names
    root = E.fromstring(z.read("modelDescription.xml"))
    pages = {n[len("sources/"):] for n in names if n.startswith("sources/") and n.endswith(".c")}
    if root.get("fmiVersion") == "2.0":
        told = [f.get("name") for f in root.iter("File")]
    else:
        told = [f.get("name") for f in E.fromstring(z.read("sources/buildDescription.xml")).iter("SourceFile")]
    assert len(told) == len(set(told)) and set(told) == pages and len(pages) > 200, (len(told), len(pages))
    assert not any(v.get("causality") == "parameter" for v in root.find("ModelVariables"))
    for n in names:  # all that a page includes is beside it, or of the system
        for line in z.read(n).decode().split("\n") if n.endswith((".c", ".h")) else []:
            if line.startswith('#include "'):
                assert "sources/" + line.split('"')[1] in names, (n, line)
            assert "amd" not in line or not line.startswith("#include") or "suitesparse" in line, (n, line)
P
if [ -n "${FMI_SCHEMAS:-}" ] && command -v xmllint >/dev/null; then
    for version in 2 3; do
        (mkdir "$dir/u$version" && cd "$dir/u$version" && python3 -m zipfile -e "../p$version.fmu" .)
        must "valid FMI $version" xmllint --noout --schema "$FMI_SCHEMAS/fmi$version/fmi${version}ModelDescription.xsd" "$dir/u$version/modelDescription.xml"
    done
    must "valid description of the build" xmllint --noout --schema "$FMI_SCHEMAS/fmi3/fmi3BuildDescription.xsd" "$dir/u3/sources/buildDescription.xml"
fi

# compile COMPILER FLAGS: the library of the sources of p3.fmu, with nothing else in the folder
compile() {
    rm -rf "$dir/empty" && mkdir "$dir/empty" && cd "$dir/empty" || return 1
    python3 -m zipfile -e "$dir/p3.fmu" . && cd sources || return 1
    if ! printf '%s\n' *.c | xargs -P "$(nproc)" -n 16 "$@" -std=c17 -ffp-contract=off -fPIC -fvisibility=hidden -Wall -Wextra -c >../words 2>&1; then
        cat ../words
        return 1
    fi
    [ -s ../words ] && head -20 ../words && echo "the compiler warns" && return 1
    "$1" -shared -o "$dir/own.so" *.o -lm -Wl,--no-undefined
}

# with FMU: the same FMU, but with the library that was just made
with() {
    python3 - "$1" "$dir/own.so" "$dir/with.fmu" <<'P'
import sys, zipfile
source, library, out = sys.argv[1:]
z = zipfile.ZipFile(source)
with zipfile.ZipFile(out, "w") as o:
    for n in z.namelist():
        o.writestr(n, open(library, "rb").read() if n.endswith(".so") else z.read(n))
P
}

cat >"$dir/own.yaml" <<'Y'
biela: 1
name: the pendulum as an FMU that was made of its sources
bodies:
  rod: {mass: 1, com: [1, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}
fmus:
  other: {file: with.fmu, outputs: [P.x, state.hash.high, state.hash.low]}
outputs:
  other: {effort: other}
  high: high
  low: low
signals:
  high: {type: effort, of: other, channel: state.hash.high}
  low: {type: effort, of: other, channel: state.hash.low}
run: {time: 0.2, dt: 1 ms, every: 10 ms}
Y
cases="pendulum:--time,1 forklift:--run,yard,--time,0.2 forklift:--run,j-turn,--time,0.1 clio:--time,0.1 bicycle:--time,0.2"
IFS=';'
for compiler in $FMU_COMPILERS; do
    IFS=' '
    command -v "${compiler%% *}" >/dev/null || { echo "skipped: $compiler is not there" && continue; }
    # shellcheck disable=SC2086 # a compiler with its flags
    (compile $compiler) >"$dir/log" 2>&1 || { echo "FAILED: $compiler"; cat "$dir/log"; failures=$((failures + 1)); continue; }
    must "nothing but the standard's functions is seen" sh -c "! nm -D --defined-only '$dir/own.so' | grep -v ' fmi[23]'"
    with "$dir/p2.fmu"
    ends 0 run "$dir/own.yaml" --quiet --out "$dir/own.csv"
    # a signal tells what the FMU told at the end of the step before
    ends 0 run pendulum --time 0.2 --every 10e-3 --quiet --out "$dir/run.csv"
    ends 0 run pendulum --time 0.199 --json --quiet --out "$dir/one_less.csv"
    must "$compiler: the bits of the run" python3 - "$dir/own.csv" "$dir/run.csv" "$dir/stdout" <<'P'
import csv, json, sys
own, run = (list(csv.DictReader(open(p))) for p in sys.argv[1:3])
assert len(own) == len(run) == 21, (len(own), len(run))
assert all(a["other"] == b["P.x"] for a, b in zip(own, run))
told = [int(float(own[-1][k])) & 0xFFFFFFFF for k in ("high", "low")]
assert told[0] << 32 | told[1] == int(json.load(open(sys.argv[3]))["hash"], 16), told
P
    for case in ${FMUSIM:+$cases}; do
        words=$(echo "${case#*:}" | tr , ' ')
        # shellcheck disable=SC2086
        ends 0 run "${case%%:*}" $words --json --quiet --out "$dir/run.csv"
        cp "$dir/stdout" "$dir/run.json"
        for version in 2 3; do
            # shellcheck disable=SC2086
            ends 0 export "${case%%:*}" $words --sources --fmi $version --fmu "$dir/m.fmu" --quiet
            with "$dir/m.fmu"
            must "$compiler, $case in fmusim, FMI $version" "$FMUSIM" --output-file "$dir/fmu.csv" "$dir/with.fmu"
            must "$compiler, $case: the bits of the run, FMI $version" python3 tests/support/fmu_compare.py "$dir/run.csv" "$dir/run.json" "$dir/fmu.csv"
        done
    done
    IFS=';'
done
IFS=' '
[ -n "${FMUSIM:-}" ] || echo "skipped: runs in another simulator (FMUSIM names none)"

# what cannot be is told: a parameter that is set, another start, a damaged model, one with an FMU inside
said() { grep -q -- "$1" "$dir/stderr" || { echo "FAILED: not told: $1"; cat "$dir/stderr"; failures=$((failures + 1)); }; }
cp "$dir/p2.fmu" "$dir/with.fmu"
sed 's/outputs: \[P.x.*\]}/set: {L: 2}}/; /high\|low\|signals/d' "$dir/own.yaml" >"$dir/set.yaml"
ends 2 run "$dir/set.yaml" --quiet --out "$dir/x.csv"
said "L.*"
sed 's/time: 0.2,/time: 0.2, start_time: 3,/' "$dir/own.yaml" >"$dir/late.yaml"
ends 3 run "$dir/late.yaml" --quiet --out "$dir/x.csv"
said "begins at t = 0 s, not at 3 s"
python3 - "$dir/p2.fmu" "$dir/with.fmu" <<'P'
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
with zipfile.ZipFile(sys.argv[2], "w") as o:
    for n in z.namelist():
        b = z.read(n)
        o.writestr(n, b[:5000] + b"x" + b[5001:] if n.endswith(".image") else b)
P
ends 2 run "$dir/own.yaml" --quiet --out "$dir/x.csv"
said "is damaged"
cp "$dir/p2.fmu" "$dir/with.fmu"
ends 2 export "$dir/own.yaml" --sources --fmu "$dir/x.fmu"
said "export: error: with sources the model goes along compiled"
must "nothing is left of it" test ! -e "$dir/x.fmu"
ends 1 export pendulum --sources --fmu /dev/full
finish
