#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Threads that share a system, a batch and a crew, under the thread sanitizer. The build is kept beside the release build.
. tests/cli/support.bash

here=$(dirname "$(realpath "$BIELA")")
# BI_DEBUG: loops in two versions are chosen before the sanitizer has begun
cmake -S . -B "$here/thread" -DCMAKE_BUILD_TYPE=Thread -DCMAKE_C_FLAGS_THREAD="-O1 -g1 -fsanitize=thread -DBI_DEBUG=1" >"$dir/log" 2>&1 &&
    cmake --build "$here/thread" --parallel 2 --target example_05_batch example_08_snapshot example_09_threads test_physics_threads \
        test_unit_batch_batch test_unit_realtime_loop biela_shared biela_cli >"$dir/log" 2>&1 ||
    { tail -n 30 "$dir/log"; echo "FAILED: build"; exit 1; }
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
must "sims of one system in threads of their own" "$here/thread/examples/example_09_threads"
must "a batch" "$here/thread/examples/example_05_batch"
must "snapshots" "$here/thread/examples/example_08_snapshot"
# what forks in between has no threads of its own there
must "crews of islands and contacts" "$here/thread/tests/test_physics_threads"
must "batches that fail, and that are stopped" "$here/thread/tests/test_unit_batch_batch"
must "a loop in step with the clock" "$here/thread/tests/test_unit_realtime_loop"
must "a crew of threads in one run" "$here/thread/biela" run pile --threads 3 --time 0.05 --out "$dir/pile.csv"
# Python itself knows nothing of the sanitizer: only what the library does is seen
for python in /usr/bin/python3 python3; do
    runtime=$(cc -print-file-name=libtsan.so)
    if env LD_PRELOAD="$runtime" "$python" -c 'import numpy' 2>/dev/null; then
        must "threads and callbacks of Python" env LD_PRELOAD="$runtime" BIELA="$here/thread/biela" BIELA_LIBRARY="$here/thread/libbiela.so" \
            PYTHONPATH=python "$python" tests/python/test_biela.py -k thread -k callback -k function -k fork
        break
    fi
done
finish
