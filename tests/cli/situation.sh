#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Friction that inputs change while it runs: blocks that slide lose mu g per second, by a wet ground, and by ice where it is put.
. tests/cli/support.bash

cat >"$dir/slide.yaml" <<'END'
biela: 1
name: Sliding block
gravity: [0, 0, -10]
inputs: {wet: {initial: 0}, x: {initial: 0, unit: m}, r: {initial: 0, unit: m}}
bodies: {block: {mass: 2, inertia: {box: [0.4, 0.4, 0.2]}, at: [0, 0, 0.1], velocity: [8, 0, 0]}}
shapes: {floor: {type: plane}, box: {type: box, size: [0.4, 0.4, 0.2], body: block}}
patches:
  wet: {disc: [0, 0, "if(wet > 0, 1000, 0)"], factor: "1 - 0.5*wet"}
  ice: {disc: [x, 0, r], factor: 0.1}
forces: {touch: {type: contact, a: box, b: floor, stiffness: 1e6, damping: 2e3, friction: 0.4}}
outputs: {vx: {velocity: {body: block}, only: x}}
run: {time: 1.2, dt: 1e-3, every: 0.1}
END
# dry to 0.4 s: 4 m/s2; wet to 0.8 s: 2 m/s2; then ice of 50 m around x = 5 m on top: 0.4 m/s2
printf 't,wet,x,r\n0,0,0,0\n0.3999,0,0,0\n0.4,1,0,0\n0.7999,1,5,0\n0.8,1,5,50\n2,1,5,50\n' >"$dir/weather.csv"
for formulation in joint natural; do
    ends 0 run "$dir/slide.yaml" --formulation $formulation --manoeuvre "$dir/weather.csv" --out "$dir/$formulation.csv" --quiet
    # Coulomb's law, integrated by hand; 1 % of what is lost for the first milliseconds, in which the block settles
    must "the $formulation block slides by the friction of its ground" python3 - "$dir/$formulation.csv" <<'END'
import csv, sys
rows = {round(float(row["t"]), 3): float(row["vx"]) for row in csv.DictReader(open(sys.argv[1]))}
for t, v in ((0.4, 8 - 1.6), (0.8, 8 - 1.6 - 0.8), (1.2, 8 - 1.6 - 0.8 - 0.16)):
    assert abs(rows[t] - v) < 0.03, (t, rows[t], v)
END
done

# mistakes name the patch, and what is wrong with it
refuses() {
    sed "s|  ice: .*|  ice: $1|" "$dir/slide.yaml" >"$dir/bad.yaml"
    ends 2 check "$dir/bad.yaml"
    must "it says: $2" grep -q "patches.ice.*$2" "$dir/stderr"
}
refuses '{disc: [x, 0], factor: 0.1}' "three are expected"
refuses '{disc: [x, 0, r], radius: 2, factor: 0.1}' "either 'size"
refuses '{disc: [x, 0, r]}' "either 'friction'"
refuses '{disc: [x, 0, r], friction: 0.1, factor: 0.1}' "either 'friction'"
refuses '{disc: [x, 0, nothing], factor: 0.1}' "unknown name 'nothing'"
finish
