#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Stress of flexible bodies in a real browser, now and at its largest.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/flexible.test.mjs
