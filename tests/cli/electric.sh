#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parts of electric drives, of heat and of air (models/library/electric.yaml, thermal.yaml) against closed forms.
. tests/cli/support.bash
library=$PWD/models/library

# ---- a motor at constant speed and voltages: a linear circuit of two states
cat >"$dir/motor.yaml" <<YAML
biela: 1
name: pmsm at constant speed
graphs:
  g:
    parts:
      m: {file: $library/electric.yaml, graph: pmsm, set: {pairs: 3, flux: 0.08, R: 0.05, Ld: 1e-3, Lq: 2e-3, J: 0.01, friction: 0}}
    nodes:
      ud: {type: Se, value: -5}
      uq: {type: Se, value: 30}
      held: {type: Sf, value: -100}
      brake: {type: 0}
    bonds: [ud -> m.d, uq -> m.q, m.shaft -> brake, held -> brake]
outputs: {g: {graph: g}}
run: {time: 0.1, dt: 2.5e-5, every: 0.005}
YAML
# ---- a battery that is switched to a constant current, a converter onto a resistor
cat >"$dir/cells.yaml" <<YAML
biela: 1
name: battery and converter
graphs:
  b:
    parts: {c: {file: $library/electric.yaml, graph: cells, set: {charge: 1e5, full: 50, empty: 40, resistance: 0.02, slow_resistance: 0.01, slow_time: 5, start: 1}}}
    nodes: {load: {type: Sf, value: 20}}
    bonds: [load -> c.out]
  k:
    parts: {c: {file: $library/electric.yaml, graph: converter, set: {L: 1e-3, C: 2e-3, R: 0.1}, bind: {ratio: share}}}
    nodes:
      source: {type: Se, value: 48}
      share: {type: value, value: 0.25}
      load: {type: R, value: 2}
    bonds: [source -> c.supply, c.out -> load]
outputs: {b: {graph: b}, k: {graph: k}}
run: {time: 0.2, dt: 5e-5, every: 0.01}
YAML
# ---- heat and air
cat >"$dir/heat.yaml" <<YAML
biela: 1
name: heat and air
parameters: {counter: 1, hot: 1000, cold: 1500}
graphs:
  w:
    parts: {w: {file: $library/thermal.yaml, graph: warm, set: {capacity: 500, wall: 0.2, around: 290, start: 350}}}
    nodes: {heater: {type: Sf, value: 40}}
    bonds: [heater -> w.body]
  x:
    parts: {x: {file: $library/thermal.yaml, graph: heat_exchanger, set: {hot: hot, cold: cold, UA: 2000, counter: counter, time: 2}, bind: {hot_in: h, cold_in: c}}}
    nodes: {h: {type: value, value: 363}, c: {type: value, value: 283}}
    bonds: []
  v:
    parts:
      v: {file: $library/thermal.yaml, graph: vessel, set: {volume: 0.02, pressure: 8e5}}
      o: {file: $library/thermal.yaml, graph: valve, set: {conductance: 2e-8}, bind: {opening: open}}
    nodes: {open: {type: value, value: 1}}
    bonds: [v.air -> o.air]
  s:
    parts: {s: {file: $library/thermal.yaml, graph: air_spring, set: {volume: 2e-3, pressure: 4e5, exponent: 1.3}}}
    nodes: {push: {type: Sf, value: 1e-5}}
    bonds: [push -> s.air]
outputs: {w: {graph: w}, x: {graph: x}, v: {graph: v}, s: {graph: s}}
run: {time: 10, dt: 1e-3, every: 0.5}
YAML
ends 0 run "$dir/motor.yaml" --out "$dir/motor.csv" --quiet
ends 0 run "$dir/cells.yaml" --out "$dir/cells.csv" --quiet
ends 0 run "$dir/heat.yaml" --out "$dir/heat.csv" --quiet
ends 0 run "$dir/heat.yaml" --time 60 --set counter=0 --out "$dir/alongside.csv" --quiet
ends 0 run "$dir/heat.yaml" --time 60 --out "$dir/counter.csv" --quiet
ends 0 run "$dir/heat.yaml" --time 60 --set cold=1000 --out "$dir/equal.csv" --quiet
must "motor, battery, converter, heat and air follow their closed forms" python3 - "$dir" <<'PY'
import cmath, csv, math, sys
def rows(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
ok = True
def near(name, gap, limit):
    global ok
    print(f"measured electric, {name} error={gap:.3e} limit={limit:.3e}")
    ok = ok and gap <= limit
def flow(r, g, start):
    found = [k for k in r if k.startswith(f"{g}.") and k.endswith(start)]
    assert len(found) == 1, (start, found, [k for k in r if k.startswith(g)])
    return r[found[0]]
# L x' = -R x +- w L' y + u: with x = a + b exp(s t) of the 2 x 2 matrix
p, psi, R, Ld, Lq, w = 3, 0.08, 0.05, 1e-3, 2e-3, 100.0
A = [[-R/Ld, p*w*Lq/Ld], [-p*w*Ld/Lq, -R/Lq]]
B = [-5/Ld, (30 - p*w*psi)/Lq]
det = A[0][0]*A[1][1] - A[0][1]*A[1][0]
x0 = [-(A[1][1]*B[0] - A[0][1]*B[1])/det, -(A[0][0]*B[1] - A[1][0]*B[0])/det]
mean = (A[0][0] + A[1][1])/2
root = cmath.sqrt(mean*mean - det)
def currents(t):
    # exp(A t) = e^(m t) (cosh(r t) 1 + sinh(r t)/r (A - m))
    c, s = cmath.cosh(root*t), cmath.sinh(root*t)/root
    E = [[(math.exp(mean*t)*(c*(i == j) + s*(A[i][j] - mean*(i == j)))).real for j in range(2)] for i in range(2)]
    return [x0[i] - E[i][0]*x0[0] - E[i][1]*x0[1] for i in range(2)]
worst = torque = 0.0
for r in rows("motor"):
    d, q = currents(r["t"])
    worst = max(worst, abs(flow(r, "g", "coil_d.f") - d), abs(flow(r, "g", "coil_q.f") - q))
    torque = max(torque, abs(abs(flow(r, "g", "held->brake.e")) - abs(p*(psi*q + (Ld - Lq)*d*q))))
near("currents of a pmsm, A of 90", worst, 1e-3) # trapezoidal rule: (w h)^2/12 of each radian, 300 rad/s, 90 A
near("its torque, N m of 25", torque, 1e-3)
worst = 0.0
for r in rows("cells"):
    t = r["t"]
    v = 50 - 10*20*t/1e5 - 20*0.02 - 20*0.01*(1 - math.exp(-t/5))
    worst = max(worst, abs(abs(flow(r, "b", "load->c.out.e")) - v))
near("voltage of a battery, V", worst, 1e-9)
# R + s L into C beside the load: two states
L, C, Rl, Rc, u = 1e-3, 2e-3, 2.0, 0.1, 12.0
a, b = Rc/L + 1/(Rl*C), (1 + Rc/Rl)/(L*C)
sr = cmath.sqrt(a*a/4 - b)
s1, s2, v_end = -a/2 + sr, -a/2 - sr, u*Rl/(Rl + Rc)
worst = 0.0
for r in rows("cells"):
    t = r["t"]
    v = v_end*(1 - ((s2*cmath.exp(s1*t) - s1*cmath.exp(s2*t))/(s2 - s1)).real)
    worst = max(worst, abs(flow(r, "k", "capacitor.e") - v))
near("voltage of a converter, V of 12", worst, 2e-3)
worst = 0.0
for r in rows("heat"):
    t = r["t"]
    T = 290 + 8 + 52*math.exp(-t/(500*0.2))
    worst = max(worst, abs(flow(r, "w", "heat.e") - T))
near("temperature behind a wall, K", worst, 1e-6)
worst = 0.0
for r in rows("heat"):
    t, tau = r["t"], 0.02/(287*293*2e-8*1.185*math.sqrt(293.15/293))
    p_ = 8e5*math.exp(-t/tau)
    if p_ > 1e5/0.3: # choked: the flow is that of the pressure
        worst = max(worst, abs(flow(r, "v", "stored.e")/p_ - 1))
near("vessel through a choked valve", worst, 1e-6)
worst = max(abs(flow(r, "s", "gas.e") - (4e5*(2e-3/(2e-3 - 1e-5*r["t"]))**1.3 - 1e5)) for r in rows("heat"))
near("air that is pressed, Pa", worst, 1e-4)
# the heat exchanger against the profile along it: dT/dx = -+ UA/stream (T - t), by shooting
def along(hot, cold, counter, n=20000):
    def end(c0):
        T, t = 363.0, c0
        for k in range(n):
            h = 1/n
            def f(T, t): return -2000/hot*(T - t), (-1 if counter else 1)*2000/cold*(T - t)
            k1 = f(T, t)
            k2 = f(T + h/2*k1[0], t + h/2*k1[1])
            T, t = T + h*k2[0], t + h*k2[1]
        return T, t
    if not counter:
        return end(283.0)
    # linear: two shots
    a, b = end(283.0)[1], end(363.0)[1]
    c0 = 283 + (283 - a)/(b - a)*80
    return end(c0)[0], c0
for name, cold, counter in (("counter", 1500.0, 1), ("alongside", 1500.0, 0), ("equal", 1000.0, 1)):
    T, t = along(1000.0, cold, counter)
    last = rows(name)[-1]
    near(f"heat exchanger, {name}, K", max(abs(last["x.x.hot_out"] - T), abs(last["x.x.cold_out"] - t)), 1e-5)
sys.exit(not ok)
PY

# ---- the electric Clio: what the battery gave, by its charge alone, is what went into heat, coils, the rotor and the wheels; and the whole
# car's energy balances
for f in joint natural; do
    ends 0 run clio --run electric --dt 5e-4 --formulation $f --out "$dir/clio.csv" --quiet --strict
    must "energy of the electric Clio, $f" python3 - "$dir/clio.csv" $f <<'PY'
import csv, sys
with open(sys.argv[1]) as file:
    rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
a, b = rows[0], rows[-1]
def battery(q): return 340*q + 60*q*q/(2*180000)
given = battery(a["motor.battery.open.q"]) - battery(b["motor.battery.open.q"])
def energy(end): return sum(b[k] for k in b if k.endswith(end + ".energy"))
lost = sum(energy(e) for e in ("battery.inside", "battery.slow_loss", "inverter.valve_d", "inverter.valve_q", "motor.heat_d", "motor.heat_q", "motor.bearing", "twist->damp"))
def stored(r):
    return (r["motor.battery.slow_charge.q"]**2/(2*30/0.03) + r["motor.motor.coil_d.p"]**2/(2*2e-4) + r["motor.motor.coil_q.p"]**2/(2*3e-4)
            + r["motor.motor.rotor.p"]**2/(2*0.03) + 2000*r["motor.give.q"]**2/2)
wheels = energy("differential.out->left") + energy("differential.out->right")
gap = given - lost - (stored(b) - stored(a)) - wheels
print(f"measured electric Clio {sys.argv[2]}, energy of the drive of {given:.0f} J error={abs(gap)/given:.3e} limit=1.000e-06")
print(f"measured electric Clio {sys.argv[2]}, energy of the car error={abs(b['energy.balance'])/given:.3e} limit=1.000e-06")
assert abs(gap) < 1e-6*given and abs(b["energy.balance"]) < 1e-6*given, (gap, given, b["energy.balance"])
assert 8e5 < given < 1e6 and 30 < b["speed"] < 36
# the power of the wheels never beyond what was asked for, and the currents along the magnets only where the voltage ends
assert max(r["motor.differential.out->left.power"] + r["motor.differential.out->right.power"] for r in rows) < 60e3*1.02
PY
done
# it brakes with the motor when the accelerator is let go, and charges the battery
ends 0 run clio --set electric=1 --set pedal=0 --set v0=25 --set spin_f=95.2 --set spin_r=95.2 --time 6 --out "$dir/coast.csv" --quiet
must "the battery is charged" python3 - "$dir/coast.csv" <<'PY'
import csv, sys
with open(sys.argv[1]) as file:
    rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
assert rows[-1]["motor.battery.left"] > rows[0]["motor.battery.left"] and rows[-1]["speed"] < 20, (rows[-1]["motor.battery.left"], rows[-1]["speed"])
PY
# a battery that empties is no steady motion, and is named; with a voltage that stays the car has modes at speed, all of which decay, the slowest
# that of the battery's slow voltage, 1/30 s
ends 3 trim clio --set electric=1 --speed 20
must "what empties is named" grep -q "motor.battery.open.q finds no rest" "$dir/stderr"
ends 0 trim clio --set electric=1 --set sag=0 --speed 20 --modes
must "modes of a car with a battery" python3 - "$dir/stdout" <<'PY'
import re, sys
values = [float(m) for m in re.findall(r"^ +(-?[0-9.e+-]+) 1/s", open(sys.argv[1]).read(), re.M)]
assert len(values) > 15 and max(values) < -0.02, values
assert abs(max(values) + 1/30) < 2e-4, max(values) # the motor draws a constant power, which the voltage hardly changes
PY
finish
