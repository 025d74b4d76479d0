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
for file in share/doc/biela/README.md share/doc/biela/LICENSE share/doc/libbiela1/copyright share/doc/biela/docs/limits.md share/doc/biela/examples/01_pendulum.c \
    share/biela/web/mappings/README.md; do
    must "installs $file" test -e "$prefix/$file"
done
[ ! -e web/dist/index.html ] || must "installs the page" test -e "$prefix/share/biela/web/index.html"
for file in libbiela.so libbiela.so.1 libbiela.a libbiela_io.a pkgconfig/biela.pc pkgconfig/biela-static.pc cmake/biela/biela-config.cmake; do
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
for program in swing swing_static; do
    must "$program of CMake runs" "$dir/cmake/$program" tests/outside/swing.yaml
done
must "one is linked with the shared object" sh -c "readelf -d '$dir/cmake/swing' | grep -q 'NEEDED.*libbiela.so.1'"
must "the other is not" sh -c "! readelf -d '$dir/cmake/swing_static' | grep -q 'NEEDED.*libbiela'"

cp -r tests/outside "$dir/make"
export PKG_CONFIG_PATH=$lib/pkgconfig
must "pkg-config knows biela" test "$(pkg-config --modversion biela)" = "$("$BIELA" version | sed 's/biela \([^ ]*\).*/\1/')"
export LD_LIBRARY_PATH=$lib
for package in biela biela-static; do
    must "make builds with $package" make -B -C "$dir/make" CC="cc $flags" PACKAGE=$package
    must "the program of make runs, $package" "$dir/make/swing" tests/outside/swing.yaml
done

# every example by pkg-config and by find_package, and run: they judge themselves
{
    echo 'cmake_minimum_required(VERSION 3.16)'
    echo 'project(examples LANGUAGES C)'
    echo 'find_package(biela 0.1 REQUIRED COMPONENTS shared)'
    echo 'find_package(Threads REQUIRED)'
    for source in "$prefix"/share/doc/biela/examples/*.c; do
        echo "add_executable($(basename "$source" .c) $source)"
        echo "target_link_libraries($(basename "$source" .c) PRIVATE biela::shared Threads::Threads m)"
    done
} >"$dir/CMakeLists.txt"
must "CMake configures the examples" cmake -S "$dir" -B "$dir/examples" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags"
must "CMake builds the examples" cmake --build "$dir/examples" --parallel 2
count=0
for source in "$prefix"/share/doc/biela/examples/*.c; do
    name=$(basename "$source" .c)
    must "$name, of find_package" "$dir/examples/$name"
    must "$name compiles by pkg-config" sh -c "cc $flags -std=c17 -Wall -Werror '$source' -o '$dir/example' \$(pkg-config --cflags --libs biela) -lpthread"
    must "$name, of pkg-config" "$dir/example"
    count=$((count + 1))
done
must "there are eight examples, or more" test $count -ge 8

# Python finds the library of its own installation
if python=$(for p in python3 /usr/bin/python3; do "$p" -c 'import numpy' 2>/dev/null && echo "$p" && break; done) && [ -n "$python" ] &&
    [ "$kind" != Sanitize ]; then
    must "Python runs a model of the installation" env -u LD_LIBRARY_PATH -u BIELA PYTHONPATH="$prefix/lib/python3/dist-packages" \
        sh -c "cd '$dir' && '$python' -m biela pendulum 0.1"
fi

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
    must "a program with names like ours links" sh -c "cc '$dir/clash.c' -o '$dir/clash' \$(pkg-config --cflags --libs biela-static)"
    must "and runs" "$dir/clash" tests/outside/swing.yaml
fi

# the program can fail: a model that is not the one it expects
sed 's/1e-4 rad/2e-4 rad/' tests/outside/swing.yaml >"$dir/wrong.yaml"
must "the program notices another pendulum" sh -c "! '$dir/make/swing' '$dir/wrong.yaml'"

cd "$here" || exit 1
finish
