#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver's seat, its sounds and the looks of the day, in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/presence/seat.test.mjs
