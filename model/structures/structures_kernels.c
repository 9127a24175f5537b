/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/structures_kernels.h"

#include "model/structures/weir.h"

POINTWISE const Faces *faces_of(const StructureFaces *a, const StructureFace *f) {
    return f->along_x ? &a->u : &a->v;
}

/* Above the datum; a dry column has none. */
POINTWISE double level_above(const StructureFaces *a, ptrdiff_t column, double crest) {
    return a->depth[column] > 0 ? max_of(0.0, a->eta[column] - crest) : 0.0;
}

POINTWISE double bed_at(const StructureFaces *a, const StructureFace *f) {
    return (f->along_x ? a->g.bed_u : a->g.bed_v)[f->m];
}

/* What is open above the crest over even ground. */
POINTWISE void open_even(Weir *w) {
    w->blocked = w->height, w->passes = w->high, w->opening = loss_depth(w);
    w->narrow = w->gap = 1.0;
}

/* The same of the section that the ground along the face leaves. */
POINTWISE void open_section(const Hypsometry *ground, ptrdiff_t m, Weir *w) {
    const double crest = w->height, closed = hypsometry_at_height(ground, m, crest).depth;
    const Section about = hypsometry_at_height(ground, m, crest + 2.0 / 3.0 * w->high);
    const double fall = 0.5 * (about.depth - closed) / max_of(about.share, 1e-300);
    const double critical = hypsometry_at_height(ground, m, crest + w->high - fall).depth - closed;
    const double under_leaf = hypsometry_at_height(ground, m, crest + w->lift).depth - closed;
    w->blocked = closed;
    w->passes = hypsometry_at_height(ground, m, crest + w->high).depth - closed;
    w->opening = hypsometry_at_height(ground, m, crest + loss_depth(w)).depth - closed;
    w->narrow = critical * sqrt(2.0 * fall) / max_of(0.54433105395181736 * w->high * sqrt(w->high), 1e-300);
    w->gap = w->lift < INFINITY ? under_leaf / max_of(w->lift, 1e-300) : 1.0;
}

/* The flow over the face, from the levels of now; 1: towards positive u or v, -1. */
POINTWISE Weir weir_of(const StructureFaces *a, const StructureFace *f, double *direction) {
    const double bed = bed_at(a, f), crest = max_of(bed, f->crest);
    const double back = level_above(a, f->m - faces_of(a, f)->along, crest),
                 here = level_above(a, f->m, crest);
    const bool forwards = back >= here;
    const int against = forwards == (f->sense > 0) ? 0 : 1;
    *direction = forwards ? 1.0 : -1.0;
    Weir weir;
    weir.high = max_of(back, here), weir.low = min_of(back, here), weir.height = crest - bed;
    weir.open = f->open, weir.lift = f->lift;
    weir.free = f->free[against], weir.drowned = f->drowned[against];
    const Hypsometry *ground = f->along_x ? &a->ground_u : &a->ground_v;
    if (ground->node && ground->first[f->m] > 0)
        open_section(ground, f->m, &weir);
    else
        open_even(&weir);
    return weir;
}

/* Does it leave the face as it is? */
POINTWISE bool is_absent(const StructureFaces *a, const StructureFace *f) {
    return f->open >= 1 && f->crest <= bed_at(a, f) && !(f->lift < INFINITY);
}

/* Also below a film that the rounding of levels may leave on the crest, and of which no share of the depth is left. */
POINTWISE bool is_closed(const StructureFace *f, const Weir *w) {
    return !(f->open > 0) || !(w->passes > 1e-12 * w->height);
}

POINTWISE void tell_host(const StructureFaces *a, StructureFace *f) {
    const Faces *s = faces_of(a, f);
    const ptrdiff_t back = f->m - s->along, left = f->sense > 0 ? back : f->m, right = back + f->m - left;
    f->flux = f->sense * s->flux_total[f->m];
    f->level[0] = a->depth[left] > 0 ? a->eta[left] : (double)NAN;
    f->level[1] = a->depth[right] > 0 ? a->eta[right] : (double)NAN;
}

KERNEL_CELLS(structure_faces_close, StructureFaces) {
    StructureFace *f = &a->face[i];
    double direction;
    const Weir weir = weir_of(a, f, &direction);
    (void)j, (void)k;
    tell_host(a, f);
    if (is_absent(a, f)) return;
    if (is_closed(f, &weir)) (f->along_x ? a->depth_u : a->depth_v)[f->m] = 0.0;
}

/* Part of a layer above a height; all three as shares of the face's depth. */
POINTWISE double part_above(double height, double lower, double upper) {
    return max_of(0.0, min_of((upper - height) / max_of(upper - lower, 1e-300), 1.0));
}

/* Part of a layer between the crest and the edge of a leaf. */
POINTWISE double part_open(const Weir *w, double lower, double upper) {
    const double over_crest = part_above(w->blocked / (w->blocked + w->passes), lower, upper);
    if (!(w->lift < w->high)) return over_crest;
    return over_crest - part_above((w->blocked + w->lift * w->gap) / (w->blocked + w->passes), lower, upper);
}

/* Sums over the layers of a face, by width. */
typedef struct LayerSums {
    double flux, old;              /* of u* and of the old velocity [m2 s-1] */
    double response;               /* [m s] */
    double open, through, answers; /* of the parts above the crest: depth [m], flux of u*, response */
} LayerSums;

POINTWISE LayerSums sum_layers(const Faces *s, ptrdiff_t m, ptrdiff_t plane, int n3, const Weir *w) {
    LayerSums sum = {0, 0, 0, 0, 0, 0};
    double lower = 0;
    for (int k = (int)s->bottom[m]; k < n3; k++) {
        const ptrdiff_t mk = m + k * plane;
        const double h = s->phi[mk] * s->depth[m], part = h * part_open(w, lower, lower + s->phi[mk]);
        sum.flux += h * s->predicted[mk];
        sum.old += h * s->velocity[mk];
        sum.response += h * s->response[mk];
        sum.open += part;
        sum.through += part * s->predicted[mk];
        sum.answers += part * s->response[mk];
        lower += s->phi[mk];
    }
    return sum;
}

/* Velocities kept * u* + more, and responses * answer, in the open parts of the layers. */
POINTWISE void set_layers(const Faces *s, ptrdiff_t m, ptrdiff_t plane, int n3, const Weir *w, double kept,
                          double more, double answer) {
    double lower = 0;
    for (int k = (int)s->bottom[m]; k < n3; k++) {
        const ptrdiff_t mk = m + k * plane;
        const double part = part_open(w, lower, lower + s->phi[mk]);
        s->predicted[mk] = part * (kept * s->predicted[mk] + more);
        s->response[mk] *= part * answer;
        lower += s->phi[mk];
    }
}

KERNEL_CELLS(structure_faces_impose, StructureFaces) {
    const StructureFace *f = &a->face[i];
    const Faces *s = faces_of(a, f);
    const ptrdiff_t m = f->m, plane = a->g.plane;
    const double width = s->width[m], spacing = s->spacing[f->j];
    double direction;
    const Weir weir = weir_of(a, f, &direction);
    (void)j, (void)k;
    if (is_absent(a, f) || s->depth[m] <= 0) return;
    if (is_closed(f, &weir)) {
        set_layers(s, m, plane, a->g.n3, &weir, 0, 0, 0);
        s->flux_predicted[m] = s->conductance[m] = 0;
        s->theta[m] = 1;
        return;
    }
    const Passage p = weir_passage(&weir, a->gravity);
    const LayerSums sum = sum_layers(s, m, plane, a->g.n3, &weir);
    const double beta = a->dt * s->depth[m] / spacing * p.resistance;
    const double braked = 2 * fabs(sum.flux) / (1 + sqrt(1 + 4 * beta * fabs(sum.flux)));
    const double kept = p.inertial / (1 + beta * braked), rest = 1 - p.inertial;
    const double flux = rest * direction * p.discharge + kept * sum.flux;
    const double theta = 1 - p.inertial * p.alpha * (1 - s->theta[m]);
    const double per_slope = theta * theta * a->gravity / spacing;
    const double response = rest * p.slope / per_slope + kept * sum.response;
    set_layers(s, m, plane, a->g.n3, &weir, kept, (flux - kept * sum.through) / sum.open,
               response / max_of(sum.answers, 1e-300));
    s->theta[m] = theta;
    s->flux_predicted[m] = width * (theta * flux + (1 - theta) * sum.old);
    s->conductance[m] = width * per_slope * response;
}

KERNEL_CELLS(structure_faces_start, StructureFaces) {
    const StructureFace *f = &a->face[i];
    const Faces *s = faces_of(a, f);
    double direction, lower = 0;
    const Weir weir = weir_of(a, f, &direction);
    (void)j, (void)k;
    if (is_absent(a, f) || s->depth[f->m] > 0 || is_closed(f, &weir)) return;
    for (int n = (int)s->bottom[f->m]; n < a->g.n3; n++) {
        const ptrdiff_t mk = f->m + n * a->g.plane;
        if (!(part_open(&weir, lower, lower + s->phi[mk]) > 0)) s->predicted[mk] = 0.0;
        lower += s->phi[mk];
    }
}

KERNEL_CELLS(structure_stations_tell, StructureFaces) {
    StructureStation *station = &a->station[i];
    (void)j, (void)k;
    if (station->m >= 0) station->level = a->eta[station->m];
}
