# SPDX-License-Identifier: Apache-2.0
#
# The GPU target. Files that hold kernels are plain C that is also valid C++; here nvcc compiles them, for the
# processor and for the GPU at once:
#
#     *_kernels.c  *_blocks.c  gpu/card.c  gpu/device.c  gpu/managed.c
#
# CUDA 13 no longer knows Volta. The last architecture is kept as PTX too, so that newer GPUs can run it.

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
