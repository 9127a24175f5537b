# SPDX-License-Identifier: Apache-2.0
#
# Files that nvcc compiles are valid C++17 beside C17, as which every build compiles them, so that a CUDA build has no surprise.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

read -r -a mpi < <(mpicc --showme:compile 2>/dev/null || mpicc -compile_info 2>/dev/null | grep -o -- '-I[^ ]*' | xargs)
generated=${MAEOTIS_BUILD_DIR:-build}/generated
flags=(-fsyntax-only -Wall -Wextra -Wno-unknown-pragmas -Werror -fopenmp-simd -I. -I"$generated" "${mpi[@]}"
    -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)

while IFS= read -r file; do
    case $file in
    *_kernels.c | *_blocks.c | gpu/card.c | gpu/device.c | gpu/managed.c) ;;
    *) continue ;;
    esac
    g++ -x c++ -std=c++17 "${flags[@]}" "$file" || problem "$file: not accepted as C++17"
done < <(files '*.c')
finish "kernel files that C++ refuses"
