#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Intervals of fits hold what they say: a quarter of a car, a Magic Formula tyre on the rig. Of 60 intervals of 95 % fewer than 49 hold the true value
# once in 28000 times; the seeds are fixed. tests/soak/fit_coverage.sh has 2000, and a coast-down.
. tests/cli/support.bash

for case in quarter tyre; do
    must "intervals of the $case hold the true values" python3 tests/support/fit_coverage.py "$BIELA" "$dir" "$case" 60 49 60
done

finish
