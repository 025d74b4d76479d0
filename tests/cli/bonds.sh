#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela bonds`: causality, equations in symbols, audit, picture, refusals.
. tests/cli/support.bash

ends 0 bonds bond-motor --audit --svg "$dir/motor.svg"
must "equations in symbols" grep -qF 'd(La.p)/dt = V - La.p*Ra/La - J.p*gy/J' "$dir/stdout"
must "the picture is XML" python3 -c "import sys, xml.dom.minidom as m; m.parse('$dir/motor.svg')"
# one stroke and one half arrow per bond
must "strokes in the picture" test "$(grep -c b3261e "$dir/motor.svg")" -ge 8
ends 0 bonds bond-gear --json --audit
must "the tabulated numbers" python3 - "$dir/stdout" <<'PY'
import json, sys
g = json.load(open(sys.argv[1]))["graphs"][0]
assert g["derivative"] == ["J2"] and g["integral"] == ["J1"] and g["arbitrary"] == []
assert abs(g["A"][0][0] + 1 / 2.8) < 1e-9 and abs(g["B"][0][0] - 2 / 7) < 1e-9
assert abs(g["eigenvalues"][0][0] + 1 / 2.8) < 1e-9
assert abs(g["steady"]["J1.p"] - 0.02 * 200) < 1e-9
assert g["run"]["imbalance"] <= 1e-10 < g["run"]["largest_power"]
PY
ends 0 bonds bond-loop
must "the loop is named" grep -q "arbitrary   R1" "$dir/stdout"
must "and its equation told" grep -q "loop: R1.f = " "$dir/stdout"
ends 2 bonds pendulum
must "no graphs" grep -q 'has no `graphs`' "$dir/stderr"

# a loop whose equation, quadratic in the flow, loses its roots on the way
cat >"$dir/stuck.yaml" <<'Y'
biela: 1
name: stuck
graphs:
  net:
    nodes:
      E: {type: Se, value: 6 - 10*t}
      j1: {type: 1}
      R1: {type: R, effort: 4 + f^2}
      z: {type: 0}
      R2: {type: R, value: 1}
      L: {type: I, value: 1}
    bonds: [E -> j1, j1 -> R1, j1 -> z, z -> R2, z -> L]
run: {time: 1, dt: 0.01}
Y
ends 3 run "$dir/stuck.yaml" --out "$dir/stuck.csv"
must "the graph is named" grep -q "graph net" "$dir/stderr"

# clutches one behind the other with nothing between
cat >"$dir/clutches.yaml" <<'Y'
biela: 1
name: two clutches in a row
graphs:
  g:
    nodes:
      E: {type: Se, value: 10}
      a: {type: 1}
      Ia: {type: I, value: 1}
      z: {type: 0}
      c1: {type: 1}
      c2: {type: 1}
      k1: {type: R, holds: 5}
      k2: {type: R, holds: 5}
      z2: {type: 0}
      b: {type: 1}
      Ib: {type: I, value: 1}
    bonds: [E -> a, a -> Ia, a -> z, z -> c1, z -> c2, c1 -> k1, c2 -> k2, c1 -> z2, c2 -> z2, z2 -> b, b -> Ib]
run: {time: 1, dt: 0.01}
Y
ends 2 run "$dir/clutches.yaml" --out "$dir/clutches.csv"
must "they are named, with the remedy" grep -q "Of those that hold (k1, k2).*put an I" "$dir/stderr"

# a gear that the box does not have
for gear in 7 -2; do
    ends 2 run clio --run ramp --set gear0=$gear --out "$dir/gear.csv"
    must "gear $gear is refused with its place" grep -Eq "model.yaml:[0-9]+:[0-9]+: error: signals.box: is read at $gear, .*from -1 to 5" "$dir/stderr"
done
ends 2 run clio --run manual --set gear0=7 --out "$dir/gear.csv"
must "and by the lever" grep -q "signals.lever.start: is 7, and there are only -1 to 5" "$dir/stderr"

# parts are boxes, vectors double lines: the whole car has nine parts
ends 0 bonds clio-bg --svg "$dir/clio.svg"
must "nine boxes" test "$(grep -c '<rect x=' "$dir/clio.svg")" -eq 9
must "the picture is XML" python3 -c "import xml.dom.minidom as m; m.parse('$dir/clio.svg')"
must "sub-graphs are named" grep -q '>body<' "$dir/clio.svg"
ends 0 bonds top-bg --svg "$dir/top.svg"
must "six parts" test "$(grep -c '<rect x=' "$dir/top.svg")" -eq 6
must "six vector bonds" test "$(grep -c 'stroke="#fff"' "$dir/top.svg")" -eq 6
must "each with one stroke" test "$(grep -c b3261e "$dir/top.svg")" -eq 6
must "what is read" test "$(grep -c 'marker-end' "$dir/top.svg")" -eq 2
# a body by Euler's equations: two rings of three gyrators, 18 bonds inside and 9 to others
ends 0 bonds top-bg --part top --scalar --svg "$dir/body.svg"
must "six gyrators" test "$(grep -c '>GY<' "$dir/body.svg")" -eq 6
must "a stroke for each bond" test "$(grep -c b3261e "$dir/body.svg")" -eq 27
# every part opened, every component: as many bonds as the list has
ends 0 bonds top-bg --scalar --svg "$dir/all.svg"
must "54 bonds less those that a matrix holds together" test "$(grep -c b3261e "$dir/all.svg")" -ge 40
ends 0 bonds top-bg --depth all --svg "$dir/open.svg"
must "no box is left" test "$(grep -c '<rect x=' "$dir/open.svg")" -eq 0
ends 2 bonds top-bg --part tap --svg "$dir/x.svg"
must "the parts that there are" grep -q "no part 'tap'.*there are top tip" "$dir/stderr"
ends 2 bonds top-bg --depth -1 --svg "$dir/x.svg"
must "nothing is written" test ! -e "$dir/x.svg"
# how a picture is drawn, without one
ends 2 bonds bond-rlc --part nope
ends 2 bonds bond-rlc --depth x --svg "$dir/never.svg"
must "nothing is drawn" test ! -e "$dir/never.svg"


# ---- closed equations: their numbers are those of the tape, for every linear graph
# names of letters, digits, '_' and '-': a dash in a name is no minus
cat >"$dir/names.yaml" <<'Y'
biela: 1
name: "100 % odd & # $ ~ ^ names_"
parameters: {k_1: 3}
inputs: {pedal_2: {initial: 1}}
graphs:
  net_1-a:
    nodes:
      E_1: {type: Se, value: "if(t > 1, 6 - 10*t, pedal_2)"}
      E2: {type: Sf, value: 2}
      j1: {type: 1}
      R_1-x: {type: R, value: k_1}
      z: {type: 0}
      R2: {type: R, value: 1e-7}
      L-e_1: {type: I, value: 1}
      C: {type: C, value: 0.5}
    bonds: [E_1 -> j1, j1 -> R_1-x, j1 -> z, z -> R2, z -> L-e_1, E2 -> z, j1 -> C]
run: {time: 1, dt: 0.01}
Y
for model in bond-gear bond-hydraulic bond-loop bond-motor bond-rlc quarter-car rattleback tests/keys/signals.yaml "$dir/names.yaml"; do
    ends 0 bonds $model --equations mathml
    must "MathML of $model is XML" python3 -c "import xml.dom.minidom as m; m.parseString(open('$dir/stdout').read().replace('<!DOCTYPE html>', ''))"
    ends 0 bonds $model --equations latex
    cp "$dir/stdout" "$dir/page.tex"
    if command -v pdflatex >/dev/null; then
        must "LaTeX of $model compiles" pdflatex -interaction=nonstopmode -halt-on-error -output-directory="$dir" "$dir/page.tex"
        must "into a page" test -s "$dir/page.pdf"
        rm -f "$dir/page.pdf"
    fi
    ends 0 bonds $model --json
    must "closed equations of $model" python3 - "$dir/stdout" <<'PY'
import json, sys
for g in json.load(open(sys.argv[1]))["graphs"]:
    assert "closed" in g, g.get("not_closed")
    if g["name"] == "net_1-a":
        # of the numbers of the file: R_1-x = 3, R2 = 1e-7, both with the coil and the capacitor
        assert abs(g["closed_A"][1][1] + 2/(3 + 1e-7)) < 1e-12 and abs(g["closed_A"][1][0] - 1e-7/(3 + 1e-7)) < 1e-18, g["closed_A"]
    for key in ("A", "B", "B_rate"):
        size = max([abs(x) for row in g[key] for x in row] + [1e-300])
        for row, other in zip(g[key], g["closed_" + key]):
            for a, b in zip(row, other):
                assert abs(a - b) <= 1e-12*max(abs(a), 1e-6*size), (key, a, b)
    # what goes through a junction: C of the last bond is a row for each of effort and flow
    assert len(g["C"]) == 2*len(g["bonds"]) == len(g["D"])
PY
done
ends 0 bonds bond-loop --equations text
must "a loop is gone" grep -qF 'd(L.p)/dt = -(R3*R1 + R3*R2 + R1*R2)*L.p/(L*R1 + L*R2) + R2*E/(R1 + R2)' "$dir/stdout"
ends 0 bonds bond-gear --equations latex
must "a page of LaTeX" python3 - "$dir/stdout" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
# no LaTeX is needed: brackets and environments pair, \\frac has two arguments, \\left its \\right, nothing special stands outside of mathematics
assert text.startswith("\\documentclass") and text.rstrip().endswith("\\end{document}")
assert text.count("{") == text.count("}") and text.count("\\[") == text.count("\\]") == 1
assert text.count("\\left(") == text.count("\\right)")
assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= {"documentclass", "usepackage", "begin", "end", "section", "frac", "mathrm", "left", "right"}
assert all(re.match(r"\\frac\{", text[m.start():]) for m in re.finditer(r"\\frac", text))
PY
ends 0 bonds bond-gear --equations mathml
must "MathML is XML" python3 -c "import xml.dom.minidom as m; m.parseString(open('$dir/stdout').read().replace('<!DOCTYPE html>', ''))"
ends 0 bonds "$dir/names.yaml" --equations latex
must "a dash in a name is no minus" grep -qF "\\text{R\\_1-x}" "$dir/stdout"
ends 0 bonds "$dir/names.yaml" --equations text
must "nor in words" grep -qF "'R_1-x' + R2" "$dir/stdout"
ends 2 bonds bond-gyro --equations text
must "says why it is not closed" grep -q "graph .* has no closed equations: it is not linear" "$dir/stderr"
ends 2 bonds bond-gear --equations word
must "names the forms" grep -q "takes text, latex or mathml, and not 'word'" "$dir/stderr"

finish
