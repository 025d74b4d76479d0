#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A body is pulled with the mouse, clicked, and changed while it moves, in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/presence/hand.test.mjs
