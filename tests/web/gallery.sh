#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The gallery: a picture of each model starts it; cranes and diggers move by their keys.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/gallery.test.mjs
