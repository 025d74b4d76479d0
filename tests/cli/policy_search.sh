#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The policy search of the examples (example.13_policy_search does it and looks whether it learns): the same bytes on any number of
# threads and on a device, and bad input is told. What thousands of rollouts learn: tests/soak/policy_search.sh.
. tests/cli/support.bash

search=$(dirname "$BIELA")/examples/example_13_policy_search
if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt"; then
    echo "the search itself is done there by example.13_policy_search"
    exit 0
fi

# found CODE OPTIONS...: how it ends; its words are in $dir/stdout and $dir/stderr
found() {
    local code=$1 got
    shift
    "$search" "$@" >"$dir/stdout" 2>"$dir/stderr"
    got=$?
    must "policy_search $* ends with $code, not $got: $(cat "$dir/stderr")" test "$got" = "$code"
}

# too few rollouts to learn, which it says
found 1 --rollouts 128 --workers 1 --paths "$dir/one.csv"
cp "$dir/stdout" "$dir/one"
must "that it has not learnt is told" grep -q 'it has not learnt' "$dir/stderr"
# a note on the place, names, 8 generations of 81 rows each
must "all ways are there" test "$(wc -l <"$dir/one.csv")" = $((2 + 8 * 81))
found 1 --rollouts 128 --workers 3 --paths "$dir/three.csv"
must "the same words by three threads" cmp "$dir/one" "$dir/stdout"
must "the same ways by three threads" cmp "$dir/one.csv" "$dir/three.csv"
found 1 --rollouts 128 --device mirror --paths /dev/full
must "a full disk is told" grep -q '/dev/full was not written whole' "$dir/stderr"
must "the same search by another device" cmp <(grep generation "$dir/one") <(grep generation "$dir/stdout")
# another seed, other policies
found 0 --rollouts 128 --seed 2
must "the seed counts" test "$(cmp -s "$dir/one" "$dir/stdout"; echo $?)" = 1

found 2 --rollouts 5
must "what there is is told" grep -q 'rollouts 5: not understood' "$dir/stderr"
found 2 --seed
found 1 --model "$dir/none.yaml"
must "the file is named" grep -q 'none.yaml.*cannot be read' "$dir/stderr"
found 1 --device nix
must "the device is named" grep -q "no device 'nix'" "$dir/stderr"
found 1 --model models/pendulum/model.yaml
must "the run that is not there is named" grep -q "no run called 'settle'" "$dir/stderr"
cat >"$dir/cart.yaml" <<'END'
biela: 1
name: cart
inputs: {push: 0}
bodies: {chassis: {mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints: {rail: {type: prismatic, bodies: [ground, chassis], axis: [1, 0, 0]}}
outputs: {x: {joint: rail}}
run: {time: 3, dt: 0.01}
runs: {settle: {time: 1}}
END
found 1 --model "$dir/cart.yaml"
must "that it is no truck is told" grep -q 'cart.yaml: no truck to park' "$dir/stderr"
found 1 --rollouts 128 --paths "$dir/none/ways.csv"
must "the folder is named" grep -q 'none/ways.csv cannot be written' "$dir/stderr"
finish
