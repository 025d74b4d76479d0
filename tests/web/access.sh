#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page for everybody: by keyboard, for screen readers, in Spanish.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/access.test.mjs
