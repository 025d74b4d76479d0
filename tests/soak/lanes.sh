#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sims side by side, eight and four, of every model that can be compiled to an image: 8 of each with inputs and velocities spread by
# 30 %, 300 steps; every hash is that of the same sim on a thread.
. tests/cli/support.bash

if [ -z "$(command -v clang-19)" ] || [ -z "$(command -v llvm-link-19)" ] || [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: clang-19 and llvm-19 are not here, or it is another kind of processor"
    exit 0
fi
must "the code for lanes is built" tools/lanes/build "$dir/lanes"
build=$(dirname "$(realpath "$BIELA")")
for model in models/*/model.yaml; do
    name=$(basename "$(dirname "$model")")
    "$BIELA" compile "$model" --out "$dir/$name.image" >/dev/null 2>&1 || continue
    for lanes in 8 4; do
        must "$name has equal bits in $lanes lanes" \
            env BIELA_LANES_CODE="$dir/lanes" BIELA_LANES=$lanes "$build/examples/example_12_devices" "$dir/$name.image" lanes 8 300
    done
done
finish
