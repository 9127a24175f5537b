# SPDX-License-Identifier: Apache-2.0
#
# The GPU target. Files that hold kernels are plain C that is also valid C++; here nvcc compiles them, for the
# processor and for the GPU at once:
#
#     *_kernels.c  *_blocks.c  gpu/card.c  gpu/device.c  gpu/managed.c
#
# CUDA 13 no longer knows Volta. The last architecture is kept as PTX too, so that newer GPUs can run it.

option(MAEOTIS_CUDA_TOGETHER "Compile the kernel files of a folder as one: quick, but a change compiles all of them" OFF)
if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "75-real;80-real;90" CACHE STRING "GPU architectures to compile for")
endif()
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(MAEOTIS_NVCC nvcc HINTS /usr/local/cuda/bin /opt/cuda/bin)
    mark_as_advanced(MAEOTIS_NVCC)
    if(MAEOTIS_NVCC)
        set(CMAKE_CUDA_COMPILER "${MAEOTIS_NVCC}")
    endif()
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CUDA_FLAGS_DEBUG "-O1 -g -lineinfo -DMAEOTIS_DEBUG")

# `#pragma unroll` is meant for nvcc alone.
set(cuda_host ${MAEOTIS_ARITHMETIC} ${MAEOTIS_MACHINE} ${MAEOTIS_SANITIZERS} -Wall -Wextra -Wshadow -Wno-unknown-pragmas)
list(TRANSFORM cuda_host PREPEND "-Xcompiler=")
target_compile_options(maeotis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;${cuda_host}>")
if(MAEOTIS_WERROR)
    target_compile_options(maeotis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>")
endif()
target_compile_definitions(maeotis_dependencies INTERFACE MAEOTIS_CUDA)
target_link_libraries(maeotis_dependencies INTERFACE CUDA::cudart_static)

# maeotis_cuda_sources(SOURCE...): gives the ones that hold kernels to nvcc.
function(maeotis_cuda_sources)
    foreach(source IN LISTS ARGN)
        file(RELATIVE_PATH path "${CMAKE_SOURCE_DIR}" "${source}")
        if(path MATCHES "_(kernels|blocks)\\.c$" OR path MATCHES "^gpu/(card|device|managed)\\.c$")
            set_source_files_properties("${source}" PROPERTIES LANGUAGE CUDA)
            set_property(GLOBAL APPEND PROPERTY MAEOTIS_CUDA_SOURCES "${path}")
        endif()
    endforeach()
endfunction()

# maeotis_cuda_together(LAYER SOURCES): the kernel files of each folder become one: nvcc spends more on the headers than on what most
# of them hold. Files that define a macro for a header stay apart.
function(maeotis_cuda_together layer sources)
    foreach(source IN LISTS ${sources})
        file(READ "${source}" text)
        if(NOT source MATCHES "_kernels\\.c$" OR text MATCHES "#define.*#include")
            continue()
        endif()
        get_filename_component(folder "${source}" DIRECTORY)
        get_filename_component(folder "${folder}" NAME)
        list(APPEND folders ${folder})
        string(APPEND includes_${folder} "#include \"${source}\"\n")
        list(REMOVE_ITEM ${sources} "${source}")
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        set(all "${CMAKE_BINARY_DIR}/together/${layer}_${folder}_kernels.c")
        file(CONFIGURE OUTPUT "${all}" CONTENT "${includes_${folder}}" @ONLY)
        set_source_files_properties("${all}" PROPERTIES LANGUAGE CUDA)
        list(APPEND ${sources} "${all}")
    endforeach()
    set(${sources} ${${sources}} PARENT_SCOPE)
endfunction()
