#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# 20 000 random mechanisms (tests/random), where ./test has 300. RANDOM_SEEDS=A..B: others.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec build/tests/random --seeds "${RANDOM_SEEDS:-1..20000}" --jobs "$(nproc)"
