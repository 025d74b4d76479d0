#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The instructor's page in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/instructor.test.mjs
