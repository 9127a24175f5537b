# SPDX-License-Identifier: Apache-2.0
#
# Solvers of others for `maeotis bench` to measure against (bench/peers.h): plug-ins, so that nothing else
# loads them. One for each library that is there.

# maeotis_peer(NAME LIBRARY...): maeotis_NAME.so beside the program, from bench/peers/NAME.c; of solvers of sparse
# matrices also from rows.c.
function(maeotis_peer name)
    set(target "maeotis_peer_${name}")
    add_library(${target} MODULE "bench/peers/${name}.c")
    if(name MATCHES "^(hypre|petsc)$")
        target_sources(${target} PRIVATE bench/peers/rows.c)
    endif()
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME "maeotis_${name}" SUFFIX ".so"
                                               LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
    target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE maeotis_flags ${ARGN})
    add_dependencies(maeotis-bench ${target})
endfunction()

# `maeotis bench solvers`
maeotis_find(hypre hypre HYPRE.h HYPRE)
if(MAEOTIS_HYPRE_FOUND)
    maeotis_peer(hypre maeotis_hypre MPI::MPI_C)
endif()
maeotis_find(petsc petsc petscksp.h petsc)
if(MAEOTIS_PETSC_FOUND)
    maeotis_peer(petsc maeotis_petsc MPI::MPI_C)
endif()

# `maeotis bench lines`
maeotis_find(lapacke lapacke lapacke.h lapacke)
if(MAEOTIS_LAPACKE_FOUND)
    maeotis_peer(lapack maeotis_lapacke)
endif()
if(TARGET CUDA::cusparse)
    maeotis_peer(cusparse CUDA::cusparse CUDA::cudart)
endif()

# `maeotis bench sweeps --device gpu`
if(TARGET CUDA::cusparse)
    maeotis_peer(cusparse_sweeps CUDA::cusparse CUDA::cudart)
endif()
