#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The other compiler: clang builds without a warning, and what it builds gives the same bits as gcc's, hashes and files. The
# build is kept beside the release build, so that only what changed is built again.
. tests/cli/support.bash

[ -n "$(command -v clang)" ] || { echo "no clang: skipped"; exit 77; }
here=$(dirname "$(realpath "$BIELA")")
if ! grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Release' "$here/CMakeCache.txt" || grep -q 'CMAKE_C_COMPILER:.*clang' "$here/CMakeCache.txt"; then
    echo "compared with the release build of gcc only"
    exit 77
fi
cmake -S . -B "$here/clang" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DBIELA_WERROR=ON >"$dir/log" 2>&1 &&
    cmake --build "$here/clang" --parallel 2 --target biela_cli >"$dir/log" 2>&1 || { tail -n 30 "$dir/log"; echo "FAILED: clang"; exit 1; }

# natural and joint coordinates, implicit and explicit schemes, contact, tyres, graphs, flexible bodies, error control
runs=("pendulum" "four-bars --set N=5" "four-bars --set N=5 --formulation joint --scheme rk4" "chain --set N=6" "bricard" "andrews --time 0.02"
    "rolling-disc --run wobble" "flex-bar" "box-stack" "coin" "forklift --time 0.3" "clio --time 0.3" "bicycle --time 0.3" "top-bg"
    "bond-hydraulic" "double-pendulum --scheme dopri5 --dt auto")
for run in "${runs[@]}"; do
    for compiler in gcc clang; do
        biela=$BIELA
        [ $compiler = clang ] && biela=$here/clang/biela
        time=(--time 0.5)
        [[ $run == *--time* ]] && time=()
        # shellcheck disable=SC2086 # the words of the run are words
        "$biela" run $run ${time[@]+"${time[@]}"} --out "$dir/$compiler.csv" --json >"$dir/$compiler.json" 2>"$dir/log" || {
            echo "FAILED: $compiler, $run" && cat "$dir/log" && failures=$((failures + 1))
        }
    done
    hash() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["hash"])' "$1"; }
    must "the same hash: $run" test "$(hash "$dir/gcc.json")" = "$(hash "$dir/clang.json")"
    must "the same bytes: $run" cmp "$dir/gcc.csv" "$dir/clang.csv"
done
echo "${#runs[@]} runs with the same bits"
finish
