/* SPDX-License-Identifier: Apache-2.0
 *
 * Suspended matter and its exchange with the bed. With c in the lowest layer, w the settling velocity, tau
 * the bed stress and B the mass on the bed [kg m-2]:
 *
 *     B_t = D - E,   D = w c (1 - tau/tau_d)+,   E = M (tau/tau_e - 1)+
 *
 * (R. B. Krone, 1962; E. Partheniades, J. Hydraul. Div. ASCE 91 (1965) 105-139). Both are part of the
 * column's implicit line (mixing_kernels.c). E is limited so that B is at least 0 at the end of the step:
 * neither the water nor the bed is ever negative, and the mass that leaves one enters the other. Where a
 * column falls dry, the remaining film has no stress and deposits nearly all of its content; a dry bed keeps
 * its mass.
 *
 * With ground inside cells (model/subgrid) the bed of a layer is what its upper side is larger than its lower one. All that lies on
 * the bed of a cell lies under its water, spread evenly, and B is its mass over the cell's area. tau is the force on a face over the
 * width that is wet. Layers above the lowest one exchange with their bed before the column mixes (mix_flanks).
 */
#ifndef MAEOTIS_MODEL_TRACER_BED_H
#define MAEOTIS_MODEL_TRACER_BED_H

#include "model/momentum/flanks.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of one tracer. */
typedef struct Bed {
    double *store;              /* B [kg m-2]; NULL: none, nothing leaves through the bed */
    double erosion;             /* M [kg m-2 s-1] */
    double critical_erosion;    /* tau_e [Pa] */
    double critical_deposition; /* tau_d [Pa]; 0: settles at any stress */
} Bed;

/* The stress that moves the bed of columns, from the drag that the faces' water feels: per direction the mean
 * of the faces with water, by their width; with waves the largest stress of waves and current (waves/wave_orbit.h). */
typedef struct BedStress {
    GridView g;
    double density;                    /* of the water [kg m-3] */
    const double *depth_u, *depth_v;   /* [m] */
    const double *thick_u, *thick_v;   /* sections over wet widths; NULL: as depth_u, depth_v [m] */
    const double *drag_u, *drag_v;     /* Cd */
    Flanks flanks_u, flanks_v;         /* with halo */
    const double *u, *v;               /* [m s-1] */
    const double *stokes_u, *stokes_v; /* Stokes drift in them, which the bed does not feel; NULL: none */
    const double *wave_stress, *wave_x, *wave_y; /* as in the state; NULL: no waves */
    double *stress;                              /* tau [Pa] */
} BedStress;
void bed_stress(Exec exec, RunList columns, BedStress args);

#ifdef __cplusplus
}
#endif
#endif
