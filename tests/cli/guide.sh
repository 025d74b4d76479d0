#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does what the guide says, page by page, in a copy of the sources. The first page builds and installs; the others
# use what it made, as a reader would.
. tests/cli/support.bash

if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt"; then
    echo "the guide makes its own build: tested with the release build only"
    exit 0
fi
mkdir "$dir/biela" "$dir/home"
tar -c --exclude=./build --exclude=./web/node_modules --exclude=./out --exclude=./.git . | tar -x -C "$dir/biela"

pages=(install first-model commands robots drive class page playground javascript accident modes compare sweep policy-search fit bond-graphs clio tyres roads handling bicycle contact contact-bench flexible durability fmi c-tutorial library python your-own add-a-law)
recipes=(add-a-scheme add-a-joint add-a-command add-coordinates) # done by recipes.sh, without a whole build for each
for page in docs/guide/*.md; do
    name=$(basename "$page" .md)
    must "$page is in the list of pages" grep -qw "$name" <<<"${pages[*]} ${recipes[*]} README"
done
for name in "${pages[@]}"; do
    python3 tests/support/guide_script.py "docs/guide/$name.md" >"$dir/$name.sh" || failures=$((failures + 1))
    (cd "$dir/biela" && env -u BIELA_MODELS HOME="$dir/home" CMAKE_BUILD_PARALLEL_LEVEL=2 bash "$dir/$name.sh") >"$dir/$name.log" 2>&1
    code=$?
    if [ $code -ne 0 ]; then
        echo "FAILED: docs/guide/$name.md, exit code $code"
        tail -n 30 "$dir/$name.log"
        failures=$((failures + 1))
        break
    fi
done
finish
