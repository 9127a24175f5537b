/* SPDX-License-Identifier: Apache-2.0
 *
 * Advection of momentum on velocity cells: the cell of a face is half of each of its two cells, its volume fluxes
 * are means of theirs, and the step is
 *
 *     u += dt sum over sides of F_in (u^ - u) / max(V, dt sum of F_in)
 *
 * where u^ is the donor's velocity, plus, with the limiter, (1 - c)+ / 2 of a limited slope (c the local Courant
 * number). A convex combination of neighbours at any Courant number, and conservative as long as that is below 1.
 * A donor that is dry or land contributes nothing: its zero velocity is not the water's.
 *
 * Limiter: monotonised central, B. van Leer, J. Comput. Phys. 23 (1977) 276-299.
 */
#ifndef MAEOTIS_MODEL_ADVECTION_H
#define MAEOTIS_MODEL_ADVECTION_H

#include "model/momentum/neighbours.h"

POINTWISE double limited_slope(double back, double forth)
{
    double centre = 0.5 * fabs(back + forth), least = fmin(fabs(back), fabs(forth)) * 2.0;
    double size = fmin(centre, least);
    return back * forth > 0 ? (back > 0 ? size : -size) : 0;
}

typedef struct Side {
    double near, far, opposite;                /* velocities of the neighbours: next, after it, on the other side */
    bool near_open, far_open, opposite_open;
    double out;                                /* volume flux out of the velocity cell through this side [m3 s-1] */
} Side;

/* What the side adds: F_in (u^ - u), and to `inflow`. [m4 s-2], [m3 s-1] */
POINTWISE double side_contribution(double here, Side s, double courant_per_flux, double limiter, double *inflow)
{
    bool leaves = s.out > 0;
    double donor = leaves ? here : s.near, receiver = leaves ? s.near : here;
    double upstream = leaves ? s.opposite : s.far;
    bool smooth = leaves ? s.opposite_open : s.far_open;
    double courant = fmin(1.0, fabs(s.out) * courant_per_flux);
    double slope = smooth ? limited_slope(donor - upstream, receiver - donor) : 0.0;
    double carried = donor + limiter * 0.5 * (1.0 - courant) * slope;
    *inflow += fmax(0.0, -s.out);
    return s.near_open ? -s.out * (carried - here) : 0.0;
}

/* Volume of the velocity cell in layer k. [m3] */
POINTWISE double velocity_cell_volume(const Momentum *a, ptrdiff_t column, ptrdiff_t m)
{
    const ptrdiff_t back = a->faces.along;
    const Grid *g = &a->g;
    return 0.5 * (g->area[column] * a->depth[column] * g->phi_c[m] +
                  g->area[column - back] * a->depth[column - back] * g->phi_c[m - back]);
}

/* The velocity after advection for one step. [m s-1] */
POINTWISE double advected_velocity(const Momentum *a, const Neighbours *n, ptrdiff_t column, ptrdiff_t m, int k,
                                   int l)
{
    const ptrdiff_t along = a->faces.along, cross = a->faces.cross, plane = a->g.plane;
    const double *u = a->faces.velocity, *fa = a->faces.flux, *fc = a->other.flux, *fw = a->flux_w;
    const double here = u[m], level = k;
    const double out[SIDES] = {0.5 * (fa[m] + fa[m + along]), -0.5 * (fa[m - along] + fa[m]),
                               0.5 * (fc[m + cross] + fc[m + cross - along]), -0.5 * (fc[m] + fc[m - along])};
    const double volume = velocity_cell_volume(a, column, m);
    const double courant_per_flux = a->dt / fmax(volume, 1e-12);
    double sum = 0, inflow = 0;
    for (int s = 0; s < SIDES; s++) {
        const int opposite = s ^ 1;
        Side side = {u[m + n->step[s]],        u[m + 2 * n->step[s]],    u[m + n->step[opposite]],
                     n->near[s][l] <= level,   n->far[s][l] <= level,    n->near[opposite][l] <= level,
                     out[s]};
        sum += side_contribution(here, side, courant_per_flux, a->limiter, &inflow);
    }
    const double out_up = 0.5 * (fw[m + plane] + fw[m + plane - along]), out_down = -0.5 * (fw[m] + fw[m - along]);
    const double top = a->g.n3 - 1;
    const bool above = level + 1 <= top, above_2 = level + 2 <= top;
    const bool below = n->lowest[l] <= level - 1, below_2 = n->lowest[l] <= level - 2;
    Side up = {u[m + plane], u[m + 2 * plane], u[m - plane], above, above_2, below, out_up};
    Side down = {u[m - plane], u[m - 2 * plane], u[m + plane], below, below_2, above, out_down};
    sum += side_contribution(here, up, courant_per_flux, a->limiter, &inflow);
    sum += side_contribution(here, down, courant_per_flux, a->limiter, &inflow);
    return here + a->dt * sum / fmax(fmax(volume, a->dt * inflow), 1e-12);
}

#endif
