#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The report of a drive on screens and on paper, in both languages.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/report.test.mjs
