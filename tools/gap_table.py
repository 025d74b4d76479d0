# SPDX-License-Identifier: MIT
"""Put the gaps that the equivalence test measured into the README: test_equivalence_formulations | gap_table.py README.md"""
import re
import sys

HEAD = "| model | step | gap | at half the step |\n|---|---|---|---|\n"
LINE = re.compile(r"measured gap (\S+) dt=(\S+) natural-joint=(\S+) half=(\S+)")


def number(text):
    """Two digits: 3.4e-7."""
    digits, exponent = f"{float(text):.1e}".split("e")
    return f"{digits}e{int(exponent)}"


def main():
    rows = ""
    for line in sys.stdin:
        found = LINE.search(line)
        if found:
            name, dt, gap, half = found.groups()
            rows += f"| {name} | {float(dt) * 1e3:g} ms | {number(gap)} | {number(half)} |\n"
    if not rows:
        sys.exit("gap_table.py: the test measured nothing")
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    start = text.index(HEAD) + len(HEAD)
    end = text.index("\n\n", start) + 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:start] + rows + text[end:])


main()
