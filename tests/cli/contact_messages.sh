#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What contacts say of settings that cannot work, and advice that is not what was done already.
. tests/cli/support.bash

sled() { # ACROSS, AXIS
    cat >"$dir/sled.yaml" <<YAML
biela: 1
name: sled
bodies:
  b: {mass: 10, inertia: {box: [0.4, 0.4, 0.2]}, at: [0, 0, 0.09975], velocity: [1, 0.5, 0]}
shapes:
  floor: {type: plane}
  b: {type: box, body: b, size: [0.4, 0.4, 0.2]}
forces: {g: {type: contact, a: b, b: floor, stiffness: 1e5, damping: 500, friction: 0.05, friction_across: $1, friction_axis: $2}}
outputs: {b: {body: b}}
run: {time: 0.1, dt: 1e-3}
YAML
}

for formulation in natural joint; do
    for scheme in ali3p piles; do
        with=(--scheme $scheme --formulation $formulation --out "$dir/out.csv")
        sled 10 "[1, 0, 0]"
        ends 0 run "$dir/sled.yaml" --strict "${with[@]}"
        # the axis points into the floor
        sled 10 "[0, 0.01, 1]"
        "$BIELA" run "$dir/sled.yaml" "${with[@]}" >"$dir/stdout" 2>"$dir/stderr"
        must "an axis along the normal is told ($scheme, $formulation)" \
            grep -q "friction_axis along the normal of its contact, cosine is 1 (limit 0.999), g" "$dir/stderr"
    done
done

sled 1e9 "[1, 0, 0]"
for command in check run; do
    ends 2 "$command" "$dir/sled.yaml"
    must "friction like a guide is refused" grep -q "sled.yaml:8:.*friction_across: is 1e+09: more than 500 times" "$dir/stderr"
done

# a spring that is far too stiff for its step
cat >"$dir/stiff.yaml" <<'YAML'
biela: 1
name: stiff
gravity: [0, 0, 0]
bodies:
  p: {mass: 1, inertia: {sphere: 0.1}, at: [-1.013, 0.002, 0.001], velocity: [600, 0, 0]}
  q: {mass: 1, inertia: {sphere: 0.1}, at: [1, 0, 0], velocity: [-300, 0, 0]}
shapes:
  p: {body: p, type: sphere, radius: 5 mm}
  q: {body: q, type: sphere, radius: 5 mm}
forces: {f: {type: contact, a: p, b: q, stiffness: 1e9, damping: 100}}
run: {time: 0.02, dt: 1e-3}
YAML
for formulation in natural joint; do
    ends 4 run "$dir/stiff.yaml" --strict --formulation $formulation --out "$dir/out.csv"
    must "energy is judged ($formulation)" grep -q "energy from nowhere" "$dir/stderr"
    is_natural=$([ $formulation = natural ] && echo 1 || echo 0)
    must "joint coordinates are no advice for joint coordinates" test "$(grep -c -- "--formulation joint" "$dir/stderr")" = "$is_natural"
done

# numbers that are none, in both formulations and schemes: nothing is written
cube() { # SHAPE, SURFACE
    cat >"$dir/cube.yaml" <<YAML
biela: 1
name: cube
bodies: {b: {mass: 10, inertia: {box: [1, 1, 1]}, at: [0, 0, 0.499]}}
shapes:
  floor: {type: plane}
  b: {type: box, body: b, $1}
forces:
  g: {type: contact, a: b, b: floor, $2}
run: {time: 0.01, dt: 1e-3}
YAML
}
rm -f "$dir"/out.*
while IFS='|' read -r shape surface words; do
    cube "$shape" "$surface"
    for formulation in natural joint; do
        for scheme in ali3p piles; do
            ends 2 run "$dir/cube.yaml" --scheme $scheme --formulation $formulation --out "$dir/out.csv"
            must "$words ($scheme, $formulation)" grep -q "cube.yaml:$words" "$dir/stderr"
            must "nothing is written: $words" test -z "$(ls "$dir" | grep '^out')"
        done
    done
done <<'CASES'
size: [nan, 1, 1]|stiffness: 1e5|6:.*shapes.b.size: 'nan' is not a finite number
size: [1e300, 1, 1]|stiffness: 1e5|6:.*shapes.b.size: must be from 1e-30 to 1e30 m
size: [1e-300, 1, 1]|stiffness: 1e5|6:.*shapes.b.size: must be from 1e-30 to 1e30 m
size: [1, 1, 1], at: [0, nan, 0]|stiffness: 1e5|6:.*shapes.b.at: 'nan' is not a finite number
size: [1, 1, 1]|stiffness: -1e5|8:.*forces.g.stiffness: is -100000 at the start
size: [1, 1, 1]|stiffness: 0/0|8:.*forces.g.stiffness: is -*nan at the start
size: [1, 1, 1]|stiffness: 1e5, damping: -5|8:.*forces.g.damping: is -5 at the start
size: [1, 1, 1]|stiffness: 1e5, friction: -1|8:.*forces.g.friction: is -1 at the start
size: [1, 1, 1]|stiffness: 1e5, friction: sqrt(-1-t)|8:.*forces.g.friction: is -*nan at the start
CASES

finish

# what must not be negative becomes so later in a run: it ends, and says whose it is
for key in friction stiffness damping; do
    cat >"$dir/negative.yaml" <<YAML
biela: 1
name: negative
bodies:
  b: {mass: 1, inertia: {box: [0.1, 0.1, 0.1]}, at: [0, 0, 0.05]}
shapes:
  floor: {type: plane}
  s: {type: box, body: b, size: [0.1, 0.1, 0.1]}
forces:
  c: {type: contact, a: s, b: floor, stiffness: 1e5, damping: 200, friction: 0.5}
outputs: {b: {body: b}}
run: {time: 0.1, dt: 1 ms}
YAML
    sed -i "s/$key: \([0-9.e]*\)/$key: \"\1 * (0.05 - t) \/ 0.05\"/" "$dir/negative.yaml"
    for with in "ali3p --formulation natural" "piles --formulation joint" rk4; do
        # shellcheck disable=SC2086
        ends 3 run "$dir/negative.yaml" --scheme $with --out "$dir/out.csv"
        must "a negative $key is told ($with)" grep -q "contact c: its $key has become -.*must not be negative" "$dir/stderr"
    done
done
