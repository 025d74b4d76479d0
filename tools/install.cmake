# SPDX-License-Identifier: MIT
# What `cmake --install` gives besides the libraries and the command, and the Debian packages that `cpack` makes of it;
# included by the CMakeLists.txt at the top. Components are packages: runtime, development, command, python.
include(CMakePackageConfigHelpers)
set(share ${CMAKE_INSTALL_DATADIR}/biela)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development OPTIONAL FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models/ DESTINATION ${share}/models COMPONENT command OPTIONAL)
# the page of the live simulator, when tools/viewer has built it
install(DIRECTORY web/dist/ DESTINATION ${share}/web COMPONENT command OPTIONAL)
install(DIRECTORY web/mappings DESTINATION ${share}/web COMPONENT command OPTIONAL)
# the documentation as a site, when tools/site has made it
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/site DESTINATION ${share} COMPONENT command OPTIONAL)
# the first line of a model names the schema as ../../docs/reference/biela.schema.json
install(FILES docs/reference/biela.schema.json DESTINATION ${share}/docs/reference COMPONENT command OPTIONAL)

# ---- words: the documentation as it stands here, so that its links work, licence and examples ------------------------

install(FILES README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command PATTERN "*.toml" EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
foreach(package IN ITEMS runtime=libbiela${BIELA_ABI} development=libbiela-dev command=biela python=python3-biela)
    string(REPLACE "=" ";" package ${package})
    list(GET package 0 component)
    list(GET package 1 name)
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright COMPONENT ${component})
endforeach()

# ---- nothing global but bi_... in what is installed; not for objects of the sanitizers, which name each other ----------

if(CMAKE_OBJCOPY AND CMAKE_LINKER AND NOT APPLE AND NOT CMAKE_BUILD_TYPE MATCHES "Sanitize|Fuzz|Thread")
    install(CODE "
        file(GLOB sealed \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libbiela*.a\")
        execute_process(COMMAND ${CMAKE_COMMAND} -E env LD=${CMAKE_LINKER} OBJCOPY=${CMAKE_OBJCOPY} AR=${CMAKE_AR}
            ${PROJECT_SOURCE_DIR}/tools/seal \${sealed} RESULT_VARIABLE failed)
        if(failed)
            message(FATAL_ERROR \"tools/seal failed\")
        endif()" COMPONENT development)
endif()

# ---- find_package(biela): biela::shared; biela::biela, biela::io, ... are the static ones -----------------------------

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/biela)
configure_package_config_file(tools/biela-config.cmake.in ${PROJECT_BINARY_DIR}/biela-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/biela-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/biela-config.cmake ${PROJECT_BINARY_DIR}/biela-config-version.cmake
    DESTINATION ${package_dir} COMPONENT development)
install(EXPORT biela_targets NAMESPACE biela:: DESTINATION ${package_dir} COMPONENT development)
if(TARGET biela_shared)
    install(EXPORT biela_shared_targets NAMESPACE biela:: DESTINATION ${package_dir} COMPONENT development)
endif()

# ---- pkg-config biela, and biela-static --------------------------------------------------------------------------------

# the prefix is found from the place of biela.pc, so that a moved installation works
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(tools/biela-static.pc.in ${PROJECT_BINARY_DIR}/biela-static.pc @ONLY)
if(TARGET biela_shared)
    configure_file(tools/biela.pc.in ${PROJECT_BINARY_DIR}/biela.pc @ONLY)
else()
    configure_file(tools/biela-static.pc.in ${PROJECT_BINARY_DIR}/biela.pc @ONLY)
endif()
install(FILES ${PROJECT_BINARY_DIR}/biela.pc ${PROJECT_BINARY_DIR}/biela-static.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# ---- manual pages and completion, made by the command from its own tables ------------------------------------

if(TARGET biela_cli AND NOT CMAKE_CROSSCOMPILING AND NOT CMAKE_BUILD_TYPE STREQUAL "Fuzz")
    set(manual ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(TARGET biela_cli POST_BUILD
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
        COMMAND biela_cli help --man ${manual}/man1
        COMMAND biela_cli help --completion > ${manual}/biela.bash
        VERBATIM)
    install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT command)
    install(FILES ${manual}/biela.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME biela
        COMPONENT command)
endif()

# ---- Python: nothing to build; Debian's python3 looks into lib/python3/dist-packages --------------------------------------

set(BIELA_PYTHON_DIR lib/python3/dist-packages CACHE STRING "where the Python package goes, under the prefix")
if(TARGET biela_shared)
    install(DIRECTORY python/biela DESTINATION ${BIELA_PYTHON_DIR} COMPONENT python
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()

# ---- Debian packages: cpack -G DEB in the build folder ---------------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME biela)
set(CPACK_PACKAGE_CONTACT "Biela <biela@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF) # archives keep their names; the rest is stripped by the linker
set(CPACK_COMPONENTS_ALL runtime development command python)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# sweeps over mpirun apart, so that the command does not ask for an MPI library
if(TARGET biela_mpi)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_NAME biela-mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
    set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "biela (= ${PROJECT_VERSION})")
    set(CPACK_COMPONENT_MPI_DESCRIPTION "Multibody dynamics: sweeps over mpirun")
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libbiela${BIELA_ABI})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Multibody dynamics engine, shared library")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbiela-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libbiela${BIELA_ABI} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libsuitesparse-dev, libfyaml-dev, libexpat1-dev, libhdf5-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Multibody dynamics engine, headers, static libraries and examples")
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME biela)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "gnuplot-nox, biela-mpi")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "Multibody dynamics: the command, its page, models and manual")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-biela)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libbiela${BIELA_ABI} (= ${PROJECT_VERSION}), python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS biela)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Multibody dynamics engine for Python")
include(CPack)
