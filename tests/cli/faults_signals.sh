#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Outputs of commands that are killed, or asked to end, in the middle: after a kill the older file is as it was, and the next command
# is not hindered by what is left; after SIGTERM and SIGHUP the results so far have their name. A second writer is refused.
. tests/cli/support.bash

# name, the file on trial, and a command that goes on for hours; @ is the folder
outputs=(
    "csv    x.csv   run four-bars --set N=10 --time 1e6 --every 0.01 --quiet --out @/x.csv"
    "hdf5   x.h5    run four-bars --set N=10 --time 1e6 --every 0.01 --quiet --out @/x.h5"
    "vtu    x.pvd   run flex-bar --time 1e4 --every 0.5 --quiet --vtu --envelope @/x.env --out @/x.csv"
    "drive  x.biela drive pendulum-cart --headless --quiet --record @/x.biela"
    "sweep  x.csv   sweep pendulum --grid L=0.5:500:0.01 --record max:P.x --time 0.5 --jobs 1 --quiet --out @/x.csv"
)
"$BIELA" run pendulum --time 0.01 --out "$dir/probe.h5" --quiet 2>/dev/null || unset 'outputs[1]'

# begin LINE FOLDER: starts the command where an older result is, and waits until it writes
begin() {
    local command growing k
    place=$2
    read -r name file command <<<"$1"
    mkdir -p "$place"
    echo "old $file" >"$place/$file"
    read -ra words <<<"${command//@/$place}"
    "$BIELA" "${words[@]}" >"$dir/stdout" 2>"$dir/stderr" </dev/null &
    process=$!
    growing=$place/$file.part
    [ "$name" = vtu ] && growing=$place/x-bar-0002.vtu.part
    [ "$name" = sweep ] && growing=$place/$file.journal
    for k in $(seq 600); do
        [ -e "$growing" ] && break
        sleep 0.05
    done
    must "$name: it writes ($k)" test -e "$growing"
    sleep 0.3
}

is_old() { [ "$(cat "$place/$file")" = "old $file" ]; }

for line in "${outputs[@]}"; do
    # ---- killed
    begin "$line" "$dir/killed/${line%% *}"
    must "$name: the older file is there meanwhile" is_old
    if [ "$name" != sweep ]; then
        ends 1 "${words[@]}"
        must "$name: a second writer is refused" grep -q "another process is writing it now" "$dir/stderr"
    fi
    kill -9 $process
    wait $process 2>/dev/null
    must "$name: killed: the older file is as it was" is_old
    must "$name: killed: no frame has its name" test -z "$(find "$place" -name '*.vtu')"
done

# what is left of the killed ones does not hinder; of a drive it can be replayed
if [ -e "$dir/killed/drive/x.biela.part" ]; then
    ends 0 replay "$dir/killed/drive/x.biela.part" --quiet
    rm "$dir/killed/drive/x.biela"
    ends 2 replay "$dir/killed/drive/x.biela" --quiet
    must "the beginning is named" grep -q "x.biela.part holds it so far" "$dir/stderr"
fi
ends 0 run pendulum --time 1 --quiet --out "$dir/killed/csv/x.csv"
must "a new run takes its place" test "$(wc -l <"$dir/killed/csv/x.csv")" -eq 102
must "and nothing is left" test ! -e "$dir/killed/csv/x.csv.part"
ends 0 run flex-bar --time 0.02 --quiet --vtu --out "$dir/killed/vtu/x.csv"
ends 0 drive pendulum-cart --headless --unpaced --time 1 --quiet --record "$dir/killed/drive/x.biela"
ends 0 replay "$dir/killed/drive/x.biela" --quiet

# ---- asked to end
for signal in TERM:143 HUP:129; do
    for line in "${outputs[@]}"; do
        begin "$line" "$dir/${signal%:*}/${line%% *}"
        kill -s "${signal%:*}" $process
        wait $process
        got=$? what="$name: ${signal%:*}"
        case $name in
            drive)
                must "$what: exit code $got is 0" test $got -eq 0 # the usual end of a drive
                ends 0 replay "$place/$file" --quiet
                must "$what: it ended by itself" sh -c "! grep -q 'cut or damaged' '$dir/stderr'"
                ;;
            sweep)
                must "$what: exit code $got" test $got -eq "${signal#*:}"
                must "$what: the older file is as it was" is_old
                must "$what: the cases are kept" test -s "$place/$file.journal"
                ;;
            *)
                must "$what: exit code $got" test $got -eq "${signal#*:}"
                must "$what: it says so" grep -q "interrupted at t = " "$dir/stderr"
                must "$what: the results have their name" sh -c "! grep -q '^old' '$place/$file'"
                ;;
        esac
        must "$what: nothing else is left" test -z "$(find "$place" -name '*.part')"
    done
    place=$dir/${signal%:*}
    ends 0 diff "$place/csv/x.csv" "$place/csv/x.csv"
    [ -d "$place/hdf5" ] && ends 0 diff "$place/hdf5/x.h5" "$place/hdf5/x.h5"
    must "${signal%:*}: the list is whole" grep -q "</VTKFile>" "$place/vtu/x.pvd"
    for frame in $(sed -n 's/.*file="\([^"]*\)".*/\1/p' "$place/vtu/x.pvd"); do
        must "${signal%:*}: $frame is whole" grep -q "</VTKFile>" "$place/vtu/$frame"
    done
    must "${signal%:*}: there is an envelope" test -s "$place/vtu/x.env"
done

finish
