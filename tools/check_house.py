#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fail when the house has outgrown its map.

usage: check_house.py [ROOT]

Every folder of src, app and web holds at most 30 files; no two C files of src bear one name; every folder with sources
has a README, in itself or above, that names each of them; ARCHITECTURE.md names every room of tools/LAYERS; no source or test is
longer than 600 lines and no function of a source longer than 70; what is inside a stepper is named in its room only. Every violation
is printed as file: reason; the exit code is 1 when there is one."""
import collections
import pathlib
import re
import sys

FILES_MOST, LINES_MOST, FUNCTION_MOST = 30, 600, 70
# a function begins with a name at the margin and a brace alone on the next line, and ends with one at the margin
BEGINS = re.compile(r"^[A-Za-z_].*\)\s*$")


def folders(root):
    """Folders of src, app and web that hold sources or pages."""
    for top in ("src", "app", "web/src", "web/static", "web/test"):
        base = root / top
        if base.is_dir():
            yield from (path for path in [base, *sorted(base.rglob("*"))] if path.is_dir())


def sources(root, *tops):
    for top in tops:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".c", ".h"):
                yield path


def crowded(root):
    for folder in folders(root):
        count = sum(1 for path in folder.iterdir() if path.is_file())
        if count > FILES_MOST:
            yield folder, f"{count} files; at most {FILES_MOST}: give some a drawer of their own"


def twins(root):
    where = collections.defaultdict(list)
    for path in sources(root, "src"):
        if path.suffix == ".c":
            where[path.name].append(path)
    for paths in where.values():
        for path in paths[1:]:
            yield path, f"bears the name of {paths[0].relative_to(root)}"


def names_in(readme):
    """What a README names in code: `joint_tree`, `joint_tree.c`, `mesh/beam`, `fe_*`."""
    words = set()
    for code in re.findall(r"`([^`\n]+)`", readme.read_text()):
        for word in re.split(r"[\s,]+", code):
            words.add(re.sub(r"\.(c|h)$", "", word.rsplit("/", 1)[-1]))
    return words


def is_named(stem, words):
    return stem in words or any(word.endswith("*") and stem.startswith(word[:-1]) and len(word) > 3 for word in words)


def unnamed(root):
    for path in sources(root, "src", "app"):
        words, has_any = set(), False
        for folder in path.parents:
            if (folder / "README.md").is_file() and folder != root:
                words |= names_in(folder / "README.md")
                has_any = True
            if folder.parent == root:
                break
        if not has_any:
            yield path, "no README above it"
        elif not is_named(path.stem, words):
            yield path, "is not in the README of its room"


def behind_the_door(root):
    """Others ask a stepper (integrate/stepper.h); its inside is its own."""
    for path in sources(root, "src", "app"):
        if path.parent != root / "src/integrate" and re.search(r"(->|\.)in\.[a-z]", path.read_text()):
            yield path, "reaches into a stepper (`in.`): ask it by a function of integrate/stepper.h"


def off_the_map(root):
    text = (root / "ARCHITECTURE.md").read_text()
    for line in (root / "tools/LAYERS").read_text().splitlines():
        room = line.split("#")[0].partition(":")[0].strip()
        if room and not re.search(rf"\b{re.escape(room)}\b", text):
            yield root / "ARCHITECTURE.md", f"room {room} of tools/LAYERS is not on the map"


def long_files(root):
    for path in sources(root, "src", "app", "include", "tests"):
        count = len(path.read_text().splitlines())
        if count > LINES_MOST:
            yield path, f"{count} lines; at most {LINES_MOST}"


def long_functions(root):
    for path in sources(root, "src", "app", "include"):
        begin = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line == "{" and number > 1:
                begin = number
            elif line == "}" and begin:
                if number - begin + 1 > FUNCTION_MOST:
                    yield path, f"line {begin}: a function of {number - begin + 1} lines; at most {FUNCTION_MOST}"
                begin = None


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    checks = (crowded, twins, unnamed, off_the_map, long_files, long_functions, behind_the_door)
    found = [bad for check in checks for bad in check(root)]
    for path, reason in found:
        print(f"{path.relative_to(root)}: {reason}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
