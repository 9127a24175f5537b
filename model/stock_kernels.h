/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics of the fields after a step, without moving them to the host.
 */
#ifndef MAEOTIS_MODEL_STOCK_KERNELS_H
#define MAEOTIS_MODEL_STOCK_KERNELS_H

#include "model/momentum/momentum.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FacesMeasured {
    ptrdiff_t row;
    double dt, gravity, film; /* thinner water is not measured for MOST_MOVING [m] */
    const double *spacing, *depth, *bed, *fastest, *excess, *entering; /* of the faces; spacing by row */
    const double *eta; /* with ground inside cells, where depth is a mean; else NULL [m] */
} FacesMeasured;

enum {
    MOST_FASTEST,
    MOST_COURANT,
    MOST_WAVES,
    MOST_EXCESS,
    MOST_LEVEL,
    MOST_MOVING,
    MOST_ENTERING,
    FACE_MEASURES
};

/* Into most[FACE_MEASURES]: speed, Courant number, square of that of waves, values that no sea has, level above
 * the datum, speed of water that is not a film, part of a velocity cell that entered. */
void faces_measure_ask(Exec exec, RunList faces, FacesMeasured args, double *most);

typedef struct Digested {
    GridView g;
    const double *field;
    uint64_t salt;
} Digested;

/* Adds to count[0] the field's part of state_digest. */
void field_digest_ask(Exec exec, RunList cells, Digested args, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
