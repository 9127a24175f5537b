/* SPDX-License-Identifier: Apache-2.0
 *
 * Sponges: zones in front of open boundaries that relax the sea towards the values outside,
 *
 *     eta_t + r (eta - eta_b) = ...,   u_t + r (u - u_b) = ...,   r = (1 - d/width)^2 / time
 *
 * with d the distance to the nearest open face of the boundary; the current along the edge relaxes to 0. eta_b and u_b
 * are those at that face; of NetCDF files, the level is that of the cell, and velocities are relaxed layer by layer to
 * those of their place, both components, as nudging (nudging/zones.h).
 * Level and velocity have the same r, so that the sponge itself does not reflect a wave of normal incidence.
 * The relaxation of the level is a source in the budget of volume.
 *
 * H. C. Davies, Q. J. R. Meteorol. Soc. 102 (1976) 405-418; without reflection: as the layers of
 * J.-P. Berenger, J. Comput. Phys. 114 (1994) 185-200.
 */
#ifndef MAEOTIS_MODEL_SPONGE_H
#define MAEOTIS_MODEL_SPONGE_H

#include "gpu/reduce.h"
#include "model/boundary/outside.h"
#include "model/momentum/momentum.h"

/* An open face of any rank. */
typedef struct EdgePlace {
    double x, y;  /* of the face [degrees or m] */
    int i, j;     /* of the cell inside, in the whole grid */
    double bed;   /* of that cell [m] */
    int boundary; /* its number */
    bool along_x;
    double inwards;
    double normal[2]; /* as in segments.h */
} EdgePlace;

typedef struct Sponge Sponge;

/* `places` are all open faces of all ranks, `outside` and `choice` one for each boundary, one of which at least has
 * a sponge. Local. */
CHECKED Status sponge_create(const Scenario *scenario, const Grid *grid, const EdgePlace *places, int count,
                             Outside *const *outside, const OuterChoice *choice, Sponge **out);
void sponge_destroy(Sponge **sponge);

/* The open faces that this rank's sponges are relaxed to. */
typedef struct SpongeTarget {
    EdgePlace at;
    int place; /* number of the face */
    Outside *outside;
    OutsidePoint point;
} SpongeTarget;
int sponge_targets(const Sponge *sponge, const SpongeTarget **out); /* returns their number */

/* Levels and velocities outside, after outside_advance; those of files may be added. */
void sponge_advance(Sponge *sponge);
struct SpongeAim *sponge_aims(Sponge *sponge); /* of the targets */

/* See boundaries.h. */
void sponge_soak(Sponge *sponge, double dt, const double *eta, const double *depth, double *source,
                 double *source_in);
void sponge_brake(const Sponge *sponge, double dt, const Faces *u, const Faces *v);
void sponge_leave(Sponge *sponge, ptrdiff_t column);
void sponge_each_column(const Sponge *sponge, void (*visit)(void *context, ptrdiff_t column), void *context);
void sponge_inflow(const Sponge *sponge, ExactSum *sum); /* after a wait */

#endif
