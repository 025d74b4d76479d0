# SPDX-License-Identifier: MIT
"""Put the gaps that the equivalence tests measured into a page: the output of both tests | gap_table.py docs/results.md"""
import re
import sys

HEAD = "| model | run | step | length | gap | at half the step | channel |\n|---|---|---|---|---|---|---|\n"
REASONS = "| model | run | compared otherwise because |\n|---|---|---|\n"
DEFAULT = re.compile(r"measured gap (\S+) dt=(\S+) time=(\S+) natural-joint=(\S+) half=(\S+) worst=(\S*)")
NAMED = re.compile(r"measured run (\S+) (\S+) dt=(\S+) time=(\S+) gap=(\S+) half=(\S+) worst=(\S*)(?: because (.*?))?(?: BAD)?$")


def number(text):
    """Two digits: 3.4e-7; nothing where nothing was measured."""
    if float(text) == 0.0:
        return ""
    digits, exponent = f"{float(text):.1e}".split("e")
    return f"{digits}e{int(exponent)}"


def replaced(text, head, rows):
    """The rows below a head are these."""
    start = end = text.index(head) + len(head)
    while text.startswith("|", end):
        end = text.index("\n", end) + 1
    return text[:start] + rows + text[end:]


def main():
    found, reasons = [], ""
    for line in sys.stdin:
        default, named = DEFAULT.search(line), NAMED.search(line.rstrip("\n"))
        if default:
            model, *numbers = default.groups()
            found.append((model, "", "default", *numbers))
        elif named:
            model, run, *numbers, why = named.groups()
            found.append((model, run, run, *numbers))
            reasons += f"| {model} | {run} | {why} |\n" if why else ""
    if not any(run for _, run, *_ in found) or all(run for _, run, *_ in found):
        sys.exit("gap_table.py: one of the tests measured nothing")
    # each model's default first, then its runs in their order
    found.sort(key=lambda row: (row[0], row[1] != ""))
    rows = ""
    for model, _, run, dt, time, gap, half, channel in found:
        rows += (f"| {model} | {run} | {float(dt) * 1e3:g} ms | {float(time):g} s | {number(gap)} | {number(half)} |"
                 f" {channel.replace('|', ' ')} |\n")
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(replaced(replaced(text, HEAD, rows), REASONS, reasons))


main()
