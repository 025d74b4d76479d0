#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# modes: auto: how many normal modes a tolerance of the stress takes, in both formulations, and its mistakes.
. tests/cli/support.bash
export BIELA_CACHE="$dir/cache"

write() { # MODES FILE
    cat >"$2" <<YAML
biela: 1
name: bar
bodies:
  bar:
    flex:
      materials: {steel: {young: 210 GPa, density: 7850}}
      sections: {bar: {rectangle: [10 mm, 20 mm]}}
      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: 20}}
      frame: root
      $1
      weight_modes: true
      damping: 0.02
  disc: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], at: [1, 0, 0]}
joints:
  hold: {type: fixed, bodies: [ground, bar]}
  weld: {type: fixed, bodies: [bar, disc], at: [1, 0, 0]}
forces:
  shake: {type: force, point: {body: disc, at: [0, 0, 0]}, fy: "20*sin(2*pi*20*t)"}
outputs:
  worst: {stress: bar}
  root: {stress: bar, element: bar, at: start, fibre: top}
run: {time: 0.3 s, dt: 0.2 ms}
YAML
}
write $'modes: auto 1 %\n      up_to: 20 Hz' "$dir/auto.yaml"
write 'modes: 40' "$dir/all.yaml"
ends 0 flex info "$dir/auto.yaml" --json
must "few modes, and what they lack" python3 -c "
import json
b = json.load(open('$dir/stdout'))
b = b['bodies'][0] if 'bodies' in b else b
assert 0 < b['truncation'] <= 0.01, b['truncation']
assert len(b['normal_hz']) <= 10, b['normal_hz']"
ends 0 flex info "$dir/auto.yaml"
must "told in words" grep -q 'truncation .* of the stress of the full mesh' "$dir/stdout"
for formulation in joint natural; do
    ends 0 run "$dir/auto.yaml" --formulation $formulation --out "$dir/auto-$formulation.csv" --every 2ms
    ends 0 run "$dir/all.yaml" --formulation $formulation --out "$dir/all-$formulation.csv" --every 2ms
    # 1 % of the stress at 20 Hz; the start of the run is a jump of the rate of the force, which has higher frequencies
    must "$formulation: the stress is that of forty modes" python3 - "$dir/auto-$formulation.csv" "$dir/all-$formulation.csv" <<'PY'
import csv, sys
a, b = ([float(r["root"]) for r in csv.DictReader(open(name))] for name in sys.argv[1:])
error = max(abs(x - y) for x, y in zip(a, b)) / max(map(abs, b))
print(error)
assert error < 0.02, error
PY
done

bad() { # MODES PATTERN
    write "$1" "$dir/bad.yaml"
    ends 2 check "$dir/bad.yaml"
    must "told: $2" grep -q "$2" "$dir/stderr"
}
bad 'modes: auto 1 %' "auto needs 'up_to'"
bad $'modes: auto much\n      up_to: 20 Hz' "such as 'auto 1 %'"
bad $'modes: auto 200 %\n      up_to: 20 Hz' "such as 'auto 1 %'"
bad $'modes: auto 0\n      up_to: 20 Hz' "such as 'auto 1 %'"
bad $'modes: auto 1 %\n      up_to: -5 Hz' "must be a positive frequency"
finish
