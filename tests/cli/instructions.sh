#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Instructions per step, counted by callgrind: the same on every run of a machine, unlike seconds. Two runs of different
# length are subtracted, so that reading, compiling and starting fall out.
. tests/cli/support.bash

if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 0
fi
if nm "$BIELA" 2>/dev/null | grep -q __asan_init; then
    echo "skipped: callgrind cannot count a sanitized build"
    exit 0
fi
dt=0.0025
# glibc copies long blocks with one repeated instruction that callgrind counts byte by byte; here it takes the loop
export GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000

# total WINDOWS STEPS: instructions of a whole run; rows of output are too rare to matter
total() {
    local time
    time=$(awk -v h=$dt -v n="$2" 'BEGIN { printf "%.6f", h * n }')
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BIELA" run four-bars --set N="$1" --scheme ali3p \
        --dt $dt --time "$time" --every 100 --quiet --out "$dir/result.csv" 2>&1 |
        sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}

# per_step WINDOWS STEPS MORE_STEPS
per_step() {
    local few many
    few=$(total "$1" "$2")
    many=$(total "$1" "$3")
    echo $(((many - few) / ($3 - $2)))
}

# the limits of the project; the first step-over of these runs comes after their end
ten=$(per_step 10 40 240)
forty=$(per_step 40 20 60)
four_hundred=$(per_step 400 20 60)
echo "measured instructions N=10 $ten N=40 $forty N=400 $four_hundred per step (limits: N=10 61200, N=40 218000, N=400 12 x N=40)"
must "N=10 was measured" test "$ten" -gt 1000
must "N=10 stays under 61200" test "$ten" -le 61200
must "N=40 stays under 218000" test "$forty" -le 218000
must "N=400 stays under 12 times N=40" test "$four_hundred" -le $((12 * forty))

# chain LINKS TIME: the same for an open chain in joint coordinates with Runge-Kutta, 5 ms. The loops over the tree are the
# plain ones, as in instructions_machines.sh; those with AVX2 take half of it (44700)
chain() {
    GLIBC_TUNABLES+=:glibc.cpu.hwcaps=-AVX2 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BIELA" run chain --set N="$1" --dt 0.005 --time "$2" \
        --every 100 --quiet --out "$dir/result.csv" 2>&1 | sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}
ten_links=$((($(chain 10 0.5) - $(chain 10 0.25)) / 50))
hundred_links=$((($(chain 100 0.5) - $(chain 100 0.25)) / 50))
echo "measured instructions chain N=10 $ten_links N=100 $hundred_links per step (limits: N=10 94000, N=100 11 x N=10)"
must "a chain of 10 links stays under 94000" test "$ten_links" -le 94000
must "a chain of 100 links stays under 11 times 10 links" test "$hundred_links" -le $((11 * ten_links))

# imposed TIME: inverse dynamics of the waveboard in natural coordinates, 0.25 ms: no full matrices in a step
imposed() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BIELA" inverse waveboard --run inverse1 --formulation natural \
        --time "$1" --every 100 --quiet --out "$dir/result.csv" 2>&1 | sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}
inverse=$((($(imposed 0.03) - $(imposed 0.01)) / 80))
echo "measured instructions inverse waveboard natural $inverse per step (limit 1048000)"
must "inverse dynamics were measured" test "$inverse" -gt 10000
must "inverse dynamics stay under 1048000" test "$inverse" -le 1048000
finish
