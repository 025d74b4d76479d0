# SPDX-License-Identifier: MIT
"""Monte Carlo of `biela fit`: how many of its 95 % intervals hold the true value.

usage: fit_coverage.py BIELA FOLDER CASE SAMPLES LEAST MOST
CASE: quarter, a quarter of a car (a bond graph at rest that gets a step); coast, rolling resistance and drag of the Clio that coasts down;
tyre, stiffness and friction of a Magic Formula tyre on the rig. Each with independent noise of a seed of its own. LEAST, MOST: how many of the
samples may hold the true value, for each parameter. Besides, the spread of the values found must be the deviation told."""
import csv
import json
import random
import re
import statistics
import subprocess
import sys

QUARTER = """biela: 1
name: quarter car
parameters: {ks: 15000, bs: 500}
graphs:
  g:
    nodes:
      road: {type: Sf, value: "if(t > 0.1 && t < 0.2, 0.5, 0)"}
      zt: {type: 0}
      kt: {type: C, value: 1/150000}
      ju: {type: 1}
      mu: {type: I, value: 38}
      zs: {type: 0}
      js: {type: 1}
      ks: {type: C, value: 1/ks}
      bs: {type: R, value: bs}
      jm: {type: 1}
      ms: {type: I, value: 220}
      vs: {type: state, value: ms.f}
    bonds: [road -> zt, zt -> kt, zt -> ju, ju -> mu, ju -> zs, zs -> js, js -> ks, js -> bs, zs -> jm, jm -> ms]
outputs: {g: {graph: g}}
run: {time: 3, dt: 5e-3, every: 0.02}
"""


def tyre_rig():
    """The rig of the models with a Magic Formula tyre of the year 1989, whose a1 to a8 are those of the Clio."""
    text = open("models/tyre-rig/model.yaml", encoding="utf-8").read()
    tyre = """  tyre:
    type: tyre-pacejka
    body: wheel
    radius: r
    stiffness: k
    lateral: [1.3, -53.31, top, stiff, 2.5212, 0, -0.5178, 1]
    adhesion: [1.12, 40.39364511356022, 0.625, 1]
    slow_speed: 0.5
"""
    text = re.sub(r"  tyre:\n(    .*\n)+", tyre, text, count=1)
    text = text.replace("parameters:\n", "parameters:\n  top: {value: 1190, help: friction at no load}\n  stiff: {value: 588.6, help: cornering stiffness}\n", 1)
    return text.replace("load: {value: 10000", "load: {value: 3000").replace("torque: {value: 4000", "torque: {value: 1")


# model, settings of fits and true run, true values, starts, the column, its noise, rows
CASES = {
    "quarter": dict(model=QUARTER, more=[], true={"ks": 15000.0, "bs": 500.0}, start={"ks": (11000, 19000), "bs": (300, 900)},
                    column="g.vs", noise=0.002, every=None, time=None, seed=12),
    "coast": dict(model="clio", more=["--run", "coast-down", "--dt", "0.05"], true={"f0": 0.013, "Cx": 0.37}, start={"f0": (0.010, 0.016), "Cx": (0.3, 0.44)},
                  column="speed", noise=0.03, every="0.5", time="20", seed=13),
    "tyre": dict(model=tyre_rig, more=["--dt", "0.005"], true={"stiff": 588.6, "top": 1190.0}, start={"stiff": (450, 750), "top": (1000, 1400)},
                 column="tyre.fy", noise=40.0, every="0.04", time="4", seed=14),
}


def main():
    biela, folder, name, samples, least, most = *sys.argv[1:4], *map(int, sys.argv[4:7])
    case = CASES[name]
    model, data = case["model"], f"{folder}/data.csv"
    if callable(model) or "\n" in model:
        text, model = model() if callable(model) else model, f"{folder}/{name}.yaml"
        with open(model, "w", encoding="utf-8") as file:
            file.write(text)
    run = [biela, "run", model, *case["more"], "--quiet", "--out", f"{folder}/true.csv"]
    run += ["--every", case["every"], "--time", case["time"]] if case["every"] else []
    run += [word for key, value in case["true"].items() for word in ("--set", f"{key}={value!r}")]
    subprocess.run(run, check=True)
    with open(f"{folder}/true.csv", encoding="utf-8") as file:
        true = [(row["t"], float(row[case["column"]])) for row in csv.DictReader(file)]
    random.seed(case["seed"])
    found = {key: [] for key in case["true"]}
    told = {key: [] for key in case["true"]}
    held = {key: 0 for key in case["true"]}
    for _ in range(samples):
        with open(data, "w", encoding="utf-8") as file:
            file.write(f"t,{case['column']}\n")
            file.writelines(f"{t},{v + random.gauss(0, case['noise'])!r}\n" for t, v in true)
        # the start is not the answer, and is another one each time
        start = ",".join(f"{key}={random.uniform(*ends)!r}" for key, ends in case["start"].items())
        done = subprocess.run([biela, "fit", model, data, *case["more"], "--params", start, "--jobs", "1", "--json",
                               "--out", f"{folder}/fit.csv"], capture_output=True, text=True)
        if done.returncode not in (0, 4):
            sys.exit(done.stderr)
        for key, result in json.loads(done.stdout)["parameters"].items():
            found[key].append(result["value"])
            told[key].append(result["deviation"])
            held[key] += result["low"] <= case["true"][key] <= result["high"]
    is_good = True
    # the standard deviation of n values is known to 1/sqrt(2 n); four times that
    slack = 4 / (2 * samples) ** 0.5
    for key in case["true"]:
        ratio = statistics.mean(told[key]) / statistics.stdev(found[key])
        print(f"{name} {key}: {held[key]} of {samples} intervals hold it, deviation told over spread {ratio:.3f}")
        is_good = is_good and least <= held[key] <= most and abs(ratio - 1) <= slack
    sys.exit(0 if is_good else "the intervals are not what they say")


main()
