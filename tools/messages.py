#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The messages of the live page, from their one description app/live/messages.txt.

usage: messages.py [--check] [ROOT]

Writes app/live/messages.h and requests.h, web/src/messages.ts and the tables of docs/reference/protocol.md. --check changes nothing and
fails when one of them is not the present one. Tests read the description with `read`, too."""
import collections
import pathlib
import re
import sys

DESCRIPTION = "app/live/messages.txt"
PLAIN = ("text", "integer", "number", "boolean", "expression")
MADE_FROM = "made by tools/generate from app/live/messages.txt; change that"

# of a record, a message, the head or the blocks of a frame; `kind` is the type as written, the width of a block, the bit of a flag
# `count` of bytes: names whose product says how many there are
Field = collections.namedtuple("Field", "name kind unit meaning is_optional count")
Block = collections.namedtuple("Block", "kind name title who meaning fields")


class Mistake(Exception):
    """A line of the description that cannot be read."""


# ---- the description ---------------------------------------------------------------------------------------------------

# columns of the line that begins a block, after its kind and name
TITLES = {"words": 1, "record": 1, "to-page": 2, "to-server": 2, "frame-head": 1, "frame-flags": 0, "frame-blocks": 0, "bytes": 2,
          "protocol": 0}
# columns of its rows
COLUMNS = {"words": 2, "record": 4, "to-page": 4, "to-server": 4, "frame-head": 4, "frame-flags": 3, "frame-blocks": 4, "bytes": 5}


def read_row(kind, line):
    columns = re.split(r" {2,}", line.strip()) if kind != "words" else line.strip().split(None, 1)
    if len(columns) != COLUMNS.get(kind, 0):
        raise Mistake(f"'{line.strip()}' has {len(columns)} columns instead of {COLUMNS.get(kind, 0)}")
    name, unit = columns[0].removesuffix("?"), "-"
    if COLUMNS[kind] >= 4:
        unit = columns[-2]
    count = columns[2].split(" * ") if kind == "bytes" and columns[2] != "1" else []
    return Field(name, columns[1], "" if unit == "-" else unit, columns[-1], columns[0].endswith("?"), count)


def read_title(line):
    first, *rest = re.split(r" {2,}", line.strip())
    kind, _, name = first.partition(" ")
    if kind not in TITLES or (kind == "to-server" and rest[:1] not in (["all"], ["driver"])) or len(rest) != TITLES[kind]:
        raise Mistake(f"'{line.strip()}' begins no block")
    return Block(kind, name, rest[0] if rest else "", rest[0] if kind == "to-server" else "", rest[-1] if rest else "", [])


def counts_of(block):
    return [row for row in block.fields if not row.count]


def parts_of(block):
    return [row for row in block.fields if row.count]


def words_of(row):
    """How many words of four bytes each entry of a part has."""
    return sum(int((re.match(r"\d+", word) or ["1"])[0]) for word in row.kind.split(", "))


class Description:
    """Blocks by kind, in their order; `version` of the protocol."""

    def __init__(self, blocks):
        self.blocks = blocks
        self.version = int(self.all("protocol")[0].name)
        self.words = {block.name: [row.name for row in block.fields] for block in self.all("words")}
        self.records = {block.name: block for block in self.all("record")}
        for block in blocks:
            names = [row.name for row in block.fields]
            if len(set(names)) != len(names):
                raise Mistake(f"{block.kind} {block.name}: a name stands twice")
            if block.kind in ("record", "to-page", "to-server"):
                for row in block.fields:
                    self.check(type_of(row.kind), f"{block.name}.{row.name}")
            for row in block.fields:
                if any(count not in [other.name for other in counts_of(block)] for count in row.count):
                    raise Mistake(f"bytes {block.name}.{row.name}: there is no count {' * '.join(row.count)}")

    def all(self, *kinds):
        return [block for block in self.blocks if block.kind in kinds]

    def check(self, kind, where):
        while kind.item:
            kind = kind.item
        if kind.name not in PLAIN and kind.name not in self.words and kind.name not in self.records:
            raise Mistake(f"{where}: there is no type '{kind.name}'")

    def written(self):
        """Records that the program writes field by field; others are parts of files that pass through."""
        found, todo = [], list(self.all("to-page"))
        while todo:
            for row in todo.pop(0).fields:
                kind = type_of(row.kind)
                while kind.item and not kind.is_file:
                    kind = kind.item
                if kind.name in self.records and not kind.is_file and self.records[kind.name] not in found:
                    found.append(self.records[kind.name])
                    todo.append(self.records[kind.name])
        return [block for block in self.all("record") if block in found]


def read(root="."):
    """The description under this root; Mistake with the line where it cannot be read."""
    blocks = []
    for number, line in enumerate((pathlib.Path(root) / DESCRIPTION).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if line.startswith(" "):
                blocks[-1].fields.append(read_row(blocks[-1].kind, line))
            else:
                blocks.append(read_title(line))
        except (Mistake, IndexError) as mistake:
            raise Mistake(f"{DESCRIPTION}:{number}: {mistake}") from None
    return Description(blocks)


# ---- types -------------------------------------------------------------------------------------------------------------

# name: plain type, words or record; item: of a list (count: how many, 0: any) or of an object (is_map)
Type = collections.namedtuple("Type", "name item count is_map is_null is_file")


def type_of(text):
    is_file, text = text.startswith("file "), text.removeprefix("file ")
    is_null, text = text.endswith(" or null"), text.removesuffix(" or null")
    listed = re.fullmatch(r"(.+)\[(\d*)\]", text)
    if listed:
        return Type("", type_of(listed[1]), int(listed[2] or 0), False, is_null, is_file)
    if re.fullmatch(r"\{.+\}", text):
        return Type("", type_of(text[1:-1]), 0, True, is_null, is_file)
    return Type(text, None, 0, False, is_null, is_file)


# ---- C -----------------------------------------------------------------------------------------------------------------

def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().replace("-", "_")


def said(row):
    """Meaning and unit, for a comment."""
    return (f"[{row.unit}] " if row.unit else "") + row.meaning


def c_writer(description, block, row):
    """One function: writes a value, or opens a list or object that json_end closes."""
    kind, name, key = type_of(row.kind), f"{snake(block.name)}_{row.name}", f'"{row.name}"'
    note = f" // {said(row)}"
    if kind.is_file:
        return f"static inline FILE *raw_{name}(json *j) {{ return json_raw(j, {key}); }}{note}"
    if kind.item or kind.name in description.records:
        call = "json_array" if kind.item and not kind.is_map else "json_object"
        return f"static inline void open_{name}(json *j) {{ {call}(j, {key}); }}{note}"
    value, call = {"integer": ("int64_t ", "json_integer"), "number": ("double ", "json_number"),
                   "boolean": ("bool ", "json_true_or_false")}.get(kind.name, ("const char *", "json_text"))
    return f"static inline void put_{name}(json *j, {value}value) {{ {call}(j, {key}, value); }}{note}"


def c_list(name, rows):
    return " \\\n".join([f"#define {name}(X)", *(f"    X({', '.join(row)})" for row in rows)])


def c_frame(description):
    (head,), (flags,), (blocks,) = (description.all(f"frame-{part}") for part in ("head", "flags", "blocks"))
    fields = {"u32": "uint32_t", "f32": "double", "f64": "double"}
    return [
        "", "// ---- frames: the head, the flags and the blocks, each in its order ----", "",
        f"#define FRAME_MAGIC {head.name}u // {head.meaning}",
        "typedef struct {", *(f"    {fields[row.kind]} {row.name}; // {row.meaning}" for row in head.fields), "} frame_head;",
        "// X(kind, name)", c_list("FRAME_HEAD", [(row.kind, row.name) for row in head.fields]),
        "// X(NAME, bit)", c_list("FRAME_FLAGS", [(row.name.upper(), row.kind + "u") for row in flags.fields]),
        "// X(name, f32 of each); a block that may be left out is FRAME_OPTIONAL_BLOCKS'",
        c_list("FRAME_BLOCKS", [(row.name, row.kind) for row in blocks.fields if not row.is_optional]),
        c_list("FRAME_OPTIONAL_BLOCKS", [(row.name, row.kind) for row in blocks.fields if row.is_optional]),
    ]


def c_bytes(description):
    lines = ["", "// ---- bytes that the page fetches: counts, then parts, each in its order ----"]
    for block in description.all("bytes"):
        name = block.name.upper()
        lines += ["", f"// {block.title}: {block.meaning}",
                  "typedef struct {", *(f"    uint32_t {row.name}; // {said(row)}" for row in counts_of(block)), f"}} {block.name}_counts;",
                  "// X(name)", c_list(f"{name}_COUNTS", [(row.name,) for row in counts_of(block)]),
                  c_list(f"{name}_PARTS", [(row.name,) for row in parts_of(block)])]
    return lines


def c_messages(description):
    lines = [
        "// SPDX-License-Identifier: MIT",
        "/* messages.h - what the program says to the page: one function for each message and for each of its fields.",
        f" * {MADE_FROM[0].upper()}{MADE_FROM[1:]}. put_ writes a value, open_ begins a list or object that json_end ends,",
        " * raw_ leaves the value, JSON of a file, to the caller. */",
        "#pragma once", '#include "cli/json.h"', "", "// clang-format off", "",
        f"enum {{ MESSAGES_VERSION = {description.version} }};",
    ]
    for block in description.all("to-page"):
        lines += ["", f"// {block.title}: {block.meaning}",
                  f'static inline void begin_{block.name}(json *j) {{ json_object(j, NULL); json_text(j, "type", "{block.name}"); }}']
        lines += [c_writer(description, block, row) for row in block.fields]
    for block in description.written():
        lines += ["", f"// {block.meaning}", *(c_writer(description, block, row) for row in block.fields)]
    return "\n".join(lines + c_frame(description) + c_bytes(description)) + "\n"


def c_reader(block, row):
    """One function: false, or -1, where the request does not say it."""
    kind, name, member = type_of(row.kind), f"{block.name}_{row.name}", f'json_member(tree, 0, "{row.name}")'
    note = f" // {said(row)}"
    if kind.item:
        return f"static inline int find_{name}(const json_tree *tree) {{ return {member}; }}{note}"
    if kind.name == "text":
        return (f"static inline bool get_{name}(const json_tree *tree, char *to, size_t size) "
                f"{{ return json_text_at(tree, {member}, to, size); }}{note}")
    return f"static inline bool get_{name}(const json_tree *tree, double *value) {{ return json_number_at(tree, {member}, value); }}{note}"


def c_requests(description):
    requests = description.all("to-server")
    lines = [
        "// SPDX-License-Identifier: MIT",
        "/* requests.h - what pages say to the program: the list of requests, and one function for each of their fields.",
        f" * {MADE_FROM[0].upper()}{MADE_FROM[1:]}. get_ gives a value, find_ the item that holds several. */",
        "#pragma once", '#include "cli/json_read.h"', "", "// clang-format off", "",
        "typedef enum {", *(f"    REQUEST_{block.name.upper()}, // {block.meaning}" for block in requests),
        "    REQUEST_UNKNOWN, // of another type", "    REQUEST_NONE // no JSON object with a type", "} request_kind;", "",
        "static inline request_kind request_read(const char *text, size_t length, json_tree *tree)", "{",
        '    int type = json_read(text, length, tree) ? json_member(tree, 0, "type") : -1;',
        *(f'    if (json_is(tree, type, "{block.name}")) {{ return REQUEST_{block.name.upper()}; }}' for block in requests),
        "    return type < 0 ? REQUEST_NONE : REQUEST_UNKNOWN;", "}", "",
        "static inline bool request_is_for_driver(request_kind kind)", "{", "    switch (kind) {",
        *(f"    case REQUEST_{block.name.upper()}:" for block in requests if block.who == "driver"), "        return true;",
        *(f"    case REQUEST_{block.name.upper()}:" for block in requests if block.who != "driver"),
        "    case REQUEST_UNKNOWN:", "    case REQUEST_NONE: return false;", "    }", "    return false;", "}", "",
    ]
    for block in requests:
        lines += [c_reader(block, row) for row in block.fields]
    return "\n".join(lines) + "\n"


# ---- TypeScript --------------------------------------------------------------------------------------------------------

def ts_type(kind):
    if kind.item and kind.is_map:
        text = f"Record<string, {ts_type(kind.item)}>"
    elif kind.item and kind.count:
        text = f"[{', '.join([ts_type(kind.item)] * kind.count)}]"
    elif kind.item:
        text = f"{ts_type(kind.item)}[]"
    else:
        text = {"text": "string", "integer": "number", "expression": "Expression"}.get(kind.name, kind.name)
    return text + (" | null" if kind.is_null else "")


def ts_interface(name, block, first=()):
    lines = [f"/** {block.meaning} */", f"export interface {name} {{", *first]
    for row in block.fields:
        lines.append(f"    {row.name}{'?' if row.is_optional else ''}: {ts_type(type_of(row.kind))}; // {said(row)}")
    return [*lines, "}", ""]


def ts_union(name, parts):
    return [f"export type {name} =", *(f"    | {part}" for part in parts)]


def ts_frame(description):
    (head,), (flags,), (blocks,) = (description.all(f"frame-{part}") for part in ("head", "flags", "blocks"))
    lines = [f"export const FRAME_MAGIC = {head.name}; // {head.meaning}", ""]
    lines += ["export const FLAG = {", *(f"    {row.name}: {row.kind}, // {row.meaning}" for row in flags.fields), "} as const;", ""]
    lines += ["/** after the magic number, in this order */",
              "export const FRAME_HEAD = [", *(f'    ["{row.name}", "{row.kind}"],' for row in head.fields), "] as const;", ""]
    lines += ["/** after the head, in this order: a count, and so many times so many f32; true: left out when there are none */",
              "export const FRAME_BLOCKS = [",
              *(f'    ["{row.name}", {row.kind}, {"true" if row.is_optional else "false"}],' for row in blocks.fields), "] as const;", ""]
    lines += ["export interface Frame {"]
    for row in head.fields:
        lines.append(f"    {row.name}: number; // {said(row)}")
    for row in blocks.fields:
        lines.append(f"    {row.name}: Float32Array; // {row.kind} each: {said(row)}")
    return [*lines, "}"]


def ts_bytes(description):
    lines = []
    for block in description.all("bytes"):
        lines += ["", f"/** {block.title}: {block.meaning}; counts, then parts: words of each, and the counts whose product says how many there are */",
                  f"export const {block.name.upper()}_BYTES = {{", "    counts: ["]
        lines += [f'        "{row.name}", // {said(row)}' for row in counts_of(block)] + ["    ],", "    parts: ["]
        for row in parts_of(block):
            counts = ", ".join(f'"{count}"' for count in row.count)
            lines.append(f'        ["{row.name}", {words_of(row)}, [{counts}]], // {row.kind}: {said(row)}')
        lines += ["    ],", "} as const;"]
    return lines


def typescript(description):
    lines = ["// SPDX-License-Identifier: MIT", f"// What server and page say to each other, as types: {MADE_FROM}.", "",
             f"export const PROTOCOL = {description.version};", "",
             '/** a number, or a text such as "2*pi" */', "export type Expression = number | string;", ""]
    for block in description.all("words"):
        lines += [f"/** {block.meaning} */", f"export type {block.name} = " + " | ".join(f'"{row.name}"' for row in block.fields) + ";", ""]
    for block in description.all("record"):
        lines += ts_interface(block.name, block)
    messages, requests = description.all("to-page"), description.all("to-server")
    for block in messages:
        lines += ts_interface(f"{block.name.capitalize()}Message", block, [f'    type: "{block.name}";'])
    lines += [*ts_union("ServerMessage", [f"{block.name.capitalize()}Message" for block in messages]), ""]
    lines[-2] += ";"
    lines += ["export const SERVER_MESSAGES: readonly ServerMessage[\"type\"][] = [" + ", ".join(f'"{block.name}"' for block in messages) + "];", ""]
    shapes = []
    for block in requests:
        rows = "".join(f" {row.name}{'?' if row.is_optional else ''}: {ts_type(type_of(row.kind))};" for row in block.fields)
        shapes.append(f'{{ type: "{block.name}";{rows} }}'.replace("; }", " }"))
    lines += [*ts_union("ClientMessage", shapes), ""]
    lines[-2] += ";"
    return "\n".join(lines + ts_frame(description) + ts_bytes(description)) + "\n"


# ---- the page of the protocol --------------------------------------------------------------------------------------------

def cell(text):
    return text.replace("|", "\\|")


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(cell(part) for part in row) + " |" for row in rows)]


def shown_type(kind):
    """Links lead from a field to the words or the record that it is made of."""
    text = kind.removeprefix("file ")
    return re.sub(r"[A-Z]\w+", lambda match: f"[{match[0]}](#{match[0].lower()})", text)


def fields_table(block):
    rows = [(f"`{row.name}`", shown_type(row.kind), row.unit, row.meaning + (" (may be missing)" if row.is_optional else ""))
            for row in block.fields]
    return [*table(("member", "is", "unit", "meaning"), rows), ""] if rows else []


def doc_to_page(description):
    blocks = description.all("to-page")
    lines = table(("`type`", "when", "what"), [(f"[`{block.name}`](#{block.name})", block.title, block.meaning) for block in blocks]) + [""]
    for block in blocks:
        lines += [f"### {block.name}", "", *fields_table(block)]
    lines += ["### Records", "", "Objects inside messages."]
    for block in description.all("record"):
        lines += ["", f"#### {block.name}", "", f"{block.meaning[0].upper()}{block.meaning[1:]}.", "", *fields_table(block)]
    lines += ["### Words", "", "Texts of which there are only these."]
    for block in description.all("words"):
        lines += ["", f"#### {block.name}", "", f"{block.meaning[0].upper()}{block.meaning[1:]}.", "",
                  *table(("word", "meaning"), [(f"`{row.name}`", row.meaning) for row in block.fields]), ""]
    return lines


def doc_to_server(description):
    rows = []
    for block in description.all("to-server"):
        members = "; ".join(f"`{row.name}` {shown_type(row.kind)}{', ' + row.unit if row.unit else ''}: {row.meaning}"
                            + (" (may be missing)" if row.is_optional else "") for row in block.fields)
        rows.append((f"`{block.name}`", block.meaning, members, block.who))
    return table(("`type`", "what it does", "members", "who"), rows)


def doc_frame(description):
    (head,), (flags,), (blocks,) = (description.all(f"frame-{part}") for part in ("head", "flags", "blocks"))
    rows = [("", "u32", "", f"{head.name} ({head.meaning})")]
    for row in head.fields:
        rows.append((f"`{row.name}`", row.kind, row.unit, row.meaning))
    for row in blocks.fields:
        kind = f"u32 n, n * {row.kind} f32" if row.kind != "1" else "u32 n, n * f32"
        rows.append((f"`{row.name}`", kind, row.unit, row.meaning + ("; the block is left out when there are none" if row.is_optional else "")))
    return [*table(("name", "bytes", "unit", "meaning"), rows), "",
            *table(("flag", "name", "meaning"), [(row.kind, f"`{row.name}`", row.meaning) for row in flags.fields])]


def doc_bytes(description):
    lines = []
    for block in description.all("bytes"):
        rows = []
        for row in block.fields:
            kind = f"({row.kind})" if "," in row.kind else row.kind
            rows.append((f"`{row.name}`", " * ".join([*row.count, kind]), row.unit, row.meaning))
        lines += [f"`{block.title}`: {block.meaning}.", "", *table(("name", "bytes", "unit", "meaning"), rows), ""]
    return lines


def page(description, text):
    """The page with its tables renewed; each stands between the line of its name and `<!-- end -->`."""
    tables = {"messages to the page": doc_to_page, "messages to the server": doc_to_server, "frames": doc_frame, "bytes": doc_bytes}
    for name, make in tables.items():
        begin = f"<!-- {name}: {MADE_FROM} -->"
        if begin not in text:
            raise Mistake(f"docs/reference/protocol.md has no line {begin}")
        before, rest = text.split(begin, 1)
        text = before + "\n".join([begin, "", *make(description)]).rstrip() + "\n\n<!-- end -->" + rest.split("<!-- end -->", 1)[1]
    return text


# ---- the command -----------------------------------------------------------------------------------------------------------

def main(arguments):
    root = pathlib.Path(next((word for word in arguments if word != "--check"), "."))
    bad = []
    try:
        description = read(root)
        protocol = root / "docs/reference/protocol.md"
        fresh = {
            root / "app/live/messages.h": c_messages(description), root / "app/live/requests.h": c_requests(description),
            root / "web/src/messages.ts": typescript(description), protocol: page(description, protocol.read_text()),
        }
    except Mistake as mistake:
        print(mistake)
        return 1
    for path, text in fresh.items():
        if path.is_file() and path.read_text() == text:
            continue
        if "--check" in arguments:
            bad.append(f"{path}: is not what {DESCRIPTION} says; run tools/generate")
        else:
            path.write_text(text)
    print("\n".join(bad), end="\n" if bad else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
