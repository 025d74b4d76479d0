#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Schemes, joints and options of runs have one list each: schema, help, files, command line and messages tell the same.
. tests/cli/support.bash

ends 0 schema
cp "$dir/stdout" "$dir/schema.json"
ends 0 help --json
cp "$dir/stdout" "$dir/help.json"
python3 - "$dir" >"$dir/words" <<'PY'
import json, sys
schema = json.load(open(sys.argv[1] + "/schema.json"))["definitions"]
commands = {c["name"]: c for c in json.load(open(sys.argv[1] + "/help.json"))["commands"]}
for command in ("run", "sweep", "fit", "compare"):
    option = next(o for o in commands[command]["options"] if o["name"] == "--scheme")
    assert [c["word"] for c in option["choices"]] == schema["run"]["properties"]["scheme"]["enum"], command
    assert all(c["help"] for c in option["choices"])
print(*schema["run"]["properties"]["scheme"]["enum"])
print(*schema["joint"]["properties"]["type"]["enum"])
PY
must "help and schema have the same schemes" test $? -eq 0
{ read -ra schemes; read -ra joints; } <"$dir/words"
must "eight schemes and a second name at least" test ${#schemes[@]} -ge 9
must "ten joints at least" test ${#joints[@]} -ge 10

cat >"$dir/rod.yaml" <<'YAML'
biela: 1
name: rod
bodies: {rod: {mass: 1, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}}
outputs:
  tip: {point: {body: rod, at: [1, 0, 0.5]}}
run: {time: 0.01, dt: 1e-4}
YAML
# files by their endings: the page has the table, and no other list of endings stands in the commands
python3 tools/reference.py "$dir/help.json" docs/reference/results.md >"$dir/results.md"
must "the table of endings is the generated one (renew it with tools/generate)" cmp "$dir/results.md" docs/reference/results.md
python3 - "$dir" <<'PY' >"$dir/log"
import json, pathlib, re, sys
files = json.load(open(sys.argv[1] + "/help.json"))["files"]
assert len(files) >= 12 and all(f["by"] and f["help"] for f in files), files
own = [f["ending"] for f in files if f["ending"] not in (".csv", ".h5", ".hdf5")]
for path in pathlib.Path("app").rglob("*.c"):
    for number, line in enumerate(path.read_text().split("\n"), 1):
        code = line.split("//")[0]
        for ending in own:
            if f'"{ending}"' in code and path.name != "endings.c":
                print(f"{path}:{number}: {ending} is written out; endings.h has its name")
                sys.exit(1)
PY
must "commands use the names of endings.h" test $? -eq 0

# options of runs: every command line that takes one tells the same about it, and each has an effect
python3 - "$dir" >"$dir/options" <<'PY'
import json, re, sys
keys = json.load(open(sys.argv[1] + "/schema.json"))["definitions"]["run"]["properties"]
commands = {c["name"]: c for c in json.load(open(sys.argv[1] + "/help.json"))["commands"]}
for command in commands.values():
    assert all(re.search("[a-z]{3}", o["help"]) for o in command["options"]), command["name"]
run = {o["name"][2:]: o for o in commands["run"]["options"] if o["name"][2:] in keys and o["name"] != "--set"}
for key, option in run.items():
    # the clauses of the help are those of the page, which adds meanings and default
    assert option["help"].split(" (")[0] in keys[key]["description"], (key, option["help"], keys[key]["description"])
for command in ("sweep", "fit"):
    for option in commands[command]["options"]:
        if option["name"][2:] in ("scheme", "rho", "tolerance", "solver", "start", "formulation"):
            assert option == run[option["name"][2:]], option
print(*run)
PY
must "help and schema tell the same about options of runs" test $? -eq 0
read -ra options <"$dir/options"
must "eleven options of runs at least" test ${#options[@]} -ge 11
for option in "${options[@]}"; do
    ends 2 run "$dir/rod.yaml" "--$option" '?' --out "$dir/a.csv"
    must "--$option with nonsense is told" grep -Eq "error: --$option: |^[?]: error: " "$dir/stderr"
done

ends 0 help run
cp "$dir/stdout" "$dir/help"
for scheme in "${schemes[@]}"; do
    must "help of $scheme" grep -q "^ *$scheme  *[a-z]" "$dir/help"
    sed "s/^run: {/run: {scheme: $scheme, /" "$dir/rod.yaml" >"$dir/in-file.yaml"
    ends 0 run "$dir/in-file.yaml" --json --out "$dir/a.csv"
    by_file=$(grep -o '"scheme": *"[^"]*"' "$dir/stdout")
    ends 0 run "$dir/rod.yaml" --scheme "$scheme" --json --out "$dir/b.csv"
    must "$scheme in a file and on the command line" test "$by_file" = "$(grep -o '"scheme": *"[^"]*"' "$dir/stdout")"
done
ends 2 run "$dir/rod.yaml" --scheme hen
must "the command line suggests" grep -q "error: --scheme: 'hen' is not known (did you mean 'heun'?); there are: ali3p, " "$dir/stderr"
sed "s/^run: {/run: {scheme: hen, /" "$dir/rod.yaml" >"$dir/in-file.yaml"
ends 2 check "$dir/in-file.yaml"
must "the reader suggests" grep -q "'hen' is not known (did you mean 'heun'?); there are: ali3p, .*ali3p-flex" "$dir/stderr"

# a joint of each kind is read, and moves in both formulations
for joint in "${joints[@]}"; do
    more=
    [ "$joint" = screw ] && more=", pitch: 0.1"
    [ "$joint" = distance ] && more=", from: [0, 0, 1], to: [0, 0, 0]"
    sed "s/type: revolute.*}}/type: $joint, bodies: [ground, rod]$more}, side: {type: free, bodies: [ground, other]}}/
         s/^bodies: {/bodies: {other: {mass: 1, inertia: [1, 1, 1]}, /" "$dir/rod.yaml" >"$dir/joint.yaml"
    for formulation in natural joint; do
        ends 0 run "$dir/joint.yaml" --formulation $formulation --out "$dir/$formulation.csv"
    done
    must "$joint in both formulations" "$BIELA" diff "$dir/natural.csv" "$dir/joint.csv" --tolerance 1e-5
done
sed "s/revolute/revolut/" "$dir/rod.yaml" >"$dir/wrong.yaml"
ends 2 check "$dir/wrong.yaml"
must "a joint is suggested" grep -q "no joint of type 'revolut' (did you mean 'revolute'?); there are fixed, .*screw" "$dir/stderr"

# a kind of joint that is forgotten in a table or in the tree does not compile; a scheme without its file does not link (cli.recipes)
cp -r include "$dir/include"
sed -i 's/^\(    BI_SCREW\)\b.*/\1, BI_FORGOTTEN_JOINT/' "$dir"/include/biela/*.h
for source in model/joint_kinds coordinates/joint/joint_tree; do
    compile=("${CC:-cc}" -std=c17 -fsyntax-only -Werror=switch -Isrc "src/$source.c")
    must "$source compiles" "${compile[@]}" -Iinclude
    "${compile[@]}" -I"$dir/include" 2>"$dir/complaints"
    must "$source asks for what is forgotten" grep -q "error.*BI_FORGOTTEN" "$dir/complaints"
done
finish
