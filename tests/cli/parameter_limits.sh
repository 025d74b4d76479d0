#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parameters with min and max: values outside are refused wherever they come from, in the parameter's own unit.
. tests/cli/support.bash

cat >"$dir/limits.yaml" <<'END'
biela: 1
name: limits
parameters:
  a: {value: 10, unit: deg, min: 0, max: 90, help: angle of it}
  b: {value: 2, min: 1}
  c: {value: 3, unit: m, max: 2*b*1 m}
bodies: {p: {mass: 1, inertia: [1, 1, 1], at: [c, 0, 0], turn: {x: a}}}
outputs: {p: {body: p}}
run: {time: 0.01}
runs: {steep: {set: {a: 95}}}
END
limits=$dir/limits.yaml

# refused MESSAGE ARGUMENTS...
refused() {
    local message=$1
    shift
    ends 2 run "$limits" --out "$dir/no.csv" "$@"
    must "$message" grep -q -e "$message" "$dir/stderr"
    must "nothing is written" test ! -e "$dir/no.csv"
}
ends 0 run "$limits" --out "$dir/yes.csv"
ends 0 run "$limits" --set a=90 --set c=4 --out "$dir/yes.csv"
ends 0 run "$limits" --set a=-1e-15 --out "$dir/yes.csv"
refused "set a=95: error: parameters.a: 95 is outside of its range: from 0 to 90 deg; angle of it" --set a=95
refused "parameters.a: 180 is outside" --set a=pi
refused "parameters.b: 0.5 is outside of its range: at least 1" --set b=0.5
refused "limits.yaml:6:14: error: parameters.c: 3 is outside of its range: at most 2 m" --set b=1
refused "limits.yaml:10:25: error: parameters.a: 95 is outside" --run steep
sed 's/max: 90/max: 90 kg/' "$limits" >"$dir/bad.yaml"
ends 2 check "$dir/bad.yaml"
must "a limit has the dimension of its parameter" grep -q "bad.yaml:4:" "$dir/stderr"

# the truck, which took anything
for nonsense in lift0=10 tilt0=60 kingpin=-1 track_f=0 speed=8; do
    ends 2 check forklift --set $nonsense
    must "$nonsense is refused" grep -q "${nonsense%=*}: .* is outside of its range" "$dir/stderr"
done

finish
