#!/bin/sh
# SPDX-License-Identifier: MIT
# Every model in tests/bad must be refused with exit code 2 and exactly the messages of its .expected file.
# A line of that file is `line:column: fragment`; `-: fragment` means a message at any place. Run in the source root
# with BIELA = the executable.
set -u
: "${BIELA:?set BIELA to the executable}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
models=0

fail() {
    echo "FAIL $1: $2"
    failures=$((failures + 1))
}

for model in tests/bad/*.yaml; do
    models=$((models + 1))
    expected="${model%.yaml}.expected"
    [ -f "$expected" ] || { fail "$model" "has no .expected file"; continue; }
    timeout 60 "$BIELA" check "$model" >"$work/out" 2>&1
    code=$?
    before=$failures
    [ "$code" -eq 2 ] || fail "$model" "exit code is $code, not 2"
    if grep -q -e 'Sanitizer' -e 'runtime error:' "$work/out"; then
        fail "$model" "a sanitizer complains"
    fi
    while IFS= read -r line; do
        place=${line%%: *}
        fragment=${line#*: }
        if [ "$place" = "-" ]; then
            grep 'error: ' "$work/out" | grep -q -F -e "$fragment" || fail "$model" "no message with: $fragment"
        else
            grep -F -e "$model:$place: error: " "$work/out" | grep -q -F -e "$fragment" ||
                fail "$model" "no message at $place with: $fragment"
        fi
    done <"$expected"
    wanted=$(grep -c . "$expected")
    found=$(grep -c 'error: ' "$work/out")
    [ "$found" -eq "$wanted" ] || fail "$model" "$found messages, $wanted expected"
    [ "$failures" -eq "$before" ] || sed 's/^/    /' "$work/out"
done

echo "$models broken models, $failures failures"
[ "$models" -ge 15 ] && [ "$failures" -eq 0 ]
