#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Leave of the engine, linked as text of LLVM, what a step on a GPU needs.

usage: prune.py IN.ll OUT.ll NAMES

Tables of kinds lose their members for compiling, so that only what a step reaches is kept afterwards. NAMES is a file with functions,
one a line, that stop the device when they are called: contacts that the host refuses to send there (src/gpu/layout.c). Words for failures
are not written. Functions that begin with biela_ become entries."""
import re
import sys

# members of tables that are for compiling: struct -> numbers of members
COMPILING = {
    "bi_kind": tuple(range(16)),
    "law_kind": (2,),
    "signal_kind": (2,),
    "coordinates_set": (0, 1, 2, 3, 4, 5, 22, 23, 24),
    "solver_kind": (0, 1, 2, 5, 6, 7, 8),
}
# kinds that call the calling program
OF_CALLERS = ("@user_law_kind ", "@user_kind ", "@user_force_kind ")
TABLE = re.compile(r"^(@[\w.]+ = .*constant %struct\.(\w+)) \{ (.*) \}(, align \d+)$")
PRINTS = re.compile(r"(%\S+ = )(?:tail )?call i32 \(.*\.\.\.\) @\w*printf\(.*")
# copies of a known size, in whole words: the compiler moves them as numbers, which a call would do through memory
COPIES = re.compile(r"^(\s*)(%\S+) = (?:tail )?call ptr @memcpy\(ptr noundef (\S+), ptr noundef (\S+), i64 noundef (\d+)\).*$")
CLEARS = re.compile(r"^(\s*)(%\S+) = (?:tail )?call ptr @memset\(ptr noundef (\S+), i32 noundef 0, i64 noundef (\d+)\).*$")
WORD, MOST = 8, 128  # bytes; beyond, the compiler would copy byte by byte
BEGIN = re.compile(r"^define .*@([\w.]+)\(")
DEBUG = re.compile(r" !dbg !\d+")


def members(text):
    """What stands between the commas of the outermost level."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += letter in "{[(<"
        depth -= letter in "}])>"
        if letter == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return parts + [current.strip()]


def table(line):
    """A line of a table without its members for compiling."""
    if line.startswith(OF_CALLERS):
        return re.sub(r"ptr @[\w.]+", "ptr null", line)
    found = TABLE.match(line)
    if not found or found.group(2) not in COMPILING:
        return line
    parts = members(found.group(3))
    for k in COMPILING[found.group(2)]:
        if k < len(parts) and parts[k].startswith("ptr "):
            parts[k] = "ptr null"
    return f"{found.group(1)} {{ {', '.join(parts)} }}{found.group(4)}\n"


def whole_words(line):
    """A call that copies or clears a few whole words as what the compiler knows; its result, which is its first argument, stays."""
    found = COPIES.match(line)
    if found and int(found.group(5)) % WORD == 0 and int(found.group(5)) <= MOST:
        space, name, to, source, size = found.groups()
        return (f"{space}{name} = getelementptr i8, ptr {to}, i64 0\n"
                f"{space}call void @llvm.memcpy.p0.p0.i64(ptr align 8 {to}, ptr align 8 {source}, i64 {size}, i1 false)\n")
    found = CLEARS.match(line)
    if found and int(found.group(4)) % WORD == 0 and int(found.group(4)) <= MOST:
        space, name, to, size = found.groups()
        return (f"{space}{name} = getelementptr i8, ptr {to}, i64 0\n"
                f"{space}call void @llvm.memset.p0.i64(ptr align 8 {to}, i8 0, i64 {size}, i1 false)\n")
    return line


def main():
    source, target, names = sys.argv[1:4]
    with open(names) as f:
        stopping = set(f.read().split())
    entries, is_left_out = [], False
    with open(source) as f, open(target, "w") as out:
        for line in f:
            if is_left_out:
                is_left_out = not line.startswith("}")
                continue
            line = whole_words(PRINTS.sub(r"\1add i32 0, 0", table(line)))
            begins = BEGIN.match(line)
            if begins and begins.group(1) in stopping:
                out.write(DEBUG.sub("", line.rstrip()) + "\n  call void @llvm.trap()\n  unreachable\n}\n")
                is_left_out = True
                continue
            if begins and begins.group(1).startswith("biela_"):
                entries.append(begins.group(1))
            out.write(line)
        out.write("declare void @llvm.trap()\n")
        first = 900000  # above the numbers that LLVM gave
        for k, name in enumerate(entries):
            out.write(f'!{first + k} = !{{ptr @{name}, !"kernel", i32 1}}\n')
        out.write("!nvvm.annotations = !{" + ", ".join(f"!{first + k}" for k in range(len(entries))) + "}\n")
    print(",".join(entries))


if __name__ == "__main__":
    main()
