#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# biela drive MODEL --edit without a browser: what does not go with it, what it gives, and what a stranger gets.
. tests/cli/support.bash
export BIELA_PAGE=$dir/page
cp models/pendulum/model.yaml "$dir/swing.yaml"

mkdir "$dir/page"
echo '<title>the page</title>' >"$dir/page/playground.html"
ends 2 drive --edit
must "a model is needed" grep -q 'needs the model' "$dir/stderr"
ends 2 drive "$dir/swing.yaml" --edit --headless --record "$dir/x.biela"
must "both options are told" test "$(grep -c 'does not go with --edit' "$dir/stderr")" = 2
ends 2 drive "$dir/nothing.yaml" --edit
must "the model is named" grep -q 'nothing.yaml' "$dir/stderr"

# serve ARGUMENTS...: the address is in $url
serve() {
    : >"$dir/address" # that of the server before is none
    "$BIELA" drive "$@" --edit --no-open --port 0 >"$dir/address" 2>"$dir/words" &
    server=$!
    for _ in $(seq 200); do
        [ -s "$dir/address" ] && break
        sleep 0.05
    done
    url=$(head -n 1 "$dir/address")
}
stop() {
    kill -INT "$server"
    must "an interrupted server has done what it was asked for" wait "$server"
}
# status of PATH with a header, and its body in $dir/body
get() {
    python3 - "$1" "${2:-}" >"$dir/body" <<'PY'
import sys
import urllib.error
import urllib.request
request = urllib.request.Request(sys.argv[1])
if sys.argv[2]:
    request.add_header(*sys.argv[2].split(": ", 1))
try:
    with urllib.request.urlopen(request, timeout=20) as answer:
        print(answer.status, answer.read().decode(), answer.headers["Content-Security-Policy"])
except urllib.error.HTTPError as error:
    print(error.code)
PY
}

serve "$dir/swing.yaml" --token secret
must "the address is that of the editor" grep -q '/playground.html?edit&token=secret$' "$dir/address"
root=${url%playground.html*}
get "$root"playground.html
must "the page" grep -q '^200 <title>the page' "$dir/body"
must "WebAssembly may run, and only this server's pages show it in a frame" grep -q "script-src 'self' 'wasm-unsafe-eval';.*frame-ancestors 'self'" "$dir/body"
echo '// worker' >"$dir/page/sw.js"
get "${root}sw.js?token=secret"
must "no service worker outlives this server" grep -qx 404 "$dir/body"
get "$root"edit
must "no text without the token" grep -qx 401 "$dir/body"
get "${root}edit?token=secret"
must "the text" grep -q 'Simple pendulum' "$dir/body"
must "it can be saved" grep -q '"locked": null' "$dir/body"
get "${root}edit?token=secret" "Origin: http://elsewhere.example"
must "pages of other origins get nothing" grep -qx 403 "$dir/body"
get "${root}edit/file/0?token=secret"
must "there is no other file" grep -qx 404 "$dir/body"
stop

# what cannot be saved says so, and is shown all the same
ln -s swing.yaml "$dir/link.yaml"
serve "$dir/link.yaml"
must "a link is not replaced" grep -q 'cannot be saved from the page: it is a link' "$dir/words"
get "${url%playground.html*}edit"
must "it is read" grep -q '"locked": "it is a link or no plain file"' "$dir/body"
stop
# a text with mistakes is one to be mended
printf 'biela: 1\nname: x\nbodies: {a: {mas: 1}}\n' >"$dir/broken.yaml"
serve "$dir/broken.yaml"
get "${url%playground.html*}edit"
must "a broken model is read" grep -q 'mas: 1' "$dir/body"
stop
finish
