/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers about many cells that the host needs: largest values and counts.
 *
 *     MAX_CELLS(fastest, Flow, 2) {
 *         most[0] = max_of(a->u[AT(a->g, i, j, k)], most[0]);
 *         most[1] = max_of(a->v[AT(a->g, i, j, k)], most[1]);
 *     }
 *     COUNT_CELLS(how_many, Flow, 1) { count[0] += a->depth[AT2(a->g, i, j)] > 0; }
 *
 * These define `void fastest(Exec exec, RunList runs, Flow args, double *most)` and `void how_many(Exec exec,
 * RunList runs, Flow args, uint64_t *count)`; and `fastest_ask` and `how_many_ask` with the same arguments, whose
 * results are there after results_fetch (results.h).
 *
 * What `most` and `count` hold before is kept if it is larger, or added to. Both are the same for any order
 * of the cells, so for any device; a maximum ignores what is not a number if the new value is max_of's first
 * argument. Whole numbers wrap around. On a GPU the call waits for the result, and for all that was asked for
 * before.
 *
 * The files are kernel files (kernel.h).
 */
#ifndef MAEOTIS_GPU_MEASURE_H
#define MAEOTIS_GPU_MEASURE_H

#include "gpu/kernel.h"
#include "gpu/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Doubles as whole numbers in the same order, and back. */
static inline uint64_t key_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static inline double double_of_key(uint64_t key) {
    const uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* What was found, zeros at first, which are less than any double's key, joined with what the host has. */
void measure_take_most(const void *found, int count, void *into);
void measure_take_count(const void *found, int count, void *into);

#ifdef __cplusplus
}
#endif

#define MEASURE_KEY_double(x)   key_of_double(x)
#define MEASURE_START_double    (-HUGE_VAL)
#define MEASURE_KEY_uint64_t(x) (x)
#define MEASURE_START_uint64_t  0
#define MEASURE_JOIN_double(into, x)                                                                         \
    if ((x) > (into)) (into) = (x)
#define MEASURE_JOIN_uint64_t(into, x) (into) += (x)
#define MEASURE_ADD_double(to, key)                                                                          \
    if ((key) > *(to)) *(to) = (key)
#define MEASURE_ADD_uint64_t(to, key) *(to) += (key)

#if defined(__CUDACC__)
#define MEASURE_ATOMIC_double(to, key) (void)atomicMax((unsigned long long *)(to), (unsigned long long)(key))
#define MEASURE_ATOMIC_uint64_t(to, key)                                                                     \
    (void)atomicAdd((unsigned long long *)(to), (unsigned long long)(key))

static inline __device__ uint64_t measure_key_(double x) {
    const uint64_t bits = (uint64_t)__double_as_longlong(x);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}
static inline __device__ uint64_t measure_key_(uint64_t x) {
    return x;
}

/* Warps take runs in turn; each adds its own result once. */
#define MEASURE_GPU_(name, Args, Value, N)                                                                   \
    static __global__ void name##_gpu(const __grid_constant__ Args args, const Run *run, int count,          \
                                      uint64_t *result) {                                                    \
        Value mine[N];                                                                                       \
        for (int m = 0; m < N; m++) mine[m] = MEASURE_START_##Value;                                         \
        const int first = (int)(((int64_t)blockIdx.x * KERNEL_THREADS_ + threadIdx.x) / KERNEL_WARP_);       \
        for (int n = first; n < count; n += (int)gridDim.x * (KERNEL_THREADS_ / KERNEL_WARP_)) {             \
            const Run r = run[n];                                                                            \
            for (int i = r.i0 + (int)threadIdx.x % KERNEL_WARP_; i < r.i1; i += KERNEL_WARP_)                \
                name##_at(&args, i, r.j, r.k, mine);                                                         \
        }                                                                                                    \
        for (int m = 0; m < N; m++) {                                                                        \
            for (int far = KERNEL_WARP_ / 2; far > 0; far /= 2) {                                            \
                const Value other = __shfl_xor_sync(0xffffffffu, mine[m], far);                              \
                MEASURE_JOIN_##Value(mine[m], other);                                                        \
            }                                                                                                \
            if (threadIdx.x % KERNEL_WARP_ == 0) MEASURE_ATOMIC_##Value(&result[m], measure_key_(mine[m]));  \
        }                                                                                                    \
    }
#define MEASURE_LAUNCH_(name)                                                                                \
    if (exec.device == DEVICE_GPU) {                                                                         \
        const unsigned needed = KERNEL_GRID_(runs.count, KERNEL_WARP_), most_blocks = 2048;                  \
        const unsigned grid = needed > most_blocks ? most_blocks : needed;                                   \
        if (runs.count > 0) name##_gpu<<<grid, KERNEL_THREADS_>>>(args, runs.run, runs.count, key);          \
        return;                                                                                              \
    }
#else
#define MEASURE_GPU_(name, Args, Value, N)
#define MEASURE_LAUNCH_(name)
#endif

#define MEASURE_CELLS_(name, Args, Value, value, N)                                                          \
    POINTWISE void name##_at(const Args *a, int i, int j, int k, Value *value);                              \
    MEASURE_GPU_(name, Args, Value, N)                                                                       \
    typedef struct name##_Emulated {                                                                         \
        Args args;                                                                                           \
        uint64_t *key;                                                                                       \
    } name##_Emulated;                                                                                       \
    static void name##_emulated(const Launch *l) {                                                           \
        const name##_Emulated *e = (const name##_Emulated *)l->args;                                         \
        Value mine[N];                                                                                       \
        for (int m = 0; m < N; m++) mine[m] = MEASURE_START_##Value;                                         \
        for (int64_t turn = 0; turn < l->count; turn++) {                                                    \
            const Run r = ((const Run *)l->list)[shuffled(turn, l->count, l->seed)];                         \
            for (int64_t n = 0; n < r.i1 - r.i0; n++)                                                        \
                name##_at(&e->args, r.i0 + (int)shuffled(n, r.i1 - r.i0, l->seed), r.j, r.k, mine);          \
        }                                                                                                    \
        for (int m = 0; m < N; m++) {                                                                        \
            const uint64_t key = MEASURE_KEY_##Value(mine[m]);                                               \
            MEASURE_ADD_##Value(&e->key[m], key);                                                            \
        }                                                                                                    \
    }                                                                                                        \
    static void name##_launch(Exec exec, RunList runs, Args args, uint64_t *key) {                           \
        MEASURE_LAUNCH_(name)                                                                                \
        const name##_Emulated both = {args, key};                                                            \
        const Launch launch = {#name, name##_emulated, runs.run, runs.count, 1, 0, &both, 0, false};         \
        launch_later(exec, launch, sizeof both);                                                             \
    }                                                                                                        \
    static void name##_on_cpu(RunList runs, Args args, Value *value) {                                       \
        Value mine[N];                                                                                       \
        for (int m = 0; m < N; m++) mine[m] = value[m];                                                      \
        for (int n = 0; n < runs.count; n++) {                                                               \
            const Run r = runs.run[n];                                                                       \
            for (int i = r.i0; i < r.i1; i++) name##_at(&args, i, r.j, r.k, mine);                           \
        }                                                                                                    \
        for (int m = 0; m < N; m++) value[m] = mine[m];                                                      \
    }                                                                                                        \
    KERNEL_LINKAGE_ void name(Exec exec, RunList runs, Args args, Value *value);                             \
    KERNEL_LINKAGE_ void name##_ask(Exec exec, RunList runs, Args args, Value *value);                       \
    KERNEL_LINKAGE_ void name##_ask(Exec exec, RunList runs, Args args, Value *value) {                      \
        if (exec.device == DEVICE_CPU)                                                                       \
            name##_on_cpu(runs, args, value);                                                                \
        else                                                                                                 \
            name##_launch(                                                                                   \
                exec, runs, args,                                                                            \
                (uint64_t *)results_ask(exec, N * sizeof(uint64_t), N, measure_take_##value, value));        \
    }                                                                                                        \
    KERNEL_LINKAGE_ void name(Exec exec, RunList runs, Args args, Value *value) {                            \
        name##_ask(exec, runs, args, value);                                                                 \
        if (exec.device != DEVICE_CPU) results_fetch(exec);                                                  \
    }                                                                                                        \
    POINTWISE void name##_at(const Args *a, int i, int j, int k, Value *value)

#define MAX_CELLS(name, Args, N)   MEASURE_CELLS_(name, Args, double, most, N)
#define COUNT_CELLS(name, Args, N) MEASURE_CELLS_(name, Args, uint64_t, count, N)

#endif
