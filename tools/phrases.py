#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Words of the live page for the program: what the report of a drive says in Spanish.

usage: phrases.py [--check] [ROOT]

Writes app/report/spoken_words.h from web/src/ui/phrases.ts, parts.ts and language.ts, so that each text is translated once. --check changes
nothing and fails when the file is not the present one."""
import json
import pathlib
import re
import sys

TARGET = "app/report/spoken_words.h"
TEXT = r'"((?:[^"\\]|\\.)*)"'
# words of language.ts that the report takes: endings of channels, gauges, inputs
WORDS = re.compile(r"^(ending_\w+|speed|height|angle|margin|gear|steer|throttle|brake|lift|tilt|lean|assist|hands|pedal|clutch|drive)$")


def block(source, name):
    """What stands between the braces of `const NAME ... = {` and `};`."""
    found = re.search(rf"const {name}\b[^=]*= {{\n(.*?)\n}}", source, re.S)
    if not found:
        raise SystemExit(f"phrases.py: no {name}")
    return found[1]


def texts(*raw):
    return tuple(json.loads(f'"{text}"') for text in raw)


def read(root):
    ui = root / "web/src/ui"
    phrases = [texts(quoted or bare, value) for quoted, bare, value in re.findall(rf"^    (?:{TEXT}|(\w+)):\s*{TEXT},$", block((ui / "phrases.ts").read_text(), "PHRASES"), re.M)]
    three = rf"^    (?:{TEXT}|(\w+)): \[{TEXT}, {TEXT}\],$"
    parts = [texts(quoted or bare, en, es) for quoted, bare, en, es in re.findall(three, block((ui / "parts.ts").read_text(), "PARTS"), re.M)]
    words = [texts(bare, en, es) for _, bare, en, es in re.findall(three, block((ui / "language.ts").read_text(), "WORDS"), re.M) if WORDS.match(bare)]
    return phrases, parts, words


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def table(name, comment, rows, width):
    lines = [f"// {comment}", f"static const char *const {name}[][{width}] = {{"]
    lines += ["    { " + ", ".join(map(literal, row)) + " }," for row in rows]
    return lines + ["};", ""]


def written(root):
    phrases, parts, words = read(root)
    lines = ["// SPDX-License-Identifier: MIT", "/* spoken_words.h - texts of the live page, made by tools/phrases.py from web/src/ui; change those. */", "// clang-format off", ""]
    lines += table("spoken_phrases", "judgements, advice: English, Spanish", phrases, 2)
    lines += table("spoken_parts", "of names: as written, English, Spanish", parts, 3)
    lines += table("spoken_names", "endings of channels, gauges, inputs: as written, English, Spanish", words, 3)
    return "\n".join(lines)


def main(arguments):
    rest = [word for word in arguments if word != "--check"]
    root = pathlib.Path(rest[0] if rest else pathlib.Path(__file__).resolve().parent.parent)
    target, text = root / TARGET, written(root)
    if "--check" in arguments:
        if not target.is_file() or target.read_text() != text:
            print(f"{TARGET}: not what tools/phrases.py makes of web/src/ui: run it")
            return 1
        return 0
    target.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
