#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fail when a file includes what tools/LAYERS does not allow.

usage: check_layers.py LAYERS SRC_DIR [APP_DIR]

Own headers are included as "folder/file.h", public ones as <biela/file.h>. Every violation is printed as
file:line: reason; the exit code is 1 when there is one."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\b\s*(.*)$')
QUOTED = re.compile(r'"([^"]*)"')
ANGLED = re.compile(r'<([^>]*)>')
SOURCES = {".c", ".h", ".inc", ".def"}
PUBLIC = "public"
APP = "app"


def read_layers(path):
    """The folders in order, each with the set of folders it may include."""
    allowed = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        folder, colon, below = (word.strip() for word in line.partition(":"))
        if not colon or not folder:
            sys.exit(f"{path}:{number}: expected 'folder: folders it may include'")
        if folder in allowed:
            sys.exit(f"{path}:{number}: {folder} is listed twice")
        unknown = set(below.split()) - set(allowed) - {PUBLIC}
        if unknown:
            sys.exit(f"{path}:{number}: {folder} names {sorted(unknown)}, not listed above it")
        allowed[folder] = set(below.split())
    return allowed


def room_of(path, allowed):
    """The room that a folder, as "laws/tyre" or "flex/mesh", belongs to: the longest listed start of its path, or None."""
    parts = path.split("/")
    for n in range(len(parts), 0, -1):
        if "/".join(parts[:n]) in allowed:
            return "/".join(parts[:n])
    return None


def why_path_is_bad(target):
    """What is wrong with the spelling of an include, or None."""
    parts = target.split("/")
    if ".." in parts or "." in parts or target.startswith("/"):
        return "climbs through the tree; write \"folder/file.h\""
    return None


def why_angled_is_bad(target, folder, allowed):
    """<...> is for public headers and for those of other libraries."""
    first, slash, rest = target.partition("/")
    if first == "biela":
        if why_path_is_bad(target):
            return why_path_is_bad(target)
        room = rest.removesuffix(".h")
        above_glass = PUBLIC in allowed.get(room, ())
        if above_glass and PUBLIC not in allowed[folder]:
            return f"{folder} may not include <{target}>: {room} stands above it"
        return None
    if slash and first in allowed:
        return f"own headers are included as \"{target}\", with quotes"
    return why_path_is_bad(target) if ".." in target.split("/") else None


def why_quoted_is_bad(target, folder, allowed, own):
    """"..." is for headers of the folder itself and of those below it."""
    if why_path_is_bad(target):
        return why_path_is_bad(target)
    first, slash, _ = target.partition("/")
    if not slash:
        return f"\"{target}\" has no folder; write \"folder/{target}\""
    if first == "biela":
        return f"public headers are included as <{target}>"
    if target.endswith(".c"):
        return f"\"{target}\" is a source; what two files share is a header"
    room = room_of(target.rpartition("/")[0], allowed) or first
    if first in own or room == folder or room in allowed[folder]:
        return None
    if room not in allowed:
        return f"{folder} includes \"{target}\", and {first} is not in LAYERS"
    return f"{folder} may not include {room}"


def check_file(file, folder, allowed, own):
    """All violations of one file, as (line, reason)."""
    found = []
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        if quoted := QUOTED.match(match[1]):
            reason = why_quoted_is_bad(quoted[1], folder, allowed, own)
        elif angled := ANGLED.match(match[1]):
            reason = why_angled_is_bad(angled[1], folder, allowed)
        else:
            reason = "an include must name its file"
        if reason:
            found.append((number, reason))
    return found


def is_source(path):
    return path.is_file() and path.suffix in SOURCES


def sources_of(folder):
    return sorted(path for path in folder.rglob("*") if is_source(path))


def check_src(src, allowed):
    """Each file of src/ against the line of its room in LAYERS."""
    found = []
    for file in sources_of(src):
        folder = file.parent.relative_to(src).as_posix()
        room = room_of(folder, allowed)
        if folder == ".":
            found.append((file, 1, "lies directly in src; every file belongs to a folder"))
        elif room is None or room == APP:
            found.append((file, 1, f"{folder} is not in LAYERS"))
        else:
            found += [(file, *bad) for bad in check_file(file, room, allowed, set())]
    return found


def check_app(app, allowed):
    """app/: public headers, and those of the folders of app/ itself."""
    found = []
    own = {entry.name for entry in app.iterdir() if entry.is_dir()}
    for file in sources_of(app):
        if file.parent == app:
            found.append((file, 1, "lies directly in app; every file belongs to a folder"))
        found += [(file, *bad) for bad in check_file(file, APP, allowed, own)]
    for shadow in sorted(own & set(allowed)):
        found.append((app / shadow, 1, f"{shadow} is also a folder of src"))
    return found


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    allowed = read_layers(pathlib.Path(arguments[0]))
    found = []
    for directory, check in zip(arguments[1:], (check_src, check_app)):
        directory = pathlib.Path(directory)
        if directory.is_dir():
            found += check(directory, allowed)
    for file, number, reason in found:
        print(f"{file}:{number}: {reason}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
