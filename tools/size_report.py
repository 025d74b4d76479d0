#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the longest files and functions, so that the tail is seen. It informs, it does not forbid.

usage: size_report.py DIRECTORY...
A function starts at its signature and ends at its closing brace; both braces stand alone at column 0."""
import pathlib
import re
import sys

SHOWN = 10
NAME = re.compile(r"(\w+)\s*\(")


def functions_of(lines):
    """(length, first line, name) of every function that has its braces on lines of their own."""
    found = []
    opening = None
    for number, line in enumerate(lines):
        if line == "{":
            opening = number
        elif line == "}" and opening is not None:
            # the signature is what stands between the brace and the declaration, comment or gap before it
            start = opening
            while start > 0 and lines[start - 1].strip() and not re.search(r"^(#|//|})|[;}]$|\*/$", lines[start - 1]):
                start -= 1
            name = NAME.search(" ".join(lines[start:opening]))
            found.append((number - start + 1, start + 1, name[1] if name else "?"))
            opening = None
    return found


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main(directories):
    files, functions = [], []
    for directory in directories:
        for path in sorted(pathlib.Path(directory).rglob("*.[ch]")):
            lines = path.read_text(errors="replace").splitlines()
            files.append((len(lines), str(path)))
            functions += [(length, f"{name}  {path}:{first}") for length, first, name in functions_of(lines)]
    for title, sizes in (("files", files), ("functions", functions)):
        if not sizes:
            continue
        lengths = [length for length, _ in sizes]
        print(f"longest {title} (lines; {len(sizes)} in all, median {percentile(lengths, 0.5)}, "
              f"p90 {percentile(lengths, 0.9)}):")
        for length, where in sorted(sizes, key=lambda size: (-size[0], size[1]))[:SHOWN]:
            print(f"  {length:5d}  {where}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
