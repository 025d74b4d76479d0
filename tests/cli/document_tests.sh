#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the documents ask has its test: every number of tests/documents/README.md once, every file there, every name in its file.
. tests/cli/support.bash

must "rows of the documents and their tests" python3 - <<'PY'
import pathlib, re
rows = re.findall(r"^\| S(\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|$", pathlib.Path("tests/documents/README.md").read_text(), re.M)
assert [int(r[0]) for r in rows] == list(range(1, 37)), [r[0] for r in rows]
for number, _, tests, _ in rows:
    named = re.findall(r"`([^`:]+)(?:: ([^`]+))?`", tests)
    assert named, f"S{number} has no test"
    for path, name in named:
        file = pathlib.Path(path)
        assert file.exists(), f"S{number}: {path} is missing"
        assert not name or name in file.read_text(), f"S{number}: {path} has no '{name}'"
PY
finish
