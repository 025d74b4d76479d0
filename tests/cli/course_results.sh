#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Results of lessons: written as they are driven, not lost by a kill, exported and imported, certified; and files that are locked,
# damaged, of another version, or on a full disk, told in both languages.
. tests/cli/support.bash
if "$BIELA" course list --results "$dir/none.sqlite" 2>&1 | grep -q "built without SQLite"; then
    echo "SKIPPED: built without SQLite (Debian: libsqlite3-dev)"
    exit 77
fi
file=$dir/class.sqlite
lesson=models/pendulum-cart/exercises/to-the-right.yaml
cat >"$dir/easy.yaml" <<'END'
exercise: 1
title: Let it roll
names: {cart: position.position}
goals:
  - {text: left, when: cart < -0.05}
END
# attempt TRAINEE EXERCISE [MORE...]: the rod falls by itself: the lesson is failed, the easy one is passed
attempt() {
    local trainee=$1 exercise=$2
    shift 2
    "$BIELA" drive pendulum-cart --headless --speed 8 --time 2 --no-record --quiet --exercise "$exercise" --trainee "$trainee" --results "$file" "$@"
}
sql() { python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); print(db.execute(sys.argv[2]).fetchall()); db.commit()' "$@"; }

must "a failed attempt" attempt Ana $lesson
must "a passed one" attempt Ana "$dir/easy.yaml"
must "another trainee, whose name is not plain" attempt "=Bea, \"B\" Ñandú" "$dir/easy.yaml"
ends 0 course list --results "$file" --json
must "all of them are there, with faults" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))["attempts"]
assert [a["state"] for a in found] == ["failed", "passed", "passed"] and [a["score"] for a in found] == [0, 100, 100], found
assert found[0]["faults"] == {"the rod falls": 1} and abs(found[0]["time"] - 1.3) < 0.3, found # 1.05 s, seen once in 0.13 s or later
assert found[2]["trainee"] == "=Bea, \"B\" Ñandú" and found[0]["ended"] >= found[0]["started"], found' "$dir/stdout"
ends 0 course list --results "$file"
must "progress" grep -q "^Ana .*Let it roll .*attempts 1, passed 1, best 100, faults 0" "$dir/stdout"
ends 0 course list --results "$file" --language es
must "in Spanish" grep -q "^Ana .*Llévalo.*intentos 1, superados 0, mejor -, faltas 1\|^Ana .*intentos 1, superados 0, mejor -, faltas 1" "$dir/stdout"

# killed in the middle of an attempt, and started again
"$BIELA" drive pendulum-cart --headless --no-record --quiet --exercise models/pendulum-cart/exercises/hold-upright.yaml --trainee Carla --results "$file" >"$dir/log" 2>&1 &
drive=$!
for _ in $(seq 200); do
    "$BIELA" course list --results "$file" --json >"$dir/seen" 2>/dev/null
    grep -q Carla "$dir/seen" && break
    sleep 0.1
done
kill -9 $drive
wait $drive 2>/dev/null
ends 0 course list --results "$file" --json
must "nobody's results are lost by a kill" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))["attempts"]
assert [a["trainee"] for a in found] == ["Ana", "Ana", "=Bea, \"B\" Ñandú", "Carla"] and found[0]["state"] == "failed", found
assert found[3]["state"] in ("running", "failed"), found' "$dir/stdout"
must "and the class goes on" attempt Carla "$dir/easy.yaml"
ends 0 course list --results "$file" --json
must "with one more" test "$(grep -c '"id"' "$dir/stdout")" = 5

# three trucks of one class at once, each its own engine, into the same file; all are killed
cp "$file" "$dir/three.sqlite"
drives=()
for name in One Two Three; do
    "$BIELA" drive pendulum-cart --headless --no-record --quiet --exercise $lesson --trainee $name --results "$dir/three.sqlite" >"$dir/log.$name" 2>&1 &
    drives+=($!)
done
for _ in $(seq 200); do
    test "$(sql "$dir/three.sqlite" "SELECT count(*) FROM attempt WHERE trainee IN ('One', 'Two', 'Three') AND state = 'failed'" 2>/dev/null)" = "[(3,)]" && break
    sleep 0.1
done
kill -9 "${drives[@]}"
wait "${drives[@]}" 2>/dev/null
ends 0 course list --results "$dir/three.sqlite" --json
must "the results of all three are there" python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))["attempts"]
assert sorted(a["trainee"] for a in found if a["state"] == "failed" and a["faults"])[-3:] == ["One", "Three", "Two"], found' "$dir/stdout"

# as a table and back
ends 0 course export "$dir/class.csv" --results "$file"
ends 0 course import "$dir/class.csv" --results "$dir/again.sqlite"
must "all of it is new" grep -q "5 attempts read, 5 of them new" "$dir/stdout"
ends 0 course import "$dir/class.csv" --results "$dir/again.sqlite"
must "none is doubled" grep -q "5 attempts read, 0 of them new" "$dir/stdout"
ends 0 course export "$dir/again.csv" --results "$dir/again.sqlite"
must "the tables are the same" cmp "$dir/class.csv" "$dir/again.csv"
must "a formula stays a text" grep -q "^\"'=Bea, \"\"B\"\" Ñandú\"," "$dir/class.csv"
sed 's/,failed,/,flown,/' "$dir/class.csv" >"$dir/bad.csv"
ends 2 course import "$dir/bad.csv" --results "$dir/again.sqlite"
must "a bad row is told with its line" grep -q "bad.csv:2: error: the state" "$dir/stderr"
ends 2 course import "$dir/easy.yaml" --results "$dir/again.sqlite"
must "what is no table" grep -q "no table of attempts" "$dir/stderr"

# certificate
ends 0 drive pendulum-cart --headless --unpaced --time 0.1 --quiet --record "$dir/hash.biela"
hash=$(tr '\0' ' ' <"$dir/hash.biela" | grep -a -o 'system [0-9a-f]\{16\}' | cut -d ' ' -f 2)
version=$("$BIELA" version | grep -o '[0-9]*\.[0-9]*\.[0-9]*'  >"$dir/versions"; head -n 1 "$dir/versions")
ends 0 course certificate Ana "$dir/ana.html" --results "$file"
must "it names who and what" grep -q "Ana" "$dir/ana.html"
must "lesson" grep -q "Let it roll" "$dir/ana.html"
must "not what was failed" test "$(grep -c to-the-right "$dir/ana.html")" = 0
must "model" grep -q "<td>pendulum-cart</td>" "$dir/ana.html"
must "version" grep -q "biela $version" "$dir/ana.html"
must "hashes" test "$(grep -o '<code>[0-9a-f]\{16\}</code>' "$dir/ana.html" | wc -l)" = 2
must "of the system" grep -q "<code>${hash:?}</code>" "$dir/ana.html"
ends 0 course certificate Ana "$dir/ana-es.html" --results "$file" --language es
must "in Spanish" grep -q "ha superado 1 lección" "$dir/ana-es.html"
ends 2 course certificate Nobody "$dir/nobody.html" --results "$file"
must "nobody has passed nothing" grep -q "Nobody has passed no lesson" "$dir/stderr"
must "and there is no page" test ! -e "$dir/nobody.html"

# ---- trouble -----------------------------------------------------------------------------------------------------
# told FILE ENGLISH SPANISH: both languages say so
told() {
    "$BIELA" course list --results "$1" >"$dir/said" 2>&1
    must "told: $2" grep -q "$2" "$dir/said"
    "$BIELA" course list --results "$1" --language es >"$dir/said" 2>&1
    must "told: $3" grep -q "$3" "$dir/said"
}
told "$dir/none.sqlite" "no such results file" "no existe ese archivo"
cp "$dir/easy.yaml" "$dir/text.sqlite"
told "$dir/text.sqlite" "no results file of biela" "no es un archivo de resultados"
must "a drive does not begin with it" test "$(file=$dir/text.sqlite attempt Ana $lesson >/dev/null 2>&1; echo $?)" = 2
must "and leaves it" cmp "$dir/easy.yaml" "$dir/text.sqlite"
cp "$file" "$dir/version.sqlite"
sql "$dir/version.sqlite" "PRAGMA user_version = 2" >/dev/null
told "$dir/version.sqlite" "of another version of biela" "de otra versión de biela"
cp "$file" "$dir/damaged.sqlite"
printf 'rubbish rubbish rubbish' | dd of="$dir/damaged.sqlite" bs=1 seek=4096 conv=notrunc 2>/dev/null
cp "$dir/damaged.sqlite" "$dir/damaged.copy"
told "$dir/damaged.sqlite" "is damaged, and was left" "está dañado"
must "it is left as it was" cmp "$dir/damaged.sqlite" "$dir/damaged.copy"
head -c 5000 "$file" >"$dir/cut.sqlite"
told "$dir/cut.sqlite" "is damaged, and was left" "está dañado"

# locked while a drive goes on: it is kept, and written when the lock is gone
cp "$file" "$dir/locked.sqlite"
python3 -c '
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
open(sys.argv[2], "w").close()
time.sleep(600)' "$dir/locked.sqlite" "$dir/has_lock" &
holder=$!
while [ ! -e "$dir/has_lock" ]; do sleep 0.05; done
told "$dir/locked.sqlite" "locked by another program" "tiene bloqueado"
kill -9 $holder
wait $holder 2>/dev/null
python3 -c '
import sqlite3, sys, time, os
while not os.path.exists(sys.argv[2]): time.sleep(0.05)
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
db.execute("BEGIN EXCLUSIVE")
open(sys.argv[3], "w").close()
while os.path.exists(sys.argv[3]): time.sleep(0.05)
db.execute("COMMIT")' "$dir/locked.sqlite" "$dir/go" "$dir/has_lock_2" &
holder=$!
before=$(sql "$dir/locked.sqlite" "SELECT count(*) FROM attempt")
"$BIELA" drive pendulum-cart --headless --time 6 --no-record --quiet --exercise $lesson --trainee Dora --results "$dir/locked.sqlite" 2>"$dir/told" &
drive=$!
# the attempt has begun, and the lock comes before it ends
for _ in $(seq 200); do
    "$BIELA" course list --results "$dir/locked.sqlite" --json >"$dir/seen" 2>/dev/null
    grep -q Dora "$dir/seen" && break
    sleep 0.02
done
touch "$dir/go"
while [ ! -e "$dir/has_lock_2" ]; do sleep 0.02; done
for _ in $(seq 100); do grep -q "is locked" "$dir/told" && break; sleep 0.05; done
rm "$dir/has_lock_2"
wait $drive
wait $holder
must "nothing was lost by the lock ($before)" test "$(sql "$dir/locked.sqlite" "SELECT state FROM attempt WHERE trainee = 'Dora'")" = "[('failed',)]"

# a full disk: files may not grow; what could not be written is in a table beside the results, which import takes
cp "$file" "$dir/full.sqlite"
bash -c "trap '' XFSZ; ulimit -f 6; exec \"\$BIELA\" drive pendulum-cart --headless --speed 8 --time 2 --no-record --quiet --exercise \"\$2\" --trainee Eva --results \"\$1\"" bash "$dir/full.sqlite" $lesson 2>"$dir/told"
must "a drive whose results are not in their file ends with 1" test $? = 1
must "a full disk is told" grep -q "the disk of the results file is full" "$dir/told"
rescued=$(echo "$dir"/full.sqlite.rescued-*.csv)
must "what was driven is kept beside it" test -s "$rescued"
ends 0 course import "$rescued" --results "$dir/full.sqlite"
must "and is taken in when there is room" grep -q "1 attempts read, 1 of them new" "$dir/stdout"

ends 2 drive pendulum-cart --headless --time 1 --results "$file"
ends 2 drive pendulum-cart --headless --time 1 --trainee ""
ends 2 course list --language fr --results "$file"
finish
