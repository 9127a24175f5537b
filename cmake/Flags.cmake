# SPDX-License-Identifier: Apache-2.0
#
# The compiler's flags, as the interface library `maeotis_flags`.
#
# The first group decides the arithmetic and is the same in every build: no fused multiply-add that the source does
# not ask for, so that every target, vector width and rank count gives the same bits. It gives up only what the
# program never looks at (errno of math functions, floating-point traps).

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

set(MAEOTIS_ARITHMETIC -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd)
set(MAEOTIS_MACHINE "")

if(MAEOTIS_NATIVE)
    check_c_compiler_flag(-march=native MAEOTIS_HAS_MARCH_NATIVE)
    if(MAEOTIS_HAS_MARCH_NATIVE)
        list(APPEND MAEOTIS_MACHINE -march=native)
        set(CMAKE_REQUIRED_FLAGS "-march=native")
        check_c_source_compiles("
            #ifndef __AVX512F__
            #error no AVX-512
            #endif
            int main(void) { return 0; }" MAEOTIS_CPU_HAS_AVX512)
        unset(CMAKE_REQUIRED_FLAGS)
        check_c_compiler_flag(-mprefer-vector-width=512 MAEOTIS_HAS_VECTOR_WIDTH)
        if(MAEOTIS_CPU_HAS_AVX512 AND MAEOTIS_HAS_VECTOR_WIDTH)
            list(APPEND MAEOTIS_MACHINE -mprefer-vector-width=512)
        endif()
    endif()
endif()

# Tables leave out what is nothing at the end of a row, of which GCC and clang think differently.
set(MAEOTIS_WARNINGS -Wall -Wextra -Wshadow -Wno-missing-field-initializers)
set(MAEOTIS_C_WARNINGS -Wvla -Wstrict-prototypes -Wmissing-prototypes)
# Vectors wider than the machine's are passed in memory, which matters only between files of different flags.
list(APPEND MAEOTIS_C_WARNINGS -Wno-psabi)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # A loop that clang could not vectorise is no mistake in the source.
    list(APPEND MAEOTIS_C_WARNINGS -Wno-pass-failed)
endif()
if(MAEOTIS_WERROR)
    list(APPEND MAEOTIS_C_WARNINGS -Werror)
endif()

set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -DMAEOTIS_DEBUG")

set(MAEOTIS_SANITIZERS "")
if(MAEOTIS_SANITIZE)
    set(CMAKE_C_FLAGS_DEBUG "-O1 -g1 -DMAEOTIS_DEBUG") # lines for their reports, without a debugger's variables: a third less
    set(MAEOTIS_SANITIZERS -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
endif()
if(MAEOTIS_FUZZ)
    list(APPEND MAEOTIS_SANITIZERS -fsanitize=fuzzer-no-link)
endif()

# Nobody replaces a function of the library by another: they may be inlined there, too.
check_c_compiler_flag(-fno-semantic-interposition MAEOTIS_HAS_NO_INTERPOSITION)

add_library(maeotis_flags INTERFACE)
target_compile_definitions(maeotis_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE>)
target_compile_options(
    maeotis_flags
    INTERFACE "$<$<COMPILE_LANGUAGE:C>:${MAEOTIS_ARITHMETIC};${MAEOTIS_MACHINE};${MAEOTIS_SANITIZERS}>"
              "$<$<COMPILE_LANGUAGE:C>:${MAEOTIS_WARNINGS};${MAEOTIS_C_WARNINGS}>"
              "$<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${MAEOTIS_HAS_NO_INTERPOSITION}>>:-fno-semantic-interposition>")
target_link_options(maeotis_flags INTERFACE ${MAEOTIS_SANITIZERS})

if(MAEOTIS_SANITIZE)
    add_library(maeotis_keep_modules OBJECT cmake/keep_modules.c)
    set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
    target_sources(maeotis_flags INTERFACE "$<${is_program}:$<TARGET_OBJECTS:maeotis_keep_modules>>")
endif()
