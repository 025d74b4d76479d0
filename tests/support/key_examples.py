#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the keys of the model file that an example uses: key_examples.py SCHEMA.json MODEL.json...
Takes the models out of pages: key_examples.py --listings FOLDER PAGE.md..., into FOLDER/0.yaml, FOLDER/1.yaml ...

Walks each model along the schema and notes every key by the place where the schema has it ("body.mass", "run.dt",
"forces.spring.stiffness"). Prints the keys that no model uses, one per line; the count of both goes to stderr.
"""
import json
import pathlib
import sys

from guide_script import blocks
from validate_schema import check


def resolve(root, schema, place):
    while "$ref" in schema:
        place = schema["$ref"].split("/")[-1]
        schema = root["definitions"][place]
    return schema, place


def walk(root, schema, value, place, used):
    """Adds to `used` the keys of `value`, which is at `place` of the schema."""
    schema, place = resolve(root, schema, place)
    for option in schema.get("anyOf", []):
        if not list(check(root, option, value, "$")):
            walk(root, option, value, place, used)
    for branch in schema.get("allOf", []):
        if "if" in branch and not list(check(root, branch["if"], value, "$")):
            walk(root, branch["then"], value, place, used)
    if isinstance(value, list):
        for item in value:
            walk(root, schema.get("items", {}), item, place, used)
    if isinstance(value, dict):
        for key, item in value.items():
            if key in schema.get("properties", {}):
                used.add(f"{place}.{key}")
                walk(root, schema["properties"][key], item, f"{place}.{key}", used)
            elif isinstance(schema.get("additionalProperties"), dict):
                walk(root, schema["additionalProperties"], item, place, used)


def keys(root, schema, place, found):
    """All keys below a place, without going into other definitions."""
    for key, value in schema.get("properties", {}).items():
        found.add(f"{place}.{key}")
        keys(root, value, f"{place}.{key}", found)
    for inner in (*schema.get("anyOf", []), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            keys(root, inner, place, found)


def take_listings(folder, pages):
    """Listings that are models, and fragments with the file of tests/docs that makes them whole."""
    count = 0
    for page in pages:
        for _, tag, text in blocks(page):
            words = tag.split()
            if words[:2] == ["yaml", "fragment"]:
                text = pathlib.Path("tests/docs", words[2]).read_text(encoding="utf-8") + text
            elif not (words[:1] == ["yaml"] and text.startswith("biela:")):
                continue
            pathlib.Path(folder, f"{count}.yaml").write_text(text, encoding="utf-8")
            count += 1


def main():
    if sys.argv[1] == "--listings":
        take_listings(sys.argv[2], sys.argv[3:])
        return
    root = json.load(open(sys.argv[1], encoding="utf-8"))
    found, used = set(), set()
    keys(root, root, "file", found)
    for name, schema in root["definitions"].items():
        keys(root, schema, name, found)
    # sections of kinds have the keys of their kinds
    sections = {name.split(".")[0] for name in root["definitions"] if "." in name}
    found = {key for key in found if key.rsplit(".", 1)[0] not in sections}
    for name in sys.argv[2:]:
        walk(root, root, json.load(open(name, encoding="utf-8")), "file", used)
    for key in sorted(found - used):
        print(key)
    print(f"{len(found)} keys, {len(found & used)} in examples", file=sys.stderr)


main()
