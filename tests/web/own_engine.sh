#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page with its own engine: the same bits as the command, driven from a server of files, recordings compared by hash.
. tests/web/support.bash
[ -d build/page ] || { echo "no build/page (tools/page makes it): skipped"; exit 77; }
cd web && node --no-experimental-fetch --test test/engine/ || exit 1
need_browser
node --test test/browser/own_engine.test.mjs test/browser/bits.test.mjs test/browser/links.test.mjs test/browser/offline.test.mjs
