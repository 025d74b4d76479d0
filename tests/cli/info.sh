#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `biela info`: the numbers of the mechanism and the names it offers.
. tests/cli/support.bash

ends 0 info pendulum
must "one degree of freedom" grep -Eq "degrees of freedom +1$" "$dir/stdout"
must "a recommended scheme" grep -Eq "recommended scheme +(ali3p|index1-rk4)" "$dir/stdout"
must "the parameter L" grep -Eq "^  L +1( |$)" "$dir/stdout"
must "the channel P.x in m" grep -Eq "^  P\.x +m$" "$dir/stdout"
must "the energy in J" grep -Eq "^  energy\.total +J$" "$dir/stdout"

ends 0 info four-bars --set N=40 --json
must "info is JSON" python3 -m json.tool "$dir/stdout"
must "81 bodies" grep -q '"bodies": 81,' "$dir/stdout"
must "3N + 3 variables" grep -q '"variables": 123,' "$dir/stdout"
must "one degree of freedom of many rods" grep -q '"degrees_of_freedom": 1,' "$dir/stdout"
ends 0 info pendulum --variables
must "variables by name" grep -Eq "^ +[0-9]+  (rod\.(point|vector)[0-9]+\.[xyz]|pivot\.angle)" "$dir/stdout"
ends 0 info pendulum --variables --json
must "variables in JSON" grep -q '"variable_names"' "$dir/stdout"
must "info with variables is JSON" python3 -m json.tool "$dir/stdout"
ends 2 info no-such-model --json
must "a refusal is JSON" python3 -m json.tool "$dir/stdout"

finish
