#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the page shows after a roll-over, in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/aftermath.test.mjs
