#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela info`: the numbers of the mechanism and the names it offers.
. tests/cli/support.bash

ends 0 info pendulum
must "one degree of freedom" grep -Eq "degrees of freedom +1$" "$dir/stdout"
must "a recommended scheme" grep -Eq "recommended scheme +(ali3p|index1-rk4)" "$dir/stdout"
must "the parameter L" grep -Eq "^  L +1( |$)" "$dir/stdout"
must "the channel P.x in m" grep -Eq "^  P\.x +m$" "$dir/stdout"
must "the energy in J" grep -Eq "^  energy\.total +J$" "$dir/stdout"

ends 0 info chain
must "the named runs" grep -Eq "^  named runs +five, hundred, thousand" "$dir/stdout"
ends 0 info chain --json
must "the named runs in JSON" python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["runs"][:3] == ["five", "hundred", "thousand"]' "$dir/stdout"

# a parameter that changes more than numbers, and those that do not
ends 0 info four-bars
must "why N reads files" grep -Eq "^  N +2   \(reads files: bodies\)$" "$dir/stdout"
must "L does not" grep -Eq "^  L +1( m)?$" "$dir/stdout"
ends 0 info four-bars --json
must "the same in JSON" python3 -c 'import json, sys; p = {q["name"]: q["reads_files"] for q in json.load(open(sys.argv[1]))["parameters"]}; assert p["N"] == "bodies" and p["L"] is None, p' "$dir/stdout"

ends 0 info four-bars --set N=40 --json
must "info is JSON" python3 -m json.tool "$dir/stdout"
must "81 bodies" grep -q '"bodies": 81,' "$dir/stdout"
must "3N + 3 variables" grep -q '"variables": 123,' "$dir/stdout"
must "one degree of freedom of many rods" grep -q '"degrees_of_freedom": 1,' "$dir/stdout"
ends 0 info pendulum --variables
must "variables by name" grep -Eq "^ +[0-9]+  (rod\.(point|vector)[0-9]+\.[xyz]|pivot\.angle)" "$dir/stdout"
ends 0 info pendulum --variables --json
must "variables in JSON" grep -q '"variable_names"' "$dir/stdout"
must "info with variables is JSON" python3 -m json.tool "$dir/stdout"
# 3 x 3 blocks on and beside the diagonal: 123 variables, 41 tips, 40 neighbours
ends 0 info four-bars --set N=40 --sparsity "$dir/four-bars.svg" --json
must "the picture is told" grep -q '"sparsity": ".*four-bars.svg"' "$dir/stdout"
must "the picture is XML" python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$dir/four-bars.svg"
must "the picture counts its numbers" grep -q "123 variables, $((41 * 6 + 40 * 9)) numbers" "$dir/four-bars.svg"
must "the cells of the picture are those blocks" python3 - "$dir/four-bars.svg" <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
paths = re.findall(r'fill="#1b4f8a" d="([^"]*)"', text)
cells = {(int(y), int(x) + k) for x, y, w in re.findall(r"M(\d+) (\d+)h(\d+)v1", paths[0]) for k in range(int(w))}
assert cells == {(i, j) for i in range(123) for j in range(123) if abs(i // 3 - j // 3) <= 1}, len(cells)
PYTHON
ends 0 info four-bars --set N=4 --solver dense
must "a small system is drawn in letters" grep -Eq "^  ######\.\.\.\.\.\.\.\.\.   " "$dir/stdout"
must "a full factor adds numbers" grep -Eq "^  .{15}   #*\+" "$dir/stdout"
ends 0 info four-bars --set N=2 --solver klu --sparsity "$dir/klu.svg"
ends 2 info pendulum --sparsity "$dir/picture.gif"
must "only SVG is drawn" grep -q "SVG" "$dir/stderr"
ends 1 info pendulum --sparsity /dev/null/picture.svg

# the view into the model: what is drawn follows from the mechanism
ends 0 info four-bars --set N=3 --formulation natural --view "$dir/view.svg" --json
must "the view is told" grep -q '"view": ".*view.svg"' "$dir/stdout"
must "the view has what the mechanism has" python3 - "$dir/view.svg" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
ns = "{http://www.w3.org/2000/svg}"
part = {g.get("id"): list(g) for g in root.iter(ns + "g") if g.get("id")}
assert len(part["joints"]) == 10 and len(part["masses"]) == 7 and len(part["frames"]) == 7, {k: len(v) for k, v in part.items()}
points = [g for g in part["points"] if "variable" in g.get("class")]
assert len(points) == 4, len(points)                               # the N + 1 tips
assert all("common" in g.get("class") for g in points)             # each shared by the rods that meet there
redundant = [g.find(ns + "title").text for g in part["joints"] if "redundant" in g.get("class")]
rows = sum(int(text.split("; ")[1].split()[0]) for text in redundant)
assert rows == 9, redundant                                        # three for each window
# no two tips in one place
places = {g.find(ns + "text").text: (float(g.find(ns + "circle").get("cx")), float(g.find(ns + "circle").get("cy"))) for g in points}
assert len(set(places.values())) == 4, places
assert "redundantes" in open(sys.argv[1]).read()
# what is said on hover is there in Spanish, of the same things in the same places
said = [[g.find(ns + "title").text for g in part[name]] for name in ("joints", "joints-es")]
assert len(said[0]) == len(said[1]) and all("revolute of" in a and "par de revolución de" in b for a, b in zip(*said)), said
PYTHON
ends 0 info coupled-pendulums --view "$dir/pendulums.svg" --from front
must "springs and what carries the masses are drawn" python3 - "$dir/pendulums.svg" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
ns = "{http://www.w3.org/2000/svg}"
part = {g.get("id"): list(g) for g in tree.parse(sys.argv[1]).getroot().iter(ns + "g") if g.get("id")}
assert [g.find(ns + "title").text for g in part["forces"]] == ["spring: spring of one and two"]
assert [g.find(ns + "title").text for g in part["forces-es"]] == ["spring: muelle de one y two"]
assert len(part["limbs"]) == 2, part["limbs"]
PYTHON
ends 0 info four-bars --set N=3 --formulation joint --view "$dir/joint.svg"
must "joint coordinates hold no points" python3 -c 'import sys; assert "class=\"variable" not in open(sys.argv[1]).read().split("legend\">")[0]' "$dir/joint.svg"
for side in front side top; do
    ends 0 info forklift --view "$dir/$side.svg" --from $side
done
must "front and top differ" test "$(md5sum <"$dir/front.svg")" != "$(md5sum <"$dir/top.svg")"
ends 2 info pendulum --view "$dir/view.png"
must "only SVG is drawn of a view" grep -q "SVG" "$dir/stderr"
ends 2 info pendulum --view "$dir/view.svg" --from below
must "sides are told" grep -q "corner|front|side|top" "$dir/stderr"
ends 2 info pendulum --from top
ends 1 info pendulum --view /dev/null/view.svg
ends 2 info no-such-model --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"

finish
