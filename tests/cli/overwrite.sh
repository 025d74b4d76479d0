#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No output replaces a file that the command reads, nor another output: refused with exit code 2, both named, and nothing is changed.
. tests/cli/support.bash
BIELA=$(realpath "$BIELA")
in=$dir/in
mkdir "$in" "$dir/aside"

# what the commands read: a model with everything that it can be made of, and results
cat >"$in/part.yaml" <<'END2'
biela: 1
name: part
bodies: {disc: {mass: 1, inertia: [1, 1, 1]}}
shapes: {look: {type: mesh, body: disc, file: block.obj}}
END2
# no ending: only the reader knows that it is one
cp "$in/part.yaml" "$in/other"
sed -i 's/disc/plate/' "$in/other"
cat >"$in/block.obj" <<'END2'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
END2
printf 'x,f\n-1,1\n0,0\n1,-1\n' >"$in/law.csv"
printf 't,push\n0,1\n1,1\n' >"$in/push.csv"
cat >"$in/m.yaml" <<'END2'
biela: 1
name: m
gravity: [0, 0, 0]
parameters: {m: 1}
inputs: {push: 0}
tables: {law: {file: law.csv, outside: extrapolate}}
include: [{file: part.yaml, prefix: a_}, {file: other, prefix: b_}]
signals: {back: {type: table, table: law, input: rail.position}}
bodies: {sledge: {mass: m, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, sledge], axis: [1, 0, 0]}}
forces: {drive: {type: torque, joint: rail, torque: push + back}}
outputs: {x: {joint: rail}}
run: {time: 0.1, dt: 0.01, manoeuvre: push.csv}
END2
cp tests/import/double_pendulum.urdf "$in/robot.urdf"
cp models/tyre-rig/model.yaml "$in/tyre.yaml" 
must 'the model runs' "$BIELA" run "$in/m.yaml" --out "$in/table.csv" --quiet
cp "$in/push.csv" "$in/gentle.csv"
printf 't,x.position\n0,0\n0.05,0.001\n0.1,0.005\n' >"$in/measured.csv"
must 'a drive' "$BIELA" drive pendulum-cart --headless --unpaced --time 0.1 --record "$in/drive.biela" --quiet
"$BIELA" run "$in/m.yaml" --out "$in/kept.csv" --checkpoint "$in/keep" --every-seconds 0 --quiet
ln -s m.yaml "$in/soft.yaml"
ln "$in/m.yaml" "$in/hard.yaml"
ln "$in/law.csv" "$in/hard.csv"
cp "$in/law.csv" "$in/law2.csv.part"

# refuses FILE COMMAND...: exit code 2, the file is named, nothing in the folder has changed
refuses() {
    local file=$1 before
    shift
    before=$(cd "$in" && find . -type f -exec md5sum {} + | sort)
    ends 2 "$@"
    must "biela $*: names $file" grep -q -e "$file" "$dir/stderr"
    must "biela $*: says what would happen" grep -Eq 'would overwrite|the same file' "$dir/stderr"
    must "biela $*: changes nothing" test "$before" = "$(cd "$in" && find . -type f -exec md5sum {} + | sort)"
}

# everything that a model is read from, by its own name and by others
for file in m.yaml soft.yaml hard.yaml part.yaml other block.obj law.csv hard.csv push.csv; do
    refuses "$file" run "$in/m.yaml" --out "$in/$file"
done
refuses m.yaml run "$in/soft.yaml" --out "$in/m.yaml"
refuses gentle.csv run "$in/m.yaml" --manoeuvre "$in/gentle.csv" --out "$in/gentle.csv"
(cd "$in" && "$BIELA" run m.yaml --out ../in/./part.yaml >/dev/null 2>"$dir/stderr")
must 'from the folder itself' grep -q 'would overwrite' "$dir/stderr"
# the name under which bytes are gathered is taken from nobody
sed 's/law.csv/law2.csv.part/' "$in/m.yaml" >"$in/m2.yaml"
refuses law2.csv.part run "$in/m2.yaml" --out "$in/law2.csv"

# every output of every command
m=$in/m.yaml
refuses part.yaml run "$m" --out "$dir/aside/x.csv" --checkpoint "$in/part.yaml"
refuses law.csv run "$m" --out "$dir/aside/x.csv" --envelope "$in/law.csv"
cp models/slider-crank/model.yaml "$in/crank.yaml"
refuses crank.yaml kinematics "$in/crank.yaml" --time 0.1 --out "$in/crank.yaml"
refuses law.csv equilibrium "$m" --out "$in/law.csv"
refuses law.csv sweep "$m" --grid m=1,2 --record final:x.position --out "$in/law.csv"
cp models/whipple/model.yaml "$in/bicycle.yaml"
refuses bicycle.yaml modes "$in/bicycle.yaml" --set v=5 --out "$in/bicycle.yaml"
refuses measured.csv fit "$m" "$in/measured.csv" --params m --out "$in/measured.csv"
refuses law.csv fit "$m" "$in/measured.csv" --params m --out "$in/law.csv"
refuses m.yaml drive "$m" --headless --unpaced --time 0.1 --record "$in/m.yaml"
refuses drive.biela replay "$in/drive.biela" --csv "$in/drive.biela"
refuses drive.biela replay "$in/drive.biela" --manoeuvre "$in/drive.biela"
refuses drive.biela report "$in/drive.biela" --brief --out "$in/drive.biela"
refuses robot.urdf import "$in/robot.urdf" --out "$in/robot.urdf"
refuses tyre.yaml tyre "$in/tyre.yaml" --out "$in/tyre.yaml"
refuses table.csv plot "$in/table.csv" x.position --out "$in/table.csv"
cp models/flex-bar/model.yaml "$in/bar.yaml"
refuses bar.yaml flex build "$in/bar.yaml" --out "$in/bar.yaml"
refuses bar.yaml flex modes "$in/bar.yaml" --out "$in/bar.yaml"
refuses bar.yaml flex export "$in/bar.yaml" --out "$in/bar.yaml"
cp models/bond-motor/model.yaml "$in/motor.svg"
refuses motor.svg bonds "$in/motor.svg" --svg "$in/motor.svg"
cp models/pendulum/model.yaml "$in/pendulum.svg"
refuses pendulum.svg info "$in/pendulum.svg" --sparsity "$in/pendulum.svg"
refuses pendulum.svg info "$in/pendulum.svg" --view "$in/pendulum.svg"
cp models/waveboard/model.yaml "$in/board.yaml"
refuses board.yaml inverse "$in/board.yaml" --run inverse1 --time 0.05 --out "$in/board.yaml"
refuses board.yaml inverse "$in/board.yaml" --run inverse1 --time 0.05 --out "$dir/aside/x.csv" --actions "$in/board.yaml"

# names that follow from --out: the model is one of them
for name in table.events.csv table.verdict.json table.png sweep.summary.csv sweep.csv.journal; do
    cp "$m" "$in/$name"
done
refuses table.events.csv run "$in/table.events.csv" --out "$in/table.csv"
refuses table.verdict.json run "$in/table.verdict.json" --out "$in/table.csv"
refuses table.png run "$in/table.png" --out "$in/table.csv" --plot x.position
refuses sweep.summary.csv sweep "$in/sweep.summary.csv" --random 3 --vary 'm=uniform(1,2)' --record final:x.position --out "$in/sweep.csv"
refuses sweep.csv.journal sweep "$in/sweep.csv.journal" --grid m=1,2 --record final:x.position --out "$in/sweep.csv" --fresh

# two outputs into one file, whether it is there or not
refuses --checkpoint run "$m" --out "$dir/aside/y.csv" --checkpoint "$dir/aside/y.csv"
refuses --checkpoint run "$m" --out "$dir/new/./y.csv" --checkpoint "$dir/new/y.csv"
refuses --envelope run "$m" --out "$dir/aside/y.csv" --envelope "$dir/aside/../aside/y.csv"
refuses --checkpoint run "$m" --out "$dir/aside/y.csv" --checkpoint "$dir/aside/y.csv.part"
refuses --checkpoint run "$m" --out "$dir/aside/y.csv" --checkpoint "$dir/aside/y.verdict.json"
refuses --manoeuvre replay "$in/drive.biela" --csv "$dir/aside/y.csv" --manoeuvre "$dir/aside/y.csv"
refuses --actions inverse waveboard --run inverse1 --time 0.05 --out "$dir/aside/y.csv" --actions "$dir/aside/y.csv"
must 'no folder was made' test ! -e "$dir/new"

# endings of other kinds of files
for name in y.png y.VTU y.verdict.json y.csv.gz y.pdf; do
    ends 2 run "$m" --out "$dir/aside/$name"
    must "$name is no table" grep -q "is no table; results are written as .csv, .h5 or .hdf5" "$dir/stderr"
    must "$name is not written" test ! -e "$dir/aside/$name"
done
ends 2 sweep "$m" --grid m=1,2 --record final:x.position --out "$dir/aside/y.h5"
must 'a sweep writes text' grep -q "writes text only" "$dir/stderr"
ends 2 run "$m" --out "$dir/aside/y.csv" --dt 1e-3 --tolerance 1e-6
must 'a step is fixed or chosen' grep -q "is for steps chosen by error: leave --dt out" "$dir/stderr"

# what is no mistake: a checkpoint that follows itself, devices, an older result
ends 0 run "$m" --out "$in/kept.csv" --restart "$in/keep" --checkpoint "$in/keep"
ends 0 run "$m" --out /dev/null --quiet
ends 0 run "$m" --out "$in/kept.csv"
finish
