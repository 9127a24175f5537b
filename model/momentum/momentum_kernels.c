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

/* A processor's launches and the emulator's share one function of each variant: it is long, and compiling takes seconds for
 * every copy. What is known of its arguments, and that nothing writes over them, the compiler sees in a copy of its own. */
#if defined(__CUDACC__)
#define VARIANT SIZED POINTWISE
#else
#define VARIANT static __attribute__((noinline))
#endif
#define PREDICT_AS(variant, ...)                                                                             \
    VARIANT void variant(const Momentum *a, int i0, int j, Scratch OF_LEVELS *s) {                           \
        const Momentum known = __VA_ARGS__;                                                                  \
        predict(&known, i0, j, s);                                                                           \
    }
/* for the compiler, which so knows that they are there */
#define PREDICT_WITH(variant, one, two, three, ...)                                                          \
    VARIANT void variant(const Momentum *a, int i0, int j, Scratch OF_LEVELS *s) {                           \
        const Momentum known = __VA_ARGS__;                                                                  \
        if (known.faces.one && known.faces.two && known.faces.three) predict(&known, i0, j, s);              \
    }

PREDICT_AS(predict_any, *a)
PREDICT_AS(predict_flat, without_options(a, false, false, false))
PREDICT_AS(predict_sphere, without_options(a, true, false, false))
PREDICT_WITH(pressed_flat, acceleration, carrying, advected, without_options(a, false, true, false))
PREDICT_WITH(pressed_sphere, acceleration, carrying, advected, without_options(a, true, true, false))
PREDICT_WITH(uneven_flat, uneven, closeness, thick, without_options(a, false, false, true))
PREDICT_WITH(uneven_sphere, uneven, closeness, thick, without_options(a, true, false, true))

KERNEL_LEVELS(momentum_predict, Momentum, 3) {
    Scratch OF_LEVELS s;
    predict_any(a, i0, j, &s);
}

KERNEL_LEVELS(momentum_predict_plain, Momentum, 3) {
    Scratch OF_LEVELS s;
    if (a->curved)
        predict_sphere(a, i0, j, &s);
    else
        predict_flat(a, i0, j, &s);
}

KERNEL_LEVELS(momentum_predict_pressed, Momentum, 3) {
    Scratch OF_LEVELS s;
    if (a->curved)
        pressed_sphere(a, i0, j, &s);
    else
        pressed_flat(a, i0, j, &s);
}

KERNEL_LEVELS(momentum_predict_uneven, Momentum, 3) {
    Scratch OF_LEVELS s;
    if (a->curved)
        uneven_sphere(a, i0, j, &s);
    else
        uneven_flat(a, i0, j, &s);
}
