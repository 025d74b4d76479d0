#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# biela new: what it writes checks, runs with a good verdict and can be driven; nothing is written over. biela doc: where it is.
. tests/cli/support.bash
export BIELA=$(realpath "$BIELA")

for kind in robot car crane mechanism; do
    ends 0 new $kind "$dir/deep/my-$kind"
    must "$kind: says what to do" grep -q "now: biela drive $dir/deep/my-$kind/model.yaml" "$dir/stdout"
    must "$kind: its name" grep -q "^name: \"my-$kind\"" "$dir/deep/my-$kind/model.yaml"
    must "$kind: no marks are left" bash -c "! grep -q '@' '$dir/deep/my-$kind/model.yaml' '$dir/deep/my-$kind/test.sh' | grep -v '\$@'"
    must "$kind: a comment to every part" test "$(grep -c '#' "$dir/deep/my-$kind/model.yaml")" -ge 12
    must "$kind: its test" "$dir/deep/my-$kind/test.sh" >"$dir/log" 2>&1
    must "$kind: keeps a reference" test -s "$dir/deep/my-$kind/reference.csv"
    must "$kind: moves" python3 -c "
import csv, sys
rows = list(csv.reader(open('$dir/deep/my-$kind/reference.csv')))
column = [k for k, name in enumerate(rows[0]) if name in ('hand.y', 'chassis.x', 'load.y', 'crank.angle')][0]
assert abs(float(rows[-1][column]) - float(rows[1][column])) > 0.02"
done
# another motion is found
sed -i 's/^  gain: {value: 3,/  gain: {value: 2,/' "$dir/deep/my-mechanism/model.yaml"
must "the test of a changed model fails" bash -c "! '$dir/deep/my-mechanism/test.sh' >/dev/null 2>&1"

cp "$dir/deep/my-robot/model.yaml" "$dir/before"
ends 2 new car "$dir/deep/my-robot"
must "refuses what is there" grep -q "is there already, and nothing is written over" "$dir/stderr"
must "it stays" cmp "$dir/before" "$dir/deep/my-robot/model.yaml"
ends 2 new boat "$dir/boat"
must "kinds" grep -q "there is no 'boat' to begin with; there are robot, car, crane, mechanism" "$dir/stderr"
ends 2 new robot "$dir/my robot"
must "names" grep -q "is no name for a model" "$dir/stderr"
ends 2 new robot
ends 1 new robot /proc/none/robot
must "no folder is left" test ! -e "$dir/boat"

# ---- the documentation ----------------------------------------------------------------------------------------------------------
unset DISPLAY WAYLAND_DISPLAY
ends 0 doc
must "a file that is there" test -s "$(cat "$dir/stdout")"
ends 0 doc model-file --print
must "a page" grep -q "model-file" "$dir/stdout"
must "which is there" test -s "$(cat "$dir/stdout")"
ends 2 doc none-such
must "a page that is not there" grep -q "there is no page 'none-such'" "$dir/stderr"
ends 2 doc ../../etc
# an installation: share/biela/site beside the models, and the texts without it
mkdir -p "$dir/usr/bin" "$dir/usr/share/biela/models/starts" "$dir/usr/share/biela/site/guide" "$dir/usr/share/doc/biela"
cp "$BIELA" "$dir/usr/bin/biela"
cp models/starts/* "$dir/usr/share/biela/models/starts"
touch "$dir/usr/share/doc/biela/README.md"
echo site >"$dir/usr/share/biela/site/index.html"
echo page >"$dir/usr/share/biela/site/guide/robots.html"
installed() { env -u BIELA_MODELS BIELA= "$dir/usr/bin/biela" "$@"; }
must "the site of an installation" test "$(realpath "$(installed doc)")" = "$(realpath "$dir/usr/share/biela/site/index.html")"
must "a page of it" test "$(cat "$(installed doc robots)")" = page
rm -r "$dir/usr/share/biela/site"
must "without it the texts" test "$(realpath "$(installed doc 2>/dev/null)")" = "$(realpath "$dir/usr/share/doc/biela/README.md")"
must "new from an installation" installed new crane "$dir/installed" >/dev/null
must "as from the sources" diff <(sed 's/my-crane/installed/' "$dir/deep/my-crane/model.yaml") "$dir/installed/model.yaml"
finish
