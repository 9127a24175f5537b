/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA side of KERNEL_CELLS, KERNEL_COLUMNS and KERNEL_LEVELS (see kernel.h, which includes this under nvcc).
 *
 * Cells: a warp of 32 threads takes one run and walks along it, so that neighbouring threads read
 * neighbouring cells. Columns: a thread takes one lane of a block, BLOCK neighbouring threads the block. Both
 * lists, and all data behind the arguments, must be in memory of the GPU (device.h). Launches return at
 * once; the next one begins when this one has ended.
 */
#ifndef MAEOTIS_GPU_KERNEL_CUDA_H
#define MAEOTIS_GPU_KERNEL_CUDA_H

#define KERNEL_THREADS_   128
#define KERNEL_WARP_      32
#define KERNEL_ARGS_MOST_ 4000 /* of the 4 KiB that every GPU and toolkit takes by value [bytes] */

#define KERNEL_GRID_(count, threads_each)                                                                    \
    (unsigned)(((int64_t)(count) * (threads_each) + KERNEL_THREADS_ - 1) / KERNEL_THREADS_)

#define KERNEL_CELLS_GPU_(name, Args)                                                                        \
    static __global__ void name##_gpu(const __grid_constant__ Args args, const Run *run, int count) {        \
        static_assert(sizeof(Args) <= KERNEL_ARGS_MOST_, "too many arguments: pass arrays by pointer");      \
        const int64_t n = ((int64_t)blockIdx.x * KERNEL_THREADS_ + threadIdx.x) / KERNEL_WARP_;              \
        if (n >= count) return;                                                                              \
        const Run r = run[n];                                                                                \
        for (int i = r.i0 + (int)threadIdx.x % KERNEL_WARP_; i < r.i1; i += KERNEL_WARP_)                    \
            name##_at(&args, i, r.j, r.k);                                                                   \
    }

#define LAUNCH_CELLS_(name)                                                                                  \
    if (exec.device == DEVICE_GPU) {                                                                         \
        if (runs.count > 0)                                                                                  \
            name##_gpu<<<KERNEL_GRID_(runs.count, KERNEL_WARP_), KERNEL_THREADS_>>>(args, runs.run,          \
                                                                                    runs.count);             \
        return;                                                                                              \
    }

#define KERNEL_COLUMNS_GPU_(name, Args)                                                                      \
    static __global__ void name##_gpu(const __grid_constant__ Args args, const Block *block, int count) {    \
        static_assert(sizeof(Args) <= KERNEL_ARGS_MOST_, "too many arguments: pass arrays by pointer");      \
        const int64_t thread = (int64_t)blockIdx.x * KERNEL_THREADS_ + threadIdx.x;                          \
        if (thread / BLOCK >= count) return;                                                                 \
        const Block b = block[thread / BLOCK];                                                               \
        name##_block(&args, b.i0 + (int)(thread % BLOCK), b.j);                                              \
    }

#define LAUNCH_COLUMNS_(name)                                                                                \
    if (exec.device == DEVICE_GPU) {                                                                         \
        if (blocks.count > 0)                                                                                \
            name##_gpu<<<KERNEL_GRID_(blocks.count, BLOCK), KERNEL_THREADS_>>>(args, blocks.block,           \
                                                                               blocks.count);                \
        return;                                                                                              \
    }

/* Columns whose body keeps numbers of each level: one kernel for each size. At most 128 registers, so that a quarter of
 * the threads that a multiprocessor can hold are there to wait for memory. */
#define SIZED              template <int COLUMN_LEVELS>
#define SIZED_STRUCT(Name) template <int COLUMN_LEVELS> struct Name
#define OF_LEVELS          <COLUMN_LEVELS>
#define SIZED_OF_HOST_     <MAX_LEVELS>
#define KERNEL_RESIDENT_   4 /* blocks of threads */

#define KERNEL_LEVELS_GPU_(name, Args)                                                                       \
    SIZED static __global__ void __launch_bounds__(KERNEL_THREADS_, KERNEL_RESIDENT_)                        \
        name##_gpu(const __grid_constant__ Args args, const Block *block, int count) {                       \
        static_assert(sizeof(Args) <= KERNEL_ARGS_MOST_, "too many arguments: pass arrays by pointer");      \
        static_assert(MAX_LEVELS <= 200, "a size for MAX_LEVELS: see levels_kept_");                         \
        const int64_t thread = (int64_t)blockIdx.x * KERNEL_THREADS_ + threadIdx.x;                          \
        if (thread / BLOCK >= count) return;                                                                 \
        const Block b = block[thread / BLOCK];                                                               \
        name##_block<COLUMN_LEVELS>(&args, b.i0 + (int)(thread % BLOCK), b.j);                               \
    }

#define LAUNCH_SIZE_(name, size)                                                                             \
    case size:                                                                                               \
        name##_gpu<size>                                                                                     \
            <<<KERNEL_GRID_(blocks.count, BLOCK), KERNEL_THREADS_>>>(args, blocks.block, blocks.count);      \
        break;
#if defined(KERNELS_IN_ONE_SIZE)
#define LAUNCH_SMALLER_(name)
#else
#define LAUNCH_SMALLER_(name)                                                                                \
    LAUNCH_SIZE_(name, 16) LAUNCH_SIZE_(name, 32) LAUNCH_SIZE_(name, 64) LAUNCH_SIZE_(name, 128)
#endif
#define LAUNCH_LEVELS_(name)                                                                                 \
    if (exec.device == DEVICE_GPU) {                                                                         \
        switch (blocks.count > 0 ? levels_kept_(args.g.n3) : 0) {                                            \
            LAUNCH_SMALLER_(name)                                                                            \
            LAUNCH_SIZE_(name, 200)                                                                          \
        }                                                                                                    \
        return;                                                                                              \
    }

#endif
