#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SIGINT, SIGTERM and SIGHUP during a long run end it with a valid file and the exit code of the signal.
. tests/cli/support.bash

csv=$dir/long.csv

# interrupted SIGNAL CODE: starts a run of hours, sends the signal once the file is there, looks at what is left
interrupted() {
    rm -f "$csv"
    "$BIELA" run four-bars --set N=40 --time 100000 --every 0.01 --out "$csv" >"$dir/stdout" 2>"$dir/stderr" &
    local pid=$!
    for _ in $(seq 100); do
        [ -e "$csv.part" ] && break
        sleep 0.1
    done
    sleep 1
    kill -s "$1" "$pid"
    wait "$pid"
    local got=$?
    must "$1: exit code $got is $2" test "$got" -eq "$2"
    must "$1: it says so" grep -q "interrupted at t = " "$dir/stderr"
    must "$1: the file is there" test -s "$csv"
    must "$1: no temporary file stays" test ! -e "$csv.part"
    must "$1: there are rows" test "$(wc -l <"$csv")" -gt 2
    must "$1: all rows have all columns" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$csv"
    must "$1: the last line is whole" test -z "$(tail -c 1 "$csv")"
}
interrupted INT 130
interrupted TERM 143
interrupted HUP 129

# under nohup a run outlives its terminal
(
    trap '' HUP
    exec "$BIELA" run four-bars --set N=40 --time 100000 --every 0.01 --out "$dir/stays.csv" --quiet 2>"$dir/stderr"
) &
pid=$!
for _ in $(seq 100); do
    [ -e "$dir/stays.csv.part" ] && break
    sleep 0.1
done
kill -s HUP $pid
sleep 0.3
must "it runs on" kill -0 $pid
kill -s TERM $pid
wait $pid
must "it ends by SIGTERM" test $? -eq 143

finish
