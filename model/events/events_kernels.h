/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel of events: see events.h.
 */
#ifndef MAEOTIS_MODEL_EVENTS_KERNELS_H
#define MAEOTIS_MODEL_EVENTS_KERNELS_H

#include "kinetics/maeotis_kinetics.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Watch {
    GridView g;
    double dt, dry_depth;
    const double *depth;
    int n_terms; /* of the variable */
    const double *c[MAEOTIS_MOST_TERMS];
    double factor[MAEOTIS_MOST_TERMS];
    double threshold;
    bool above, at_surface;
    /* of columns */
    double *duration;     /* grows by dt where the condition holds in the layer [s] */
    double *here, *water; /* 1 where it does, else 0; the thickness of all water in which it holds [m] */
} Watch;
void watch(Exec exec, BlockList blocks, Watch args);

#ifdef __cplusplus
}
#endif
#endif
