#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An instructor with a token of his own freezes, comments and releases; comments survive a kill and are told by replay and report.
. tests/cli/support.bash
must "the class does what its instructor says" timeout -k 1 200 python3 tests/support/instructor.py "$dir"
ends 2 drive pendulum-cart --no-open --instruct-token a
must "it wants the driver's, too" grep -q "give --token, too" "$dir/stderr"
ends 2 drive pendulum-cart --no-open --token a --watch-token b --instruct-token b
ends 2 drive pendulum-cart --no-open --token a --instruct-token "a b"
finish
