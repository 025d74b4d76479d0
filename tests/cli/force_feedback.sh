#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a steering wheel lets feel: the self-aligning torque of the Clio, sent to a wheel that is made here; and the wheel pulled out.
. tests/cli/support.bash
if [ ! -e /usr/include/SDL2/SDL_haptic.h ]; then
    echo "no SDL2 to compile a wheel with (Debian: libsdl2-dev): skipped"
    exit 77
fi
must "a wheel is made" ${CC:-cc} -shared -fPIC -o "$dir/libSDL2-2.0.so.0" tests/cli/fake_sdl.c
export FAKE_WHEEL="$dir/wheel" FAKE_FORCES="$dir/forces"
printf '{"name": "fake", "match": ["Fake wheel"], "axes": [{"input": "steer", "axis": 0}, {"input": "drive", "axis": 1}]}' >"$dir/fake.json"

# it is turned to the left and drives off; after four seconds it is pulled out
echo "here 0.5 0.7" >"$FAKE_WHEEL"
(
    sleep 4
    echo "gone" >"$dir/wheel.new" && mv "$dir/wheel.new" "$FAKE_WHEEL"
) &
LD_LIBRARY_PATH="$dir" ends 0 drive clio --run drive --headless --sdl --mapping "$dir/fake.json" --time 6 --record "$dir/a.biela"
wait
must "it has been found" grep -q "Fake wheel: mapping 'fake'" "$dir/stderr"
must "that it was lost is said" grep -q "Fake wheel was unplugged: inputs are at their safe values" "$dir/stderr"
ends 0 replay "$dir/a.biela" --csv "$dir/a.csv" --manoeuvre "$dir/inputs.csv"
must "the torque sent is that of the channels" python3 - "$dir/a.csv" "$dir/forces" <<'PY'
import csv, sys
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
lines = [line.split() for line in open(sys.argv[2])]
assert lines[0] == ["autocenter", "0"] and lines[-1] == ["closed", "1"], (lines[0], lines[-1])
levels = [int(value) for what, value in lines if what == "level"]
assert len(levels) > 20 and not any(what == "wrong" for what, _ in lines), len(levels)
told = [-0.0625*(row["aligning.left"] + row["aligning.right"])/8 for row in rows]
# each level is what the channels say at some instant, one after the other: between two rows it is between them, to a level of 64
at = 0
for level in levels:
    near = lambda k: min(told[k], told[k + 1]) - 70/32767 <= level/32767 <= max(told[k], told[k + 1]) + 70/32767
    found = next((k for k in range(at, len(told) - 1) if near(k)), None)
    assert found is not None or abs(level) == 32767 or level == 0, (level, at)
    at = found if found is not None and level != 0 else at
# to the left the tyres push back to the right, and it can be felt
assert min(levels) < -0.05*32767, min(levels)
PY
must "a lost wheel lets go of steering and pedals" python3 - "$dir/inputs.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith("#")))
assert max(float(row["drive"]) for row in rows) > 0.5 and max(float(row["steer"]) for row in rows) > 0.3, rows[:3]
assert float(rows[-1]["drive"]) == 0 and float(rows[-1]["steer"]) == 0, rows[-1]
PY

# no wheel at all: it drives without one
echo "gone" >"$FAKE_WHEEL"
LD_LIBRARY_PATH="$dir" ends 0 drive clio --run drive --headless --sdl --mapping "$dir/fake.json" --time 0.2 --no-record
finish
