#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The report of a run as evidence: one command makes page, recording and samples; every number on the page is computed again; samples are the
# same on any number of processes and after Ctrl-C; what is not whole replaces nothing.
. tests/cli/support.bash
spread=(--spread "mu=uniform(0.4,1)" --spread "speed=uniform(4.8,5.6)")
run=(forklift --run roll-over --time 3 --samples 60 --seed 3 "${spread[@]}")

ends 0 report "${run[@]}" --language both --out "$dir/a.html" --quiet
for page in a a-es; do
    must "every number of $page.html is explained" python3 tests/support/report_numbers.py "$BIELA" "$dir/$page.html" "$dir/a.biela" "$dir/a.samples.csv"
done
# a page that says another instant is found out
sed 's/It tipped over: \(.*\) from 0\.7/It tipped over: \1 from 0.6/' "$dir/a.html" >"$dir/wrong.html"
if cmp -s "$dir/a.html" "$dir/wrong.html" || python3 tests/support/report_numbers.py "$BIELA" "$dir/wrong.html" "$dir/a.biela" "$dir/a.samples.csv" >/dev/null 2>&1; then
    echo "FAILED: a wrong number is not found"
    failures=$((failures + 1))
fi

# the recording repeats the run to the bit, and the samples do not depend on who does them
ends 0 run forklift --run roll-over --time 3 --every 0.02 --out "$dir/run.csv" --quiet
ends 0 replay "$dir/a.biela" --every 0.02 --csv "$dir/replay.csv" --quiet
must "the recording is the run" cmp <(grep -v '^#' "$dir/run.csv") <(grep -v '^#' "$dir/replay.csv")
ends 0 report "$dir/a.biela" --samples 60 --seed 3 "${spread[@]}" --jobs 1 --brief --quiet --out "$dir/one.html"
must "one process gives the same samples" cmp "$dir/a.samples.csv" "$dir/one.samples.csv"

# Ctrl-C: the good files stay, the samples that are done are kept, and the same command goes on to the same bytes
cp "$dir/a.html" "$dir/before.html"
cp "$dir/a.biela" "$dir/before.biela"
"$BIELA" report "$dir/a.biela" --samples 3000 --seed 3 "${spread[@]}" --jobs 1 --brief --quiet --out "$dir/a.html" 2>"$dir/stderr" &
asked=$!
for _ in $(seq 600); do
    [ -s "$dir/a.samples.csv.journal" ] && [ "$(wc -l <"$dir/a.samples.csv.journal")" -gt 8 ] && break
    sleep 0.05
done
kill -INT $asked
wait $asked
must "Ctrl-C ends it with 130" test $? -eq 130
must "the samples that are done are kept" test -s "$dir/a.samples.csv.journal"
must "the page stays" cmp "$dir/a.html" "$dir/before.html"
must "the table stays" cmp "$dir/a.samples.csv" "$dir/one.samples.csv"
ends 2 report "$dir/a.biela" --samples 61 --seed 3 "${spread[@]}" --brief --quiet --out "$dir/a.html"
must "another command is told" grep -q "belongs to another sweep" "$dir/stderr"
rm "$dir/a.samples.csv.journal"

# all of them, none of them, some that the model refuses
share() { sed 's/<[^>]*>/ /g' "$1" | grep -o "It tips over in .*"; }
ends 0 report "$dir/a.biela" --samples 12 --spread "speed=uniform(5.55,5.6)" --brief --quiet --out "$dir/all.html"
must "all tip over, which is not certainty" grep -q "12 of 12: 100.00 %.* 73.54 % to 100.00 %" <(share "$dir/all.html")
ends 0 report "$dir/a.biela" --samples 12 --spread "speed=uniform(3,3.1)" --brief --quiet --out "$dir/none.html"
must "none tips over" grep -q "0 of 12: 0.00 %.* 0.00 % to 26.46 %" <(share "$dir/none.html")
must "then there are no speeds" test "$(grep -c "leans by more than 40°" "$dir/none.html")" -eq "$(($(grep -c "leans by more than 40°" "$dir/all.html") - 1))"
ends 0 report "$dir/a.biela" --samples 12 --spread "speed=uniform(5.4,6.6)" --brief --quiet --out "$dir/some.html"
must "what the model refuses is counted" grep -q "samples have no answer: 0 failed on the way, [1-9][0-9]* the model refuses" "$dir/some.html"

# mistakes: no tolerances, no vehicle, no such parameter, a run's option for a recording, steps of any size; nothing is written
ends 0 drive pendulum-cart --headless --unpaced --time 0.5 --record "$dir/cart.biela" --quiet
ends 2 report "$dir/cart.biela" --samples 10 --quiet --out "$dir/no.html"
must "no vehicle" grep -q "whether a vehicle tips over, and pendulum-cart has none" "$dir/stderr"
ends 2 report bicycle --time 0.2 --samples 10 --quiet --out "$dir/no.html"
must "no tolerances" grep -q "has a tolerance; say how they spread" "$dir/stderr"
ends 2 report "$dir/a.biela" --samples 10 --spread "nu=uniform(0,1)" --quiet --out "$dir/no.html"
must "no such parameter" grep -q "nu=uniform(0,1): forklift has no parameter of this name" "$dir/stderr"
ends 2 report "$dir/a.biela" --set mu=0.5 --quiet --out "$dir/no.html"
must "a recording is what it was" grep -q -- "--set: .* is a recording" "$dir/stderr"
ends 2 report forklift --run roll-over --dt auto --quiet --out "$dir/no.html"
must "steps of one size" grep -q "give --dt" "$dir/stderr"
ends 2 report forklift --run no-such --quiet --out "$dir/no.html"
must "nothing was written" test ! -e "$dir/no.html" -a ! -e "$dir/no.biela" -a ! -e "$dir/no.samples.csv"

# cut in the middle of a piece: what there is; cut before the model: refused, and the good page stays
head -c $(($(stat -c %s "$dir/a.biela") - 70)) "$dir/a.biela" >"$dir/cut.biela"
ends 0 report "$dir/cut.biela" --brief --quiet --out "$dir/cut.html"
must "a cut recording is told" grep -q "the last moments may be missing" "$dir/cut.html"
head -c 40 "$dir/a.biela" >"$dir/cut.biela"
ends 2 report "$dir/cut.biela" --brief --quiet --out "$dir/cut.html"
must "the good page stays" grep -q "the last moments may be missing" "$dir/cut.html"

# of another build: simulated, not compared, and told
python3 - "$dir/a.biela" "$dir/other.biela" <<'END'
import struct, sys
data, out, at = open(sys.argv[1], "rb").read(), b"", 16
out = data[:16]
def check(bytes_):
    value = 0xcbf29ce484222325
    for byte in bytes_:
        value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return (value ^ value >> 32) & 0xffffffff
while at < len(data):
    tag, n = struct.unpack("<4sI", data[at:at + 8])
    body = data[at + 8:at + 8 + n]
    if tag == b"NOTE" and body.startswith((b"system\0", b"version\0")):
        body = body.split(b"\0")[0] + b"\0" + (b"0123456789abcdef" if body.startswith(b"system") else b"0.0.9") + b"\0"
        piece = struct.pack("<4sI", tag, len(body)) + body
        out += piece + struct.pack("<I", check(piece))
    else:
        out += data[at:at + 12 + n]
    at += n + 12
open(sys.argv[2], "wb").write(out)
END
ends 0 report "$dir/other.biela" --brief --quiet --out "$dir/other.html"
must "another version is told" grep -q "not compared: another version" "$dir/other.html"
must "and named" grep -q "<td>0.0.9</td>" "$dir/other.html"

# a full disk: told, and nothing of the good ones is lost
mkdir "$dir/full"
if mount -t tmpfs -o size=200k none "$dir/full" 2>/dev/null; then
    echo good >"$dir/full/a.html"
    ends 1 report "$dir/a.biela" --brief --quiet --out "$dir/full/a.html"
    must "the full disk is told" grep -qi "no space" "$dir/stderr"
    must "the good page is there" grep -q good "$dir/full/a.html"
    umount "$dir/full"
fi
finish
