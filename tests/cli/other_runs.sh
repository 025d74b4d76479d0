#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A mistake in one case of `runs` does not stop another one that is asked for; check tells all. What a refused parameter leads to is
# not told; a drive says that it plays no manoeuvre.
. tests/cli/support.bash

cat >"$dir/two.yaml" <<'YAML'
biela: 1
name: two
parameters: {way: {value: 0, min: 0, max: 1}}
inputs: {push: 0}
bodies: {rod: {mass: 2, inertia: [0.1, 0.1, 0.1]}}
signals: {force0: {type: expr, value: push}, force1: {type: expr, value: 2*push}}
forces: {push: {type: force, point: {body: rod, at: [0, 0, 0]}, fx: force$way}}
outputs: {o: {body: rod}}
run: {time: 0.1, dt: 0.01}
runs:
  a: {time: 0.2}
  b: {time: 0.2, scheme: rk99, tolerance: 1e-3}
  c: {manoeuvre: push.csv}
YAML
printf 't,push\n0,0\n1,1\n' >"$dir/push.csv"
ends 0 run "$dir/two.yaml" --run a --out "$dir/a.csv"
must "the mistake is a warning with its line" grep -q "two.yaml:12:26: warning: runs.b.scheme: 'rk99' is not known" "$dir/stderr"
must "the case runs" grep -q "^0.2" <(tail -n 1 "$dir/a.csv")
ends 2 run "$dir/two.yaml" --run b --out "$dir/b.csv"
ends 2 check "$dir/two.yaml"
must "check tells it" grep -q "two.yaml:12:26: error: runs.b.scheme" "$dir/stderr"
ends 2 check "$dir/two.yaml" --set way=2
must "what is refused is told" grep -q "parameters.way: 2 is outside of its range: from 0 to 1" "$dir/stderr"
must "and not what follows from it" sh -c "! grep -q force2 '$dir/stderr'"
sed -i '/^  b:/d' "$dir/two.yaml"
ends 0 drive "$dir/two.yaml" --run c --headless --unpaced --time 0.1 --no-record
must "a drive says that it plays no manoeuvre" grep -q "the manoeuvre .*push.csv of this run is not played" "$dir/stderr"

finish
