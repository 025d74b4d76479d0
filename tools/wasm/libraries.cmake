# SPDX-License-Identifier: MIT
# What the engine stands on, from the sources of Debian's packages (tools/wasm/sources fetches them): libfyaml, expat, AMD.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(BIELA_WASM_SOURCES ${PROJECT_SOURCE_DIR}/build/wasm-sources CACHE PATH "sources of libfyaml, expat and suitesparse")
foreach(name IN ITEMS libfyaml expat suitesparse)
    if(NOT EXISTS ${BIELA_WASM_SOURCES}/${name})
        message(FATAL_ERROR "${BIELA_WASM_SOURCES}/${name} is missing: tools/wasm/build fetches it")
    endif()
endforeach()

function(add_foreign_library name)
    cmake_parse_arguments(PARSE_ARGV 1 foreign "" "" "SOURCES;INCLUDE;DEFINE")
    add_library(${name} STATIC ${foreign_SOURCES})
    target_include_directories(${name} SYSTEM PUBLIC ${foreign_INCLUDE})
    target_compile_definitions(${name} PRIVATE ${foreign_DEFINE})
    target_compile_options(${name} PRIVATE -w)
    set_target_properties(${name} PROPERTIES C_EXTENSIONS ON)
endfunction()

set(root ${BIELA_WASM_SOURCES}/libfyaml)
file(GLOB sources ${root}/src/lib/*.c ${root}/src/xxhash/*.c)
add_foreign_library(biela_fyaml SOURCES ${sources} DEFINE _GNU_SOURCE VERSION="wasm"
    INCLUDE ${root}/include ${root}/src/lib ${root}/src/xxhash)
add_library(PkgConfig::FYAML ALIAS biela_fyaml)

set(root ${BIELA_WASM_SOURCES}/expat)
add_foreign_library(biela_expat SOURCES ${root}/lib/xmlparse.c ${root}/lib/xmlrole.c ${root}/lib/xmltok.c
    DEFINE XML_GE=1 XML_DTD XML_NS XML_CONTEXT_BYTES=1024 HAVE_MEMMOVE XML_DEV_URANDOM INCLUDE ${root}/lib)
add_library(PkgConfig::EXPAT ALIAS biela_expat)

set(root ${BIELA_WASM_SOURCES}/suitesparse)
file(GLOB sources ${root}/AMD/Source/*.c)
add_foreign_library(biela_amd SOURCES ${sources} ${root}/SuiteSparse_config/SuiteSparse_config.c
    DEFINE NTIMER INCLUDE ${root}/AMD/Include ${root}/SuiteSparse_config)
# found as <suitesparse/amd.h>, as installed
file(COPY ${root}/AMD/Include/amd.h ${root}/SuiteSparse_config/SuiteSparse_config.h
    DESTINATION ${PROJECT_BINARY_DIR}/include/suitesparse)
set(BIELA_AMD_INCLUDE ${PROJECT_BINARY_DIR}/include)
set(BIELA_AMD_LIBRARY biela_amd)
