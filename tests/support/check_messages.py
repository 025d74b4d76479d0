#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold what a live server says against app/live/messages.txt: check_messages.py [--mock].

Drives, replays and views of $BIELA are watched and driven over their sockets until every message, every field and every block of a frame
that is described has been seen; each one that is seen must be described, and fit its type. Every request that is described must be
known, and refused where it is the driver's. --mock does the first part with the page's mock server. Nothing depends on how fast the machine
is: it waits for what must come, up to LONGEST."""
import base64
import json
import math
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, "tools")
import messages  # noqa: E402

LONGEST = 900.0  # s, of what hangs: a lesson on a slope takes minutes to start under the sanitizers


class Fault(Exception):
    """The server does not do what the description says."""


# ---- values against their types ----------------------------------------------------------------------------------------

def no_twins(pairs):
    if len(dict(pairs)) != len(pairs):
        raise Fault(f"a member stands twice among {[key for key, _ in pairs]}")
    return dict(pairs)


class Judge:
    """Compares messages with the description, and remembers which fields were there."""

    def __init__(self, description):
        self.description = description
        self.messages = {block.name: block for block in description.all("to-page")}
        self.seen = set()

    def text(self, data):
        message = json.loads(data, object_pairs_hook=no_twins)
        block = self.messages.get(message.pop("type", None))
        if not block:
            raise Fault(f"this message is not described: {data[:80]}")
        self.members(block, message)
        return block.name, message

    def members(self, block, value):
        if not isinstance(value, dict):
            raise Fault(f"{block.name} is not an object: {value}")
        known = {row.name: row for row in block.fields}
        for name in value:
            if name not in known:
                raise Fault(f"{block.name}.{name} is not described")
            self.seen.add(f"{block.name}.{name}")
            self.value(messages.type_of(known[name].kind), value[name], f"{block.name}.{name}")
        missing = [row.name for row in block.fields if not row.is_optional and row.name not in value]
        if missing:
            raise Fault(f"{block.name} has no {', '.join(missing)}")

    def value(self, kind, value, where):
        if value is None and kind.is_null:
            return
        if kind.item and kind.is_map:
            self.must(isinstance(value, dict), where, value)
            for name in value:
                self.value(kind.item, value[name], f"{where}.{name}")
        elif kind.item:
            self.must(isinstance(value, list) and (kind.count == 0 or len(value) == kind.count), where, value)
            for item in value:
                self.value(kind.item, item, where)
        elif kind.name in self.description.records:
            self.members(self.description.records[kind.name], value)
        else:
            self.must(self.is_plain(kind.name, value), where, value)

    def is_plain(self, name, value):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return {"text": isinstance(value, str), "boolean": isinstance(value, bool), "number": is_number,
                "integer": is_number and isinstance(value, int), "expression": is_number or isinstance(value, str)}.get(
                    name, value in self.description.words.get(name, []))

    def must(self, is_good, where, value):
        if not is_good:
            raise Fault(f"{where} does not fit its type: {str(value)[:80]}")

    def frame(self, data, scene):
        """Head, flags and blocks; every byte must belong to one of them."""
        (head,), (flags,), (blocks,) = (self.description.all(f"frame-{part}") for part in ("head", "flags", "blocks"))
        layout = struct.Struct("<I" + "".join({"u32": "I", "f32": "f", "f64": "d"}[row.kind] for row in head.fields))
        magic, *values = layout.unpack_from(data)
        frame = dict(zip((row.name for row in head.fields), values))
        if magic != int(head.name, 16) or frame["flags"] & ~sum(int(row.kind) for row in flags.fields):
            raise Fault(f"a frame begins with {magic:#x} and has the flags {frame['flags']:#x}")
        at = layout.size
        counts = {"poses": len(scene["bodies"]), "ghost": len(scene["bodies"]), "modes": sum(one["modes"] for one in scene["flexible"])}
        for row in blocks.fields:
            if row.is_optional and at == len(data):
                continue
            count = struct.unpack_from("<I", data, at)[0]
            if row.name == "inputs":
                frame["inputs"] = struct.unpack_from(f"<{count}f", data, at + 4)
            at += 4 + 4 * count * int(row.kind)
            whole = counts.get(row.name, len(scene.get(row.name, [])))
            if count not in ((whole,) if row.name not in ("arrows", "ghost") else (0, whole)):
                raise Fault(f"the block {row.name} of a frame has {count} entries, the scene {whole}")
            self.seen.update([f"frame.{row.name}"] if count else [])
        if at != len(data):
            raise Fault(f"a frame has {len(data)} bytes, its blocks end at {at}")
        return frame

    def bytes(self, block, data):
        """Counts, then parts; their sizes must add up."""
        counts = dict(zip((row.name for row in messages.counts_of(block)), struct.unpack_from(f"<{len(messages.counts_of(block))}I", data)))
        size = 4 * len(counts)
        for row in messages.parts_of(block):
            entries = math.prod(counts[name] for name in row.count)
            size += 4 * messages.words_of(row) * entries
            self.seen.update([f"{block.title}.{row.name}"] if entries else [])
        if size != len(data):
            raise Fault(f"{block.title} has {len(data)} bytes, its parts {size}")

    def expected(self):
        """Everything that can be seen: fields of messages, of the records in them, blocks of frames."""
        todo, found = list(self.messages.values()), set()
        while todo:
            block = todo.pop()
            for row in block.fields:
                found.add(f"{block.name}.{row.name}")
                kind = messages.type_of(row.kind)
                while kind.item:
                    kind = kind.item
                if kind.name in self.description.records:
                    todo.append(self.description.records[kind.name])
        found |= {f"frame.{row.name}" for row in self.description.all("frame-blocks")[0].fields}
        return found | {f"{block.title}.{row.name}" for block in self.description.all("bytes") for row in messages.parts_of(block)}


# ---- a page without a picture ----------------------------------------------------------------------------------------------

class Page:
    """A socket that reads, judges and acknowledges."""

    def __init__(self, port, judge, path="/ws"):
        self.judge, self.bytes, self.scene, self.errors, self.answers = judge, b"", None, 0, set()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LONGEST)
        key = base64.b64encode(bytes(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.bytes:
            self.more()
        self.bytes = self.bytes.split(b"\r\n\r\n", 1)[1]

    def more(self):
        got = self.socket.recv(1 << 20)
        if not got:
            raise Fault("the server closed the connection")
        self.bytes += got

    def take(self, count):
        while len(self.bytes) < count:
            self.more()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def say(self, message):
        data, mask = json.dumps(message).encode(), b"\x11\x22\x33\x44"
        length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + length + mask + bytes(byte ^ mask[k % 4] for k, byte in enumerate(data)))

    def next(self):
        """One message: its name and what it says."""
        first, length = self.take(2)
        if length == 126:
            length = struct.unpack(">H", self.take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.take(8))[0]
        data = self.take(length)
        if first & 15 == 1:
            name, message = self.judge.text(data.decode())
            self.scene = message if name == "scene" else self.scene
            self.errors += name == "error"
            self.answers.add(name)
            return name, message
        if first & 15 == 2:
            frame = self.judge.frame(data, self.scene)
            self.say({"type": "ack", "frame": frame["number"]})
            return "frame", frame
        return "", {}

    def until(self, what, is_it):
        """Reads until is_it(name, message)."""
        limit = time.monotonic() + LONGEST
        while time.monotonic() < limit:
            name, message = self.next()
            if name and is_it(name, message):
                return message
        raise Fault(f"{what} did not come within {LONGEST:g} s")


# ---- servers ---------------------------------------------------------------------------------------------------------------

class Server:
    """A program that prints its address, ended with the block."""

    def __init__(self, *words):
        self.words = words

    def __enter__(self):
        self.process = subprocess.Popen(self.words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        found = re.search(r":(\d+)", self.process.stdout.readline())
        if not found:
            self.__exit__()
            raise Fault(f"{' '.join(self.words)} printed no address")
        return int(found[1])

    def __exit__(self, *unused):
        self.process.terminate()
        self.process.stdout.read()
        self.process.wait()


def drive(*words):
    return Server(os.environ["BIELA"], "drive", *words, "--port", "0", "--no-open", "--quiet")


def made_up(kind):
    if kind.item:
        return {} if kind.is_map else []
    return {"text": "", "boolean": True, "expression": 1, "integer": 1, "number": 1}[kind.name]


# what no made-up word can be
NAMED = {"model": {"name": "pendulum-cart"}, "comment": {"text": "well driven"}, "hand": {"to": 0},
         "scenario": {"name": "made-up", "part": 0, "of": 1, "replace": True,
                      "text": "exercise: 1\ntitle: made up\ngoals: [{text: wait, when: time > 1}]\n"}}


def request(block):
    made = {row.name: made_up(messages.type_of(row.kind)) for row in block.fields}
    return {"type": block.name, **made, **NAMED.get(block.name, {})}


def refused(page, message):
    """Whether a request is answered by an error; a bad one behind it marks the end of its answers."""
    before = page.errors
    page.say(message)
    page.say({"type": "no such request"})
    page.until("the answer to a request", lambda name, said: name == "error" and "not known" in said["text"])
    return page.errors - before > 1


def fetch_all(page, port):
    """The meshes and flexible bodies of which the scene speaks."""
    numbers = {"mesh": [shape["mesh"] for shape in page.scene["shapes"] if "mesh" in shape],
               "flex": [one["body"] for one in page.scene["flexible"]]}
    for block in page.judge.description.all("bytes"):
        for number in numbers.get(block.name, [""]):
            # those without a number are there once
            path = block.title.rsplit("/", 1)[0] + f"/{number}" if number != "" else block.title
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=LONGEST) as answer:
                page.judge.bytes(block, answer.read())


# ---- what is driven ----------------------------------------------------------------------------------------------------------

def check_requests(judge, folder):
    """Each request of a driver is taken, and refused of a watcher where the description says so; `driver` comes last."""
    with drive("pendulum-cart", "--no-record", "--exercises", str(folder)) as port:
        driver, watcher = Page(port, judge), Page(port, judge)
        driver.until("a second viewer", lambda name, message: name == "role" and message["viewers"] == 2)
        blocks = sorted(judge.description.all("to-server"), key=lambda block: block.name == "driver")
        for block in blocks:
            if refused(driver, request(block)):
                raise Fault(f"the driver may not ask for '{block.name}'")
        if not (pathlib.Path(folder) / "made-up.yaml").is_file():
            raise Fault("an exercise was not written")
        for block in blocks:
            # inputs of others are passed over without a word
            must = block.who == "driver" and block.name != "inputs"
            if refused(watcher, request(block)) != must:
                raise Fault(f"'{block.name}' of a watcher is {'taken' if must else 'refused'}")


def check_exercise(judge, folder):
    """One that ends, with a recording; then arrows and a ghost."""
    with drive("pendulum-cart", "--record", f"{folder}/drive.biela") as port:
        page = Page(port, judge)
        page.until("a frame", lambda name, message: name == "frame")
        page.say({"type": "exercise", "name": "to-the-right"})
        page.until("the end of an exercise", lambda name, message: name == "exercise" and message["state"] == "failed")
        page.say({"type": "arrows", "on": True})
        page.say({"type": "seek", "t": 0.1})
        page.until("the past", lambda name, message: name == "frame" and message["flags"] & 2)
        page.say({"type": "take"})
        page.until("a ghost", lambda name, message: name == "frame" and message["flags"] & 4 and {"frame.ghost", "frame.arrows"} <= judge.seen)


# keys of the page that no model of ours has
WISHES = """
hud: [{channel: turn.angle, min: -pi, max: pi, warn: 1, near: 0.5, warn_when: above}]
controls: {drive: {keys: [D, F], sign: 1, stays: true, feel: [turn.angle], feel_gain: 0.5, feel_full: 2}}
spanish: {turn: giro}
"""


def check_verdict(judge, folder):
    """A wheel that turns too fast for its step: an event, and a line of the verdict."""
    model = folder / "rotor.yaml"
    model.write_text(pathlib.Path("tests/support/rotor.yaml").read_text() + WISHES)
    with drive(str(model), "--no-record") as port:
        page = Page(port, judge)
        page.until("a frame", lambda name, message: name == "frame")

        def is_told(name, message):
            page.say({"type": "inputs", "values": {"drive": 1}})
            return name == "report" and "line" in message["verdict"] and "event" in page.answers
        page.until("a verdict that is not good", is_told)


BALL = """
biela: 1
name: ball
bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], at: [0, 0, 0.6]}}
gravity: [0, 0, -9.81]
inputs: {push: {initial: 0}}
shapes: {floor: {type: plane, title: the floor}, ball: {type: sphere, radius: 0.1, body: ball}}
forces:
  touch: {type: contact, a: ball, b: floor, stiffness: 2e4, damping: 20}
  thread: {type: spring, a: {body: ground, at: [0, 0, 1]}, b: {body: ball}, stiffness: 1e-6, rest: 0.4}
events: {lands: {type: touch, contact: touch}}
run: {dt: 1 ms}
spanish: {the floor: el suelo}
"""


def check_touch(judge, folder):
    """A ball that lands: told when it begins and when it is over, by the same number, and again when it is shown again."""
    model = folder / "ball.yaml"
    model.write_text(BALL)

    def begins(name, message):
        return name == "event" and message["number"] == 0 and not message["hit"]["over"]

    def is_over(name, message):
        return name == "event" and message["number"] == 0 and message["hit"]["over"]
    with drive(str(model), "--no-record") as port:
        page = Page(port, judge)
        first = page.until("a touch that begins", begins)["hit"]
        last = page.until("its end", is_over)["hit"]
        # falls 0.5 m; sqrt(2 g 0.5 m), less a step; force m w v and more
        if (first["a"], first["b"]) != ("ball", "the floor") or abs(first["speed"] - 3.132) > 0.011:
            raise Fault(f"the touch is told as {first}")
        if not 2 * 9.81 < 600 < last["force"] < 900 or not 0.5 < last["energy"] < 9.81:
            raise Fault(f"the end of the touch is told as {last}")
        page.say({"type": "seek", "t": 0.1})
        page.until("the past", lambda name, message: name == "frame" and message["flags"] & 2)
        page.say({"type": "play"})
        again = page.until("the touch shown again", is_over)["hit"]
        if again != last:
            raise Fault(f"the touch is told as {last}, and shown again as {again}")
        page.say({"type": "inside"})
        page.until("a force between two points", lambda name, message: name == "inside" and "b" in message["forces"][0])


def check_scene(*wanted):
    """Scenes of other models: what the page is told of each, and messages that only they have."""
    def check(judge, folder):
        for model, name in wanted:
            with drive(model, "--no-record") as port:
                page = Page(port, judge)
                page.until(f"{name} of {model}", lambda said, message: {name, "frame"} <= page.answers | {said})
                fetch_all(page, port)
    return check


def check_forklift(judge, folder):
    with drive("forklift", "--no-record") as port:
        page = Page(port, judge)
        page.until("a frame", lambda name, message: name == "frame")
        page.say({"type": "exercise", "name": "01-start-and-stop"})
        page.until("marks", lambda name, message: name == "exercise" and message["marks"])
        page.say({"type": "inside"})
        page.until("what is inside", lambda name, message: name == "inside" and message["touches"])
        fetch_all(page, port)


def check_instructor(judge, folder):
    """What only an instructor is told: his inputs, and who is there."""
    with drive("forklift", "--no-record", "--token", "drives", "--instruct-token", "teaches") as port:
        page = Page(port, judge, "/ws?token=teaches")
        page.until("who is there", lambda name, message: name == "role" and message["people"] and "instructor" in page.scene)


def check_results(judge, folder):
    """Rows of a run, with and without its model, and a recording."""
    biela, csv = os.environ["BIELA"], f"{folder}/rows.csv"
    subprocess.run([biela, "run", "pendulum-cart", "--time", "0.5", "--out", csv, "--quiet"], check=True)
    for words in (["view", csv], ["view", csv, "--model", "pendulum-cart"], ["replay", f"{folder}/drive.biela", "--live"]):
        with Server(biela, *words, "--port", "0", "--no-open") as port:
            page = Page(port, judge)
            page.until("a timeline", lambda name, message: name == "timeline" and page.scene)
            page.say({"type": "play"})
            page.until("a frame", lambda name, message: name == "frame")
            page.say({"type": "inside"})
            # rows without a model know nothing of it
            answer = "error" if words[0] == "view" and len(words) == 2 else "inside"
            page.until("the answer to inside", lambda name, message, wanted=answer: name == wanted)


def check_mock(judge, folder):
    with Server("node", "web/dist-test/mock/server.mjs", "0") as port:
        page = Page(port, judge)
        page.until("a report", lambda name, message: {"report", "timeline", "frame"} <= page.answers | {name})
        page.say({"type": "exercise", "name": "slalom"})
        page.until("an exercise", lambda name, message: name == "exercise")
        page.say({"type": "inside"})
        page.until("what is inside", lambda name, message: name == "inside")


def check_judge(judge, folder):
    """What must not pass: a judge that lets everything through would find nothing."""
    strict = Judge(judge.description)
    strict.text('{"type": "error", "text": "this one is right"}')
    for wrong in ('{"type": "later"}', '{"type": "error"}', '{"type": "error", "text": 3}', '{"type": "error", "text": "a", "more": 1}',
                  '{"type": "error", "text": "a", "text": "b"}', '{"type": "modes", "at": {"v": "fast"}, "eigenvalues": []}',
                  '{"type": "modes", "at": {}, "eigenvalues": [[1, 2, 3]]}', '{"type": "role", "driver": 1, "viewers": 1, "taken": true}'):
        try:
            strict.text(wrong)
        except Fault:
            continue
        raise Fault(f"this message was not refused: {wrong}")


DRIVES = [check_judge, check_requests, check_exercise, check_verdict, check_touch, check_forklift, check_instructor, check_results,
          check_scene(("tests/keys/looks.yaml", "report"), ("bicycle", "modes"), ("flex-bar", "report"), ("flex-slider-crank", "report"))]


def main(arguments):
    judge = Judge(messages.read())
    try:
        with tempfile.TemporaryDirectory() as folder:
            for check in [check_mock] if "--mock" in arguments else DRIVES:
                check(judge, pathlib.Path(folder))
        missing = judge.expected() - judge.seen
        if missing and "--mock" not in arguments:
            raise Fault(f"described, but no drive has shown it: {', '.join(sorted(missing))}")
    except Fault as fault:
        print(f"FAILED: {fault}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
