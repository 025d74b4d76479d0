#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does what the pages "add a ..." of the guide say, and sees that no place of a recipe can be forgotten (tests/support/recipes.py).
. tests/cli/support.bash

build=$(dirname "$(realpath "$BIELA")")
if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$build/CMakeCache.txt"; then
    echo "recipes are about what compiles: tested with the release build only"
    exit 0
fi
python3 tests/support/recipes.py "$build" "$dir" || failures=1
finish
