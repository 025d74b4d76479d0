#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/documents.md: it is that of its data, and a third of its commands give the numbers that stand there (all of them: tests/soak).
. tests/cli/support.bash

if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt"; then
    echo "every model runs under the sanitizers in other tests: done with the release build only"
    exit 0
fi
must "the page is that of its data" python3 tools/documents.py --check
must "the short rows give their numbers" python3 tools/documents.py --run --short
tail -n 1 "$dir/log"

# a number that differs, a command that fails and a column that is not there are found
mkdir -p "$dir/tree/docs/documents" "$dir/tree/tools"
cp tools/documents.py "$dir/tree/tools"
ln -s "$PWD/models" "$PWD/examples" "$PWD/tests" "$dir/tree"
# refused NAME LINES...: a row with these lines is wrong
refused() {
    local name=$1
    shift
    { printf 'title = "T"\nsource = "S"\n[[row]]\nplace = "1"\nwhat = "w"\nshort = true\n'; printf '%s\n' "$@"; } >"$dir/tree/docs/documents/one.toml"
    if python3 "$dir/tree/tools/documents.py" --run --short >"$dir/log" 2>&1; then
        echo "FAILED: $name is not found"
        failures=$((failures + 1))
    fi
}
run='run = "biela run pendulum --time 0.1 --out out/p.csv"'
{ printf 'title = "T"\nsource = "S"\n[[row]]\nplace = "1"\nwhat = "w"\nshort = true\n%s\n' "$run"; printf 'number = "out/p.csv P.y first"\nours = 0\n'; } >"$dir/tree/docs/documents/one.toml"
must "a right row is right" python3 "$dir/tree/tools/documents.py" --run --short
refused "a number that differs" "$run" 'number = "out/p.csv P.y last"' 'ours = 1'
refused "a difference that grew" "$run" 'number = "out/p.csv P.y against out/p.csv P.x"' 'ours = 1e-6'
refused "a column that is not there" "$run" 'number = "out/p.csv P.w last"' 'ours = 1'
refused "a command that fails" 'run = "biela run no-such-model"' 'note = "n"'
refused "a run without anything measured" "$run"
refused "a run and a reason" "$run" 'reason = "r"'
refused "an unknown key" "$run" 'note = "n"' 'colour = "red"'
refused "a picture that is not there" "$run" 'picture = "docs/none.png"'
finish
