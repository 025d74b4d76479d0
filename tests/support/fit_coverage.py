# SPDX-License-Identifier: MIT
"""Monte Carlo of `biela fit`: how many of its 95 % intervals hold the true value.

usage: fit_coverage.py BIELA FOLDER SAMPLES LEAST MOST
Data of a quarter of a car (a bond graph at rest that gets a step) with independent noise. LEAST, MOST: how many of the samples may
hold the true value, for each parameter. Besides, the spread of the values found must be the deviation told."""
import csv
import json
import random
import statistics
import subprocess
import sys

MODEL = """biela: 1
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
TRUE = {"ks": 15000.0, "bs": 500.0}
NOISE = 0.002  # m/s, of a range of 0.08


def main():
    biela, folder, samples, least, most = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    model, data = f"{folder}/quarter.yaml", f"{folder}/data.csv"
    with open(model, "w", encoding="utf-8") as file:
        file.write(MODEL)
    subprocess.run([biela, "run", model, "--quiet", "--out", f"{folder}/true.csv"], check=True)
    with open(f"{folder}/true.csv", encoding="utf-8") as file:
        true = [(row["t"], float(row["g.vs"])) for row in csv.DictReader(file)]
    random.seed(12)
    found = {name: [] for name in TRUE}
    told = {name: [] for name in TRUE}
    held = {name: 0 for name in TRUE}
    for _ in range(samples):
        with open(data, "w", encoding="utf-8") as file:
            file.write("t,g.vs\n")
            file.writelines(f"{t},{v + random.gauss(0, NOISE)!r}\n" for t, v in true)
        # the start is not the answer, and is another one each time
        start = f"ks={random.uniform(11000, 19000)!r},bs={random.uniform(300, 900)!r}"
        done = subprocess.run([biela, "fit", model, data, "--params", start, "--jobs", "1", "--json",
                               "--out", f"{folder}/fit.csv"], check=True, capture_output=True, text=True)
        for name, result in json.loads(done.stdout)["parameters"].items():
            found[name].append(result["value"])
            told[name].append(result["deviation"])
            held[name] += result["low"] <= TRUE[name] <= result["high"]
    is_good = True
    # the standard deviation of n values is known to 1/sqrt(2 n); four times that
    slack = 4 / (2 * samples) ** 0.5
    for name in TRUE:
        ratio = statistics.mean(told[name]) / statistics.stdev(found[name])
        print(f"{name}: {held[name]} of {samples} intervals hold it, deviation told over spread {ratio:.3f}")
        is_good = is_good and least <= held[name] <= most and abs(ratio - 1) <= slack
    sys.exit(0 if is_good else "the intervals are not what they say")


main()
