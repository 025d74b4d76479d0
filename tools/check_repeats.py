#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fail when a block of ten lines stands twice.

usage: check_repeats.py [ROOT] [--lines N]

Reads the C sources of src and app. Two blocks are the same when their lines are, whatever their comments, spaces and numbers; lines
that only open, close, include or free do not count. Every pair is printed as file:line-line: the same as file:line-line; the
exit code is 1 when there is one that is not in ALLOWED."""
import argparse
import collections
import pathlib
import re
import sys

LINES = 10
# what may stand twice, and why: (file, file) in the order of the alphabet
ALLOWED = {
    ("src/io/model/schema.c", "src/io/model/schema.c"): "the JSON schema as texts: a shape and a part of a body share keys",
}

COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
NUMBER = re.compile(r"\b(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)[uUlLfF]*\b")
# says nothing by itself
THIN = re.compile(r"^(#include.*|\W*|free\(.*\);|\W*(else|break|continue|do)\W*|return (true|false|NULL|0);)$")


def without_comments(text):
    """The text, each comment replaced by its line ends, so that lines keep their numbers."""
    return COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else "\n" * m[0].count("\n"), text)


def lines_of(path):
    """(number, line) of each line that says something."""
    for number, line in enumerate(without_comments(path.read_text()).split("\n"), 1):
        line = NUMBER.sub("0", re.sub(r"\s+", " ", line.rstrip("\\")).strip())
        if not THIN.match(line):
            yield number, line


def repeats(files, count):
    """Pairs of blocks (file, first, last) of `count` lines or more, each as long as it goes."""
    places = collections.defaultdict(list)
    for name, lines in files.items():
        for k in range(len(lines) - count + 1):
            places[tuple(line for _, line in lines[k : k + count])].append((name, k))
    pairs = set()
    for where in places.values():
        for i, a in enumerate(where):
            pairs.update((a, b) for b in where[i + 1 :] if a[0] != b[0] or b[1] >= a[1] + count)
    for (one, i), (other, j) in sorted(pairs):
        if ((one, i - 1), (other, j - 1)) in pairs:
            continue
        length = count
        while ((one, i + length - count + 1), (other, j + length - count + 1)) in pairs:
            length += 1
        a, b = files[one], files[other]
        yield (one, a[i][0], a[i + length - 1][0]), (other, b[j][0], b[j + length - 1][0])


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?", default=".")
    parser.add_argument("--lines", type=int, default=LINES)
    given = parser.parse_args(arguments)
    root = pathlib.Path(given.root).resolve()
    files = {
        str(path.relative_to(root)): list(lines_of(path))
        for top in ("src", "app")
        for path in sorted((root / top).rglob("*.[ch]"))
    }
    found = [pair for pair in repeats(files, given.lines) if (pair[0][0], pair[1][0]) not in ALLOWED]
    for (one, a, b), (other, c, d) in found:
        print(f"{one}:{a}-{b}: the same as {other}:{c}-{d}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
