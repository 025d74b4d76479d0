# SPDX-License-Identifier: MIT
"""How the matrix runs the command and judges what it left: shared by runs.py and commands.py."""
import collections
import concurrent.futures
import contextlib
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

BIELA = os.environ["BIELA"]
LIMIT = float(os.environ.get("MATRIX_LIMIT", "300"))  # s; the longest takes a few: only what hangs is cut
SLOW = 5  # s; such cases are named, for whoever wants the matrix shorter
# 0 done, 1 the machine refused, 2 bad usage, 3 numerical failure, 4 judged bad
DOCUMENTED = range(5)
# a sanitizer ends with a code of its own, so that it is not taken for a refusal
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:exitcode=99", UBSAN_OPTIONS="print_stacktrace=1:exitcode=99")
REPORT = re.compile(r"Sanitizer|runtime error:|assertion|Assertion")

Done = collections.namedtuple("Done", "code stdout stderr faults")
codes = collections.Counter()
faulty = 0


def judge(command, code, stdout, stderr):
    """What is wrong with how a command ended."""
    if code < 0:
        return [f"ended by signal {-code}"]
    found = REPORT.search(stderr)
    if found or code == 99:
        return ["a report of a sanitizer, or an assertion"]
    if code not in DOCUMENTED:
        return [f"exit code {code}, which is not documented"]
    if code != 0 and not stderr.strip():
        return [f"exit code {code} without a message"]
    return []


def biela(command):
    """Runs it to its end."""
    try:
        done = subprocess.run([BIELA] + command, stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return Done(None, "", "", [f"not ended after {LIMIT} s"])
    stdout, stderr = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    return Done(done.returncode, stdout, stderr, judge(command, done.returncode, stdout, stderr))


def judge_table(path, code):
    """A CSV file is whole: each row has all columns, each number is one."""
    with open(path, newline="") as file:
        text = file.read()
    if not text.endswith("\n"):
        return [f"{os.path.basename(path)}: the last row is cut"]
    rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            return [f"{os.path.basename(path)}:{number}: {len(row)} values under {len(rows[0])} names"]
        for name, value in zip(rows[0], row):
            if code in (0, 4) and re.fullmatch(r"[-+]?(nan|inf).*", value, re.I):
                return [f"{os.path.basename(path)}:{number}: {name} is {value}, and the exit code {code}"]
    return []


def judge_files(place, code):
    """What a command left behind is whole."""
    faults = []
    for folder, _, names in os.walk(place):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith((".part", ".tmp")):
                faults.append(f"{name} is left")
            elif os.path.getsize(path) == 0:
                faults.append(f"{name} is empty")
            elif name.endswith(".csv"):
                faults += judge_table(path, code)
    return faults


def judge_run(command, place, result):
    """A command that writes a result: it is there when the command is content, and is not when the command was refused."""
    start = time.monotonic()
    done = biela(command)
    took = time.monotonic() - start
    faults = done.faults or judge_files(place, done.code)
    if not faults and done.code in (0, 4) and not os.path.exists(result):
        faults = [f"exit code {done.code} without {os.path.basename(result)}"]
    if not faults and done.code == 2 and os.path.exists(result):
        faults = [f"refused, yet {os.path.basename(result)} is there"]
    codes[done.code] += 1
    if took > SLOW:
        print(f"{took:.1f} s: biela {' '.join(command)}", flush=True)
    return [f"{fault}: biela {' '.join(command)}\n{done.stderr[-3000:]}" for fault in faults]


@contextlib.contextmanager
def workplace():
    place = tempfile.mkdtemp(prefix="biela-matrix-")
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def listed_models():
    return sorted(entry["model"] for entry in json.loads(biela(["list", "--json"]).stdout))


def each(what, action, things):
    """action(thing) for all, two at a time. It gives a list of faults, which are told, or else something that is kept."""
    global faulty
    kept = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=int(os.environ.get("MATRIX_JOBS", "2"))) as pool:
        for thing, result in zip(things, pool.map(action, things)):
            if isinstance(result, list):
                for fault in result:
                    print(f"FAILED: {what} {thing}: {fault}", flush=True)
                faulty += len(result)
            else:
                kept.append(result)
    return kept


def end():
    assert codes[0] > 0 and not math.isnan(sum(codes.values())), "nothing ran"
    print(", ".join(f"{count} x exit code {code}" for code, count in sorted(codes.items(), key=str)) + f"; {faulty} faults")
    sys.exit(faulty > 0)
