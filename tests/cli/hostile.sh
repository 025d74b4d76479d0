#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a model, a file name or a pipe may do to the one who reads it: no control character reaches the terminal, nothing waits for ever.
. tests/cli/support.bash

# no_controls FILE: only text, line ends and tabs
no_controls() { ! LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]" "$1" && ! grep -q $'\u009b' "$1"; }

# a name that recolours, rewrites and steers a terminal, in both sets of controls
cat >"$dir/evil.yaml" <<'END'
biela: 1
name: "red \e[31m, back \r\b, bell \a, csi \x9b2J, del \x7f, ñ"
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
outputs: {o: {body: b}}
events: {rise: {expr: t, above: 0.005, do: note, remedy: "look \e[31m"}}
END
for words in "run $dir/evil.yaml --time 0.01 --out $dir/e.csv" "info $dir/evil.yaml" "check $dir/evil.yaml" "equilibrium $dir/evil.yaml"; do
    # shellcheck disable=SC2086
    "$BIELA" $words >"$dir/stdout" 2>"$dir/stderr"
    must "stdout of ${words%% *} is text" no_controls "$dir/stdout"
    must "stderr of ${words%% *} is text" no_controls "$dir/stderr"
done
ends 0 run "$dir/evil.yaml" --time 0.01 --out "$dir/e.csv"
must "the control is shown" grep -qF 'red \x1b[31m, back \x0d\x08, bell \x07, csi \xc2\x9b2J, del \x7f, ñ' "$dir/stdout"
ends 0 run "$dir/evil.yaml" --time 0.01 --out "$dir/e.csv" --json
must "JSON is text" no_controls "$dir/stdout"
cat >"$dir/judge.py" <<'END'
import json, sys
assert json.load(open(sys.argv[1]))["name"] == "red \x1b[31m, back \r\b, bell \a, csi \x9b2J, del \x7f, ñ"
END
must "JSON has the name as it is" python3 "$dir/judge.py" "$dir/stdout"

# names of files, words of the command line, columns of tables, bytes that are no text
name=$'no\e[31m such\x9b\xff file'
ends 2 run "$name"
must "a file name is shown" grep -qF 'no\x1b[31m such\x9b\xff file' "$dir/stderr"
must "and nothing of it is obeyed" no_controls "$dir/stderr"
cp "$dir/e.csv" "$dir/$name.csv"
ends 2 plot "$dir/$name.csv" $'o\e[31m'
must "a column" no_controls "$dir/stderr"
printf 't,a\e[31m\n0,x\e[31m\n' >"$dir/evil.csv"
ends 2 diff "$dir/evil.csv" "$dir/evil.csv"
must "cells" no_controls "$dir/stderr"
ends 2 run pendulum --set $'\e[31m=1'
must "settings" no_controls "$dir/stderr"
head -c 3000 "$BIELA" >"$dir/bytes.yaml"
ends 2 check "$dir/bytes.yaml"
must "bytes" no_controls "$dir/stderr"

# a pipe that nobody writes to, as a model, a part of one, a table, a mesh, a checkpoint, a recording
mkfifo "$dir/pipe" "$dir/pipe.csv" "$dir/pipe.yaml" "$dir/pipe.inp" "$dir/pipe.stl" "$dir/pipe.tir" "$dir/pipe.urdf"
# waits_not CODE WORDS...: ends with the code, soon, and tells about the pipe
waits_not() {
    local code=$1
    shift
    timeout 300 "$BIELA" "$@" >"$dir/stdout" 2>"$dir/stderr"
    local got=$?
    must "$*: exit code $got is $code" test "$got" -eq "$code"
    must "$*: the pipe is told" grep -Eq "pipe[^:]*:.*(not a plain file|cannot be|no recording|cannot read)" "$dir/stderr"
}
waits_not 2 run "$dir/pipe.yaml"
waits_not 2 check "$dir/pipe"
waits_not 2 diff "$dir/pipe.csv" "$dir/e.csv"
waits_not 2 plot "$dir/pipe.csv" a
waits_not 2 run pendulum-cart --manoeuvre "$dir/pipe.csv" --out "$dir/a.csv"
waits_not 2 run pendulum --restart "$dir/pipe" --out "$dir/a.csv"
waits_not 2 fit pendulum "$dir/pipe.csv" --params L
waits_not 2 replay "$dir/pipe"
waits_not 2 report "$dir/pipe"
waits_not 2 view "$dir/pipe" --no-open
waits_not 2 tyre "$dir/pipe.tir"
waits_not 2 import "$dir/pipe.urdf"
# inside a model
printf 'biela: 1\nname: a\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n%s\n' 'tables: {c: {file: pipe.csv, columns: [t, a]}}' >"$dir/table.yaml"
waits_not 2 check "$dir/table.yaml"
printf 'biela: 1\nname: a\ninclude: [{file: pipe.yaml, as: p}]\n' >"$dir/part.yaml"
waits_not 2 check "$dir/part.yaml"
printf 'biela: 1\nname: a\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nshapes: {s: {body: b, mesh: {file: pipe.stl}}}\n' >"$dir/shape.yaml"
timeout 300 "$BIELA" check "$dir/shape.yaml" >"$dir/stdout" 2>"$dir/stderr"
must "a mesh that is a pipe is refused" test $? -eq 2
finish
