#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Flexible bodies against CalculiX: frequencies, deflections and stresses of solids and of the chassis. Skipped where it is not installed; ./test installs it.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"
tools/compare_ccx --quick "$dir"
code=$?
[ $code -eq 77 ] && exit 77
must "all within their limits" test $code -eq 0
finish
