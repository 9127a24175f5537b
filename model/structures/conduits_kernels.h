/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns at the ends of culverts and pumps as data of kernels: a few, with numbers that the host reads and sets (pinned
 * memory, as in open_faces.h).
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_CONDUITS_KERNELS_H
#define MAEOTIS_MODEL_STRUCTURES_CONDUITS_KERNELS_H

#include "model/subgrid/hypsometry.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ConduitColumn {
    ptrdiff_t m;         /* -1: it is another rank's */
    double depth, level; /* for the host [m] */
    double other;        /* source of rivers and sponges [m3 s-1] */
    double wet;          /* share of its area, a hundredth at least */
    double out, in;      /* by the host [m3] */
} ConduitColumn;

typedef struct ConduitColumns {
    GridView g;
    ConduitColumn *column;
    const double *area;
    Hypsometry ground; /* inside the cells; all NULL: they are even */
    double *depth, *source;
    const double *eta;
    double dt;
    double *c;    /* of one tracer, like the next */
    double *mean; /* of columns: for the host; then the load that comes in, value times [m3] */
} ConduitColumns;

/* Depth, level, wet share. */
void conduits_tell(Exec exec, RunList columns, ConduitColumns args);
/* The source of others. */
void conduits_begin(Exec exec, RunList columns, ConduitColumns args);
/* The mean of a tracer. */
void conduits_tell_tracer(Exec exec, RunList columns, ConduitColumns args);

/* The source, with what goes through conduits. */
void conduits_draw(Exec exec, RunList columns, ConduitColumns args);

/* Once the water has moved: the tracer, by the depth of before; then that depth, and the source of others alone again. */
void conduits_pour_tracer(Exec exec, RunList columns, ConduitColumns args);
void conduits_pour_water(Exec exec, RunList columns, ConduitColumns args);

#ifdef __cplusplus
}
#endif
#endif
