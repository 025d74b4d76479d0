#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every public function is called with what makes no sense in tests/api/test_misuse_*.c: a new one may not be forgotten.
. tests/cli/support.bash

cat >"$dir/list.py" <<'PY'
import glob, re, sys
called = set()
for path in glob.glob('tests/api/test_misuse_*.c'):
    text = open(path).read()
    called |= set(re.findall(r'misuse_of\(w, "(bi_\w+)"\)', text)) | set(re.findall(r'ADDS(?:_QUIETLY)?\((bi_\w+)\)', text))
declared = set()
for path in glob.glob('include/biela/*.h'):
    text = re.sub(r'/\*.*?\*/|//[^\n]*', '', open(path).read(), flags=re.S)
    text = re.sub(r'#define(.*\\\n)*.*', '', text)
    # types of functions are not functions
    text = re.sub(r'typedef[^;{]*;', '', text)
    declared |= set(re.findall(r'\b(bi_\w+)\s*\(', text))
print(len(declared), 'public functions,', len(called & declared), 'misused')
for name in sorted(declared - called):
    print('not misused:', name)
for name in sorted(called - declared):
    print('not declared:', name)
sys.exit(len(declared) < 300 or declared != called)
PY
must "every public function has its row" python3 "$dir/list.py"
cat "$dir/log"
finish
