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
