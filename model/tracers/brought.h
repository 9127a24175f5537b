/* SPDX-License-Identifier: Apache-2.0
 *
 * Gains and losses with a step's water, for the budgets of tracers: through rivers, sponges and open edges.
 * Kernels gather the parts and add them up.
 */
#ifndef MAEOTIS_MODEL_TRACERS_BROUGHT_H
#define MAEOTIS_MODEL_TRACERS_BROUGHT_H

#include "gpu/reduce.h"
#include "model/boundary/boundaries.h"
#include "model/boundary/open_faces.h"
#include "model/boundary/rivers.h"
#include "model/tracers/transport.h"

typedef struct Brought Brought;

/* Local. */
void brought_create(const Grid *grid, const Rivers *rivers, const Boundaries *boundaries, Brought **out);
void brought_destroy(Brought **brought);

/* Adds to sum[2 n] the gain of tracer n of the transport from rivers, and to sum[2 n + 1] that through
 * sponges and open edges; per second, of this rank, with the next fetch (gpu/results.h). Local. */
void brought_add(const Brought *brought, const Transport *transport, ExactSum *const *sum);

/* ---- kernels ---- */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BroughtParts {
    Transport transport;
    const ptrdiff_t *column; /* with sources */
    const OpenFace *face;
    int count;    /* of these */
    double *part; /* [tracer][number][layer][in, out], or without the last for faces */
} BroughtParts;

void brought_by_sources(Exec exec, RunList columns, BroughtParts args);
void brought_through_faces(Exec exec, RunList faces, BroughtParts args);

#ifdef __cplusplus
}
#endif
#endif
