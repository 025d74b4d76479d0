#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Intervals of fits hold what they say: a quarter of a car, the Clio that coasts down, a Magic Formula tyre on the rig; the seeds are fixed. Of 500
# intervals of 95 % 460 to 490 hold the true value (beyond by chance three times in 1000); of 60 fewer than 49 do once in 28000 times.
# tests/soak/fit_coverage.sh has 2000 of all three.
. tests/cli/support.bash

must "intervals of the quarter hold the true values" python3 tests/support/fit_coverage.py "$BIELA" "$dir" quarter 500 460 490
cat "$dir/log"
for case in coast tyre; do
    must "intervals of the $case hold the true values" python3 tests/support/fit_coverage.py "$BIELA" "$dir" "$case" 60 49 60
    cat "$dir/log"
done

finish
