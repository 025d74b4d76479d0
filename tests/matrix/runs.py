# SPDX-License-Identifier: MIT
"""Every model x named run x scheme x formulation x kind of step, some 20 steps each.

    runs.py pairs    a fixed choice: what a model does by itself meets every scheme, each of its other runs three of them, in turn;
                     every two settings but these meet
    runs.py full     all of them

$BIELA is the command, sanitized as a rule. A run ends well, judges itself, or is refused with a message; it never crashes, and
never leaves numbers that are none, rows that are cut, or files that are half written.
"""
import itertools
import json
import sys

from judge import biela, each, end, judge_run, listed_models, workplace

def schemes():
    """What the command offers behind `run --scheme`, with its help; second names are left out."""
    commands = json.loads(biela(["help", "--json"]).stdout)["commands"]
    options = next(c["options"] for c in commands if c["name"] == "run")
    choices = next(o["choices"] for o in options if o["name"] == "--scheme")
    return {c["word"]: c["help"] for c in choices if c["help"] != "the same"}


SCHEMES = list(schemes())
FORMULATIONS = ["natural", "joint"]
STEPS = ["fixed", "auto"]
EXPLICIT = [word for word, help in schemes().items() if help.startswith("explicit")]
COUNT = 20
# Slow to read and start under the sanitizers: in `pairs` each of their runs meets both formulations and both kinds of step, with two
# of the schemes, in turn, so that the model meets all of them.
SLOW_TO_START = {"prototype-car", "forklift", "electric-truck", "rack", "hopper slot", "bicycle track", "chain thousand"}
# Explicit steps as short as these vibrate: thousands in each of the model's own. They get one of those.
STIFF = {"flex-four-bar", "flex-slider-crank", "coupled-pendulums-bg", "prototype-car"}


def describe(case):
    """The step of a model's run, and the names of its other runs: (model, run, dt, runs), or what is wrong."""
    model, run = case
    command = ["info", model, "--json"] + (["--run", run] if run else [])
    done = biela(command)
    if done.code != 0:
        return done.faults or [f"info: exit code {done.code}: {done.stderr[-300:]}"]
    told = json.loads(done.stdout)
    return model, run, told["run"]["dt"], told["runs"]


def cases():
    """All (model, run, dt): the default and every named run. Faults are told and counted."""
    models = [(m, None) for m in listed_models()]
    default = each("info", describe, models)
    named = each("info", describe, [(d[0], r) for d in default for r in d[3]])
    of_model = {m: [] for m, _ in models}
    for model, run, dt, _ in default + named:
        of_model[model].append((model, run, dt))
    return [case for m, _ in models for case in of_model[m]]


def is_slow(case):
    return case[0] in SLOW_TO_START or f"{case[0]} {case[1]}" in SLOW_TO_START


def offered_schemes(number, case):
    if is_slow(case):
        return [SCHEMES[(number + s) % len(SCHEMES)] for s in (0, 4)]
    return SCHEMES if case[1] is None else [SCHEMES[(number + s) % len(SCHEMES)] for s in (0, 3, 7)]


def pairs(all_cases):
    """Each case meets each scheme that it is offered, each formulation and kind of step; so do these each other. Greedy, in a fixed order."""
    choices = list(itertools.product(FORMULATIONS, STEPS))
    met = set()
    chosen = []
    for k, case in enumerate(all_cases):
        for s, scheme in enumerate(offered_schemes(k, case)):
            def meets(choice):
                settings = [("case", case), ("scheme", scheme), ("formulation", choice[0]), ("step", choice[1])]
                return set(itertools.combinations(settings, 2))
            # equally good choices take turns, so that threes meet often, too
            turned = choices[(k + s) % 4:] + choices[:(k + s) % 4]
            best = max(turned, key=lambda choice: len(meets(choice) - met))
            met |= meets(best)
            chosen.append((case, scheme) + best)
    return chosen


def full(all_cases):
    return list(itertools.product(all_cases, SCHEMES, FORMULATIONS, STEPS))


def simulate(what):
    (model, run, dt), scheme, formulation, step = what
    # dopri5 has automatic steps of its own
    is_auto = step == "auto" or scheme == "dopri5"
    count = 1 if model in STIFF and scheme in EXPLICIT and is_auto else COUNT
    with workplace() as place:
        command = ["run", model, "--scheme", scheme, "--formulation", formulation, "--time", repr(count * dt), "--every", "0",
                   "--quiet", "--out", f"{place}/result.csv"]
        command += ["--run", run] if run else []
        # so that schemes of order one, too, take tens of steps, not tens of thousands
        command += ["--tolerance", "1e-2"] if step == "auto" else []
        return judge_run(command, place, f"{place}/result.csv")


if __name__ == "__main__":
    choose = {"pairs": pairs, "full": full}[sys.argv[1]]
    each("run", simulate, choose(cases()))
    end()
