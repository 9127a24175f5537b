# SPDX-License-Identifier: Apache-2.0
#
# find_package(maeotis): the target maeotis::kinetics, for kinetics modules of the user's own, and in an installed copy
# maeotis::bmi, the sea as a library. Found there, or in a source tree with -Dmaeotis_DIR=TREE/cmake.

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../kinetics/maeotis_kinetics.h")
    get_filename_component(maeotis_include "${CMAKE_CURRENT_LIST_DIR}/../kinetics" ABSOLUTE)
else()
    get_filename_component(maeotis_include "${CMAKE_CURRENT_LIST_DIR}/../../../include/maeotis" ABSOLUTE)
endif()
if(NOT EXISTS "${maeotis_include}/maeotis_kinetics.h")
    set(maeotis_FOUND FALSE)
    set(maeotis_NOT_FOUND_MESSAGE "there is no maeotis_kinetics.h in ${maeotis_include}")
elseif(NOT TARGET maeotis::kinetics)
    add_library(maeotis::kinetics INTERFACE IMPORTED)
    set_target_properties(maeotis::kinetics PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${maeotis_include}")
endif()
find_library(MAEOTIS_BMI_LIBRARY maeotis_bmi HINTS "${CMAKE_CURRENT_LIST_DIR}/../.." PATH_SUFFIXES . ${CMAKE_LIBRARY_ARCHITECTURE})
mark_as_advanced(MAEOTIS_BMI_LIBRARY)
if(maeotis_include AND MAEOTIS_BMI_LIBRARY AND NOT TARGET maeotis::bmi)
    add_library(maeotis::bmi SHARED IMPORTED)
    set_target_properties(maeotis::bmi PROPERTIES IMPORTED_LOCATION "${MAEOTIS_BMI_LIBRARY}"
                                                  INTERFACE_INCLUDE_DIRECTORIES "${maeotis_include}")
endif()
