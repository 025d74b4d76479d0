# SPDX-License-Identifier: MIT
"""Every model x every command: the right result or a clear refusal, never a crash.

    commands.py pairs    every model with a quarter of the commands, every command with a quarter of the models, in turn
    commands.py full     all of them

$BIELA is the command, sanitized as a rule. Where a command wants numbers it gets those of the model's own short run.
"""
import functools
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request

from judge import BIELA, ENVIRONMENT, LIMIT, biela, codes, each, end, judge, judge_files, listed_models, workplace


@functools.cache
def described(model):
    return json.loads(biela(["info", model, "--json"]).stdout)


class Bench:
    """A model with what the commands need: its description, a short result, a short recording."""

    def __init__(self, model, place):
        self.model, self.place = model, place
        told = described(model)
        self.file = told["file"]
        self.dt = told["run"]["dt"]
        self.time = ["--time", repr(10 * self.dt)]
        self.channels = [c["name"] for c in told["channels"]]
        self.parameters = told["parameters"]
        self.result, self.recording = f"{place}/in/result.csv", f"{place}/in/drive.biela"
        os.makedirs(f"{place}/in")

    def out(self, name):
        return ["--out", f"{self.place}/{name}"]

    def one_parameter(self):
        """NAME=A,B of the first parameter that is a plain number, or a name that no model has."""
        for p in self.parameters:
            if p["value_in_unit"] not in (0, 1):
                return p["name"], f"{p['value_in_unit']:.17g},{p['value_in_unit'] * 1.001:.17g}"
        return "no-parameter", "1,2"


def of_model(make):
    return lambda b: [make(b)]


def with_result(make):
    return lambda b: [["run", b.model, *b.time, "--every", "0", "--quiet", "--out", b.result], make(b)]


def with_recording(make):
    return lambda b: [["drive", b.model, "--headless", "--unpaced", "--time", repr(10 * b.dt), "--record", b.recording, "--quiet"], make(b)]


# each gives the command lines that lead to it; the last one is judged as the others are
COMMANDS = {
    "check": of_model(lambda b: ["check", b.model]),
    "compile": of_model(lambda b: ["compile", b.model, *b.out("model.image")]),
    "info": of_model(lambda b: ["info", b.model, "--variables", "--sparsity", f"{b.place}/matrix.svg", "--view", f"{b.place}/view.svg"]),
    "info joint": of_model(lambda b: ["info", b.model, "--formulation", "joint", "--json"]),
    "modes": of_model(lambda b: ["modes", b.model, *b.out("modes.csv")]),
    "kc": of_model(lambda b: ["kc", b.model, *b.out("kc")]),
    "trim": of_model(lambda b: ["trim", b.model, "--ay", "0:1:1", "--modes", *b.out("turns.csv")]),
    "handling": of_model(lambda b: ["handling", b.model, "--only", "steady-speed", *b.out("handling")]),
    "equilibrium": of_model(lambda b: ["equilibrium", b.model, *b.out("rest.csv")]),
    "equilibrium joint": of_model(lambda b: ["equilibrium", b.model, "--formulation", "joint", "--json"]),
    "kinematics": of_model(lambda b: ["kinematics", b.model, *b.time, *b.out("moved.csv")]),
    "inverse": of_model(lambda b: ["inverse", b.model, *b.time, *b.out("inverse.csv"), "--actions", f"{b.place}/actions.csv"]),
    "flex info": of_model(lambda b: ["flex", "info", b.model]),
    "flex modes": of_model(lambda b: ["flex", "modes", b.model, *b.out("modes.pvd")]),
    "flex build": of_model(lambda b: ["flex", "build", b.model, *b.out("body.flex")]),
    "flex export": of_model(lambda b: ["flex", "export", b.model, *b.out("deck.inp")]),
    "compare": of_model(lambda b: ["compare", b.model, *b.time, "--elements", "4", "--dt", repr(b.dt)]),
    "sweep": of_model(lambda b: ["sweep", b.model, "--grid", "=".join(b.one_parameter()), "--record", f"max:{b.channels[0]}", *b.time,
                                 "--jobs", "1", *b.out("sweep.csv")]),
    "fit": with_result(lambda b: ["fit", b.model, b.result, "--params", b.one_parameter()[0], "--jobs", "1", *b.out("fit.csv")]),
    "design": of_model(lambda b: ["design", b.model, "--params", b.one_parameter()[0], "--channels", b.channels[0], "--noise",
                                  f"{b.channels[0]}=1", *b.time, "--every", repr(b.dt)]),
    "tyre": of_model(lambda b: ["tyre", b.model, *b.out("tyre.csv")]),
    "bonds": of_model(lambda b: ["bonds", b.model, "--svg", f"{b.place}/graph.svg"]),
    "run hdf5": of_model(lambda b: ["run", b.model, *b.time, *b.out("result.h5")]),
    "run joint from rest": of_model(lambda b: ["run", b.model, *b.time, "--start", "equilibrium", "--formulation", "joint", *b.out("rest.csv")]),
    "run cross-check": of_model(lambda b: ["run", b.model, *b.time, "--cross-check", *b.out("crossed.csv")]),
    "run klu": of_model(lambda b: ["run", b.model, *b.time, "--solver", "klu", *b.out("klu.csv")]),
    "run vtu": of_model(lambda b: ["run", b.model, *b.time, "--vtu", "--envelope", f"{b.place}/stress.csv", *b.out("grid.csv")]),
    "durability": with_result(lambda b: ["durability", b.result, "--channel", "*", "--sn", "120e6,2e6,5"]),
    "plot": with_result(lambda b: ["plot", b.result, b.channels[-1], *b.out("plot.png")]),
    "integrate": with_result(lambda b: ["integrate", b.result, b.channels[0], "--rest", f"0:{5 * b.dt}", *b.out("way.csv")]),
    "diff": with_result(lambda b: ["diff", b.result, b.result]),
    "view": with_result(lambda b: ["view", b.result, "--model", b.model, "--port", "0", "--no-open"]),
    "drive": of_model(lambda b: ["drive", b.model, "--port", "0", "--no-open", "--record", f"{b.place}/in/seen.biela"]),
    "replay": with_recording(lambda b: ["replay", b.recording, "--csv", f"{b.place}/again.csv"]),
    "report": with_recording(lambda b: ["report", b.recording, *b.out("report.html")]),
    "import": of_model(lambda b: ["import", b.file, *b.out("robot.yaml")]),
    "new": of_model(lambda b: ["new", "mechanism", f"{b.place}/begun"]),
    "export": of_model(lambda b: ["export", b.model, "--fmu", b.out("model.fmu")[-1]]),
}
# those that take no model; `bench` measures, and is tested where it is documented
ALONE = {"list": ["list"], "schema": ["schema"], "version": ["version"], "help": ["help"], "bench": ["help", "bench"], "class": ["help", "class"], "course": ["help", "course"], "doc": ["doc"]}


def none_is_missing():
    """Commands that `biela help` lists and this file does not know."""
    listed = biela(["help"]).stdout.split("Commands:")[1].split("A MODEL is")[0]
    names = {line.split()[0] for line in listed.splitlines() if line.strip()}
    missing = names - {name.split()[0] for name in COMMANDS} - set(ALONE)
    return [f"the command {name} is not in tests/matrix/commands.py" for name in sorted(missing)]


def look(command):
    """A command that serves a page: the page is asked for, then Ctrl-C."""
    served = subprocess.Popen([BIELA] + command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
    page = None
    while page is None:
        line = served.stdout.readline().decode(errors="replace")
        found = re.search(r"http://\S+", line)
        page = found.group() if found else page
        if not line:
            break
    try:
        if page:
            urllib.request.urlopen(page, timeout=LIMIT).read()
            served.send_signal(signal.SIGINT)
        stdout, stderr = (text.decode(errors="replace") for text in served.communicate(timeout=LIMIT))
    except (OSError, subprocess.TimeoutExpired) as what:
        served.kill()
        served.communicate()
        return None, str(what), [f"the page does not come, or the command does not end: {what}"]
    # a drive that is interrupted has done what it was asked for
    code = 0 if page and served.returncode == 130 else served.returncode
    return code, stderr, judge(command, code, stdout, stderr)


def execute(command):
    if "--port" in command:
        return look(command)
    done = biela(command)
    return done.code, done.stderr, done.faults


def perform(pair):
    model, name = pair
    with workplace() as place:
        for command in COMMANDS[name](Bench(model, place)):
            code, stderr, faults = execute(command)
            # a run that failed leaves what it has; of what is refused nothing is left
            faults = faults or judge_files(place, code)
            if faults:
                return [f"{fault}: biela {' '.join(command)}\n{stderr[-3000:]}" for fault in faults]
            if code not in (0, 4):
                break
        codes[code] += 1
        return []


def pairs(models):
    """A quarter, in turn: neighbours in the list of models meet other commands."""
    return [(m, c) for k, m in enumerate(models) for s, c in enumerate(COMMANDS) if (k + s) % 4 == 0]


def full(models):
    return [(m, c) for m in models for c in COMMANDS]


if __name__ == "__main__":
    choose = {"pairs": pairs, "full": full}[sys.argv[1]]
    only = sys.argv[2:]
    each("list of commands", lambda _: none_is_missing(), [""])
    each("command", lambda name: biela(ALONE[name]).faults, list(ALONE))
    each("command", perform, [p for p in choose(listed_models()) if not only or p[0] in only or p[1] in only])
    end()
