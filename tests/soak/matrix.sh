#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every model x named run x scheme x formulation x kind of step, and every model x every command, under the sanitizers.
set -u
export BIELA=${BIELA_SANITIZED:-build/sanitize/biela}
python3 tests/matrix/runs.py full
runs=$?
python3 tests/matrix/commands.py full
commands=$?
exit $((runs + commands > 0))
