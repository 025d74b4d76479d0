#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Intervals of fits hold what they say. Of 60 intervals of 95 % fewer than 49 hold the true value once in 28000 times; the seed is fixed.
# tests/soak/fit_coverage.sh has 500.
. tests/cli/support.bash

must "intervals hold the true values" python3 tests/support/fit_coverage.py "$BIELA" "$dir" 60 49 60

finish
