#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The station of an instructor in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/station.test.mjs
