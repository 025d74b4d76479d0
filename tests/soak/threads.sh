#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Threads that share a system, a batch and a crew, under the thread sanitizer. The build is kept beside the release build.
. tests/cli/support.bash

here=$(dirname "$(realpath "$BIELA")")
# BI_DEBUG: loops in two versions are chosen before the sanitizer has begun
cmake -S . -B "$here/thread" -DCMAKE_BUILD_TYPE=Thread -DCMAKE_C_FLAGS_THREAD="-O1 -g1 -fsanitize=thread -DBI_DEBUG=1" -DBIELA_SHARED=OFF >"$dir/log" 2>&1 &&
    cmake --build "$here/thread" --parallel 2 --target example_05_batch example_09_threads biela_cli >"$dir/log" 2>&1 ||
    { tail -n 30 "$dir/log"; echo "FAILED: build"; exit 1; }
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
must "sims of one system in threads of their own" "$here/thread/examples/example_09_threads"
must "a batch" "$here/thread/examples/example_05_batch"
must "a crew of threads in one run" "$here/thread/biela" run pile --threads 3 --time 0.05 --out "$dir/pile.csv"
finish
