#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Source FMUs, compiled by gcc and by clang as a simulator would.
FMU_COMPILERS="gcc -O2 -Wno-psabi;clang -O2;gcc -O0 -Wno-psabi" exec bash tests/cli/sources.sh
