#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Types of the page's sources, and tests of its parts that need no browser.
. tests/web/support.bash
set -e
(cd web && node_modules/.bin/tsc -p tsconfig.json)
(cd web && node test/run.mjs)
# the mock server says what the real one does
python3 tests/support/check_messages.py --mock
