/* SPDX-License-Identifier: Apache-2.0
 *
 * Production P [m2 s-3] of turbulence at an interface of a block of columns: the energy that the mean flow loses to
 * vertical viscosity, to round-off. It is lost at faces, with their own viscosity nu_f,
 *
 *     loss_f = nu_f du_new (du_new + du_old)/2 / dz_f                       per area [m3 s-3]
 *
 * (shear.h), and momentum makes nu_f from both columns of a face (momentum/vertical.h). So a face's loss goes to both,
 * in equal parts for equal water:  P = sum of loss_f / (dz + dz_beyond)  over the four faces of a cell. Were it the
 * column's own nu instead, then a column that mixes would be driven on and its neighbour would starve, under the same
 * current: a checkerboard, which momentum could not see. An interface that the column beyond does not have gives nothing,
 * as nothing is lost there; what the water of a film gets is lost. Nor does a face that was dry before the step, whose
 * velocity comes from the face behind (momentum/front.h).
 */
#ifndef MAEOTIS_MODEL_PRODUCTION_H
#define MAEOTIS_MODEL_PRODUCTION_H

#include "model/momentum/eddies.h"
#include "model/turbulence/shear.h"

/* The sides of a block's columns, as momentum has had them in the step. */
typedef struct FaceWater {
    double own[SIDES][LANES];       /* how much the column's own nu counts */
    double least[SIDES][LANES];     /* peak of the parabola that bounds nu from below [m2 s-1] */
    double above_bed[SIDES][LANES]; /* share of the face's depth between bed and interface */
    bool bounded;                   /* is any of the bounds above 0? */
} FaceWater;

POINTWISE void face_water_find(const TurbulentColumns *a, ptrdiff_t first, FaceWater *w) {
    const double *depth = a->depth_before + first;
    double most = 0;
    UNROLLED for (int side = 0; side < SIDES; side++) {
        const ptrdiff_t at = first + side_face(a, side), beyond = side_beyond(a, side);
        const double *thick = (side < 2 ? a->depth_u : a->depth_v) + at;
        const double *friction = (side < 2 ? a->friction_u : a->friction_v) + at;
        FOR_LANES (l) {
            w->own[side][l] = eddies_share(depth[l], depth[l + beyond]);
            w->least[side][l] = KARMAN * friction[l] * thick[l] * eddies_bound(friction[l], a->dt, thick[l]);
            w->above_bed[side][l] = 1.0;
        }
    }
    UNROLLED for (int side = 0; side < SIDES; side++) for (int l = 0; l < LANES; l++) most =
        max_of(most, w->least[side][l]);
    w->bounded = most > 0;
}

/* From the surface down, interface by interface. */
POINTWISE void face_water_descend(const TurbulentColumns *a, ptrdiff_t layer, FaceWater *w) {
    if (!w->bounded) return;
    UNROLLED for (int side = 0; side < SIDES; side++) {
        const double *phi = (side < 2 ? a->g.phi_u : a->g.phi_v) + layer + side_face(a, side);
        FOR_LANES (l) w->above_bed[side][l] = max_of(0.0, w->above_bed[side][l] - phi[l]);
    }
}

/* nu of a side's faces as momentum has had it. [m2 s-1] */
POINTWISE void face_viscosity(const TurbulentColumns *a, const FaceWater *w, ptrdiff_t layer, int side,
                              double *nu) {
    const double *here = a->viscosity + layer, *beyond = here + side_beyond(a, side);
    const double *own = w->own[side];
    FOR_LANES (l) nu[l] = own[l] * here[l] + (1.0 - own[l]) * beyond[l];
    if (!w->bounded) return;
    const double *share = w->above_bed[side];
    FOR_LANES (l) nu[l] = max_of(nu[l], a->floor_viscosity + w->least[side][l] * share[l] * (1.0 - share[l]));
}

/* P; `shears` is what face_shears has found. */
POINTWISE void production_find(const TurbulentColumns *a, const FaceWater *w, ptrdiff_t first,
                               ptrdiff_t layer, double shears[SIDES][LANES], const double *dz,
                               double *production) {
    const ptrdiff_t plane = a->g.plane;
    double over[SIDES][LANES], under[SIDES][LANES]; /* of loss_f / (dz + dz_beyond) */
    UNROLLED for (int side = 0; side < SIDES; side++) {
        const ptrdiff_t face = side_face(a, side), step = side_beyond(a, side);
        const double *phi = (side < 2 ? a->g.phi_u : a->g.phi_v) + layer + face;
        const double *thick = (side < 2 ? a->depth_u : a->depth_v) + first + face;
        const double *phi_beyond = a->g.phi_c + layer + step, *depth_beyond = a->depth + first + step;
        double nu[LANES];
        face_viscosity(a, w, layer, side, nu);
        FOR_LANES (l) {
            const double of_face = 0.5 * (phi[l] + phi[l - plane]) * thick[l];
            const double beyond = 0.5 * (phi_beyond[l] + phi_beyond[l - plane]) * depth_beyond[l];
            over[side][l] = thick[l] > 0 ? nu[l] * shears[side][l] : 0.0;
            under[side][l] = max_of(of_face, THINNEST) * (dz[l] + max_of(beyond, THINNEST));
        }
    }
    FOR_LANES (l) { /* one division for all sides */
        const double under_x = under[0][l] * under[1][l], under_y = under[2][l] * under[3][l];
        const double x = over[0][l] * under[1][l] + over[1][l] * under[0][l];
        const double y = over[2][l] * under[3][l] + over[3][l] * under[2][l];
        production[l] = max_of(0.0, 0.5 * (x * under_y + y * under_x) / (under_x * under_y));
    }
}

#endif
