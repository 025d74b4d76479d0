# SPDX-License-Identifier: MIT
# What `cmake --install` gives besides the libraries and the command, included by the CMakeLists.txt at the top.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} OPTIONAL FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/biela/models OPTIONAL)
# the page of the live simulator, when tools/viewer has built it
install(DIRECTORY web/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/biela/web OPTIONAL)
# the first line of a model names the schema as ../../docs/reference/biela.schema.json
install(FILES docs/reference/biela.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/biela/docs/reference OPTIONAL)

# ---- nothing global but bi_... in what is installed; not for objects of the sanitizers, which name each other ----------

if(CMAKE_OBJCOPY AND CMAKE_LINKER AND NOT APPLE AND NOT CMAKE_BUILD_TYPE MATCHES "Sanitize|Fuzz|Thread")
    install(CODE "
        file(GLOB sealed \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libbiela*.a\")
        execute_process(COMMAND ${CMAKE_COMMAND} -E env LD=${CMAKE_LINKER} OBJCOPY=${CMAKE_OBJCOPY} AR=${CMAKE_AR}
            ${PROJECT_SOURCE_DIR}/tools/seal \${sealed} RESULT_VARIABLE failed)
        if(failed)
            message(FATAL_ERROR \"tools/seal failed\")
        endif()")
endif()

# ---- find_package(biela): biela::biela and biela::io ---------------------------------------------------------

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/biela)
configure_package_config_file(tools/biela-config.cmake.in ${PROJECT_BINARY_DIR}/biela-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/biela-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/biela-config.cmake ${PROJECT_BINARY_DIR}/biela-config-version.cmake
    DESTINATION ${package_dir})
install(EXPORT biela_targets NAMESPACE biela:: DESTINATION ${package_dir})

# ---- pkg-config biela ----------------------------------------------------------------------------------------

# the prefix is found from the place of biela.pc, so that a moved installation works
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(tools/biela.pc.in ${PROJECT_BINARY_DIR}/biela.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/biela.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- manual pages and completion, made by the command from its own tables ------------------------------------

if(TARGET biela_cli AND NOT CMAKE_CROSSCOMPILING AND NOT CMAKE_BUILD_TYPE STREQUAL "Fuzz")
    set(manual ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(TARGET biela_cli POST_BUILD
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
        COMMAND biela_cli help --man ${manual}/man1
        COMMAND biela_cli help --completion > ${manual}/biela.bash
        VERBATIM)
    install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(FILES ${manual}/biela.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME biela)
endif()
