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

# every refusal takes less than two seconds of the processor; the sanitizers make it longer
limit=2
if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$BIELA")/CMakeCache.txt" 2>/dev/null; then
    limit=20
fi

# files that are too large to be kept here
mkdir "$work/large"
head -c 100000000 /dev/zero | tr '\0' 'x' >"$work/large/nonsense.yaml"
echo "-: has more than 8 MB; that is the limit" >"$work/large/nonsense.expected"
{ printf 'biela: 1\nname: long\nbodies:\n'; seq -f '  b%.0f: {mas: 1}' 1 300000; } | head -c 8000000 >"$work/large/mistakes.yaml"
echo "-: the file has more than a million values" >"$work/large/mistakes.expected"
printf '%0.s[' $(seq 100000) >"$work/large/brackets.yaml"
printf '%s\n' '-: lists and mappings are nested more than 32 deep' >"$work/large/brackets.expected"

for model in tests/bad/*.yaml "$work"/large/*.yaml; do
    models=$((models + 1))
    expected="${model%.yaml}.expected"
    [ -f "$expected" ] || { fail "$model" "has no .expected file"; continue; }
    (ulimit -t $limit && exec timeout 600 "$BIELA" check "$model") >"$work/out" 2>&1
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
    if grep 'error: ' "$work/out" | grep -v -q -E '^[^ ]+:[0-9]+:[0-9]+: error: '; then
        fail "$model" "a message without file:line:column"
    fi
    wanted=$(grep -c . "$expected")
    found=$(grep -c 'error: ' "$work/out")
    [ "$found" -eq "$wanted" ] || fail "$model" "$found messages, $wanted expected"
    [ "$failures" -eq "$before" ] || sed 's/^/    /' "$work/out"
done

echo "$models broken models, $failures failures"
[ "$models" -ge 60 ] && [ "$failures" -eq 0 ]
