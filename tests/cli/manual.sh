#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Manual pages and completion: a page per command with all its options, without complaints of the formatter.
. tests/cli/support.bash

ends 0 help --man "$dir/man"
ends 0 help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$dir/stdout")
must "there are commands" test "$(wc -w <<<"$commands")" -ge 10
must "one page each, and the overview" test "$(find "$dir/man" -name 'biela*.1' | wc -l)" -eq $(($(wc -w <<<"$commands") + 1))
for command in $commands; do
    page=$dir/man/biela-$command.1
    must "the overview names $command" grep -q "^.B $command" "$dir/man/biela.1"
    for option in $("$BIELA" help "$command" | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        must "the page of $command has $option" grep -qF -e "${option//-/\\-}" "$page"
    done
done
if command -v groff >/dev/null; then
    for page in "$dir"/man/*.1; do
        groff -man -Tutf8 -ww -z "$page" 2>"$dir/complaints"
        must "$(basename "$page"): $(head -1 "$dir/complaints")" test ! -s "$dir/complaints"
    done
fi
ends 1 help --man /proc/none

# completion, as bash asks for it: completes WORDS... gives the proposals for the last word
biela=$(realpath "$BIELA")
ends 0 help --completion
cp "$dir/stdout" "$dir/completion"
completes() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _biela; printf "%s\n" "${COMPREPLY[@]}"' _ "$dir/completion" "$biela" "$@"
}
proposes() { # WANTED WORDS...
    local wanted=$1
    shift
    completes "$@" | grep -qxF -e "$wanted"
}
must "commands" proposes run r
must "options" proposes --tolerance diff a.csv --t
must "models by name" proposes pendulum run pen
must "files" proposes CHANGELOG.md plot CHANGE
must "commands after help" proposes schema help sch
must "schemes" proposes semi-implicit-euler run pendulum --scheme semi
must "second names of schemes" proposes rk4 sweep pendulum --scheme r
must "formulations" proposes joint info pendulum --formulation j
must "no files for schemes" test -z "$(completes run pendulum --scheme CHANGE)"
must "nothing foreign" test -z "$(completes diff --sch)"
finish
