#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every command of docs/documents.md, with the number that stands there.
exec python3 tools/documents.py --run
