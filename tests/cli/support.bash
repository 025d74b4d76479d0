# SPDX-License-Identifier: MIT
# What the tests of the command share: a folder of their own in $dir, must, ends, engine, finish.
set -u
: "${BIELA:?path of the executable}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# must NAME COMMAND...: the command succeeds.
must() {
    local name=$1
    shift
    if ! "$@" >"$dir/log" 2>&1; then
        echo "FAILED: $name"
        cat "$dir/log"
        failures=$((failures + 1))
    fi
}

# ends CODE ARGUMENTS...: biela ends with this exit code; its words are in $dir/stdout and $dir/stderr.
ends() {
    local code=$1
    shift
    "$BIELA" "$@" >"$dir/stdout" 2>"$dir/stderr"
    local got=$?
    if [ "$got" -ne "$code" ]; then
        echo "FAILED: biela $*: exit code $got instead of $code"
        cat "$dir/stderr"
        failures=$((failures + 1))
    fi
}

# engine BUILD: what a program is linked with to use the engine of this build.
engine() {
    echo "$1/libbiela.a"
    sed -n 's/^BIELA_\(AMD\|KLU\)_LIBRARY:[A-Z]*=//p' "$1/CMakeCache.txt" | grep -v NOTFOUND
    echo -lm
}

# The exit code of the whole test.
finish() { exit $((failures > 0)); }
