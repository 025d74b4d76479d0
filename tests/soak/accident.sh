#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The accident of the forklift in joint and natural coordinates and with half the step: the same roll-over, the truck at rest in the same place.
set -eu
ACCIDENT_ALL=1 exec "$(dirname "$BIELA")/tests/test_reference_forklift_accident"
