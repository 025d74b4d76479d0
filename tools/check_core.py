#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fail when a step needs more than arithmetic.

usage: check_core.py BUILD [--list]

Follows what bi_sim_step can reach, function by function and through the tables of functions, in the objects of the library in BUILD
(made with -ffunction-sections). Every name that it needs from outside must be in ALLOWED, and no frame on the way may be larger than
FRAME_MOST bytes (from the .su files that gcc writes beside the objects). Prints each violation with the way to it; the exit code is 1
when there is one. --list also prints what is reached."""
import collections
import pathlib
import re
import subprocess
import sys

FRAME_MOST = 4096
ROOTS = ("bi_sim_step",)
# tables of functions, by the ending of their names: which bytes of them a step uses; those of compiling lie before
TABLES = {
    "_kind": (24, 56),
    "_signal": (24, 40),
    "_laws": (0, 16),
    "_set": (48, 1000),
    "solver_own": (16, 64),
    "solver_dense": (16, 64),
    "passes_of_this_file": (0, 1000),
    "sim_outside_here": (0, 0),  # what lies outside
    "solver_klu": (0, 0),  # of another library, and no part of images
}
# frames that are larger still: numbers with slopes in between, which the compiler keeps; none may grow, and none may come
LARGE = {"magic_eval_slopes": 15360, "answer_for": 10240}
# what any compiler may ask for, the roots and roundings that are one instruction, and the pages of a crew
ALLOWED = {"memcpy", "memset", "memmove", "memcmp", "__cpu_model", "__cpu_indicator_init"}


def objects(build):
    return sorted(pathlib.Path(build).glob("CMakeFiles/biela*.dir/src/**/*.o"))


def used(section, offset):
    """Whether a step may use this word of a table of functions."""
    for name, (low, high) in TABLES.items():
        if section.startswith(".data.rel.ro") and section.endswith(name):
            return low <= offset < high
    return True


def read(build):
    """Sections of all objects: what each defines, and which names it refers to."""
    refers = collections.defaultdict(set)  # node -> names or nodes
    defined = {}  # global name -> node
    for number, path in enumerate(objects(build)):
        dump = subprocess.run(["objdump", "-t", "-r", str(path)], capture_output=True, text=True, check=True).stdout
        local = {}
        section = None
        for line in dump.splitlines():
            found = re.match(r"^[0-9a-f]+ (.{7}) (\S+)\t[0-9a-f]+ +(?:\.hidden )?(\S+)$", line)
            if found and section is None:
                flags, where, name = found.groups()
                if where == "*UND*" or where == "*ABS*":
                    continue
                node = (number, where)
                local[name] = node
                if flags[0] in "gu!" or "w" in flags:
                    defined[name] = node
                continue
            found = re.match(r"^RELOCATION RECORDS FOR \[(\S+)\]", line)
            if found:
                section = (number, found.group(1))
                continue
            found = re.match(r"^([0-9a-f]+) R_\S+\s+(\S+?)([+-]0x[0-9a-f]+)?$", line)
            if found and section and used(section[1], int(found.group(1), 16)):
                refers[section].add((number, found.group(2), found.group(2) in local))
        for node, names in list(refers.items()):
            if node[0] == number:
                refers[node] = {local.get(n[1], n[1]) if isinstance(n, tuple) and len(n) == 3 else n for n in names}
    return refers, defined


def reach(refers, defined):
    """Nodes on the way from the roots, each with who asked for it first; and the names that nobody defines."""
    came, outside, queue = {}, {}, collections.deque()
    tables = [node for node in refers if node[1].startswith(".data.rel.ro") and node[1].endswith(tuple(TABLES))]
    for node in [defined[name] for name in ROOTS] + sorted(tables):
        came[node] = None
        queue.append(node)
    while queue:
        node = queue.popleft()
        for name in sorted(refers[node], key=str):
            to = defined.get(name) if isinstance(name, str) else name
            if to is None:
                outside.setdefault(name, node)
            elif to not in came:
                came[to] = node
                queue.append(to)
    return came, outside


def label(node, paths):
    return f"{paths[node[0]].name[:-4]}:{re.sub(r'^.text.', '', node[1])}" if node else ""


def way(node, came, paths):
    steps = []
    while node:
        steps.append(label(node, paths))
        node = came[node]
    return " < ".join(steps[:6])


def frames(paths, came):
    reached = collections.defaultdict(set)
    for number, section in came:
        reached[number].add(re.sub(r"^.text.(unlikely.|hot.|startup.|exit.)?", "", section))
    for number, names in sorted(reached.items()):
        su = paths[number].with_suffix(".su")
        for line in su.read_text().splitlines() if su.exists() else []:
            place, size, _ = line.split("\t")
            name = place.rsplit(":", 1)[-1]
            if name in names:
                yield int(size), paths[number].name[:-4], name, number


def main():
    build = sys.argv[1]
    paths = objects(build)
    refers, defined = read(build)
    came, outside = reach(refers, defined)
    bad = 0
    for name, node in sorted(outside.items()):
        if name not in ALLOWED and not name.startswith("_GLOBAL_OFFSET"):
            print(f"{name}: {way(node, came, paths)}")
            bad += 1
    for size, page, name, number in sorted(frames(paths, came), reverse=True):
        most = LARGE.get(re.sub(r"\.(avx2|part|isra|constprop|default|resolver|cold).*$", "", name), FRAME_MOST)
        if size > most:
            print(f"{page}: {name}: a frame of {size} bytes; {most} at most: take room from law_in.spare (base/spare.h)")
            bad += 1
    print(f"{len([n for n in came if '.text' in n[1]])} functions, {bad} violations")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
