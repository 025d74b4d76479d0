#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Balls through three slots: flow, exponent and constant of Beverloo's law; two minutes. ./test has one small bin.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
HOPPER_LONG=1 exec build/tests/test_reference_hopper_flow
