#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A class of three over its sockets: class_of.py FOLDER [SECONDS]. All run, one is killed and begins again, all attempts land in one file; the
whole class is killed, started again, and nobody's results are lost. With SECONDS (tests/soak/class.sh) they drive so long, and at most 1 %
of the steps of each may be late."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, "tests/support")
import check_messages  # noqa: E402
import messages  # noqa: E402
from check_messages import LONGEST, Page  # noqa: E402

NAMES = ["Ana", "Luis", "Eva"]


class School:
    """`biela class`, its addresses as it prints them."""

    def __init__(self, folder, *more):
        self.log = open(f"{folder}/class.log", "a+", encoding="utf-8")
        words = [os.environ["BIELA"], "class", "forklift", "--trainees", ",".join(NAMES), "--results", f"{folder}/class.sqlite",
                 "--exercise", "models/forklift/course/01-start-and-stop.yaml", "--no-record", *more]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.overview = self.process.stdout.readline().split()[0]
        self.trucks = dict(self.truck() for _ in NAMES)

    def truck(self):
        found = re.match(r"(\w+): http://[^:]+:(\d+)/\?token=(\w+)", self.process.stdout.readline())
        return found[1], (int(found[2]), found[3])

    def page(self, name, judge):
        port, token = self.trucks[name]
        return Page(port, judge, f"/ws?token={token}")

    def seen(self, path="class"):
        return urllib.request.urlopen(self.overview.replace("/class", f"/{path}"), timeout=LONGEST).read().decode()

    def until(self, words, path="class"):
        limit = time.monotonic() + LONGEST
        while time.monotonic() < limit:
            told = self.seen(path)
            if re.search(words, told, re.S):
                return told
            time.sleep(0.2)
        raise AssertionError(f"the overview does not say {words}: {told}")


def attempts(folder):
    told = subprocess.run([os.environ["BIELA"], "course", "list", "--json", "--results", f"{folder}/class.sqlite"], check=True, capture_output=True, text=True)
    return told.stdout


def begin(page):
    """The first move: the attempt is noted."""
    page.until("a frame", lambda name, said: name == "frame")
    page.say({"type": "inputs", "values": {"drive": 0.3}})
    page.until("that it is under way", lambda name, said: name == "exercise" and said["state"] == "running")


def drive(school, judge, seconds):
    pages = [school.page(name, judge) for name in NAMES]
    for page in pages:
        begin(page)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for page in pages:
            page.say({"type": "inputs", "values": {"drive": 0.0}})
            page.until("a frame", lambda name, said: name == "frame")
    return pages


def late(school):
    """Shares of late steps as the overview tells them, %."""
    return [float(share) for share in re.findall(r"<td>([0-9.]+) %</td>", school.seen())]


def main(folder, seconds=0.0):
    judge = check_messages.Judge(messages.read())
    school = School(folder)
    pages = drive(school, judge, seconds)
    told = school.until(".*".join(f"{name}.*Start and stop.*<td>driving</td>" for name in NAMES))
    assert "Late steps" in told and "Pasos tardíos" in school.until("en marcha", "clase")
    assert urllib.request.urlopen(school.overview, timeout=LONGEST).status == 200
    try:
        urllib.request.urlopen(school.overview.split("?")[0], timeout=LONGEST)
        raise AssertionError("the overview is open to everybody")
    except urllib.error.HTTPError as error:
        assert error.code in (401, 403), error.code
    if seconds > 0:
        shares = late(school)
        print(f"late steps of three trucks in {seconds:g} s: {shares} %")
        assert len(shares) == 3 and max(shares) <= 1.0, shares
    # one truck is killed: it begins again at another address, the others go on
    told = subprocess.run(["pgrep", "-P", str(school.process.pid), "-f", "--", "--trainee Luis"], check=True, capture_output=True, text=True)
    os.kill(int(told.stdout.split()[0]), signal.SIGKILL)
    school.trucks.update([school.truck()])
    begin(school.page("Luis", judge))
    # the class is killed with all that it has started
    children = subprocess.run(["pgrep", "-P", str(school.process.pid)], check=True, capture_output=True, text=True).stdout.split()
    for pid in [school.process.pid, *map(int, children)]:
        os.kill(pid, signal.SIGKILL)
    school.process.wait()
    del pages
    before = attempts(folder)
    assert all(name in before for name in NAMES), before
    # and started again: nothing is lost, more is noted, all of it in one file
    again = School(folder)
    begin(again.page("Eva", judge))
    again.until("Eva")
    again.process.send_signal(signal.SIGINT)
    assert again.process.wait() == 0
    after = attempts(folder)
    count = {name: (before.count(f'"{name}"'), after.count(f'"{name}"')) for name in NAMES}
    assert all(count[name][1] >= count[name][0] for name in NAMES), count
    numbers = json.loads(after)
    assert numbers, after


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.0)
