/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracers across the seam.
 */
#include "model/seam/seam_internal.h"

#include <math.h>
#include <string.h>

void seam_set_values(void *context) {
    Seam *s = context;
    const Grid *g = s->inner->grid;
    exec_wait(s->inner->exec);
    for (int n = 0; n < s->n_parts; n++)
        for (int t = 0; t < s->tracers; t++)
            for (int k = 0; k < s->layers; k++)
                s->inner->state->tracer[t].c[s->part[n].open->ghost + k * g->plane] =
                    s->part[n].value[t * s->layers + k];
}

static void note(Left *left, double volume, double value) {
    left->amount += volume * value;
    left->least = fmin(left->least, value);
    left->most = fmax(left->most, value);
}

void seam_note_left(void *context, const Transport *a, int first) {
    Seam *s = context;
    exec_wait(s->inner->exec);
    for (int n = 0; n < s->n_parts; n++) {
        const OpenFace *f = s->part[n].open;
        const double *flux = f->along_x ? a->flux_u : a->flux_v;
        for (int t = 0; t < a->count; t++)
            for (int k = (int)a->g.bottom_c[f->inside]; k < s->layers; k++) {
                const ptrdiff_t m = f->inside + k * a->g.plane;
                const double out = -f->inwards * flux[f->face + k * a->g.plane];
                const bool small_steps = a->out && a->out[m] < 0;
                if (out > 0)
                    note(&s->part[n].left[(first + t) * s->layers + k], a->dt * out,
                         small_steps ? a->tracer[t].left[m] : a->tracer[t].c[m]);
            }
    }
}

/* The faces of a cell under the zoom, at most two of them at a corner; returns how many. */
static int faces_of_cell(const SeamShape *s, SeamCell c, int face[4]) {
    const int ni = s->i1 - s->i0, nj = s->j1 - s->j0;
    int count = 0;
    if (c.i == s->i0) face[count++] = c.j - s->j0;
    if (c.i == s->i1 - 1) face[count++] = nj + c.j - s->j0;
    if (c.j == s->j0) face[count++] = 2 * nj + c.i - s->i0;
    if (c.j == s->j1 - 1) face[count++] = 2 * nj + ni + c.i - s->i0;
    return count;
}

/* The volume of the flow out through a layer of a face, in the piece. [m3] */
static double volume_out(const Seam *s, int face, int k) {
    const Grid *g = s->outer->grid;
    const SeamPlace p = seam_place(&s->shape, face);
    const double *flux = p.along_x ? s->outer->state->flux_u : s->outer->state->flux_v;
    const ptrdiff_t m = AT(*g, p.face.i - g->i_first, p.face.j - g->j_first, k);
    return s->moved.dt * fmax(0, -p.inwards * flux[m]);
}

/* The value beyond the seam of one tracer in one layer, for what comes out of the cell under the zoom: the mean of what
 * left, within its range, so that a constant stays what it is to the last bit. `value` is left where nothing does. */
static void find_value(const Seam *s, const int *face, int faces, int v, double *value) {
    Left sum = {0, INFINITY, -INFINITY};
    double volume = 0;
    for (int n = 0; n < faces; n++) {
        volume += volume_out(s, face[n], v % s->layers);
        for (int p = 0; p < s->shape.finer; p++) {
            const Left *one =
                &s->came[(ptrdiff_t)(face[n] * s->shape.finer + p) * s->layers * s->tracers + v];
            sum.amount += one->amount;
            sum.least = fmin(sum.least, one->least);
            sum.most = fmax(sum.most, one->most);
        }
    }
    if (volume > 0 && sum.least <= sum.most) *value = fmin(fmax(sum.amount / volume, sum.least), sum.most);
}

void seam_give_back(Seam *s) {
    const Grid *g = s->outer->grid;
    const ptrdiff_t values = (ptrdiff_t)s->layers * s->tracers;
    Mail *m = &s->carried;
    int face[4];
    for (int n = 0; n < m->n_give; n++) {
        static const Left nothing = {0, INFINITY, -INFINITY};
        const SeamPart *part = seam_part_numbered(s, m->give[n]);
        Left *out = (Left *)(void *)(m->out + (ptrdiff_t)n * m->width);
        for (ptrdiff_t v = 0; v < values; v++) out[v] = part ? part->left[v] : nothing;
    }
    mail_send(m);
    for (int n = 0; n < m->n_take; n++)
        memcpy(s->came + m->take[n] * values, m->in + (ptrdiff_t)n * m->width, (size_t)values * sizeof(Left));
    exec_wait(s->outer->exec);
    for (int n = 0; n < seam_faces(&s->shape); n++) {
        const SeamCell cell = seam_place(&s->shape, n).covered;
        const int i = cell.i - g->i_first, j = cell.j - g->j_first;
        if (i < 0 || i >= g->n1 || j < 0 || j >= g->n2) continue;
        const int faces = faces_of_cell(&s->shape, cell, face);
        if (face[0] != n) continue; /* once for each cell */
        for (int v = 0; v < values; v++)
            find_value(s, face, faces, v,
                       &s->outer->state->tracer[v / s->layers].c[AT(*g, i, j, v % s->layers)]);
    }
}
