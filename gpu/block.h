/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose threads work together: sweeps, lines, reductions.
 *
 *     BLOCK_KERNEL(name, Args) { ... }     // defines void name(Exec exec, BlockShape shape, Args args)
 *
 * runs shape.blocks blocks of shape.threads threads. (These are blocks of threads, CUDA's word; the Blocks of
 * kernel.h are blocks of columns.) The body is what one thread does. It sees its arguments as `a` and itself
 * as `at`, and meets the others only in the ways that follow:
 *
 *     SHARED_ARRAY(double, x, 64);         memory of the block, uninitialised; at most 48 KiB
 *     block_barrier();                     waits for all threads of the block; all must come to the same one
 *     n = block_ticket(counter, at);       the next number, one for the whole block; all threads must call it
 *     flag_post(flag, value);              tells other blocks that all work before this is done
 *     flag_wait(flag, value);              waits until a flag is at least value
 *     block_atomic_add(sum, amount);
 *     y = warp_before(x, turn, count);     the number that the thread before has (the first: its own), among the block's first
 *                                          `count`, a warp at most, which all call it, with even and odd turns one
 *                                          after the other
 *     letter_post(letter, bits, number);   32 bits for another block, which need no flag and no barrier
 *     bits = letter_wait(letter, number);  waits until the letter of this number is there; its numbers only rise
 *
 * Rules, because nobody knows which blocks run at the same time and in which order they begin:
 * - Wait only for a block with a lower ticket. Take the order of tiles from tickets, never from at.block.
 * - flag_post speaks for the calling thread, so put a barrier before it when the others' work is meant too,
 * and a barrier after a flag_wait that only one thread does.
 *
 * On DEVICE_EMU the emulator (emu.h) runs all this in a random order on the processor and finds most
 * mistakes. It cannot see a missing memory fence; there is none to forget, because posts of flags release and waits
 * acquire. Letters order nothing but their own 32 bits. Files with block kernels are named *_blocks.c and hold no other code.
 */
#ifndef MAEOTIS_GPU_BLOCK_H
#define MAEOTIS_GPU_BLOCK_H

#include "gpu/emu.h"
#include "gpu/kernel.h"

#if defined(__CUDACC__)
#define BLOCK_FUNCTION_ static __host__ __device__
#define BLOCK_INLINE_   static inline __host__ __device__
#else
#define BLOCK_FUNCTION_ static
#define BLOCK_INLINE_   static inline
#endif

#define BLOCK_TEXT_AGAIN_(x) #x
#define BLOCK_TEXT_(x)       BLOCK_TEXT_AGAIN_(x)
#define BLOCK_HERE_          __FILE__ ":" BLOCK_TEXT_(__LINE__)

#if defined(__CUDA_ARCH__)
#define warp_before(x, turn, count)      __shfl_up_sync(0xffffffffu >> (WARP_THREADS - (count)), (x), 1)
#define SHARED_ARRAY(Type, name, count)  __shared__ Type name[count]
#define block_barrier()                  __syncthreads()
#define flag_post(flag, value)           block_flag_post_((flag), (value))
#define flag_wait(flag, value)           block_flag_wait_((flag), (value))
#define letter_post(letter, bits, value) block_letter_post_((letter), (bits), (value))
#define letter_wait(letter, value)       block_letter_wait_((letter), (value))
#else
#define SHARED_ARRAY(Type, name, count)                                                                      \
    Type *const name = (Type *)emu_shared(BLOCK_HERE_ " " #name, sizeof(Type) * (size_t)(count))
#define warp_before(x, turn, count)      emu_before(BLOCK_HERE_, (double)(x), (turn), (count))
#define block_barrier()                  emu_barrier(BLOCK_HERE_)
#define flag_post(flag, value)           emu_flag_post((flag), (value))
#define flag_wait(flag, value)           emu_flag_wait((flag), (value), BLOCK_HERE_)
#define letter_post(letter, bits, value) emu_letter_post((letter), (bits), (value))
#define letter_wait(letter, value)       emu_letter_wait((letter), (value), BLOCK_HERE_)
#endif

#if defined(__CUDACC__)
/* Release: all that this thread has done, or has seen done at a barrier, is visible to who acquires the flag. A full
 * fence would wait for reads, too, and for all threads of the GPU where those of it will do. */
static inline __device__ void block_flag_post_(int *flag, int value) {
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(__cvta_generic_to_global(flag)), "r"(value)
                 : "memory");
}

static inline __device__ int block_flag_(const int *flag) {
    int value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                 : "=r"(value)
                 : "l"(__cvta_generic_to_global(flag))
                 : "memory");
    return value;
}

static inline __device__ void block_flag_wait_(const int *flag, int value) {
    while (block_flag_(flag) < value) __nanosleep(20);
}

/* Eight bytes travel as one: whoever sees the number sees the bits. */
static inline __device__ void block_letter_post_(Letter *letter, int bits, int number) {
    const uint64_t both = (uint32_t)bits | (uint64_t)(uint32_t)number << 32;
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(letter)), "l"(both)
                 : "memory");
}

static inline __device__ int block_letter_wait_(const Letter *letter, int number) {
    uint64_t both;
    do {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(both)
                     : "l"(__cvta_generic_to_global(letter))
                     : "memory");
    } while ((int)(both >> 32) != number);
    return (int)both;
}
#endif

/* *sum += amount, atomically; returns the old value. */
BLOCK_INLINE_ int64_t block_atomic_add(int64_t *sum, int64_t amount) {
#if defined(__CUDA_ARCH__)
    return (int64_t)atomicAdd((unsigned long long *)sum, (unsigned long long)amount);
#else
    const int64_t before = *sum;
    *sum = before + amount;
    return before;
#endif
}

BLOCK_INLINE_ int64_t block_ticket(int64_t *counter, BlockPlace at) {
    SHARED_ARRAY(int64_t, ticket, 1);
    block_barrier(); /* until all have read the ticket before */
    if (at.thread == 0) *ticket = block_atomic_add(counter, 1);
    block_barrier();
    return *ticket;
}

/* Most threads of a block, where a file knows it to be less: its threads get more registers. */
#ifndef BLOCK_THREADS_MOST
#define BLOCK_THREADS_MOST 1024
#endif

#if defined(__CUDACC__)
#define BLOCK_KERNEL_GPU_(name, Args)                                                                        \
    static __global__ void __launch_bounds__(BLOCK_THREADS_MOST)                                             \
        name##_gpu(const __grid_constant__ Args args) {                                                      \
        static_assert(sizeof(Args) <= KERNEL_ARGS_MOST_, "too many arguments: pass arrays by pointer");      \
        const BlockPlace at = {(int)threadIdx.x, (int)blockDim.x, (int)blockIdx.x, (int)gridDim.x};          \
        name##_thread(&args, at);                                                                            \
    }
#define LAUNCH_BLOCKS_(name)                                                                                 \
    if (exec.device == DEVICE_GPU) {                                                                         \
        if (shape.blocks > 0) name##_gpu<<<(unsigned)shape.blocks, (unsigned)shape.threads>>>(args);         \
        return;                                                                                              \
    }
#else
#define BLOCK_KERNEL_GPU_(name, Args)
#define LAUNCH_BLOCKS_(name)
#endif

#define BLOCK_KERNEL(name, Args) BLOCK_KERNEL_(name, Args) /* `name` may be a macro that names another */
#define BLOCK_KERNEL_(name, Args)                                                                            \
    BLOCK_FUNCTION_ void name##_thread(const Args *a, BlockPlace at);                                        \
    BLOCK_KERNEL_GPU_(name, Args)                                                                            \
    static void name##_emulated(const void *args, BlockPlace at) {                                           \
        name##_thread((const Args *)args, at);                                                               \
    }                                                                                                        \
    static void name##_launched(const Launch *launch) {                                                      \
        emu_run_launch(name##_emulated, launch);                                                             \
    }                                                                                                        \
    KERNEL_LINKAGE_ void name(Exec exec, BlockShape shape, Args args) {                                      \
        LAUNCH_BLOCKS_(name)                                                                                 \
        const Launch launch = {                                                                              \
            #name, name##_launched, NULL, shape.blocks, shape.threads, 0, &args, 0, false};                  \
        launch_later(exec, launch, sizeof args);                                                             \
    }                                                                                                        \
    BLOCK_FUNCTION_ void name##_thread(const Args *a, BlockPlace at)

#endif
