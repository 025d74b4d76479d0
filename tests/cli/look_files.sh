#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files that are only seen, with broken contents: each is told with file, line and place, before a page would hang on it.
. tests/cli/support.bash

cp tests/keys/looks/post.gl* tests/keys/looks/crate.* tests/keys/looks/boards.png "$dir"
python3 - "$dir" <<'PY' >"$dir/cases"
import base64, copy, json, struct, sys
folder = sys.argv[1]
good = json.load(open(f"{folder}/post.gltf"))
head = "data:application/octet-stream;base64,"
data = base64.b64decode(good["buffers"][0]["uri"][len(head):])

def case(name, expected, change):
    doc = copy.deepcopy(good)
    change(doc)
    json.dump(doc, open(f"{folder}/{name}.gltf", "w"), indent=1)
    print(f"{name}.gltf\t{expected}")

def put(path, value):
    def change(doc):
        *where, last = path
        for key in where:
            doc = doc[key]
        doc[last] = value
    return change

def bytes_at(at, what):
    return put(["buffers", 0, "uri"], head + base64.b64encode(data[:at] + what + data[at + len(what):]).decode())

case("circle", "nodes.0: the node is among its own children", put(["nodes"], [{"mesh": 0, "children": [1]}, {"children": [0]}]))
case("itself", "nodes.0: the node is among its own children", put(["nodes", 0, "children"], [0]))
case("twice", "node 2 is a child of node 0 already", put(["nodes"], [{"children": [2]}, {"children": [2]}, {"mesh": 0}]))
case("deep", "deeper than 400 others", put(["nodes"], [{"children": [k + 1]} for k in range(500)] + [{"mesh": 0}]))
case("child", "nodes.0.children.0: there is no entry '7' in nodes", put(["nodes", 0, "children"], [7]))
case("mesh", "nodes.0.mesh: there is no entry '-1' in meshes", put(["nodes", 0, "mesh"], -1))
case("place", "nodes.0.translation.1: a finite number is needed", put(["nodes", 0, "translation"], [0, "NaN", 0]))
case("huge", "accessors.1.count: a whole number from 1 to 134217728", put(["accessors", 1, "count"], 4000000000))
case("long", "accessors.1: 37 elements end at byte 74 of view 1, which has 72", put(["accessors", 1, "count"], 37))
case("half", "accessors.1.count: a whole number", put(["accessors", 1, "count"], 1.5))
case("offset", "accessors.0: 8 elements end at byte 100", put(["accessors", 0, "byteOffset"], 4))
case("odd", "accessors.1: numbers of 2 bytes must begin at a multiple of 2", lambda d: (put(["accessors", 1, "byteOffset"], 1)(d), put(["accessors", 1, "count"], 35)(d)))
case("view", "bufferViews.1.byteLength: bytes 96 to 169 lie outside of buffer 0", put(["bufferViews", 1, "byteLength"], 73))
case("buffer", "buffers.0.byteLength: 169 bytes are promised, and there are 168", put(["buffers", 0, "byteLength"], 169))
case("text", "buffers.0.uri: the data in the file are not base64", put(["buffers", 0, "uri"], head + "?!"))
case("index", "primitives.0.indices: index 0 is 8, and there are 8 vertices", bytes_at(96, struct.pack("<H", 8)))
case("nan", "POSITION: vertex 1 is no finite place", bytes_at(16, struct.pack("<f", float("nan"))))
case("paint", "primitives.0.material: there is no entry '3' in materials", put(["meshes", 0, "primitives", 0, "material"], 3))
case("scene", "scene: there is no entry '1' in scenes", put(["scene"], 1))
case("type", "accessors.0.type: 'VEC9'", put(["accessors", 0, "type"], "VEC9"))
case("texture", "baseColorTexture.index: there is no entry '0' in textures", put(["materials", 0, "pbrMetallicRoughness", "baseColorTexture"], {"index": 0}))

# the binary form: a buffer that is longer than what follows
glb = open(f"{folder}/post.glb", "rb").read()
n = struct.unpack("<I", glb[12:16])[0]
text = glb[20:20 + n].replace(b'"VEC3"', b'"VEC4"')
open(f"{folder}/wide.glb", "wb").write(glb[:20] + text + glb[20 + n:])
print("wide.glb\telements end at byte")
open(f"{folder}/cut.glb", "wb").write(glb[:-8])
print("cut.glb\tcut short")

for name, expected, text in (
    ("far.obj", "far.obj:4:1: .*there are 3 lines 'v' so far, and this face names '4'", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"),
    ("zero.obj", "zero.obj:4:1: .*this face names '0", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n"),
    ("back.obj", "back.obj:4:1: .*this face names '-4", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 -1 -2\n"),
    ("normal.obj", "normal.obj:5:1: .*there are 1 lines 'vn' so far", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//2\n"),
    ("nan.obj", "nan.obj:2:1: .*finite numbers are needed", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"),
    ("short.obj", "short.obj:1:1: .*finite numbers are needed", "v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    ("two.obj", "two.obj:4:1: .*three corners", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n")):
    open(f"{folder}/{name}", "w").write(text)
    print(f"{name}\t{expected}")
PY

model() {
    printf 'biela: 1\nname: seen\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nlooks: {part: {file: %s, body: b}}\nrun: {time: 0.1, dt: 0.01}\n' "$1" >"$dir/seen.yaml"
}
for good in post.gltf post.glb crate.obj; do
    model $good
    ends 0 check "$dir/seen.yaml"
done
while IFS=$'\t' read -r file expected; do
    model "$file"
    ends 2 check "$dir/seen.yaml"
    must "$file: $expected" grep -q "$file:[0-9]*:[0-9]*: error: looks.part.file: .*${expected##*.obj:?:?: .\*}" "$dir/stderr"
    must "$file is told with its line" grep -q "${expected%%: *}" "$dir/stderr"
    must "$file has a line" sh -c "! grep -q '$file:0:' '$dir/stderr'"
done <"$dir/cases"

finish
