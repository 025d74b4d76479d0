#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs that are checked, killed and taken up again, or that fail: --verify, --checkpoint, --restart, the report of a failed step.
. tests/cli/support.bash

# the estimate of --verify is the true error, against the reference, within a third
ends 0 run pendulum --verify --json --out "$dir/v.csv"
must "the summary is JSON" python3 -m json.tool "$dir/stdout"
cat >"$dir/judge.py" <<'END'
import csv, json, sys
said = json.load(open(sys.argv[1]))["verify"]
rows = lambda path: {round(float(r["t"]), 6): r for r in csv.DictReader(open(path))}
got, wanted = rows(sys.argv[2]), rows(sys.argv[3])
for name in "P.x", "P.y", "P.vx", "P.vy":
    true = max(abs(float(got[t][name]) - float(wanted[t][name])) for t in wanted if t in got)
    ratio = said[name]["error"] / true
    print(name, said[name]["error"], true, ratio)
    assert 0.66 < ratio < 1.5
END
must "the estimate is the error" python3 "$dir/judge.py" "$dir/stdout" "$dir/v.csv" models/pendulum/reference.csv
must "the second run leaves no file" test ! -e "$dir/v.verify.csv"

# a run killed in the middle and taken up again has the same bytes as one that was not
run=(four-bars --set N=10 --time 20 --every 0.01)
ends 0 run "${run[@]}" --out "$dir/whole.csv" --quiet
"$BIELA" run "${run[@]}" --out "$dir/parts.csv" --checkpoint "$dir/c" --every-seconds 0 --quiet &
process=$!
while [ ! -s "$dir/c" ] && kill -0 $process 2>/dev/null; do sleep 0.01; done
kill -9 $process 2>/dev/null
wait $process 2>/dev/null
must "a checkpoint was kept" test -s "$dir/c"
if [ -e "$dir/parts.csv.part" ]; then
    cp "$dir/c" "$dir/c1"
    ends 0 run "${run[@]}" --out "$dir/parts.csv" --restart "$dir/c" --json
    must "the summary counts all rows" grep -q '"rows": 2001,' "$dir/stdout"
    must "the same bytes as in one piece" cmp "$dir/whole.csv" "$dir/parts.csv"
    # once more from the same checkpoint: the finished file is cut and written again
    ends 0 run "${run[@]}" --out "$dir/parts.csv" --restart "$dir/c1" --quiet
    must "the same bytes again" cmp "$dir/whole.csv" "$dir/parts.csv"
else
    echo "FAILED: the run was over before it could be killed"
    failures=$((failures + 1))
fi
ends 2 run four-bars --set N=11 --out "$dir/parts.csv" --restart "$dir/c1"
must "another model is refused" grep -q "belongs to another model" "$dir/stderr"
head -c 100 "$dir/c1" >"$dir/cut"
ends 2 run "${run[@]}" --out "$dir/parts.csv" --restart "$dir/cut"
must "a damaged checkpoint is refused" grep -q "not a checkpoint" "$dir/stderr"
ends 1 run "${run[@]}" --out "$dir/nothing.csv" --restart "$dir/c1"
must "the missing file is named" grep -q "nothing.csv: .*cannot be continued" "$dir/stderr"
cp "$dir/c1" "$dir/bent"
printf '\001' | dd of="$dir/bent" bs=1 seek=30 conv=notrunc 2>/dev/null
ends 2 run "${run[@]}" --out "$dir/parts.csv" --restart "$dir/bent"
must "a checkpoint with another byte is refused" grep -q "not a checkpoint" "$dir/stderr"
# the file of another run of the same columns, and one that was killed: both stay as they are
for ending in h5 csv; do
    four=(four-bars --set N=4 --time 0.5 --every 0.01 --quiet --out)
    ends 0 run "${four[@]}" "$dir/own.$ending" --checkpoint "$dir/c4" --every-seconds 0
    ends 0 run four-bars --set L=0.9 --set N=4 --time 1 --quiet --out "$dir/another.$ending"
    cp "$dir/another.$ending" "$dir/before"
    ends 1 run "${four[@]}" "$dir/another.$ending" --restart "$dir/c4"
    must "$ending: another run is told" grep -q "another.$ending: .*cannot be continued: its rows are those of another run" "$dir/stderr"
    must "$ending: it is as it was" cmp "$dir/another.$ending" "$dir/before"
    ends 0 run "${four[@]}" "$dir/own.$ending" --restart "$dir/c4"
done
mv "$dir/another.csv" "$dir/another.csv.part"
cp "$dir/another.csv.part" "$dir/before"
ends 1 run "${four[@]}" "$dir/another.csv" --restart "$dir/c4"
must "what was killed is as it was" cmp "$dir/another.csv.part" "$dir/before"
ends 2 run pendulum --every-seconds 5 --out "$dir/a.csv"

# what was seen before the checkpoint is told after it: wheels that pull
ends 0 run waveboard --time 0.3 --out "$dir/w.csv" --checkpoint "$dir/cw" --every-seconds 0 --json
cp "$dir/stdout" "$dir/w.json"
ends 0 run waveboard --time 0.3 --out "$dir/w.csv" --restart "$dir/cw" --json
must "wheels that pulled before" python3 - "$dir/w.json" "$dir/stdout" <<'END'
import json, sys
whole, parts = (json.load(open(name))["pulling"] for name in sys.argv[1:])
assert len(whole) > 0 and whole == parts, (whole, parts)
END
# what needs all rows is refused
ends 0 run flex-bar --time 0.05 --out "$dir/f.csv" --checkpoint "$dir/cf" --every-seconds 0 --envelope "$dir/e.csv" --quiet
cp "$dir/e.csv" "$dir/e0.csv"
for option in "--envelope $dir/e.csv" --vtu; do
    # shellcheck disable=SC2086
    ends 2 run flex-bar --time 0.05 --out "$dir/f.csv" --restart "$dir/cf" $option
    must "$option: told" grep -q "needs all rows of the run, and --restart goes on in its middle" "$dir/stderr"
done
must "the envelope is as it was" cmp "$dir/e.csv" "$dir/e0.csv"

# a step that fails: who, what grew, what to try, and the last good state
ends 3 run governor --scheme index1-rk4 --dt 0.01 --json --out "$dir/bad.csv"
must "the report is JSON" python3 -m json.tool "$dir/stdout"
must "five residuals" test "$(grep -c '"what": "constraint left open' "$dir/stdout")" -eq 5
must "the law that grew is named" grep -q '"grew": "spring1"' "$dir/stdout"
must "what to try" grep -q "to try: 'spring1' is stiff for explicit steps: --scheme ali3p" "$dir/stderr"
must "the state is saved" test -s "$dir/bad.failed.checkpoint"
must "it is an event with its time and a remedy" grep -Eq '^step-failed,0\.[0-9]+,.*,"see the report of the failed step",' "$dir/bad.events.csv"

finish
