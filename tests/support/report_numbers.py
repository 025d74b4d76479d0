# SPDX-License-Identifier: MIT
"""Every number on the page of a report, computed again without the code that wrote it.

    report_numbers.py BIELA PAGE RECORDING [SAMPLES.csv]

From: the pieces of the recording (notes, files, inputs, hashes), channels of `biela run` with the same options, its events and
verdict, the same with half the step and with each parameter changed, the table of samples. What a number is compared with is the
value itself: it must lie within half a unit of the last digit that is printed. At the end no digit may be left that nothing explains.
"""
import base64, csv, html.parser, io, json, math, os, re, struct, subprocess, sys, tempfile
from decimal import Decimal

HUD = {"margin": "margin", "speed": "over_ground"}  # of the forklift
BODY = "truck"
LEAN = math.radians(40)
DEGREE = math.degrees(1)
UNITS = {"": 1, "km/h": 3.6, "m/s": 1, "kN": 1e-3, "N": 1, "mm": 1e3, "m": 1, "°": DEGREE, "%": 100, "s": 1, "ms": 1e3}


class Page(html.parser.HTMLParser):
    """Blocks of text in order, drawings as lists of elements."""
    BLOCKS = {"h1", "h2", "h3", "p", "td", "th", "i", "figcaption", "code", "b", "span", "tr", "table", "div", "title", "li"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.blocks, self.drawings, self.open, self.drawing, self.skip = [], [], [], None, False
        self.language = re.search(r'<html lang="(\w+)"', text)[1]
        self.blocks.append(["start", ""])
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "style":
            self.skip = True
        elif tag == "svg":
            self.drawing = []
            self.drawings.append(self.drawing)
        elif self.drawing is not None:
            self.drawing.append([tag, values, ""])
        elif tag in self.BLOCKS:
            self.open.append(tag)
            self.blocks.append([tag, ""])

    def handle_endtag(self, tag):
        if tag == "style":
            self.skip = False
        elif tag == "svg":
            self.drawing = None
        elif tag in self.BLOCKS and self.open:
            self.open.pop()
            self.blocks.append([self.open[-1] + "-after" if self.open else "after", ""])

    def handle_data(self, data):
        if self.skip:
            return
        if self.drawing is not None:
            self.drawing[-1][2] += data
        else:
            self.blocks[-1][1] += data


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return value


class Recording:
    """As docs/reference/recording.md has it."""

    def __init__(self, path):
        data, at = open(path, "rb").read(), 16
        self.notes, self.files, self.inputs, self.changes, self.hashes, self.steps = [], [], [], [], [], 0
        while at < len(data):
            tag, n = struct.unpack("<4sI", data[at:at + 8])
            body = data[at + 8:at + 8 + n]
            at += n + 12
            if tag == b"NOTE":
                key, value = body.split(b"\0")[:2]
                self.notes.append((key.decode(), value.decode()))
            elif tag == b"FILE":
                _, size, has = struct.unpack("<QQI", body[:20])
                name, _, contents = body[20:].partition(b"\0")
                self.files.append((os.path.basename(name.decode()), size, contents if has else None))
            elif tag == b"INPT":
                self.inputs = body.decode().split("\0")[:-1]
            elif tag == b"LOGS":
                for k in range(0, len(body), 24):
                    kind, channel, step = struct.unpack("<IIq", body[k:k + 16])
                    if kind == 0:
                        self.changes.append((step, channel, struct.unpack("<d", body[k + 16:k + 24])[0]))
                    elif kind == 2:
                        self.hashes.append((step, struct.unpack("<Q", body[k + 16:k + 24])[0]))
                    self.steps = max(self.steps, step if kind else 0)

    def note(self, key):
        return next((value for own, value in self.notes if own == key), None)


# ---- statistics by sums ----------------------------------------------------------------------------------------------

def binomial_below(k, n, p):
    """P(X <= k)"""
    if k < 0 or p >= 1:
        return float(k >= n)
    if p <= 0:
        return 1.0
    log = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * math.log(p) + (n - i) * math.log1p(-p) for i in range(k + 1)]
    return math.fsum(math.exp(value) for value in log)


def solve(rises, low=0.0, high=1.0):
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) else (middle, high)
    return (low + high) / 2


def clopper_pearson(hits, n):
    low = 0.0 if hits == 0 else solve(lambda p: 1 - binomial_below(hits - 1, n, p) > 0.025)
    high = 1.0 if hits == n else solve(lambda p: binomial_below(hits, n, p) < 0.025)
    return low, high


def quantile(values, p):
    """With the order statistics around it that hold it with 95 %."""
    values, n = sorted(values), len(values)
    place = p * (n - 1)
    below = math.floor(place)
    value = values[below] + (place - below) * (values[min(below + 1, n - 1)] - values[below])
    low = max((l for l in range(1, n + 1) if binomial_below(l - 1, n, p) <= 0.025), default=None)
    high = next((h for h in range(1, n + 1) if binomial_below(h - 1, n, p) >= 0.975), None)
    return value, values[low - 1] if low else None, values[high - 1] if high else None


# ---- the drive, from its channels ----------------------------------------------------------------------------------------

def turn(q, v):
    w, x, y, z = q
    cross = lambda a, b: (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    t = [2 * c for c in cross((x, y, z), v)]
    u = cross((x, y, z), t)
    return [v[k] + w * t[k] + u[k] for k in range(3)]


class Drive:
    def __init__(self, path):
        with open(path) as file:
            lines = iter(line for line in file if not line.startswith("#"))
            names = next(csv.reader([next(lines)]))
            rows = [line.rstrip("\n").split(",") for line in lines]
        self.column = {name: k for k, name in enumerate(names)}
        self.rows = rows
        self.t = self.of("t")

    def of(self, name):
        k = self.column[name]
        return [float(row[k]) for row in self.rows]

    def outcome(self):
        t, margin, speed = self.t, self.of(HUD["margin"]), [abs(v) for v in self.of(HUD["speed"])]
        q = list(zip(*(self.of(f"{BODY}.q{k}") for k in "wxyz")))
        x, y, z = (self.of(f"{BODY}.{k}") for k in "xyz")
        own_up = turn((q[0][0], -q[0][1], -q[0][2], -q[0][3]), (0, 0, 1))
        tipped = next((k for k in range(len(t)) if turn(q[k], own_up)[2] < math.cos(LEAN)), None)
        lost = next((k for k in range(len(t)) if margin[k] < 1e-3), None)
        fastest, least = max(range(len(t)), key=lambda k: speed[k]), min(range(len(t)), key=lambda k: margin[k])
        at = lambda k, list_: None if k is None else list_[k]
        return {"tipped": at(tipped, t), "tipped_speed": at(tipped, speed), "lost": at(lost, t), "lost_speed": at(lost, speed),
                "fastest": speed[fastest], "least": margin[least], "least_t": t[least], "end": (x[-1], y[-1], z[-1]),
                "way": math.fsum(math.hypot(x[k + 1] - x[k], y[k + 1] - y[k]) for k in range(len(t) - 1))}


# ---- the check -----------------------------------------------------------------------------------------------------------

class Judge:
    def __init__(self, biela, page, recording, samples):
        self.biela, self.page, self.rec, self.samples = biela, Page(open(page, encoding="utf-8").read()), Recording(recording), samples
        self.recording, self.is_english = recording, self.page.language == "en"
        self.folder = tempfile.TemporaryDirectory()
        self.blocks = [[tag, re.sub(r"\s+", " ", text).strip()] for tag, text in self.page.blocks]
        self.open = [re.search(r"\d", text) is not None for _, text in self.blocks]
        self.at, self.count = 0, 0
        self.dt, self.steps = float(self.rec.note("dt")), self.rec.steps
        self.words = [self.rec.note("model"), "--run", self.rec.note("run")]
        for key, value in self.rec.notes:
            self.words += ["--set", value] if key == "set" else []
        self.stride = self.steps // 1500 + 1
        self.model = next(contents for _, _, contents in self.rec.files).decode()

    # ---- numbers

    def number(self, text):
        assert ("." if not self.is_english else ",") not in text, f"the wrong decimal sign: {text}"
        return Decimal(text.replace(",", "."))

    def same(self, text, value, where):
        printed = self.number(text)
        slack = 0.5 * 10.0 ** printed.as_tuple().exponent
        assert abs(float(printed) - value) <= slack * (1 + 1e-6) + 1e-12 * abs(value), f"{where}: the page says {text}, it is {value}"
        self.count += 1

    def value(self, text, value, where):
        """ "12.3 km/h", "4.5°" of a value in SI """
        found = re.fullmatch(rf"({NUMBER})\s?(.*)", text)
        assert found and found[2] in UNITS, f"{where}: {text}"
        scaled = value * UNITS[found[2]]
        if float(self.number(found[1])) == 0.0:
            assert abs(scaled) < 5.1e-4, f"{where}: the page says nothing, it is {value}"
            self.count += 1
        else:
            self.same(found[1], scaled, where)

    # ---- blocks

    def next(self, pattern, *checks, start=None):
        """The next block that matches; each group of the pattern has its check: a value, or a function of the text."""
        first = self.at if start is None else start
        for k in range(first, len(self.blocks)):
            found = re.fullmatch(pattern, self.blocks[k][1])
            if found:
                for text, check in zip(found.groups(), checks):
                    check(text) if callable(check) else self.same(text, check, self.blocks[k][1])
                self.open[k], self.at = False, k + 1
                return found
        raise AssertionError(f"no such text behind '{self.blocks[first - 1][1][:80]}': {pattern}")

    def head(self, english, spanish):
        title = english if self.is_english else spanish
        self.at = next(k for k, (tag, text) in enumerate(self.blocks) if tag in ("h2", "h3") and text.startswith(title)) + 1

    def row(self):
        """Cells of the next row, as lists of texts: what stands in it, and what is small in it."""
        while self.blocks[self.at][0] != "tr":
            self.at += 1
        cells, k = [], self.at + 1
        while k < len(self.blocks) and not (self.blocks[k][0].endswith("-after") and self.blocks[k][0] in ("table-after", "after", "div-after")):
            tag, text = self.blocks[k]
            if tag == "tr":
                break
            if tag in ("td", "th"):
                cells.append([text, ""])
            elif tag == "span" and cells:
                cells[-1][0] += text
            elif tag == "i" and cells:
                cells[-1][1] += text
            elif text:
                break
            self.open[k] = False
            k += 1
        self.at = k
        return cells

    def is_of_model(self, text):
        """A help text: as the model file has it, in either language."""
        flat = re.sub(r"\s+", " ", self.model)
        return text == "" or text in flat or text.replace('"', '\\"') in flat

    # ---- runs

    def run(self, name, *more, dt=None):
        out = os.path.join(self.folder.name, name + ".csv")
        dt = dt or self.dt
        words = [self.biela, "run", *self.words, "--time", repr(self.steps * self.dt), "--dt", repr(dt), "--every", "0", *more,
                 "--out", out, "--quiet"]
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return Drive(out) if os.path.exists(out) else None

    def half(self):
        """The recorded inputs, held over each step, with half of it."""
        manoeuvre = os.path.join(self.folder.name, "inputs.csv")
        names = self.rec.inputs
        value = [0.0] * len(names)
        changes = {}
        for step, k, now in self.rec.changes:
            changes.setdefault(step, []).append((k, now))
        with open(manoeuvre, "w") as out:
            print("t", *names, sep=",", file=out)
            print(0.0, *value, sep=",", file=out)
            for step in sorted(changes):
                if step > 0:
                    print(repr(step * self.dt), *value, sep=",", file=out)
                for k, now in changes[step]:
                    value[k] = now
                print(repr(step * self.dt + 1e-9), *value, sep=",", file=out)
        more = ["--manoeuvre", manoeuvre] if changes else []
        return self.run("half", *more, dt=self.dt / 2)


NUMBER = r"[-+]?\d+(?:[.,]\d+)?(?:e[-+]?\d+)?"
N = f"({NUMBER})"


def judge_head(j):
    date = j.rec.note("recorded")
    pattern = r"(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d) UTC · run .*" if j.is_english else r"(\d\d)/(\d\d)/(\d{4}) (\d\d:\d\d) UTC · caso .*"
    found = j.next(pattern)
    parts = found.groups()[:3] if j.is_english else found.groups()[2::-1]
    assert "-".join(parts) + "T" + found[4] == date[:16], (found[0], date)


def judge_outcome(j):
    is_, o = j.is_english, j.outcome
    j.head("What happened", "Qué ocurrió")
    if o["tipped"] is not None:
        j.next(rf"It tipped over: .* from {N} s on, at {N} km/h \({N} m/s\); at {N} s it leaned by more than {N}°\." if is_ else
               rf"Volcó: .* en {N} s, a {N} km/h \({N} m/s\); en {N} s se inclinaba más de {N}°\.",
               o["lost"], 3.6 * o["lost_speed"], o["lost_speed"], o["tipped"], 40)
    # pictures are of instants that are kept, every so many steps
    near = lambda wanted: lambda text: None if abs(float(j.number(text)) - wanted) <= 0.5 * j.stride * j.dt + 0.006 else sys.exit(f"picture of {text} s, not {wanted}")
    captions = [k for k, (tag, text) in enumerate(j.blocks) if tag == "figcaption" and re.match(r"\d", text)]
    wanted = [o["lost"], max(0.0, o["lost"] - 1.0), o["tipped"]] if o["tipped"] is not None else []
    for k, when in zip(captions, wanted):
        j.at = k
        j.next(rf"{N} s: .*?(\d+)?°?", near(when), lambda degrees: None if degrees in (None, "40") else sys.exit(degrees))
    label = lambda english, spanish: j.next(english if is_ else spanish)
    j.head("What happened", "Qué ocurrió")
    label("way driven", "recorrido")
    j.next(r"(\d.*)", lambda text: j.value(text, o["way"], "way"))
    j.next(rf"{N} km/h \({N} m/s\)", 3.6 * o["fastest"], o["fastest"])
    j.next(rf"{N} % (?:at|en) {N} s", 100 * o["least"], o["least_t"])
    j.next(rf"{N} s, {N} (?:steps of|pasos de) {N} ms", j.steps * j.dt, j.steps, 1e3 * j.dt)
    j.next(rf"{N}; .*", 1)


def line_of(ticks):
    (a, u), (b, v) = ticks[0], ticks[-1]
    return lambda at: u + (v - u) * (at - a) / (b - a)


def judge_drawings(j):
    """Curves: the scale by its first and last number; every number of it on that scale; every point within half a pixel of its channel."""
    plans = [d for d in j.page.drawings if any(e[0] == "image" for e in d)]
    plots = [d for d in j.page.drawings if d not in plans]
    inputs = held_inputs(j)
    columns = {"Speed": "over_ground", "Velocidad": "over_ground", "Lift height": "lifted", "Altura": "lifted", "Mast tilt": "phi5", "Inclinación": "phi5",
               "Stability": "margin", "Estabilidad": "margin"}
    sides = {"front left": "fl", "front right": "fr", "rear left": "rl", "rear right": "rr", "delantera izquierda": "fl", "delantera derecha": "fr",
             "trasera izquierda": "rl", "trasera derecha": "rr"}
    controls = {"steer": "steer", "drive": "drive", "lift": "lift", "tilt": "tilt", "dirección": "steer", "marcha": "drive", "elevar": "lift", "inclinar": "tilt"}
    at = [min(k, j.steps) for k in range(0, j.steps + j.stride, j.stride)]
    at = sorted(set(at))
    for d in plots:
        title = next(e[2] for e in d if e[1].get("class") == "title").strip()
        name, _, unit = title.partition(", ")
        kind, _, side = name.partition(": ")
        if kind in ("control", "mando"):
            y = [inputs[controls[side]][k] for k in at]
        else:
            column = columns[name] if name in columns else f"stability.{sides[side]}"
            channel = j.drive.of(column)
            y = [channel[k] for k in at]
        x = [j.drive.t[k] for k in at]
        read = lambda which, key: [(float(e[1][key]) - (4.0 if key == "y" else 0.0), float(j.number(e[2].strip()))) for e in d if e[1].get("class") == which]
        left, below = read("left", "y"), read("below", "x")
        assert len(left) > 1 and len(below) > 1, title
        for ticks in (left, below):
            line = line_of(ticks)
            size = abs(ticks[-1][1] - ticks[0][1]) / abs(ticks[-1][0] - ticks[0][0])
            assert all(abs(line(where) - value) < 0.11 * size for where, value in ticks), (title, ticks)
            j.count += len(ticks)
        up, across = line_of(left), line_of(below)
        px = abs(left[-1][1] - left[0][1]) / abs(left[-1][0] - left[0][0]), abs(below[-1][1] - below[0][1]) / abs(below[-1][0] - below[0][0])
        points = [tuple(map(float, text.split(","))) for text in next(e for e in d if e[1].get("class") == "curve")[1]["points"].split()]
        assert len(points) == len(y), (title, len(points), len(y))
        for (a, b), t, v in zip(points, x, y):
            assert abs(across(a) - t) < 0.2 * px[1] and abs(up(b) - v * UNITS[unit]) < 0.2 * px[0], (title, t, v, up(b))
        marks = [float(re.match(r"M(\S+) ", e[1]["d"])[1]) for e in d if e[1].get("class") == "mark"]
        assert len(marks) == min(8, len(j.events)), title
        assert all(abs(across(m) - float(e["t"])) < 0.2 * px[1] for m, e in zip(marks, j.events)), (title, marks)
    judge_plan(j, plans[0], at)
    # what does not change
    text = next((k for k, (_, t) in enumerate(j.blocks) if re.match("Without change: |Sin cambio: ", t)), None)
    if text is not None:
        for name, value in re.findall(rf"([^(]*) \({N}[^)]*\)(?:, )?", j.blocks[text][1].partition(": ")[2]):
            kind, _, side = name.partition(": ")
            own = {"parking brake": "park", "look back": "look", "freno de mano": "park", "mirar atrás": "look"}
            series = inputs[controls.get(side) or own[side]] if kind in ("control", "mando") else j.drive.of(columns[name])
            assert max(series) - min(series) < 1e-6, name
            unit = re.search(rf"{re.escape(name)} \({NUMBER} ?([^)]*)\)", j.blocks[text][1])[1]
            j.same(value, series[0] * UNITS[unit], name)
        j.open[text] = False


def held_inputs(j):
    """What is noted of the steps: as long as nothing changes it stays; a sample shows the step that begins there."""
    value, out = dict.fromkeys(j.rec.inputs, 0.0), {name: [] for name in j.rec.inputs}
    changes = iter(j.rec.changes + [(1 << 60, 0, 0.0)])
    step, k, now = next(changes)
    for at in range(j.steps + 1):
        while step <= at:
            value[j.rec.inputs[k]] = now
            step, k, now = next(changes)
        for name in value:
            out[name].append(value[name])
    return out


def judge_plan(j, d, at):
    """The ruler gives metres per pixel; the track has the lengths and turns of the path, whatever the plan is turned by."""
    ruler = re.search(r"M20 \d+h([\d.]+)m", next(e for e in d if e[0] == "path")[1]["d"])
    text = next(e[2] for e in d if e[0] == "text").strip()
    found = re.fullmatch(rf"{N} (mm|m)", text)
    metre = float(ruler[1]) / (float(j.number(found[1])) / UNITS[found[2]])
    x, y = j.drive.of(f"{BODY}.x"), j.drive.of(f"{BODY}.y")
    points = [tuple(map(float, p.split(","))) for p in next(e for e in d if e[1].get("class") == "track")[1]["points"].split()]
    assert len(points) == len(at)
    for k in range(0, len(at), max(1, len(at) // 40)):
        for m in (0, len(at) // 2, len(at) - 1):
            page = math.hypot(points[k][0] - points[m][0], points[k][1] - points[m][1]) / metre
            real = math.hypot(x[at[k]] - x[at[m]], y[at[k]] - y[at[m]])
            assert abs(page - real) < 0.25 / metre + 2e-3 * real, ("plan", k, m, page, real)
    j.count += 1


def judge_events(j):
    j.head("Events", "Sucesos")
    j.row()
    for e in j.events:
        cells = j.row()
        j.next_cell = cells
        found = re.fullmatch(rf"{N} s", cells[0][0])
        j.same(found[1], float(e["t"]), "event")
        limit = re.search(r" (?:above|below) (\S+)$", e["what"])
        said = re.search(rf"{N}(°?)$", cells[2][0])
        j.same(said[1], float(limit[1]) * (DEGREE if said[2] else 1), "limit of an event")


def judge_band(j):
    if not j.samples:
        return
    text = open(j.samples, newline="").read()
    rows = list(csv.DictReader(io.StringIO(text)))
    n, spread = len(rows), [name for name in rows[0] if name not in ("case", "sample", "tips", "tips.t", "tips.speed", "lost.t", "lost.speed", "least", "end", "runs", "status", "verdict", "hash")]
    j.head("Would it have tipped over", "¿Habría volcado")
    j.next(rf"{N} (?:samples|muestras): .* \((?:seed|semilla) {N}\)\. .* {N} s\.", n, lambda text: None, j.steps * j.dt)
    known = [row for row in rows if row["tips"] != ""]
    tips = [row for row in known if row["tips"] == "1"]
    low, high = clopper_pearson(len(tips), n)[0], clopper_pearson(len(tips) + n - len(known), n)[1]
    j.next(rf"\D*{N} (?:of|de) {N}: {N} %\. \D*{N} %\D*{N} %\D*{N} %\.", len(tips), len(known), 100 * len(tips) / len(known), 95, 100 * low, 100 * high)
    if tips:
        header = j.row()
        assert [cell[0] for cell in header[1:]] == ["5 %", "50 %", "95 %"], header
        for column in ("lost.speed", "lost.t", "tips.speed", "tips.t"):
            cells, values = j.row(), [float(row[column]) for row in tips if row[column] != ""]
            assert "40" in cells[0][0] or not re.search(r"\d", cells[0][0]), cells
            for cell, p in zip(cells[1:], (0.05, 0.5, 0.95)):
                value, least, most = quantile(values, p)
                check = lambda numbers, v: [j.same(t, v * f, column) for t, f in zip(numbers, (3.6, 1) if "speed" in column else (1,))]
                one = rf"{N} km/h \({N} m/s\)" if "speed" in column else rf"{N} s"
                check(re.fullmatch(one, cell[0]).groups(), value)
                if least is None or most is None:
                    assert not re.search(r"\d", cell[1]), cell
                else:
                    both = re.fullmatch(rf"(?:de )?{one} (?:to|a) {one}", cell[1]).groups()
                    check(both[:len(both) // 2], least)
                    check(both[len(both) // 2:], most)
        j.next(r".* 95 %.*")
    if len(known) < n:
        count = [sum(row["status"] == str(k) for row in rows) for k in (3, 4, 5)]
        j.next(rf"{N} \D*{N} \D*{N} \D*{N} \D*", n - len(known), *count)
    j.next(rf"\D*{N} \D*{N} \D*{N} \D*", *[sum(row["verdict"] == str(k) for row in rows) for k in range(3)])
    j.row()
    for name in spread:
        cells = j.row()
        assert cells[0][0] == name and j.is_of_model(cells[0][1]), cells
        values = [float(row[name]) for row in rows]
        info = j.parameters[name]
        numbers = [float(j.number(text)) for text in re.findall(NUMBER, re.sub(r"\^\d|[²³]", "", cells[1][0]))]
        half = re.search(rf"\n  {name}: \{{value: [^\n]*?tolerance: ([\d.]+)", j.model)
        if re.match("anywhere|en cualquier", cells[1][0]):
            assert numbers[0] - 1e-6 <= min(values) and max(values) <= numbers[1] + 1e-6, (name, numbers, min(values), max(values))
            if half and name not in j.spread:
                texts = re.findall(NUMBER, cells[1][0])
                j.same(texts[0], info["value_in_unit"] - float(half[1]), name)
                j.same(texts[1], info["value_in_unit"] + float(half[1]), name)
            # the values are spread as they should be: their mean within four standard errors
            width = numbers[1] - numbers[0]
            assert abs(sum(values) / n - (numbers[0] + width / 2)) < 4 * width / math.sqrt(12 * n), name
        order = sorted(range(n), key=lambda k: (values[k], k))
        for third, cell in enumerate(cells[2:]):
            part = [rows[k] for k in order[n * third // 3:n * (third + 1) // 3]]
            own = [row for row in part if row["tips"] != ""]
            over = [row for row in own if row["tips"] == "1"]
            found = re.fullmatch(rf"{N} %(?:, {N} m/s)?", cell[0])
            j.same(found[1], 100 * len(over) / len(own), name)
            speeds = [float(row["lost.speed"]) for row in over if row["lost.speed"]]
            assert bool(found[2]) == bool(speeds), cell
            if speeds:
                j.same(found[2], quantile(speeds, 0.5)[0], name)
    j.next(r"[^,]*, (?:hash|huella) (\w{16})\..*", lambda hash_: None if int(hash_, 16) == fnv(text.encode()) else sys.exit("the hash of the samples"), start=0)
    code = next(k for k, (tag, t) in enumerate(j.blocks) if tag == "code" and "--sample " in t)
    found = re.search(r"--samples (\d+) --seed (\d+)(.*) --sample 0$", j.blocks[code][1])
    again = subprocess.run([j.biela, "report", j.recording, "--samples", found[1], "--seed", found[2], *re.sub("'", "", found[3]).split(), "--sample", str(n // 2), "--quiet"],
                           capture_output=True, text=True)
    assert again.stdout.splitlines()[1] == text.splitlines()[n // 2 + 1], again.stdout
    for k, (tag, t) in enumerate(j.blocks):
        if tag == "code" or t.endswith(".samples.csv"):
            j.open[k] = False
    judge_sample(j, rows[n // 2], spread)


def judge_sample(j, row, names):
    """One of them as a run of its own: it tips over when the table says so."""
    drive = j.run("sample", *[word for name in names for word in ("--set", f"{name}={row[name]}")])
    o = drive.outcome()
    assert (o["tipped"] is not None) == (row["tips"] == "1"), (row, o)
    if o["tipped"] is not None:
        for column, key in (("tips.t", "tipped"), ("tips.speed", "tipped_speed"), ("lost.t", "lost"), ("lost.speed", "lost_speed")):
            assert abs(float(row[column]) - o[key]) < 1e-9 * max(1, abs(o[key])), (column, row[column], o[key])


def judge_sensitivity(j):
    j.head("Sensitivity of the outcome", "Sensibilidad del resultado")
    by = float(j.number(j.next(rf".* {N} %.*")[1]))
    j.row()

    def check(cells, o):
        for cell, when, speed in ((cells[1], "tipped", "tipped_speed"), (cells[2], "lost", "lost_speed")):
            found = re.fullmatch(rf"(?:yes|sí), {N} s, {N} m/s", cell[0])
            assert bool(found) == (o[when] is not None), (cell, o)
            if found:
                j.same(found[1], o[when], cell)
                j.same(found[2], o[speed], cell)
        j.value(cells[3][0], o["least"], "least stability")
        assert not re.search(r"\d", cells[4][0]), cells  # no touches on flat ground
        j.value(cells[5][0], math.dist(o["end"], j.outcome["end"]), "ends elsewhere")

    check(j.row(), j.outcome)
    others = runs = 0
    while re.search(r"[-+]\S+ %$", j.blocks[j.at + 1][1]) or re.search(r"[-+]\S+ %$", j.blocks[j.at][1]) or True:
        mark = j.at
        while mark < len(j.blocks) and j.blocks[mark][0] not in ("tr", "p", "h2"):
            mark += 1
        if mark >= len(j.blocks) or j.blocks[mark][0] != "tr":
            break
        cells = j.row()
        found = re.fullmatch(rf"(\w+) ([-+]){N} %", cells[0][0])
        j.same(found[3], by, cells[0][0])
        assert j.is_of_model(cells[0][1]), cells[0]
        factor = 1 + (by if found[2] == "+" else -by) / 100
        runs += 1
        if len(cells) < 6:
            assert j.run("vary", "--set", f"{found[1]}=({j.parameters[found[1]]['value']!r})*{factor!r}") is None, cells
            continue
        out = os.path.join(j.folder.name, "vary.csv")
        if os.path.exists(out):
            os.remove(out)
        o = j.run("vary", "--set", f"{found[1]}=({j.parameters[found[1]]['value'] * factor!r})*1").outcome()
        check(cells, o)
        others += (o["tipped"] is None) != (j.outcome["tipped"] is None) or (o["lost"] is None) != (j.outcome["lost"] is None)
    j.next(rf"{N} (?:of|de) {N} .*", others, runs)


def judge_verdict(j):
    j.head("Verdict", "Veredicto")
    shown = [k for k, item in enumerate(j.verdict["judgements"]) if k < 3 or item["outcome"] != "good"]
    words = {"good": "bueno", "doubtful": "dudoso", "bad": "malo"}
    for k in range(len(j.verdict["judgements"])):
        item = j.verdict["judgements"][k]
        if k >= 3 and item["outcome"] == "good":
            break
        cells = j.row()
        factor = lambda unit: DEGREE if item["unit"] == "rad" else 1
        found = re.match(rf"(\w+): {N}(\S*) \((?:limit|límite) {N}\S*\), (?:.*, )?{N} s", cells[1][0])
        assert found, cells
        assert found[1] == (item["outcome"] if j.is_english else words[item["outcome"]]), (found[0], item)
        j.same(found[2], item["value"] * factor(0), item["what"])
        j.same(found[4], item["bad" if item["outcome"] == "bad" else "doubtful"] * factor(0), item["what"])
        j.same(found[5], item["time"], item["what"])
        # the texts are sentences of the program, whose digits are words of it
        assert not j.is_english or cells[0][0] == item["what"], (cells, item)
    assert shown


def judge_error(j):
    j.head("Error of the step", "Error del paso")
    j.next(r".* 4/3 .*")
    half = j.half()
    at = sorted({min(k, j.steps) for k in range(0, j.steps + j.stride, j.stride)})
    names = ["over_ground", "lifted", "phi5", "margin", "stability.fl", "stability.fr", "stability.rl", "stability.rr"]
    j.row()
    for name in names:
        a, b = j.drive.of(name), half.of(name)
        gaps = [abs(a[k] - b[2 * k]) for k in at]
        span = max(a[k] for k in at) - min(a[k] for k in at)
        cells = j.row()
        for cell, value in zip(cells[1:], (4 / 3 * max(gaps), 4 / 3 * gaps[-1], span)):
            j.value(cell[0], value, f"error of {name}")


def judge_identity(j):
    j.head("Evidence", "Pruebas")
    version = subprocess.run([j.biela, "--version"], capture_output=True, text=True).stdout
    number, build = re.match(r"biela (\S+) \(build (.*)\)", version).groups()
    replay = json.loads(subprocess.run([j.biela, "replay", j.recording, "--json"], capture_output=True, text=True).stdout)
    assert replay["compared"] == replay["equal"] == len(j.rec.hashes), replay
    assert int(replay["hash"], 16) == j.rec.hashes[-1][1] and j.rec.hashes[-1][0] == j.steps
    for key in ("model", "system", "version", "build"):
        assert j.row()[1][0] == j.rec.note(key), key
    assert j.row()[1][0] == f"{number} {build}"
    for key in ("scheme", "formulation", "run"):
        assert j.row()[1][0] == j.rec.note(key), key
    for key, value in j.rec.notes:
        if key == "set":
            assert j.row()[1][0] == value, value
    found = re.match(rf"{N} (?:of|de) {N} ", j.row()[1][0])
    j.same(found[1], len(j.rec.hashes), "hashes")
    j.same(found[2], len(j.rec.hashes), "hashes")
    assert j.row()[1][0] == replay["hash"]
    j.head("Parameters", "Parámetros")
    for name, info in j.parameters.items():
        j.next(re.escape(name))
        found = j.next(rf"= {N}(?: ± {N})? ?(.*)")
        j.same(found[1], info["value_in_unit"], name)
        tolerance = re.search(rf"\n  {name}: \{{value: [^\n]*?tolerance: ([\d.]+)", j.model)
        assert bool(tolerance) == bool(found[2]), name
        if tolerance:
            j.same(found[2], float(tolerance[1]), name)
        unit = (info["unit"] or "").replace("^2", "²").replace("^3", "³").replace("*", "·").replace("deg", "°")
        assert found[3] == unit, (name, found[3], unit)
        if j.blocks[j.at][0] == "i":
            assert j.is_of_model(j.blocks[j.at][1]), j.blocks[j.at]
            j.open[j.at] = False
    j.head("Files of the model", "Archivos del modelo")
    for name, size, contents in j.rec.files:
        j.next(re.escape(name))
        j.next(r"(\w{16})", lambda hash_: None if int(hash_, 16) == fnv(contents) else sys.exit(f"the hash of {name}"))
        j.next(rf"{N} bytes", len(contents))
        assert size == len(contents)


def main():
    biela, page, recording = sys.argv[1:4]
    j = Judge(biela, page, recording, sys.argv[4] if len(sys.argv) > 4 else None)
    j.drive = j.run("drive")
    j.outcome = j.drive.outcome()
    path = os.path.join(j.folder.name, "drive")
    j.events = list(csv.DictReader(open(path + ".events.csv"))) if os.path.exists(path + ".events.csv") else []
    j.verdict = json.load(open(path + ".verdict.json"))
    j.verdict = j.verdict.get("verdict", j.verdict)
    info = json.loads(subprocess.run([biela, "info", *j.words, "--json"], capture_output=True, text=True).stdout)
    j.parameters = {p["name"]: p for p in info["parameters"]}
    j.spread = re.findall(r"--spread '(\w+)=", " ".join(text for tag, text in j.blocks if tag == "code"))
    for part in (judge_head, judge_outcome, judge_drawings, judge_events, judge_band, judge_sensitivity, judge_verdict, judge_error, judge_identity):
        part(j)
    left = [block for block, is_open in zip(j.blocks, j.open) if is_open]
    for k, (tag, text) in enumerate(j.blocks):
        if j.open[k] and (tag == "code" or text.startswith(("Dashed", "Líneas"))):
            left.remove(j.blocks[k])
    assert not left, f"numbers that nothing explains: {left[:8]}"
    print(f"{os.path.basename(page)}: {j.count} numbers are what they are said to be")


main()
