#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every text that a model shows to its driver has a Spanish one: check_spanish.py [--list] MODEL...

What the page is told of a model, of its exercises and of its events is held against the section `spanish` of its file. --list prints what is
missing, ready to be filled in."""
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, "tests/support")
import check_messages  # noqa: E402
import messages  # noqa: E402

# words that the page knows itself (web/src/ui/language.ts), and names that are the same in both languages
KNOWN = set(re.findall(r'^ +"?([\w-]+)"?: \["', pathlib.Path("web/src/ui/language.ts").read_text(), re.M))


def texts_of(page):
    """Texts of the scene, then of every exercise."""
    scene = page.scene
    yield scene["title"]
    # the hand's are the mouse's: the page does not name them
    for thing in [one for one in scene["inputs"] if not one["name"].startswith("hand_")]:
        yield from [thing["help"], "" if thing["name"] in KNOWN else thing["name"]]
    for thing in scene["parameters"]:
        yield thing["help"]
    for thing in scene.get("groups", []):
        yield thing["title"]
    for thing in scene.get("hud", []):
        yield thing.get("label", "")
    for exercise in scene["exercises"]:
        page.say({"type": "exercise", "name": exercise["name"]})
        told = page.until("an exercise", lambda name, message, wanted=exercise["name"]: name == "exercise" and message["name"] == wanted)
        yield from [told["title"], told["text"] or ""]
        for part in told["goals"] + told["limits"]:
            yield from [part["text"], part.get("hint", "")]


def faults(model):
    """Texts and hints of the faults that the file lists."""
    text = (pathlib.Path("models") / model / "model.yaml").read_text()
    section = re.search(r"^faults:\n((?:[ #].*\n)*)", text, re.M)
    return [quoted or plain.strip() for quoted, plain in re.findall(r'hint: *(?:"([^"]*)"|([^,}"]*))', section[1])] if section else []


def event_names(model):
    """Names of events as the file has them."""
    text = (pathlib.Path("models") / model / "model.yaml").read_text()
    section = re.search(r"^events:\n((?:[ #].*\n)*)", text, re.M)
    return re.findall(r"^  ([\w-]+):", section[1], re.M) if section else []


def remedies(model):
    """What the file says that helps against them, which reports tell."""
    text = (pathlib.Path("models") / model / "model.yaml").read_text()
    return [quoted or plain.strip() for quoted, plain in re.findall(r'remedy: *(?:"([^"]*)"|([^,}"]*))', text)]


def titles(model):
    """What events of contacts call shapes, of the model and of the scenery that it includes."""
    text = (pathlib.Path("models") / model / "model.yaml").read_text()
    is_alone = lambda file: file.name == "proving-ground.yaml"  # the others are parts of the estate
    files = [file for file in sorted(pathlib.Path("models/scenery").glob("*.yaml"))
             if ("proving-ground.yaml" if is_alone(file) else "estate.yaml") in text]
    shapes = re.search(r"^shapes:\n((?:[ #].*\n|\n)*)", text, re.M)
    told = [shapes[1] if shapes and event_names(model) else ""] + [file.read_text() for file in files]
    return re.findall(r"[{,] title: ([^,}]+)", "\n".join(told))


def missing_of(model, judge, folder):
    with check_messages.drive(model, "--record", f"{folder}/{model}.biela") as port:
        page = check_messages.Page(port, judge)
        page.until("a frame", lambda name, message: name == "frame")
        spanish = page.scene.get("spanish", {})
        wanted = [*texts_of(page), *event_names(model), *remedies(model), *faults(model), *titles(model)]
    return [text for text in dict.fromkeys(wanted) if text and text not in spanish]


def main(arguments):
    judge = check_messages.Judge(messages.read())
    is_list = "--list" in arguments
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in [word for word in arguments if not word.startswith("-")]:
            missing = missing_of(model, judge, folder)
            failures += bool(missing)
            if is_list:
                print(f"# {model}")
                for text in missing:
                    print(f"  {json.dumps(text, ensure_ascii=False)}: ")
            elif missing:
                print(f"FAILED: {model} has {len(missing)} texts without Spanish, such as '{missing[0]}'")
    return 0 if is_list else int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
