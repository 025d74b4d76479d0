#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns a page of the documentation into a shell script that does what the page says: guide_script.py PAGE.md

Fenced blocks: `sh` is run, every command must succeed; `sh fails` must fail; `sh slow` is not run here: it sets the
machine up or takes minutes; a block whose tag ends in a file name is written to that file, with `>>` before the name it
is added; `yaml fragment FILE` is a part of a model, which FILE (of tests/docs) makes whole, and must be a good one; a
.yaml file must be a good model; `text` is output or mathematics and not run. Anything else is an error, so that no
listing goes untested.
"""
import re
import sys


def blocks(path):
    """(line, tag, text) of every fenced block; complains about listings without a fence."""
    tag, start, text, before = None, 0, [], ""
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if tag is None and line.startswith("```"):
            tag, start, text = line[3:].strip(), number, []
        elif tag is not None and line.startswith("```"):
            yield start, tag, "\n".join(text) + "\n"
            tag = None
        elif tag is not None:
            text.append(line)
        elif line.startswith("    ") and not before.strip():
            sys.exit(f"{path}:{number}: a listing without a fence is not tested")
        before = line
    if tag is not None:
        sys.exit(f"{path}:{start}: a fence is not closed")


def main():
    path = sys.argv[1]
    print("set -euo pipefail")
    for line, tag, text in blocks(path):
        words = tag.split()
        print(f"\n# {path}:{line}\necho '== {path}:{line}' >&2")
        if words == ["sh"]:
            print(text)
        elif words == ["sh", "fails"]:
            print(f"if (\n{text}); then echo '{path}:{line}: this should have failed' >&2; exit 1; fi")
        elif words in (["text"], ["sh", "slow"]):
            pass
        elif words[:2] == ["yaml", "fragment"] and len(words) == 3:
            print(f"{{ cat '{words[2]}' && cat <<'END_OF_LISTING'\n{text}END_OF_LISTING\n}} >whole.yaml\nbiela check whole.yaml")
        elif words and re.search(r"[./]", words[-1]):
            how = ">>" if ">>" in words else ">"
            print(f"mkdir -p \"$(dirname '{words[-1]}')\"\ncat {how}'{words[-1]}' <<'END_OF_LISTING'\n{text}END_OF_LISTING")
            if words[0] == "json":
                print(f"python3 -m json.tool '{words[-1]}' >/dev/null")
        else:
            sys.exit(f"{path}:{line}: the tag '{tag}' says neither how to run the block nor its file")


if __name__ == "__main__":
    main()
