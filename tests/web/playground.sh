#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The playground: a model is written, broken, mended, shared, saved and put into other pages; nothing that was typed is lost.
. tests/web/support.bash
[ -f build/page/playground.html ] || { echo "no build/page (tools/page makes it): skipped"; exit 77; }
need_browser
cd web && node --test test/browser/playground.test.mjs test/browser/embed.test.mjs test/browser/edit.test.mjs
