#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Instructions per step of whole machines, counted by callgrind; limits are what was reached and a
# twentieth more. The loops over the tree are the plain ones: valgrind 3.19 does not know all of those with AVX2.
. tests/cli/support.bash

if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 0
fi
if nm "$BIELA" 2>/dev/null | grep -q __asan_init; then
    echo "skipped: callgrind cannot count a sanitized build"
    exit 0
fi
GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1000000000
GLIBC_TUNABLES+=:glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.hwcaps=-AVX2
export GLIBC_TUNABLES

# gate NAME LIMIT STEPS MODEL OPTIONS...: of a run of that many steps only what happens inside them is counted
gate() {
    local name=$1 limit=$2 steps=$3
    shift 3
    local count
    count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no --toggle-collect=bi_sim_step \
        "$BIELA" run "$@" --every 100 --quiet --out "$dir/result.csv" 2>&1 |
        sed -n 's/.*Collected : *\([0-9]*\).*/\1/p')
    count=$((${count:-0} / steps))
    echo "measured instructions $name $count per step (limit $limit)"
    must "$name was measured" test "$count" -gt 1000
    must "$name stays under $limit" test "$count" -le "$limit"
}

# a body that can lie on the ground (57400 before; 65700 without -O3)
gate "B4 car, heun" 63600 100 car --scheme heun --dt 1e-3 --time 0.1
# whole loads that truck and loads can meet: 180 pairs instead of 42 (154955 before); a parking brake
gate "B5 forklift, joint" 154600 200 forklift --dt 10e-3 --time 2
gate "B5 forklift, natural" 476100 200 forklift --formulation natural --dt 10e-3 --time 2
# the truck drives up, puts its forks into a pallet, lifts and tilts it
gate "B5 forklift at work, piles" 412000 600 forklift --manoeuvre models/forklift/manoeuvres/carry.csv --scheme piles \
    --dt 10e-3 --time 6
# 270 solid shapes around it, 30 loose things that settle
gate "B5 forklift in its yard, all awake" 2986000 200 forklift --set yard=1 --dt 5e-3 --time 1
gate "K3 tumbling pile of 30, piles" 476000 100 pile --set N=30 --scheme piles --formulation joint --dt 1e-3 --time 0.1
gate "B6 bicycle, heun" 48000 100 bicycle --scheme heun --dt 1e-3 --time 0.1
# since tyres know the Magic Formula 5.2 to 6.2 (110000 before)
# its clutch locks exactly since it may: 108 thousand before
gate "C1 clio" 160000 500 clio --dt 1e-3 --time 0.5
# 84 modes of its frame since what joints and loads hold counts (69 before: 1526000)
gate "F6 prototype car, joint" 1636000 50 prototype-car --set from=4.98 --dt 1e-3 --time 0.05
finish
