#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mistakes in graphs whose parts come from other files: each message carries the file, line and name where it is.
. tests/cli/support.bash

cat >"$dir/parts.yaml" <<'YAML'
biela: 1
name: parts
subgraphs:
  spring:
    ports: [e]
    nodes:
      e: {type: 1}
      s: {type: C, value: stiffness}
    bonds: [e -> s]
  gain:
    ports: [e, f]
    nodes:
      e: {type: 1}
      f: {type: 1}
      g: {type: TF, value: wanted}
    bonds: [e -> g -> f]
YAML

# a name that only the compiled graph can look for is told long after the files are closed
cat >"$dir/model.yaml" <<'YAML'
biela: 1
name: model
graphs:
  g:
    parts:
      a: {file: parts.yaml, graph: gain}
    nodes:
      m: {type: I, value: 2}
      r: {type: R, value: 3}
    bonds: [a.e -> m, a.f -> r]
run: {time: 1, dt: 1e-3}
YAML
ends 2 check "$dir/model.yaml"
must "the file of the part, its line and the name" grep -q "^$dir/parts.yaml:15:[0-9]*: error: .*wanted" "$dir/stderr"

# what `bind` made of a name is told beside it, and once, though a matrix reads it nine times
cat >"$dir/turn.yaml" <<'YAML'
biela: 1
name: turn
graphs:
  g:
    parts:
      b: {file: bodies.yaml, graph: body, set: {m: 2, vx: 1}}
      t: {file: bodies.yaml, graph: turn, bind: {q0: b.q0, q1: b.q1, q2: b.q2, q3: b.qq}}
    nodes:
      out: {type: 1, size: 3}
      d: {type: R, size: 3, value: [1, 0, 0]}
    bonds: [b.v -> t.R -> out, out -> d]
run: {time: 1, dt: 1e-3}
YAML
cp models/library/bodies.yaml "$dir"
ends 2 check "$dir/turn.yaml"
must "the bound name in the library" grep -q "^$dir/bodies.yaml:[0-9]*:[0-9]*: error: .*'q3', which 'bind' makes 'b.qq'" "$dir/stderr"
must "one message" test "$(grep -c "error: " "$dir/stderr")" -eq 1

# a sub-graph that is not there is a mistake of the file that asks for it
sed 's/graph: gain/graph: gein/' "$dir/model.yaml" >"$dir/absent.yaml"
ends 2 check "$dir/absent.yaml"
must "the place of the name that was written" grep -q "^$dir/absent.yaml:6:36: error: .*no sub-graph 'gein' in .*parts.yaml" "$dir/stderr"
# an engine map in a file: lines in any order; a hole, a second value and a third column that is not there are told
cat >"$dir/engine.csv" <<'CSV'
rpm,pedal,torque
3000,1,77
1000,0,-8
1000,1,65
3000,0,-12
CSV
cat >"$dir/map.yaml" <<'YAML'
biela: 1
name: map
tables: {engine: {file: engine.csv, columns: [rpm, pedal, torque], units: [rpm, "1", N*m], outside: error}}
graphs:
  d:
    nodes:
      S: {type: Se, value: "engine(fly.f, 0.5)"}
      shaft: {type: 1}
      fly: {type: I, value: 0.5, initial: 0.5*200}
      load: {type: R, value: 0.15}
    bonds: [S -> shaft, shaft -> fly, shaft -> load]
outputs: {d: {graph: d}}
run: {time: 5, dt: 1e-2}
YAML
ends 0 run "$dir/map.yaml" --out "$dir/map.csv"
# (28.5 + 0.0190986 (w - 104.72)) / 0.15 = w at rest: 202.43 rad/s
must "the speed where the torque meets the load" python3 - "$dir/map.csv" <<'PY'
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
slope = (32.5 - 28.5) / (2000 * 3.141592653589793 / 30)
rest = (28.5 - slope * 1000 * 3.141592653589793 / 30) / (0.15 - slope)
import math
w = rest + (200 - rest) * math.exp(-(0.15 - slope) / 0.5 * 5)
assert abs(float(last["d.shaft->fly.f"]) - w) < 1e-5, (last["d.shaft->fly.f"], w)
PY
sed 's/0.5\*200/0.5*50/' "$dir/map.yaml" >"$dir/slow.yaml"
ends 2 run "$dir/slow.yaml" --out "$dir/map.csv"
must "the range that was left" grep -q "engine from 104.72 to 314.159 and from 0 to 1" "$dir/stderr"
sed -i '$d' "$dir/engine.csv"
ends 2 check "$dir/map.yaml"
must "the hole" grep -q "map.yaml:3:.*no value at x = 3000, y = 0, and 1 holes in all of 2 times 2" "$dir/stderr"
echo "3000,1,70" >>"$dir/engine.csv"
ends 2 check "$dir/map.yaml"
must "the second value" grep -q "line 5 of the map gives a second value at x = 3000, y = 1" "$dir/stderr"
finish
