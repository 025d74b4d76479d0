#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Recordings and tables in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/replay.test.mjs
