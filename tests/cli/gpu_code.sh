#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The code for GPUs is built and checked (tools/gpu/build says what), and the same code, made for this machine, has the bits
# of the engine: of explicit and implicit steps, tyres, graphs, flexible bodies.
. tests/cli/support.bash

if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt"; then
    echo "it is code of its own: tested with the release build only"
    exit 0
fi
if [ -z "$(command -v clang-19)" ] || [ -z "$(command -v llvm-link-19)" ]; then
    echo "skipped: clang-19 and llvm-19 are not here"
    exit 0
fi
must "the code for GPUs is built" tools/gpu/build "$dir/gpu"
must "an entry for sims" grep -q 'visible .entry biela_run_96' "$dir/gpu/biela.ptx"
must "no operation is joined" test "$(grep -c 'fma\.' "$dir/gpu/biela.ptx")" = 0
if [ -e "$dir/gpu/here.so" ]; then
    must "the same bits as the engine" \
        env BIELA_GPU_MIRROR="$dir/gpu/here.so" "$(dirname "$BIELA")/tests/test_unit_gpu_layout"
fi
finish
