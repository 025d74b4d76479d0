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
finish
