#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The report of a drive in both languages: what happened, pictures, units that people read, the sensitivity of the outcome. Paper is in web.report.
. tests/cli/support.bash

must "words of the page and of the report are the same" python3 tools/phrases.py --check

# a turn at a speed that tips the truck over: the instant and the speed are those of a run
ends 0 drive forklift --run roll-over --headless --unpaced --time 3 --record "$dir/a.biela" --quiet
ends 0 report "$dir/a.biela" --out "$dir/sooner.html" --vary speed --by 0.05 --quiet
ends 0 report "$dir/a.biela" --out "$dir/en.html" --vary speed --by 0.2 --quiet
ends 0 report "$dir/a.biela" --out "$dir/es.html" --brief --language es --quiet
ends 0 run forklift --run roll-over --time 3 --every 0 --out "$dir/each.csv" --quiet
cat >"$dir/judge.py" <<'END'
import base64, csv, re, struct, sys, zlib
english, spanish = (open(path, encoding="utf-8").read() for path in sys.argv[1:3])
rows = list(csv.DictReader(open(sys.argv[3])))
sooner = open(sys.argv[4], encoding="utf-8").read()
number = r"(\d+(?:[.,]\d+)?)"

# first row with nothing left of the margin, first row that leans by 40 degrees
lost = next(row for row in rows if float(row["margin"]) < 1e-3)
tipped = next(row for row in rows if abs(float(row["attitude.roll"])) > 0.698)
t, kmh, speed, later = map(float, re.search(rf"It tipped over: .* from {number} s on, at {number} km/h \({number} m/s\); at {number} s", english).groups())
assert abs(t - float(lost["t"])) < 0.006, (t, lost["t"])
assert abs(speed - float(lost["over_ground"])) < 0.006 and abs(kmh - 3.6 * speed) < 0.06, (speed, lost["over_ground"])
assert abs(later - float(tipped["t"])) < 0.03, (later, tipped["t"])
assert re.search(rf"Volcó: .* en {number} s, a {number} km/h", spanish)

# the outcome turns round: a fifth slower the truck stays on its wheels; faster than it can be is refused; a little faster it tips sooner
table = re.search(r"Sensitivity of the outcome.*?</table>", english, re.S)[0]
slower = re.search(r"<th>speed -20 %.*?</tr>", table, re.S)[0]
faster = re.search(rf"<th>speed \+5 %.*?</th><td>yes, {number} s", sooner, re.S)
assert "<td>no</td>" in slower, slower
assert float(faster[1]) < later, faster[0]
assert re.search(r"<th>speed \+20 %.*?refuses this value", table, re.S), table
assert "1 of 2 end otherwise" in english and "0 of 2 end otherwise" in sooner

# pictures: whole, as another decoder reads them, and of something
for page in (english, spanish):
    found = re.findall(r"base64,([A-Za-z0-9+/=]+)", page)
    assert len(found) >= 3, len(found)
    for text in found:
        data, at, bytes_ = base64.b64decode(text), 8, b""
        while at < len(data):
            n, kind = struct.unpack(">I4s", data[at:at + 8])
            assert zlib.crc32(data[at + 4:at + 8 + n]) == struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0], kind
            bytes_ += data[at + 8:at + 8 + n] if kind == b"IDAT" else b""
            size = struct.unpack(">II", data[at + 8:at + 16]) if kind == b"IHDR" else size
            at += n + 12
        raw = zlib.decompress(bytes_)
        assert len(raw) == size[1] * (3 * size[0] + 1), size
        assert len(set(raw)) > 60, "a picture of nothing"

# units and names, no rounding drawn as a curve, no English on the Spanish page
assert "(SI)" not in english and "^2" not in re.sub(r"<style>.*?</style>", "", english)
plots = re.findall(r'class="title" x="\d+" y="14">([^<]*)<', english)
assert "Speed, km/h" in plots and "Stability, %" in plots and "wheel load: front left, kN" in plots, plots
assert not any("phi5" in title or "tilt" in title for title in plots), plots
assert "Mast tilt (0°)" in english
assert '<html lang="es">' in spanish and '<html lang="en">' in english
# names of parameters and files stay as they are
words = set(re.findall(r"[a-z]+", re.sub(r"<(style|code|b)>.*?</\1>|<[^>]*>|base64,\S*", " ", spanish).lower()))
left = words & {"the", "of", "and", "with", "speed", "wheel", "stability", "time", "event", "yes", "is"}
assert not left, left
END
must "the page says what a run says" python3 "$dir/judge.py" "$dir/en.html" "$dir/es.html" "$dir/each.csv" "$dir/sooner.html"

# a drive that goes on is told so, and one that was killed, too; the name of the language is checked
ends 2 report "$dir/a.biela" --out "$dir/en.html" --language fr
must "the languages are named" grep -q "neither en nor es" "$dir/stderr"
"$BIELA" drive pendulum-cart --headless --record "$dir/on.biela" --quiet >/dev/null 2>&1 &
driving=$!
for _ in $(seq 100); do
    "$BIELA" report "$dir/on.biela.part" --brief --quiet --out "$dir/on.html" >/dev/null 2>&1 && grep -q "<h2>" "$dir/on.html" && break
    sleep 0.1
done
must "a drive that goes on is told so" grep -q "still being driven" "$dir/on.html"
kill -9 $driving
wait $driving 2>/dev/null
ends 0 report "$dir/on.biela.part" --brief --quiet --out "$dir/on.html"
must "one that was killed is told so" grep -q "stopped before it closed the file" "$dir/on.html"

# a model whose half step does not start has a report all the same
ends 0 drive car --headless --unpaced --time 0.2 --record "$dir/car.biela" --quiet
ends 0 report "$dir/car.biela" --out "$dir/car.html" --quiet
finish
