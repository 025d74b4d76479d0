#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files of modelling programs in a real browser: materials, textures, glTF, light.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/looks.test.mjs
