#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pictures by `biela run --plot` and `biela plot`; skipped where gnuplot is missing, apart from saying so.
. tests/cli/support.bash

csv=$dir/p.csv
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ]; }

# without gnuplot the results are there all the same
mkdir "$dir/empty"
biela=$(realpath "$BIELA")
(PATH=$dir/empty exec "$biela" run pendulum --time 1 --out "$csv" --plot P.x) >/dev/null 2>"$dir/stderr"
must "run goes on without gnuplot" test $? -eq 0
must "it says what is missing" grep -q "gnuplot is not installed" "$dir/stderr"
must "the results are there" test -s "$csv"

ends 2 plot "$csv" P.xx
must "an unknown column" grep -q "did you mean 'P.x'?" "$dir/stderr"
ends 2 plot "$csv" P.x --x time
ends 2 plot "$dir/none.csv" P.x
ends 2 plot "$csv"

ends 2 plot "$csv" P.xx --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"

if command -v gnuplot >/dev/null; then
    ends 0 run pendulum --time 1 --out "$csv" --plot P.x,P.y,P.vx
    must "a picture beside the file" is_png "$dir/p.png"
    must "the summary names it" grep -q "$dir/p.png" "$dir/stdout"
    ends 0 plot "$csv" P.x,energy.total --out "$dir/sub/it's.png"
    must "a name with a quote" is_png "$dir/sub/it's.png"
    ends 0 plot "$csv" P.x,P.y --out "$dir/j.png" --json
    must "the picture in JSON" python3 -c "import json; d = json.load(open('$dir/stdout')); assert d['ok'] and d['picture'] == '$dir/j.png' and [c['unit'] for c in d['curves']] == ['m', 'm']"
    ends 0 plot "$csv" P.y --x P.x --out "$dir/path.svg"
    must "a vector picture" grep -q "<svg" "$dir/path.svg"
else
    echo "gnuplot is missing: pictures are not tested"
fi

finish
