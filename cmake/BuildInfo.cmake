# SPDX-License-Identifier: Apache-2.0
#
# Writes "base/build_info.h", by which a run and its output files know how they were made. It is written anew only
# when something in it changed, so a build without changes stays without work. Run as a script (cmake -P) it is the
# build step; included, it sets that step up.

if(CMAKE_SCRIPT_MODE_FILE)
    execute_process(
        COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12 --exclude "*"
        OUTPUT_VARIABLE MAEOTIS_COMMIT
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(MAEOTIS_COMMIT "unknown")
    endif()
    # tables of the ground that are kept (model/subgrid/kept.h) must not outlive changes that no commit holds yet
    file(GLOB sources "${SOURCE_DIR}/bathymetry/*.[ch]" "${SOURCE_DIR}/model/subgrid/*.[ch]")
    set(hashes "")
    foreach(source IN LISTS sources)
        file(SHA1 "${source}" hash)
        string(APPEND hashes "${hash}")
    endforeach()
    string(SHA1 MAEOTIS_GROUND_SOURCE "${hashes}")
    configure_file("${CMAKE_CURRENT_LIST_DIR}/build_info.h.in" "${HEADER}" @ONLY)
    return()
endif()

set(MAEOTIS_GENERATED_DIR "${CMAKE_BINARY_DIR}/generated")
string(JOIN " " info_flags ${MAEOTIS_ARITHMETIC} ${MAEOTIS_MACHINE} ${MAEOTIS_SANITIZERS})
string(TOUPPER "${CMAKE_BUILD_TYPE}" info_type)
add_custom_target(
    maeotis_build_info
    COMMAND
        ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DHEADER=${MAEOTIS_GENERATED_DIR}/base/build_info.h
        -DMAEOTIS_VERSION=${PROJECT_VERSION} "-DMAEOTIS_COMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
        "-DMAEOTIS_FLAGS=${CMAKE_C_FLAGS_${info_type}} ${info_flags}" -DMAEOTIS_BUILD_TYPE=${CMAKE_BUILD_TYPE} -P
        ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${MAEOTIS_GENERATED_DIR}/base/build_info.h
    COMMENT "" VERBATIM)
