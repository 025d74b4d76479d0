#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A sweep by a device of batches writes the file that processes write, byte for byte: runs that fail, models that are refused, sizes that
# differ, starts in equilibrium, bisections, channels of every step, and a sweep that was killed. `mirror` is the GPU's way on this machine.
. tests/cli/support.bash

# a mass on a spring that is too stiff for the step of some cases; a rope of n rods
cat >"$dir/stiff.yaml" <<'END'
biela: 1
name: stiff
parameters: {k: 100 N/m, m: 1 kg, v: 1 m/s}
bodies: {mass: {mass: m, inertia: [0.1, 0.1, 0.1]}}
joints: {rail: {type: prismatic, bodies: [ground, mass], axis: [1, 0, 0], rate: v}}
forces: {spring: {type: torsion-spring, joint: rail, stiffness: k, damping: 0.5}}
outputs: {x: {joint: rail}}
events: {back: {condition: rail.position < -0.01}}
run: {time: 2, dt: 0.01, scheme: rk4, formulation: joint}
END
cat >"$dir/rope.yaml" <<'END'
biela: 1
name: rope
parameters: {n: 2, L: 1 m}
bodies:
  rod$i: {for: {i: 1..n}, mass: 1, com: [L/2, 0, 0], inertia: [0.01, 0.1, 0.1], at: [(i-1)*L, 0, 0]}
joints:
  pin1: {type: revolute, bodies: [ground, rod1], axis: [0, 1, 0]}
  pin$i: {for: {i: 2..n}, type: revolute, bodies: [rod$(i-1), rod$i], at: [(i-1)*L, 0, 0], axis: [0, 1, 0]}
outputs: {tip: {joint: pin1}}
run: {time: 0.5, dt: 5e-3, start: equilibrium}
END

ends 0 info pendulum --batch
sed -n '/^batch/,$s/^  \([a-z]*\)  *takes it.*/\1/p' "$dir/stdout" | grep -vx gpu >"$dir/devices"
must "devices are told" grep -qx mirror "$dir/devices"

# same NAME CODE MODEL OPTIONS...: by every device that is here, the file that processes write
same() {
    local name=$1 code=$2
    shift 2
    ends "$code" sweep "$@" --out "$dir/$name.csv" --quiet
    cp "$dir/stderr" "$dir/words"
    for device in $(cat "$dir/devices"); do
        ends "$code" sweep "$@" --device "$device" --jobs 2 --out "$dir/$name-$device.csv" --quiet
        must "$name: $device says the same" cmp "$dir/words" "$dir/stderr"
        must "$name: $device writes the same" cmp "$dir/$name.csv" "$dir/$name-$device.csv"
    done
}
same failing 4 "$dir/stiff.yaml" --grid k=100,1e4,1e9 --grid m=1,0,2 --record max:x.position,final:x.position,mean:x.rate,time:back
must "some fail, some are refused, others do neither" python3 - "$dir/failing.csv" <<'END'
import csv, sys
assert {r["status"] for r in csv.DictReader(open(sys.argv[1]))} == {"0", "3", "4"}
END
same events 4 "$dir/stiff.yaml" --grid k=100,1e9,200 --until back --record final:x.position
same limits 0 "$dir/stiff.yaml" --bisect v=0.5:9:0.1 --until 'rail.position > 0.3' --random 5 --vary 'k=uniform(100,300)'
same sizes 0 "$dir/rope.yaml" --grid n=1,3,2,1 --grid L=1,2 --record final:tip.angle

# ---- killed in the middle: what is done is kept, and another device goes on to the same file
many=("$dir/stiff.yaml" --random 600 --vary 'k=uniform(100,300)' --grid m=1,2 --record final:x.position --quiet)
"$BIELA" sweep "${many[@]}" --out "$dir/whole.csv" 2>"$dir/log"
"$BIELA" sweep "${many[@]}" --out "$dir/killed.csv" --device mirror --jobs 1 2>"$dir/log" &
killed=$!
while [ "$(cat "$dir/killed.csv.journal" 2>/dev/null | wc -l)" -lt 10 ] && kill -0 $killed 2>/dev/null; do sleep 0.01; done
kill -KILL $killed 2>/dev/null
wait $killed 2>/dev/null
if [ ! -e "$dir/killed.csv" ]; then
    must "cases are kept" test "$(wc -l <"$dir/killed.csv.journal")" -gt 10
    ends 0 sweep "${many[@]}" --out "$dir/killed.csv"
fi
must "the file of a sweep that was killed" cmp "$dir/whole.csv" "$dir/killed.csv"

# ---- Ctrl-C while cases are compiled or stepped: no case is half done, and the same command goes on
"$BIELA" sweep "${many[@]}" --out "$dir/asked.csv" --device mirror --jobs 1 2>"$dir/log" &
asked=$!
while [ ! -s "$dir/asked.csv.journal" ] && kill -0 $asked 2>/dev/null; do sleep 0.01; done
kill -TERM $asked 2>/dev/null
wait $asked
code=$?
must "ended by the signal, or done" test $code -eq 143 -o -e "$dir/asked.csv"
[ -e "$dir/asked.csv" ] || ends 0 sweep "${many[@]}" --out "$dir/asked.csv" --device mirror
must "the file of a sweep that was asked to end" cmp "$dir/whole.csv" "$dir/asked.csv"

# ---- what cannot be
ends 2 sweep "$dir/stiff.yaml" --grid k=1,2 --record final:x.position --device nowhere --out "$dir/no.csv"
must "devices are listed" grep -q "there are threads, mpi, .*gpu" "$dir/stderr"
ends 0 sweep "$dir/stiff.yaml" --grid k=100,200 --record final:x.position --dt auto --device mirror --out "$dir/auto.csv"
must "steps that are chosen are done by threads" grep -q "dt auto" "$dir/stderr"
ends 0 sweep box-stack --time 0.05 --grid mu=0.4,0.5 --record final:box1.z --device mirror --out "$dir/boxes.csv"
must "a model that it does not take is done by threads" grep -q "device mirror: .*threads" "$dir/stderr"
must "and the rest of its row is there" grep -q "^1,0.5,0\.[0-9]" "$dir/boxes.csv"
ends 0 info box-stack --batch
must "info says why not" grep -q "mirror  *does not take it: contacts among many shapes" "$dir/stdout"
ends 0 info car --batch --json
must "sizes as numbers" python3 - "$dir/stdout" <<'END'
import json, sys
by = {d["device"]: d for d in json.load(open(sys.argv[1]))["batch"]}
assert by["threads"]["takes"] and by["threads"]["travelling_bytes"] == 0 < by["threads"]["sim_bytes"]
assert by["mirror"]["takes"] and 0 < by["mirror"]["travelling_bytes"] < by["mirror"]["bytes_there"]
assert by["gpu"]["takes"] and by["gpu"]["bytes_there"] > by["gpu"]["travelling_bytes"]
END
finish
