#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The JSON Schema: the published file is the generated one, good models fit, wrong ones do not, and it has the keys
# that the reader knows.
. tests/cli/support.bash
published=docs/reference/biela.schema.json

ends 0 schema
must "the published schema is the generated one (renew it with tools/generate)" cmp "$dir/stdout" $published

# the page of the model file: its tables are those of the schema, and they have every key
page=docs/reference/model-file.md
python3 tools/reference.py $published $page >"$dir/page.md"
must "the tables of $page are the generated ones (renew them with tools/generate)" cmp "$dir/page.md" $page
must "every section, kind and key is on the page" python3 - $published $page <<'PY'
import json, re, sys
schema, page = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
for key in schema["properties"]:
    assert f"| `{key}` |" in page, key

# every key that the schema has anywhere stands in the table of its place, with a meaning
tables = dict(re.findall(r"<!-- keys of (\w+) -->\n(.*?)<!-- end -->", page, flags=re.S))
def mappings(value):
    if isinstance(value, dict):
        if "properties" in value:
            yield value["properties"]
            return
        for part in (*value.get("anyOf", []), value.get("items"), value.get("additionalProperties")):
            yield from mappings(part)
def keys(properties, before=""):
    for key, value in properties.items():
        yield before + key
        for inner in mappings(value):
            yield from keys(inner, f"{before}{key}.")
count = 0
sections = {name.split(".")[0] for name in schema["definitions"] if "." in name}
for place, value in [("file", schema), *schema["definitions"].items()]:
    # sections of kinds have a line per kind, below
    for properties in () if place in sections or "." in place else mappings(value):
        assert place in tables, f"there is no table of the keys of {place}"
        rows = dict(re.findall(r"^\| `([^`]+)` \|[^|\n]*\| (.*) \|$", tables[place].replace("\\|", "/"), flags=re.M))
        for key in keys(properties):
            assert re.search("[a-zA-Z]", rows.get(key, "")), f"{key} of {place} has no meaning on the page"
            count += 1
assert count > 250, count
for place, table in tables.items():
    assert table.count("\n") > 2, f"the table of {place} is empty"
kinds = 0
for name, kind in schema["definitions"].items():
    if "." in name:
        kinds += 1
        row = next(line for line in page.split("\n") if line.startswith(f"| `{name.split('.', 1)[1]}` | {kind['description']}"))
        for key in set(kind["properties"]) - {"type", "for", "active"}:
            # a unit alone says nothing: a word of three letters at least
            assert re.search(rf"`{key}`[*]* [^;]*[a-z]{{3}}", row.replace("*expression*", "")), f"{key} of {name} has no meaning on the page"
            count += 1
assert kinds >= 35, kinds
print(count, "keys,", len(tables), "tables,", kinds, "kinds")
PY
cat "$dir/log"

# fits FILE.yaml: the file as JSON is valid
fits() {
    "$BIELA" schema --as-json "$1" >"$dir/instance.json" && python3 tests/support/validate_schema.py $published "$dir/instance.json"
}
refuses() { ! fits "$1"; }

models=0
for file in models/*/*.yaml tests/keys/*.yaml tests/include/*.yaml tests/include/*/*.yaml tests/outside/*.yaml; do
    must "$file fits" fits "$file"
    models=$((models + 1))
done
must "there are models" test $models -ge 10
for file in models/*/model.yaml; do
    schema=$(sed -n 's/^# yaml-language-server: [$]schema=//p' "$file")
    must "$file names the schema for editors" test -f "$(dirname "$file")/${schema:-none}"
done

# structural mistakes of tests/bad are seen by the schema, too
for name in unknown-key bad-choice missing-required no-version version-2 not-a-mapping include-mistakes; do
    must "tests/bad/$name.yaml does not fit" refuses tests/bad/$name.yaml
done
# one mistake at a time, each in a file that fits otherwise
wrong() { # NAME SED-SCRIPT
    sed "$2" tests/include/link.yaml >"$dir/wrong.yaml"
    must "the change '$2' is one" sh -c "! cmp -s tests/include/link.yaml '$dir/wrong.yaml'"
    must "$1 does not fit" refuses "$dir/wrong.yaml"
}
wrong "a misspelt key of a body" 's/com: /cmo: /'
wrong "a misspelt key of a force" 's/stiffness/stiffnes/'
wrong "a force without its joint" 's/joint: pin, torque/torque/'
wrong "an unknown type" 's/type: torque/type: torqe/'
wrong "an unknown joint type" 's/type: revolute/type: hinge/'
wrong "a vector of two" 's/axis: \[0, 1, 0\]/axis: [0, 1]/'
wrong "one body" 's/bodies: \[ground, rod\]/bodies: [rod]/'
wrong "a text where a mapping belongs" 's/tip: .*/tip: {point: 3}/'
wrong "a name with a blank" 's/^  rod: /  a rod: /'
wrong "an unknown section" 's/^outputs:/output:/'
wrong "a version as text" 's/^biela: 1/biela: "1"/'

# the keys of the schema are those of the reader, which tells them when it meets one that is like none of them
keys_of() { # TEXT: the keys that the reader knows at `qqqqqqqq`
    printf '%s\n' "$1" >"$dir/keys.yaml"
    "$BIELA" check "$dir/keys.yaml" 2>&1 | sed -n "s/.*unknown key 'qqqqqqqq'; known are //p" | tr -d ' ' | tr ',' '\n'
}
head=$'biela: 1\nname: x\n'
body=$'bodies: {b: {mass: 1}}\n'
{
    for key in $(keys_of "$head"$'qqqqqqqq: 1'); do echo "properties $key"; done
    for key in $(keys_of "$head"$'bodies: {b: {qqqqqqqq: 1}}'); do echo "definitions.body.properties $key"; done
    for key in $(keys_of "$head"$'bodies: {b: {mass: 1, inertia: {qqqqqqqq: 1}}}'); do echo "definitions.shape.properties $key"; done
    for key in $(keys_of "$head"$'bodies: {b: {parts: [{qqqqqqqq: 1}]}}'); do echo "definitions.part.properties $key"; done
    for key in $(keys_of "$head"$'events: {e: {qqqqqqqq: 1}}'); do echo "definitions.event.properties $key"; done
    for key in $(keys_of "$head"$'tables: {e: {qqqqqqqq: 1}}'); do echo "definitions.curve.properties $key"; done
    for type in revolute distance; do
        for key in $(keys_of "$head$body""joints: {j: {type: $type, qqqqqqqq: 1}}"); do echo "definitions.joint.properties $key"; done
    done
    for key in $(keys_of "$head"$'outputs: {o: {qqqqqqqq: 1}}'); do echo "definitions.output.anyOf.1.properties $key"; done
    for key in $(keys_of "$head"$'run: {qqqqqqqq: 1}'); do echo "definitions.run.properties $key"; done
    for key in $(keys_of "$head"$'include: {qqqqqqqq: 1}'); do echo "definitions.include.properties $key"; done
} | sort -u >"$dir/reader"
must "the schema has the keys of the reader" python3 - "$dir/reader" $published <<'PY'
import json, sys
schema = json.load(open(sys.argv[2]))
known = {}
for line in open(sys.argv[1]):
    path, key = line.split()
    known.setdefault(path, set()).add(key)
assert len(known) == 10, sorted(known)
for path, keys in known.items():
    at = schema
    for part in path.split("."):
        at = at[int(part)] if isinstance(at, list) else at[part]
    assert set(at) == keys, (path, "reader only:", keys - set(at), "schema only:", set(at) - keys)
PY

# so are the words to choose from, which the reader tells likewise
printf '%s' "$head"$'run: {formulation: qqqqqqqq, scheme: qqqqqqqq, solver: qqqqqqqq, start: qqqqqqqq}\njoints: {j: {type: qqqqqqqq}}\n' >"$dir/words.yaml"
"$BIELA" check "$dir/words.yaml" 2>"$dir/words"
must "the schema has the words of the reader" python3 - "$dir/words" $published <<'PY'
import json, re, sys
schema = json.load(open(sys.argv[2]))["definitions"]
run = schema["run"]["properties"]
places = {"run.formulation": run["formulation"], "run.scheme": run["scheme"], "run.solver": run["solver"],
          "run.start": run["start"], "joints.j.type": schema["joint"]["properties"]["type"]}
found = 0
for line in open(sys.argv[1]):
    told = re.search(r"error: ([a-z.]+): .*there are:? (.*)", line)
    if told:
        words = set(re.split(", | and ", told.group(2).strip()))
        assert words == set(places[told.group(1)]["enum"]), (told.group(1), words)
        found += 1
assert found == 5, found
PY
finish
