#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Filter of doxygen: comments.py HEADER.h prints the header with its plain comments as those that doxygen reads.

A comment alone on its lines belongs to what follows, one behind code to that code; `---- title ----` begins a group, and the
comment at the top of a header describes the file."""
import re
import sys

TITLE = re.compile(r"^/\* ---- (.*?) -*\s*\*/$")


def main():
    has_group, is_first = False, True
    for line in open(sys.argv[1], encoding="utf-8"):
        line = line.rstrip("\n")
        title = TITLE.match(line.strip())
        if title:
            print(("/** @} */ " if has_group else "") + f"/** @name {title.group(1)} */ /** @{{ */")
            has_group = True
        elif line.lstrip().startswith("/* "):
            print(line.replace("/* ", "/** @file\n * " if is_first else "/** ", 1))
            is_first = False
        else:
            print(re.sub(r"(?<=\S)(\s+)/\* ", r"\1/**< ", line, count=1))
    if has_group:
        print("/** @} */")


main()
