#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The editor of exercises in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/scenario.test.mjs
