#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libbiela.so: it shows the functions of the public headers and nothing else, its structs are those that Python is told, and it
# gives the bits of the static libraries.
. tests/cli/support.bash

build=$(dirname "$(realpath "$BIELA")")
kind=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$build/CMakeCache.txt")
so=$build/libbiela.so
flags=
[ "$kind" = Sanitize ] && flags="-fsanitize=address,undefined"

must "lists are those of the headers" python3 tools/interface.py --check
must "the library is there" test -e "$so"

# every name of the list, and no other
nm -D --defined-only "$so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$dir/shown"
grep -o '\bbi_[a-z0-9_]*;' tools/libbiela.map | tr -d ';' | sort >"$dir/listed"
must "shows what its headers declare: $(comm -3 "$dir/shown" "$dir/listed" | head -5 | tr '\n' ' ')" cmp "$dir/shown" "$dir/listed"
must "its name has the number of its interface" sh -c "readelf -d '$so' | grep -q 'SONAME.*libbiela.so.1]'"
must "no code that the loader has to change" sh -c "! readelf -d '$so' | grep -q TEXTREL"

# sizes and places of all that structs hold, by the compiler and by ctypes
python3 tests/support/layout.py "$dir/layout.c" "$dir/told"
must "compiles the layout" cc -std=c17 -Iinclude "$dir/layout.c" -o "$dir/layout"
"$dir/layout" >"$dir/measured"
must "has $(wc -l <"$dir/told") sizes and places" test "$(wc -l <"$dir/told")" -gt 1000
must "Python sees the structs of C: $(diff "$dir/measured" "$dir/told" | head -3 | tr '\n' ' ')" cmp "$dir/measured" "$dir/told"

# the same bits, however it is linked
models="models/pendulum/model.yaml models/four-bars/model.yaml models/clio/model.yaml models/box-stack/model.yaml"
cc $flags -std=c17 -Wall -Werror -Iinclude tests/outside/hashes.c -o "$dir/shared" -L"$build" -lbiela -Wl,-rpath,"$build" || failures=1
cc $flags -std=c17 -Iinclude tests/outside/hashes.c -o "$dir/static" "$build/libbiela_io.a" $(engine "$build") -lfyaml -lexpat \
    $(pkg-config --libs hdf5-serial 2>/dev/null || pkg-config --libs hdf5 2>/dev/null) -lpthread || failures=1
must "runs, shared" sh -c "'$dir/shared' $models >'$dir/hashes.shared'"
must "runs, static" sh -c "'$dir/static' $models >'$dir/hashes.static'"
must "gives the same bits: $(diff "$dir/hashes.shared" "$dir/hashes.static" | head -4)" cmp "$dir/hashes.shared" "$dir/hashes.static"
must "of eight different runs" test "$(sort -u "$dir/hashes.shared" | wc -l)" -eq 8

# two programs, and a library between, with names like ours
cat >"$dir/clash.c" <<'C'
#include <biela/io.h>
double cubic_at(double x) { return x * x * x; }
int check_model(int k) { return k + 1; }
int main(void)
{
    bi_model *m = bi_model_create("clash");
    int code = m ? check_model((int)cubic_at(0.0)) - 1 : 1;
    bi_model_destroy(m);
    return code;
}
C
sed 's/x \* x \* x/-x * x * x/' "$dir/clash.c" >"$dir/clash2.c"
for program in clash clash2; do
    must "$program links" cc $flags -Iinclude "$dir/$program.c" -o "$dir/$program" -L"$build" -lbiela -Wl,-rpath,"$build"
    must "$program runs" "$dir/$program"
done
finish
