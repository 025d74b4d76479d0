# SPDX-License-Identifier: MIT
# Writes the sources that FMUs carry: the engine as far as a compiled model needs it and the library of FMUs, all pages in one
# folder under flat names, so that `cc -shared *.c` makes the library. A page names the others by these names; each begins with
# fmu_first.h, which holds what our own build says on the command line.
# usage: cmake -DROOT=... -DOUT=... -DVERSION=... -DBUILD=... -P tools/fmu_sources.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${OUT}")
file(MAKE_DIRECTORY "${OUT}")

# what only reads, compiles or asks other questions of a model stays at home
set(left_out "^(exact|batch|lanes|io|realtime|record|server|control)/|^flex/modes/(eigen|reduce)|^sparse/front|^sim/image/image_make")
file(GLOB_RECURSE engine RELATIVE "${ROOT}/src" "${ROOT}/src/*.[ch]")
list(FILTER engine EXCLUDE REGEX "${left_out}")
file(GLOB_RECURSE public RELATIVE "${ROOT}/include" "${ROOT}/include/*.h")
file(GLOB fmu RELATIVE "${ROOT}/app" "${ROOT}/app/fmu/*.[ch]")
list(FILTER fmu EXCLUDE REGEX "fmu/(files|silence)\\.c$")

set(names "fmu_first.h")

# write(PATH NAME FIRST): one page under its flat name, with the flat names of what it includes
function(write path name first)
    if(name IN_LIST names)
        message(FATAL_ERROR "two pages would be ${name}")
    endif()
    file(READ "${path}" text)
    string(REGEX MATCHALL "#include [\"<][a-z_0-9]+/[a-z_0-9/]+\\.h[\">]" includes "${text}")
    list(REMOVE_DUPLICATES includes)
    foreach(include IN LISTS includes)
        if(NOT include MATCHES "#include <(sys|suitesparse)/")
            string(REGEX REPLACE "#include [\"<](.*)[\">]" "\\1" to "${include}")
            string(REPLACE "/" "_" to "${to}")
            string(REPLACE "${include}" "#include \"${to}\"" text "${text}")
        endif()
    endforeach()
    file(WRITE "${OUT}/${name}" "${first}${text}")
    set(names "${names};${name}" PARENT_SCOPE)
endfunction()

foreach(page IN LISTS engine public fmu)
    string(REPLACE "/" "_" name "${page}")
    if(page IN_LIST public)
        write("${ROOT}/include/${page}" "${name}" "")
    else()
        set(room "${ROOT}/src")
        if(page IN_LIST fmu)
            set(room "${ROOT}/app")
        endif()
        set(first "")
        if(page MATCHES "\\.c$")
            set(first "#include \"fmu_first.h\"\n")
        endif()
        write("${room}/${page}" "${name}" "${first}")
        # the laws of tyres once more on numbers without derivatives
        if(page MATCHES "^laws/tyre/(kinds/.*|carcass|magic|wheel_load)\\.c$")
            string(REPLACE ".c" "_values.c" name "${name}")
            write("${room}/${page}" "${name}" "#define TYRE_VALUES\n${first}")
        endif()
    endif()
endforeach()

file(WRITE "${OUT}/fmu_first.h" "// SPDX-License-Identifier: MIT
/* fmu_first.h - what every page of these sources begins with: they are those of Biela ${VERSION}, as far as running a compiled
 * model needs them. C17 with the vectors of gcc or clang, and POSIX. */
#pragma once
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#define BI_VERSION \"${VERSION}\"
#define BI_BUILD_NAME \"${BUILD}\"
#define BI_RUNS_ONLY 1
/* no product and sum in one: its rounding differs from machine to machine */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored \"-Wpsabi\" /* vectors of four lanes never cross the border of a page */
#elif defined(__FMA__) && !defined(__STRICT_ANSI__)
#error \"compile with -std=c17 -ffp-contract=off: the results would be others\"
#endif
#ifdef __FAST_MATH__
#error \"compile without -ffast-math: the results would be others\"
#endif
#include \"base_prelude.h\"
")
list(SORT names)
string(REPLACE ";" "\n" names "${names}")
file(WRITE "${OUT}/pages.txt" "${names}\n")
