/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/divergence.h"
#include "model/pressure/vertical_inertia.h"

/* Waves begin to break at what the scenario calls breaking, and do so wholly at this many times of it. */
#define ENDS 1.5

/* The part of it that keeps a wave breaking, where it breaks or beside. */
#define PERSISTS 0.3

/* The part of the fall of a surface that is taken off its slope: a rarefaction is no front, but slopes that no
 * wave has, such as the face of a dam that has just gone, are fronts on all sides. */
#define FALLS 0.85

/* Slope of the surface through the two neighbours of column m that are `step` away, as far as all are deep enough for
 * waves. A kink of one cell, as over a step of the bed, is half a slope. */
POINTWISE double slope_along(const PressureMark *a, ptrdiff_t m, ptrdiff_t step, double distance) {
    const bool here = a->depth[m] >= a->least_depth;
    const double level = a->eta[m];
    const double ahead = (here & (a->depth[m + step] >= a->least_depth)) ? a->eta[m + step] : level;
    const double behind = (here & (a->depth[m - step] >= a->least_depth)) ? a->eta[m - step] : level;
    return fabs(ahead - behind) / (2.0 * distance);
}

/* How steep the surface of a column is; waves begin to break at 1. A front rises fast where it is, or with the
 * flow if it stands in a current; short waves that do neither have slopes. */
POINTWISE double steepness(const PressureMark *a, ptrdiff_t m, int j) {
    const ptrdiff_t row = a->g.row, top = (a->g.n3 - 1) * a->g.plane;
    const double speed = max_of(sqrt(a->gravity * max_of(0.0, a->depth[m])), 1e-12);
    const double in_place = a->increment[m] / (a->dt_before * speed), with_flow = a->w[m + top] / speed;
    const double dx = a->g.dx_c[j], dy = a->g.dy_c[j];
    const double slope_x = slope_along(a, m, 1, dx), slope_y = slope_along(a, m, row, dy);
    const double rise = max_of(in_place, with_flow), fall = max_of(0.0, -min_of(in_place, with_flow));
    return max_of(rise, max_of(slope_x, slope_y) - FALLS * fall) / a->breaking;
}

/* How much a column breaks whose surface is so steep: 0 to 1. */
POINTWISE double broken(double steep) {
    return max_of(0.0, min_of((steep - 1.0) / (ENDS - 1.0), 1.0));
}

/* How much column m broke in the last step; land and thin water do not. */
POINTWISE double broke(const PressureMark *a, ptrdiff_t m) {
    return a->depth[m] >= a->least_depth ? 1.0 - a->inertia[m] : 0.0;
}

/* The part of its inertia that a column keeps which waves break: where they broke in the last step, or beside, they
 * go on, as much as they did, as long as the surface keeps three tenths of the steepness at which they begin. */
POINTWISE double kept_in_breaking(const PressureMark *a, ptrdiff_t m, int j) {
    const ptrdiff_t row = a->g.row;
    const double around =
        max_of(max_of(broke(a, m - 1), broke(a, m + 1)), max_of(broke(a, m - row), broke(a, m + row)));
    const double here = steepness(a, m, j);
    const double persists = min_of(max_of(broke(a, m), around), broken(here / PERSISTS));
    return 1.0 - max_of(broken(here), persists);
}

KERNEL_COLUMNS(pressure_mark, PressureMark) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double inertia[LANES];
    FOR_LANES (l) inertia[l] = 1.0;
    if (a->breaking > 0)
        FOR_LANES (l) inertia[l] *= kept_in_breaking(a, first + l, j);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double kept = inertia[l] < LEAST_INERTIA ? 0.0 : inertia[l];
        const double active = a->depth[m] >= a->least_depth ? HYDROSTATIC + kept : NONE;
        a->active[m] = a->g.own_area[m] > 0 ? active : NONE;
    }
}

KERNEL_CELLS(pressure_carry, PressureMark) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    /* thin water has no part in breaking */
    const double now = a->active[m] > NONE ? a->active[m] - HYDROSTATIC : 1.0;
    a->carried[m] = sqrt(min_of(1.0, a->inertia[m] / max_of(now, LEAST_INERTIA)));
    a->inertia[m] = now;
}

KERNEL_CELLS(pressure_mark_again, PressureMark) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->active[m] = a->depth[m] >= a->least_depth ? a->active[m] : NONE;
}

KERNEL_CELLS(pressure_release, PressureMark) {
    const ptrdiff_t m = AT2(a->g, i, j), mk = AT(a->g, i, j, k);
    a->q[mk] = a->active[m] > HYDROSTATIC ? a->q[mk] : 0.0;
}

/* Surfaces that rise or fall at the start faster than this times sqrt(g H) are not those of waves. */
#define FASTEST_WAVE 0.6

KERNEL_CELLS(pressure_start_columns, PressureStart) {
    const ptrdiff_t m = AT2(a->g, i, j), top = m + (a->g.n3 - 1) * a->g.plane;
    const double limit = FASTEST_WAVE * sqrt(a->gravity * max_of(0.0, a->depth[m]));
    const double excess = fabs(a->w[top]) / max_of(limit, 1e-12) - 1.0;
    const double part = 1.0 - max_of(0.0, min_of(excess, 1.0));
    (void)k;
    a->inertia[m] = 1.0;
    for (int level = 0; level < a->g.n3; level++) a->w[m + level * a->g.plane] *= part;
}

/* ---- what advects ---- */

/* 1 where the step before says much about this one; less to 0 where the depth changes by more than a quarter, and by
 * half, of it in a step. */
KERNEL_CELLS(pressure_find_steady, FindSteady) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double change = fabs(a->increment[m]) / max_of(a->depth[m], 1e-12);
    const double steady = max_of(0.0, min_of(2.0 - 4.0 * change, 1.0));
    a->steady[m] = a->active[m] > NONE ? steady : 0.0;
}

KERNEL_COLUMNS(pressure_advance_flux, AdvanceFlux) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const double spacing = a->spacing[j], dt = a->dt;
    double both[LANES], steady[LANES], depth_before[LANES]; /* both: 1 or 0 */
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, back = m - a->along;
        const double rise = 0.25 * (a->increment[m] + a->increment[back]);
        /* not in films, which change within a step */
        const bool deep = (a->active[m] > NONE) & (a->active[back] > NONE);
        both[l] = (deep & (2.0 * fabs(rise) < a->depth[m])) ? 1.0 : 0.0;
        steady[l] = min_of(a->steady[m], a->steady[back]);
        depth_before[l] = a->depth[m] - rise;
    }
    for (int k = deepest_layer(a->bottom + first, a->g.n3); k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *phi = a->phi + layer, *velocity = a->velocity + layer, *flux = a->flux + layer;
        double *advanced = a->advanced + layer, *advanced_velocity = a->advanced_velocity + layer;
        PREFETCH(phi + BLOCK); /* the next block comes from memory, level by level */
        PREFETCH(velocity + BLOCK);
        PREFETCH(flux + BLOCK);
        PREFETCH(advanced + BLOCK);
        PREFETCH(advanced_velocity + BLOCK);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const double u = velocity[l], courant = dt * fabs(u) / spacing;
            const double share = a->width[m] * phi[l], section = share * depth_before[l];
            const double before = flux[l] / max_of(section, 1e-300), now = share * a->depth[m] * u;
            const bool alike = (both[l] > 0) & (section > 0), here = a->bottom[m] <= k;
            const double room = max_of(0.0, min_of(1.0, 2.0 - 2.0 * courant));
            const double ahead = alike ? steady[l] * (a->pace * room) : 0.0;
            const double faster = flux[l] + (steady[l] + ahead) * (now - flux[l]),
                         with_it = u + ahead * (u - before);
            advanced[l] = here ? (alike ? faster : flux[l]) : 0.0;
            advanced_velocity[l] = here ? with_it : u;
        }
    }
}

KERNEL_COLUMNS(pressure_advance_flux_w, AdvanceFluxW) {
    const ptrdiff_t first = AT2(a->g, i0, j), row = a->g.row, plane = a->g.plane;
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    double total[LANES] = {0}, flux[LANES] = {0};
    for (int k = lowest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * plane;
            total[l] += a->flux_u[m + 1] - a->flux_u[m] + (a->flux_v[m + row] - a->flux_v[m]);
        }
    for (int k = lowest; k < a->g.n3 - 1; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * plane;
            const double out = a->flux_u[m + 1] - a->flux_u[m] + (a->flux_v[m + row] - a->flux_v[m]);
            flux[l] += a->g.phi_c[m] * total[l] - out;
            const bool inside = (a->g.bottom_c[first + l] <= k) & (a->g.own_area[first + l] > 0);
            a->flux_w[m + plane] = inside ? flux[l] : 0.0;
        }
    FOR_LANES (l) {
        const double area = max_of(a->g.area[first + l], 1e-300);
        const double left = a->depth[first + l] - a->steady[first + l] * a->dt * total[l] / area;
        a->advanced_depth[first + l] = max_of(0.0, left);
    }
}

/* ---- the gradient ---- */

/* The columns on one side of a block of faces, layer by layer from the bed up. */
typedef struct Beside {
    ptrdiff_t first;     /* place in two-dimensional fields */
    double full[LANES];  /* 1: w of the column follows from the pressure; else 0 */
    double level[LANES]; /* of the layer's upper face [m] */
} Beside;

POINTWISE void beside_begin(const PressureGradient *a, ptrdiff_t first, int lowest, Beside *b) {
    b->first = first;
    FOR_LANES (l) {
        b->full[l] = a->active[first + l] > HYDROSTATIC ? 1.0 : 0.0;
        b->level[l] = a->g.bed[first + l];
    }
    for (int k = deepest_layer(a->g.bottom_c + first, lowest); k < lowest; k++)
        FOR_LANES (l) b->level[l] += a->g.phi_c[first + l + k * a->g.plane] * a->depth[first + l];
}

/* Climbs to the upper face of layer k; `jump`: the pressure above it less the one below. [m2 s-2] */
POINTWISE void beside_layer(const PressureGradient *a, int k, Beside *b, double *jump) {
    const double *phi = a->g.phi_c + b->first + k * a->g.plane, *p = a->pressure + b->first + k * a->g.plane;
    FOR_LANES (l) {
        b->level[l] += phi[l] * a->depth[b->first + l];
        jump[l] = b->full[l] * (p[l + a->g.plane] - p[l]);
    }
}

/* Of a block of faces, from the bed up. */
typedef struct Climb {
    Beside ahead, behind;
    double lowest[LANES]; /* layer with a gradient; n3: none */
    double scale[LANES];  /* half of one over the mean depth [m-1] */
    double below[LANES];  /* what the slope of the face below brings */
} Climb;

POINTWISE void climb_begin(const PressureGradient *a, ptrdiff_t first, int lowest, Climb *c) {
    const ptrdiff_t back = first - a->along;
    FOR_LANES (l) {
        const bool both = (a->active[first + l] > NONE) & (a->active[back + l] > NONE);
        const double mean = max_of(0.5 * (a->depth[first + l] + a->depth[back + l]), 1e-12);
        const double bottom = a->bottom[first + l];
        c->lowest[l] = (both & (a->depth_face[first + l] > 0)) ? bottom : (double)a->g.n3;
        c->scale[l] = 0.5 / mean;
        c->below[l] = 0.0;
    }
    beside_begin(a, first, lowest, &c->ahead);
    beside_begin(a, back, lowest, &c->behind);
}

/* The acceleration of layer k. [m s-2] */
POINTWISE void climb_layer(const PressureGradient *a, ptrdiff_t first, int j, int k, Climb *c,
                           double *acceleration) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *phi = a->phi + layer, *phi_above = phi + a->g.plane, spacing = a->spacing[j];
    double jump_ahead[LANES], jump_behind[LANES];
    PREFETCH(phi + BLOCK); /* the next block comes from memory, level by level */
    PREFETCH(a->g.phi_c + layer + BLOCK);
    PREFETCH(a->pressure + layer + BLOCK);
    beside_layer(a, k, &c->ahead, jump_ahead);
    beside_layer(a, k, &c->behind, jump_behind);
    FOR_LANES (l) {
        const bool open = c->lowest[l] <= k;
        const double along = a->pressure[layer + l] - a->pressure[layer - a->along + l];
        const double rise = c->ahead.level[l] - c->behind.level[l];
        const double tilted = c->scale[l] * rise * (jump_ahead[l] + jump_behind[l]);
        const double above = (open ? tilted : 0.0) / max_of(phi[l] + phi_above[l], 1e-300);
        const double found = ((above + c->below[l]) - along) / spacing;
        acceleration[l] = open ? found : 0.0;
        c->below[l] = above;
    }
}

KERNEL_COLUMNS(pressure_gradient, PressureGradient) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int lowest = deepest_layer(a->bottom + first, a->g.n3);
    Climb c;
    climb_begin(a, first, lowest, &c);
    for (int k = lowest; k < a->g.n3; k++)
        climb_layer(a, first, j, k, &c, a->acceleration + first + k * a->g.plane);
}

/* Adds what an acceleration has done in the step to the flux of the column, `change` over the layers. */
POINTWISE void add_change(const Faces *f, ptrdiff_t m, double carrying, double change) {
    f->flux_total[m] += f->limit[m] * f->width[m] * carrying * f->theta[m] * change;
}

/* ---- the system ---- */

KERNEL_COLUMNS(pressure_spend_response, SpendResponse) {
    const PressureGradient *gradient = &a->gradient;
    const Faces *f = &a->faces;
    const GridView *g = &gradient->g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const double gravity_per_spacing = a->gravity / f->spacing[j], dt = a->dt;
    const int lowest = deepest_layer(f->bottom + first, g->n3);
    Climb c;
    double push[LANES], mixed[LANES] = {0}, change[LANES] = {0}, now[LANES];
    climb_begin(gradient, first, lowest, &c);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        push[l] = f->theta[m] * gravity_per_spacing * (a->increment[m] - a->increment[m - f->along]);
    }
    for (int k = lowest; k < g->n3; k++) {
        const ptrdiff_t layer = first + k * g->plane;
        const double *phi = f->phi + layer, *response = f->response + layer, *velocity = f->velocity + layer;
        const double *before = f->acceleration + layer;
        double *predicted = f->predicted + layer;
        PREFETCH(response + BLOCK);
        PREFETCH(velocity + BLOCK);
        PREFETCH(before + BLOCK);
        PREFETCH(predicted + BLOCK);
        climb_layer(gradient, first, j, k, &c, now);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const bool open = (f->bottom[m] <= k) & (f->depth[m] > 0);
            const double spent = predicted[l] - push[l] * response[l];
            const double speed = f->theta[m] * spent + (1.0 - f->theta[m]) * velocity[l];
            const double faster = dt * (0.5 * (now[l] - before[l])), mixture = phi[l] * speed;
            predicted[l] = (open ? spent : 0.0) + faster;
            mixed[l] += open ? mixture : 0.0;
            change[l] += phi[l] * faster;
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool both = (a->gradient.active[m] > NONE) & (a->gradient.active[m - f->along] > NONE);
        const bool wet = (f->depth[m] > 0) & (gradient->depth_face[m] > 0);
        const double deepening = 0.5 * (gradient->depth_face[m] - f->depth[m]);
        const double deeper = (both & wet) ? deepening : 0.0;
        a->carrying[m] = f->depth[m] + deeper;
        a->added[m] = f->limit[m] * f->width[m] * deeper * mixed[l];
        f->flux_total[m] += a->added[m];
        add_change(f, m, a->carrying[m], change[l]);
    }
}

/* Faces' couplings: area over distance, where both columns have p; and where the surface holds them. */
typedef struct Couplings {
    double lowest[COLUMN_SIDES][LANES], share[COLUMN_SIDES][LANES]; /* share: width times depth over dx [m] */
} Couplings;

POINTWISE void couplings_begin(const PressureColumns *a, ptrdiff_t first, int j, Couplings *c) {
    const ptrdiff_t face[COLUMN_SIDES] = {first, first + 1, first, first + a->g.row};
    const ptrdiff_t outside[COLUMN_SIDES] = {-1, 1, -a->g.row, a->g.row};
    const double spacing[COLUMN_SIDES] = {a->u.spacing[j], a->u.spacing[j], a->v.spacing[j],
                                          a->v.spacing[j + 1]};
    UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) {
        const Faces *f = s <= EAST_SIDE ? &a->u : &a->v;
        const double *depth = (s <= EAST_SIDE ? a->depth_u : a->depth_v) + face[s];
        FOR_LANES (l) {
            const bool both = (a->active[first + l] > NONE) & (a->active[first + l + outside[s]] > NONE);
            c->lowest[s][l] = (both & (depth[l] > 0)) ? f->bottom[face[s] + l] : (double)a->g.n3;
            c->share[s][l] = f->width[face[s] + l] * depth[l] / spacing[s];
        }
    }
}

/* Coupling of layer k through a side. [m] */
POINTWISE double coupling_of(const PressureColumns *a, const Couplings *c, int s, ptrdiff_t first, int l,
                             int k) {
    const ptrdiff_t face[COLUMN_SIDES] = {first, first + 1, first, first + a->g.row};
    const Faces *f = s <= EAST_SIDE ? &a->u : &a->v;
    const double phi = f->phi[face[s] + l + k * a->g.plane];
    return c->lowest[s][l] <= k ? c->share[s][l] * phi : 0.0;
}

/* g theta^2 dt^2: how far the pressure of a rising surface holds the water below. [m] */
POINTWISE double stiffness(const PressureColumns *a) {
    const double theta_dt = a->theta * a->dt;
    return a->gravity * theta_dt * theta_dt;
}

/* The equation of r, A (up + link + 1/stiff) r = A (up + 2 link) p_n - A link p_b + rest, put into those of p_n and p_b:
 * what it adds to their matrix, over A. It is solved for p_n / scale, with the sum of the row of p_b that without
 * neighbours is 0, as preconditioners want it: p_n / scale is 2 p_n, the pressure below the topmost layer, if the step
 * is short, and p_n if it is so long that the surface takes all. */
typedef struct Folded {
    double top, coupling, below;       /* the diagonals, and minus what is between them [m-1] */
    double part_of_top, part_of_below; /* of p_n / scale, and of -p_b, in r */
    double of_rest;                    /* of rest / A in r [m] */
    double scale;
} Folded;

POINTWISE Folded fold(const GridView *g, const double *depth, const double *active, double stiff,
                      ptrdiff_t m) {
    const TopPush push = top_push(g, m, max_of(depth[m] * inertia_of(active[m]), 1e-12));
    const double both = push.up + 2.0 * push.link, of_rest = stiff / (1.0 + stiff * (push.link + push.up));
    const double of_top = of_rest * both, of_below = of_rest * push.link;
    const double coupling = 2.0 * push.link - both * of_below, below = push.link - push.link * of_below;
    const bool full = active[m] > HYDROSTATIC;
    const double ratio = below / max_of(coupling, 1e-300);
    const double scale = (full & (push.link > 0)) ? ratio : 1.0;
    const double top = full ? push.up + 4.0 * push.link - both * of_top : 1.0 / stiff;
    const Folded folded = {
        scale * scale * top, scale * coupling, below, scale * of_top, of_below, of_rest, scale};
    return folded;
}

/* One layer of the block but for what the surface adds, and with it what is between it and the layer below. */
POINTWISE void assemble_layer(const PressureColumns *a, const Couplings *c, ptrdiff_t first, int k) {
    const ptrdiff_t layer = first + k * a->g.plane, plane = a->g.plane;
    const double *phi = a->g.phi_c + layer;
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const bool here = (a->active[m] > NONE) & (a->g.bottom_c[m] <= k);
        const double twice_area = 2.0 * a->g.area[m];
        const double depth = max_of(a->depth[m] * inertia_of(a->active[m]), 1e-12);
        const double below = twice_area / ((phi[l] + phi[l - plane]) * depth);
        const double above = twice_area / ((phi[l] + phi[l + plane]) * depth);
        const bool linear = (a->active[m] > HYDROSTATIC) & (k == a->g.n3 - 1); /* as pressure is there */
        const bool below_it = (a->active[m] > HYDROSTATIC) & (k + 1 == a->g.n3 - 1);
        const double with_below = (here & !linear & (a->g.bottom_c[m] < k)) ? below : 0.0;
        const double with_above = (here & !below_it & (k < a->g.n3 - 1)) ? above : 0.0;
        double side[COLUMN_SIDES];
        UNROLLED for (int s = 0; s < COLUMN_SIDES; s++) side[s] = coupling_of(a, c, s, first, l, k);
        const double around = (side[WEST_SIDE] + side[EAST_SIDE]) + (side[SOUTH_SIDE] + side[NORTH_SIDE]);
        a->west[layer + l] = side[WEST_SIDE];
        a->south[layer + l] = side[SOUTH_SIDE];
        a->lower[layer + l] = with_below;
        a->centre[layer + l] = here ? around + with_below + with_above : 0.0;
    }
}

/* The surface put into the topmost layers, and their scale. */
POINTWISE void assemble_top(const PressureColumns *a, ptrdiff_t first) {
    const ptrdiff_t top = (a->g.n3 - 1) * a->g.plane;
    const double stiff = stiffness(a);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, mk = m + top;
        const Folded here = fold(&a->g, a->depth, a->active, stiff, m);
        const double west = fold(&a->g, a->depth, a->active, stiff, m - 1).scale,
                     south = fold(&a->g, a->depth, a->active, stiff, m - a->g.row).scale;
        const bool full = a->active[m] > HYDROSTATIC, two = full & (a->g.bottom_c[m] < a->g.n3 - 1);
        const double area = max_of(a->g.area[m], 1e-300), centre = here.scale * here.scale * a->centre[mk];
        a->west[mk] *= here.scale * west;
        a->south[mk] *= here.scale * south;
        a->centre[mk] = centre + (a->active[m] > NONE ? area * here.top : 0.0);
        a->lower[mk] = two ? area * here.coupling : a->lower[mk];
        a->centre[mk - a->g.plane] += two ? area * here.below : 0.0;
    }
}

KERNEL_COLUMNS(pressure_assemble, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane;
    const int top = a->g.n3 - 1;
    Couplings c;
    Flow f;
    double outflow[LANES], tilted[LANES], tilted_below[LANES] = {0}, total[LANES] = {0};
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    couplings_begin(a, first, j, &c);
    flow_begin(&a->g, a->u.predicted, a->v.predicted, a->depth, a->depth_u, a->depth_v, a->least_depth, first,
               lowest, &f);
    for (int k = lowest; k <= top; k++) {
        const ptrdiff_t layer = first + k * plane;
        assemble_layer(a, &c, first, k);
        flow_layer(&a->g, a->depth, first, k, &f, outflow, tilted);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = layer + l;
            const double out = outflow[l] - a->g.phi_c[mk] * a->source[m];
            const double w_below = a->g.bottom_c[m] < k ? a->w[mk - plane] : 0.0;
            const double divergence =
                out + a->g.area[m] * (a->w[mk] - w_below) - (tilted[l] - tilted_below[l]);
            const bool full = (a->active[m] > HYDROSTATIC) & (a->g.bottom_c[m] <= k);
            a->rhs[mk] = full ? -divergence / a->dt : 0.0;
            total[l] += a->g.bottom_c[m] <= k ? out : 0.0;
            tilted_below[l] = tilted[l];
        }
    }
    assemble_top(a, first);
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, mk = m + top * plane;
        const double area = max_of(a->g.area[m], 1e-300);
        const double added = (a->added_u[m + 1] - a->added_u[m]) + (a->added_v[m + a->g.row] - a->added_v[m]);
        const double heave = a->w[mk] - (tilted_below[l] - total[l] + added / a->theta) / area;
        const bool full = a->active[m] > HYDROSTATIC;
        a->rhs[mk + plane] = full ? area * heave / a->dt : 0.0;
    }
}

KERNEL_COLUMNS(pressure_apply, PressureColumns) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane;
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3), top = a->g.n3 - 1;
    const double stiff = stiffness(a);
    Flow f;
    double outflow[LANES], tilted[LANES], tilted_below[LANES] = {0}, rising_below[LANES] = {0},
                                          total[LANES] = {0}, sum[LANES] = {0}, pushed[LANES] = {0},
                                          up[LANES], link[LANES], jump_above[LANES];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const TopPush push = top_push(&a->g, m, inertia_of(a->active[m]) * max_of(a->depth[m], 1e-12));
        up[l] = push.up;
        link[l] = push.link;
        jump_above[l] = a->p[m + top * plane] - a->p[m + (top + 1) * plane];
    }
    flow_begin(&a->g, a->acceleration_u, a->acceleration_v, a->depth, a->depth_u, a->depth_v, a->least_depth,
               first, lowest, &f);
    for (int k = lowest; k <= top; k++) {
        const double *phi = a->g.phi_c + first + k * plane, *p = a->p + first + k * plane;
        const bool next_to_top = k + 1 == top;
        PREFETCH(p + BLOCK);
        PREFETCH(a->product + first + k * plane + BLOCK);
        flow_layer(&a->g, a->depth, first, k, &f, outflow, tilted);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const bool here = a->g.bottom_c[m] <= k, full = (a->active[m] > HYDROSTATIC) & here;
            const double mass = inertia_of(a->active[m]) * max_of(a->depth[m], 1e-12);
            const double distance = 0.5 * (phi[l] + phi[l + plane]) * mass;
            const double jump = p[l] - p[l + plane], between = jump / max_of(distance, 1e-300);
            const double of_top = up[l] * jump - pushed[l];
            pushed[l] = k == top ? of_top : (next_to_top ? link[l] * (jump - jump_above[l]) : between);
            const double rising = full ? a->g.area[m] * pushed[l] : 0.0;
            const double whole = outflow[l] + (rising - rising_below[l]) - (tilted[l] - tilted_below[l]);
            total[l] += here ? outflow[l] : 0.0;
            const double product = full ? whole : 0.0;
            a->product[m + k * plane] = product;
            sum[l] += p[l] * product;
            rising_below[l] = rising;
            tilted_below[l] = tilted[l];
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t m = first + l, highest = m + top * plane, surface = highest + plane;
        const double held = a->g.area[m] / stiff * a->p[surface];
        const double flat = total[l] + a->g.area[m] / stiff * a->p[highest];
        const bool hydrostatic = a->active[m] == HYDROSTATIC, full = a->active[m] > HYDROSTATIC;
        const double of_surface = full ? held + (tilted_below[l] - rising_below[l]) : 0.0;
        a->product[highest] = hydrostatic ? flat : a->product[highest];
        a->product[surface] = of_surface;
        sum[l] += a->p[surface] * of_surface;
        a->sum[m] = hydrostatic ? a->p[highest] * flat : sum[l];
    }
}

KERNEL_COLUMNS(pressure_fold_surface, PressureSurface) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane, top = first + (a->g.n3 - 1) * plane;
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        double *solution = a->solution + first + k * plane;
        PREFETCH(solution + BLOCK);
        FOR_LANES (l) solution[l] = 0.0;
    }
    FOR_LANES (l) {
        const Folded folded = fold(&a->g, a->depth, a->active, a->stiff, first + l);
        const double of_surface = a->residual[top + plane + l];
        const double residual = a->residual[top + l], below = a->residual[top - plane + l];
        a->kept[first + l] = residual;
        a->kept_below[first + l] = below;
        a->residual[top + l] = folded.scale * residual + folded.part_of_top * of_surface;
        a->residual[top - plane + l] = below - folded.part_of_below * of_surface;
    }
}

KERNEL_COLUMNS(pressure_unfold_surface, PressureSurface) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane, top = first + (a->g.n3 - 1) * plane;
    double sum[LANES];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const Folded folded = fold(&a->g, a->depth, a->active, a->stiff, m);
        const double of_surface = a->residual[top + plane + l];
        const double of_layers =
            folded.part_of_top * a->solution[top + l] - folded.part_of_below * a->solution[top - plane + l];
        const double found = of_layers + folded.of_rest * of_surface / max_of(a->g.area[m], 1e-300);
        a->solution[top + l] *= folded.scale;
        a->residual[top + l] = a->kept[m];
        a->residual[top - plane + l] = a->kept_below[m];
        const double surface = a->active[m] > HYDROSTATIC ? found : 0.0;
        a->solution[top + plane + l] = surface;
        sum[l] = surface * of_surface;
    }
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const double *residual = a->residual + first + k * plane;
        double *solution = a->solution + first + k * plane;
        PREFETCH(residual + BLOCK);
        PREFETCH(solution + BLOCK);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l;
            const bool alike = (a->active[m] == HYDROSTATIC) & (a->g.bottom_c[m] <= k);
            const double highest = a->solution[top + l], own = solution[l];
            const double value = alike ? highest : own;
            solution[l] = value;
            sum[l] += residual[l] * value;
        }
    }
    FOR_LANES (l) a->sum[first + l] = sum[l];
}

/* ---- what it changes ---- */

KERNEL_COLUMNS(pressure_correct, PressureCorrect) {
    const Faces *f = &a->faces;
    const GridView *g = &a->gradient.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    const int lowest = deepest_layer(f->bottom + first, g->n3);
    const double dt = a->dt;
    Climb c;
    double change[LANES] = {0}, now[LANES];
    climb_begin(&a->gradient, first, lowest, &c);
    for (int k = lowest; k < g->n3; k++) {
        const double *phi = f->phi + first + k * g->plane;
        double *predicted = f->predicted + first + k * g->plane;
        PREFETCH(predicted + BLOCK);
        climb_layer(&a->gradient, first, j, k, &c, now);
        FOR_LANES (l) {
            const double faster = dt * now[l];
            predicted[l] += faster;
            change[l] += phi[l] * faster;
        }
    }
    FOR_LANES (l) add_change(f, first + l, f->carrying[first + l], change[l]);
}

KERNEL_COLUMNS(pressure_renew, PressureRenew) {
    const ptrdiff_t first = AT2(a->g, i0, j), surface = first + a->g.n3 * a->g.plane;
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        const double *p = a->p + first + k * a->g.plane;
        double *q = a->q + first + k * a->g.plane;
        FOR_LANES (l) {
            const bool full = (a->active[first + l] > HYDROSTATIC) & (a->g.bottom_c[first + l] <= k);
            const double renewed = q[l] + (p[l] - a->p[surface + l]);
            q[l] = full ? renewed : 0.0;
        }
    }
    FOR_LANES (l) a->surface[first + l] = a->p[surface + l];
}

KERNEL_COLUMNS(pressure_guess, PressureGuess) {
    const ptrdiff_t first = AT2(a->g, i0, j), top = first + (a->g.n3 - 1) * a->g.plane;
    double highest[LANES];
    FOR_LANES (l) highest[l] = a->p[top + l] + (a->p[top + l] - a->before[top + l]);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3; k++) {
        double *p = a->p + first + k * a->g.plane, *before = a->before + first + k * a->g.plane;
        FOR_LANES (l) {
            const double last = p[l], own = last + (last - before[l]);
            /* hydrostatic columns: as in the top layer */
            const bool alike = (a->active[first + l] == HYDROSTATIC) & (a->g.bottom_c[first + l] <= k);
            const double next = alike ? highest[l] : own;
            p[l] = a->active[first + l] > NONE ? next : 0.0;
            before[l] = last;
        }
    }
    FOR_LANES (l) {
        const double last = a->surface[first + l], next = last + (last - a->surface_before[first + l]);
        a->p[first + l + a->g.n3 * a->g.plane] = a->active[first + l] > HYDROSTATIC ? next : 0.0;
        a->surface_before[first + l] = last;
    }
}

KERNEL_COLUMNS(pressure_find_w, FindW) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    Flow f;
    double outflow[LANES], tilted[LANES], total[LANES] = {0};
    const int lowest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    flow_begin(&a->g, a->u.velocity, a->v.velocity, a->depth, a->u.depth, a->v.depth, a->least_depth, first,
               lowest, &f);
    for (int k = lowest; k < a->g.n3; k++) {
        flow_layer(&a->g, a->depth, first, k, &f, outflow, tilted);
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = m + k * a->g.plane;
            const bool wet = (a->g.bottom_c[m] <= k) & (a->depth[m] > 0) &
                             (a->g.own_area[m] > 0); /* not beyond open edges */
            total[l] += wet ? a->g.phi_c[mk] * a->source[m] - outflow[l] : 0.0;
            a->w[mk] = wet ? (total[l] + tilted[l]) / max_of(a->g.area[m], 1e-300) : 0.0;
        }
    }
}
