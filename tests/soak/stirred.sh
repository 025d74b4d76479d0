#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A million seconds of bodies that never rest, in steps of 5 ms: none is lost through floor or walls. Half of them are stirred by
# the floor, half by a paddle, each half in a process: an hour on two cores. ./test has some hundred seconds.
# STIRRED_BODY_SECONDS=N: others. Progress goes to the terminal, if there is one.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
half=$(awk -v all="${STIRRED_BODY_SECONDS:-1e6}" 'BEGIN { print all / 2 }')
unset STIRRED_BODY_SECONDS
shown=/dev/stderr
{ : >/dev/tty; } 2>/dev/null && shown=/dev/tty
STIRRED_PADDLE_SECONDS=$half build/tests/test_physics_stirred 2> >(tee -a "$shown" >&2) &
paddle=$!
STIRRED_BODY_SECONDS=$half build/tests/test_physics_stirred 2> >(tee -a "$shown" >&2)
floor=$?
wait "$paddle" && [ "$floor" = 0 ]
