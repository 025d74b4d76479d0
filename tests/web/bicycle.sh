#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Riding the bicycle in a real browser: with its assistant, and without.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/bicycle.test.mjs
