#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Hashes after 10 s of forklift, Clio, bicycle, 40 four-bars, andrews, waveboard, flex-four-bar and prototype-car: gcc, clang, WebAssembly
# in Node and in Chromium.
. tests/cli/support.bash

[ -d build/npm ] || { echo "no build/npm (tools/page makes it): skipped"; exit 77; }
here=$(dirname "$(realpath "$BIELA")")
if [ -n "$(command -v clang)" ]; then
    cmake -S . -B "$here/clang" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release >"$dir/log" 2>&1 &&
        cmake --build "$here/clang" --parallel 2 --target biela_cli >"$dir/log" 2>&1 || { tail -n 30 "$dir/log"; echo "FAILED: clang"; exit 1; }
fi
export BIELA_LONG=1
BIELA_CLANG=$here/clang/biela node --no-experimental-fetch --test web/test/engine/bits.test.mjs || failures=$((failures + 1))
if [ -n "$(command -v chromium)" ]; then
    (cd web && node --test test/browser/bits.test.mjs) || failures=$((failures + 1))
fi
finish
