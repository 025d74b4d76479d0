#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python package on the shared object of this build, with Debian's NumPy.
. tests/cli/support.bash

build=$(dirname "$(realpath "$BIELA")")
python=
for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$candidate" ] && "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || { echo "no NumPy (Debian: python3-numpy): skipped"; exit 77; }
BIELA=$(realpath "$BIELA")
export BIELA BIELA_LIBRARY=$build/libbiela.so.1 PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1
# the sanitizers want to be there before Python
if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$build/CMakeCache.txt"; then
    export LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0
fi
must "the tests of the package" "$python" tests/python/test_biela.py
# what a call costs is printed; nobody is judged by the clock of a busy machine, and sanitizers would be counted
if [ -z "${LD_PRELOAD:-}" ]; then
    "$python" tests/python/cost.py || failures=1
fi
unset LD_PRELOAD
finish
