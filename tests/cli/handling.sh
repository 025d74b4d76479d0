#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Trim and handling: the car against closed forms, the forklift's J-turn against another program, files, and what cannot be done.
. tests/cli/support.bash

cat >"$dir/look.py" <<'PY'
import json, math, sys

def found(path):
    told = json.load(open(path))
    return {m["name"]: ({f["name"]: f["value"] for f in m["found"]}, m["outcome"], m["why"]) for m in told["manoeuvres"]}

def near(name, value, wanted, tolerance):
    gap = abs(value / wanted - 1)
    print(f"measured {name} error={gap:.3e} limit={tolerance:.3e}")
    return gap <= tolerance

ok = True
if sys.argv[1] == "car":
    # the car of models/car: wheel base, half track, masses, springs, tyres; the centre of mass is in the middle
    L, b, m, mw, ks, kt, ky, g, V, r = 2.6, 0.75, 1200, 20, 20000, 200000, 1.5e5, 9.81, 20, 0.3
    load = (m / 4 + mw) * g
    z = r - load / kt
    numbers = found(sys.argv[2])["steady-speed"][0]
    # equal axles: neither under- nor oversteer, so that the steering is the wheel base over the radius
    ok &= near("car, yaw gain of its bicycle model", numbers["yaw gain"], V / L, 1e-2)
    share = numbers["understeer gradient"] * math.pi / 180 / g * V * V / L
    print(f"measured car, understeer over the steering of the wheel base error={abs(share):.3e} limit=1.000e-02")
    ok &= abs(share) <= 1e-2
    # roll: forces at the ground, springs and tyres in series; the tyres give way sideways; four wheels are gyroscopes
    spin, aside = V / (r - load / kt / 3), (m / 4 + mw) / ky
    more = 4 * 0.9 * spin / V + (m + 4 * mw) * g * aside
    h = z + 0.25
    springs, tyres = 4 * ks * b * b, 4 * kt * b * b
    roll = ((m * h + more) / springs + (m * h + 4 * mw * z + more) / tyres) / (1 - m * g * h / springs - (m * h + 4 * mw * z) * g / tyres)
    ok &= near("car, roll gradient", numbers["roll gradient"], roll * g * 180 / math.pi, 1e-2)
    step = found(sys.argv[2])["step"][0]
    # 4 m/s2 is beyond the linear range: tyres and a speed that falls take 3 %
    ok &= near("car, yaw gain of a step", step["yaw gain"], V / L, 5e-2)
if sys.argv[1] == "uneven":
    # the centre of mass 0.2 m before the middle, and 0.2 m behind: K = m_f/C_f - m_r/C_r, C of TMeasy's parabola over the load
    l, m, mw, V, g = 1.3, 1200, 20, 20, 9.81
    found_K = []
    for path, ahead in ((sys.argv[2], 0.2), (sys.argv[3], -0.2)):
        numbers = found(path)["steady-speed"][0]
        mass = [m / 2 * (1 + side * ahead / l) + 2 * mw for side in (1, -1)]
        stiffness = [2 * q * (57500 - 7500 * q) for q in (x * g / 2 / 3200 for x in mass)]
        K = mass[0] / stiffness[0] - mass[1] / stiffness[1]
        ok &= near(f"car, yaw gain with its mass at {ahead} m", numbers["yaw gain"], 1 / (2 * l / V + K * V), 1e-2)
        found_K.append(numbers["understeer gradient"] * math.pi / 180 / g)
    # the engine's drag on wheels of unequal speed holds both back from turning; in the difference it is gone
    ok &= near("car, understeer gradient", (found_K[0] - found_K[1]) / 2, abs(K), 1e-2)
if sys.argv[1] == "forklift":
    numbers = found(sys.argv[2])["j-turn"][0]
    ok &= near("forklift, J-turn, a wheel lifts", numbers["a wheel lifts at"], 4.472, 2e-2)
    ok &= near("forklift, J-turn, rolls over", numbers["rolls over at"], 5.269, 2e-2)
sys.exit(not ok)
PY

ends 0 handling car --only steady-speed,step --out "$dir/car" --json
must "the numbers are JSON" python3 -m json.tool "$dir/stdout"
must "the car's steady turns and step are those of closed forms" python3 "$dir/look.py" car "$dir/car/handling.json"
cat "$dir/log"
must "the page has curves" grep -q '<polyline class="curve"' "$dir/car/handling.html"
must "the table has a row for each number" grep -q '^car,steady-speed,"ISO 4138",,"yaw gain",7.6' "$dir/car/handling.csv"

ends 0 handling car --only steady-speed --set ahead=0.2 --out "$dir/front"
ends 0 handling car --only steady-speed --set ahead=-0.2 --out "$dir/back"
must "with its mass in front it understeers, behind it oversteers, as its bicycle model" python3 "$dir/look.py" uneven "$dir/front/handling.json" "$dir/back/handling.json"
cat "$dir/log"

ends 0 handling forklift --only j-turn --out "$dir/fork"
must "the verdict is told" grep -q 'NHTSA), fail' "$dir/stdout"
must "the forklift's J-turn is that of another program" python3 "$dir/look.py" forklift "$dir/fork/handling.json"
cat "$dir/log"

# what cannot be done says why
refuses() {
    ends "$1" "${@:3}"
    must "biela ${*:3} says '$2'" grep -q "$2" "$dir/stderr"
}
refuses 2 "has no section 'vehicle'" handling pendulum
refuses 2 "did you mean 'step'" handling car --only stepp
refuses 2 "not for vehicles with 2 wheels" handling bicycle --only step
refuses 3 "the last one found is at 20 m/s and" trim car --speed 20 --ay 12
refuses 2 "must be above zero" trim car --speed 0
refuses 2 "say the same thing" trim car --ay 1 --radius 50
sed 's/steer: angle, throttle/steer: angel, throtle/; s/, tyre00\], /], /' models/car/model.yaml >"$dir/typo.yaml"
refuses 2 "there is no input 'angel'" check "$dir/typo.yaml"
must "all mistakes are told at once" grep -q "two tyres (front, rear) or four" "$dir/stderr"
must "also a key that there is not" grep -q "throtle" "$dir/stderr"
ends 0 trim clio --speed 18 --ay 0:3:1 --modes --out "$dir/turns.csv"
must "a row for each turn" test "$(wc -l <"$dir/turns.csv")" -eq 5
ends 0 handling clio --only brake-turn,split --set cornering_r=700
finish
