/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two ways of solving the vertical lines of faces share: whole lines (momentum_kernels.c) and lines in parts
 * (shared_columns.h).
 */
#ifndef MAEOTIS_MODEL_FACE_LINES_H
#define MAEOTIS_MODEL_FACE_LINES_H

#include "model/momentum/terms.h"
#include "model/momentum/vertical.h"

/* What the elimination hands down from layer to layer, lane by lane. */
typedef struct Line {
    double mass[LANES], force[LANES], unit[LANES]; /* s', r' of u*, r' of G */
    double ratio[LANES];                           /* c / d of the layer above */
    double above_bed[LANES];                       /* height share of the present layer's lower face */
    double pull[LANES];                            /* mean acceleration by density */
    double lent[LANES]; /* stress between Stokes drifts, taken from the next layer by the one above */
    Eddies eddies;
} Line;

/* The lowest layers of the lanes, as the elimination leaves them, and what the bed makes of them. */
typedef struct Bed {
    double mass[LANES], force[LANES], unit[LANES]; /* as in Line */
    double velocity[LANES], across[LANES];         /* of both components, without Stokes drift [m s-1] */
    double drift[LANES];                           /* [m s-1] */
    double height[LANES];                          /* [m] */
    double part[LANES];                            /* of the face's bed (flanks.h) */
    double predicted[LANES], response[LANES];      /* u* [m s-1] and G [s] */
} Bed;

POINTWISE void bed_begin(Bed *bed) {
    FOR_LANES (l) {
        bed->mass[l] = bed->height[l] = bed->part[l] = 1.0; /* lanes without water divide by these */
        bed->force[l] = bed->unit[l] = bed->velocity[l] = bed->across[l] = bed->drift[l] = 0.0;
    }
}

/* Keeps layer k for the lanes whose bed is below it. */
POINTWISE void bed_keep(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k, const Line *line,
                        Bed *bed) {
    const Faces *f = &a->faces;
    const ptrdiff_t layer = first + k * a->g.plane;
    double across[LANES], drift[LANES];
    other_component(a, n, layer, k, across);
    drift_of(f, layer, drift);
    FOR_LANES (l) {
        const bool here = n->lowest[l] == k;
        const double velocity = f->velocity[layer + l] - drift[l],
                     height = f->phi[layer + l] * f->depth[first + l];
        bed->mass[l] = here ? line->mass[l] : bed->mass[l];
        bed->force[l] = here ? line->force[l] : bed->force[l];
        bed->unit[l] = here ? line->unit[l] : bed->unit[l];
        bed->velocity[l] = here ? velocity : bed->velocity[l];
        bed->across[l] = here ? across[l] : bed->across[l];
        bed->drift[l] = here ? drift[l] : bed->drift[l];
        bed->height[l] = here ? height : bed->height[l];
        bed->part[l] =
            here ? flank_part(&a->brakes.flanks, layer + l, first + l, k == a->g.n3 - 1) : bed->part[l];
    }
}

/* Brakes all lanes at once, since square roots and divisions take long; keeps the other component for the next
 * step. */
POINTWISE void bed_brake(const Momentum *a, const Neighbours *n, ptrdiff_t first, Bed *bed) {
    const Faces *f = &a->faces;
    const double linear = a->drag == DRAG_NO_SLIP ? 2.0 * a->floor_viscosity : 0.0;
    double friction[LANES], push[LANES];
    FOR_LANES (l) {
        const bool open = n->lowest[l] < a->g.n3;
        const double before = f->across[first + l], now = bed->across[l], drift = bed->drift[l];
        const BedFlow flow = {bed->velocity[l], now, extrapolated(now, before, a->ahead)};
        const BedDrag drag = bed_drag(bed->part[l] * f->drag[first + l], linear / bed->height[l],
                                      bed->mass[l], bed->force[l] - bed->mass[l] * drift, &flow);
        friction[l] = drag.friction;
        push[l] = drag.force + drag.friction * drift;
        const double inverse = 1.0 / (bed->mass[l] + friction[l]);
        bed->predicted[l] = (bed->force[l] + push[l]) * inverse;
        bed->response[l] = bed->unit[l] * inverse;
        f->across[first + l] = open ? now : before;
    }
    if (!f->braking) return;
    for (int l = 0; l < LANES; l++) {
        if (!(n->lowest[l] < a->g.n3)) continue;
        f->braking[first + l] = friction[l];
        f->push[first + (int)n->lowest[l] * a->g.plane + l] += push[l];
    }
}

/* Viscosity acts on the velocity without Stokes drift: what it does to the drifts of a layer and the one below is given
 * back to both. */
POINTWISE void give_back(const Momentum *a, const Neighbours *n, ptrdiff_t layer, int k,
                         const double *exchange, Line *line) {
    const double *drift = a->faces.stokes;
    const ptrdiff_t down = k > 0 ? a->g.plane : 0;
    if (!drift) return;
    FOR_LANES (l) {
        const double here = drift[layer + l], below = drift[layer + l - down];
        const double stress = n->lowest[l] < k ? exchange[l] * (here - below) : 0.0;
        const double given = stress - line->lent[l];
        line->lent[l] = stress;
        line->force[l] += given;
        if (a->faces.push) a->faces.push[layer + l] += given;
    }
}

/* Adds a push to all layers. [m s-2] */
POINTWISE void add_push(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k, const double *push,
                        double *force) {
    const Faces *f = &a->faces;
    const ptrdiff_t layer = first + k * a->g.plane;
    if (brakes_are_plain(&a->brakes)) return;
    FOR_LANES (l) {
        const double h = n->lowest[l] <= k ? f->phi[layer + l] * f->depth[first + l] : 0.0;
        force[l] += h * push[l];
        if (f->push) f->push[layer + l] += h * push[l];
    }
}

/* One layer of the block, with what the layers above hand down; except for the bed's friction. `exchange`: with the layer below, 0 at
 * the bed and below it. [m s-1] */
POINTWISE void layer_gather(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k,
                            const double *force, const double *growth, Line *line, double *exchange) {
    const Faces *f = &a->faces;
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *phi = f->phi + layer;
    const double *depth = f->depth + first;
    double rate[LANES], push[LANES];
    FOR_LANES (l) line->above_bed[l] = max_of(0.0, line->above_bed[l] - phi[l]);
    layer_brakes(a, n, first, k, line->above_bed, rate, push);
    FOR_LANES (l) {
        const double h = n->lowest[l] <= k ? phi[l] * depth[l] : 0.0;
        line->mass[l] = h / a->dt + rate[l] * h + line->ratio[l] * line->mass[l];
        line->force[l] = force[l] + line->ratio[l] * line->force[l];
        line->unit[l] = growth[l] * h + line->ratio[l] * line->unit[l];
    }
    add_push(a, n, first, k, push, line->force);
    layer_exchange(a, first, k, line->above_bed, &line->eddies, exchange);
    give_back(a, n, layer, k, exchange, line);
    FOR_LANES (l) exchange[l] = n->lowest[l] < k ? exchange[l] : 0.0;
}

/* Adds a layer's share of the flux before the step per width. [m2 s-1] */
POINTWISE void add_flux(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k, double *flux) {
    const Faces *f = &a->faces;
    const ptrdiff_t layer = first + k * a->g.plane;
    FOR_LANES (l) {
        const double h = n->lowest[l] <= k ? f->phi[layer + l] * f->depth[first + l] : 0.0;
        flux[l] += h * f->velocity[layer + l];
    }
}

/* theta of the faces. Fully implicit where the flow crosses half a cell in a step, and in thin water: both stabilise
 * fronts. */
POINTWISE void find_theta(const Momentum *a, ptrdiff_t first, int j, const double *flux) {
    const Faces *f = &a->faces;
    const double half_cell = 0.5 * f->spacing[j], theta_waves = a->theta;
    FOR_LANES (l) {
        const double depth = f->depth[first + l];
        const bool fast = a->dt * fabs(flux[l]) > half_cell * depth, thin = depth < a->full_stress_depth;
        f->theta[first + l] = (fast | thin) ? 1.0 : theta_waves;
    }
}

/* The mean over the column of the acceleration by differences of density. [m s-2] */
POINTWISE void add_pull(const Momentum *a, const Place *at, const double *baroclinic, double *pull) {
    const double *phi = a->faces.phi + at->layer;
    FOR_LANES (l) pull[l] += at->n->lowest[l] <= at->k ? phi[l] * baroclinic[l] : 0.0;
}

/* f - F of baroclinic.h: by how much more the mean pull counts than the density before the step gives; keeps f for
 * the next step. [m s-2] */
POINTWISE void advance_pull(const Momentum *a, ptrdiff_t first, const double *pull, double *advance) {
    const Faces *f = &a->faces;
    const bool is_first_step = a->previous == 0;
    FOR_LANES (l) advance[l] = 0.0;
    if (!f->pull) return;
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double theta = f->theta[m], before = is_first_step ? pull[l] : f->pull[m];
        advance[l] = (1.0 - theta) / theta * (pull[l] - before);
        f->pull[m] = pull[l] + advance[l];
    }
}

/* The mean velocity of the columns before the step, where centred.h wants it. */
POINTWISE void keep_mean(const Momentum *a, ptrdiff_t first, const double *flux) {
    const Faces *f = &a->faces;
    if (!f->mean) return;
    FOR_LANES (l) f->mean[first + l] = flux[l] / max_of(f->depth[first + l], 1e-300);
}

/* What the surface needs of a column: fluxes per width, of u* and before the step, and the response. [m2 s-1, m s] */
typedef struct FaceSums {
    double predicted[LANES], old[LANES], response[LANES];
} FaceSums;

/* A layer's velocity and response, once its column is solved. */
POINTWISE void layer_up(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k,
                        const double *velocity, const double *response, const double *growth,
                        const double *advance, FaceSums *sums) {
    const Faces *f = &a->faces;
    const ptrdiff_t layer = first + k * a->g.plane;
    FOR_LANES (l) {
        const double h = n->lowest[l] <= k ? f->phi[layer + l] * f->depth[first + l] : 0.0;
        const double predicted = velocity[l] + advance[l] * response[l];
        f->predicted[layer + l] = predicted;
        f->response[layer + l] = response[l];
        sums->predicted[l] += h * predicted;
        sums->response[l] += h * response[l];
    }
    if (f->push)
        FOR_LANES (l) {
            const double h = n->lowest[l] <= k ? f->phi[layer + l] * f->depth[first + l] : 0.0;
            f->push[layer + l] += growth[l] * h * advance[l];
        }
}

POINTWISE void finish_faces(const Momentum *a, ptrdiff_t first, int j, const FaceSums *sums) {
    const Faces *f = &a->faces;
    const double spacing = f->spacing[j];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double theta = f->theta[m];
        f->flux_predicted[m] = f->width[m] * (theta * sums->predicted[l] + (1.0 - theta) * sums->old[l]);
        f->conductance[m] = f->width[m] * theta * theta * a->slope_gravity * sums->response[l] / spacing;
    }
}

#endif
