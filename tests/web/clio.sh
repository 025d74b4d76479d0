#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Driving the Clio in a real browser.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/clio.test.mjs
