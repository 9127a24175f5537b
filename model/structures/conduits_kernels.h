/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns at the ends of culverts and pumps as data of kernels (pinned memory, as in structures_kernels.h).
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_CONDUITS_KERNELS_H
#define MAEOTIS_MODEL_STRUCTURES_CONDUITS_KERNELS_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ConduitColumn {
    ptrdiff_t m;         /* -1: it is another rank's */
    double depth, level; /* for the host [m] */
    double out, in;      /* by the host [m3] */
} ConduitColumn;

typedef struct ConduitColumns {
    GridView g;
    ConduitColumn *column;
    const double *area;
    double *depth, *eta;
    double *c;    /* of one tracer, like the next; NULL: the water itself */
    double *mean; /* of columns: for the host; then the load that comes in, value times [m3] */
} ConduitColumns;

/* depth and level; the mean of a tracer. */
void conduits_tell(Exec exec, RunList columns, ConduitColumns args);

/* The tracer, then the water: with the depth of before. */
void conduits_pour(Exec exec, RunList columns, ConduitColumns args);

#ifdef __cplusplus
}
#endif
#endif
