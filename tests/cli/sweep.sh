#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sweeps: grids, bisections and samples against closed forms; the same bytes with any number of processes, after a kill and over
# mpirun; mistakes.
. tests/cli/support.bash

# a pendulum that goes over the top above 2 sqrt(g/L), and a sledge that moves by v t
cat >"$dir/swing.yaml" <<'END'
biela: 1
name: swing
parameters: {L: 1 m, w: 5 rad/s}
bodies: {bob: {mass: 1, com: [0, 0, -L], inertia: [1e-9, 1e-9, 1e-9]}}
joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0], rate: w}}
events: {over: {condition: pivot.angle > pi}}
outputs: {P: {joint: pivot}}
run: {time: 6, dt: 0.01}
END
cat >"$dir/sledge.yaml" <<'END'
biela: 1
name: sledge
gravity: [0, 0, 0]
parameters: {v: 2 m/s, m: 1 kg, far: 3 m, lift: 0 deg}
bodies: {sledge: {mass: m, inertia: [0.1, 0.1, 0.1]}}
joints: {rail: {type: prismatic, bodies: [ground, sledge], axis: [1, 0, 0], rate: v}}
outputs: {x: {joint: rail}, up: lift}
events: {there: {condition: rail.position > far}}
run: {time: 1, dt: 0.05}
END
swing=$dir/swing.yaml sledge=$dir/sledge.yaml

# bisection over a grid
ends 0 sweep "$swing" --bisect w=2:12:0.01 --until over --grid L=0.5:2:0.5 --out "$dir/a.csv" --json
must "the summary is JSON" python3 -m json.tool "$dir/stdout"
must "over the top above 2 sqrt(g/L)" python3 - "$dir/a.csv" <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [float(r["L"]) for r in rows] == [0.5, 1, 1.5, 2]
for r in rows:
    wanted = 2 * (9.80665 / float(r["L"])) ** 0.5
    # half the resolution, and what the step of 0.01 s costs (order two, 2e-3 at this speed)
    assert abs(float(r["w"]) - wanted) < 0.005 + 4e-3, (r, wanted)
    assert r["over"] == "1" and r["status"] == "0" and float(r["over.t"]) > 0.5
END

# two grids, nested, the first slowest; measures; units are the parameter's own
ends 0 sweep "$sledge" --grid v=1:3:1 --grid lift=0,90 --record final:x.position,max:x.position,min:x.position,mean:x.position,final:up,time:there --out "$dir/b.csv" --quiet
must "x = v t" python3 - "$dir/b.csv" <<'END'
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [(float(r["v"]), float(r["lift"])) for r in rows] == [(v, a) for v in (1, 2, 3) for a in (0, 90)]
for r in rows:
    v = float(r["v"])
    near = lambda key, x: abs(float(r[key]) - x) < 1e-9
    assert near("final:x.position", v) and near("max:x.position", v) and near("min:x.position", 0)
    assert near("mean:x.position", v / 2) and near("final:up", math.radians(float(r["lift"])))
    assert r["time:there"] == ""
END
# one case alone, by its number, has the row that it has among the others, with the hash of its last state
ends 0 sweep "$swing" --grid L=0.5:2:0.5 --random 9 --vary 'w=uniform(1,9)' --record max:P.angle --out "$dir/all.csv" --quiet
for k in 0 17 35; do
    ends 0 sweep "$swing" --grid L=0.5:2:0.5 --random 9 --vary 'w=uniform(1,9)' --record max:P.angle --case $k
    must "case $k alone" diff "$dir/stdout" <(sed -n "1p;$((k + 2))p" "$dir/all.csv")
done
must "hashes differ" test "$(cut -d, -f9 "$dir/all.csv" | sort -u | wc -l)" = 37
ends 2 sweep "$swing" --grid L=0.5:2:0.5 --record max:P.angle --case 4
must "the range is told" grep -q "0 to 3" "$dir/stderr"
# a condition on the command line; the run stops there
ends 0 sweep "$sledge" --grid v=2,8 --until 'rail.position > 3' --record final:x.position --out "$dir/c.csv" --quiet
must "stops at the event" python3 - "$dir/c.csv" <<'END'
import csv, sys
a, b = csv.DictReader(open(sys.argv[1]))
assert a["until"] == "0" and a["until.t"] == "" and abs(float(a["final:x.position"]) - 2) < 1e-9
assert b["until"] == "1" and abs(float(b["until.t"]) - 0.375) < 1e-8 and abs(float(b["final:x.position"]) - 3) < 1e-7
END

# samples of a linear map: the quantiles of x = v T are those of v; bisection gives far / T, whatever the mass
random=(--random 400 --vary 'v=normal(2,0.1)' --vary 'm=uniform(1,2)')
ends 0 sweep "$sledge" "${random[@]}" --record final:x.position --out "$dir/d.csv" --json
must "quantiles of a linear map" python3 - "$dir/d.csv" "$dir/d.summary.csv" "$dir/stdout" <<'END'
import csv, json, sys
from statistics import NormalDist
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) == 400
assert all(abs(float(r["v"]) - float(r["final:x.position"])) < 1e-9 and 1 < float(r["m"]) < 2 for r in rows)
s = next(csv.DictReader(open(sys.argv[2])))
told = json.load(open(sys.argv[3]))["estimates"][0]["final:x.position"]
for q in ("0.05", "0.5", "0.95"):
    key = "final:x.position.q" + q
    true = NormalDist(2, 0.1).inv_cdf(float(q))
    # the seed is fixed: these intervals do contain the true value
    assert float(s[key + ".low"]) <= true <= float(s[key + ".high"]), (q, s, true)
    assert float(s[key + ".low"]) < float(s[key]) < float(s[key + ".high"])
    assert abs(told[q]["value"] - float(s[key])) < 1e-12
END
ends 0 sweep "$sledge" --random 100 --vary 'v=normal(3,0.1)' --until there --out "$dir/p.csv" --json
must "an even chance" python3 -c '
import json, sys
p = json.load(open(sys.argv[1]))["estimates"][0]["probability"]
assert p["low"] < 0.5 < p["high"] and p["high"] - p["low"] < 0.21' "$dir/stdout"
# beyond the ends of the range: such samples count as below or above it, and an interval may be open
ends 0 sweep "$sledge" --random 40 --vary 'far=uniform(1,9)' --bisect v=2:5:0.01 --until there --quantiles 0.3,0.9 --out "$dir/o.csv" --quiet
must "the warning counts them" grep -q "status 2 in .* of 40 cases: the event happens at neither end" "$dir/stderr"
must "a quantile inside, one beyond" python3 - "$dir/o.summary.csv" <<'END'
import csv, sys
s = next(csv.DictReader(open(sys.argv[1])))
assert s["v.samples"] == "40" and 2.5 < float(s["v.q0.3"]) < 4.5 and s["v.q0.9"] == ""
END

# the same bytes with any number of processes
for jobs in 1 3 7; do
    ends 0 sweep "$sledge" "${random[@]}" --record final:x.position --out "$dir/j.csv" --jobs $jobs --quiet
    must "$jobs processes" cmp "$dir/d.csv" "$dir/j.csv"
    must "$jobs processes, summary" cmp "$dir/d.summary.csv" "$dir/j.summary.csv"
done
ends 0 sweep "$sledge" "${random[@]}" --seed 2 --record final:x.position --out "$dir/j.csv" --quiet
must "another seed, other samples" sh -c "! cmp -s '$dir/d.csv' '$dir/j.csv'"
must "no journal stays" sh -c "! ls '$dir'/*.journal '$dir'/*.part 2>/dev/null"

# killed, interrupted, taken up again
long=("$swing" --grid w=1:8:0.1 --until over --record max:P.angle)
ends 0 sweep "${long[@]}" --out "$dir/whole.csv" --quiet
wait_for_lines() { while [ "$(cat "$1" 2>/dev/null | wc -l)" -lt "$2" ] && kill -0 "$3" 2>/dev/null; do sleep 0.01; done; }
"$BIELA" sweep "${long[@]}" --out "$dir/parts.csv" --quiet --jobs 2 &
process=$!
wait_for_lines "$dir/parts.csv.journal" 8 $process
kill -9 $process 2>/dev/null
wait $process 2>/dev/null
if [ ! -e "$dir/parts.csv" ]; then
    printf '70 0x1.8p' >>"$dir/parts.csv.journal" # half a line, as a kill may leave it
    ends 2 sweep "$swing" --grid w=1:8:0.2 --until over --out "$dir/parts.csv" --quiet
    must "another command is refused" grep -q "belongs to another sweep" "$dir/stderr"
    must "and told" grep -q "w=1:8:0.1" "$dir/stderr"
    ends 2 sweep "${long[@]}" --set L=1.1 --out "$dir/parts.csv" --quiet
    "$BIELA" sweep "${long[@]}" --out "$dir/parts.csv" --quiet &
    process=$!
    wait_for_lines "$dir/parts.csv.journal" 20 $process
    "$BIELA" sweep "${long[@]}" --out "$dir/parts.csv" --quiet 2>"$dir/second"
    second=$?
    must "two at once are refused (or the first was done)" test $second -eq 1 -o $second -eq 0
    kill -INT $process 2>/dev/null
    wait $process
    code=$?
    # where the killed one had left 20 lines nobody waited for the first: the second may have been before it
    must "Ctrl-C ends with 130 (or it was done, or the second was): $code" test $code -eq 130 -o $code -eq 0 -o $second -eq 0
    ends 0 sweep "${long[@]}" --out "$dir/parts.csv" --jobs 3
    must "the same bytes as in one go" cmp "$dir/whole.csv" "$dir/parts.csv"
    must "no journal stays" test ! -e "$dir/parts.csv.journal"
fi
printf 'biela sweep journal 1\nsomething else\n' >"$dir/f.csv.journal"
ends 2 sweep "$sledge" --grid v=1,2 --record final:x.position --out "$dir/f.csv" --quiet
ends 0 sweep "$sledge" --grid v=1,2 --record final:x.position --out "$dir/f.csv" --quiet --fresh

# over mpirun, with more ranks than cases too
if [ -e "$(dirname "$(realpath "$BIELA")")/biela_mpi.so" ] && command -v mpirun >/dev/null; then
    # the MPI library keeps memory to the end: not our leaks
    mpi() { ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 1000 mpirun --oversubscribe -n "$@"; }
    must "three ranks" mpi 3 "$BIELA" sweep "$sledge" "${random[@]}" --device mpi --record final:x.position --out "$dir/m.csv" --quiet
    must "the same bytes" cmp "$dir/d.csv" "$dir/m.csv"
    must "the same summary" cmp "$dir/d.summary.csv" "$dir/m.summary.csv"
    must "four ranks for two cases" mpi 4 "$BIELA" sweep "$sledge" --grid v=2,8 --until 'rail.position > 3' --record final:x.position --out "$dir/m.csv" --quiet
    must "the same bytes again" cmp "$dir/c.csv" "$dir/m.csv"
    mpi 3 "$BIELA" sweep "$sledge" --grid u=1,2 --record final:x.position --out "$dir/n.csv" >"$dir/words" 2>&1
    # a sweep whose ranks are killed goes on with the cores of this machine
    ranked=("$sledge" --grid v=1:4:0.05 --record final:x.position,max:up --time 3 --dt 1e-3 --quiet)
    ends 0 sweep "${ranked[@]}" --device threads --out "$dir/whole.csv"
    ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        mpirun --oversubscribe -n 3 "$BIELA" sweep "${ranked[@]}" --device mpi --out "$dir/killed.csv" >/dev/null 2>&1 &
    ranks=$!
    wait_for_lines "$dir/killed.csv.journal" 5 $ranks
    for process in $(pgrep -P $ranks); do
        kill -9 "$process" 2>/dev/null
    done
    wait $ranks 2>/dev/null
    ends 0 sweep "${ranked[@]}" --device threads --jobs 2 --out "$dir/killed.csv"
    must "the same bytes after a kill of the ranks" cmp "$dir/whole.csv" "$dir/killed.csv"
    must "mistakes are told once" test "$(grep -c "no parameter called 'u'" "$dir/words")" -eq 1
else
    echo "no MPI: mpirun is not tested"
fi
# without the module, mpirun is refused: every rank would do everything
cp "$BIELA" "$dir/alone"
BIELA_MODELS=models OMPI_COMM_WORLD_SIZE=2 "$dir/alone" sweep "$sledge" --grid v=1,2 --record final:x.position --out "$dir/n.csv" >"$dir/words" 2>&1
must "built without MPI" grep -q "built without MPI" "$dir/words"

# mistakes
bad() { # MESSAGE ARGUMENTS...
    local message=$1
    shift
    ends 2 sweep "$sledge" "$@" --out "$dir/no.csv"
    must "$message" grep -q -e "$message" "$dir/stderr"
}
bad "there are threads, mpi, .*gpu" --grid v=1,2 --record final:x.position --device hpu
bad "start it as mpirun" --grid v=1,2 --record final:x.position --device mpi
bad "standard deviation must be greater than zero" --random 5 --vary 'v=normal(2,-0.1)' --record final:x.position
bad "width high - low must be greater" --random 5 --vary 'v=uniform(2,1)' --record final:x.position
bad "low <= mode <= high" --random 5 --vary 'v=triangular(1,5,2)' --record final:x.position
bad "there are uniform" --random 5 --vary 'v=gauss(1,5)' --record final:x.position
bad "write it as normal(mean,sd)" --random 5 --vary 'v=normal(1)' --record final:x.position
bad "median must be greater" --random 5 --vary 'v=lognormal(-1,0.1)' --record final:x.position
bad "lies between low and high" --random 5 --vary 'v=truncated(0,0.1,50,60)' --record final:x.position
bad "no parameter called 'u'" --grid u=1:2:1 --record final:x.position
bad "no parameter called 'u'" --random 5 --vary 'u=normal(1,1)' --record final:x.position
bad "the grid is empty" --grid v=1:2:-1 --record final:x.position
bad "the grid is empty" --grid v=1:2:0 --record final:x.position
bad "write it as name=from:to:step" --grid v= --record final:x.position
bad "name=from:to:step" --grid v=1:nan:1 --record final:x.position
bad "both ends of --bisect v=5:9 agree.*at both ends" --bisect v=5:9:0.1 --until there
bad "both ends of --bisect v=1:2 agree.*at neither end" --bisect v=1:2:0.1 --until there
bad "the range is empty" --bisect v=5:2:0.1 --until there
bad "resolution must be greater" --bisect v=1:2:0 --until there
bad "needs --until EVENT" --bisect v=1:2:0.1
bad "has no event 'ther'.*did you mean 'there'" --grid v=1,2 --until ther
bad "has no channel 'y'" --grid v=1,2 --record max:y
bad "has no event of this name" --grid v=1,2 --record time:never
bad "write final:CHANNEL" --grid v=1,2 --record largest:x.position
bad "is given twice" --grid v=1,2 --set v=3 --record final:x.position
bad "nothing varies" --random 5 --record final:x.position
bad "needs --random N" --vary 'v=normal(1,1)' --record final:x.position
bad "whole number" --random 2.5 --vary 'v=normal(1,1)' --record final:x.position
bad "nothing to do" --record final:x.position
bad "nothing to tell" --grid v=1,2
# cases that the model refuses do not spoil the others
ends 0 sweep "$sledge" --grid m=1,-1 --record final:x.position --out "$dir/r.csv" --quiet
must "the refused one is told" grep -q "status 4 in 1 of 2 cases" "$dir/stderr"
must "why" grep -q "case 1: .*mass" "$dir/stderr"

# pictures
if command -v gnuplot >/dev/null; then
    ends 0 sweep "$sledge" --grid v=1:3:0.5 --grid far=1:3:0.5 --record final:x.position --out "$dir/map.csv" --plot --quiet
    ends 0 sweep "$sledge" --grid v=1:3:0.5 --record final:x.position --out "$dir/curve.csv" --plot --quiet
    ends 0 sweep "$sledge" "${random[@]}" --record final:x.position --out "$dir/spread.csv" --plot --quiet
    for name in map curve spread; do
        must "$name.png is a picture" sh -c "head -c 4 '$dir/$name.png' | grep -q PNG"
    done
fi
# a mean is over the time of the run, wherever its clock starts; nothing in a pendulum depends on the clock
for clock in 0 5; do
    ends 0 sweep pendulum --grid m=1,2 --record mean:energy.kinetic --time 1 --start_time $clock --case 0
    mean[clock]=$(tail -n 1 "$dir/stdout" | cut -d, -f3)
done
must "means do not depend on the clock" awk -v a="${mean[0]}" -v b="${mean[5]}" 'BEGIN { exit !(a > 1 && (a - b) ^ 2 < 1e-24) }'
# a case without equilibrium says why, to the end of the sentence
ends 0 sweep forklift --run tilt-table --grid side=0.35,0.45 --record final:truck.x --start equilibrium --time 0.01 --out "$dir/tilt.csv"
must "its message is whole" grep -q "or a smaller load" "$dir/stderr"

# parameters that change what the model is made of: each case is the model it asks for, and one that has not got what is
# recorded is told while the others finish
ends 0 sweep chain --grid N=1:3:1 --record final:energy.kinetic --time 0.1 --out "$dir/n.csv" --quiet
for n in 1 2 3; do
    ends 0 sweep chain --grid N=$n,9 --record final:energy.kinetic --time 0.1 --case 0
    must "N = $n is the case alone" sh -c "grep -q \"$(sed -n "$((n + 1))p" "$dir/n.csv" | grep -o '[^,]*$')\" '$dir/stdout'"
done
cat >"$dir/balls.yaml" <<'END'
biela: 1
name: balls
parameters: {N: 3}
bodies:
  ball$i: {for: {i: 1..N}, mass: 1, at: [0, 0, i]}
outputs:
  z$i: {for: {i: 1..N}, point: {body: ball$i, at: [0, 0, 0]}}
run: {time: 0.1, dt: 1e-2}
END
ends 0 sweep "$dir/balls.yaml" --grid N=3,1,2 --record final:z3.z --out "$dir/n.csv" --quiet
must "who has the channel finishes" test "$(grep -c ',0,0,[0-9]*$' "$dir/n.csv")" = 1
must "the others are told" grep -q "no channel 'z3.z' with these parameters" "$dir/stderr"


# the model stays while its parameters change: each case is, to the last bit, the one that is read alone; events that are described
# again still end the run, and conditions of the command line have their own parameters
alone() { # alone NAME CASES sweep...: rows of NAME.csv
    local name=$1 count=$2 k
    shift 2
    ends 0 "$@" --out "$dir/$name.csv" --fresh --jobs 1 --quiet
    for ((k = 0; k < count; k++)); do
        ends 0 "$@" --case $k
        must "$name: case $k alone" test "$(tail -n 1 "$dir/stdout")" = "$(sed -n $((k + 2))p "$dir/$name.csv")"
    done
}
alone kept 8 sweep "$sledge" --grid v=1,2 --grid m=1,3 --grid lift=0,10 --record final:x.position,final:up
alone stops 3 sweep "$sledge" --grid far=0.5,1,1.5 --until there --record final:x.position
alone asked 3 sweep "$sledge" --grid far=0.5,1,1.5 --until 'rail.position > far' --record final:x.position
must "each stops where it is told" python3 - "$dir/stops.csv" "$dir/asked.csv" <<'END'
import csv, sys
for name in sys.argv[1:]:
    rows = list(csv.DictReader(open(name)))
    assert [float(r["far"]) for r in rows] == [0.5, 1, 1.5]
    # the instant is found within 1e-9 s or so, at 2 m/s
    assert all(abs(float(r["final:x.position"]) - float(r["far"])) < 1e-7 for r in rows), rows
END
alone trucks 4 sweep forklift --grid driver=70,90 --grid mu=0.6,0.7 --record final:speed --time 0.05
alone joint 4 sweep car --grid g=9,10 --grid ks=19000,21000 --record final:energy.kinetic --time 0.05 --formulation joint
ends 0 sweep chain --grid N=1,2 --grid L=0.1,0.2 --record final:energy.kinetic --time 0.1 --out "$dir/n.csv" --json
must "what has the file read is told" grep -q "^note: N changes bodies" "$dir/stderr"
must "and nothing else" sh -c "! grep -q 'L changes' '$dir/stderr'"
must "in JSON" python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["reads_files"] == ["N"]' "$dir/stdout"
# a refused value does not stay
ends 0 sweep "$sledge" --grid m=1,-1,1 --record final:x.position --out "$dir/r.csv" --jobs 1 --quiet
must "the one after it is as the one before" test "$(sed -n 2p "$dir/r.csv" | cut -d, -f2-)" = "$(sed -n 4p "$dir/r.csv" | cut -d, -f2-)"

finish
