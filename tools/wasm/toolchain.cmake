# SPDX-License-Identifier: MIT
# Compiles for WebAssembly: clang as emcc would call it (emcc itself is a script that takes longer than most of our files),
# emcc to link.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(BIELA_WASM ON)
find_program(BIELA_EMCC emcc REQUIRED)
find_program(CMAKE_C_COMPILER NAMES clang-14 clang REQUIRED)
find_program(CMAKE_AR emar REQUIRED)
find_program(CMAKE_RANLIB emranlib REQUIRED)
execute_process(COMMAND ${BIELA_EMCC} --cflags OUTPUT_VARIABLE emcc_flags OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_C_FLAGS_INIT "${emcc_flags}")
set(CMAKE_C_LINK_EXECUTABLE "${BIELA_EMCC} <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_EXECUTABLE_SUFFIX .js)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
