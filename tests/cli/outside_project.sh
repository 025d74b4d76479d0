#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Somebody else's project: Biela is installed into a prefix, the prefix is moved, and the project in tests/outside is
# built against it with CMake and with make + pkg-config, and run.
. tests/cli/support.bash

build=$(dirname "$(realpath "$BIELA")")
kind=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$build/CMakeCache.txt")
must "installs" cmake --install "$build" --prefix "$dir/first"
mv "$dir/first" "$dir/moved"
prefix=$dir/moved
lib=$(dirname "$(find "$prefix" -name libbiela.a)")

for file in bin/biela include/biela/biela.h include/biela/io.h share/biela/models/pendulum/model.yaml \
    share/biela/docs/reference/biela.schema.json share/man/man1/biela.1 share/man/man1/biela-run.1 \
    share/bash-completion/completions/biela; do
    must "installs $file" test -e "$prefix/$file"
done
for file in libbiela.a libbiela_io.a pkgconfig/biela.pc cmake/biela/biela-config.cmake; do
    must "installs $file" test -e "$lib/$file"
done

# the command finds the models of its own installation, away from the sources
here=$PWD
installed=$(cd "$dir" && env -u BIELA_MODELS "$prefix/bin/biela" run pendulum --time 0.1 --out "$dir/p.csv" 2>&1)
must "runs an installed model: $installed" test -s "$dir/p.csv"
must "lists them" sh -c "cd '$dir' && '$prefix/bin/biela' list --json | grep -q 'moved/.*share/biela/models/pendulum'"

# the sanitizers must be in the outside program too when they are in the library
flags=
[ "$kind" = Sanitize ] && flags=-fsanitize=address,undefined
must "CMake configures" cmake -S tests/outside -B "$dir/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags"
must "CMake builds" cmake --build "$dir/cmake"
must "the program of CMake runs" "$dir/cmake/swing" tests/outside/swing.yaml

cp -r tests/outside "$dir/make"
export PKG_CONFIG_PATH=$lib/pkgconfig
must "pkg-config knows biela" test "$(pkg-config --modversion biela)" = "$("$BIELA" version | sed 's/biela \([^ ]*\).*/\1/')"
must "make builds" make -C "$dir/make" CC="cc $flags"
must "the program of make runs" "$dir/make/swing" tests/outside/swing.yaml

# names of ours that are not bi_... are nobody's business: a program may use any of them
if [ "$kind" != Sanitize ]; then
    strange=$(nm --defined-only --extern-only "$lib"/libbiela*.a 2>/dev/null | awk 'NF == 3 && $3 !~ /^bi_/ { print $3 }')
    must "every global name begins with bi_: $(echo $strange | cut -c1-200)" test -z "$strange"
    cat >"$dir/clash.c" <<'C'
#include <biela/io.h>
double cubic_at(double x) { return x * x * x; }
int check_model(int k) { return k + 1; }
int main(int count, char **word)
{
    bi_report report = { 0 };
    bi_model *m = count > 1 ? bi_read_model(word[1], NULL, 0, NULL, NULL, &report) : NULL;
    int code = m ? check_model((int)cubic_at(0.0)) - 1 : 1;
    bi_model_destroy(m);
    bi_report_clear(&report);
    return code;
}
C
    must "a program with names like ours links" sh -c "cc '$dir/clash.c' -o '$dir/clash' \$(pkg-config --cflags --libs --static biela)"
    must "and runs" "$dir/clash" tests/outside/swing.yaml
fi

# the program can fail: a model that is not the one it expects
sed 's/1e-4 rad/2e-4 rad/' tests/outside/swing.yaml >"$dir/wrong.yaml"
must "the program notices another pendulum" sh -c "! '$dir/make/swing' '$dir/wrong.yaml'"

cd "$here" || exit 1
finish
