#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What goes wrong while somebody drives, in a real browser: full disk, textures, scenery in the way.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/trouble.test.mjs
