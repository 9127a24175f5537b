# SPDX-License-Identifier: Apache-2.0
#
# What was decided, on one screen.

get_property(summary_layers GLOBAL PROPERTY MAEOTIS_LAYERS)
get_property(summary_tests GLOBAL PROPERTY MAEOTIS_TEST_COUNT)
get_property(summary_cuda_sources GLOBAL PROPERTY MAEOTIS_CUDA_SOURCES)
list(LENGTH summary_cuda_sources summary_cuda_count)
string(STRIP "${summary_layers}" summary_layers)
string(JOIN " " summary_flags ${MAEOTIS_ARITHMETIC} ${MAEOTIS_MACHINE} ${MAEOTIS_SANITIZERS})
string(TOUPPER "${CMAKE_BUILD_TYPE}" summary_type)

set(summary_cuda "off (MAEOTIS_CUDA=ON or --preset cuda turns it on)")
if(MAEOTIS_CUDA)
    set(summary_cuda "${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}, ${summary_cuda_count} files")
endif()
if(NOT MAEOTIS_TESTS)
    set(summary_tests "off")
elseif(NOT MAEOTIS_CMOCKA_FOUND)
    string(APPEND summary_tests ", no C tests: cmocka is missing (libcmocka-dev)")
endif()

message(STATUS "")
message(STATUS "maeotis ${PROJECT_VERSION}")
message(STATUS "  build       ${CMAKE_BUILD_TYPE}, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
message(STATUS "  flags       ${CMAKE_C_FLAGS_${summary_type}} ${summary_flags}")
message(STATUS "  layers      ${summary_layers}   (C files)")
message(STATUS "  program     ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/maeotis")
message(STATUS "  MPI         ${MPI_C_VERSION} (${MPIEXEC_EXECUTABLE})")
message(STATUS "  libraries   PnetCDF ${MAEOTIS_PNETCDF_FOUND}, netCDF ${MAEOTIS_NETCDF_FOUND}, "
               "cJSON ${MAEOTIS_CJSON_FOUND}, muParser ${MAEOTIS_MUPARSER_FOUND}, "
               "UDUNITS ${MAEOTIS_UDUNITS_FOUND}")
message(STATUS "  PROJ        ${MAEOTIS_PROJ_FOUND} (/grid/crs)")
message(STATUS "  HYPRE       ${MAEOTIS_HYPRE_FOUND}, PETSc ${MAEOTIS_PETSC_FOUND} (maeotis bench solvers)")
message(STATUS "  FABM        ${FABM_LIBRARY}")
message(STATUS "  CUDA        ${summary_cuda}")
message(STATUS "  tests       ${summary_tests}")
message(STATUS "")
