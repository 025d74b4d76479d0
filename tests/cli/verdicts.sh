#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whoever makes runs tells what they think of themselves: sweeps, fits, drives, replays, reports and audits. Results without a minimum,
# or of a run that did not end well, are not offered as if they were good.
. tests/cli/support.bash

cat >"$dir/kepler.yaml" <<'END2'
biela: 1
name: Kepler
parameters: {e: 0.6}
gravity: [0, 0, 0]
bodies:
  c: {mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9], at: [1+e, 0, 0]}
  b: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], at: [1+e, 0, 0], velocity: [0, "sqrt((1-e)/(1+e))", 0]}
joints:
  x: {type: prismatic, bodies: [ground, c], axis: [1, 0, 0]}
  y: {type: prismatic, bodies: [c, b], axis: [0, 1, 0]}
forces:
  pull: {type: force, point: {body: b}, fx: "-(1+e+x.position)/((1+e+x.position)^2+y.position^2)^1.5", fy: "-y.position/((1+e+x.position)^2+y.position^2)^1.5"}
outputs: {P: {point: {body: b}}}
run: {time: 4*pi, dt: 0.01, every: 0.1, scheme: rk4}
END2
k=$dir/kepler.yaml

# ---- sweep: the far orbit is too fast at its perihelion for this step
ends 4 run "$k" --set e=0.95 --out "$dir/run.csv"
ends 4 sweep "$k" --grid e=0.6,0.95 --record final:P.x --jobs 1 --out "$dir/sweep.csv"
must 'a warning names the case' grep -q 'error: verdict bad in 1 and doubtful in 0 of 2 cases.*case 1: bad: [a-z]' "$dir/stderr"
must 'the summary counts' grep -q 'verdict  *1 good, 0 doubtful, 1 bad; case 1: bad: [a-z]' "$dir/stdout"
must 'a column of its own' python3 -c "
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [r['verdict'] for r in rows] == ['0', '2'], rows
assert all(float(r['final:P.x']) for r in rows)" "$dir/sweep.csv"
ends 4 sweep "$k" --grid e=0.6,0.95 --record final:P.x --jobs 2 --out "$dir/sweep2.csv" --json
must 'the same rows by two processes' cmp "$dir/sweep.csv" "$dir/sweep2.csv"
must 'JSON' python3 -c "
import json, sys
told = json.load(open(sys.argv[1]))
assert not told['ok'] and told['exit_code'] == 4
v = told['verdict']
assert (v['good'], v['doubtful'], v['bad'], v['worst_case']) == (1, 0, 1, 1) and v['line'].startswith('bad: '), v" "$dir/stdout"
ends 0 sweep "$k" --grid e=0.5,0.6 --record final:P.x --jobs 1 --out "$dir/good.csv"
must 'good ones' grep -q 'verdict  *2 good, 0 doubtful, 0 bad$' "$dir/stdout"
# a little too long: doubtful, which only --strict takes for bad
ends 0 sweep "$k" --grid e=0.95 --dt 0.0095 --record final:P.x --jobs 1 --out "$dir/doubt.csv"
must 'doubtful is told' grep -q 'warning: verdict bad in 0 and doubtful in 1 of 1' "$dir/stderr"
ends 4 sweep "$k" --grid e=0.95 --dt 0.0095 --record final:P.x --jobs 1 --out "$dir/doubt.csv" --strict
# samples: the worst of a point
ends 4 sweep "$k" --random 3 --vary 'e=uniform(0.955,0.96)' --record final:P.x --jobs 1 --out "$dir/random.csv"
must 'the summary of samples, too' python3 -c "
import csv, sys
assert [r['verdict'] for r in csv.DictReader(open(sys.argv[1]))] == ['2']" "$dir/random.summary.csv"

# ---- fit
cat >"$dir/spring.yaml" <<'END2'
biela: 1
name: spring
parameters: {w: {value: 10, min: 0.1}, v: 1}
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {s: {type: prismatic, bodies: [ground, b], axis: [1, 0, 0], rate: v}}
forces: {k: {type: torsion-spring, joint: s, stiffness: w^2}}
outputs: {s: {joint: s}}
run: {time: 4, dt: 0.01}
END2
python3 - "$dir" <<'END2'
import math, sys
folder = sys.argv[1]
def write(name, value, n=101):
    with open(f"{folder}/{name}.csv", "w") as f:
        f.write("t,s.position\n")
        for i in range(n):
            f.write(f"{0.04 * i!r},{value(0.04 * i)!r}\n")
write("small", lambda t: 0.1 * math.sin(t))         # no minimum near the start: the frequency is ten times too high
write("zero", lambda t: 0.0)
write("slow", lambda t: math.sin(2 * t) / 2)
END2
s=$dir/spring.yaml
ends 3 fit "$s" "$dir/small.csv" --params w --jobs 2 --out "$dir/fit.csv"
must 'it says so' grep -q 'error: fit: not converged' "$dir/stderr"
must 'no interval' test "$(grep -c 'confidence' "$dir/stdout")" = 0
must 'no advice' test "$(grep -c 'use it as' "$dir/stdout")" = 0
ends 3 fit "$s" "$dir/small.csv" --params w --jobs 2 --out "$dir/fit.csv" --json
must 'JSON has no interval' python3 -c "
import json, sys
told = json.load(open(sys.argv[1]))
w = told['parameters']['w']
assert not told['ok'] and w['low'] is None and w['deviation'] is None and told['covariance'] == [[None]]" "$dir/stdout"
ends 2 fit "$s" "$dir/zero.csv" --params w --jobs 2 --out "$dir/fit.csv"
must 'nothing was measured' grep -q 'every measured value is 0' "$dir/stderr"
ends 0 fit "$s" "$dir/slow.csv" --params w=2.1 --jobs 2 --out "$dir/fit.csv"
must 'a good one is told' grep -q 'verdict  *good' "$dir/stdout"
must 'and can be used' grep -q 'use it as' "$dir/stdout"
# the run with the values found is what the result stands on
awk -F, 'NR == 1 { for (c = 1; c <= NF; c++) if ($c == "P.x") x = c; print "t,P.x" } NR > 1 { print $1 "," $x }' "$dir/run.csv" >"$dir/orbit.csv"
ends 4 fit "$k" "$dir/orbit.csv" --params e=0.95 --jobs 2 --out "$dir/fit.csv"
must 'its verdict is told' grep -q 'error: verdict bad: energy' "$dir/stderr"
must 'and nothing offered' test "$(grep -c 'use it as' "$dir/stdout")" = 0

# ---- drives, replays, reports
ends 4 drive "$k" --set e=0.95 --headless --unpaced --time 13 --record "$dir/drive.biela"
must 'a drive has a verdict' grep -q 'verdict  *bad: [a-z]' "$dir/stdout"
ends 4 replay "$dir/drive.biela" --json
must 'a replay, too' python3 -c "
import json, sys
assert json.load(open(sys.argv[1]))['verdict']['outcome'] == 'bad'" "$dir/stdout"
ends 4 report "$dir/drive.biela" --brief --out "$dir/drive.html"
must 'and a report, which is written' grep -q 'Verdict: bad' "$dir/drive.html"

# ---- runs that do not end well
cat >"$dir/root.yaml" <<'END2'
biela: 1
name: root
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
outputs: {o: {body: b}, root: sqrt(0.5-t)}
run: {time: 1, dt: 0.1}
END2
ends 3 run "$dir/root.yaml" --out "$dir/root.csv" --json
must 'a channel that is not finite is bad' python3 -c "
import json, sys
v = json.load(open(sys.argv[1]))['verdict']
assert v['outcome'] == 'bad' and 'root' in v['line'], v" "$dir/stdout"
must 'beside the table, too' grep -q '"outcome": "bad"' "$dir/root.verdict.json"
cat >"$dir/stiff.yaml" <<'END2'
biela: 1
name: stiff
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {s: {type: prismatic, bodies: [ground, b], axis: [1, 0, 0], rate: 1}}
forces: {k: {type: torsion-spring, joint: s, stiffness: 1e12}}
outputs: {s: {joint: s}}
run: {time: 1, dt: 0.01, scheme: rk4}
END2
ends 3 run "$dir/stiff.yaml" --out "$dir/stiff.csv" --json
must 'a failed run is bad' python3 -c "
import json, sys
assert json.load(open(sys.argv[1]))['verdict']['outcome'] == 'bad'" "$dir/stdout"
must 'beside the table as well' grep -q '"outcome": "bad"' "$dir/stiff.verdict.json"
ends 1 run pendulum --time 0.1 --out /dev/full
must 'good, but nothing to have of it' grep -q 'verdict  *good; but the results are incomplete: not everything is written' "$dir/stdout"

# bar FILE MATERIAL SECTION LENGTH ELEMENTS MORE: an elastic bar along x, held at its root; the last are further keys of the body.
# Forces and the run come from stdin.
bar() {
    cat >"$dir/$1.yaml" <<END2
biela: 1
name: $1
gravity: [0, 0, 0]
bodies:
  bar:
    flex:
      materials: {steel: {$2}}
      sections: {bar: {rectangle: [$3]}}
      nodes: {root: [0, 0, 0], tip: [$4, 0, 0]}
      lines: {bar: {from: root, to: tip, elements: $5}}
      frame: root
$6
joints: {clamp: {type: fixed, bodies: [ground, bar]}}
outputs: {tip: {point: {body: bar, node: tip}}}
$(cat)
END2
}

# what is not a number is said in words: explicit steps beyond their stability
bar bent 'young: 200 GPa, density: 8000' '10 mm, 20 mm' 1 10 '      modes: 4
      damping: 0.05' <<'END2'
forces: {f: {type: force, point: {body: bar, node: tip}, fy: "min(t,1)", fx: "-1200*min(t,1)"}}
run: {time: 3, dt: 1e-3, every: 0.01, scheme: rk4}
END2
ends 3 run "$dir/bent.yaml" --out "$dir/bent.csv"
must 'not a number' grep -q 'is not a number (limit' "$dir/stderr"
must 'never nan' test "$(grep -ci '\bnan\b' "$dir/stderr" "$dir/stdout" | grep -vc ':0')" = 0

# ---- a body that follows its load and shivers a little: accelerations ring, the motion is right (verdict.5)
bar shiver 'young: 210 GPa, density: 7850' '8 mm, 30 mm' 0.13 4 '      boundary: [tip]' <<'END2'
forces: {pull: {type: force, point: {body: bar, node: tip}, fx: "1000*sin(100*t)"}}
run: {time: 0.05 s, dt: 0.1 ms}
END2
for formulation in natural joint; do
    ends 0 run "$dir/shiver.yaml" --formulation $formulation --out "$dir/shiver.csv" --json
    must 'ringing is told' sh -c "grep -A1 '\"name\": \"ringing\"' '$dir/stdout' | grep -q '\"doubtful\"'"
    must 'the motion is good' sh -c "grep -A1 '\"name\": \"motion\"' '$dir/stdout' | grep -q '\"good\"'"
    # F L sin(100 t) / (E A) at the end, but for the shivering
    must 'the tip is where its load holds it' awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k; next } { x = $c["tip.x"] } END {
        wanted = 0.13 + 1000 * sin(100 * 0.05) * 0.13 / (210e9 * 0.008 * 0.03); d = (x - wanted) / (0.13 - wanted); exit !(d * d < 0.01 * 0.01) }' "$dir/shiver.csv"
done

# ---- audits of graphs
ends 0 bonds bond-motor --audit
must 'an audit has a verdict' grep -q 'verdict of the run: good' "$dir/stdout"
# a force that is nearly none beside a load is weighed against the load; one that is not so small is told
cat >"$dir/slight.yaml" <<'YAML'
biela: 1
name: a slight force beside a load
bodies:
  heavy: {mass: 1000, com: [0, 1, 0], inertia: [1, 1, 1], at: [5, 0, 0]}
  light: {mass: 1e-4, com: [0.1, 0, 0], inertia: [1e-6, 1e-6, 1e-6]}
joints:
  rail: {type: prismatic, bodies: [ground, heavy], at: [5, 0, 0], axis: [1, 0, 0], rate: 1}
  spin: {type: revolute, bodies: [ground, light], at: [0, 0, 0], axis: [0, 0, 1], value: 1}
forces:
  slow: {type: torsion-spring, joint: rail, stiffness: 4000}
  fast: {type: torsion-spring, joint: spin, stiffness: 0.02}
outputs: {load: {reaction: rail}, slight: {reaction: spin}}
run: {time: 0.5, dt: 2e-3, every: 0.01}
YAML
ends 0 run "$dir/slight.yaml" --cross-check --out "$dir/slight.csv"
must "a slight force is no alarm" grep -q "cross-check   good" "$dir/stdout"
sed 's/mass: 1e-4/mass: 1/; s/1e-6/1e-2/g; s/stiffness: 0.02/stiffness: 200/' "$dir/slight.yaml" >"$dir/plain.yaml"
ends 4 run "$dir/plain.yaml" --cross-check --out "$dir/slight.csv"
must "a force of some size is one" grep -q "cross-check bad: the gap of slight" "$dir/stderr"

finish
