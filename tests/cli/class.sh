#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Three trucks in one class: all run, killed ones begin again, and their results are in one file.
. tests/cli/support.bash
if ! "$BIELA" course list --results "$dir/none.sqlite" 2>&1 | grep -q "no such results file"; then
    echo "SKIPPED: built without SQLite"
    exit 77
fi
must "a class of three" timeout -k 1 300 python3 tests/support/class_of.py "$dir"
ends 2 class forklift
must "it asks who is there" grep -q "who is there" "$dir/stderr"
ends 2 class forklift --trainees "Ana,Ana"
must "a name stands once" grep -q "stands twice" "$dir/stderr"
ends 2 class forklift --trainees "Ana, Ana "
must "spaces are no part of a name" grep -q "'Ana' stands twice" "$dir/stderr"
ends 2 class forklift --trainees " , "
ends 2 class forklift --trainees Ana --results "$dir/port.sqlite" --port 99999
must "nobody drove" test ! -s "$dir/stdout"
"$BIELA" class forklift --trainees Ana --results "$dir/killed.sqlite" >"$dir/stdout" 2>"$dir/stderr" &
class=$!
for begun in 1 2 3 4 5 6; do
    for _ in $(seq 600); do
        [ "$(grep -c '^Ana: http' "$dir/stdout")" -ge $begun ] && break
        sleep 0.1
    done
    kill -KILL "$(cat /proc/$class/task/$class/children)"
done
wait $class
must "a drive that was killed too often ends the class" test $? -eq 1
must "and it is said" grep -q "the drive of Ana was ended by signal 9, the 6th time" "$dir/stderr"
echo "no database" >"$dir/bad.sqlite"
ends 1 class forklift --trainees Ana --results "$dir/bad.sqlite"
must "a file of something else is told in both languages" grep -q "no es un archivo de resultados" "$dir/stderr"
must "and left as it was" grep -q "no database" "$dir/bad.sqlite"
finish
