#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The messages of the live page: what is made from their description is current, and real drives say what it says.
. tests/cli/support.bash

must "what is made from app/live/messages.txt is current" python3 tools/messages.py --check

# a tree of its own whose description is changed
made=(app/live/messages.h app/live/requests.h web/src/messages.ts docs/reference/protocol.md)
begin_tree() {
    rm -rf "$dir/tree"
    for file in app/live/messages.txt "${made[@]}"; do
        mkdir -p "$dir/tree/$(dirname "$file")"
        cp "$file" "$dir/tree/$file"
    done
}
# refuses NAME WORDS: the check fails and says these words.
refuses() {
    if python3 tools/messages.py --check "$dir/tree" >"$dir/said" || ! grep -q "$2" "$dir/said"; then
        echo "FAILED: $1 is not told"
        cat "$dir/said"
        failures=$((failures + 1))
    fi
}
begin_tree
sed -i 's/^    viewers      integer .*/&\n    mood         text              -     of the driver/' "$dir/tree/app/live/messages.txt"
for file in app/live/messages.h web/src/messages.ts docs/reference/protocol.md; do
    refuses "a new field" "$file: is not what app/live/messages.txt says"
done
must "they are made again" python3 tools/messages.py "$dir/tree"
must "and then are current" python3 tools/messages.py --check "$dir/tree"
must "the program has the new field" grep -q 'put_role_mood(json \*j, const char \*value)' "$dir/tree/app/live/messages.h"
must "the page has the new field" grep -q 'mood: string; // of the driver' "$dir/tree/web/src/messages.ts"
must "the reference has the new field" grep -q '| `mood` | text |  | of the driver |' "$dir/tree/docs/reference/protocol.md"

begin_tree
line=$(grep -n '^    viewers ' app/live/messages.txt | cut -d: -f1)
sed -i "${line}s/.*/    viewers      integer/" "$dir/tree/app/live/messages.txt"
refuses "a row without its meaning" "app/live/messages.txt:$line: 'viewers      integer' has 2 columns instead of 4"
begin_tree
sed -i "${line}s/integer/intger /" "$dir/tree/app/live/messages.txt"
refuses "a type that is not there" "role.viewers: there is no type 'intger'"
begin_tree
echo "/* changed by hand */" >>"$dir/tree/app/live/requests.h"
refuses "a file that was changed by hand" "app/live/requests.h: is not what"

must "real drives say what is described" timeout -k 1 280 python3 tests/support/check_messages.py
finish
