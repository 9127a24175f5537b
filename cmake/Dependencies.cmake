# SPDX-License-Identifier: Apache-2.0
#
# The libraries from outside, gathered in `maeotis_dependencies`. A missing one stops the configuration with the
# name of the Debian package that holds it.

find_package(MPI REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)

add_library(maeotis_dependencies INTERFACE)
target_link_libraries(maeotis_dependencies INTERFACE MPI::MPI_C Threads::Threads m ${CMAKE_DL_LIBS})
# The C++ bindings of MPI are long gone; their header only slows the CUDA compiler down.
target_compile_definitions(maeotis_dependencies INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

# maeotis_find(NAME PACKAGE HEADER LIBRARY): the imported target maeotis_NAME, through pkg-config or by hand.
# Sets MAEOTIS_NAME_FOUND.
function(maeotis_find name package header library)
    string(TOUPPER ${name} upper)
    if(PkgConfig_FOUND)
        pkg_check_modules(PC_${upper} QUIET IMPORTED_TARGET ${package})
    endif()
    if(PC_${upper}_FOUND)
        add_library(maeotis_${name} ALIAS PkgConfig::PC_${upper})
        set(found "${PC_${upper}_VERSION}")
    else()
        find_path(MAEOTIS_${upper}_INCLUDE ${header} PATH_SUFFIXES cjson hypre udunits2)
        find_library(MAEOTIS_${upper}_LIBRARY ${library})
        mark_as_advanced(MAEOTIS_${upper}_INCLUDE MAEOTIS_${upper}_LIBRARY)
        if(MAEOTIS_${upper}_INCLUDE AND MAEOTIS_${upper}_LIBRARY)
            add_library(maeotis_${name} INTERFACE IMPORTED GLOBAL)
            target_include_directories(maeotis_${name} INTERFACE "${MAEOTIS_${upper}_INCLUDE}")
            target_link_libraries(maeotis_${name} INTERFACE "${MAEOTIS_${upper}_LIBRARY}")
            set(found "yes")
        endif()
    endif()
    set(MAEOTIS_${upper}_FOUND "${found}" PARENT_SCOPE)
endfunction()

# maeotis_require(NAME PACKAGE HEADER LIBRARY DEBIAN): a library that the program cannot do without.
macro(maeotis_require name package header library debian)
    maeotis_find(${name} ${package} ${header} ${library})
    string(TOUPPER ${name} upper_name)
    if(NOT MAEOTIS_${upper_name}_FOUND)
        message(FATAL_ERROR "${package} is missing: install ${debian} (Debian, Ubuntu) or set CMAKE_PREFIX_PATH")
    endif()
    target_link_libraries(maeotis_dependencies INTERFACE maeotis_${name})
endmacro()

maeotis_require(pnetcdf pnetcdf pnetcdf.h pnetcdf libpnetcdf-dev)
maeotis_require(netcdf netcdf netcdf.h netcdf libnetcdf-dev)
maeotis_require(cjson libcjson cJSON.h cjson libcjson-dev)
maeotis_require(muparser muparser muParserDLL.h muparser libmuparser-dev)
maeotis_require(udunits udunits udunits2.h udunits2 libudunits2-dev)

# Not needed: counts cores in place of threads (numerics/cluster/cluster.c).
maeotis_find(hwloc hwloc hwloc.h hwloc)
if(MAEOTIS_HWLOC_FOUND)
    target_link_libraries(maeotis_dependencies INTERFACE maeotis_hwloc)
    target_compile_definitions(maeotis_dependencies INTERFACE MAEOTIS_HWLOC)
endif()

# Not needed: where the metres of a map lie on the Earth (base/projection.c); the launcher installs it for the first scenario
# with /grid/crs.
maeotis_find(proj proj proj.h proj)
if(MAEOTIS_PROJ_FOUND)
    target_link_libraries(maeotis_dependencies INTERFACE maeotis_proj)
endif()
set(MAEOTIS_MAPS "${MAEOTIS_PROJ_FOUND}" CACHE INTERNAL "the launcher looks whether the program knows maps")
