#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver's seat in an emulated headset, in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/presence/headset.test.mjs
