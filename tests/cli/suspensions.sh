#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parts of models/library/suspension: toe, camber and caster against geometry made from hard points alone, over bump and steer, on both
# sides, in both formulations; springs, stops and leaves against their laws.
. tests/cli/support.bash

part=$PWD/models/library/suspension
corner() { # NAME SIDE
    cat <<YAML
biela: 1
name: a corner that is moved
include: {file: $part/$1.yaml, prefix: c_, set: {side: $2, toe: 0.2, camber: -1}}
constraints:
  bump: {type: guide, joint: c_lower_hinge, value: "$2*16 deg*sin(2*pi*t)"}
  steer: {type: guide, joint: c_rack, value: "0.06*sin(2*pi*5.3*t)"}
  spin: {type: guide, joint: c_spin, value: 0}
outputs:
  n: {vector: {body: c_wheel, along: [0, 1, 0]}}
  c: {point: {body: c_wheel}}
  low: {point: {body: c_knuckle, at: [$3]}}
  top: {point: $4}
  angle: {joint: c_lower_hinge}
  rack: {joint: c_rack}
  spring: {effort: c_spring}
  stop: {effort: c_bump_stop}
$5
run: {time: 1, dt: 0.004}
YAML
}
for f in natural joint; do
    for side in 1 -1; do
        corner double-wishbone "$side" "0.01, $side*0.70, -0.12" "{body: c_knuckle, at: [-0.02, $side*0.66, 0.19]}" "" >"$dir/dw.yaml"
        corner mcpherson "$side" "0, $side*0.66, -0.09" "{body: ground, at: [-0.035, $side*0.53, 0.52]}" "  strut: {joint: c_strut}" >"$dir/mp.yaml"
        for p in dw mp; do
            ends 0 kinematics "$dir/$p.yaml" --formulation $f --out "$dir/$p.$side.$f.csv" --strict --quiet
        done
    done
done

# wheels at heights: links, a live axle, a twist beam
cat >"$dir/ml.yaml" <<YAML
biela: 1
name: five links that are moved
include:
  - {file: $part/multi-link.yaml, prefix: l_, set: {toe: 0.1, camber: -0.8}}
  - {file: $part/multi-link.yaml, prefix: r_, set: {side: -1, toe: 0.1, camber: -0.8}}
constraints:
  l: {type: expression, points: {P: {body: l_wheel}}, zero: "P.z - 0.08*sin(2*pi*t)"}
  r: {type: expression, points: {P: {body: r_wheel}}, zero: "P.z - 0.08*sin(2*pi*t)"}
  ls: {type: guide, joint: l_spin, value: 0}
  rs: {type: guide, joint: r_spin, value: 0}
outputs:
  l: {vector: {body: l_wheel, along: [0, 1, 0]}}
  r: {vector: {body: r_wheel, along: [0, 1, 0]}}
  c: {point: {body: l_wheel}}
run: {time: 1, dt: 0.01}
YAML
for p in live-axle twist-beam; do
    cat >"$dir/$p.yaml" <<YAML
biela: 1
name: an axle that is moved
include: {file: $part/$p.yaml, prefix: a_}
constraints:
  l: {type: expression, points: {P: {body: a_wheel1}}, zero: "P.z - 0.07*sin(2*pi*t)"}
  r: {type: expression, points: {P: {body: a_wheel0}}, zero: "P.z - 0.07*sin(2*pi*2.3*t)"}
  ls: {type: guide, joint: a_spin1, value: 0}
  rs: {type: guide, joint: a_spin0, value: 0}
outputs:
  l: {vector: {body: a_wheel1, along: [0, 1, 0]}}
  r: {vector: {body: a_wheel0, along: [0, 1, 0]}}
  c: {point: {body: a_wheel1}}
run: {time: 1, dt: 0.01}
YAML
done
sed -i 's/prefix: a_}/prefix: a_, set: {toe: 0.3, camber: -1.5}}/' "$dir/twist-beam.yaml"
for f in natural joint; do
    for p in ml live-axle twist-beam; do
        ends 0 kinematics "$dir/$p.yaml" --formulation $f --out "$dir/$p.$f.csv" --strict --quiet
    done
done
must "wheels stand where the hard points put them" python3 - "$dir" <<'PY'
import csv, math, sys
sys.path.insert(0, "tests/support")
from suspension_geometry import *
limit, worst = 1e-9, {}
def rows(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
def vec(r, name): return [r[name + "." + k] for k in "xyz"]
def note(name, gap): worst[name] = max(worst.get(name, 0.0), abs(gap))
def axis(side, toe, camber):
    t, c = math.radians(toe), math.radians(camber)
    return [side*math.sin(t)*math.cos(c), math.cos(t)*math.cos(c), -side*math.sin(c)]
dw = dict(lower_front=[.14, .34, -.10], lower_rear=[-.20, .34, -.09], lower_ball=[.01, .70, -.12], upper_front=[.10, .43, .19],
          upper_rear=[-.14, .44, .17], upper_ball=[-.02, .66, .19], rod_inner=[-.12, .36, -.06], rod_outer=[-.13, .67, -.07], centre=[0, .75, 0])
mp = dict(lower_front=[.02, .34, -.07], lower_rear=[-.28, .36, -.06], lower_ball=[0, .66, -.09], top=[-.035, .53, .52],
          foot=[-.005, .585, .07], rod_inner=[-.12, .32, 0], rod_outer=[-.125, .63, -.015], centre=[0, .72, 0])
span = {}
for f in ("natural", "joint"):
    for side in (1, -1):
        for name, points, make in (("dw", dw, double_wishbone), ("mp", mp, mcpherson)):
            h = {k: [p[0], side*p[1], p[2]] for k, p in points.items()}
            h["axis"] = axis(side, 0.2, -1)
            for r in rows(f"{name}.{side}.{f}"):
                told = make(h, r["angle.angle"], r["rack.position"])
                toe, camber = angles(told[1], side)
                toe_, camber_ = angles(vec(r, "n"), side)
                lean, lean_ = caster(told[2]), caster(sub(vec(r, "top"), vec(r, "low")))
                for what, gap in (("toe", toe - toe_), ("camber", camber - camber_), ("caster", lean - lean_), ("centre", norm(sub(told[0], vec(r, "c"))))):
                    note(f"{name} {what}", gap)
                for what, value in (("height", told[0][2]), ("toe", toe), ("camber", camber), ("caster", lean)):
                    low, high = span.get((name, what), (1e9, -1e9))
                    span[name, what] = min(low, value), max(high, value)
                if name == "mp":
                    # the strut lengthens against s, the way of the mount along it
                    note("mp strut", r["strut.position"] - told[3])
                    x = max(0.0, -told[3] - 0.055)
                    note("mp spring over load", (abs(r["spring"]) - abs(3200 - 22000*told[3])) / 3200)
                    # a curve through points of its law: between them it may leave it by a fiftieth
                    law = 40000*x*(1 + (x/0.02)**2/2)
                    note("mp bump stop beyond 2 % of its law", max(0.0, abs(abs(r["stop"]) - law) - 0.02*law))
                    span["mp", "stop"] = 0, max(span.get(("mp", "stop"), (0, 0))[1], x)
# it was moved far enough to mean something
assert span["dw", "height"][0] < -0.07 and span["dw", "height"][1] > 0.07, span
assert span["mp", "height"][0] < -0.07 and span["mp", "height"][1] > 0.07, span
assert span["mp", "stop"][1] > 0.015, span
assert all(span[n, "toe"][1] > 0.35 and span[n, "toe"][0] < -0.35 for n in ("dw", "mp")), span

links = [([.28, .38, -.06], [.05, .68, -.11]), ([-.08, .22, -.08], [-.04, .68, -.12]), ([.20, .40, .11], [.03, .65, .14]),
         ([-.06, .35, .12], [-.03, .66, .15]), ([-.20, .30, -.03], [-.14, .68, -.05])]
rods = [([.55, .45, -.02], [.05, .50, -.10]), ([.55, -.45, -.02], [.05, -.50, -.10]), ([.40, 0, .14], [.02, 0, .15]), ([-.14, -.48, .05], [-.14, .50, .02])]
beam = dict(pivot=[.38, .56, .03], shear=[.26, 0, .02], centre=[0, .70, 0], axis=axis(1, 0.3, -1.5))
for f in ("natural", "joint"):
    x = [0.0]*6
    for r in rows(f"ml.{f}"):
        x = linked(links, [([0, .75, 0], 0.08*math.sin(2*math.pi*r["t"]))], x)
        n = sub(placed(x, axis(1, 0.1, -0.8)), x[:3])
        for side in (1, -1):
            told, seen = angles([n[0], n[1], n[2]], 1), angles(vec(r, "l" if side == 1 else "r"), side)
            note("multi-link toe", told[0] - seen[0])
            note("multi-link camber", told[1] - seen[1])
        note("multi-link centre", norm(sub(placed(x, [0, .75, 0]), vec(r, "c"))))
    x = [0.0]*6
    for r in rows(f"live-axle.{f}"):
        x = linked(rods, [([0, .75, 0], .07*math.sin(2*math.pi*r["t"])), ([0, -.75, 0], .07*math.sin(2*math.pi*2.3*r["t"]))], x)
        note("live axle axis", norm(sub(sub(placed(x, [0, 1, 0]), x[:3]), vec(r, "l"))))
        note("live axle centre", norm(sub(placed(x, [0, .75, 0]), vec(r, "c"))))
    x = [0.0]*4
    for r in rows(f"twist-beam.{f}"):
        x, left, right = twist_beam(beam, .07*math.sin(2*math.pi*r["t"]), .07*math.sin(2*math.pi*2.3*r["t"]), x)
        note("twist beam left", norm(sub(left, vec(r, "l"))))
        note("twist beam right", norm(sub(right, vec(r, "r"))))
for name, gap in sorted(worst.items()):
    print(f"measured suspensions, {name} error={gap:.3e} limit={limit:.3e}")
for (name, what), (low, high) in span.items():
    print(f"  {name} {what}: {low:.4f} to {high:.4f}")
sys.exit(max(worst.values()) > limit)
PY

# ---- compliance: a bar, leaves, bushings
cat >"$dir/bar.yaml" <<YAML
biela: 1
name: a bar that is twisted
gravity: [0, 0, 0]
include: {file: $part/anti-roll-bar.yaml, prefix: b_, set: {damping: 0}}
constraints:
  l: {type: guide, joint: b_bearing, value: 0.1*t}
  r: {type: guide, joint: b_twist, value: -0.25*t}
outputs: {moment: {effort: b_bar}, held: {effort: l}}
run: {time: 1, dt: 0.1}
YAML
cat >"$dir/leaf.yaml" <<YAML
biela: 1
name: an axle on leaf springs
gravity: [0, 0, 0]
parameters: {F: 0}
include: {file: $part/live-axle.yaml, prefix: a_, set: {leaf: 1, load: 0}}
forces: {up: {type: force, point: {body: a_axle}, fz: F}}
outputs: {c: {point: {body: a_axle}}}
run: {time: 0.01, dt: 1e-3}
YAML
sed 's/leaf: 1, load: 0}/leaf: 1, load: 3000}/' "$dir/leaf.yaml" >"$dir/laden.yaml"
# straight leaves on upright shackles between hard eyes: what is left is their own stiffness
sed 's/ks: {value: 40000/ks: {value: 40000/; s/camber_front: {value: 0.06/camber_front: {value: 0/; s/camber_rear: {value: 0.06/camber_rear: {value: 0/; s/lean: {value: 20/lean: {value: 0/; s/eye: {value: 2e6/eye: {value: 1e10/' "$part/leaf-spring.yaml" >"$dir/leaf-spring.yaml"
sed "s/leaf-spring.yaml, prefix/leaf-spring.yaml, prefix/" "$part/live-axle.yaml" >"$dir/live-axle-part.yaml"
sed -i "s|$part/live-axle.yaml|live-axle-part.yaml|" "$dir/leaf.yaml" "$dir/laden.yaml"
corner double-wishbone 1 "0, 0, 0" "{body: c_knuckle}" "" | sed '/bump:/d; /angle:/d; s/0.06\*sin(2\*pi\*5.3\*t)/0/; s/^gravity.*//' >"$dir/corner.yaml"
cat >>"$dir/corner.yaml" <<'YAML'
forces: {side: {type: force, point: {body: c_wheel, at: [0, 0, -0.3]}, fy: 2000}}
parameters: {soft: 0, hardness: 1}
YAML
sed -i 's/side: 1, toe/side: 1, soft: soft, bushing_x: 6e5*hardness, bushing_yz: 6e6*hardness, bushing_turn: 0, toe/' "$dir/corner.yaml"
for f in natural joint; do
    ends 0 kinematics "$dir/bar.yaml" --formulation $f --out "$dir/bar.$f.csv" --strict --quiet
    for F in 0 10; do
        ends 0 run "$dir/leaf.yaml" --set F=$F --formulation $f --start equilibrium --out "$dir/leaf$F.$f.csv" --quiet
    done
    ends 0 run "$dir/laden.yaml" --set F=6000 --formulation $f --start equilibrium --out "$dir/laden.$f.csv" --quiet
    ends 0 run "$dir/corner.yaml" --formulation $f --start equilibrium --time 0.01 --out "$dir/hard.$f.csv" --quiet
    ends 0 run "$dir/corner.yaml" --set soft=1 --set hardness=1e4 --formulation $f --start equilibrium --time 0.01 --out "$dir/stiff.$f.csv" --quiet
    ends 0 run "$dir/corner.yaml" --set soft=1 --formulation $f --start equilibrium --time 0.01 --out "$dir/soft.$f.csv" --quiet
done
must "bars, leaves and bushings give way as they should" python3 - "$dir" <<'PY'
import csv, math, sys
def rows(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(l for l in file if not l.startswith("#"))]
ok = True
def near(name, value, wanted, tolerance):
    global ok
    gap = abs(value / wanted - 1)
    print(f"measured suspensions, {name} error={gap:.3e} limit={tolerance:.3e}")
    ok = ok and gap <= tolerance
for f in ("natural", "joint"):
    near(f"bar {f}", abs(rows(f"bar.{f}")[-1]["moment"]), 800*0.25, 1e-12)
    way = rows(f"leaf10.{f}")[0]["c.z"] - rows(f"leaf0.{f}")[0]["c.z"]
    near(f"leaves {f}", way, 10/(2*24000), 1e-3)
    gap = abs(rows(f"laden.{f}")[0]["c.z"])
    print(f"measured suspensions, leaves under their load {f} error={gap:.3e} limit=1.000e-06")
    ok = ok and gap <= 1e-6
    hard, stiff, soft = (rows(f"{k}.{f}")[0] for k in ("hard", "stiff", "soft"))
    gap = max(abs(hard[k] - stiff[k]) for k in ("c.x", "c.y", "n.x", "n.z"))
    # 2000 N on bushings of 6e9 N/m, with levers of up to three
    print(f"measured suspensions, hard bushings {f} error={gap:.3e} limit=2.000e-06")
    ok = ok and gap <= 2e-6
    # 2000 N below the lower wishbone on four bushings: tenths of a millimetre
    give = abs(hard["c.y"] - soft["c.y"]) + 0.3*abs(hard["n.z"] - soft["n.z"])
    print(f"  soft bushings give way by {1e3*give:.3f} mm")
    ok = ok and 1e-4 < give < 3e-3
sys.exit(not ok)
PY
finish
