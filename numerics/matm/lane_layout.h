/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the solver keeps its fields: eight rows side by side, each shifted by one cell against the last.
 *
 * Rows are taken in groups of eight. The vector of group g, step s and level k holds in lane l the cell
 *
 *     i = s - l,   j = 8 g + l,   k
 *
 * so that the west neighbours of a vector's cells are the vector one step before, the south neighbours that
 * vector moved up by one lane, with the last lane of the group below filling lane 0 - and both are known when
 * the vector's own turn comes in a sweep from the south-west. The levels of a step lie together.
 *
 * A lane array (Lanes *) points to the vector of (0, 0, 0); one step before and after the rank's own cells
 * and one group around them hold the neighbours' cells. Land is zero: zero couplings keep it so, and no sweep
 * asks.
 *
 * Devices use the same arrays (shape.h): eight lanes are whole sectors of their memory, and what the host
 * must do in between finds everything where it expects it.
 */
#ifndef MAEOTIS_NUMERICS_LANE_LAYOUT_H
#define MAEOTIS_NUMERICS_LANE_LAYOUT_H

#include "numerics/grid/edges.h"
#include "numerics/krylov/late.h"
#include "numerics/matm/shape.h"

typedef struct StepRun {
    int s0, s1; /* s0 <= s < s1 */
} StepRun;

/* Where what lanes_exchange gives to and takes from a neighbour is in the message. */
typedef struct LanePlace {
    ptrdiff_t given, taken;
} LanePlace;

typedef struct LaneLayout {
    const Grid *grid;
    Exec exec;
    union {
        LaneShape shape;
        struct { /* the same */
            int n1, n2, levels, groups, steps;
            ptrdiff_t column, group, below, above;
            int *lowest;
        };
    };
    LaneShape of_device;    /* counted in numbers */
    BlockList wet;          /* the steps with water, for devices (steps.h) */
    bool swept_by_kernels;  /* else the host sweeps, also where all other steps are the device's */
    ptrdiff_t origin, size; /* of a lane array, in vectors */
    StepRun *run;           /* steps with water */
    int *first_run;         /* of each group, and the end; groups + 1 */
    int *lowest_ahead;      /* `lowest` of the eight steps from here on */
    Edges edges;            /* what travels */
    LanePlace *place[2];    /* of their pieces, along x and y */
    Real *message;          /* for what travels between ranks along one of them */
    MPI_Request *request;
    double *ended; /* sums of the blocks of all groups on their way to a total */
} LaneLayout;

/* As kernels of its device count, in vectors or in numbers. */
static inline const LaneShape *lane_shape(const LaneLayout *layout) {
    return layout->exec.device == DEVICE_CPU ? &layout->shape : &layout->of_device;
}

/* Two-dimensional fields (flat) or three-dimensional ones, which `exec` works on. Collective among
 * neighbours. */
CHECKED Status lane_layout_create(const Grid *grid, Exec exec, bool flat, LaneLayout **out);
void lane_layout_destroy(LaneLayout **layout);

Lanes *lanes_create(const LaneLayout *layout);
void lanes_destroy(const LaneLayout *layout, Lanes **lanes);
void lanes_clear(const LaneLayout *layout, Lanes *lanes);
void lanes_copy_all(const LaneLayout *layout, const Lanes *from, Lanes *to); /* with the cells around */

/* From an array of the same layout in double precision, where there is water. */
void lanes_narrow(const LaneLayout *layout, const double *from, Lanes *to);

/* Copies own cells; what is not own or where the scale is 0 becomes 0: to = from factor scale. Without a
 * scale all own cells are copied. */
void lanes_from_field(const LaneLayout *layout, const double *from, double factor, const Lanes *scale,
                      Lanes *to);

/* to += from factor scale on own cells. `from` is 0 beyond them. */
void lanes_add_to_field(const LaneLayout *layout, const Lanes *from, double factor, const Lanes *scale,
                        double *to);
/* The same on a device, if the scalars say that `from` is complete. */
void lanes_add_to_field_late(const LaneLayout *layout, const LateScalars *scalars, const Lanes *from,
                             double factor, const Lanes *scale, double *to);

/* Fills the cells around the own ones with the neighbours' (and across periodic seams). Collective among
 * neighbours. */
void lanes_exchange(const LaneLayout *layout, Lanes *x);

/* The total of numbers per column (an array of one vector per step, [g * steps + s], 0 without water), for every rank the same
 * and the same for any number of ranks: eight columns aligned to the whole grid are summed from west to east,
 * these sums exactly. Collective. */
void lanes_totals(const LaneLayout *layout, int count, Lanes *const *sums, double *totals);

#endif
