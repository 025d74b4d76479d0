#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the numbers of equations: in reading order on their pages, and cited only where they exist.

usage: check_equations.py [--renumber] [ROOT]

An equation is numbered (name.n), the name being the same for a page. Its place is the line that ends with its number, set off by two
spaces or more; an equation in running text is numbered where its home page first says its number. Pages are docs/theory/*.md and the
READMEs of rooms. The numbers of a name rise from 1 in reading order, without gap or repeat; every (name.n) in a tracked file, also
without brackets or in a range, is an equation of some page. Numbers in lists and ranges carry their name: (tyre.1 .. tyre.8).

--renumber numbers the pages anew and mends all citations; a range becomes a list where other equations come between. Ranges of bracketed
numbers, (tyre.1)-(tyre.4), that would need it are printed, to be mended by hand. Every violation is printed as file:line: reason; the
exit code is 1 when there is one."""
import pathlib
import re
import subprocess
import sys

SUFFIXES = {".md", ".c", ".h", ".ts", ".mjs", ".py", ".sh", ".yaml", ".json", ".txt"}
# what happened is not rewritten; this tool and its test speak of numbers that do not exist
SKIPPED = {"CHANGELOG.md", "tools/check_equations.py", "tools/test_check_equations.py"}
NUMBER = r"(\d+[a-z]?)(?![\w-]|\.\w)"
PLACE = re.compile(r"(\s{2,})\(([a-z][a-z0-9-]*)\." + NUMBER + r"\)\s*$")
MARK = "\0"
BRACKETED = re.compile(r"\(([a-z][a-z0-9-]*)\." + NUMBER + r"\)")


def tracked(root):
    """Text files of the tree; of a folder that git does not know, all of them."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=False)
    names = [name for name in listed.stdout.split("\0") if name]
    if not names:
        names = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*")) if path.is_file()]
    return [name for name in sorted(names) if pathlib.PurePath(name).suffix in SUFFIXES and name not in SKIPPED]


def read(root):
    """Lines of each file; what is no UTF-8, bad files of the tests, holds no equation."""
    texts = {}
    for name in tracked(root):
        try:
            texts[name] = (root / name).read_bytes().decode("utf-8").split("\n")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
    return texts


def is_page(name):
    return name.startswith("docs/theory/") or (name.startswith("src/") and name.endswith("README.md"))


def citation(names):
    """A number of one of these names, with or without brackets; not part of a path or of a longer name."""
    return re.compile(r"(?<![\w./\-])(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")\." + NUMBER)


class Equations:
    """Where each equation stands: order[name] are its numbers in reading order, home[name] its page."""

    def __init__(self, texts):
        self.texts, self.home, self.order, self.problems = texts, {}, {}, []
        places = {}
        for page in filter(is_page, texts):
            for line, text in enumerate(texts[page], 1):
                found = PLACE.search(text)
                if found:
                    self.place(places, page, line, found.group(2), found.group(3))
        self.cited = citation(self.home) if self.home else re.compile(r"(?!)()()")
        for name, page in self.home.items():
            self.read_page(name, page, places)

    def place(self, places, page, line, name, number):
        if self.home.setdefault(name, page) != page:
            self.problems.append(f"{page}:{line}: ({name}.{number}) stands on another page than the others, {self.home[name]}")
        elif (name, number) in places:
            self.problems.append(f"{page}:{line}: ({name}.{number}) stands twice, first in line {places[name, number]}")
        else:
            places[name, number] = line

    def read_page(self, name, page, places):
        """Numbers that end no line have their place where they are said first."""
        known = {number: (line, sys.maxsize) for (other, number), line in places.items() if other == name}
        for line, text in enumerate(self.texts[page], 1):
            for found in self.cited.finditer(text):
                if found.group(1) == name:
                    known.setdefault(found.group(2), (line, found.start()))
        self.order[name] = sorted(known, key=known.get)
        for k, number in enumerate(self.order[name], 1):
            if number != str(k):
                self.problems.append(f"{page}:{known[number][0]}: ({name}.{number}) should be ({name}.{k}) in reading order")
                break

    def check_citations(self):
        short = re.compile(self.cited.pattern + r"\)?(?:,? (?:and|to|or|\.\.)|,) (\d+[a-z]?)(?= of |\))")
        for path, lines in self.texts.items():
            for line, text in enumerate(lines, 1):
                for name, number in dict.fromkeys(self.cited.findall(text) + BRACKETED.findall(text)):
                    if number not in self.order.get(name, ()):
                        self.problems.append(f"{path}:{line}: there is no equation ({name}.{number})")
                for found in short.finditer(text):
                    self.problems.append(f"{path}:{line}: '{found.group(0)}': each number carries its name")

    def renumbered(self):
        """New lines of all files, and complaints about ranges that cannot be written anew."""
        new = {name: {number: str(k) for k, number in enumerate(order, 1)} for name, order in self.order.items()}
        plain = re.compile(self.cited.pattern + r"( ?(?:\.\.|to|-) ?)\1\." + NUMBER)
        bracketed = re.compile(self.cited.pattern + r"\) ?(?:\.\.|to|-) ?\(\1\." + NUMBER)
        out, complaints = {}, []
        for path, lines in self.texts.items():
            out[path] = [self.renumber_line(new, plain, text) for text in lines]
            for line, text in enumerate(lines, 1):
                for name, first, last in bracketed.findall(text):
                    if runs(new[name], first, last) != [(new[name].get(first), new[name].get(last))]:
                        complaints.append(f"{path}:{line}: the range ({name}.{first}) to ({name}.{last}) holds other equations now")
        return out, complaints

    def renumber_line(self, new, plain, text):
        # a range is set aside with marks that are no citations, so that its ends are not renumbered twice
        mended = plain.sub(lambda m: self.renumber_range(new[m.group(1)], *m.groups()), text)
        mended = self.cited.sub(lambda m: f"{m.group(1)}.{new[m.group(1)].get(m.group(2), m.group(2))}", mended)
        mended = mended.replace(MARK, "")
        found = PLACE.search(mended)
        if not found:
            return mended
        # the number at the end of the line keeps its column
        at, room = found.start(1), len(found.group(1)) + len(text) - len(mended)
        return mended[:at] + " " * max(room, 2) + mended[found.end(1):]

    @staticmethod
    def renumber_range(new, name, first, between, last):
        """The same equations under their new numbers: a range, or a list of ranges and numbers where others came between."""
        parts, found = [], runs(new, first, last) or [(first, last)]
        for low, high in found:
            if len(found) > 1 and int(high) - int(low) == 1:
                parts += [f"{name}{MARK}.{low}", f"{name}{MARK}.{high}"]
            else:
                parts.append(f"{name}{MARK}.{low}" + (f"{between}{name}{MARK}.{high}" if low != high else ""))
        return ", ".join(parts)


def runs(new, first, last):
    """(lowest, highest) of each unbroken run of the new numbers of first .. last; none when an end does not exist."""
    def key(number):
        return int(re.match(r"\d+", number).group()), number
    if first not in new or last not in new:
        return []
    inside = sorted(int(new[number]) for number in new if key(first) <= key(number) <= key(last))
    out = []
    for number in inside:
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return [(str(low), str(high)) for low, high in out]


def main():
    arguments = sys.argv[1:]
    wants_new = "--renumber" in arguments
    folders = [name for name in arguments if name != "--renumber"]
    root = pathlib.Path(folders[0] if folders else ".").resolve()
    texts = read(root)
    equations = Equations(texts)
    if wants_new:
        lines, problems = equations.renumbered()
        for name in texts:
            if lines[name] != texts[name]:
                (root / name).write_bytes("\n".join(lines[name]).encode("utf-8"))
    else:
        equations.check_citations()
        problems = equations.problems
    print("\n".join(problems))
    print(f"{sum(map(len, equations.order.values()))} equations of {len(equations.home)} names, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
