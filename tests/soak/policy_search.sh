#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What 4000 rollouts learn (docs/guide/policy-search.md): the forklift parks in each of 200 bays that it has not seen, with the step of
# the model instead of that of the search. The tolerances are those that the example prints: 0.25 m, 5 degrees, 0.1 m/s.
. tests/cli/support.bash

search=$(dirname "$BIELA")/examples/example_13_policy_search
must "the search learns" "$search" --rollouts 4000
must "it parks in all bays" grep -q '^other bays: 200 of 200 parked within 0.25 m, 5.0 degrees, 0.1 m/s' "$dir/log"
finish
