/* SPDX-License-Identifier: Apache-2.0
 *
 * What the finer grid gets from the sea around: fluxes and values of the seam's faces, and how they change along it.
 *
 * Water that comes in through a face has the value of the cell outside, c, with a limited slope across the seam, s, as in
 * B. van Leer, J. Comput. Phys. 23 (1977) 263-275: with the Courant number C = Q dt/V of the cell,
 *
 *     c + (1 - C) s/2,     s = 2ab/(a + b) where ab > 0, else 0;  a, b: to the cell behind, to the one ahead.
 *
 * The transport of the sea around is upwind there and takes away c alone; so the cell outside gives the rest before its
 * water moves: with c - C s/2 in place of c, it loses what the finer grid gets, and stays between its neighbours. Along the
 * seam value and velocity have slopes, too, as far as no value leaves the range of the cells around, and all parts flow in
 * one direction.
 */
#include "model/seam/seam_internal.h"

#include <math.h>

/* Two layers of neighbours differ in thickness by less than this part: they lie at one height. */
static const double EVEN = 0.01;

/* Is there water in this layer, as thick as in the other column? */
static bool is_beside(const Grid *g, const double *depth, ptrdiff_t other, ptrdiff_t m, int k) {
    if (!(g->area[other] > 0) || g->bottom_c[other] > k || !(depth[other] > 0)) return false;
    const double here = g->phi_c[m + k * g->plane] * g->bed[m],
                 there = g->phi_c[other + k * g->plane] * g->bed[other];
    return fabs(there - here) <= EVEN * fabs(here);
}

static double limited(double behind, double ahead) {
    return behind * ahead > 0 ? 2 * behind * ahead / (behind + ahead) : 0;
}

/* A cell outside of the seam: itself, the ones behind and ahead, and those to both sides. */
typedef struct Around {
    ptrdiff_t cell, behind, ahead, sides[2];
    ptrdiff_t face, along; /* of the seam; to the next one of its line */
} Around;

static Around around_of(const Seam *s, int face) {
    const Grid *g = s->outer->grid;
    const SeamPlace p = seam_place(&s->shape, face);
    const ptrdiff_t cell = AT2(*g, p.outside.i - g->i_first, p.outside.j - g->j_first);
    const ptrdiff_t inwards = p.inwards * (p.along_x ? 1 : g->row), along = p.along_x ? g->row : 1;
    return (Around){cell,
                    cell - inwards,
                    cell + inwards,
                    {cell - along, cell + along},
                    AT2(*g, p.face.i - g->i_first, p.face.j - g->j_first),
                    along};
}

/* How the velocity changes along the seam, per face of it. [m s-1] */
static double velocity_slope(const Seam *s, const Faces *f, const Around *a, int k) {
    const Grid *g = s->outer->grid;
    const ptrdiff_t up = k * g->plane, before = a->face - a->along, after = a->face + a->along;
    const bool known =
        f->bottom[before] <= k && f->bottom[after] <= k && f->depth[before] > 0 && f->depth[after] > 0;
    return known ? 0.5 * (f->velocity[after + up] - f->velocity[before + up]) : 0;
}

/* The value of what comes in, and how it changes along the seam; `taken` from the cell is what its transport will not. */
static void find_inflow(const Seam *s, const Around *a, const double *c, int k, double courant, double *value,
                        double *slope, double *taken) {
    const Grid *g = s->outer->grid;
    const double *depth = s->outer->state->depth;
    const ptrdiff_t up = k * g->plane;
    const double here = c[a->cell + up];
    double least = here, most = here, across = 0;
    *slope = 0;
    if (is_beside(g, depth, a->behind, a->cell, k) && is_beside(g, depth, a->ahead, a->cell, k)) {
        across = limited(here - c[a->behind + up], c[a->ahead + up] - here);
        least = fmin(least, fmin(c[a->behind + up], c[a->ahead + up]));
        most = fmax(most, fmax(c[a->behind + up], c[a->ahead + up]));
    }
    *value = here + 0.5 * (1 - courant) * across;
    if (is_beside(g, depth, a->sides[0], a->cell, k) && is_beside(g, depth, a->sides[1], a->cell, k)) {
        const double along = limited(here - c[a->sides[0] + up], c[a->sides[1] + up] - here);
        least = fmin(least, fmin(c[a->sides[0] + up], c[a->sides[1] + up]));
        most = fmax(most, fmax(c[a->sides[0] + up], c[a->sides[1] + up]));
        const double room = 2 * fmin(*value - least, most - *value);
        *slope = fmax(-room, fmin(along, room));
    }
    *taken = 0.5 * courant * across;
}

/* The part of the cell's water that flows in through its face of the seam; 0: it flows out. */
static double courant_of(const Seam *s, const SeamPlace *p, const Around *a, int k, double flux) {
    const Grid *g = s->outer->grid;
    const double volume =
        g->area[a->cell] * g->phi_c[a->cell + k * g->plane] * s->moved.depth_before[a->cell];
    const double in = s->moved.dt * p->inwards * flux;
    return in > 0 && volume > 0 ? fmin(1, in / volume) : 0;
}

/* The lowest layer of a column with water, for values that are asked for below its bed. */
static int lowest_of(const Grid *g, ptrdiff_t column) {
    const int bottom = (int)g->bottom_c[column];
    return bottom < g->n3 ? bottom : g->n3 - 1;
}

/* Fluxes, their slopes, values, their slopes: of the layers of one face; and what is taken from the cell. */
static void fill_face(const Seam *s, int face, double *out, double *taken) {
    const Grid *g = s->outer->grid;
    const State *state = s->outer->state;
    const SeamPlace p = seam_place(&s->shape, face);
    const Around a = around_of(s, face);
    const Faces *f = p.along_x ? &s->outer->u : &s->outer->v;
    const int n3 = s->layers, lowest = lowest_of(g, a.cell);
    for (int k = 0; k < n3; k++) {
        out[k] = f->flux[a.face + k * g->plane];
        out[n3 + k] = velocity_slope(s, f, &a, k);
    }
    for (int t = 0; t < s->tracers; t++) {
        double *value = out + n3 * (2 + t), *slope = value + n3 * s->tracers;
        const double *c = state->tracer[t].c;
        for (int k = 0; k < n3; k++) {
            const double courant = k < lowest ? 0 : courant_of(s, &p, &a, k, out[k]);
            value[k] = c[a.cell + (k < lowest ? lowest : k) * g->plane], slope[k] = 0;
            taken[t * n3 + k] = 0;
            if (courant > 0) find_inflow(s, &a, c, k, courant, &value[k], &slope[k], &taken[t * n3 + k]);
        }
    }
}

/* Only once all neighbours have been looked at. */
static void take_away(Seam *s, int face, const double *taken) {
    const Grid *g = s->outer->grid;
    const Around a = around_of(s, face);
    for (int t = 0; t < s->tracers; t++)
        for (int k = 0; k < s->layers; k++)
            s->outer->state->tracer[t].c[a.cell + k * g->plane] -= taken[t * s->layers + k];
}

void seam_send_flows(Seam *s) {
    const ptrdiff_t values = (ptrdiff_t)s->layers * s->tracers;
    Mail *m = &s->flows;
    for (int t = 0; t < s->tracers; t++) s->fields[t] = s->outer->state->tracer[t].c;
    halo_exchange(s->outer->halo, 0, NULL, s->tracers, s->fields);
    exec_wait(s->outer->exec);
    for (int n = 0; n < m->n_give; n++)
        fill_face(s, m->give[n], m->out + (ptrdiff_t)n * m->width, s->taken + n * values);
    for (int n = 0; n < m->n_give; n++)
        if (!m->again[n]) take_away(s, m->give[n], s->taken + n * values);
    mail_send(m);
}
