#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lessons in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/course.test.mjs
