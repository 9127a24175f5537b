/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/advection.h"
#include "model/momentum/coriolis.h"
#include "model/momentum/momentum.h"
#include "model/momentum/pressure_gradient.h"
#include "model/momentum/vertical.h"
#include "model/momentum/viscosity.h"

/* What the elimination hands down from layer to layer, lane by lane. */
typedef struct Line {
    double mass[LANES], force[LANES], unit[LANES]; /* s', r' of u*, r' of G */
    double ratio[LANES];                           /* c / d of the layer above */
    double above_bed[LANES];                       /* height share of the present layer's lower face */
} Line;

typedef struct Scratch {
    double ratio[MAX_LEVELS][LANES], predicted[MAX_LEVELS][LANES], response[MAX_LEVELS][LANES];
} Scratch;

/* u* dt-explicit part: h (u_advected / dt + accelerations) [m2 s-2]; every term of the equation is in this sum. */
POINTWISE double explicit_force(const Momentum *a, const Neighbours *n, ptrdiff_t column, ptrdiff_t m, int j, int k,
                                int l, double h, double slope, double coriolis)
{
    double velocity = a->advection > 0 ? advected_velocity(a, n, column, m, k, l) : a->faces.velocity[m];
    if (a->viscosity > 0) velocity += viscous_change(a, n, column, m, j, k, l);
    double stress = k == a->g.n3 - 1 ? a->faces.stress[column] * fmin(1.0, a->faces.depth[column] / a->full_stress_depth)
                                     : 0.0;
    double acceleration = slope + a->current * coriolis + a->previous * a->faces.coriolis[m];
    return h * (velocity / a->dt + acceleration) + stress;
}

/* One layer of the block: gathers it, eliminates it, and at the bed adds the drag. */
POINTWISE void layer_down(const Momentum *a, const Neighbours *n, ptrdiff_t first, int j, int k, bool some_bed,
                          const double *slope, Line *line, Scratch *s)
{
    const Faces *f = &a->faces;
    FOR_LANES(l)
    {
        const ptrdiff_t column = first + l, m = column + k * a->g.plane;
        const bool open = n->lowest[l] <= k, bed = n->lowest[l] == k;
        const double depth = f->depth[column], h = open ? f->phi[m] * depth : 0.0;
        const double h_below = f->phi[m - a->g.plane] * depth;
        const double across = other_component(a, n, m, k, l);
        const double coriolis = f->turn * f->f[j] * across;
        const double force = explicit_force(a, n, column, m, j, k, l, h, slope[l], coriolis);
        line->mass[l] = h / a->dt + line->ratio[l] * line->mass[l];
        line->force[l] = (open ? force : 0.0) + line->ratio[l] * line->force[l];
        line->unit[l] = h + line->ratio[l] * line->unit[l];
        line->above_bed[l] -= f->phi[m];
        const double nu = eddy_viscosity(a, f->friction[column], depth, fmax(0.0, line->above_bed[l]));
        const double c = open && !bed ? nu / (0.5 * (h + h_below)) : 0.0;
        double friction = 0.0;
        if (some_bed)
            friction = bed ? bed_friction(a, f->drag[column], line->mass[l], line->force[l], across, h) : 0.0;
        const double inverse = open ? 1.0 / (line->mass[l] + c + friction) : 0.0;
        line->ratio[l] = c * inverse;
        s->ratio[k][l] = line->ratio[l];
        s->predicted[k][l] = line->force[l] * inverse;
        s->response[k][l] = line->unit[l] * inverse;
        f->coriolis[m] = open ? coriolis : 0.0;
    }
}

/* From the bed up: velocities, and the sums over the column that the surface needs. */
POINTWISE void lines_up(const Momentum *a, const Neighbours *n, ptrdiff_t first, int j, int deepest, Scratch *s)
{
    const Faces *f = &a->faces;
    double below[LANES] = {0}, below_response[LANES] = {0};
    double flux_new[LANES] = {0}, flux_old[LANES] = {0}, response[LANES] = {0};
    for (int k = deepest; k < a->g.n3; k++)
        FOR_LANES(l)
        {
            const ptrdiff_t m = first + l + k * a->g.plane;
            const double h = n->lowest[l] <= k ? f->phi[m] * f->depth[first + l] : 0.0;
            below[l] = s->predicted[k][l] + s->ratio[k][l] * below[l];
            below_response[l] = s->response[k][l] + s->ratio[k][l] * below_response[l];
            f->predicted[m] = below[l];
            f->response[m] = below_response[l];
            flux_new[l] += h * below[l];
            flux_old[l] += h * f->velocity[m];
            response[l] += h * below_response[l];
        }
    FOR_LANES(l)
    {
        const ptrdiff_t m = first + l;
        const double spacing = f->spacing[j], depth = f->depth[m];
        /* fully implicit where the flow crosses half a cell in a step, and in thin water: both stabilise fronts */
        const bool stiff = a->dt * fabs(flux_old[l]) > 0.5 * spacing * depth || depth < a->full_stress_depth;
        const double theta = stiff ? 1.0 : a->theta;
        f->theta[m] = theta;
        f->flux_predicted[m] = f->width[m] * (theta * flux_new[l] + (1.0 - theta) * flux_old[l]);
        f->conductance[m] = f->width[m] * theta * theta * a->gravity * response[l] / spacing;
    }
}

/* Faces that have fallen dry forget their past. */
POINTWISE void dry_faces_forget(const Momentum *a, const Neighbours *n, ptrdiff_t first)
{
    const Faces *f = &a->faces;
    for (int l = 0; l < LANES; l++)
        if (n->lowest[l] >= a->g.n3)
            for (int k = (int)f->bottom[first + l]; k < a->g.n3; k++) f->coriolis[first + l + k * a->g.plane] = 0.0;
}

KERNEL_COLUMNS(momentum_predict, Momentum)
{
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int top = a->g.n3 - 1;
    Neighbours n;
    Scratch s;
    Line line = {{0}, {0}, {0}, {0}, {0}};
    double slope[LANES];
    double deepest = a->g.n3, shallowest = 0;
    neighbours_find(a, first, &n);
    dry_faces_forget(a, &n, first);
    FOR_LANES(l)
    {
        slope[l] = pressure_acceleration(a, first + l, j);
        line.above_bed[l] = 1.0;
    }
    for (int l = 0; l < LANES; l++) {
        deepest = fmin(deepest, n.lowest[l]);
        shallowest = fmax(shallowest, n.lowest[l] <= top ? n.lowest[l] : 0.0);
    }
    for (int k = top; k >= (int)deepest; k--) layer_down(a, &n, first, j, k, k <= shallowest, slope, &line, &s);
    lines_up(a, &n, first, j, (int)deepest, &s);
}

KERNEL_COLUMNS(momentum_update, MomentumUpdate)
{
    const Faces *f = &a->faces;
    const ptrdiff_t first = AT2(a->g, i0, j);
    double deepest = a->g.n3;
    double push[LANES], fastest[LANES] = {0}, excess[LANES] = {0};
    for (int l = 0; l < LANES; l++) deepest = fmin(deepest, f->bottom[first + l]);
    FOR_LANES(l)
    {
        const ptrdiff_t m = first + l;
        push[l] = f->theta[m] * a->gravity * (a->increment[m] - a->increment[m - f->along]) / f->spacing[j];
    }
    for (int k = (int)deepest; k < a->g.n3; k++)
        FOR_LANES(l)
        {
            const ptrdiff_t m = first + l, mk = m + k * a->g.plane;
            const bool open = f->bottom[m] <= k && f->depth[m] > 0;
            const double theta = f->theta[m], old = f->velocity[mk];
            const double new_velocity = open ? f->predicted[mk] - push[l] * f->response[mk] : 0.0;
            const double share = f->limit[m] * f->width[m] * f->phi[mk] * f->depth[m];
            const double kept = a->depth_new[m] > 0 ? new_velocity : 0.0;
            f->flux[mk] = open ? share * (theta * new_velocity + (1.0 - theta) * old) : 0.0;
            f->velocity[mk] = kept;
            fastest[l] = fmax(fastest[l], fabs(kept));
            excess[l] += fabs(kept) < 100.0 ? 0.0 : 1.0; /* also NaN */
        }
    FOR_LANES(l)
    {
        f->fastest[first + l] = fastest[l];
        f->excess[first + l] = excess[l];
    }
}
