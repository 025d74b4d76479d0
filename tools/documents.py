#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the five documents hold and how Biela makes it again: docs/documents.md, from docs/documents/*.toml.

    tools/documents.py            writes the page from the data
    tools/documents.py --check    fails when the page is not that of the data
    tools/documents.py --run      runs all commands (of $BIELA, or build/biela) and compares their numbers with those of the data
    tools/documents.py --run --short    only the rows with `short = true`, which must be a third at least
    tools/documents.py --measure NAME   runs the commands of docs/documents/NAME.toml and writes what was measured into it:
                                        read the changes before you keep them

A file has `title`, `source`, `about` (optional text) and rows, in the order of the document:

    [[row]]
    place = "Figure 4-7"        where in the document
    what = "F2x in case 1"      what is there
    run = "biela ..."           the command, or a list of them; results go to out/; the same command is run once only
    number = "out/a.csv F2x max"  what is measured, see below
    printed = 12.3              what the document says (optional)
    ours = 12.34                what was measured; for `against` a difference, as a part of the reference's range
    picture = "docs/..."        a picture of it (optional)
    exit = 4                    exit code of the last command where it is not 0 (optional)
    short = true                runs in every ./test (optional)
    note = "..."                one sentence (optional)
    reason = "..."              instead of run and number: why there is nothing

`number` is `FILE CHANNEL WHAT`, WHAT one of first, last, max, min, largest, amplitude, `at T`, `against FILE [CHANNEL]`,
each with `from T` and `to T` behind it; or `says REGEX`: the group of it in what the commands print.
"""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

root = pathlib.Path(__file__).resolve().parent.parent
folder = root / "docs" / "documents"
page = root / "docs" / "documents.md"
mark = "<!-- made by tools/documents.py from docs/documents -->"
keys = {"place", "what", "run", "number", "printed", "ours", "picture", "exit", "short", "note", "reason"}
value_tolerance = 1e-3  # of a number: the page shows four digits
drift = 0.25  # a measured difference may differ by this part from the page's
floor = 1e-9  # differences below this part of the range are rounding


def fail(text):
    sys.exit(f"documents.py: {text}")


def read(name):
    """The document of docs/documents/NAME.toml, its rows checked."""
    path = folder / f"{name}.toml"
    with open(path, "rb") as file:
        document = tomllib.load(file)
    for row in document.get("row", []):
        where = f"{path.name}, {row.get('place', '?')}"
        unknown = set(row) - keys
        if unknown:
            fail(f"{where}: unknown key {', '.join(sorted(unknown))}")
        if "place" not in row or "what" not in row:
            fail(f"{where}: a row has place and what")
        if ("run" in row) == ("reason" in row):
            fail(f"{where}: a row has either run or reason")
        if ("number" in row) != ("ours" in row):
            fail(f"{where}: number and ours belong together")
        if "run" in row and "number" not in row and "picture" not in row and "note" not in row:
            fail(f"{where}: nothing is measured; say with note what the command shows")
    writers = {}
    for command in {command for row in document.get("row", []) for command in commands_of(row)}:
        for file in re.findall(r"--out (\S+)", command):
            if writers.setdefault(file, command) != command:
                fail(f"{path.name}: two commands write {file}:\n  {command}\n  {writers[file]}")
    return document


def names():
    return sorted(path.stem for path in folder.glob("*.toml"))


def commands_of(row):
    run = row.get("run", [])
    return [run] if isinstance(run, str) else run


# ---- measuring -------------------------------------------------------------------------------------------------


class Bench:
    """A folder in which commands run as they stand; each is run once."""

    def __init__(self):
        self.biela = os.environ.get("BIELA") or root / "build" / "biela"
        self.keep = tempfile.TemporaryDirectory()
        self.work = pathlib.Path(self.keep.name)
        (self.work / "out").mkdir()
        (self.work / "bin").mkdir()
        (self.work / "bin" / "biela").symlink_to(pathlib.Path(self.biela).resolve())
        for name in ("models", "docs", "examples", "tests", "tools"):
            (self.work / name).symlink_to(root / name)
        self.done = {}

    def run(self, command):
        """(exit code, what it printed)."""
        if command not in self.done:
            environment = dict(os.environ, PATH=f"{self.work / 'bin'}:{os.environ['PATH']}")
            got = subprocess.run(["bash", "-c", command], cwd=self.work, env=environment, text=True, timeout=1200,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            self.done[command] = (got.returncode, got.stdout)
        return self.done[command]

    def column(self, file, channel):
        with open(self.work / file, encoding="utf-8") as lines:
            rows = list(csv.reader(line for line in lines if line.strip() and not line.startswith("#")))
        head = [name.strip() for name in rows[0]]
        if channel not in head:
            raise ValueError(f"{file} has no column '{channel}'")
        k = head.index(channel)
        return [(float(row[0]), float(row[k])) for row in rows[1:] if row[k].strip()]


def value_at(points, t):
    for (t0, y0), (t1, y1) in zip(points, points[1:]):
        if t0 <= t <= t1:
            return y0 if t1 == t0 else y0 + (y1 - y0) * (t - t0) / (t1 - t0)
    raise ValueError(f"no row at t = {t}")


def against(bench, points, words):
    """Largest difference over the common times, as a part of the reference's range."""
    other = bench.column(words[0], words[1])
    span = [y for t, y in other if points[0][0] - 1e-9 <= t <= points[-1][0] + 1e-9]
    extent = max(span) - min(span)
    worst, k = 0.0, 0
    for t, y in other:
        if not points[0][0] - 1e-9 <= t <= points[-1][0] + 1e-9:
            continue
        t = min(max(t, points[0][0]), points[-1][0])
        while k + 2 < len(points) and points[k + 1][0] < t:
            k += 1
        while k > 0 and points[k][0] > t:
            k -= 1
        worst = max(worst, abs(value_at(points[k:k + 2], t) - y))
    return worst / extent if extent > 0 else worst


def measure(bench, row, printed):
    """The number of a row whose commands have run."""
    words = row["number"].split()
    if words[0] == "says":
        pattern = row["number"].split(" ", 1)[1]
        found = re.search(pattern, printed, re.MULTILINE)
        if not found:
            raise ValueError(f"/{pattern}/ is not in what the command printed:\n{printed[-600:]}")
        return float(found.group(1))
    file, channel, what, rest = words[0], words[1], words[2], words[3:]
    points = bench.column(file, channel)
    low = float(rest[rest.index("from") + 1]) if "from" in rest else -math.inf
    high = float(rest[rest.index("to") + 1]) if "to" in rest else math.inf
    points = [(t, y) for t, y in points if low <= t <= high]
    values = [y for _, y in points]
    if not values:
        raise ValueError("no rows there")
    if what == "at":
        return value_at(points, float(rest[0]))
    if what == "against":
        is_other = len(rest) > 1 and rest[1] not in ("from", "to")
        return against(bench, points, [rest[0], rest[1] if is_other else channel])
    kinds = {"first": values[0], "last": values[-1], "max": max(values), "min": min(values),
             "largest": max(abs(y) for y in values), "amplitude": (max(values) - min(values)) / 2}
    if what not in kinds:
        raise ValueError(f"'{what}' is none of {', '.join(kinds)}, at T, against FILE")
    return kinds[what]


def is_difference(row):
    words = row["number"].split()
    return len(words) > 2 and words[0] != "says" and words[2] == "against"


def agrees(row, value):
    ours = float(row["ours"])
    if is_difference(row):
        return abs(value - ours) <= max(drift * ours, floor)
    return abs(value - ours) <= max(value_tolerance * abs(ours), 1e-12)


def one_row(bench, row):
    """What is wrong with a row, or nothing; and its number."""
    printed, wanted = "", row.get("exit", 0)
    commands = commands_of(row)
    for k, command in enumerate(commands):
        code, text = bench.run(command)
        printed += text
        if code != (wanted if k == len(commands) - 1 else 0):
            return f"exit code {code} of {command}\n{text[-600:]}", None
    if "picture" in row and not (root / row["picture"]).exists():
        return f"no picture {row['picture']}", None
    if "number" not in row:
        return None, None
    try:
        value = measure(bench, row, printed)
    except (ValueError, OSError, KeyError, IndexError) as problem:
        return str(problem), None
    return (None if agrees(row, value) else f"{row['number']} is {value:.6g}, the page says {row['ours']}"), value


def run_all(which):
    bad, count, short = 0, 0, 0
    for name in names():
        bench = Bench()
        for row in read(name).get("row", []):
            if "run" not in row:
                continue
            count += 1
            short += bool(row.get("short"))
            if which == "short" and not row.get("short"):
                continue
            problem, _ = one_row(bench, row)
            if problem:
                bad += 1
                print(f"FAILED: {name}, {row['place']}: {row['what']}: {problem}", flush=True)
    print(f"{count} rows with commands, {short} of them short, {bad} wrong")
    if 3 * short < count:
        print("FAILED: less than a third of the rows are short")
        bad += 1
    return 1 if bad else 0


def keep_measured(name):
    """Writes the numbers of all rows into the file, in its own words otherwise."""
    bench, path = Bench(), folder / f"{name}.toml"
    pieces = path.read_text(encoding="utf-8").split("[[row]]")
    bad = 0
    for k, row in enumerate(read(name).get("row", []), 1):
        if "run" not in row:
            continue
        problem, value = one_row(bench, row)
        print(f"{row['place']}: {row['what']}: {'' if value is None else f'{value:.6g}'} {problem or ''}", flush=True)
        if value is not None:
            text = f"{value:.1e}" if is_difference(row) else f"{value:.6g}"
            pieces[k] = re.sub(r"(?m)^ours = .*$", f"ours = {text}", pieces[k], count=1)
        bad += problem is not None and value is None
    path.write_text("[[row]]".join(pieces), encoding="utf-8")
    return 1 if bad else 0


# ---- the page --------------------------------------------------------------------------------------------------


def shown(value):
    """Four digits, without an exponent where that is readable."""
    if isinstance(value, str):
        return value
    if value == int(value):
        return str(int(value))
    digits = 3 - math.floor(math.log10(abs(value)))
    return f"{value:.4g}" if digits > 7 or digits < -3 else f"{round(value, digits):.{max(digits, 0)}f}"


def difference_of(row):
    if "number" not in row:
        return row.get("note", "")
    if is_difference(row):
        words = row["number"].split()
        text = f"{row['ours']:.1e} of its range"
        if not words[3].startswith("out/"):
            text += f" ([reference]({os.path.relpath(root / words[3], page.parent)}))"
    elif isinstance(row.get("printed"), (int, float)):
        printed, ours = float(row["printed"]), float(row["ours"])
        gap = abs(ours - printed)
        text = f"{100 * gap / abs(printed):.2g} %" if printed else f"{gap:.2g}"
    else:
        text = ""
    note = row.get("note", "")
    return f"{text}{'; ' if text and note else ''}{note}"


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table_of(row):
    what = row["what"]
    if "picture" in row:
        what = f"[{what}]({os.path.relpath(root / row['picture'], page.parent)})"
    if "reason" in row:
        return f"| {cell(row['place'])} | {cell(what)} | | | | {cell(row['reason'])} |"
    run = "<br>".join(f"`{command}`" for command in commands_of(row))
    ours = "" if "number" not in row or is_difference(row) else shown(row["ours"])
    return (f"| {cell(row['place'])} | {cell(what)} | {cell(run)} | {shown(row['printed']) if 'printed' in row else ''} | {ours} "
            f"| {cell(difference_of(row))} |")


def text_of_page():
    head = page.read_text(encoding="utf-8").split(mark)[0] if page.exists() else "# The documents\n\n"
    parts = [head + mark + "\n"]
    documents = [read(name) for name in names()]
    for document in documents:
        rows = document.get("row", [])
        made = sum("run" in row for row in rows)
        parts.append(f"\n## {document['title']}\n\n{document['source']}\n")
        if document.get("about"):
            parts.append(f"\n{document['about'].strip()}\n")
        parts.append(f"\n{made} rows made again, {len(rows) - made} with a reason.\n\n"
                     "| where | what | command | document | Biela | difference, or the reason |\n|---|---|---|---|---|---|\n")
        parts.append("".join(table_of(row) + "\n" for row in rows))
    return "".join(parts)


def main():
    words = sys.argv[1:]
    if "--run" in words:
        return run_all("short" if "--short" in words else "all")
    if "--measure" in words:
        return keep_measured(words[words.index("--measure") + 1])
    text = text_of_page()
    if "--check" in words:
        if page.read_text(encoding="utf-8") != text:
            fail("docs/documents.md is not that of docs/documents: run tools/documents.py")
        return 0
    page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
