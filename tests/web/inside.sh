#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The view into the model in a real browser, by keys and by mouse, in both languages.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/inside.test.mjs
