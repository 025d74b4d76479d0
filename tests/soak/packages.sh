#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages on a clean root: made, installed, the command drives with its page, examples compile by pkg-config and by
# find_package, the tests of Python pass. Without mmdebstrap, or not as root, they are only unpacked and run here.
. tests/cli/support.bash

here=$(dirname "$(realpath "$BIELA")")
tools/viewer --quiet || echo "no page: it will be missing in the package"
cmake -S . -B "$here/packages" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DBIELA_TESTS=OFF >"$dir/log" 2>&1 &&
    cmake --build "$here/packages" --parallel 2 >"$dir/log" 2>&1 && (cd "$here/packages" && rm -f ./*.deb && cpack -G DEB) >"$dir/log" 2>&1 ||
    { tail -n 30 "$dir/log"; echo "FAILED: packages"; exit 1; }
for package in libbiela1 libbiela-dev biela python3-biela; do
    must "makes $package" sh -c "ls '$here'/packages/${package}_*.deb"
    must "$package has what it needs" sh -c "dpkg-deb --info '$here'/packages/${package}_*.deb | grep -q Version"
done

# what is done inside, with bash on a root that has the packages; nothing of the caller's settings counts there
cat >"$dir/inside.sh" <<'SH'
set -eu
cd /tmp
biela version
biela list | grep -q forklift
man -w biela >/dev/null 2>&1 || test -e /usr/share/man/man1/biela.1 -o -e /usr/share/man/man1/biela.1.gz
biela run pendulum --time 1 --out /tmp/p.csv
(timeout 20 biela drive pendulum --port 8899 --no-open --no-record --time 8 >/tmp/drive.log 2>&1 &)
python3 - <<'PY'
import time, urllib.request
for _ in range(60):
    try:
        page = urllib.request.urlopen("http://127.0.0.1:8899/", timeout=5).read().decode()
        break
    except OSError:
        time.sleep(0.25)
assert "viewer" in page, page[:300]
PY
mkdir -p examples && cd examples
printf 'cmake_minimum_required(VERSION 3.16)\nproject(e LANGUAGES C)\nfind_package(biela REQUIRED COMPONENTS shared)\nfind_package(Threads REQUIRED)\n' >CMakeLists.txt
for source in /usr/share/doc/biela/examples/*.c; do
    name=$(basename "$source" .c)
    cc -std=c17 "$source" -o "p_$name" $(pkg-config --cflags --libs biela) -lpthread
    ./"p_$name" >/dev/null
    printf 'add_executable(%s %s)\ntarget_link_libraries(%s PRIVATE biela::shared Threads::Threads m)\n' "$name" "$source" "$name" >>CMakeLists.txt
done
cmake -S . -B build >/dev/null && cmake --build build >/dev/null
for source in /usr/share/doc/biela/examples/*.c; do build/"$(basename "$source" .c)" >/dev/null; done
cd /tmp && BIELA=/usr/bin/biela python3 /tests/test_biela.py
SH

if [ -n "$(command -v mmdebstrap)" ] && [ "$(id -u)" -eq 0 ]; then
    root=$dir/root
    mkdir "$root"
    must "a clean root" mmdebstrap --variant=minbase --include=gcc,libc6-dev,cmake,make,pkg-config,python3 \
        --customize-hook='mkdir -p "$1/debs" "$1/tests"' --customize-hook="cp $here/packages/*.deb \$1/debs" \
        --customize-hook="cp tests/python/test_biela.py \$1/tests" --customize-hook="cp $dir/inside.sh \$1/inside.sh" \
        --customize-hook='chroot "$1" sh -c "apt-get install -y --no-install-recommends /debs/libbiela*.deb /debs/biela_*.deb /debs/python3-biela_*.deb"' \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root"
    must "works there" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$root" /bin/bash /inside.sh
else
    echo "no mmdebstrap, or not root: unpacked here"
    for deb in "$here"/packages/*.deb; do dpkg-deb -x "$deb" "$dir/root"; done
    must "the command runs" sh -c "cd '$dir' && env -u BIELA_MODELS '$dir/root/usr/bin/biela' run pendulum --time 1 --out p.csv"
    must "Python runs" sh -c "cd '$dir' && PYTHONPATH='$dir/root/usr/lib/python3/dist-packages' /usr/bin/python3 -m biela pendulum 0.1"
fi
finish
