#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Images: compiled by one process, run by another with the same bytes; the same file from two processes, whose addresses
# differ; what an image refuses.
. tests/cli/support.bash

for model in pendulum electric-truck box-stack flex-slider-crank quarter-car; do
    ends 0 compile $model --quiet --out "$dir/$model.image"
    ends 0 compile $model --quiet --out "$dir/again.image"
    # in sanitized builds a gap of a struct of natural coordinates keeps what stood on the stack
    grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt" ||
        must "$model: the same image twice" cmp "$dir/$model.image" "$dir/again.image"
    dt=$("$BIELA" info $model --json | sed -n 's/^ *"dt": \([^,]*\).*/\1/p' | head -1)
    ends 0 run $model --time "20*$dt" --every 0 --quiet --out "$dir/direct.csv"
    ends 0 run "$dir/$model.image" --time "20*$dt" --every 0 --quiet --out "$dir/image.csv"
    must "$model: the same results" cmp "$dir/direct.csv" "$dir/image.csv"
done

# what was said when it was compiled counts
ends 0 compile pendulum --formulation natural --scheme rk4 --dt 2e-3 --time 0.1 --every 0 --quiet --out "$dir/p.image"
ends 0 run "$dir/p.image" --quiet --out "$dir/image.csv"
ends 0 run pendulum --formulation natural --scheme rk4 --dt 2e-3 --time 0.1 --every 0 --quiet --out "$dir/direct.csv"
must "options of compile" cmp "$dir/direct.csv" "$dir/image.csv"

# mistakes
said() { must "$1" grep -q -- "$1" "$dir/stderr"; }
ends 2 run "$dir/p.image" --dt 1e-3
said "--dt: the image is compiled already"
ends 2 run "$dir/p.image" --set L=2
said "--set: the image is compiled already"
ends 2 run "$dir/p.image" --every 5e-3
said "steps of 0.002"
ends 2 info "$dir/p.image"
said "needs the model file"
ends 2 compile "$dir/p.image"
said "needs the model file"
ends 2 compile no-such-model
ends 2 compile pendulum --solver klu --out "$dir/klu.image"
head -c 3000 "$dir/p.image" >"$dir/cut.image"
ends 2 run "$dir/cut.image"
said "cut off"
{ head -c 3000 "$dir/p.image" && printf 'x' && tail -c +3002 "$dir/p.image"; } >"$dir/bad.image"
ends 2 run "$dir/bad.image"
said "damaged"
{ head -c 24 "$dir/p.image" && printf '9' && tail -c +26 "$dir/p.image"; } >"$dir/old.image"
ends 2 run "$dir/old.image"
said "another version"
finish
