#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of files in the README of each room, from the first sentence of each file.

usage: room_tables.py [--check] [ROOT]

A README of src or app with the two lines below gets a row for each source of its folder, and of folders under it that have no README
of their own. --check changes nothing and fails when a table is not the present one, or a file has no first sentence."""
import pathlib
import re
import sys

BEGIN, END = "<!-- files: written by tools/generate from their first sentences -->", "<!-- end of files -->"


def sentence_of(path):
    """The comment after the licence, up to its first full stop; "" when there is none."""
    lines = path.read_text().splitlines()[1:]
    while lines and (lines[0].startswith("#define") or lines[0].startswith("#pragma") or not lines[0].strip()):
        lines.pop(0)
    text = []
    if lines and lines[0].startswith("//"):
        while lines and lines[0].startswith("//"):
            text.append(lines.pop(0)[2:].strip())
    elif lines and lines[0].startswith("/*"):
        while lines:
            line = lines.pop(0)
            text.append(line.replace("/*", "").replace("*/", "").lstrip(" *").strip())
            if "*/" in line:
                break
    whole = re.sub(r"^[\w.]+ - ", "", " ".join(part for part in text if part))
    # not the dots of (explicit.1 .. explicit.9)
    return re.split(r"(?<=[^.\s])\.(?:\s+(?=[A-Z])|$)", whole)[0].replace("|", "\\|")


def rows_of(folder):
    """(name, sentence) of each page of a room: a .c and its .h are one."""
    pages = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".c", ".h") or any((up / "README.md").is_file() and up != folder
                                                 for up in path.parents if folder in up.parents):
            continue
        name = path.relative_to(folder).with_suffix("").as_posix()
        pages[name] = pages.get(name) or sentence_of(path)
    return sorted(pages.items())


def table_of(folder):
    rows = [f"| `{name}` | {sentence} |" for name, sentence in rows_of(folder)]
    return "\n".join([BEGIN, "", "| file | what it holds |", "|---|---|", *rows, "", END])


def main(arguments):
    check = "--check" in arguments
    arguments = [word for word in arguments if word != "--check"]
    root, bad = pathlib.Path(arguments[0] if arguments else "."), []
    for readme in sorted([*(root / "src").rglob("README.md"), *(root / "app").rglob("README.md")]):
        text = readme.read_text()
        if BEGIN not in text:
            bad.append(f"{readme}: has no table of files; write the line {BEGIN!r}, then {END!r}")
            continue
        bad += [f"{readme.parent}/{name}: has no first sentence that says what it is" for name, sentence in rows_of(readme.parent)
                if not sentence]
        before, rest = text.split(BEGIN, 1)
        fresh = before + table_of(readme.parent) + rest.split(END, 1)[1]
        if fresh != text and check:
            bad.append(f"{readme}: its table is not the present one; run tools/generate")
        elif fresh != text:
            readme.write_text(fresh)
    print("\n".join(bad), end="\n" if bad else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
