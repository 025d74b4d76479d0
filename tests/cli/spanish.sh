#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every text that a driver reads of a model that is driven has a Spanish one.
. tests/cli/support.bash
# all models with inputs, and what is made for them
mapfile -t models < <(grep -l "^inputs:" models/*/model.yaml | xargs -n1 dirname | xargs -n1 basename)
# and the truck that has them from another
models+=(electric-truck)
must "every text has Spanish" python3 tests/support/check_spanish.py "${models[@]}"
finish
