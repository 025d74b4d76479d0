#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# headers.sh COMPILER...: each public header alone is enough for this compiler.
failed=0
for header in include/biela/*.h; do
    "$@" -include "$header" /dev/null || { echo "FAILED: $header"; failed=1; }
done
exit $failed
