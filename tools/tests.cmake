# SPDX-License-Identifier: MIT
# Tests, examples and bench, included by the CMakeLists.txt at the top. A new file in one of the folders below
# is found by its name; nothing has to be listed.
find_path(BIELA_CMOCKA_INCLUDE cmocka.h)
find_library(BIELA_CMOCKA_LIBRARY cmocka)
find_library(BIELA_KLU_LIBRARY klu)
find_program(BIELA_CXX NAMES $ENV{CXX} g++ clang++ c++)
set(test_timeout 1200) # seconds: only what hangs is cut, whatever else the machine does

# Common to the programs that may look inside: tests and bench.
function(biela_insider target)
    target_include_directories(${target} PRIVATE src tests)
    target_include_directories(${target} SYSTEM PRIVATE ${BIELA_AMD_INCLUDE} ${BIELA_CMOCKA_INCLUDE})
    target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700
        BI_SOURCE_DIR="${PROJECT_SOURCE_DIR}" BI_EXECUTABLE="${biela_executable}")
    target_link_libraries(${target} PRIVATE biela_flags biela_server biela_record biela_control biela_realtime biela_io biela m)
    if(BIELA_KLU_LIBRARY)
        target_link_libraries(${target} PRIVATE ${BIELA_KLU_LIBRARY})
    endif()
    if(TARGET biela_cli)
        add_dependencies(${target} biela_cli)
    endif()
endfunction()

# A test runs in the source root, finds the command in $BIELA, and may not take longer than the timeout.
function(biela_add_test name label)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${test_timeout} LABELS ${label}
        ENVIRONMENT "BIELA=${biela_executable}")
endfunction()

# tests/unit/math/test_expr.c -> unit.math.expr; helpers shared by several tests live in tests/support
if(BIELA_CMOCKA_LIBRARY AND BIELA_CMOCKA_INCLUDE)
    file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS tests/support/*.c)
    if(support_sources)
        add_library(biela_test_support STATIC ${support_sources})
        biela_insider(biela_test_support)
    endif()
    # sanitized, comparisons with references take long and find nothing that others do not
    option(BIELA_LONG_TESTS "build the comparisons with references under the sanitizers, too" OFF)
    set(kinds unit laws physics golden api)
    if(BIELA_LONG_TESTS OR NOT CMAKE_BUILD_TYPE STREQUAL "Sanitize")
        list(APPEND kinds reference equivalence)
    endif()
    foreach(kind IN LISTS kinds)
        file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/${kind}/test_*.c)
        foreach(source IN LISTS test_sources)
            cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests OUTPUT_VARIABLE name)
            string(REGEX REPLACE "\\.c$" "" name ${name})
            string(REGEX REPLACE "/test_([^/]*)$" "/\\1" name ${name})
            string(REPLACE "/" "." name ${name})
            string(REPLACE "." "_" target test_${name})
            add_executable(${target} ${source})
            set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
            target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:biela_test_support>)
            biela_insider(${target})
            target_link_libraries(${target} PRIVATE ${BIELA_CMOCKA_LIBRARY})
            # pages of the command that are mathematics only
            if(name MATCHES "^unit\\.app\\.")
                target_include_directories(${target} PRIVATE app)
                target_sources(${target} PRIVATE app/study/statistics.c app/study/distribution.c app/measure/rainflow.c app/cli/words.c app/course/exercise.c app/course/exercise_read.c app/course/exercise_tell.c
                    app/cli/files.c app/cli/json.c app/cli/json_read.c app/measure/contact_boxes.c)
            endif()
            # a joystick that exists only in SDL
            if(SDL2_FOUND AND name STREQUAL "unit.control.devices")
                target_compile_definitions(${target} PRIVATE BI_HAS_SDL=1)
                target_link_libraries(${target} PRIVATE PkgConfig::SDL2)
            endif()
            biela_add_test(${name} ${kind} ${target})
            if(name MATCHES "_slow$")
                set_tests_properties(${name} PROPERTIES COST 100)
            endif()
        endforeach()
    endforeach()
    # the two threads of the loop once more under the thread sanitizer, which is not compatible with the address sanitizer
    if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        file(GLOB realtime_sources CONFIGURE_DEPENDS src/realtime/*.c)
        add_executable(tsan_realtime_loop tests/unit/realtime/test_loop.c ${realtime_sources})
        set_target_properties(tsan_realtime_loop PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
        target_compile_options(tsan_realtime_loop PRIVATE -fsanitize=thread -g)
        target_link_options(tsan_realtime_loop PRIVATE -fsanitize=thread)
        biela_insider(tsan_realtime_loop)
        target_link_libraries(tsan_realtime_loop PRIVATE ${BIELA_CMOCKA_LIBRARY})
        biela_add_test(thread.realtime.loop unit tsan_realtime_loop)
    endif()
else()
    message(STATUS "cmocka not found: the C tests are skipped (Debian: libcmocka-dev)")
endif()

# tests/cli/info.sh -> cli.info; the script finds the command in $BIELA
file(GLOB cli_tests CONFIGURE_DEPENDS tests/cli/*.sh)
foreach(source IN LISTS cli_tests)
    cmake_path(GET source STEM name)
    # other programs are compared with the release build only
    if(CMAKE_BUILD_TYPE STREQUAL "Sanitize" AND name MATCHES "^(compare_ccx)$")
        continue()
    endif()
    biela_add_test(cli.${name} cli bash ${source})
    # 77: another program that it compares with is not installed
    set_tests_properties(cli.${name} PROPERTIES SKIP_RETURN_CODE 77)
    # the longest begin first
    if(name MATCHES "^(guide|documents|instructions|instructions_machines|yard_slow)$")
        set_tests_properties(cli.${name} PROPERTIES COST 100)
    endif()
endforeach()

# tests/matrix: every model with every setting and every command, under the sanitizers; a choice here, all of them in tests/soak
if(CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    find_program(BIELA_PYTHON python3)
    biela_add_test(matrix.pairs matrix ${BIELA_PYTHON} tests/matrix/runs.py pairs)
    biela_add_test(matrix.commands matrix ${BIELA_PYTHON} tests/matrix/commands.py pairs)
    set_tests_properties(matrix.pairs matrix.commands PROPERTIES PROCESSORS 2 COST 200)
endif()

# tests/web/page.sh -> web.page; the page is the same for every build, so one of them tests it
if(NOT CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    file(GLOB web_tests CONFIGURE_DEPENDS tests/web/*.sh)
    foreach(source IN LISTS web_tests)
        cmake_path(GET source STEM name)
        biela_add_test(web.${name} web bash ${source})
        # one browser at a time, beside tests without one, and early: together they take long; 77: there is no browser
        set_tests_properties(web.${name} PROPERTIES SKIP_RETURN_CODE 77 RESOURCE_LOCK browser COST 50)
    endforeach()
endif()

# examples/01_four_bar.c -> example.01_four_bar; examples see what a user sees: include/ only
file(GLOB example_sources CONFIGURE_DEPENDS examples/*.c)
foreach(source IN LISTS example_sources)
    cmake_path(GET source STEM name)
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    target_compile_definitions(example_${name} PRIVATE _XOPEN_SOURCE=700)
    target_link_libraries(example_${name} PRIVATE biela_flags biela_realtime biela_io biela m)
    biela_add_test(example.${name} example example_${name})
endforeach()

# random mechanisms from seeds, of the public API alone; tests/soak/random.sh runs many more
file(GLOB random_sources CONFIGURE_DEPENDS tests/random/*.c)
add_executable(random_mechanisms ${random_sources})
set_target_properties(random_mechanisms PROPERTIES OUTPUT_NAME random RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_compile_definitions(random_mechanisms PRIVATE _XOPEN_SOURCE=700)
target_link_libraries(random_mechanisms PRIVATE biela_flags biela_io biela m)
set(random_seeds 1..300)
if(CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    set(random_seeds 1..40)
endif()
biela_add_test(random.mechanisms random random_mechanisms --seeds ${random_seeds} --jobs 2)
file(GLOB random_found CONFIGURE_DEPENDS tests/random/found/*.yaml)
biela_add_test(random.found random random_mechanisms --files ${random_found})

# every public header compiles alone, as C and as C++ of every year that is in use
file(GLOB public_headers CONFIGURE_DEPENDS include/biela/*.h)
set(header_flags -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I${PROJECT_SOURCE_DIR}/include)
foreach(year IN ITEMS c99 c11 c17 c++11 c++17 c++20)
    string(FIND ${year} ++ is_cxx)
    set(compiler ${CMAKE_C_COMPILER} -x c)
    if(is_cxx GREATER 0)
        set(compiler ${BIELA_CXX} -x c++)
    endif()
    if(is_cxx LESS 0 OR BIELA_CXX)
        string(REPLACE + x name ${year})
        biela_add_test(header.${name} header bash tests/support/headers.sh ${compiler} -std=${year} ${header_flags})
    endif()
endforeach()
if(NOT BIELA_CXX)
    message(STATUS "no C++ compiler found: public headers are tested as C only (Debian: g++)")
endif()

# `bench` builds and runs biela_bench
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.c)
if(bench_sources)
    add_executable(biela_bench ${bench_sources})
    biela_insider(biela_bench)
    add_custom_target(bench COMMAND biela_bench WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL)
endif()

# tests/fuzz/yaml.c -> fuzz/yaml, with clang in the preset `fuzz` only
if(CMAKE_BUILD_TYPE STREQUAL "Fuzz")
    file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.c)
    add_custom_target(fuzzers)
    foreach(source IN LISTS fuzz_sources)
        cmake_path(GET source STEM name)
        add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
        set_target_properties(fuzz_${name} PROPERTIES OUTPUT_NAME ${name}
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzzers)
        biela_insider(fuzz_${name})
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzzers fuzz_${name})
    endforeach()
endif()
