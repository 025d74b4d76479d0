#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The yard is solid for a person at the keys: wall, lorry, pallet, kerb.
. tests/web/support.bash
need_browser
cd web && node --test test/browser/yard.test.mjs
