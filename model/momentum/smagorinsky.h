/* SPDX-License-Identifier: Apache-2.0
 *
 * Horizontal viscosity that follows the flow, at the centres of cells:
 *
 *     A = A_0 + C dx dy |D|,   |D|^2 = u_x^2 + v_y^2 + (u_y + v_x)^2 / 2
 *
 * after J. Smagorinsky, Mon. Wea. Rev. 91 (1963) 99-164, in the form of A. F. Blumberg, G. L. Mellor, in:
 * Three-Dimensional Coastal Ocean Models, AGU (1987) 1-16. u_x and v_y are differences across the cell, the
 * square of the shear is the mean of those at its four corners, so that waves of two cells are seen. Beside
 * a coast the shear is 0 (free slip), or that of a velocity which falls to 0 in half a cell (no slip). A
 * uniform flow and the rotation of a solid body have none; on a sphere a rotation about its axis.
 *
 * It is found from the velocities at the end of a step, and used in the next one: between cells their own
 * value or the mean of the cells with water around a corner (viscosity.h); for tracers, A over the Prandtl
 * number (tracers/diffusion.h).
 */
#ifndef MAEOTIS_MODEL_SMAGORINSKY_H
#define MAEOTIS_MODEL_SMAGORINSKY_H

#include "numerics/grid/grid.h"
#include "settings/choices.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NO_WATER (-1.0) /* what the field holds where there is none */

typedef struct Smagorinsky {
    GridView g;
    const double *u, *v, *depth, *depth_u, *depth_v; /* with halos */
    double coefficient;                              /* C */
    double background;                               /* A_0 [m2 s-1] */
    SideWalls walls;
    double *viscosity; /* A [m2 s-1] */
} Smagorinsky;

/* On own cells. */
void smagorinsky_find(Exec exec, BlockList blocks, Smagorinsky args);

#ifdef __cplusplus
}
#endif
#endif
