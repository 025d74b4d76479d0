#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every output against full and read-only disks, devices, links and pipes: nothing half-written under the final name, nothing destroyed,
# no summary that lies, no exit code 0 without the file. Nodes are made for the test; those of the machine are never named.
if [ -z "${BIELA_OWN_MOUNTS:-}" ] && [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    # mounts of the test vanish with it, however it ends
    BIELA_OWN_MOUNTS=yes exec unshare -m bash "$0"
fi
. tests/cli/support.bash
trap 'umount "$dir/full" "$dir/frozen" 2>/dev/null; rm -rf "$dir"' EXIT
in=$dir/in
mkdir "$in"
mkdir "$dir/aside" # results that are not on trial

# what the commands read
"$BIELA" run pendulum --time 1 --out "$in/table.csv" --quiet
"$BIELA" drive pendulum-cart --headless --unpaced --time 1 --record "$in/drive.biela" --quiet
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { if ($k == "P.x") x = k }; print "t,P.x" } NR > 1 { printf "%s,%s\n", $1, $x }' "$in/table.csv" >"$in/measured.csv"
printf 'biela: 1\nname: noted\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\noutputs: {o: {body: b}}\nevents: {late: {expr: t, above: 0.5, do: note}}\n' >"$in/noted.yaml"

printf 'fatigue: 1\nmaterials: {steel: {amplitude: 1e8, cycles: 1e6, slope: 5}}\n' >"$in/steel.yaml"

# name, the file on trial, and the command; @ is the folder, : the folder of other files
outputs=(
    "csv       x.csv     run pendulum --time 1 --out @/x.csv"
    "hdf5      x.h5      run pendulum --time 1 --out @/x.h5"
    "vtu       x.pvd     run flex-bar --time 0.02 --out @/x.csv --vtu"
    "envelope  x.env     run flex-bar --time 0.02 --out :/x.csv --envelope @/x.env"
    "life      x.life.csv run flex-bar --time 0.02 --life $in/steel.yaml --out @/x.csv"
    "events    x.events.csv run $in/noted.yaml --time 1 --out @/x.csv"
    "keep      x.keep    run pendulum --time 1 --out :/x.csv --checkpoint @/x.keep --every-seconds 0"
    "kinematic x.csv     kinematics slider-crank --time 0.1 --out @/x.csv"
    "actions   x.act     inverse waveboard --run inverse1 --time 0.05 --out :/x.csv --actions @/x.act"
    "rest      x.rest    equilibrium pendulum --out @/x.rest"
    "drive     x.biela   drive pendulum-cart --headless --unpaced --time 1 --record @/x.biela"
    "report    x.html    report $in/drive.biela --brief --out @/x.html"
    "replay    x.csv     replay $in/drive.biela --csv @/x.csv"
    "manoeuvre x.man     replay $in/drive.biela --manoeuvre @/x.man"
    "sweep     x.csv     sweep pendulum --grid L=0.5:1:0.5 --record max:P.x --time 0.1 --jobs 1 --out @/x.csv"
    "fit       x.csv     fit pendulum $in/measured.csv --params L=1.01 --jobs 1 --out @/x.csv"
    "modes     x.csv     modes whipple --set v=5 --out @/x.csv"
    "tyre      x.csv     tyre tyre-rig --out @/x.csv"
    "reduced   x.bin     flex build flex-bar --out @/x.bin"
    "shapes    x.pvd     flex modes flex-bar --out @/x.pvd"
    "calculix  x.inp     flex export flex-bar --out @/x.inp"
    "nastran   x.dmig    flex export flex-bar --tie tip --out @/x.dmig"
    "sparsity  x.svg     info pendulum --sparsity @/x.svg"
    "view      x.svg     info pendulum --view @/x.svg"
    "graph     x.svg     bonds bond-motor --svg @/x.svg"
    "robot     x.yaml    import tests/import/double_pendulum.urdf --out @/x.yaml"
)
if command -v gnuplot >/dev/null; then
    outputs+=("png       x.png     plot $in/table.csv P.x --out @/x.png")
    outputs+=("svg       x.svg     plot $in/table.csv P.x --out @/x.svg")
fi
"$BIELA" run pendulum --time 0.01 --out "$dir/probe.h5" --quiet 2>/dev/null || unset 'outputs[1]'

# Takes a line of the list apart: name, file, and the words of the command with their folders.
take() {
    local folder=$2 command
    read -r name file command <<<"$1"
    command=${command//@/$folder}
    read -ra words <<<"${command//:\//$dir/aside/}"
}

# wrong WHAT: one more failure, with what was said
wrong() {
    echo "FAILED: $name: $fault: $1"
    sed 's/^/    /' "$dir/stdout" "$dir/stderr"
    failures=$((failures + 1))
}

run_it() { "$BIELA" "${words[@]}" >"$dir/stdout" 2>"$dir/stderr" </dev/null; }

# The summary names the file only as one that is not written.
tells_the_truth() { ! grep -F "$1" "$dir/stdout" | grep -vqE '^ *not (written|whole)'; }

# refused FOLDER CODES: it must fail with one of the codes, say why, and leave everything as it was
refused() {
    local folder=$1 got
    run_it
    got=$?
    [[ " $2 " == *" $got "* ]] || wrong "exit code $got is none of $2"
    [ -s "$dir/stderr" ] || wrong "no message"
    tells_the_truth "$folder/$file" || wrong "the summary names $file"
}

# same_old FILE: what was there before is there still, and nothing new but FILE.part
same_old() {
    [ "$(cat "$1" 2>/dev/null)" = "old $file" ] || wrong "the older file has changed"
    local rest
    rest=$(find "$(dirname "$1")" -name '*.vtu*' -print -quit)
    [ -z "$rest" ] || wrong "a frame is left: $rest"
}

# put_old FOLDER: results of earlier runs
put_old() {
    local line name file
    for line in "${outputs[@]}"; do
        read -r name file _ <<<"$line"
        mkdir -p "$1/$name"
        echo "old $file" >"$1/$name/$file"
    done
}

# ---- a disk that is full --------------------------------------------------------------------------------------

fault="full disk"
mkdir "$dir/full" "$dir/frozen"
if mount -t tmpfs -o size=512k tmpfs "$dir/full" 2>/dev/null; then
    put_old "$dir/full"
    cat /dev/zero >"$dir/full/filler" 2>/dev/null
    for line in "${outputs[@]}"; do
        take "$line" "$dir/full/${line%% *}"
        refused "$dir/full/$name" 1
        same_old "$dir/full/$name/$file"
        grep -q "No space left\|gnuplot could not" "$dir/stderr" || wrong "the reason is not told"
        # the rows of a run and the beginning of a drive may be worth something
        case ${words[0]} in run | kinematics | inverse | drive) ;; *) [ -e "$dir/full/$name/$file.part" ] && wrong "FILE.part is left" ;; esac
        find "$dir/full/$name" -name '*.part' -delete
    done
    # the summary for programs
    name=csv file=x.csv words=(run pendulum --time 1 --out "$dir/full/csv/x.csv" --json)
    run_it
    python3 -c 'import json, sys
said = json.load(open(sys.argv[1]))
assert said["ok"] is False and said["exit_code"] == 1 and said["ending"] == "not written" and said["out"] is None
assert said["not_written"] == [sys.argv[2]]' "$dir/stdout" "$dir/full/csv/x.csv" 2>/dev/null || wrong "JSON is not true"
    # and of the other commands: not ok, and no key names the file
    cat >"$dir/judge.py" <<'END'
import json, sys
said = json.load(open(sys.argv[1]))
assert said["ok"] is False
assert not any(value == sys.argv[2] for key, value in said.items())
END
    for line in "${outputs[@]}"; do
        take "$line" "$dir/full/${line%% *}"
        case ${words[0]} in drive | replay | report) continue ;; esac
        words+=(--json)
        run_it
        python3 "$dir/judge.py" "$dir/stdout" "$dir/full/$name/$file" 2>>"$dir/stderr" || wrong "JSON is not true"
        find "$dir/full/$name" -name '*.part' -delete
    done
    # a checkpoint that could not be kept does not spoil the results
    name=keep words=(run pendulum --time 1 --out "$dir/aside/k.csv" --checkpoint "$dir/full/keep/x.keep" --every-seconds 0)
    run_it
    grep -q "written .*k.csv (101 rows" "$dir/stdout" || wrong "the results are not told"
    [ "$(wc -l <"$dir/aside/k.csv")" = 102 ] || wrong "the results are not there"
else
    echo "no mount here: the full disk is a limit on the size of files only"
fi

# The limit is another way to the same; it holds for the words, too, so that they leave through pipes.
fault="limit on the size of files"
put_old "$dir/limit"
for line in "${outputs[@]}"; do
    take "$line" "$dir/limit/${line%% *}"
    # gnuplot knows no such limit; what is in a recording is unpacked first, and that is refused
    case $name in png | svg | report | replay | manoeuvre) continue ;; esac
    { { (ulimit -f 0; exec "$BIELA" "${words[@]}") 2>&3 | cat >"$dir/stdout"; (exit "${PIPESTATUS[0]}"); } 3>&1 | cat >"$dir/stderr"; got=${PIPESTATUS[0]}; }
    [ "$got" = 1 ] || wrong "exit code $got instead of 1"
    grep -q "File too large" "$dir/stderr" || wrong "the reason is not told"
    tells_the_truth "$dir/limit/$name/$file" || wrong "the summary names $file"
    same_old "$dir/limit/$name/$file"
done

# ---- a folder that cannot be written to ---------------------------------------------------------------------------

fault="read-only disk"
if mount -t tmpfs -o size=512k tmpfs "$dir/frozen" 2>/dev/null; then
    put_old "$dir/frozen"
    mount -o remount,ro "$dir/frozen"
    for line in "${outputs[@]}"; do
        take "$line" "$dir/frozen/${line%% *}"
        refused "$dir/frozen/$name" 1
        same_old "$dir/frozen/$name/$file"
    done
fi

fault="folder that is a file"
echo plain >"$dir/plain"
for line in "${outputs[@]}"; do
    take "$line" "$dir/plain"
    refused "$dir/plain" 1
    [ "$(cat "$dir/plain")" = plain ] || wrong "the file has changed"
done

# ---- devices ------------------------------------------------------------------------------------------------------

# make_node FILE MINOR: of the same kind as the null device (3) and the full one (7)
make_node() { mknod "$1" c 1 "$2" 2>/dev/null && chmod 666 "$1" && { [ "$2" = 7 ] || : >"$1"; } 2>/dev/null; }
if make_node "$dir/node" 3; then
    for line in "${outputs[@]}"; do
        fault="device"
        mkdir -p "$dir/null/${line%% *}" "$dir/sink/${line%% *}"
        take "$line" "$dir/null/${line%% *}"
        make_node "$dir/null/$name/$file" 3
        run_it
        got=$?
        [ "$got" = "$([ "$name" = hdf5 ] && echo 1 || echo 0)" ] || wrong "exit code $got"
        [ -c "$dir/null/$name/$file" ] || wrong "the node is gone"

        fault="device that is full"
        take "$line" "$dir/sink/${line%% *}"
        make_node "$dir/sink/$name/$file" 7
        refused "$dir/sink/$name" 1
        [ -c "$dir/sink/$name/$file" ] || wrong "the node is gone"
    done
    name=csv fault="device beside which nothing may appear"
    before=$(ls "$dir/null/csv")
    for option in "--checkpoint $dir/c" "--restart $dir/c" "--plot P.x" --vtu; do
        read -ra words <<<"run pendulum --time 1 --out $dir/null/csv/x.csv $option"
        refused "$dir/null/csv" 2
    done
    words=(run "$in/noted.yaml" --time 1 --out "$dir/null/csv/x.csv")
    run_it
    [ "$(ls "$dir/null/csv")" = "$before" ] || wrong "$(ls "$dir/null/csv")"
else
    echo "no nodes can be made here: devices are not tested"
fi

# ---- links --------------------------------------------------------------------------------------------------------

for line in "${outputs[@]}"; do
    fault="link to a file"
    place=$dir/links/${line%% *}
    mkdir -p "$place/there" "$place/folder"
    take "$line" "$place"
    echo old >"$place/there/real"
    ln -s there/real "$place/$file"
    run_it || wrong "exit code $?"
    [ "$(readlink "$place/$file")" = there/real ] || wrong "the link is gone"
    [ -f "$place/there/real" ] && [ ! -L "$place/there/real" ] || wrong "the file is gone"
    [ "$(head -c 4 "$place/there/real" | tr -d '\0')" != "old" ] || wrong "the file behind is the old one"
    [ -z "$(find "$place" -name '*.part')" ] || wrong "FILE.part is left"

    fault="link to nothing"
    rm -f "$place/there/real"
    run_it || wrong "exit code $?"
    [ "$(readlink "$place/$file")" = there/real ] || wrong "the link is gone"
    [ -s "$place/there/real" ] || wrong "the file behind is not there"

    fault="link to a folder"
    rm -f "$place/$file"
    ln -s folder "$place/$file"
    refused "$place" "1 2"
    [ "$(readlink "$place/$file")" = folder ] || wrong "the link is gone"
    [ -z "$(ls "$place/folder")" ] || wrong "something is in the folder"
done

# ---- pipes whose reader leaves ------------------------------------------------------------------------------------

name=csv fault="reader that leaves" file=pipe
long=(run four-bars --time 20 --every 0.001 --quiet --out)
"$BIELA" "${long[@]}" /proc/self/fd/1 2>"$dir/stderr" </dev/null | head -1 >"$dir/stdout"
got=${PIPESTATUS[0]}
[ "$got" = 1 ] || wrong "exit code $got of | head"
grep -q "Broken pipe" "$dir/stderr" || wrong "the reason is not told"
mkfifo "$dir/pipe"
head -1 "$dir/pipe" >"$dir/stdout" &
words=("${long[@]}" "$dir/pipe")
"$BIELA" "${words[@]}" >"$dir/said" 2>"$dir/stderr" </dev/null
got=$?
wait $!
[ "$got" = 1 ] || wrong "exit code $got of a named pipe"
[ -p "$dir/pipe" ] || wrong "the pipe is gone"
grep -q "Broken pipe" "$dir/stderr" || wrong "the reason is not told"
cat "$dir/pipe" >"$dir/through.csv" &
"$BIELA" run pendulum --time 1 --quiet --out "$dir/pipe" 2>"$dir/stderr" || wrong "a pipe that is read to its end"
wait $!
cmp -s "$dir/through.csv" "$in/table.csv" || wrong "what went through the pipe is not the table"
# words for a reader that is gone
"$BIELA" run pendulum --time 1 --out "$dir/aside/j.csv" --json 2>"$dir/stderr" | true
[ "${PIPESTATUS[0]}" = 0 ] || grep -q "cannot write the output" "$dir/stderr" || wrong "no word about the summary"
[ "$(wc -l <"$dir/aside/j.csv")" = 102 ] || wrong "the results are not there"

finish
