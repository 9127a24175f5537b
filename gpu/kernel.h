/* SPDX-License-Identifier: Apache-2.0
 *
 * One source for the arithmetic of CPUs and GPUs.
 *
 * A kernel is written once, for one element; macros make the loop (CPU) or the launch (GPU) around it:
 *
 *     typedef struct Scale { GridView g; double *x; double factor; } Scale;
 *     KERNEL_CELLS(scale, Scale) { a->x[AT(a->g, i, j, k)] *= a->factor; }
 *
 * This defines `void scale(Exec exec, RunList runs, Scale args)`.
 *
 * KERNEL_CELLS runs over a RunList: rows of neighbouring cells (i0 <= i < i1, j, k). Elements must not depend
 * on each other: the emulated device visits them in a random order to reveal it if they do.
 *
 * KERNEL_COLUMNS runs over a BlockList: blocks of LANES neighbouring columns, aligned in i, that a CPU treats
 * as one vector and a GPU as LANES threads of one column each. The body loops over levels and, inside, over
 * lanes:
 *
 *     KERNEL_COLUMNS(settle, Settle)
 *     {
 *         double sum[LANES] = {0};
 *         for (int k = 0; k < a->g.n3; k++) FOR_LANES(l) sum[l] += a->x[AT(a->g, i0 + l, j, k)];
 *     }
 *
 * Lanes that are land must compute something harmless. POINTWISE marks the functions that kernels call.
 *
 * Kernel files are named *_kernels.c, hold no other code, and are valid C17 and C++17; a CUDA build compiles
 * them with nvcc, and then they hold both targets. The order of operations is the same everywhere, and
 * contraction into fused multiply-adds is off (-ffp-contract=off, -fmad=false), so that results are equal to
 * the last bit.
 */
#ifndef MAEOTIS_GPU_KERNEL_H
#define MAEOTIS_GPU_KERNEL_H

#include "base/hash.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HALO  3 /* cells around a rank's own ones: the reach of the transport of tracers */
#define BLOCK 8 /* columns in a block; cuts along x and starts of rows are multiples of it */

typedef struct Run {
    int i0, i1, j, k;
} Run;

typedef struct RunList {
    Run *run;
    int count;
    int64_t elements;
} RunList;

typedef struct Block {
    int i0, j;
} Block;

typedef struct BlockList {
    Block *block;
    int count;
} BlockList;

typedef enum Device { DEVICE_CPU, DEVICE_EMU, DEVICE_GPU } Device;

/* Where kernels run. On the emulated device `order` is the state of the random order of visits. */
typedef struct Exec {
    Device device;
    uint64_t *order;
    struct Results *results;   /* on their way to the host (results.h); NULL: a processor's */
    struct LaunchQueue *queue; /* emulator: the pending launches; NULL: launches run at once */
} Exec;

/* Kernels that visit the same places one after another: the next part of a list, so that on a processor each finds in the
 * nearest caches what the one before has read and left there. Other devices take all at once. `done`: runs so far, 0 at first; a
 * list without runs follows the last part. */
static inline RunList runs_next(Exec exec, RunList all, int *done) {
    enum { PART = 1024 }; /* of elements */
    RunList part = {all.run + *done, 0, 0};
    while (*done < all.count && (exec.device != DEVICE_CPU || part.elements < PART)) {
        part.elements += all.run[*done].i1 - all.run[*done].i0;
        part.count++, ++*done;
    }
    return part;
}

/* The position that is visited at turn `turn` of `count`, in an order drawn from `seed`: a permutation. */
static inline int64_t shuffled(int64_t turn, int64_t count, uint64_t seed) {
    /* a Feistel network over the smallest even number of bits that holds count, walked until it is inside */
    int half = 1;
    while (((int64_t)1 << (2 * half)) < count) half++;
    uint64_t mask = ((uint64_t)1 << half) - 1, x = (uint64_t)turn;
    do {
        uint64_t left = x >> half, right = x & mask;
        for (uint64_t round = 1; round <= 4; round++) {
            uint64_t swap = left ^ (hash_mix(seed + (right + (round << 32)) * 0x9E3779B97F4A7C15u) & mask);
            left = right;
            right = swap;
        }
        x = (left << half) | right;
    } while (x >= (uint64_t)count);
    return (int64_t)x;
}

static inline uint64_t exec_next_seed(Exec exec) {
    *exec.order = *exec.order * 6364136223846793005u + 1442695040888963407u;
    return *exec.order;
}

#if defined(__CUDACC__)
#define POINTWISE static inline __host__ __device__ __attribute__((always_inline))
#elif defined(__SANITIZE_ADDRESS__)
#define POINTWISE                                                                                            \
    static inline /* with each access checked, all in one function would take minutes to compile */
#else
#define POINTWISE static inline __attribute__((always_inline))
#endif

/* Prefetches memory that will be needed soon; GPUs hide the latency in other ways. */
#if defined(__CUDA_ARCH__)
#define PREFETCH(address) ((void)(address))
#else
#define PREFETCH(address) __builtin_prefetch(address)
#endif

/* fmin and fmax for kernels: one instruction each, and vectors; b where one of the two is not a number. */
POINTWISE double min_of(double a, double b) {
    return a < b ? a : b;
}
POINTWISE double max_of(double a, double b) {
    return a > b ? a : b;
}

/* Kernels are called from C, also where nvcc compiles them as C++. */
#ifdef __cplusplus
#define KERNEL_LINKAGE_ extern "C"
#else
#define KERNEL_LINKAGE_
#endif

/* On the host a block is one vector of BLOCK lanes, on the device a thread is one lane. Lanes, and cells of a
 * run, must not depend on each other: a build of the tests, with KERNELS_IN_ONE_LANE, gives a processor one
 * lane at a time, in a shuffled order, and requires the same bits. (`omp simd` and not `ivdep`: GCC unrolls
 * loops as short as these before it looks at `ivdep`, and then does not vectorise them.) */
#if defined(__CUDA_ARCH__) || defined(KERNELS_IN_ONE_LANE)
#define LANES 1
#define ROW_LOOP
#else
#define LANES    BLOCK
#define ROW_LOOP _Pragma("omp simd")
#endif
/* Before a short loop around FOR_LANES whose passes only differ in their pointers: without it there are no
 * vectors. */
#if defined(__CUDACC__) || defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif
#define FOR_LANES(l) ROW_LOOP for (int l = 0; l < LANES; l++)

/* A launch on the emulator, which runs later (queue.h). */
typedef struct Launch Launch;
typedef void LaunchBody(const Launch *launch);
struct Launch {
    const char *name;
    LaunchBody *body;
    const void *list; /* of runs or blocks of columns; NULL for blocks of threads */
    int count, threads;
    uint64_t seed;
    const void *args; /* a copy */
    int scratch;      /* a GPU's for each column or thread, beside registers [bytes] */
    bool in_order;    /* on a processor: as the list has them */
};
void launch_later(Exec exec, Launch launch, size_t args_size);
static inline void launch_kernel_(Exec exec, Launch launch, size_t args_size) {
    if (launch.in_order)
        launch.body(&launch);
    else
        launch_later(exec, launch, args_size);
}

#if defined(__CUDACC__)
#include "gpu/kernel_cuda.h"
#else
#define KERNEL_CELLS_GPU_(name, Args)
#define KERNEL_COLUMNS_GPU_(name, Args)
#define LAUNCH_CELLS_(name)
#define LAUNCH_COLUMNS_(name)
#define KERNEL_LEVELS_GPU_(name, Args)
#define LAUNCH_LEVELS_(name)
#endif

/* One compiled body serves the processor and the emulator. It works with a copy of the arguments whose address nobody else
 * has: otherwise the compiler would have to reload every number in it after every store. */
#define KERNEL_BODY_ static __attribute__((noinline))

/* Which columns a kernel's body takes at a turn; a block is LANES_TURNS_ of them. */
#define LANES_TURNS_ (BLOCK / LANES)
/* A processor takes blocks as they come, and mixes single lanes. */
static inline Block block_at_turn_(const Launch *l, int64_t turn) {
    const int64_t turns = (int64_t)l->count * LANES_TURNS_;
    const int64_t place = !l->in_order       ? shuffled(turn, turns, l->seed)
                          : LANES_TURNS_ > 1 ? shuffled(turn, turns, (uint64_t)turns)
                                             : turn;
    const Block *block = (const Block *)l->list + place / LANES_TURNS_;
    const Block b = {block->i0 + (int)(place % LANES_TURNS_), block->j};
    return b;
}

/* The run at a turn, and its part n of `parts`: all of it on a processor, else one cell of it. */
static inline Run run_at_turn_(const Launch *l, int64_t turn, int *parts) {
    const Run r = ((const Run *)l->list)[l->in_order ? turn : shuffled(turn, l->count, l->seed)];
    *parts = l->in_order ? 1 : r.i1 - r.i0;
    return r;
}
static inline Run part_of_run_(const Launch *l, Run r, int n) {
    if (l->in_order) return r;
    const int i = r.i0 + (int)shuffled(n, r.i1 - r.i0, l->seed);
    const Run cell = {i, i + 1, r.j, r.k};
    return cell;
}

/* A field that may be missing, for loops over lanes that choose between it and something else: `other` is any field. A
 * vector that reads at address 0 takes hundreds of cycles, even if its mask is empty. */
POINTWISE const double *or_any(const double *field, const double *other) {
    return field ? field : other;
}

/* `name(exec, runs, args)` for the body that follows, which sees `a`, i, j, k. */
#define KERNEL_CELLS(name, Args)                                                                             \
    POINTWISE void name##_at(const Args *a, int i, int j, int k);                                            \
    KERNEL_CELLS_GPU_(name, Args)                                                                            \
    KERNEL_BODY_ void name##_body(const Launch *l) {                                                         \
        const Args args = *(const Args *)l->args, *a = &args;                                                \
        for (int64_t turn = 0; turn < l->count; turn++) {                                                    \
            int parts;                                                                                       \
            const Run all = run_at_turn_(l, turn, &parts);                                                   \
            for (int n = 0; n < parts; n++) {                                                                \
                const Run r = part_of_run_(l, all, n);                                                       \
                ROW_LOOP for (int i = r.i0; i < r.i1; i++) name##_at(a, i, r.j, r.k);                        \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    KERNEL_LINKAGE_ void name(Exec exec, RunList runs, Args args) {                                          \
        LAUNCH_CELLS_(name)                                                                                  \
        const Launch launch = {                                                                              \
            #name, name##_body, runs.run, runs.count, 1, 0, &args, 0, exec.device == DEVICE_CPU};            \
        launch_kernel_(exec, launch, sizeof args);                                                           \
    }                                                                                                        \
    POINTWISE void name##_at(const Args *a, int i, int j, int k)

/* `name(exec, blocks, args)` for the body that follows, which sees `a`, i0 and j, and loops FOR_LANES. */
#define KERNEL_COLUMNS(name, Args)                                                                           \
    KERNEL_COLUMNS_(name, Args, , name##_block, KERNEL_COLUMNS_GPU_(name, Args), LAUNCH_COLUMNS_(name), 0)

/* The same for a body that keeps numbers of each level of its columns, in arrays of COLUMN_LEVELS. A GPU has memory for
 * them for all threads that run at once, so there they have the sea's number of levels, rounded up; args.g is a view
 * of the grid. Structs of such arrays, and functions that take them, are SIZED:
 *
 *     SIZED_STRUCT(Kept) { double ratio[COLUMN_LEVELS][LANES]; };
 *     SIZED POINTWISE void down(const Settle *a, Kept OF_LEVELS *kept) { ... }
 *     KERNEL_LEVELS(settle, Settle, 1) { Kept OF_LEVELS kept; ... }
 *
 * `arrays` is their number, for `bench bytes`. On a processor they have MAX_LEVELS. */
#define KERNEL_LEVELS(name, Args, arrays)                                                                    \
    KERNEL_COLUMNS_(name, Args, SIZED, name##_block SIZED_OF_HOST_, KERNEL_LEVELS_GPU_(name, Args),          \
                    LAUNCH_LEVELS_(name), (arrays) * (int)sizeof(double) * levels_kept_(args.g.n3))

#if !defined(__CUDACC__)
#define SIZED
#define SIZED_STRUCT(Name)                                                                                   \
    typedef struct Name Name;                                                                                \
    struct Name
#define OF_LEVELS
#define COLUMN_LEVELS MAX_LEVELS
#define SIZED_OF_HOST_
#endif

/* The sizes for which a GPU has kernels; a build that only shows that they compile has the largest alone. */
#if defined(KERNELS_IN_ONE_SIZE)
#define LEAST_SIZE_ 200
#else
#define LEAST_SIZE_ 0
#endif
static inline int levels_kept_(int levels) {
    if (levels < LEAST_SIZE_) levels = LEAST_SIZE_;
    return levels <= 16 ? 16 : levels <= 32 ? 32 : levels <= 64 ? 64 : levels <= 128 ? 128 : 200;
}

#define KERNEL_COLUMNS_(name, Args, SIZED_, block_, GPU_, LAUNCH_, scratch_)                                 \
    SIZED_ POINTWISE void name##_block(const Args *a, int i0, int j);                                        \
    GPU_ KERNEL_BODY_ void name##_body(const Launch *l) {                                                    \
        const Args args = *(const Args *)l->args;                                                            \
        const int64_t turns = (int64_t)l->count * LANES_TURNS_;                                              \
        for (int64_t turn = 0; turn < turns; turn++) {                                                       \
            const Block b = block_at_turn_(l, turn);                                                         \
            block_(&args, b.i0, b.j);                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    KERNEL_LINKAGE_ void name(Exec exec, BlockList blocks, Args args) {                                      \
        LAUNCH_                                                                                              \
        const Launch launch = {#name,        name##_body, blocks.block,                                      \
                               blocks.count, 1,           0,                                                 \
                               &args,        scratch_,    exec.device == DEVICE_CPU};                        \
        launch_kernel_(exec, launch, sizeof args);                                                           \
    }                                                                                                        \
    SIZED_ POINTWISE void name##_block(const Args *a, int i0, int j)

#ifdef __cplusplus
}
#endif
#endif
