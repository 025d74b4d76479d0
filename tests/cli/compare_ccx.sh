#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Flexible bodies against CalculiX: frequencies, deflections and stresses of solids and of the chassis. Skipped where it is not installed.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"
if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt"; then
    echo "SKIPPED: two programs are compared with the release build only"
    exit 77
fi
tools/compare_ccx --quick "$dir"
code=$?
[ $code -eq 77 ] && exit 77
must "all within their limits" test $code -eq 0
finish
