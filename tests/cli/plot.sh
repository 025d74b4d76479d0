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

# several files: what is a file, what is a column, and what is missing in which
"$BIELA" run pendulum --time 1 --dt 2e-3 --every 0.02 --out "$dir/q.csv" --quiet
ends 2 plot "$csv" "$dir/none.csv" P.x
must "the file that is missing" grep -q "none.csv" "$dir/stderr"
ends 2 plot "$csv" "$dir/q.csv"
must "files alone are not enough" grep -q "name at least one column" "$dir/stderr"
ends 2 plot "$csv" P.x --compare
must "one file cannot be compared" grep -q "at least two files" "$dir/stderr"
ends 2 plot "$csv" "$dir/q.csv" P.x --labels one
must "a label for each file" grep -q "1 names for 2 files" "$dir/stderr"
printf 't,P.x\n0,1\n1,2\n' >"$dir/short.csv"
printf 't,P.x\n5,1\n6,2\n' >"$dir/late.csv"
ends 2 plot "$csv" "$dir/short.csv" P.y
must "the column that one file lacks" grep -q "short.csv has no column 'P.y'" "$dir/stderr"
ends 2 plot "$dir/short.csv" "$dir/late.csv" P.x --compare
must "no time in common" grep -q "no time in common" "$dir/stderr"
ends 2 plot "$csv" P.x --from 5
must "nothing is left" grep -q "fewer than two rows with t from 5" "$dir/stderr"
ends 2 plot "$csv" P.x --from x

if command -v gnuplot >/dev/null; then
    # the differences are those of two known curves: 2 t - t^2 over the common time, cubic interpolation is exact for t^2
    python3 - "$dir" <<'PY'
import sys
for name, n, f in (("a", 11, lambda t: t * t), ("b", 41, lambda t: 2 * t)):
    with open(f"{sys.argv[1]}/{name}.csv", "w") as file:
        file.write("t,P.x\n" + "".join(f"{k / (n - 1)},{f(k / (n - 1))}\n" for k in range(n)))
PY
    mkdir -p "$dir/bin"
    printf '#!/bin/sh\ncat >"%s/script"\nexec %s "%s/script"\n' "$dir" "$(command -v gnuplot)" "$dir" >"$dir/bin/gnuplot"
    chmod +x "$dir/bin/gnuplot"
    PATH=$dir/bin:$PATH ends 0 plot "$dir/a.csv" "$dir/b.csv" P.x --compare --labels square,line --title Both --out "$dir/both.png" --json
    must "three curves with their labels" python3 -c "import json; d = json.load(open('$dir/stdout')); assert [c.get('label') for c in d['curves']] == ['square', 'line', 'line'], d"
    must "a picture of both" is_png "$dir/both.png"
    must "the differences are 2 t - t^2" python3 -c "
import re
block = re.search(r'\\\$c2 << EOD\n(.*?)EOD', open('$dir/script').read(), re.S).group(1).split('\n')[:-1]
rows = [tuple(map(float, line.split())) for line in block]
assert len(rows) == 11 and all(abs(d - (2 * t - t * t)) < 1e-12 for t, d in rows), rows"
    PATH=$dir/bin:$PATH ends 0 plot "$dir/a.csv" "$dir/b.csv" P.x --from 0.25 --to 0.75 --out "$dir/part.png"
    must "only the stretch asked for" python3 -c "
import re
rows = [float(line.split()[0]) for line in re.search(r'\\\$c1 << EOD\n(.*?)EOD', open('$dir/script').read(), re.S).group(1).split('\n')[:-1]]
assert rows[0] == 0.25 and rows[-1] == 0.75, rows"
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
