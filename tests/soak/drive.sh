#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ten minutes of driving at 5 ms with clients that come and go: memory constant, the recording replays to the bit, deadlines in the log.
set -eu
SOAK_SECONDS=${SOAK_SECONDS:-600} exec "$(dirname "$BIELA")/tests/test_api_drive_soak"
