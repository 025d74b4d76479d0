#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The code for sims side by side is built (tools/lanes/build), and has the bits of the engine, for eight lanes and for four.
. tests/cli/support.bash

if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt"; then
    echo "it is code of its own: tested with the release build only"
    exit 0
fi
if [ -z "$(command -v clang-19)" ] || [ -z "$(command -v llvm-link-19)" ] || [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: clang-19 and llvm-19 are not here, or it is another kind of processor"
    exit 0
fi
# as many as this processor can do (tests/soak/lanes.sh: four, too)
lanes=4
grep -q avx512dq /proc/cpuinfo && lanes=8
must "the code for lanes is built" env LANES_OF=$lanes tools/lanes/build "$dir/lanes"
# what a number of the step becomes is one operation, joined with none
must "no operation is joined" \
    test "$(objdump -d --no-show-raw-insn "$dir/lanes/lanes$lanes.so" | grep -cE '\svfn?m(add|sub)')" = 0
same_bits() {
    env BIELA_LANES_CODE="$dir/lanes" "$(dirname "$BIELA")/tests/test_unit_lanes_lanes" >"$dir/told" 2>&1
}
must "the same bits" same_bits
# and it was this code that gave them
must "the code was taken" test "$(grep -cE 'no code for sims|other sources|no vectors' "$dir/told")" = 0
finish
