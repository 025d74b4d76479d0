#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# biela export: FMUs whose archives are right and equal for equal models, that other programs run with the bits of biela run.
# FMUSIM names the simulator of the Reference-FMUs, FMI_SCHEMAS a folder with fmi2/ and fmi3/ of the standard's schemas;
# what is not there is skipped, and said.
. tests/cli/support.bash

must "an FMU is written" "$BIELA" export pendulum --fmu "$dir/a.fmu"
must "equal models are equal bytes" "$BIELA" export pendulum --fmu "$dir/b.fmu"
must "the same bytes" cmp "$dir/a.fmu" "$dir/b.fmu"
must "the archive is whole" python3 -m zipfile -t "$dir/a.fmu"
must "what is inside" python3 - "$dir/a.fmu" <<'P'
import sys, xml.etree.ElementTree as E, zipfile
z = zipfile.ZipFile(sys.argv[1])
names = z.namelist()
assert names[0] == "modelDescription.xml" and "binaries/linux64/pendulum.so" in names, names
assert "resources/model/model.yaml" in names, names
root = E.fromstring(z.read("modelDescription.xml"))
assert root.get("fmiVersion") == "2.0" and root.find("CoSimulation").get("modelIdentifier") == "pendulum"
found = {v.get("name"): v for v in root.find("ModelVariables")}
assert found["L"].get("causality") == "parameter" and found["L"][0].get("start") == "1"
assert found["P.vx"].get("causality") == "output" and found["P.vx"][0].get("unit") == "m/s"
units = {u.get("name"): u[0].attrib for u in root.find("UnitDefinitions")}
assert units["m/s"] == {"m": "1", "s": "-1"} and units["J"] == {"kg": "1", "m": "2", "s": "-2"}, units
indices = [int(u.get("index")) for u in root.find("ModelStructure").find("Outputs")]
assert [v.get("causality") for k, v in enumerate(root.find("ModelVariables"), 1) if k in indices] == ["output"] * len(indices)
assert len({v.get("valueReference") for v in found.values()}) == len(found)
P
if command -v readelf >/dev/null && [ "$(basename "$(dirname "$BIELA")")" = build ]; then
    needs=$(readelf -d "$(dirname "$BIELA")/biela_fmu.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | tr '\n' ' ')
    case " $needs" in
    *fyaml* | *hdf5* | *expat* | *amd* | *klu*) echo "FAILED: an FMU needs $needs from outside" && failures=$((failures + 1)) ;;
    esac
fi
ends 2 export pendulum
ends 2 export pendulum --fmi 4 --fmu "$dir/c.fmu"
ends 2 export pendulum --set nothing=1 --fmu "$dir/c.fmu"
ends 1 export pendulum --fmu /dev/full
ends 2 export models/pendulum/model.yaml --fmu models/pendulum/model.yaml

# ---- model exchange: trees of joints, others say why ---------------------------------------------------------------
must "a tree of joints" "$BIELA" export pendulum-cart --formulation joint --interface model-exchange --fmi 3 --fmu "$dir/x.fmu"
must "states and rates" python3 - "$dir/x.fmu" <<'P'
import sys, xml.etree.ElementTree as E, zipfile
root = E.fromstring(zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml"))
assert root.find("ModelExchange").get("providesDirectionalDerivatives") == "true" and root.find("CoSimulation") is None
found = {v.get("valueReference"): v for v in root.find("ModelVariables")}
rates = [found[u.get("valueReference")] for u in root.find("ModelStructure").findall("ContinuousStateDerivative")]
assert len(rates) == 4 and {found[r.get("derivative")].get("name") for r in rates} >= {"state.rail.position", "state.hinge.angle.rate"}, rates
assert "energy.balance" not in {v.get("name") for v in found.values()}
P
for version in 2 3; do
    must "export" "$BIELA" export pendulum --formulation joint --interface model-exchange --fmi $version --fmu "$dir/x.fmu" --quiet
    # python is not built with the sanitizers, so that it cannot load a library that is
    nm "$BIELA" 2>/dev/null | grep -q __asan_init && continue
    must "states, rates and derivatives of a pendulum, FMI $version" python3 tests/support/fmu_exchange.py "$dir/x.fmu" "$dir/unpacked$version"
done
ends 2 export pendulum-cart --interface model-exchange --fmu "$dir/c.fmu"
grep -q "formulation: joint" "$dir/stderr" || { echo "FAILED: natural coordinates: $(cat "$dir/stderr")"; failures=$((failures + 1)); }
ends 2 export forklift --formulation joint --interface model-exchange --fmu "$dir/c.fmu"
ends 2 export pendulum --interface both --fmu "$dir/c.fmu"

# ---- with the standard's schemas ----------------------------------------------------------------------------------
cases="pendulum pendulum-cart:--time,1 forklift:--time,0.4 forklift:--run,j-turn,--time,0.2 clio:--time,0.4 bicycle:--time,0.4"
if [ -z "${FMI_SCHEMAS:-}" ] || ! command -v xmllint >/dev/null; then
    echo "skipped: schemas of the standard (FMI_SCHEMAS names no folder, or xmllint is not there)"
else
    for case in $cases; do
        for version in 2 3; do
            must "export $case" "$BIELA" export "${case%%:*}" --fmi $version --fmu "$dir/s.fmu" --quiet
            python3 -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml"))' "$dir/s.fmu" >"$dir/s.xml"
            must "$case is valid FMI $version" xmllint --noout --schema "$FMI_SCHEMAS/fmi$version/fmi${version}ModelDescription.xsd" "$dir/s.xml"
        done
    done
    for version in 2 3; do
        must "export" "$BIELA" export bond-motor --formulation joint --interface model-exchange --fmi $version --fmu "$dir/s.fmu" --quiet
        python3 -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml"))' "$dir/s.fmu" >"$dir/s.xml"
        must "model exchange is valid FMI $version" xmllint --noout --schema "$FMI_SCHEMAS/fmi$version/fmi${version}ModelDescription.xsd" "$dir/s.xml"
    done
fi

# ---- with the simulator of the Reference-FMUs ----------------------------------------------------------------------
if [ -z "${FMUSIM:-}" ]; then
    echo "skipped: runs in another simulator (FMUSIM names none)"
    finish
fi
for case in $cases; do
    model=${case%%:*}
    options=$(echo "${case#"$model"}" | tr ':,' '  ')
    "$BIELA" run "$model" $options --json --out "$dir/run.csv" >"$dir/run.json" 2>/dev/null
    for version in 2 3; do
        must "export $case" "$BIELA" export "$model" $options --fmi $version --fmu "$dir/m.fmu" --quiet
        must "$case in fmusim, FMI $version" "$FMUSIM" --output-file "$dir/fmu.csv" "$dir/m.fmu"
        must "$case has the bits of the run, FMI $version" \
            python3 tests/support/fmu_compare.py "$dir/run.csv" "$dir/run.json" "$dir/fmu.csv"
    done
done
# model exchange: CVODE of that simulator against small steps of our own
for model in pendulum-cart chain bond-motor; do
    "$BIELA" run $model --formulation joint --scheme rk4 --dt 2e-4 --time 1 --out "$dir/run.csv" >"$dir/log" 2>&1
    for version in 2 3; do
        must "export" "$BIELA" export $model --formulation joint --interface model-exchange --time 1 --fmi $version --fmu "$dir/m.fmu" --quiet
        must "$model in CVODE, FMI $version" "$FMUSIM" --interface-type me --solver cvode --tolerance 1e-9 --output-file "$dir/fmu.csv" "$dir/m.fmu"
        must "$model: the motion of the run" python3 - "$dir/run.csv" "$dir/fmu.csv" <<'P'
import csv, sys
run, fmu = (list(csv.DictReader(open(p))) for p in sys.argv[1:])
assert len(run) == len(fmu) > 50
names = set(run[0]) & set(fmu[0])
assert len(names) >= 5, names
gap = max(abs(float(a[k]) - float(b[k])) / max(1, abs(float(a[k]))) for a, b in zip(run, fmu) for k in names)
print(gap)
assert gap < 1e-5, gap  # 1e-9 a step of CVODE, some hundred steps, numbers up to 10
P
    done
done
# a parameter and an input that are set; a run in two halves by its saved state
"$BIELA" run pendulum --set L=2 --time 1 --json --out "$dir/run.csv" >"$dir/run.json" 2>/dev/null
for version in 2 3; do
    must "export" "$BIELA" export pendulum --time 1 --fmi $version --fmu "$dir/m.fmu" --quiet
    must "a parameter is set" "$FMUSIM" --start-value L 2 --output-file "$dir/fmu.csv" "$dir/m.fmu"
    must "as --set does" python3 tests/support/fmu_compare.py "$dir/run.csv" "$dir/run.json" "$dir/fmu.csv"
    must "export" "$BIELA" export forklift --time 0.4 --fmi $version --fmu "$dir/m.fmu" --quiet
    must "whole" "$FMUSIM" --start-value drive 1 --output-file "$dir/whole.csv" "$dir/m.fmu"
    must "first half" "$FMUSIM" --start-value drive 1 --stop-time 0.2 --final-fmu-state-file "$dir/state" --output-file "$dir/half.csv" "$dir/m.fmu"
    must "second half" "$FMUSIM" --start-time 0.2 --stop-time 0.4 --initial-fmu-state-file "$dir/state" --output-file "$dir/half.csv" "$dir/m.fmu"
    must "both halves are the whole" cmp <(tail -1 "$dir/whole.csv") <(tail -1 "$dir/half.csv")
    must "export" "$BIELA" export pendulum --fmi $version --fmu "$dir/o.fmu" --quiet
    if "$FMUSIM" --initial-fmu-state-file "$dir/state" --output-file "$dir/half.csv" "$dir/o.fmu" >"$dir/log" 2>&1; then
        echo "FAILED: the state of another FMU is taken" && failures=$((failures + 1))
    fi
done
finish
