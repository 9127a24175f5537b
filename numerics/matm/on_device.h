/* SPDX-License-Identifier: Apache-2.0
 *
 * What devices do with kernels of their own, beside steps (steps.h): sweeps, edges, totals, zeros. Lane
 * arrays and LaneMatrix come as void *, since the two worlds of shape.h have other types for the same memory.
 */
#ifndef MAEOTIS_NUMERICS_MATM_ON_DEVICE_H
#define MAEOTIS_NUMERICS_MATM_ON_DEVICE_H

#include "gpu/reduce.h"
#include "numerics/matm/lane_layout.h"

typedef struct Pipeline Pipeline;

/* The flags and tickets of sweeps. They only rise, so that no sweep needs to clear them. */
typedef struct SweepState {
    int *flag, flag_base;
    struct Letter *letters; /* NULL: of more than one layer */
    int64_t *ticket, ticket_base;
    const int *rests; /* NULL, or on the device: not 0 if sweeps need not be done */
} SweepState;

SweepState sweep_state_create(const LaneLayout *layout);
void sweep_state_release(SweepState *state);

typedef enum SweepKind { SWEEP_FORWARD, SWEEP_BACKWARD, SWEEP_UP, SWEEP_DOWN } SweepKind;

/* How a sweep is cut; 0: chosen for the device (the emulator draws). */
typedef struct SweepTiles {
    int groups, levels, blocks;
} SweepTiles;

typedef struct DeviceSweep {
    const LaneLayout *layout;
    SweepState *state;
    SweepKind kind;
    const void *matrix; /* LaneMatrix */
    double a;
    const void *in;
    void *out, *sums;
    bool pivots; /* matrix.c: in is the scale, sums the pivots */
    SweepTiles tiles;
} DeviceSweep;

/* The part of a sweep in groups g0 <= g < g1 with from <= s + 8 g < until: one launch. */
void device_sweep(const DeviceSweep *sweep, int g0, int g1, int from, int until);

void device_clear(const LaneLayout *layout, void *x); /* all of a lane array */
void device_copy_all(const LaneLayout *layout, const void *from, void *to);

/* Column `place` of rows from <= j < to, or row `place`, to a message (pack) or back; zeros without one. */
void device_copy_edge(const LaneLayout *layout, void *x, bool column, int place, int from, int to,
                      Real *message, bool pack);

/* Zeros in so many whole columns or rows from `place` on, a `stride` apart: one launch. */
void device_clear_edges(const LaneLayout *layout, void *x, bool column, int place, int stride, int places);

/* The same to where sums are under way (gpu/reduce.h), without a wait. */
void device_totals_begin(const LaneLayout *layout, int count, const void *const *sums, ExactSum *begun);

/* Waits. */
void device_totals(const LaneLayout *layout, int count, const void *const *sums, ExactSum *totals);

#endif
