#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A million seconds of bodies that never rest, in steps of 5 ms: none is lost through floor or walls; some hours. ./test has some hundred
# seconds. STIRRED_BODY_SECONDS=N: others. Progress goes to the terminal, if there is one.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
export STIRRED_BODY_SECONDS=${STIRRED_BODY_SECONDS:-1e6}
shown=/dev/stderr
{ : >/dev/tty; } 2>/dev/null && shown=/dev/tty
exec build/tests/test_physics_stirred 2> >(tee -a "$shown" >&2)
