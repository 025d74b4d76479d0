#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The section `fmus`: our own FMU inside a model, hostile ones, and, where REFERENCE_FMUS names a folder with 2/ and 3/, those
# of the standard beside fmusim.
. tests/cli/support.bash
# an FMU that crashes does so by itself, under the sanitizers, too
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:handle_segv=0"
mkdir "$dir/tmp"
export TMPDIR="$dir/tmp"

# MODEL FMU KEYS: a rod on a pin, and the FMU.
model() {
    cat >"$dir/$1.yaml" <<Y
biela: 1
name: with an FMU
bodies:
  rod: {mass: 1, com: [1, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}
fmus:
  other: {file: $2, $3}
outputs:
  other: {effort: other}
run: {time: 0.2, dt: 1 ms, every: 10 ms}
Y
}

# our own: the pendulum beside the rod gives what it gives alone
for version in 2 3; do
    must "export" "$BIELA" export pendulum --set L=2 --fmi $version --fmu "$dir/p.fmu" --quiet
    model own p.fmu "outputs: [P.x, P.y]"
    must "our own FMU runs inside" "$BIELA" run "$dir/own.yaml" --out "$dir/own.csv"
    must "alone" "$BIELA" run pendulum --set L=2 --time 0.2 --out "$dir/alone.csv"
    must "the same numbers, FMI $version" python3 - "$dir/own.csv" "$dir/alone.csv" <<'P'
import csv, sys
own, alone = (list(csv.DictReader(open(p))) for p in sys.argv[1:])
assert len(own) == len(alone) == 21
assert all(a["other"] == b["P.x"] for a, b in zip(own, alone)), [(a["other"], b["P.x"]) for a, b in zip(own, alone)][:3]
P
done

# a run that begins settled begins so in the FMU, too
must "export" "$BIELA" export forklift --run j-turn --time 0.05 --fmu "$dir/j.fmu" --quiet
model settled j.fmu "outputs: [truck.x], every: 5 ms"
must "a settled start inside" "$BIELA" run "$dir/settled.yaml" --time 0.02 --every 5e-3 --out "$dir/settled.csv"
must "alone" "$BIELA" run forklift --run j-turn --time 0.02 --every 5e-3 --out "$dir/alone.csv"
must "the same numbers from the start on" python3 - "$dir/settled.csv" "$dir/alone.csv" <<'P'
import csv, sys
own, alone = (list(csv.DictReader(open(p))) for p in sys.argv[1:])
assert float(alone[0]["truck.x"]) != 0.0, alone[0]["truck.x"]
assert [a["other"] for a in own] == [b["truck.x"] for b in alone], [(a["other"], b["truck.x"]) for a, b in zip(own, alone)]
P

# what cannot be is refused by name
model missing nothing.fmu "limit: 5"
ends 2 run "$dir/missing.yaml" --out "$dir/x.csv"
head -c 3000 "$dir/p.fmu" >"$dir/cut.fmu"
model cut cut.fmu "limit: 5"
ends 2 run "$dir/cut.yaml" --out "$dir/x.csv"
grep -q "zip archive" "$dir/stderr" || { echo "FAILED: a cut archive: $(cat "$dir/stderr")"; failures=$((failures + 1)); }
model wrong p.fmu "inputs: {nothing: 1}"
ends 2 run "$dir/wrong.yaml" --out "$dir/x.csv"
python3 - "$dir" <<'P'
import random, re, struct, sys, zipfile
dir = sys.argv[1]
source = zipfile.ZipFile(f"{dir}/p.fmu")
def copy(name, change=lambda n, b: (n, b), extra=()):
    with zipfile.ZipFile(f"{dir}/{name}.fmu", "w", zipfile.ZIP_DEFLATED) as z:
        for item in source.namelist():
            z.writestr(*change(item, source.read(item)))
        for n, b in extra:
            z.writestr(n, b)
copy("deflated")
copy("climbs", extra=[("resources/../../../climbed", b"x")])
copy("bomb", extra=[(f"resources/zeros{k}", random.Random(k).randbytes(1 << 16)) for k in range(20)])
copy("liar", extra=[("resources/zeros", bytes(1 << 16))])
copy("machine", lambda n, b: (n, b[:4] + b"\x01" + b[5:] if n.endswith(".so") else b))  # a library of 32 bits
copy("half", lambda n, b: (n, b[: len(b) // 2] if n.endswith(".so") else b))
def forge(name, packed, size):
    b = bytearray(open(f"{dir}/{name}.fmu", "rb").read())
    at = b.find(b"PK\1\2")
    while at >= 0:
        if b"resources/zeros" in b[at + 46 : at + 64]:
            b[at + 20 : at + 28] = struct.pack("<II", packed or struct.unpack_from("<I", b, at + 20)[0], size)
        at = b.find(b"PK\1\2", at + 4)
    open(f"{dir}/{name}.fmu", "wb").write(b)
forge("bomb", 0, 1 << 26)  # twenty of 64 MB, of 64 kB each
forge("liar", 0, 1 << 30)
copy("long", extra=[("resources/" + "a" * 2000, b"x")])
copy("reference", lambda n, b: (n, re.sub(b'valueReference="[0-9]+"', b'valueReference="99999999999"', b, 1) if n.endswith(".xml") else b))
copy("token", lambda n, b: (n, b.replace(b"biela-", b"other-") if n.endswith(".xml") else b))
copy("library", lambda n, b: (n, b"no library" if n.endswith(".so") else b))
P
model deflated deflated.fmu "outputs: [P.x]"
must "a packed archive" "$BIELA" run "$dir/deflated.yaml" --out "$dir/x.csv"
must "the same" cmp <(cut -d, -f2 "$dir/x.csv") <(cut -d, -f2 "$dir/own.csv")
for case in "climbs:leads out" "token:another FMU" "library:cannot be loaded" "machine:ELF" "bomb:more than 1 GB" "liar:more than any packing" \
    "half:other: the FMU" "long:too long to be unpacked" "reference:no number of 32 bits"; do
    model hostile "${case%%:*}.fmu" "limit: 5"
    ends 2 run "$dir/hostile.yaml" --out "$dir/x.csv"
    grep -q "${case#*:}" "$dir/stderr" || { echo "FAILED: $case: $(cat "$dir/stderr")"; failures=$((failures + 1)); }
done

# libraries that crash, hang and give no number, at the start or after some steps
if command -v cc >/dev/null; then
    cat >"$dir/bad.c" <<'C'
#include <math.h>
#include <unistd.h>
static double now;
char *fmi2Instantiate(void) { return "x"; }
int fmi2SetupExperiment(void *c) { return 0; }
int fmi2EnterInitializationMode(void *c) { return 0; }
int fmi2ExitInitializationMode(void *c) { return 0; }
int fmi2Reset(void *c) { now = 0; return 0; }
int fmi2GetReal(void *c, const unsigned *r, unsigned long n, double *v) { *v = now > 0.1 ? BAD_VALUE : now; return 0; }
int fmi2DoStep(void *c, double t, double h, int b) { now = t + h; if (now > 0.1) { BAD_STEP; } return 0; }
C
    for case in "crash:*(volatile int *)0 = 1:1:crashed" "hang:for (;;) pause():1:does not answer" "nan::NAN:no finite number" "exit:_exit(3):1:exit code 3" "fails:return 3:1:gives error"; do
        IFS=: read -r name step value words <<<"$case"
        mkdir -p "$dir/z/binaries/linux64"
        must "compile" cc -w -shared -fPIC "-DBAD_STEP=$step" "-DBAD_VALUE=$value" -o "$dir/z/binaries/linux64/bad.so" "$dir/bad.c" -lm
        cat >"$dir/z/modelDescription.xml" <<'X'
<fmiModelDescription fmiVersion="2.0" modelName="bad" guid="g"><CoSimulation modelIdentifier="bad"/>
<ModelVariables><ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable></ModelVariables>
<ModelStructure/></fmiModelDescription>
X
        (cd "$dir/z" && python3 -m zipfile -c ../bad.fmu modelDescription.xml binaries) || failures=$((failures + 1))
        model bad bad.fmu "limit: 1"
        ends 3 run "$dir/bad.yaml" --out "$dir/x.csv"
        grep -q "other.*$words" "$dir/stderr" || { echo "FAILED: $name: $(cat "$dir/stderr")"; failures=$((failures + 1)); }
    done
fi
# FMI 3.0: arrays whose length a structural parameter says, small types, strings that nobody asks for
if command -v cc >/dev/null; then
    cat >"$dir/array.c" <<'C'
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static uint64_t n = 2;
static int mode;
static double u[8], K[64];
static int8_t gain = 1;
typedef const unsigned *ref;
void *fmi3InstantiateCoSimulation(void) { return "x"; }
int fmi3EnterConfigurationMode(void *c) { mode = 1; return 0; }
int fmi3ExitConfigurationMode(void *c) { mode = 0; return 0; }
int fmi3SetUInt64(void *c, ref r, size_t k, const uint64_t *v, size_t m) { n = *v; return mode == 1 && m == 1 ? 0 : 3; }
int fmi3SetInt8(void *c, ref r, size_t k, const int8_t *v, size_t m) { gain = *v; return 0; }
int fmi3SetFloat64(void *c, ref r, size_t k, const double *v, size_t m)
{
    if (m != (*r == 2 ? n * n : n)) { return 3; }
    memcpy(*r == 2 ? K : u, v, m * sizeof *v);
    return 0;
}
int fmi3GetFloat64(void *c, ref r, size_t k, double *v, size_t m)
{
    if (m != n) { return 3; }
    for (size_t i = 0; i < n; i++) {
        v[i] = 0;
        for (size_t j = 0; j < n; j++) { v[i] += gain * K[i * n + j] * u[j]; }
    }
    return 0;
}
int fmi3EnterInitializationMode(void *c) { return 0; }
int fmi3ExitInitializationMode(void *c) { return 0; }
int fmi3Reset(void *c) { n = 2; return 0; }
int fmi3DoStep(void *c, double t, double h, bool b, bool *e, bool *s, bool *l, double *at) { return 0; }
C
    mkdir -p "$dir/a/binaries/x86_64-linux"
    must "compile" cc -w -shared -fPIC -o "$dir/a/binaries/x86_64-linux/array.so" "$dir/array.c"
    cat >"$dir/a/modelDescription.xml" <<'X'
<fmiModelDescription fmiVersion="3.0" modelName="array" instantiationToken="g"><CoSimulation modelIdentifier="array"/>
<ModelVariables><UInt64 name="n" valueReference="1" causality="structuralParameter" variability="fixed" start="2"/>
<Float64 name="K" valueReference="2" causality="parameter"><Dimension valueReference="1"/><Dimension valueReference="1"/></Float64>
<Float64 name="u" valueReference="3" causality="input"><Dimension valueReference="1"/></Float64>
<Int8 name="gain" valueReference="4" causality="parameter" start="1"/>
<String name="word" valueReference="5" causality="output"/>
<Float64 name="y" valueReference="6" causality="output"><Dimension valueReference="1"/></Float64></ModelVariables>
<ModelStructure/></fmiModelDescription>
X
    (cd "$dir/a" && python3 -m zipfile -c ../array.fmu modelDescription.xml binaries) || failures=$((failures + 1))
    model array array.fmu "set: {gain: 2, K: [1, 0, 0, 0, 1, 0, 1, 1, 1], n: 3}, inputs: {u: [t, 10*t, 100*t]}"
    sed -i 's/^  other: {effort.*/  a: third\n  b: second\nsignals:\n  third: {type: effort, of: other, channel: "y[3]"}\n  second: {type: effort, of: other, channel: "y[2]"}/' "$dir/array.yaml"
    must "arrays go in and out" "$BIELA" run "$dir/array.yaml" --out "$dir/x.csv"
    must "row by row, as long as was said" python3 - "$dir/x.csv" <<'P'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
for row in rows:  # a signal reads what the FMU told at the end of the step before
    t, a, b = (float(row[k]) for k in "tab")
    t = max(t - 1e-3, 0)
    assert abs(a - 222 * t) < 1e-9 and abs(b - 20 * t) < 1e-9, row
assert float(rows[-1]["a"]) > 40, rows[-1]
P
    for case in "set: {K: [1, 2]}:array of 4 numbers" "inputs: {u: t}:array of 2 numbers" "set: {word: 1}:is no number" \
        "set: {n: 0}, inputs: {u: [t]}:no input" "set: {gain: 200}:200 is no Int8" "set: {n: 1e9}:tells nothing"; do
        model array array.fmu "${case%:*}"
        ends 2 run "$dir/array.yaml" --out "$dir/x.csv"
        grep -q "${case##*:}" "$dir/stderr" || { echo "FAILED: $case: $(cat "$dir/stderr")"; failures=$((failures + 1)); }
    done
fi
if [ -n "$(ls "$TMPDIR")" ]; then
    echo "FAILED: left behind: $(ls "$TMPDIR")" && failures=$((failures + 1))
fi

# ---- the FMUs of the standard --------------------------------------------------------------------------------------
if [ -z "${REFERENCE_FMUS:-}" ] || [ -z "${FMUSIM:-}" ]; then
    echo "skipped: Reference-FMUs (REFERENCE_FMUS and FMUSIM name none)"
    finish
fi
for version in 2 3; do
    for fmu in "$REFERENCE_FMUS/$version"/*.fmu; do
        if ! python3 -c 'import sys, zipfile; sys.exit(b"<CoSimulation" not in zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml"))' "$fmu"; then
            echo "left out: $fmu is not for co-simulation"
            continue
        fi
        cp "$fmu" "$dir/r.fmu"
        model r r.fmu "every: 10 ms"
        sed -i 's/time: 0.2/time: 1/' "$dir/r.yaml"
        must "$fmu runs inside" "$BIELA" run "$dir/r.yaml" --out "$dir/x.csv"
        must "$fmu in fmusim" "$FMUSIM" --stop-time 1 --output-interval 0.01 --output-file "$dir/y.csv" "$fmu"
        must "$fmu: the same first output" python3 - "$dir/x.csv" "$dir/y.csv" <<'P'
import csv, sys
ours, theirs = (list(csv.reader(open(p)))[1:] for p in sys.argv[1:])
assert len(ours) == len(theirs), (len(ours), len(theirs))
gap = max(abs(float(a[1]) - float(b[1].split()[0])) for a, b in zip(ours, theirs))  # of an array the first
print(gap)
assert gap < 1e-12, gap
P
    done
done
finish
