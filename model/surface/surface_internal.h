/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the free surface: surface.c finds the increment, settle.c the new depth, from fluxes that it reduces where a column lacks
 * the water for them.
 */
#ifndef MAEOTIS_MODEL_SURFACE_INTERNAL_H
#define MAEOTIS_MODEL_SURFACE_INTERNAL_H

#include "model/surface/surface.h"

struct Surface {
    const Grid *grid;
    SurfaceOptions options;
    ConjugateGradient *conjugate; /* one of the two */
    Matm *matm;
    Halo *halo;
    double *wet, *wet_before, *centre, *rhs, *keep;
    uint64_t unread;
    bool keeps_matrix; /* the system that the next solve begins with has been set up */
    int newton;        /* systems of the last solve */
};

/* What the new depth follows from. */
typedef struct Settling {
    Surface *surface;
    Exec exec;
    SurfaceColumns columns;
    const Faces *u, *v;
} Settling;

Settling settling_of(Surface *surface, Exec exec, double dt, const double *depth, const Faces *u,
                     const Faces *v, const double *source, double *depth_new, double *eta_new);

SurfaceFaces surface_faces(const Surface *surface, const Faces *faces, const double *increment);

/* The sum over the processes. Collective. */
int64_t surface_count(const Grid *grid, uint64_t own);

/* The new depth from the fluxes; asks how many of this rank's columns lack the water for them. Collective. */
void settling_find_depth(const Settling *settling, uint64_t *lacking);

/* Reduces fluxes out of columns that lack the water for them until all have it. `lacking`: how many there are;
 * returns the reductions. A sweep settles one column more of those that water passes in the step; if they are too many, those
 * that still lack water keep none of their outflow, and with it none of their lack. Collective. */
int settling_reduce_fluxes(Settling *settling, int64_t lacking);

#endif
