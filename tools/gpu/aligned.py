#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers are read and written as a whole, in the code for GPUs, as text of LLVM.

usage: aligned.py IN.ll OUT.ll

Where LLVM inlines a function that takes a struct by value it copies it without knowing that its numbers lie at multiples of their size, and
a GPU would read each of them byte by byte: half of all instructions of a step. In this engine they all lie so; one that did not would stop
the device, not change a bit."""
import re
import sys

NATURAL = {"double": 8, "i64": 8, "ptr": 8, "float": 4, "i32": 4, "i16": 2}
ACCESS = re.compile(r"^(\s*(?:%\S+ = load|store) (double|i64|ptr|float|i32|i16)[ ,].*, align )1\b")


def main():
    with open(sys.argv[1]) as f, open(sys.argv[2], "w") as out:
        for line in f:
            found = ACCESS.match(line)
            out.write(f"{found.group(1)}{NATURAL[found.group(2)]}{line[found.end():]}" if found else line)


if __name__ == "__main__":
    main()
