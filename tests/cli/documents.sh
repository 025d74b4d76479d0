#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does what the pages beside the guide say: the reference, the README, the pages of the models. Commands run as they stand,
# but for 0.02 s of model time: whether names, options, runs and channels are right shows at once.
. tests/cli/support.bash

if grep -q 'CMAKE_BUILD_TYPE:[A-Z]*=Sanitize' "$(dirname "$(realpath "$BIELA")")/CMakeCache.txt"; then
    echo "every model runs under the sanitizers in other tests: done with the release build only"
    exit 0
fi
mkdir "$dir/bin"
cat >"$dir/bin/biela" <<END
#!/usr/bin/env bash
# the command itself, with runs cut short and drives without a browser
arguments=()
while [ \$# -gt 0 ]; do
    case \$1 in
        --time) shift 2 ;;
        *) arguments+=("\$1") && shift ;;
    esac
done
case \${arguments[0]} in
    run | inverse | kinematics) arguments+=(--time 0.02) ;;
    bonds) case " \${arguments[*]} " in *" --audit "*) arguments+=(--time 0.02) ;; esac ;;
    drive) arguments+=(--headless --time 0.05 --record none.biela) ;;
esac
exec "$(realpath "$BIELA")" "\${arguments[@]}"
END
chmod +x "$dir/bin/biela"

# do_page PAGE: in a folder of its own, with the models, and what makes fragments whole
do_page() {
    local work=$dir/copy
    rm -rf "$work"
    mkdir -p "$work/build" "$work/out"
    cp tests/docs/* "$work"
    cp tests/import/double_pendulum.urdf "$work/robot.urdf"
    ln -s "$PWD/models" "$work/models"
    ln -s "$PWD/include" "$work/include"
    ln -s "$dir/bin/biela" "$(dirname "$(realpath "$BIELA")")/libbiela.a" "$work/build"
    if ! python3 tests/support/guide_script.py "$1" >"$dir/page.sh" 2>"$dir/log" ||
        ! (cd "$work" && PATH=$dir/bin:$PATH timeout 1000 bash "$dir/page.sh") >"$dir/log" 2>&1; then
        echo "FAILED: $1"
        tail -n 12 "$dir/log"
        failures=$((failures + 1))
    fi
}

pages=0
for page in README.md CONTRIBUTING.md docs/features.md docs/limits.md docs/models.md docs/results.md docs/reference/*.md models/*/README.md web/mappings/README.md; do
    do_page "$page"
    pages=$((pages + 1))
done
must "there are pages" test $pages -ge 60

# the README shows the files of examples/, without their first comments
do_page README.md
for shown in falling.yaml 04_falling.c; do
    must "README.md shows examples/$shown" diff "$dir/copy/examples/$shown" <(sed '/SPDX\|^\/\/ /d' "examples/$shown")
done

# the page of models has a row for every folder, and its commands work as they stand
for folder in models/*/; do
    must "docs/models.md shows $folder" grep -q "(../${folder}README.md)" docs/models.md
done
grep -o '`biela [^`]*`' docs/models.md | grep -v '`biela list`' | tr -d '`' >"$dir/commands"
must "there are commands of models" test "$(wc -l <"$dir/commands")" -ge 50
mkdir -p "$dir/tries/out" && ln -s "$PWD/models" "$dir/tries/models"
while read -r line; do
    must "docs/models.md: $line" env -C "$dir/tries" PATH="$dir/bin:$PATH" timeout 1000 sh -c "$line"
done <"$dir/commands"

# mathematics stands in the theory, commands do not: they would not be tested there
must "no command in the theory" sh -c "! grep -nE '^ *(build/)?biela [a-z]' docs/theory/*.md ARCHITECTURE.md src/*/README.md"
finish
