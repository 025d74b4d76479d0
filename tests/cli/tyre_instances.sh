#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The laws of tyres are compiled twice, with derivatives and without. The tyre of the guide links when both are there, and not
# when one is missing: never does a tyre get the law of another one.
. tests/cli/support.bash

build=$(dirname "$(realpath "$BIELA")")
if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$build/CMakeCache.txt"; then
    echo "needs a library that links without the sanitizers: tested with the release build only"
    exit 0
fi
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

# the listing of the guide, as it stands there
awk '/^```c .*\/tyre_castor\.c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/guide/tyres.md >"$dir/castor.c"
must "the guide has a tyre" grep -q '^TYRE(tyre_castor,' "$dir/castor.c"

# compiled OUTPUT SOURCE OPTIONS...
compiled() {
    local to=$1 from=$2
    shift 2
    must "$from compiles into $to" "$cc" -std=c17 -Wall -Wextra -Werror -Isrc -Iinclude "$@" -c "$dir/$from" -o "$dir/$to"
}
compiled slopes.o castor.c
compiled values.o castor.c -DTYRE_VALUES
cat >"$dir/main.c" <<'END'
#include "state/law.h"
extern const law_kind tyre_castor_kind;
int main(void) { return tyre_castor_kind.compile == 0; }
END
compiled main.o main.c

linked() { "$cc" -o "$dir/program" "$dir/main.o" "$@" $(engine "$build"); }

# refused WORD OBJECT: the linker says what is missing
refused() {
    if linked "$dir/$2" 2>"$dir/words"; then
        echo "FAILED: $2 alone has linked"
        failures=$((failures + 1))
    fi
    must "the linker names $1" grep -q "$1" "$dir/words"
}
must "both instances link" linked "$dir/slopes.o" "$dir/values.o"
# in a folder that is compiled once
refused tyre_castor_law_values slopes.o
refused tyre_castor_kind values.o
# without its last line
grep -v '^TYRE(' "$dir/castor.c" >"$dir/without.c"
"$cc" -std=c17 -w -Isrc -Iinclude -c "$dir/without.c" -o "$dir/without.o"
refused tyre_castor_kind without.o
finish
