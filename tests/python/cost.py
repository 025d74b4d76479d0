# SPDX-License-Identifier: MIT
"""What Python adds to C, printed: step(n), one call per step and a controller against the same loops in C, on the same sim, in turns,
by CPU time of this thread, least of many."""
import ctypes
import os
import subprocess
import sys
import tempfile
import time

import biela

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
C = """
#include <biela/loop.h>
void plain(bi_sim *sim, int n)
{
    for (int k = 0; k < n; k++) { bi_sim_step(sim); }
}
void controlled(bi_sim *sim, int n, bi_input drive, bi_channel speed)
{
    for (int k = 0; k < n; k++) {
        bi_sim_input(sim, drive, 2.0 * (1.0 - bi_sim_read(sim, speed)));
        bi_sim_step(sim);
    }
}
"""
N = 500


def loops(folder):
    source, made = os.path.join(folder, "loops.c"), os.path.join(folder, "loops.so")
    with open(source, "w") as out:
        out.write(C)
    library = os.path.dirname(os.environ["BIELA_LIBRARY"])
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", os.path.join(ROOT, "include"), source, "-o", made, "-L", library, "-lbiela",
                    "-Wl,-rpath," + library], check=True)
    found = ctypes.PyDLL(made)
    found.plain.argtypes = [ctypes.c_void_p, ctypes.c_int]
    found.controlled.argtypes = [ctypes.c_void_p, ctypes.c_int, biela.constants.bi_input, biela.constants.bi_channel]
    return found


def least(sim, *ways, times=40):
    """Seconds a step of each way, in turns from the same start."""
    best, start = [1e9] * len(ways), sim.save()
    for _ in range(times):
        for k, way in enumerate(ways):
            sim.load(start)
            t = time.thread_time()
            way()
            best[k] = min(best[k], (time.thread_time() - t) / N)
    return best


def one_by_one(sim):
    step = sim.step
    for _ in range(N):
        step()


def controlled(sim, read, slot):
    inputs, step = sim.inputs, sim.step
    for _ in range(N):
        inputs[slot] = 2.0 * (1.0 - read()[0])
        step()


def main():
    with tempfile.TemporaryDirectory() as folder:
        c = loops(folder)
        for model in ("pendulum", "forklift"):
            sim = biela.Sim(model)
            plain, many, each = least(sim, lambda: c.plain(sim._sim, N), lambda: sim.step(N), lambda: one_by_one(sim))
            print(f"measured {model}: C {plain * 1e6:.3f} us a step, step(n) {many * 1e6:.3f} ({100 * (many / plain - 1):+.1f} %), "
                  f"a call per step {each * 1e6:.3f} (+{(each - plain) * 1e6:.2f} us)")
        sim = biela.Sim("forklift")
        read, slot = sim.reader(["speed"]), sim.input_names.index("drive")
        ids = biela.constants.bi_input(slot + 1), biela.constants.bi_channel(sim.channels.index("speed") + 1)
        theirs, mine = least(sim, lambda: c.controlled(sim._sim, N, *ids), lambda: controlled(sim, read, slot))
        print(f"measured forklift with a controller in each step of {sim.dt * 1e3:.0f} ms: C {theirs * 1e6:.2f} us, "
              f"Python {mine * 1e6:.2f} ({mine / theirs:.2f} times)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
