#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela bonds --response`: transfer functions, Bode and step responses of linear graphs against closed forms; the page of equations.
. tests/cli/support.bash

ask() { # NAME MODEL SOURCE:END [--set ...]
    local name=$1 model=$2 what=$3
    shift 3
    ends 0 bonds "$model" --response "$what" --json "$@"
    mv "$dir/stdout" "$dir/$name.json"
}
ask rlc bond-rlc S:L.f
ask rlc_e bond-rlc S:C.e
ask rlc_r bond-rlc S:R.e
cat >"$dir/motor.yaml" <<'YAML'
biela: 1
name: a motor and a shaft
graphs:
  g:
    nodes:
      V: {type: Se, value: 0}
      coil: {type: 1}
      L: {type: I, value: 0.02}
      R: {type: R, value: 0.5}
      K: {type: GY, value: 0.1}
      rotor: {type: 1}
      J: {type: I, value: 0.01}
      b: {type: R, value: 1e-3}
      load: {type: Se, value: 0}
      # a gear whose other side is forced along: in derivative form
      gear: {type: TF, value: 3}
      wheel: {type: I, value: 0.09}
    bonds: [V -> coil, coil -> L, coil -> R, coil -> K -> rotor, rotor -> J, rotor -> b, load -> rotor, rotor -> gear -> wheel]
run: {time: 1}
YAML
ask speed "$dir/motor.yaml" V:J.f
ask current "$dir/motor.yaml" load:L.f
must "transfer functions, Bode and step are those of paper" python3 - "$dir" <<'PY'
import cmath, json, math, sys
worst = {}
def look(name, transfer, step=None):
    told = json.load(open(f"{sys.argv[1]}/{name}.json"))
    gap = 0.0
    size = max(abs(transfer(1j*w)) for w in told["w"])
    for w, re, im, gain, phase in zip(*(told[k] for k in ("w", "re", "im", "gain", "phase"))):
        true = transfer(1j*w)
        gap = max(gap, abs(complex(re, im) - true)/abs(true), abs(gain - abs(true))/abs(true), abs(cmath.exp(1j*phase) - true/abs(true)))
        fraction = sum(c*(1j*w)**k for k, c in enumerate(told["numerator"]))/sum(c*(1j*w)**k for k, c in enumerate(told["denominator"]))
        gap = max(gap, abs(fraction - true)/size)
    # phases go on without jumps
    assert all(abs(b - a) < 1 for a, b in zip(told["phase"], told["phase"][1:])), name
    worst[name] = gap
    if step:
        most = max(abs(step(t)) for t in told["t"])
        worst[name + ", step"] = max(abs(v - step(t))/most for t, v in zip(told["t"], told["step"]))
# the shipped circuit: I 0.5, C 0.02, R 2
L, C, R = 0.5, 0.02, 2.0
d = R/(2*L)
w = math.sqrt(1/(L*C) - d*d)
look("rlc", lambda s: s*C/(L*C*s*s + R*C*s + 1), lambda t: math.exp(-d*t)*math.sin(w*t)/(w*L))
look("rlc_e", lambda s: 1/(L*C*s*s + R*C*s + 1), lambda t: 1 - math.exp(-d*t)*(math.cos(w*t) + d/w*math.sin(w*t)))
look("rlc_r", lambda s: s*R*C/(L*C*s*s + R*C*s + 1), lambda t: R*math.exp(-d*t)*math.sin(w*t)/(w*L))
# the wheel turns three times slower, or faster: its inertia on the rotor is one of the two
told = json.load(open(f"{sys.argv[1]}/speed.json"))
rotor = [0.01 + 0.09*9, 0.01 + 0.09/9]
J = min(rotor, key=lambda j: abs(told["denominator"][1] - (0.5/0.02 + 1e-3/j)))
def den(s): return (0.02*s + 0.5)*(J*s + 1e-3) + 0.01
look("speed", lambda s: 0.1/den(s))
sign = -1 if json.load(open(f"{sys.argv[1]}/current.json"))["step"][-1] < 0 else 1
look("current", lambda s: sign*0.1/den(s))
for name, gap in worst.items():
    print(f"measured bonds, {name} error={gap:.3e} limit=1.000e-11")
assert max(worst.values()) < 1e-11, worst
PY
# tables and pictures
ends 0 bonds bond-rlc --response S:L.f --out "$dir/rlc"
must "names of columns" grep -q "^w,decade,gain,decibel,phase$" "$dir/rlc-bode.csv"
must "a step" grep -q "^t,step$" "$dir/rlc-step.csv"
must "the fraction is printed" grep -Eq "denominator +s\^2 \+ 4 s \+ 100" "$dir/stdout"
if command -v gnuplot >/dev/null; then
    ends 0 bonds bond-rlc --response S:L.f --out "$dir/drawn" --plot
    must "pictures" test -s "$dir/drawn-bode.png" -a -s "$dir/drawn-step.png"
fi
# what cannot be
ends 2 bonds bond-rlc --response S
must "its form" grep -q "is not SOURCE:END" "$dir/stderr"
ends 2 bonds bond-rlc --response X:L.f
must "the source" grep -q "'X' is no source" "$dir/stderr"
ends 2 bonds bond-rlc --response S:j.f
must "a bond" grep -q "is no effort" "$dir/stderr"
ends 2 bonds bond-rlc --plot
must "what belongs together" grep -q "belong to --response" "$dir/stderr"
cat >"$dir/rate.yaml" <<'YAML'
biela: 1
name: a capacitor across a source
graphs:
  g:
    nodes: {V: {type: Se, value: 1}, n: {type: 0}, C: {type: C, value: 1e-3}, j: {type: 1}, L: {type: I, value: 0.1}, R: {type: R, value: 2}}
    bonds: [V -> n, n -> C, n -> j, j -> L, j -> R]
run: {time: 1}
YAML
ends 2 bonds "$dir/rate.yaml" --response V:L.f
must "a storage across a source is named" grep -q "C follows the rate of V" "$dir/stderr"

# the page of equations: every brace and environment is closed, and it compiles where there is a compiler
for model in bond-rlc bond-motor bond-gear bond-loop bond-hydraulic quarter-car; do
    ends 0 bonds $model --equations latex
    cp "$dir/stdout" "$dir/page.tex"
    must "$model: a page that is whole" python3 - "$dir/page.tex" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
assert text.startswith("\\documentclass") and text.rstrip().endswith("\\end{document}"), text[:200]
stack, depth = [], 0
for m in re.finditer(r"\\(begin|end)\{(\w+\*?)\}", text):
    if m[1] == "begin": stack.append(m[2])
    else: assert stack and stack.pop() == m[2], m[0]
assert not stack
bare = re.sub(r"\\.", "", text)
for c in bare:
    depth += {"{": 1, "}": -1}.get(c, 0)
    assert depth >= 0
assert depth == 0
assert len(re.findall(r"\\left(?![a-z])", text)) == len(re.findall(r"\\right(?![a-z])", text))
for row in re.findall(r"\\frac(.)", text): assert row == "{"
# names with underscores only as \_ or as subscripts in mathematics
outside = re.sub(r"\\begin\{(align|gather|equation|dmath)\*?\}.*?\\end\{\1\*?\}|\$[^$]*\$|\\\[.*?\\\]", "", text, flags=re.S)
assert not re.search(r"(?<!\\)[_^]", outside), outside
PY
    if command -v pdflatex >/dev/null; then
        must "$model: it compiles" pdflatex -interaction=nonstopmode -halt-on-error -output-directory "$dir" "$dir/page.tex"
    fi
done
finish
