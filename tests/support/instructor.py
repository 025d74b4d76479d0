#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A class with an instructor over its sockets: instructor.py FOLDER. What he freezes stands, what he remarks is in the recording, also of
a drive that is killed, and a replay tells it again."""
import os
import signal
import subprocess
import sys

sys.path.insert(0, "tests/support")
import check_messages  # noqa: E402
import messages  # noqa: E402
from check_messages import Page, Server  # noqa: E402


def heard(page, text):
    return page.until(f"the comment {text}", lambda name, said: name == "event" and said["name"] == "comment" and said["text"] == text)


def role(page, **wanted):
    return page.until(f"the role {wanted}", lambda name, said: name == "role" and all(said[key] == value for key, value in wanted.items()))


def frame_with(page, name, value):
    """Until a frame has this value of an input."""
    def has(kind, said):
        names = [one["name"] for one in page.scene["inputs"]]
        return kind == "frame" and abs(said["inputs"][names.index(name)] - value) < 1e-5
    page.until(f"{name} = {value}", has)


def situation(biela, judge, folder):
    """Ice, rain, a barrier and a load that slides are inputs of the drive: its replay is equal to the bit."""
    recording = f"{folder}/situation.biela"
    server = Server(biela, "drive", "forklift", "--port", "0", "--no-open", "--record", recording,
                    "--token", "drives", "--watch-token", "looks", "--instruct-token", "teaches")
    with server as port:
        driver = Page(port, judge, "/ws?token=drives")
        role(driver, driver=True)
        guest = Page(port, judge, "/ws?token=looks")
        teacher = Page(port, judge, "/ws?token=teaches")
        people = role(teacher, instructor=True, viewers=3)["people"]
        assert [one["seat"] for one in people] == ["driver", "watcher", "instructor"], people
        driver.say({"type": "situation", "values": {"wet": 1}})
        driver.until("a refusal", lambda name, said: name == "error" and "only the instructor" in said["text"])
        # the driver's inputs are his alone, and the instructor's are the instructor's
        driver.say({"type": "inputs", "values": {"drive": 0.6, "wet": 1}})
        teacher.say({"type": "situation", "values": {"ice2_x": 5, "ice2_y": 0.5, "ice2_r": 2.5, "shift": -0.5, "drive": 1}})
        frame_with(teacher, "ice2_r", 2.5)
        frame_with(driver, "drive", 0.6)
        frame_with(driver, "wet", 0)
        teacher.say({"type": "situation", "values": {"wet": 0.75, "barrier_x": 14, "barrier_y": 1, "barrier_up": 1}})
        frame_with(driver, "wet", 0.75)
        # a watcher does not take the seat; the instructor hands it to him, and back
        guest.say({"type": "driver"})
        guest.until("a refusal", lambda name, said: name == "error" and "for watching" in said["text"])
        guest.say({"type": "hand", "to": people[1]["number"]})
        guest.until("a refusal", lambda name, said: name == "error" and "only the instructor" in said["text"])
        teacher.say({"type": "hand", "to": people[1]["number"]})
        role(guest, driver=True, may_drive=False)
        role(driver, driver=False)
        guest.say({"type": "inputs", "values": {"drive": 0, "steer": 0.5}})
        frame_with(guest, "steer", 0.5)
        teacher.say({"type": "hand", "to": people[2]["number"]})
        teacher.until("a refusal", lambda name, said: name == "error" and "nobody is there" in said["text"])
        # whoever drives closes his page: the truck stops by itself, what the instructor did stays
        guest.socket.close()
        frame_with(teacher, "steer", 0)
        frame_with(teacher, "ice2_r", 2.5)
        second = Page(port, judge, "/ws?token=teaches")
        second.until("that there are two", lambda name, said: name == "error" and "two pages of instructors" in said["text"])
        server.process.send_signal(signal.SIGINT)
        server.process.wait()
    told = subprocess.run([biela, "replay", recording], check=True, capture_output=True, text=True)
    assert "equal" in told.stdout + told.stderr, told.stdout + told.stderr


def time_of(page):
    return page.until("a timeline", lambda name, said: name == "timeline")["end"]


def main(folder):
    judge = check_messages.Judge(messages.read())
    biela, recording = os.environ["BIELA"], f"{folder}/class.biela"
    server = Server(biela, "drive", "pendulum-cart", "--port", "0", "--no-open", "--record", recording,
                    "--token", "drives", "--watch-token", "looks", "--instruct-token", "teaches")
    with server as port:
        driver = Page(port, judge, "/ws?token=drives")
        role(driver, driver=True, instructor=False, frozen=False)
        teacher, guest = Page(port, judge, "/ws?token=teaches"), Page(port, judge, "/ws?token=looks")
        role(teacher, driver=False, instructor=True, may_drive=False)
        role(guest, driver=False, instructor=False, may_drive=False)
        guest.say({"type": "driver"})
        guest.until("a refusal", lambda name, said: name == "error" and "for watching" in said["text"])
        teacher.say({"type": "freeze", "on": True})
        role(driver, driver=True, frozen=True)
        first = time_of(driver)
        for request in ({"type": "play"}, {"type": "step", "n": 5}, {"type": "restart"}):
            driver.say(request)
            driver.until("a refusal", lambda name, said: name == "error" and "has stopped" in said["text"])
        first = time_of(driver)
        assert time_of(driver) == first, "the drive goes on although it is frozen"
        teacher.say({"type": "comment", "text": "mira atrás, ¡siempre!"})
        heard(driver, "mira atrás, ¡siempre!")
        teacher.say({"type": "freeze", "on": False})
        role(driver, driver=True, frozen=False)
        while time_of(driver) <= first:
            pass
        teacher.say({"type": "comment", "text": "better"})
        heard(guest, "better")
        # whoever comes late hears them, too
        late = Page(port, judge, "/ws?token=looks")
        heard(late, "mira atrás, ¡siempre!")
        heard(late, "better")
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    situation(biela, judge, folder)
    part = recording + ".part"
    with Server(biela, "replay", part, "--live", "--port", "0", "--no-open") as port:
        page = Page(port, judge)
        heard(page, "mira atrás, ¡siempre!")
        heard(page, "better")
    subprocess.run([biela, "report", part, "--brief", "--quiet", "--out", f"{folder}/class.html", "--language", "es"], check=True)
    told = open(f"{folder}/class.html", encoding="utf-8").read()
    assert "Comentario" in told and "mira atrás, ¡siempre!" in told and "better" in told, "the report does not tell the comments"


if __name__ == "__main__":
    main(sys.argv[1])
