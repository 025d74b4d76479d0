#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page in a real browser against the simulator itself.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/drive.test.mjs
