/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of the grid around in pieces, which its tracers and the finer grid take in turns. With V and V' the volume of a cell
 * before and after the step, which changes evenly, and O its outflow, a cell has enough in each of N pieces if
 *
 *     O/N <= MOST_LOST min(V, V')
 *
 * Then its water has one value in each piece, and what the zoom gets is what the cell gives. It matters where the water flows
 * into the zoom: what comes out of it has the value that the finer grid found, and no cell under the zoom gives anything else.
 */
#include "model/seam/seam_internal.h"

#include <math.h>

enum { MOST_PIECES = 100 };

/* What leaves a cell through its sides and by sinks. [m3 s-1] */
static double leaving(const Seam *s, const WaterMoved *w, ptrdiff_t column, ptrdiff_t m) {
    const Grid *g = s->outer->grid;
    const State *state = s->outer->state;
    const double *u = state->flux_u + m, *v = state->flux_v + m, *up = state->flux_w + m;
    return g->phi_c[m] * (w->source_in[column] - w->source[column]) + fmax(0, -u[0]) + fmax(0, u[1]) +
           fmax(0, -v[0]) + fmax(0, v[g->row]) + fmax(0, -up[0]) + fmax(0, up[g->plane]);
}

/* The pieces that the cells outside of one face ask for. */
static double pieces_at(const Seam *s, const WaterMoved *w, const SeamPlace *p) {
    const Grid *g = s->outer->grid;
    const ptrdiff_t column = AT2(*g, p->outside.i - g->i_first, p->outside.j - g->j_first),
                    face = AT2(*g, p->face.i - g->i_first, p->face.j - g->j_first);
    const double *flux = p->along_x ? s->outer->state->flux_u : s->outer->state->flux_v;
    const double depth = fmin(w->depth_before[column], s->outer->state->depth[column]), margin = 1 + 1e-9;
    double most = 1;
    for (int k = (int)g->bottom_c[column]; k < g->n3; k++) {
        const ptrdiff_t m = column + k * g->plane;
        if (!(p->inwards * flux[face + k * g->plane] > 0)) continue;
        const double least = MOST_LOST * g->area[column] * g->phi_c[m] * depth;
        most = fmax(most, margin * w->dt * leaving(s, w, column, m) / fmax(least, 1e-300));
    }
    return most;
}

Status seam_count_pieces(const Seam *s, const WaterMoved *whole, int *pieces) {
    const Grid *g = s->outer->grid;
    Status status = STATUS_OK;
    double most = 1;
    exec_wait(s->outer->exec);
    for (int face = 0; face < seam_faces(&s->shape); face++) {
        const SeamPlace p = seam_place(&s->shape, face);
        const int i = p.outside.i - g->i_first, j = p.outside.j - g->j_first;
        if (i < 0 || i >= g->n1 || j < 0 || j >= g->n2) continue;
        const double here = ceil(pieces_at(s, whole, &p) - 1e-12);
        most = fmax(most, here);
        if (here > MOST_PIECES && status == STATUS_OK)
            status = error_raise(STATUS_FAILED,
                                 "at (%.10g, %.10g) the sea gives the zoom %.3g times the water of a cell in "
                                 "one step: shorten "
                                 "/time/step_s, or move /zoom/box so that its edges lie in deeper water",
                                 axes_x(&g->axes, p.face.i), axes_y(&g->axes, p.face.j), here);
    }
    TRY(status_agree(g->comm, status));
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    *pieces = (int)most;
    return STATUS_OK;
}

void seam_begin_piece(Seam *s, const WaterMoved *whole, int piece, int pieces, double *after) {
    const Grid *g = s->outer->grid;
    State *state = s->outer->state;
    const double share = (piece + 1.0) / pieces, *before = whole->depth_before;
    double *end = piece + 1 < pieces ? s->level[piece % 2] : after;
    s->moved = *whole;
    s->moved.dt = whole->dt / pieces;
    s->moved.time = whole->time - (pieces - 1 - piece) * s->moved.dt;
    s->moved.depth_before = piece > 0 ? s->level[(piece + 1) % 2] : before;
    exec_wait(s->outer->exec);
    for (int j = -HALO; j < g->n2 + HALO && end != after; j++)
        for (ptrdiff_t m = AT2(*g, -HALO, j); m < AT2(*g, g->n1 + HALO, j); m++)
            end[m] = (1 - share) * before[m] + share * after[m];
    state->depth = end;
}
