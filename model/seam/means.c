/* SPDX-License-Identifier: Apache-2.0
 *
 * What the grid around begins its next step with under a zoom: level, tracers and velocities of its cells and faces there, as
 * means of the finer ones by their water. The rank that has the middle cell of those that become one sees the others in its
 * halo, so that each mean is one sum in one order.
 */
#include "model/seam/seam_internal.h"

#include "base/memory.h"
#include "gpu/device.h"
#include <math.h>
#include <string.h>

enum { LEVEL, WET, PLANES };

/* ---- who has what ---- */

static SeamCell cell_of(const Seam *s, int item) {
    const int ni = s->shape.i1 - s->shape.i0;
    return (SeamCell){s->shape.i0 + item % ni, s->shape.j0 + item / ni};
}

static SeamCell first_of(const Seam *s, SeamCell cell) {
    return (SeamCell){(cell.i - s->shape.i0) * s->shape.finer, (cell.j - s->shape.j0) * s->shape.finer};
}

static int mean_owner(const void *context, int item) {
    const Seam *s = context;
    const SeamCell first = first_of(s, cell_of(s, item));
    const int half = s->shape.finer / 2;
    return seam_owner(s->inner_cells, s->ranks, (SeamCell){first.i + half, first.j + half});
}

static bool wants_mean(const void *context, int item, int rank) {
    const Seam *s = context;
    return seam_within(s->outer_cells[rank], cell_of(s, item), 0);
}

/* Own faces between cells of which one at least lies under the zoom. */
static RunList faces_under(const Seam *s, RunList all, bool along_x) {
    const Grid *g = s->outer->grid;
    const SeamShape *a = &s->shape;
    RunList list = {ALLOCATE(all.count + 1, Run), 0, 0};
    for (int n = 0; n < all.count; n++) {
        Run run = all.run[n];
        const int j = g->j_first + run.j, from = a->i0 - g->i_first,
                  until = a->i1 - g->i_first + (along_x ? 1 : 0);
        if (j < a->j0 || j >= a->j1 + (along_x ? 0 : 1)) continue;
        run.i0 = run.i0 > from ? run.i0 : from;
        run.i1 = run.i1 < until ? run.i1 : until;
        if (run.i0 >= run.i1) continue;
        list.elements += run.i1 - run.i0;
        list.run[list.count++] = run;
    }
    return list;
}

static int column_owner(const void *context, int item) {
    const Seam *s = context;
    return seam_owner(s->outer_cells, s->ranks, cell_of(s, item));
}

static bool wants_column(const void *context, int item, int rank) {
    return mean_owner(context, item) == rank;
}

/* Bed and layers of the coarser cells, where their means are made. Collective. */
static void learn_columns(Seam *s, int items) {
    const Grid *g = s->outer->grid;
    const MailPlan plan = {items, column_owner, wants_column, s};
    const int width = s->layers + 1;
    Mail m;
    mail_create(g->comm, &plan, width, &m);
    for (int n = 0; n < m.n_give; n++) {
        const SeamCell cell = cell_of(s, m.give[n]);
        const ptrdiff_t at = AT2(*g, cell.i - g->i_first, cell.j - g->j_first);
        m.out[n * width] = g->bed[at];
        for (int k = 0; k < s->layers; k++)
            m.out[n * width + 1 + k] = k < (int)g->bottom_c[at] ? 0 : g->phi_c[at + k * g->plane];
    }
    mail_send(&m);
    s->column = ALLOCATE((size_t)items * (size_t)width, double);
    for (int n = 0; n < m.n_take; n++)
        memcpy(s->column + (ptrdiff_t)m.take[n] * width, m.in + (ptrdiff_t)n * width,
               (size_t)width * sizeof(double));
    mail_release(&m);
}

void seam_means_create(Seam *s) {
    const Grid *g = s->outer->grid;
    const int items = (s->shape.i1 - s->shape.i0) * (s->shape.j1 - s->shape.j0);
    const MailPlan plan = {items, mean_owner, wants_mean, s};
    mail_create(g->comm, &plan, PLANES + s->layers * (2 + s->tracers) + s->tracers, &s->means);
    learn_columns(s, items);
    s->faces_u = faces_under(s, g->faces_u, true);
    s->faces_v = faces_under(s, g->faces_v, false);
}

void seam_means_destroy(Seam *s) {
    mail_release(&s->means);
    memory_free(s->column);
    memory_free(s->faces_u.run);
    memory_free(s->faces_v.run);
}

/* ---- means ---- */

/* Of values by weights; NaN: nothing weighs. */
typedef struct Mean {
    double sum, weight;
} Mean;

static void mean_add(Mean *m, double value, double weight) {
    if (weight > 0) m->sum += weight * value, m->weight += weight;
}

static double mean_of(Mean m) {
    return m.weight > 0 ? m.sum / m.weight : NAN;
}

static void find_level(const Seam *s, ptrdiff_t first, double *out) {
    const Grid *g = s->inner->grid;
    const State *state = s->inner->state;
    Mean level = {0, 0};
    for (int q = 0; q < s->shape.finer; q++)
        for (int p = 0; p < s->shape.finer; p++) {
            const ptrdiff_t m = first + q * g->row + p;
            if (state->depth[m] > 0) mean_add(&level, state->eta[m], g->area[m]);
        }
    out[LEVEL] = mean_of(level);
    out[WET] = level.weight;
}

/* Middles of the layers of a column: bed [m], then the shares of the depth. */
static void find_middles(const double *column, double level, int n3, double *middle) {
    double top = level, depth = fmax(0, level - column[0]);
    for (int k = n3 - 1; k >= 0; k--) {
        middle[k] = top - 0.5 * column[1 + k] * depth;
        top -= column[1 + k] * depth;
    }
}

/* How a value grows upwards in layer k of a column, by the layers beside it; NaN: it has but one. [m-1] */
static double slope_at(const Grid *g, const double *c, ptrdiff_t m, int k, double depth) {
    const int bottom = (int)g->bottom_c[m], top = g->n3 - 1;
    const int low = k > bottom ? k - 1 : k, high = k < top ? k + 1 : k;
    const ptrdiff_t below = m + low * g->plane, above = m + high * g->plane;
    double apart = 0;
    for (int n = low; n < high; n++)
        apart += 0.5 * depth * (g->phi_c[m + n * g->plane] + g->phi_c[m + (n + 1) * g->plane]);
    return apart > 0 ? (c[above] - c[below]) / apart : NAN;
}

/* The middle of layer k. [m] */
static double middle_at(const Grid *g, ptrdiff_t m, int k, double level, double depth) {
    double above = 0.5 * g->phi_c[m + k * g->plane];
    for (int n = g->n3 - 1; n > k; n--) above += g->phi_c[m + n * g->plane];
    return level - above * depth;
}

/* Of one tracer in one layer. What makes density is taken to the height of the coarser layer's middle: means over layers
 * of other thickness at a bed would be a slope of the stratification, which drives a flow. */
static double find_tracer(const Seam *s, ptrdiff_t first, int tracer, int k, double middle) {
    const Grid *g = s->inner->grid;
    const State *state = s->inner->state;
    const double *c = state->tracer[tracer].c;
    const bool weighs = s->inner->density && (tracer == state->temperature || tracer == state->salinity);
    Mean mean = {0, 0}, height = {0, 0}, slope = {0, 0};
    for (int q = 0; q < s->shape.finer; q++)
        for (int p = 0; p < s->shape.finer; p++) {
            const ptrdiff_t m = first + q * g->row + p, mk = m + k * g->plane;
            const double depth = state->depth[m], water = g->area[m] * g->phi_c[mk] * depth;
            if (g->bottom_c[m] > k || depth <= 0) continue;
            mean_add(&mean, c[mk], water);
            if (!weighs) continue;
            const double rises = slope_at(g, c, m, k, depth);
            mean_add(&height, middle_at(g, m, k, state->eta[m], depth), water);
            if (!isnan(rises)) mean_add(&slope, rises, water);
        }
    const double shift = slope.weight > 0 ? mean_of(slope) * (middle - mean_of(height)) : 0;
    return mean_of(mean) + shift;
}

/* Of what lies on the bed; NaN: there is none. */
static double find_bed(const Seam *s, ptrdiff_t first, const double *bed) {
    const Grid *g = s->inner->grid;
    Mean mean = {0, 0};
    for (int q = 0; bed && q < s->shape.finer; q++)
        for (int p = 0; p < s->shape.finer; p++)
            mean_add(&mean, bed[first + q * g->row + p], g->area[first + q * g->row + p]);
    return mean_of(mean);
}

/* Of the faces in line from `first` on. */
static double find_velocity(const Seam *s, const Faces *f, ptrdiff_t first, int k) {
    const Grid *g = s->inner->grid;
    Mean mean = {0, 0};
    for (int p = 0; p < s->shape.finer; p++) {
        const ptrdiff_t m = first + p * f->cross, mk = m + k * g->plane;
        if (f->bottom[m] <= k) mean_add(&mean, f->velocity[mk], f->width[m] * f->phi[mk] * f->depth[m]);
    }
    return mean_of(mean);
}

/* The faces of the seam keep the velocity of the grid around. */
static void find_means(const Seam *s, int item, double *out) {
    const Grid *g = s->inner->grid;
    const SeamCell cell = cell_of(s, item), at = first_of(s, cell);
    const ptrdiff_t first = AT2(*g, at.i - g->i_first, at.j - g->j_first);
    const bool west = cell.i > s->shape.i0, south = cell.j > s->shape.j0;
    double middle[MAX_LEVELS];
    find_level(s, first, out);
    find_middles(s->column + (ptrdiff_t)item * (s->layers + 1), out[LEVEL], s->layers, middle);
    out += PLANES;
    for (int k = 0; k < s->layers; k++) *out++ = west ? find_velocity(s, &s->inner->u, first, k) : NAN;
    for (int k = 0; k < s->layers; k++) *out++ = south ? find_velocity(s, &s->inner->v, first, k) : NAN;
    for (int t = 0; t < s->tracers; t++)
        for (int k = 0; k < s->layers; k++) *out++ = find_tracer(s, first, t, k, middle[k]);
    for (int t = 0; t < s->tracers; t++) *out++ = find_bed(s, first, s->inner->state->tracer[t].bed);
}

/* ---- the grid around ---- */

static void take_velocity(const Grid *g, const Faces *f, ptrdiff_t m, const double *mean) {
    for (int k = (int)f->bottom[m]; k < g->n3; k++)
        if (!isnan(mean[k])) f->velocity[m + k * g->plane] = mean[k];
}

/* Layers that only the coarser column has get what is above them. */
static void take_tracer(const Grid *g, ptrdiff_t m, const double *mean, double *c) {
    double above = NAN;
    for (int k = g->n3 - 1; k >= (int)g->bottom_c[m]; k--) {
        above = isnan(mean[k]) ? above : mean[k];
        if (!isnan(above)) c[m + k * g->plane] = above;
    }
}

static ptrdiff_t outer_column(const Seam *s, int item) {
    const Grid *g = s->outer->grid;
    const SeamCell cell = cell_of(s, item);
    return AT2(*g, cell.i - g->i_first, cell.j - g->j_first);
}

static void take_tracers(Seam *s, int item, const double *in) {
    const State *state = s->outer->state;
    const double *layers = in + PLANES + 2 * s->layers;
    for (int t = 0; t < s->tracers; t++)
        take_tracer(s->outer->grid, outer_column(s, item), layers + t * s->layers, state->tracer[t].c);
}

static void take_means(Seam *s, int item, const double *in) {
    const Grid *g = s->outer->grid;
    State *state = s->outer->state;
    const ptrdiff_t m = outer_column(s, item);
    const double *layers = in + PLANES;
    if (in[WET] > 0 && g->area[m] > 0) {
        state->depth[m] = fmax(0, in[LEVEL] - g->bed[m]);
        state->eta[m] = g->bed[m] + state->depth[m];
    }
    take_velocity(g, &s->outer->u, m, layers);
    take_velocity(g, &s->outer->v, m, layers + s->layers);
    take_tracers(s, item, in);
    const double *beds = layers + (2 + s->tracers) * s->layers;
    for (int t = 0; t < s->tracers; t++)
        if (state->tracer[t].bed && !isnan(beds[t])) state->tracer[t].bed[m] = beds[t];
}

/* Depths of the faces under the zoom, and no velocity where there is none. */
static void follow_depths(Seam *s, const Faces *f, RunList faces) {
    const Simulation *sim = s->outer;
    const Grid *g = sim->grid;
    const State *state = sim->state;
    face_depth(sim->exec, faces,
               (FaceDepth){grid_view(g), f->along, sim->dt, sim->scenario->physics.gravity_m_s2, state->depth,
                           state->eta, g->bed, f->bed, f->flux_total, f->depth, NULL, NULL, f->depth});
    exec_wait(sim->exec);
    for (int n = 0; n < faces.count; n++)
        for (int i = faces.run[n].i0; i < faces.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, faces.run[n].j);
            for (int k = 0; k < g->n3 && !(f->depth[m] > 0); k++) f->velocity[m + k * g->plane] = 0;
        }
}

/* Tracers and beds of the finer cells that one mean has from two ranks. */
static void exchange_finer(Seam *s) {
    const State *state = s->inner->state;
    int beds = 0;
    for (int t = 0; t < s->tracers; t++)
        if (state->tracer[t].bed) s->fields[beds++] = state->tracer[t].bed;
    for (int t = 0; t < s->tracers; t++) s->fields[beds + t] = state->tracer[t].c;
    halo_exchange(s->inner->halo, beds, s->fields, s->tracers, s->fields + beds);
}

/* Finds the means, and what becomes of them. */
static void send_means(Seam *s, void (*take)(Seam *, int, const double *)) {
    Mail *m = &s->means;
    exchange_finer(s);
    exec_wait(s->inner->exec);
    exec_wait(s->outer->exec);
    for (int n = 0; n < m->n_give; n++) find_means(s, m->give[n], m->out + (ptrdiff_t)n * m->width);
    mail_send(m);
    for (int n = 0; n < m->n_take; n++) take(s, m->take[n], m->in + (ptrdiff_t)n * m->width);
}

void seam_return_tracers(Seam *s) {
    send_means(s, take_tracers);
}

void seam_return(Seam *s) {
    Simulation *outer = s->outer;
    State *state = outer->state;
    send_means(s, take_means);
    halo_exchange(outer->halo, 2, (double *[]){state->depth, state->eta}, 0, NULL);
    follow_depths(s, &outer->u, s->faces_u);
    follow_depths(s, &outer->v, s->faces_v);
    halo_exchange(outer->halo, 2, (double *[]){state->depth_u, state->depth_v}, 2,
                  (double *[]){state->u, state->v});
}
