#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page in a real browser against a mock server.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/page.test.mjs
