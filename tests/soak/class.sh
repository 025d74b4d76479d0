#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Three trucks of one class for a minute on two quiet cores: at most 1 % of the steps of each are late.
. tests/cli/support.bash
timeout -k 1 900 python3 tests/support/class_of.py "$dir" 60 || failures=1
finish
