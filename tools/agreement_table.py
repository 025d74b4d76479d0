#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Put the errors that the tests measured into the page of results, or hold the page against them.

usage: agreement_table.py docs/results.md LOG           renew both tables
       agreement_table.py --check docs/results.md LOG   fail where the page promises more than was measured

LOG is build/Testing/Temporary/LastTest.log of a run of CTest; tests print `measured NAME error=E limit=L` and
`measured NAME ratio=R low=A high=B`."""
import re
import sys

CHOSEN = "| what | step | asked | measured |\n|---|---|---|---|\n"
ALL = "| test | comparisons | nearest to its limit | measured | limit |\n|---|---|---|---|---|\n"
ERROR = re.compile(r"^measured (.+?) error=(\S+) limit=([^\s,]+)")
RATIO = re.compile(r"^measured (.+?) ratio=(\S+) low=(\S+) high=(\S+)")
SLACK = 1.06  # two digits on the page

# test, what it measures (a pattern for the whole name), row of the page, step
ROWS = (
    ("reference.pendulum", "A01 1ms", "A01 pendulum, 10 s", "1 ms"),
    ("reference.four_bars", "A02 N=40", "A02 four-bars, N = 40, 20 s", "1 ms"),
    ("reference.four_bars", "A02 N=40 drift", "- energy drift, J", ""),
    ("reference.four_bars", "A02 N=40 parallelism", "- rods parallel, m", ""),
    ("reference.four_bars", "A02 N=40 violation", "- constraint violation, m", ""),
    ("reference.four_bars", "A02 N=40 index1-rk4 10ms", "A02, N = 40, index1-rk4", "10 ms"),
    ("reference.four_bars", "A02 N=40 index1-rk4 10ms drift", "- energy drift, J", ""),
    ("reference.andrews", "A03 crank.angle", "A03 Andrews, crank angle", "0.01 ms"),
    ("reference.andrews", "A03 F", "- point F", ""),
    ("reference.andrews", "A03 energy.balance", "- energy balance, J", ""),
    ("reference.bricard", "A04 1ms", "A04 Bricard", "1 ms"),
    ("reference.bricard", "A04 drift", "- energy drift, J", ""),
    ("reference.governor", "A05 1ms", "A05 stiff governor", "1 ms"),
    ("reference.(pendulum|four_bars|andrews|bricard|governor)", "A0. .*order.*", "error ratio when the step is halved, A01 to A05", ""),
    ("reference.guided_rod", "guided rod, .* dt=.*", "torque of a guided rod", "0.1 to 10 ms"),
    ("reference.slider_crank", "slider-crank reactions.*", "all reactions of the slider-crank", "0.1 to 10 ms"),
    ("physics.zero_inertia_axle", "axle order", "zero-inertia axle: error ratio when the step is halved", ""),
    ("reference.whipple", r"whipple\.(M|C1|K0|K2)", "benchmark bicycle (Meijaard et al. 2007): M, C1, K0, K2", ""),
    ("reference.whipple", r"whipple\.eigenvalues", "- eigenvalues at 0 to 10 m/s", ""),
    ("reference.whipple", r"whipple\.(weave|capsize)", "- weave speed 4.29238253634, capsize speed 6.02426201539 m/s", ""),
    ("reference.whipple", r"whipple\.v4p6\.joint", "- nonlinear run at 4.6 m/s", "1 ms"),
    ("reference.bicycle", r"bicycle\.(settle|coast|pedal|v3\.5|v4\.5|v7|countersteer|lean)", "bicycle on tyres, all runs of the reference, both schemes", ""),
    ("reference.top", r"top\.\w+\.(low|high)", "heavy top, limits of its nutation", "0.1 ms"),
    ("reference.coupled_pendulums", r"pendulums\.(small|large)\..*", "coupled pendulums", ""),
    ("reference.contact", "contact_.*", "friction against its reference curves, m", ""),
    ("reference.contact", "restitution of .*", "restitution of a bounce", ""),
    ("reference.rattleback", "rattleback.* turns back, s", "rattleback, with and without air: when it turns back, s", "0.1 ms"),
    ("reference.rattleback", "rattleback, default, .*, until 2 s: place, m", "- its centre of mass until 2 s, m", "0.04 ms"),
    ("physics.contact_models", "block on incline: creep, m/s", "block below its friction angle: creep, m/s", "1 ms"),
    ("physics.contact_models", "block on incline: acceleration", "- above it: acceleration", "1 ms"),
    ("laws.tyres", "tyre-linear .*", "TMeasy curves", ""),
    ("laws.tyres", "tyre-pacejka (side force|adhesion)", "Pacejka curves", ""),
    ("laws.tyres", "tyre-lean contact points", "contact points of the leaning tyre", ""),
    ("physics.tyre_standstill", "parked hour way", "wheel parked on a slope of 10 % for an hour: way, m", ""),
    ("reference.bond_graphs", "bond-.*", "six reference bond graphs", ""),
    ("reference.clio", "clio, (100 km/h|1000 m)", "Clio: times to 100 km/h and to 1000 m", ""),
    ("reference.clio_bg", "(ramp|start), .*", "Clio as a 3D bond graph against the multibody Clio", ""),
    ("reference.forklift_hydraulics", "(lifting|lowering|travel)", "forklift with hydraulics as graphs: speeds of the data sheet", ""),
    ("reference.flex_models", "spin-up, largest lag", "spin-up of a beam against exact elements: lag", "2 ms"),
    ("reference.flex_models", "bar, 2 modes, stress over its peak", "flexible bar, 2 modes: stress", ""),
    ("reference.flex_models", "bar, 4 modes, stress over its peak", "- 4 modes", ""),
    ("reference.flex_models", "double pendulum, 2 modes, stress over its peak", "double pendulum, 2 modes: stress", ""),
    ("reference.flex_models", "double pendulum, 4 modes, stress over its peak", "- 4 modes", ""),
    ("reference.flex_models", "slider-crank, stress at the centre", "flexible slider-crank: stress", ""),
    ("reference.flex_models", "four-bar, zB", "misaligned four-bar: zB", ""),
    ("reference.flex_models", "four-bar, zC", "- zC", ""),
    ("reference.flex_models", "four-bar, Mt", "- Mt", ""),
    ("reference.flex_models", "four-bar, My", "- My", ""),
    ("reference.forklift_mast", "(deflection|stress) .*", "forklift's bending mast against a cantilever: deflection, stress", ""),
)


def number(value):
    """Two digits: 3.4e-7."""
    if value == 0.0:
        return "0"
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits}e{int(exponent)}"


def read(path):
    """Lines of the log: (test, name, error, limit) and (test, name, ratio, low, high)."""
    errors, ratios, test = [], [], ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            head = re.match(r"\d+/\d+ Testing: (\S+)", line)
            test = head.group(1) if head else test
            error, ratio = ERROR.match(line), RATIO.match(line)
            if error:
                errors.append((test, error.group(1), float(error.group(2)), float(error.group(3))))
            elif ratio:
                ratios.append((test, *ratio.group(1, 2, 3, 4)))
    return errors, ratios


def chosen(errors, ratios):
    rows = ""
    for test, name, label, step in ROWS:
        found = [row for row in errors if re.fullmatch(test, row[0]) and re.fullmatch(name, row[1])]
        order = [row for row in ratios if re.fullmatch(test, row[0]) and re.fullmatch(name, row[1])]
        if found and "error ratio" not in label:
            worst = max(found, key=lambda row: row[2])
            rows += f"| {label} | {step} | {number(worst[3])} | {number(worst[2])} |\n"
        elif order:
            values = sorted(float(row[2]) for row in order)
            span = f"{values[0]:.2f}" if len(values) == 1 else f"{values[0]:.2f} .. {values[-1]:.2f}"
            rows += f"| {label} | {step} | {order[0][3]} .. {order[0][4]} | {span} |\n"
        else:
            sys.exit(f"agreement_table.py: the log has nothing of {test}: {name}; run ctest without -R first")
    return rows


def every(errors):
    tests = {}
    for test, *rest in errors:
        if test.startswith("reference."):
            tests.setdefault(test, []).append(rest)
    rows = ""
    for test, found in sorted(tests.items()):
        name, error, limit = max(found, key=lambda row: row[1] / row[2] if row[2] > 0.0 else 0.0)
        rows += f"| {test.partition('.')[2]} | {len(found)} | {name.replace('|', ' ')} | {number(error)} | {number(limit)} |\n"
    return rows


def table(text, head):
    """Where the rows below a head begin and end."""
    start = end = text.index(head) + len(head)
    while text.startswith("|", end):
        end = text.index("\n", end) + 1
    return start, end


def cells(rows):
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows.splitlines()]


def is_worse(shown, measured):
    try:
        return float(measured) > SLACK * float(shown) and float(measured) > 1e-13
    except ValueError:
        return False  # a span of ratios, which the test itself judges


def worse_chosen(old, new):
    """Rows of the page that promise more than was measured."""
    before, now = cells(old), cells(new)
    if [row[0] for row in before] != [row[0] for row in now]:
        yield "the page has other rows than this tool"
        return
    for shown, measured in zip(before, now):
        if is_worse(shown[3], measured[3]):
            yield f"{shown[0]}: the page has {shown[3]}, the tests measured {measured[3]}"


def worse_every(old, new):
    """The same for the table of all tests; a test that is new is welcome."""
    now = {row[0]: row for row in cells(new)}
    for test, _, name, shown, _ in cells(old):
        if test in now and now[test][2] == name and is_worse(shown, now[test][3]):
            yield f"{test}, {name}: the page has {shown}, the tests measured {now[test][3]}"


def main(arguments):
    is_check = arguments[:1] == ["--check"]
    page, log = arguments[1:] if is_check else arguments
    errors, ratios = read(log)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    failures = []
    for head, rows, worse in ((CHOSEN, chosen(errors, ratios), worse_chosen), (ALL, every(errors), worse_every)):
        start, end = table(text, head)
        failures += worse(text[start:end], rows)
        text = text[:start] + rows + text[end:]
    if is_check:
        print("\n".join(f"{page}: {failure}; tools/generate renews it" for failure in failures), end="\n" if failures else "")
        return 1 if failures else 0
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
