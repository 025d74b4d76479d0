#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela equilibrium`, and runs that start there.
. tests/cli/support.bash

csv=$dir/e.csv
ends 0 equilibrium pendulum --set theta0=0 --out "$csv"
must "the table has the joint" grep -q "pivot *angle -1.57079633" "$dir/stdout"
must "the reaction carries the weight" grep -q "pivot *fx [-0-9.e]* fy 9.81 " "$dir/stdout"
must "one row" test "$(wc -l <"$csv")" -eq 2
ends 0 equilibrium governor --json
must "the table is JSON" python3 -m json.tool "$dir/stdout"
must "what has no stiffness is named" grep -q "spindle.angle" "$dir/stderr"
ends 0 run pendulum --set theta0=0 --start equilibrium --time 0.1 --out "$csv"
must "the run stays there" awk -F, 'NR > 1 && ($2 > 1e-9 || $2 < -1e-9) { exit 1 }' "$csv"
# every coordinate of every kind of joint: a rod that hangs in a universal joint, a plate on springs in its plane
cat >"$dir/kinds.yaml" <<END
biela: 1
name: kinds
gravity: [0, 0, -10]
bodies:
  rod: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  plate: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0]}
  globe: {mass: 1, com: [0, 0, -0.1], inertia: [1, 1, 1], at: [6, 0, 0]}
joints:
  cross: {type: universal, bodies: [ground, rod], axis_a: [0, 0, 1], axis_b: [0, 1, 0]}
  flat: {type: planar, bodies: [ground, plate], at: [3, 0, 0], axis: [0, 1, 0]}
  ball: {type: spherical, bodies: [ground, globe], at: [6, 0, 0]}
forces:
  bed: {type: bushing, a: {body: ground, at: [3, 0, 0]}, b: {body: plate}, stiffness: [200, 200, 200, 50, 50, 50]}
outputs: {m: {expr: cross.angle2}}
run: {time: 1, dt: 1e-3}
END
for formulation in natural joint; do
    ends 0 equilibrium "$dir/kinds.yaml" --formulation $formulation --json
    must "coordinates of all joints ($formulation)" python3 - "$dir/stdout" <<'PY'
import json, math, sys
joint = json.load(open(sys.argv[1]))["joint"]
assert set(joint["cross"]) == {"angle1", "angle2"} and set(joint["flat"]) == {"angle", "x", "y"}, joint
# described at pi/2, and a quarter of a turn down from there
assert abs(joint["cross"]["angle2"] - math.pi) < 1e-6, joint
# 10 N on 200 N/m
assert abs(math.hypot(joint["flat"]["x"], joint["flat"]["y"]) - 0.05) < 1e-6 and abs(joint["flat"]["angle"]) < 1e-6, joint
PY
done
cat >"$dir/fall.yaml" <<END
biela: 1
name: falling
bodies: {stone: {mass: 1, inertia: [1, 1, 1]}}
run: {start: equilibrium}
END
ends 3 equilibrium "$dir/fall.yaml" --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"
must "what falls is named" grep -q "body stone (z)" "$dir/stderr"
cat >"$dir/column.yaml" <<END
biela: 1
name: column beyond its buckling load
gravity: [0, 0, 0]
bodies:
  bar:
    flex:
      materials: {steel: {young: 200 GPa, density: 8000, poisson: 0.3}}
      sections: {bar: {rectangle: [10 mm, 20 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: 10}}
      frame: root
      boundary: [tip]
      modes: 4
      foreshortening: true
joints: {clamp: {type: fixed, bodies: [ground, bar]}}
forces: {f: {type: force, point: {body: bar, node: tip}, fy: 1, fx: -1200}}
END
ends 3 equilibrium "$dir/column.yaml"
must "a bar that bends is named, where it stands" grep -q "column.yaml:5:3: .*moving bar.mode1" "$dir/stderr"
ends 2 run "$dir/fall.yaml" --out "$csv"
ends 2 run pendulum --start equilibium --out "$csv"
must "a misspelt start" grep -q "did you mean 'equilibrium'?" "$dir/stderr"

# two pendulums of a graph that swing: let go and stopped until they hang, longer by m g/k; their spring is as long as it wants
ends 0 equilibrium coupled-pendulums-bg --out "$dir/hang.csv"
must "the pendulums hang" python3 - "$dir/hang.csv" <<'PY'
import csv, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
y = -3 - 9.81/1e5
assert abs(row["graph.one.y"] - y) < 1e-5 and abs(row["graph.two.y"] - y) < 1e-5, (row["graph.one.y"], row["graph.two.y"])
assert abs(row["graph.one.x"]) < 1e-5 and abs(row["graph.two.x"] - 2) < 1e-5 and abs(row["graph.theta2"]) < 1e-5
assert all(abs(v) < 1e-4 for k, v in row.items() if k.endswith(".f") and "q" not in k)
PY

# a graph without any rest writes nothing
cat >"$dir/runs.yaml" <<'END'
biela: 1
name: runs away
graphs:
  g:
    nodes: {v: {type: Se, value: 2}, j: {type: 1}, r: {type: R, value: 1}, c: {type: C, effort: -sqrt(1 - q)}}
    bonds: [v -> j, j -> r, j -> c]
outputs: {g: {graph: g}}
run: {time: 0.1, dt: 0.01}
END
ends 3 equilibrium "$dir/runs.yaml" --out "$dir/none.csv"
must "no rest is told" grep -q "states of a graph come to no rest" "$dir/stderr"
must "nothing is written" test ! -e "$dir/none.csv"

# a path of equilibria: a row for each point, a limit that is told, and what cannot be asked
cat >"$dir/truss.yaml" <<'END'
biela: 1
name: two shallow springs
gravity: [0, 0, 0]
inputs: {P: {initial: 0, min: 0, max: 100, unit: N}}
bodies: {top: {mass: 1, inertia: [1, 1, 1], at: [0, 0.2, 0]}}
joints: {up: {type: prismatic, bodies: [ground, top], axis: [0, 1, 0]}}
forces:
  a: {type: spring, a: {body: ground, at: [-1, 0, 0]}, b: {body: top}, stiffness: 1000, rest: "sqrt(1.04)"}
  b: {type: spring, a: {body: ground, at: [1, 0, 0]}, b: {body: top}, stiffness: 1000, rest: "sqrt(1.04)"}
  P: {type: force, point: {body: top}, fy: -P}
outputs: {y: {point: {body: top}}}
END
ends 0 equilibrium "$dir/truss.yaml" --path P=10 --out "$dir/path.csv"
# with c = cos at the limit, c^3 = cos of the described slope: P = 2 k L0 (1 - c^2) sqrt(1 - c^2)
must "both limits of the springs" python3 - "$dir/stdout" <<'PY'
import re, sys
c = (1/1.04)**(1/6)
wanted = 2*1000*(1.04)**0.5*(1 - c*c)**1.5
loads = [float(v) for v in re.findall(r"limit +P (\S+)", open(sys.argv[1]).read())]
assert len(loads) == 2 and abs(loads[0]/wanted - 1) < 1e-7 and abs(loads[1]/wanted + 1) < 1e-7, (loads, wanted)
PY
must "a row for each point" test "$(wc -l <"$dir/path.csv")" -gt 20
must "the load is a channel" grep -q "input.P" "$dir/path.csv"
ends 0 equilibrium "$dir/truss.yaml" --path P=1 --json
must "a path is JSON" python3 -m json.tool "$dir/stdout"
ends 0 equilibrium "$dir/truss.yaml" --path P=10 --points 5 --branch -2
must "a path that ends early is told" grep -q "the path ends at P = .* after 5 points, before 10" "$dir/stderr"
must "a branch that did not come is told" grep -q "branch 2 was asked for, and 0 began" "$dir/stderr"
ends 2 equilibrium "$dir/truss.yaml" --path P=10 --branch 0
ends 2 equilibrium "$dir/truss.yaml" --path Q=1
must "an input that is not there" grep -q "no input 'Q', but P" "$dir/stderr"
ends 2 equilibrium "$dir/truss.yaml" --path P=0
must "there already" grep -q "P is 0 already" "$dir/stderr"
ends 2 equilibrium "$dir/truss.yaml" --path P
ends 2 equilibrium "$dir/truss.yaml" --points 5
must "without a path" grep -q "belongs to --path" "$dir/stderr"
ends 1 equilibrium "$dir/truss.yaml" --path P=1 --out /dev/full

# a body in modes that has left the range in which it is linear is told, and what helps
cat >"$dir/bent.yaml" <<'END'
biela: 1
name: bent
gravity: [0, 0, 0]
bodies:
  bar:
    flex:
      materials: {steel: {young: 200 GPa, density: 8000}}
      sections: {bar: {rectangle: [5 mm, 10 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: 8}}
      frame: root
      boundary: [tip]
joints: {c: {type: fixed, bodies: [ground, bar]}}
forces: {p: {type: force, point: {body: bar, node: tip}, fy: 20}}
END
ends 0 equilibrium "$dir/bent.yaml"
must "a body that bends too far is told" grep -q "deflection of a flexible body.*body bar.*model: exact" "$dir/stderr"

finish
