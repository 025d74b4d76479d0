#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The report of the accident with at least 1000 samples: every number of both pages computed again, and recording and samples repeated by a
# second checkout of the sources, built anew: the same hashes, the same bytes. SAMPLES=N: so many; MODE=short leaves the checkout out.
set -eu
root=$(pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$BIELA" report forklift --run accident --samples "${SAMPLES:-1000}" --language both --out "$dir/accident.html" --quiet
for page in accident accident-es; do
    python3 tests/support/report_numbers.py "$BIELA" "$dir/$page.html" "$dir/accident.biela" "$dir/accident.samples.csv"
done
sed 's/<[^>]*>/ /g' "$dir/accident.html" | grep -o "It tips over in .*"
[ "${MODE:-}" = short ] && exit 0

git clone --quiet "$root" "$dir/second"
cd "$dir/second"
cmake --preset release >/dev/null
cmake --build build --parallel 2 --target biela_cli >"$dir/build.log" 2>&1 || { tail "$dir/build.log"; exit 1; }
build/biela replay "$dir/accident.biela" --json >"$dir/second.json"
"$BIELA" replay "$dir/accident.biela" --json >"$dir/first.json"
cmp "$dir/first.json" "$dir/second.json"
grep -E '"(compared|equal|hash)"' "$dir/second.json"
for number in 0 17 999; do
    [ "$number" -lt "${SAMPLES:-1000}" ] || continue
    build/biela report "$dir/accident.biela" --samples "${SAMPLES:-1000}" --sample "$number" --quiet | tail -n 1 >"$dir/row"
    sed -n "$((number + 2))p" "$dir/accident.samples.csv" | cmp - "$dir/row"
done
echo "recording and samples are the same on a second checkout"
