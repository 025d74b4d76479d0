#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Help, version, list, and what a misspelt word leads to.
. tests/cli/support.bash

ends 0 help
for command in run sweep fit check info plot diff bench list new schema import doc version help; do
    must "the overview names $command" grep -q "^  $command " "$dir/stdout"
done
must "the overview lists the exit codes" grep -q "130  interrupted" "$dir/stdout"
ends 0 --help
ends 0 -h
ends 2
must "no command prints the overview" grep -q "^Usage: biela COMMAND" "$dir/stderr"

for command in run check info plot diff bench list new schema import doc version help; do
    ends 0 "$command" --help
    must "$command has an example" grep -q "^  biela $command" "$dir/stdout"
    cp "$dir/stdout" "$dir/first"
    ends 0 help "$command"
    must "help $command is $command --help" cmp "$dir/first" "$dir/stdout"
done

ends 0 version
must "version is a number" grep -Eq "^biela [0-9]+\.[0-9]+\.[0-9]+ " "$dir/stdout"
ends 0 --version

ends 2 rnu
must "a misspelt command" grep -q "did you mean 'run'?" "$dir/stderr"
ends 2 help chekc
must "help of a misspelt command" grep -q "did you mean 'check'?" "$dir/stderr"
ends 2 run pendulum --quite
must "a misspelt option" grep -q "did you mean '--quiet'?" "$dir/stderr"
ends 2 run
must "a missing model" grep -q "needs MODEL" "$dir/stderr"
ends 2 version 3
ends 2 run pendulum --time
must "a missing value" grep -q "needs a value" "$dir/stderr"

ends 0 list
must "list finds the pendulum" grep -q "^pendulum *Simple pendulum" "$dir/stdout"
must "list finds the four-bars" grep -q "^four-bars " "$dir/stdout"
ends 0 list --json
must "the list is JSON" python3 -m json.tool "$dir/stdout"

# every command answers programs: --json, or JSON by itself (schema); drive, class, view and report are for people
ends 0 help --json
must "the help is JSON with every command" python3 - "$dir/stdout" <<'PY'
import json, sys
commands = json.load(open(sys.argv[1]))["commands"]
assert len(commands) >= 15
for command in commands:
    assert command["name"] in ("schema", "drive", "class", "view", "report", "new", "doc") or any(option["name"] == "--json" for option in command["options"]), command["name"]
PY

finish
