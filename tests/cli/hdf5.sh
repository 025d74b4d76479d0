#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Results as HDF5: the same numbers as CSV, units, where they come from; read back by diff and plot; whole after Ctrl-C.
. tests/cli/support.bash

# the page without the library compiles everywhere
must "compiles without HDF5" "${CC:-cc}" -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -Isrc src/io/results/hdf5.c

if ! "$BIELA" run pendulum --time 0.01 --out "$dir/probe.h5" >"$dir/stdout" 2>"$dir/stderr"; then
    must "says that HDF5 is missing" grep -q "built without HDF5" "$dir/stderr"
    must "leaves no file" test ! -e "$dir/probe.h5"
    echo "this build has no HDF5: the rest is not tested"
    finish
fi

# 2001 rows are several chunks; the bits are those of the CSV, which has 17 digits
ends 0 run four-bars --time 20 --every 0.01 --out "$dir/a.csv" --quiet
ends 0 run four-bars --time 20 --every 0.01 --out "$dir/a.h5" --quiet
ends 0 diff "$dir/a.csv" "$dir/a.h5"
must "all columns in both" sh -c "! grep -q 'only in' '$dir/stdout'"
must "no temporary file stays" test ! -e "$dir/a.h5.part"
ends 0 run four-bars --time 20 --every 0.01 --set L=1.1 --out "$dir/b.hdf5" --quiet
ends 1 diff "$dir/a.h5" "$dir/b.hdf5" --tolerance 1e-3

# what another program reads in it
if command -v h5dump >/dev/null; then
    attribute() { h5dump -a "$1" "$2" | sed -n 's/^ *(0): "\(.*\)"$/\1/p' | head -1; }
    must "unit of a position" test "$(attribute /B0.x/unit "$dir/a.h5")" = m
    must "unit of the time" test "$(attribute /t/unit "$dir/a.h5")" = s
    must "unit of an energy" test "$(attribute /energy.total/unit "$dir/a.h5")" = J
    must "settings" test "$(attribute /settings "$dir/b.hdf5")" = "L=1.1"
    must "version" test "$(attribute /version "$dir/a.h5")" = "$("$BIELA" version | sed 's/biela \([^ ]*\).*/\1/')"
    must "a hash" grep -Eq '^[0-9a-f]{16}$' <<<"$(attribute /model_hash "$dir/a.h5")"
    must "another model, another hash" test "$(attribute /model_hash "$dir/a.h5")" != "$(attribute /model_hash "$dir/b.hdf5")"
    must "the text of the model" sh -c "h5dump -a /model_text '$dir/a.h5' | grep -q 'crank\$i'"
    must "2001 rows" sh -c "h5dump -H -d /t '$dir/a.h5' | grep -q '( 2001 )'"
else
    echo "h5dump is missing: attributes are not tested"
fi

# a file cut short is told, not believed
head -c 3000 "$dir/a.h5" >"$dir/cut.h5"
ends 2 diff "$dir/a.h5" "$dir/cut.h5"
must "damaged" grep -q "cut.h5: error: .*damaged" "$dir/stderr"
ends 1 run pendulum --time 0.01 --out /proc/none.h5
must "a file that cannot be" grep -q "none.h5: error: cannot be written" "$dir/stderr"

# Ctrl-C
"$BIELA" run four-bars --set N=10 --time 100000 --every 0.01 --out "$dir/long.h5" >/dev/null 2>"$dir/stderr" &
pid=$!
for _ in $(seq 100); do
    [ -e "$dir/long.h5.part" ] && break
    sleep 0.1
done
sleep 0.5
kill -s INT $pid
wait $pid
must "exit code 130" test $? -eq 130
ends 0 diff "$dir/long.h5" "$dir/long.h5"

if command -v gnuplot >/dev/null; then
    ends 0 plot "$dir/a.h5" B0.x,B0.y --out "$dir/picture.png"
    must "a picture" test -s "$dir/picture.png"
    ends 0 run pendulum --time 1 --out "$dir/q.h5" --plot P.x
    must "a picture of run" test -s "$dir/q.png"
fi
# a run that is interrupted and taken up again has the same numbers as one that was not
run=(four-bars --set N=10 --time 20 --every 0.01)
ends 0 run "${run[@]}" --out "$dir/whole.h5" --quiet
"$BIELA" run "${run[@]}" --out "$dir/parts.h5" --checkpoint "$dir/c" --every-seconds 0 --quiet 2>"$dir/stderr" &
process=$!
while [ ! -s "$dir/c" ] && kill -0 $process 2>/dev/null; do sleep 0.01; done
kill -s INT $process 2>/dev/null
wait $process
must "it was interrupted" test $? -eq 130
cp "$dir/c" "$dir/c1"
cp "$dir/parts.h5" "$dir/copy.h5"
ends 0 run "${run[@]}" --out "$dir/parts.h5" --restart "$dir/c" --json
must "the summary counts all rows" grep -q '"rows": 2001,' "$dir/stdout"
ends 0 diff "$dir/whole.h5" "$dir/parts.h5" --tolerance 0
# once more from the same checkpoint: the finished file is cut and written again
ends 0 run "${run[@]}" --out "$dir/parts.h5" --restart "$dir/c1" --quiet
ends 0 diff "$dir/whole.h5" "$dir/parts.h5" --tolerance 0
# a run that is killed has no time to close its file
rm -f "$dir/c"
"$BIELA" run "${run[@]}" --out "$dir/killed.h5" --checkpoint "$dir/c" --every-seconds 0 --quiet 2>"$dir/stderr" &
process=$!
while [ ! -s "$dir/c" ] && kill -0 $process 2>/dev/null; do sleep 0.01; done
kill -9 $process 2>/dev/null
wait $process 2>/dev/null
must "it was killed" test $? -eq 137
ends 0 run "${run[@]}" --out "$dir/killed.h5" --restart "$dir/c" --quiet
ends 0 diff "$dir/whole.h5" "$dir/killed.h5" --tolerance 0

head -c 2000 "$dir/copy.h5" >"$dir/parts.h5"
ends 1 run "${run[@]}" --out "$dir/parts.h5" --restart "$dir/c1"
must "a damaged file is told" grep -q "parts.h5: .*cannot be continued" "$dir/stderr"
ends 1 run "${run[@]}" --out "$dir/nothing.h5" --restart "$dir/c1"
must "a missing file is told" grep -q "nothing.h5: .*cannot be continued" "$dir/stderr"

finish
