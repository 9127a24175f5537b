/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over the steps with water of a lane layout, one body for processors and devices:
 *
 *     STEPS(next_direction, NextDirection) { FOR_LEVELS(l, g, s, m, k, n) a->p[n] = ...; }
 *
 * defines `next_direction(layout, args)`. The body is one vector of columns on a processor and one column on a
 * device (shape.h). It sees its arguments `a`, the shape `l`, its group g and step s, the place m of its
 * level 0 in lane arrays, and its place `at` in arrays with a number per column. What one step writes no
 * other may read.
 *
 * The bodies are in the headers *_steps.h. A C file includes those it calls and gets the processor's loops;
 * steps_kernels.c includes them all with MATM_ONE_LANE and makes the kernels. STEPS_OF_DEVICE declares what
 * only devices do so; its body stands behind #ifdef MATM_ONE_LANE.
 */
#ifndef MAEOTIS_NUMERICS_MATM_STEPS_H
#define MAEOTIS_NUMERICS_MATM_STEPS_H

#include "numerics/matm/triangular.h"

#ifdef MATM_SINGLE
#define STEPS_DEVICE_(name) single_##name##_on_device
#define STEPS_KERNEL_(name) single_##name##_kernel
#else
#define STEPS_DEVICE_(name) name##_on_device
#define STEPS_KERNEL_(name) name##_kernel
#endif

/* n is the place of level k. A step with water always has the level of a single one: then no loop is left. */
#define FOR_LEVELS(l, g, s, m, k, n)                                                                         \
    for (ptrdiff_t k = (l)->levels == 1 ? 0 : (l)->lowest[(g) * (l)->steps + (s)], n = (m) + LEVEL * k;      \
         k < (l)->levels; k++, n += LEVEL)

#define STEPS_BODY_(name, Args)                                                                              \
    POINTWISE void name##_step(const Args *a, const LaneShape *l, int g, int s, ptrdiff_t m, ptrdiff_t at)

#ifdef MATM_ONE_LANE

#define STEPS_COLUMNS_(kernel, Args) KERNEL_COLUMNS(kernel, Args) /* `kernel` spelt out */

/* Blocks of kernel.h: i0 is eight times the step, j the group. */
#define STEPS(name, Args)                                                                                    \
    STEPS_BODY_(name, Args);                                                                                 \
    typedef struct name##Launch {                                                                            \
        LaneShape shape;                                                                                     \
        Args args;                                                                                           \
    } name##Launch;                                                                                          \
    KERNEL_LINKAGE_ void STEPS_KERNEL_(name)(Exec exec, BlockList blocks, name##Launch args);                \
    STEPS_COLUMNS_(STEPS_KERNEL_(name), name##Launch) {                                                      \
        const LaneShape *l = &a->shape;                                                                      \
        for (int i = i0; i < i0 + LANES; i++)                                                                \
            name##_step(&a->args, l, j, i / 8, lane_at(l, j, i / 8) + i % 8,                                 \
                        8 * ((ptrdiff_t)j * l->steps + i / 8) + i % 8);                                      \
    }                                                                                                        \
    KERNEL_LINKAGE_ void STEPS_DEVICE_(name)(Exec exec, BlockList blocks, const LaneShape *shape,            \
                                             const void *args);                                              \
    KERNEL_LINKAGE_ void STEPS_DEVICE_(name)(Exec exec, BlockList blocks, const LaneShape *shape,            \
                                             const void *args) {                                             \
        const name##Launch launch = {*shape, *(const Args *)args};                                           \
        STEPS_KERNEL_(name)(exec, blocks, launch);                                                           \
    }                                                                                                        \
    STEPS_BODY_(name, Args)

#define STEPS_OF_DEVICE(name, Args)

#else

#include "numerics/matm/lane_layout.h"

#define STEPS_OF_DEVICE(name, Args)                                                                          \
    void STEPS_DEVICE_(name)(Exec exec, BlockList blocks, const LaneShape *shape, const void *args);         \
    static inline void name(const LaneLayout *layout, Args args) {                                           \
        STEPS_DEVICE_(name)(layout->exec, layout->wet, &layout->of_device, &args);                           \
    }

/* g and s take their turns; m is the vector of their level 0. */
#define FOR_STEPS(layout, g, s, m)                                                                           \
    for (int g = 0; g < (layout)->groups; g++)                                                               \
        for (int run_##s = (layout)->first_run[g]; run_##s < (layout)->first_run[g + 1]; run_##s++)          \
            for (int s = (layout)->run[run_##s].s0, until_##s = (layout)->run[run_##s].s1; s < until_##s;    \
                 s++)                                                                                        \
                for (ptrdiff_t m = lane_at((layout), g, s), once_##s = 1; once_##s; once_##s = 0)

#define STEPS(name, Args)                                                                                    \
    STEPS_BODY_(name, Args);                                                                                 \
    void STEPS_DEVICE_(name)(Exec exec, BlockList blocks, const LaneShape *shape, const void *args);         \
    static inline void name(const LaneLayout *layout, Args args) {                                           \
        if (layout->exec.device != DEVICE_CPU) {                                                             \
            STEPS_DEVICE_(name)(layout->exec, layout->wet, &layout->of_device, &args);                       \
            return;                                                                                          \
        }                                                                                                    \
        LaneShape shape = layout->shape; /* not changed by what is written here */                           \
        if (shape.levels > 1) {                                                                              \
            FOR_STEPS (layout, g, s, m) name##_step(&args, &shape, g, s, m, (ptrdiff_t)g *shape.steps + s);  \
        } else { /* compiled without loops over levels */                                                    \
            shape.levels = 1;                                                                                \
            shape.column = 1;                                                                                \
            FOR_STEPS (layout, g, s, m) name##_step(&args, &shape, g, s, m, (ptrdiff_t)g *shape.steps + s);  \
        }                                                                                                    \
    }                                                                                                        \
    STEPS_BODY_(name, Args)

#endif
#endif
