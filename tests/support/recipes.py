#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what the pages "add a ..." of the guide say, in a copy of the sources: recipes.py BUILD WORK

Fenced blocks: `c FILE` is a new file; `c FILE after LINE` are lines to be put after the one line of FILE that begins with LINE. Both
are the places of a recipe. The text before such a block names FILE and LINE, too, because readers do not see the tag. All other blocks
are done by guide_script.py when the command with the new thing has been built.

Only what a recipe touches is compiled: its files, and files that go through a list or an enum that got a new line. The rest comes from
BUILD. Then each place is left out once, and the build must fail with a message that names the new thing: no silence.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

from guide_script import blocks

# page, the name that a forgotten place must be blamed by, and the most places that it may have. A command without its line is told
# by the command itself: `biela NAME` is unknown.
RECIPES = [
    ("add-a-scheme", "ralston", 2),
    ("add-a-joint", "bead", 3),
    ("add-a-command", "energy", 2),
    ("add-coordinates", "points", 2),
]


class Failure(Exception):
    pass


class Place:
    """A new file (after is None), or lines after a line of a file."""

    def __init__(self, path, after, text):
        self.path, self.after, self.text = path, after, text

    def __str__(self):
        return self.path if self.after is None else f"{self.path} after '{self.after}'"

    def apply(self, tree):
        path = os.path.join(tree, self.path)
        if self.after is None:
            if os.path.exists(path):
                raise Failure(f"{self.path} is there already")
            write(path, self.text)
            return
        lines = read(path).splitlines(keepends=True)
        found = [k for k, line in enumerate(lines) if line.strip().startswith(self.after)]
        if len(found) != 1:
            raise Failure(f"{len(found)} lines of {self.path} begin with '{self.after}', instead of one")
        write(path, "".join(lines[: found[0] + 1]) + self.text + "".join(lines[found[0] + 1 :]))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read_page(page):
    """The places of a page, and its other blocks as a page of their own."""
    places, rest, before = [], [], 0
    lines = read(page).splitlines()
    for number, tag, text in blocks(page):
        prose, before = "\n".join(lines[before : number - 1]), number + text.count("\n") + 1
        match = re.fullmatch(r"c (\S+)(?: after (.*))?", tag)
        if not match:
            rest.append(f"```{tag}\n{text}```\n")
            continue
        places.append(Place(match[1], match[2], text))
        for shown in filter(None, match.groups()):
            if f"`{shown}`" not in prose:
                raise Failure(f"{page}:{number}: the text before this block does not say `{shown}`")
    return places, "\n".join(rest)


# ---- compile ---------------------------------------------------------------------------------------------------------


def lists_of(tree, place):
    """What the new lines of a place belong to: the macro of a list, the values of an enum or of a switch."""
    text = read(os.path.join(tree, place.path))
    head = text[: text.index(place.after)]
    macro = re.findall(r"#define (\w+_LIST)\(X\)", head)
    if place.text.lstrip().startswith("X(") and macro:
        return {macro[-1]}
    opening = head.rfind("typedef enum {")
    values = re.findall(r"^ *(BI_\w+)", text[opening : text.index("}", opening)], re.M) if opening >= 0 else []
    return {f"case {value}:" for value in values}


def link_line(build):
    """How the command is linked, in words, told by make or ninja."""
    file = os.path.join(build, "CMakeFiles/biela_cli.dir/link.txt")
    if os.path.exists(file):
        return shlex.split(read(file))
    told = subprocess.run(["ninja", "-C", build, "-t", "commands", "biela"], check=True, stdout=subprocess.PIPE, text=True).stdout
    words = shlex.split(told.splitlines()[-1])
    ends = [k for k, word in enumerate(words) if word == "&&"]  # `: && cc ... && what comes after it`
    return words[ends[0] + 1 : ends[1]] if ends else words


class Builder:
    def __init__(self, build, tree):
        self.build, self.tree, self.root = build, tree, os.getcwd()
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
            # a tyre is compiled twice: the instances do not matter here
            self.command = {os.path.relpath(c["file"], self.root): c["command"] for c in json.load(file)}
        self.link_line = link_line(build)
        self.source = {path: read(path) for path in self.command if path.startswith(("src/", "app/"))}

    def touched(self, places):
        """New files, edited ones, and those that go through the lists with new lines."""
        words = set().union(*(lists_of(self.tree, p) for p in places if p.after))
        through = [path for path, text in self.source.items() if any(word in text for word in words)]
        return sorted(set(through) | {p.path for p in places if p.path.endswith(".c")})

    def object_of(self, path):
        return os.path.join(self.tree, "objects", path + ".o")

    def start_compiler(self, path, more):
        # a new file is compiled as its neighbours are
        like = path if path in self.command else next(p for p in self.command if p.split("/")[:2] == path.split("/")[:2])
        words = shlex.split(self.command[like])
        if os.path.basename(words[0]) in ("ccache", "sccache"):
            words = words[1:]
        words = words[: words.index("-o")] + words[words.index("-o") + 2 :]
        words = [w.replace(f"{self.root}/{like}", f"{self.root}/{path}") for w in words]
        words = [w.replace(f"{self.root}/", f"{self.tree}/") if "/build/" not in w else w for w in words]
        os.makedirs(os.path.dirname(self.object_of(path)), exist_ok=True)
        words += ["-o", self.object_of(path)] + more
        return subprocess.Popen(words, stderr=subprocess.PIPE, text=True)

    def compile(self, paths, more=()):
        """What the compiler says of these files, and whether it refuses one."""
        running = [self.start_compiler(path, list(more)) for path in paths if os.path.exists(os.path.join(self.tree, path))]
        said = "".join(process.communicate()[1] for process in running)
        return said, any(process.returncode != 0 for process in running)

    def link(self, paths):
        """The command of BUILD with these objects before all others; what the linker says, and whether it refuses."""
        ours = {f"CMakeFiles/biela_cli.dir/{path}.o" for path in paths}
        words = [w for w in self.link_line if w not in ours]
        words[words.index("-o") + 1] = os.path.join(self.tree, "build/biela")
        objects = [self.object_of(path) for path in paths]
        done = subprocess.run([words[0]] + objects + words[1:], cwd=self.build, stderr=subprocess.PIPE, text=True)
        return done.stderr, done.returncode != 0


class Tree:
    """A copy of the sources that is put back after each try."""

    def __init__(self, path):
        self.path = path
        os.makedirs(os.path.join(path, "build"))
        for folder in ("src", "app", "include"):
            shutil.copytree(folder, os.path.join(path, folder))

    def apply(self, places):
        for place in places:
            place.apply(self.path)

    def restore(self, places):
        for place in places:
            path = os.path.join(self.path, place.path)
            if os.path.exists(place.path):
                shutil.copy(place.path, path)
            elif os.path.exists(path):
                os.remove(path)


# ---- one recipe --------------------------------------------------------------------------------------------------------


def build_all(builder, paths, name):
    said, refused = builder.compile(paths)
    if not refused:
        said, refused = builder.link(paths)
    if refused:
        raise Failure(f"with all its places it does not build:\n{said}")
    # a switch whose `default` would swallow it
    said, _ = builder.compile(paths, ["-fsyntax-only", "-Wswitch-enum"])
    if re.search(rf"\bBI_{name}\b", said, re.I):
        raise Failure(f"a switch has no case for it:\n{said}")


def run_page(tree, page, rest):
    work = os.path.join(tree.path, "page")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.symlink(os.path.join(tree.path, "build"), os.path.join(work, "build"))
    write(os.path.join(work, "page.md"), rest)
    guide = [sys.executable, os.path.join(os.path.dirname(__file__), "guide_script.py"), os.path.join(work, "page.md")]
    script = subprocess.run(guide, check=True, stdout=subprocess.PIPE, text=True).stdout
    done = subprocess.run(["bash", "-c", script], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure(f"what {page} runs ends with {done.returncode}:\n{done.stdout[-3000:]}")


def forget(builder, tree, places, paths, forgotten, name):
    """Without one place: the compiler or the linker refuses, and says what is missing."""
    left = [p for p in places if p is not forgotten]
    tree.apply(left)
    try:
        said, refused = builder.compile(paths, ["-fsyntax-only"])
        if not refused:
            # the objects with all places are still there; only the line of a list was left out, or a file
            there = [p for p in paths if os.path.exists(os.path.join(tree.path, p))]
            builder.compile(there)
            said, refused = builder.link(there)
        if not refused and name == "energy":
            told = subprocess.run([os.path.join(tree.path, "build/biela"), name], stderr=subprocess.PIPE, text=True)
            said, refused = told.stderr, told.returncode == 2
    finally:
        tree.restore(places)
    if not refused or not re.search(name, said, re.I):
        raise Failure(f"without {forgotten} nobody complains:\n{said}")


def do_recipe(builder, tree, page, name, most):
    places, rest = read_page(page)
    if not 1 <= len(places) <= most:
        raise Failure(f"it has {len(places)} places, {most} at most")
    tree.apply(places)
    try:
        paths = builder.touched(places)
        build_all(builder, paths, name)
        run_page(tree, page, rest)
    finally:
        tree.restore(places)
    for forgotten in places:
        forget(builder, tree, places, paths, forgotten, name)


def main():
    build, work = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    tree = Tree(os.path.join(work, "tree"))
    builder = Builder(build, tree.path)
    failures = 0
    for name, thing, most in RECIPES:
        page, start = f"docs/guide/{name}.md", time.monotonic()
        try:
            do_recipe(builder, tree, page, thing, most)
            print(f"{page}: {time.monotonic() - start:.1f} s")
        except Failure as failure:
            print(f"FAILED: {page}: {failure}")
            failures += 1
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
