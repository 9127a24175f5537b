/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/face_lines.h"
#include "model/momentum/plain.h"

SIZED_STRUCT(Scratch) {
    double ratio[COLUMN_LEVELS][LANES], predicted[COLUMN_LEVELS][LANES], response[COLUMN_LEVELS][LANES];
};

/* One layer of the block: gathered and eliminated. */
SIZED POINTWISE void layer_down(const Momentum *a, const Neighbours *n, ptrdiff_t first, int k,
                                const double *force, const double *growth, Line *line, Scratch OF_LEVELS *s) {
    double exchange[LANES];
    layer_gather(a, n, first, k, force, growth, line, exchange);
    FOR_LANES (l) {
        const bool open = n->lowest[l] <= k;
        const double inverse = 1.0 / (line->mass[l] + exchange[l]);
        line->ratio[l] = open ? exchange[l] * inverse : 0.0;
        s->ratio[k][l] = line->ratio[l];
        s->predicted[k][l] = open ? line->force[l] * inverse : 0.0;
        s->response[k][l] = open ? line->unit[l] * inverse : 0.0;
    }
}

/* From the bed up: velocities, and the sums over the column that the surface needs. */
SIZED POINTWISE void lines_up(const Momentum *a, const Neighbours *n, ptrdiff_t first, int j, int deepest,
                              const double *pull, const double *growth, const Scratch OF_LEVELS *s,
                              const Bed *bed) {
    double below[LANES] = {0}, below_response[LANES] = {0}, advance[LANES];
    FaceSums sums = {{0}, {0}, {0}};
    for (int k = deepest; k < a->g.n3; k++) add_flux(a, n, first, k, sums.old);
    find_theta(a, first, j, sums.old);
    advance_pull(a, first, pull, advance);
    keep_mean(a, first, sums.old);
    for (int k = deepest; k < a->g.n3; k++) {
        FOR_LANES (l) {
            const bool at_bed = n->lowest[l] == k;
            const double here = s->predicted[k][l] + s->ratio[k][l] * below[l];
            const double here_response = s->response[k][l] + s->ratio[k][l] * below_response[l];
            below[l] = at_bed ? bed->predicted[l] : here;
            below_response[l] = at_bed ? bed->response[l] : here_response;
        }
        layer_up(a, n, first, k, below, below_response, growth, advance, &sums);
    }
    finish_faces(a, first, j, &sums);
}

/* The levels of a column lie far apart in memory, where no hardware foresees the way: asks for the block
 * after next. */
POINTWISE void prefetch_layer(const Momentum *a, ptrdiff_t layer) {
    const ptrdiff_t ahead = layer + 2 * LANES, along = a->faces.along, cross = a->faces.cross;
    const Faces *f = &a->faces;
    PREFETCH(f->velocity + ahead);
    PREFETCH(f->velocity + ahead + a->g.row);
    PREFETCH(f->velocity + ahead + 2 * a->g.row);
    PREFETCH(f->velocity + ahead - a->g.row);
    PREFETCH(f->velocity + ahead - 2 * a->g.row);
    PREFETCH(f->flux + ahead);
    PREFETCH(f->flux + ahead + along);
    PREFETCH(f->flux + ahead - along);
    PREFETCH(a->other.flux + ahead);
    PREFETCH(a->other.flux + ahead + cross);
    PREFETCH(a->other.flux + ahead - along);
    PREFETCH(a->other.velocity + ahead);
    PREFETCH(a->other.velocity + ahead + cross);
    PREFETCH(a->other.velocity + ahead - along);
    PREFETCH(a->flux_w + ahead);
    PREFETCH(a->flux_w + ahead - along);
    PREFETCH(a->g.phi_c + ahead);
    PREFETCH(a->g.phi_c + ahead - along);
    PREFETCH(f->phi + ahead);
    PREFETCH(a->other.phi + ahead);
    PREFETCH(a->other.phi + ahead + cross);
    PREFETCH(a->other.phi + ahead - along);
    if (a->eddy_viscosity) PREFETCH(a->eddy_viscosity + ahead);
    if (a->anomaly) {
        PREFETCH(a->anomaly + ahead);
        PREFETCH(a->anomaly + ahead - along);
        PREFETCH(a->pressure + ahead);
        PREFETCH(a->pressure + ahead - along);
    }
    if (a->layering.density) {
        PREFETCH(a->layering.density + ahead);
        PREFETCH(a->layering.density + ahead - along);
    }
    if (a->rest.density) {
        PREFETCH(a->rest.density + ahead);
        PREFETCH(a->rest.density + ahead - along);
        PREFETCH(a->rest.rise + ahead);
        PREFETCH(a->rest.rise + ahead - along);
    }
    if (f->acceleration) PREFETCH(f->acceleration + ahead);
    if (f->advected) {
        PREFETCH(f->advected + ahead);
        PREFETCH(f->advected + ahead + 2 * a->g.row);
    }
    PREFETCH(f->predicted + ahead);
    PREFETCH(f->response + ahead);
}

/* The same for what a column has one of, for which the block waits before it can begin. */
POINTWISE void prefetch_columns(const Momentum *a, ptrdiff_t first) {
    const Faces *f = &a->faces, *o = &a->other;
    const ptrdiff_t ahead = first + 4 * LANES, row = a->g.row, back = ahead - f->along;
    const ptrdiff_t beside = f->turn > 0 ? ahead + row : ahead - row; /* the other component's second row */
    const double *here[] = {f->width, f->theta, f->stress, f->friction, f->drag, f->across};
    const double *found[] = {f->flux_predicted, f->conductance, o->width, o->depth, o->bottom};
    const double *columns[] = {a->g.area, a->depth, a->depth_advected, a->eta, a->rise};
    const double *others[] = {o->depth, o->bottom, o->width};
    UNROLLED for (int n = -2; n <= 2; n++) {
        PREFETCH(f->depth + ahead + n * row);
        PREFETCH(f->bottom + ahead + n * row);
    }
    PREFETCH(f->width + ahead + row);
    PREFETCH(f->width + ahead - row);
    /* tables of at most eight, which are unrolled */
    UNROLLED for (int n = 0; n < (int)(sizeof here / sizeof *here); n++) PREFETCH(here[n] + ahead);
    UNROLLED for (int n = 0; n < (int)(sizeof found / sizeof *found); n++) PREFETCH(found[n] + ahead);
    UNROLLED for (int n = 0; n < (int)(sizeof others / sizeof *others); n++) PREFETCH(others[n] + beside);
    UNROLLED for (int n = 0; n < (int)(sizeof columns / sizeof *columns); n++) {
        PREFETCH(columns[n] + ahead);
        PREFETCH(columns[n] + back);
    }
    if (f->closeness) {
        PREFETCH(f->closeness + ahead);
        PREFETCH(f->lift + ahead);
        PREFETCH(f->thick + ahead);
        PREFETCH(f->uneven + ahead);
    }
    if (a->anomaly) {
        PREFETCH(a->anomaly_surface + ahead);
        PREFETCH(a->anomaly_surface + back);
        PREFETCH(f->pull + ahead);
    }
}

/* The same for the levels above and below the water, which its outermost layers read and no other. */
POINTWISE void prefetch_ends(const Momentum *a, ptrdiff_t first, int deepest) {
    const ptrdiff_t below = first + (deepest - 1) * a->g.plane;
    const ptrdiff_t above = first + 4 * LANES + a->g.n3 * a->g.plane;
    PREFETCH(a->flux_w + above);
    PREFETCH(a->flux_w + above - a->faces.along);
    PREFETCH(a->faces.velocity + above);
    PREFETCH(a->faces.phi + below);
    PREFETCH(a->faces.velocity + below);
    PREFETCH(a->faces.velocity + below - a->g.plane);
}

SIZED POINTWISE void predict(const Momentum *a, int i0, int j, Scratch OF_LEVELS *s) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int top = a->g.n3 - 1;
    Neighbours n;
    const Place surface = {&n, first, first + top * a->g.plane, j, top};
    Terms terms;
    Line line;
    Bed bed;
    double force[LANES], deepest = a->g.n3, shallowest = 0;
    prefetch_columns(a, first);
    neighbours_find(a, first, &n);
    if (a->faces.braking)
        FOR_LANES (l) a->faces.braking[first + l] = 0.0;
    eddies_find(a, first, &line.eddies);
    bed_begin(&bed);
    terms_begin(a, &surface, &terms);
    for (int l = 0; l < LANES; l++) {
        line.mass[l] = line.force[l] = line.unit[l] = line.ratio[l] = 0.0;
        line.pull[l] = line.lent[l] = 0.0;
        line.above_bed[l] = 1.0;
        deepest = min_of(deepest, n.lowest[l]);
        shallowest = max_of(shallowest, n.lowest[l] <= top ? n.lowest[l] : 0.0);
    }
    prefetch_ends(a, first, (int)deepest);
    for (int k = top; k >= (int)deepest; k--) {
        const Place at = {&n, first, first + k * a->g.plane, j, k};
        prefetch_layer(a, at.layer);
        terms_find(a, &at, &terms);
        momentum_sum(a, &at, &terms, force);
        add_pull(a, &at, terms.baroclinic, line.pull);
        layer_down(a, &n, first, k, force, terms.growth, &line, s);
        if (k <= shallowest) bed_keep(a, &n, first, k, &line, &bed);
    }
    FOR_LANES (l) a->faces.entering[first + l] = terms.entering[l];
    bed_brake(a, &n, first, &bed);
    lines_up(a, &n, first, j, (int)deepest, line.pull, terms.growth, s, &bed);
}

KERNEL_LEVELS(momentum_predict, Momentum, 3) {
    Scratch OF_LEVELS s;
    predict(a, i0, j, &s);
}

SIZED POINTWISE void predict_plain(const Momentum *a, int i0, int j, const bool pressed, const bool uneven,
                                   Scratch OF_LEVELS *s) {
    const Momentum flat = without_options(a, false, pressed, uneven),
                   sphere = without_options(a, true, pressed, uneven);
    if (a->curved)
        predict(&sphere, i0, j, s);
    else
        predict(&flat, i0, j, s);
}

KERNEL_LEVELS(momentum_predict_plain, Momentum, 3) {
    Scratch OF_LEVELS s;
    predict_plain(a, i0, j, false, false, &s);
}

KERNEL_LEVELS(momentum_predict_pressed, Momentum, 3) {
    Scratch OF_LEVELS s;
    /* for the compiler, which so knows that they are there */
    if (!a->faces.acceleration || !a->faces.carrying || !a->faces.advected) return;
    predict_plain(a, i0, j, true, false, &s);
}

KERNEL_LEVELS(momentum_predict_uneven, Momentum, 3) {
    Scratch OF_LEVELS s;
    if (!a->faces.uneven || !a->faces.closeness || !a->faces.thick) return;
    predict_plain(a, i0, j, false, true, &s);
}

/* What turns the new velocity of a layer into the velocity of its volume flux: the fluxes of the whole column
 * are means of old and new velocities by theta, as free_surface needs them. With `internal` that goes for the
 * column's mean alone, and layers differ as their new velocities do: internal waves, whose force is that of
 * the old density, would grow with (1 - theta) (omega dt)^2 / 2 in a step otherwise. */
POINTWISE void flux_lag(const MomentumUpdate *a, ptrdiff_t first, int deepest, const double *push,
                        double *lag) {
    const Faces *f = &a->faces;
    FOR_LANES (l) lag[l] = 0.0;
    for (int k = deepest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = m + k * a->g.plane;
            const bool open = (f->bottom[m] <= k) & (f->depth[m] > 0);
            const double velocity = f->predicted[mk] - push[l] * f->response[mk];
            const double behind = f->phi[mk] * (1.0 - f->theta[m]) * (f->velocity[mk] - velocity);
            lag[l] += open ? behind : 0.0;
        }
}

/* How far the level of a column that the step empties falls below its bed in the surface's system, which so holds
 * back what the column lacks. No water feels that slope: a film beside such a column would take any speed. [m] */
POINTWISE double below_bed(const MomentumUpdate *a, ptrdiff_t m) {
    return max_of(0.0, -(a->depth_before[m] + a->increment[m]));
}

KERNEL_COLUMNS(momentum_update, MomentumUpdate) {
    const Faces *f = &a->faces;
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int deepest = deepest_layer(f->bottom + first, a->g.n3);
    /* a number: loops of doubles stay vectors */
    const double internal = a->layers == FLUXES_OF_NEW_VELOCITIES ? 1.0 : 0.0;
    double push[LANES], false_push[LANES], lag[LANES], fastest[LANES] = {0}, excess[LANES] = {0};
    const double *carried = f->carrying ? f->carrying : f->depth;
    const double gravity_per_spacing = a->gravity / f->spacing[j];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double gain = f->theta[m] * gravity_per_spacing;
        const double rise = a->increment[m] - a->increment[m - f->along];
        push[l] = f->carrying ? 0.0 : gain * rise; /* else spent before (pressure_spend_response) */
        false_push[l] = gain * (below_bed(a, m - f->along) - below_bed(a, m));
    }
    FOR_LANES (l) lag[l] = 0.0;
    if (internal > 0) flux_lag(a, first, deepest, push, lag);
    for (int k = deepest; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane, ahead = layer + 2 * LANES;
        PREFETCH(f->predicted + ahead);
        PREFETCH(f->response + ahead);
        PREFETCH(f->velocity + ahead);
        PREFETCH(f->flux + ahead);
        PREFETCH(f->phi + ahead);
        double open[LANES], velocity[LANES]; /* loops of one choice each stay vectors */
        FOR_LANES (l) {
            const double bottom = f->bottom[first + l], depth = f->depth[first + l];
            open[l] = ((bottom <= k) & (depth > 0)) ? 1.0 : 0.0;
        }
        FOR_LANES (l) {
            const double predicted = f->predicted[layer + l] - push[l] * f->response[layer + l];
            velocity[l] = open[l] > 0 ? predicted : 0.0;
        }
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = layer + l;
            const double theta = f->theta[m], old = f->velocity[mk];
            const double share = f->limit[m] * f->width[m] * f->phi[mk] * carried[m];
            const double mixed = theta * velocity[l] + (1.0 - theta) * old, shifted = velocity[l] + lag[l];
            const double flux = share * (internal > 0 ? shifted : mixed);
            f->flux[mk] = open[l] > 0 ? flux : 0.0;
        }
        FOR_LANES (l) {
            const double pushed = velocity[l] + false_push[l] * f->response[layer + l];
            const double depth_new = a->depth_new[first + l];
            f->predicted[layer + l] = ((open[l] > 0) & (depth_new > 0)) ? pushed : 0.0;
        }
        FOR_LANES (l) {
            const double speed = fabs(f->predicted[layer + l]);
            fastest[l] = max_of(fastest[l], speed);
            excess[l] += speed < IMPOSSIBLE_SPEED ? 0.0 : 1.0; /* also NaN */
        }
    }
    FOR_LANES (l) {
        f->fastest[first + l] = fastest[l];
        f->excess[first + l] = excess[l];
    }
}
