#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A mesh that does not fit into the memory that is left is refused before it is reduced, with what it would take.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

if [ "$(uname)" != Linux ] || nm "$BIELA" 2>/dev/null | grep -q __asan_init; then
    echo "skipped: limits of the address space are those of Linux, and sanitizers take all of it"
    exit 0
fi
cat >"$dir/sheet.yaml" <<'YAML'
biela: 1
name: sheet
bodies:
  sheet:
    flex:
      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}
      sections: {sheet: {thickness: 3 mm}}
      rectangles: {sheet: {size: [1, 1], divisions: [40, 40], kind: shell4, rigid_ends: true}}
      frame: sheet.start
      boundary: [sheet.end]
      modes: 20
joints:
  hold: {type: fixed, bodies: [ground, sheet], at: [0, 0.5, 0]}
YAML
ends 0 flex info "$dir/sheet.yaml"
rm -rf "$dir/cache"
# what the program takes before it has a mesh, kB
base=$(python3 -c "
import resource, subprocess
p = subprocess.Popen(['$BIELA', 'flex', 'info', 'flex-bar'], stdout=subprocess.DEVNULL)
p.wait()
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
told=no
for more in 60000 80000 100000 120000 150000 200000; do
    (ulimit -v $((base + more)) && exec "$BIELA" flex info "$dir/sheet.yaml") >"$dir/stdout" 2>"$dir/stderr"
    code=$?
    must "it ends by itself" test $code -le 4
    grep -q 'unknowns take about .* GB to be reduced, and there are' "$dir/stderr" && told=yes
    rm -rf "$dir/cache"
done
must "told with nodes, unknowns and memory" test $told = yes
finish
