#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renew the tables of docs/reference/model-file.md from the JSON Schema: tools/reference.py SCHEMA PAGE; and those of
docs/reference/results.md from `biela help --json`.

A table stands between the lines `<!-- keys of PLACE -->` and `<!-- end -->`. PLACE is a section whose entries have a `type`
(forces, constraints, signals, actions), a definition of the schema (body, joint, run, ...), `file` for the top level, or
`endings` for the files that commands write.
What a table says is the help of the field tables and the descriptions of the schema: it is written there, once.
"""
import json
import re
import sys

SHORT = {
    "number": "number", "expression": "*expression*", "vector": "vector", "point": "point", "direction": "direction",
    "table": "table", "frame": "frame", "turn": "rotations", "text": "text", "local": "vector or name",
    "inertia": "inertia", "entry": "name", "for": "indices", "curve": "table", "flex_node": "node", "bond_value": "*expression* or list",
}


def definition(schema, value):
    return value["$ref"].split("/")[-1] if "$ref" in value else None


def type_of(schema, value):
    """One or two words for what stands behind a key."""
    name = definition(schema, value)
    if name and "enum" in schema["definitions"][name]:
        return type_of(schema, schema["definitions"][name])
    if name:
        return SHORT.get(name, "mapping")
    if "const" in value:
        return f"`{value['const']}`"
    if "enum" in value:
        return ", ".join(f"`{word}`" for word in value["enum"])
    if "anyOf" in value:
        kinds = [type_of(schema, option) for option in value["anyOf"]]
        return " or ".join(dict.fromkeys(kind for kind in kinds if kind not in ("", "null")))
    kind = value.get("type", "")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "array":
        return "list"
    return {"string": "name", "boolean": "true or false", "object": "mapping"}.get(kind, kind)


def cell(text):
    return text.replace("|", "\\|").strip()


def inner_objects(value):
    """Mappings with keys that a value may be and that have no definition of their own."""
    found = [value] if "properties" in value else []
    for option in value.get("anyOf", []):
        found += inner_objects(option)
    for below in ("items", "additionalProperties"):
        if isinstance(value.get(below), dict):
            found += inner_objects(value[below])
    return found


def all_keys(properties, required, before=""):
    """(key, value, is required) of a mapping and of the mappings inside it, as `damping.ratio`."""
    for key, value in properties.items():
        yield before + key, value, key in required
        for inner in inner_objects(value):
            yield from all_keys(inner["properties"], inner.get("required", []), f"{before}{key}.")


def keys_table(schema, properties, required):
    lines = ["| key | is | meaning |", "|---|---|---|"]
    for key, value, is_required in all_keys(properties, required):
        meaning = value.get("description", "")
        if not meaning and definition(schema, value):
            meaning = schema["definitions"][definition(schema, value)].get("description", "")
        if is_required:
            meaning = f"{meaning} (required)" if meaning else "required"
        lines.append(f"| `{key}` | {cell(type_of(schema, value))} | {cell(meaning)} |")
    return lines


def one_key(schema, key, value, required):
    text = f"**`{key}`**" if key in required else f"`{key}`"
    kind, meaning = type_of(schema, value), value.get("description", "")
    if kind in ("*expression*", "point", "direction", "frame", "table", "name or table") or "enum" in value:
        kind = "table" if kind == "name or table" else kind
        text += f" {kind}"
        meaning = f", {meaning}" if meaning else ""
    elif meaning:
        meaning = f" {meaning}"
    return cell(text + meaning)


def kinds_table(schema, section):
    lines = ["| type | what it is | keys (bold: required) |", "|---|---|---|"]
    for name, kind in schema["definitions"].items():
        if not name.startswith(section + "."):
            continue
        keys = [one_key(schema, key, value, kind["required"])
                for key, value in kind["properties"].items() if key not in ("type", "for", "active")]
        lines.append(f"| `{name.split('.', 1)[1]}` | {cell(kind.get('description', ''))} | {'; '.join(keys)} |")
    return lines


def endings_table(schema):
    lines = ["| ending | written by | what is in it |", "|---|---|---|"]
    return lines + [f"| `{file['ending']}` | {cell(file['by'])} | {cell(file['help'])} |" for file in schema["files"]]


def table(schema, place):
    if place == "endings":
        return endings_table(schema)
    definitions = schema["definitions"]
    if any(name.startswith(place + ".") for name in definitions):
        return kinds_table(schema, place)
    if place == "file":
        return keys_table(schema, schema["properties"], schema["required"])
    if place not in definitions:
        sys.exit(f"reference.py: the schema has no '{place}'")
    # of a section without a definition for its entries (parameters, imposed) those of an entry
    found = inner_objects(definitions[place])
    if len(found) != 1:
        sys.exit(f"reference.py: '{place}' has no keys")
    return keys_table(schema, found[0]["properties"], found[0].get("required", []))


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    page = open(sys.argv[2], encoding="utf-8").read()

    def renew(match):
        return "\n".join([match.group(1), *table(schema, match.group(2)), "<!-- end -->"])

    sys.stdout.write(re.sub(r"(<!-- keys of ([a-z_]+) -->)\n.*?<!-- end -->", renew, page, flags=re.S))


main()
