#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Keys of the model file have an example that runs: in a model, in a listing of a page (cli.guide, cli.documents), or in tests/keys.
. tests/cli/support.bash

# examples that are here for their keys run
for file in tests/keys/*.yaml; do
    ends 0 run "$file" --quiet --out "$dir/keys.csv"
done
for run in chosen explicit driven; do
    ends 0 run tests/keys/bodies.yaml --run $run --quiet --out "$dir/keys.csv"
done
ends 0 run tests/keys/drives.yaml --actions tests/keys/heave.csv --quiet --out "$dir/keys.csv"

mkdir "$dir/listings" "$dir/models"
python3 tests/support/key_examples.py --listings "$dir/listings" README.md docs/features.md docs/guide/*.md docs/reference/*.md
must "there are listings" test "$(find "$dir/listings" -name '*.yaml' | wc -l)" -ge 30
count=0
for file in models/*/*.yaml examples/*.yaml tests/keys/*.yaml tests/include/*.yaml "$dir"/listings/*.yaml; do
    "$BIELA" schema --as-json "$file" >"$dir/models/$count.json" || rm "$dir/models/$count.json"
    count=$((count + 1))
done 2>/dev/null
must "all of them are YAML" test "$(find "$dir/models" -name '*.json' | wc -l)" -eq $count

# what cannot have one is listed with the reason behind '#'. `for` is the same everywhere, `active` in all constraints
python3 tests/support/key_examples.py docs/reference/biela.schema.json "$dir"/models/*.json 2>"$dir/count" |
    grep -v '[.]for$\|[.]active$' >"$dir/missing"
cat "$dir/count"
list=tests/keys/without_example.txt
# without_reason LIST: its lines that say no reason
without_reason() { grep -v '^[^ #]* # *[^ ]' "$1"; }
sed 's/ *#.*//' "$list" >"$dir/excused"
must "keys without an example are those of $list, and no more or less" diff "$dir/missing" "$dir/excused"
must "each line of $list has its reason behind '#'" test -z "$(without_reason "$list")"
printf '%s\n' 'forces.spring.rest' 'forces.spring.a #' 'forces.spring.b # why' >"$dir/reasons"
must "a line without a reason is found" test "$(without_reason "$dir/reasons" | wc -l)" -eq 2

finish
