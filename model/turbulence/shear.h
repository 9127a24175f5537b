/* SPDX-License-Identifier: Apache-2.0
 *
 * Shear S^2 and stability N^2, which drive turbulence, at an interface of a block of columns.
 *
 * S^2 is the loss of the layers' mean energy per nu: for each face  du_new (du_new + du_old)/2 / dz^2, since the
 * implicit step takes nu du_new (du_new + du_old)/2 / dz out of the mean flow (H. Burchard, Ocean Modelling 4 (2002)
 * 127-140), of which each of its two cells gets half; production.h has the loss itself. A face that is closed, or has
 * its bed at the interface, gives nothing. With Stokes drift the stress is nu (du_new - du_s) / dz: waves add to the
 * production.
 */
#ifndef MAEOTIS_MODEL_SHEAR_H
#define MAEOTIS_MODEL_SHEAR_H

#include "model/turbulence/turbulent_columns.h"

/* Columns thinner than this have no turbulence of their own: there is no room for an eddy. [m] */
#define FILM 1e-3

/* The least thickness of a layer in divisions, for dry columns. [m] */
#define THINNEST 1e-9

typedef struct Interfaces {
    double lowest[LANES];    /* interface of the column; n3 where there is none */
    double open[4][LANES];   /* lowest interface with water on both sides: west, east, south, north face */
    int deepest, shallowest; /* of all lanes */
} Interfaces;

POINTWISE void interfaces_find(const TurbulentColumns *a, ptrdiff_t first, Interfaces *n) {
    const GridView *g = &a->g;
    const double *bottom = g->bottom_c + first, *depth = a->depth + first, none = g->n3;
    const double *west = g->bottom_u + first, *south = g->bottom_v + first;
    const ptrdiff_t row = g->row;
    double deepest = none, shallowest = 0;
    FOR_LANES (l) {
        n->lowest[l] = depth[l] > FILM ? min_of(none, bottom[l] + 1.0) : none;
        n->open[0][l] = west[l] + 1.0;
        n->open[1][l] = west[l + 1] + 1.0;
        n->open[2][l] = south[l] + 1.0;
        n->open[3][l] = south[l + row] + 1.0;
    }
    for (int l = 0; l < LANES; l++) {
        deepest = min_of(deepest, bottom[l] + 1.0);
        shallowest = max_of(shallowest, n->lowest[l] < none ? n->lowest[l] : 0.0);
    }
    n->deepest = (int)deepest;
    n->shallowest = (int)shallowest;
}

/* Between the middles of the layers at interface k; `layer` is the block's place in three-dimensional fields.
 * [m] */
POINTWISE void distances(const TurbulentColumns *a, ptrdiff_t first, ptrdiff_t layer, double *dz) {
    const double *phi = a->g.phi_c + layer, *phi_below = phi - a->g.plane, *depth = a->depth + first;
    FOR_LANES (l) dz[l] = max_of(0.5 * (phi[l] + phi_below[l]) * depth[l], THINNEST);
}

/* The sides of a column: WEST, EAST, SOUTH, NORTH. The face of a side, and the column beyond it, from the column's own
 * place. */
enum { SIDES = 4 };
POINTWISE ptrdiff_t side_face(const TurbulentColumns *a, int side) {
    return side == 1 ? 1 : side == 3 ? a->g.row : 0;
}
POINTWISE ptrdiff_t side_beyond(const TurbulentColumns *a, int side) {
    return side < 2 ? (side == 0 ? -1 : 1) : (side == 2 ? -a->g.row : a->g.row);
}

/* du_new (du_new + du_old) of the faces of a block at interface k; 0 where a face is closed or has its bed there.
 * [m2 s-2] */
POINTWISE void face_shears(const TurbulentColumns *a, const Interfaces *n, ptrdiff_t layer, int k,
                           double shears[SIDES][LANES]) {
    const ptrdiff_t plane = a->g.plane;
    const bool waves = a->stokes_u != NULL;
    UNROLLED for (int side = 0; side < SIDES; side++) {
        const ptrdiff_t at = layer + side_face(a, side);
        const double *after = (side < 2 ? a->u : a->v) + at,
                     *before = (side < 2 ? a->u_before : a->v_before) + at;
        const double *drift =
            waves ? (side < 2 ? a->stokes_u : a->stokes_v) + at : after; /* else any field */
        FOR_LANES (l) {
            const double now = after[l] - after[l - plane], then = before[l] - before[l - plane];
            const double without = waves ? now - (drift[l] - drift[l - plane]) : now;
            const double product = without * (now + then);
            shears[side][l] = n->open[side][l] <= k ? product : 0.0;
        }
    }
}

/* S^2 [s-2] at the interfaces k of a block, with what face_shears found. */
POINTWISE void shear_squared(double shears[SIDES][LANES], const double *dz, double *s2) {
    FOR_LANES (l) {
        const double along_x = shears[0][l] + shears[1][l], along_y = shears[2][l] + shears[3][l];
        s2[l] = max_of(0.0, 0.25 * (along_x + along_y)) / (dz[l] * dz[l]);
    }
}

/* N^2 [s-2] likewise. */
POINTWISE void buoyancy_squared(const TurbulentColumns *a, ptrdiff_t layer, const double *dz, double *n2) {
    if (!a->density) {
        FOR_LANES (l) n2[l] = 0.0;
        return;
    }
    const double *density = a->density + layer, *below = density - a->g.plane;
    FOR_LANES (l) n2[l] = a->gravity_per_density * (below[l] - density[l]) / dz[l];
}

#endif
