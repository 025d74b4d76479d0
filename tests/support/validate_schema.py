#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates JSON values against a JSON Schema: validate_schema.py SCHEMA.json INSTANCE.json...

Knows the part of draft 7 that the schema of Biela uses; another keyword is an error, so that nothing goes unchecked.
Prints one line per mistake; the exit code is 1 when there is one.
"""
import json
import re
import sys

NOTES = {"$schema", "title", "description", "definitions"}


def is_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    return isinstance(value, kinds[name])


def equal(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def check_object(root, schema, value, path):
    for key in schema.get("required", []):
        if key not in value:
            yield f"{path}: '{key}' is missing"
    if len(value) < schema.get("minProperties", 0):
        yield f"{path}: too few keys"
    if len(value) > schema.get("maxProperties", len(value)):
        yield f"{path}: too many keys"
    for key, item in value.items():
        here = f"{path}.{key}"
        if "propertyNames" in schema:
            yield from check(root, schema["propertyNames"], key, here)
        known = False
        if key in schema.get("properties", {}):
            known = True
            yield from check(root, schema["properties"][key], item, here)
        for pattern, inner in schema.get("patternProperties", {}).items():
            if re.search(pattern, key):
                known = True
                yield from check(root, inner, item, here)
        if not known:
            other = schema.get("additionalProperties", True)
            if other is False:
                yield f"{here}: unknown key"
            elif other is not True:
                yield from check(root, other, item, here)


def check_array(root, schema, value, path):
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{path}: {len(value)} items"
    for k, item in enumerate(value):
        yield from check(root, schema.get("items", {}), item, f"{path}[{k}]")


def check(root, schema, value, path):
    if schema is True or schema == {}:
        return
    known = NOTES | {"$ref", "type", "enum", "const", "pattern", "allOf", "anyOf", "if", "then", "required", "minProperties",
                     "maxProperties", "propertyNames", "properties", "patternProperties", "additionalProperties",
                     "minItems", "maxItems", "items"}
    for key in schema:
        if key not in known:
            yield f"{path}: the validator does not know the keyword {key}"
    if "$ref" in schema:
        parts = schema["$ref"].split("/")
        inner = root
        for part in parts[1:]:
            inner = inner[part]
        yield from check(root, inner, value, path)
        return  # draft 7: what stands beside $ref does not count
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        yield f"{path}: must be {' or '.join(types)}"
        return
    if "enum" in schema and not any(equal(value, item) for item in schema["enum"]):
        yield f"{path}: '{value}' is none of {', '.join(map(str, schema['enum']))}"
    if "const" in schema and not equal(value, schema["const"]):
        yield f"{path}: must be {schema['const']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{path}: '{value}' does not fit {schema['pattern']}"
    if isinstance(value, dict):
        yield from check_object(root, schema, value, path)
    if isinstance(value, list):
        yield from check_array(root, schema, value, path)
    for inner in schema.get("allOf", []):
        yield from check(root, inner, value, path)
    if "anyOf" in schema:
        tries = [list(check(root, inner, value, path)) for inner in schema["anyOf"]]
        if all(tries):
            yield f"{path}: fits none of the possibilities; the last one: {tries[-1][0]}"
    if "if" in schema and not list(check(root, schema["if"], value, path)):
        yield from check(root, schema.get("then", {}), value, path)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    mistakes = 0
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            value = json.load(file)
        for mistake in check(schema, schema, value, "$"):
            print(f"{name}: {mistake}")
            mistakes += 1
    return mistakes > 0


if __name__ == "__main__":
    sys.exit(main())
