/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/implicit_transport.h"

#include "model/tracers/cells.h"

#define FILM 0.01 /* V' / (V' + O) */

KERNEL_COLUMNS(implicit_rows, ImplicitCells) {
    const Transport *t = &a->transport;
    const ptrdiff_t first = AT2(t->g, i0, j);
    for (int k = deepest_layer(t->g.bottom_c + first, t->g.n3); k < t->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t column = first + l, m = column + k * t->g.plane;
            const bool cell = (t->g.bottom_c[column] <= k) & (t->g.own_area[column] > 0);
            double in[SIDES], sum = t->g.phi_c[m] * t->source_in[column];
            inflows(t, m, in);
            UNROLLED for (int s = 0; s < SIDES; s++) {
                in[s] = max_of(0.0, in[s]);
                sum += in[s];
            }
            const double volume = volume_in(t, t->depth, column, m) + t->dt * sum;
            const double stays = volume_in(t, t->depth_new, column, m), leaves = fabs(t->out[m]);
            const double ratio = t->dt / max_of(volume, 1e-300);
            const double per_water = (cell & (volume > 0)) ? ratio : 0.0;
            UNROLLED for (int s = 0; s < SIDES; s++) a->row[s][m] = in[s] * per_water;
            a->row[SIDES][m] = 1.0;
            a->per_water[m] = per_water;
            a->spread[m] = stays > FILM * (stays + leaves) ? (stays + leaves) / stays : 0.0;
            t->out[m] = -leaves;
        }
}

/* What the neighbours and sources bring beyond the cell's own old value, over V + I. */
POINTWISE double brought_to(const ImplicitCells *a, ptrdiff_t column, ptrdiff_t m) {
    const double *c = a->tracer.c;
    ptrdiff_t step[SIDES];
    double sum = a->per_water[m] * from_sources(&a->transport, &a->tracer, column, m, c[m]);
    steps_to_neighbours(&a->transport.g, step);
    UNROLLED for (int s = 0; s < SIDES; s++) sum += a->row[s][m] * (c[m + step[s]] - c[m]);
    return sum;
}

KERNEL_COLUMNS(implicit_right, ImplicitCells) {
    const GridView *g = &a->transport.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    for (int k = deepest_layer(g->bottom_c + first, g->n3); k < g->n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * g->plane;
            a->rhs[m] = brought_to(a, first + l, m);
            a->change[m] = 0.0;
        }
}

KERNEL_COLUMNS(implicit_error, ImplicitCells) {
    const GridView *g = &a->transport.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    ptrdiff_t step[SIDES];
    steps_to_neighbours(g, step);
    for (int k = deepest_layer(g->bottom_c + first, g->n3); k < g->n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * g->plane;
            double sum = a->rhs[m];
            UNROLLED for (int s = 0; s < SIDES; s++) sum += a->row[s][m] * a->change[m + step[s]];
            a->error[m] = a->per_water[m] > 0 ? sum - a->change[m] : 0.0;
        }
}

KERNEL_COLUMNS(implicit_films, ImplicitCells) {
    const GridView *g = &a->transport.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    for (int k = deepest_layer(g->bottom_c + first, g->n3); k < g->n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * g->plane;
            a->change[m] += a->spread[m] > 0 ? 0.0 : a->error[m];
        }
}

KERNEL_COLUMNS(implicit_values, ImplicitCells) {
    const GridView *g = &a->transport.g;
    const ptrdiff_t first = AT2(*g, i0, j);
    for (int k = deepest_layer(g->bottom_c + first, g->n3); k < g->n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * g->plane;
            const double left = a->tracer.c[m] + a->change[m];
            a->tracer.left[m] = left;
            a->tracer.now[m] = left + a->error[m] * (a->spread[m] > 0 ? a->spread[m] : 1.0);
        }
}

/* ---- for the passes ---- */

KERNEL_COLUMNS(implicit_hand_on, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int deepest = deepest_layer(a->around + first, a->g.n3);
    for (int n = 0; n < a->count; n++)
        find_no_bounds(&a->tracer[n], IN_WINDOW(a->window, i0, j, deepest - 1));
    for (int k = deepest; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane, place = IN_WINDOW(a->window, i0, j, k);
        FOR_LANES (l) {
            const double volume = volume_in(a, a->depth_new, first + l, layer + l);
            const double ratio = a->dt / max_of(volume, 1e-300);
            a->per_water[place + l] = volume > 0 ? ratio : 0.0;
        }
        for (int n = 0; n < a->count; n++) {
            const Carried *t = &a->tracer[n];
            FOR_LANES (l) {
                const bool cell = a->reach[first + l] <= k, before = cell & (a->depth[first + l] > 0),
                           after = cell & (a->depth_new[first + l] > 0);
                const double c = t->c[layer + l], low = t->now[layer + l];
                t->gain[place + l] = low - c;
                t->most[place + l] = max_of(before ? c : -HUGE_VAL, after ? low : -HUGE_VAL);
                t->least[place + l] = min_of(before ? c : HUGE_VAL, after ? low : HUGE_VAL);
            }
        }
    }
}

/* ---- the correction ---- */

/* Through the faces between the cells at m - step and m; open, behind and ahead as in transport_correction:
 * from which layer up there is water on both sides, and at m - 2 step and m + step. */
POINTWISE void correct_faces(const Transport *a, int tracer, const double *flux, ptrdiff_t layer,
                             ptrdiff_t place, int k, ptrdiff_t step, int direction, const double *open,
                             const double *behind, const double *ahead) {
    const double *c = a->tracer[tracer].c + layer, *low = a->tracer[tracer].now + layer;
    double *out = a->tracer[tracer].correction[direction] + place;
    FOR_LANES (l) {
        const bool forth = flux[layer + l] > 0;
        const ptrdiff_t u = forth ? l - step : l, d = forth ? l : l - step,
                        uu = forth ? l - 2 * step : l + step;
        const bool has_upstream = (forth ? behind[l] : ahead[l]) <= k;
        const double donor = 0.5 * (c[u] + low[u]), receiver = 0.5 * (c[d] + low[d]),
                     upstream = 0.5 * (c[uu] + low[uu]);
        const double next = receiver - donor, slope = has_upstream ? donor - upstream : next;
        const double beyond = next / 3.0 + slope / 6.0 + (donor - low[u]);
        out[l] = open[l] <= k ? flux[layer + l] * beyond : 0.0;
    }
}

KERNEL_COLUMNS(implicit_correction, Transport) {
    const ptrdiff_t first = AT2(a->g, i0, j), row = a->g.row, plane = a->g.plane;
    const double *reach = a->reach + first, *even_x = a->even_x + first, *even_y = a->even_y + first;
    const int top = a->g.n3 - 1;
    double open[LANES], never[LANES];
    FOR_LANES (l) never[l] = a->g.n3;
    for (int k = deepest_layer(a->around + first, a->g.n3); k <= top; k++)
        for (int n = 0; n < a->count; n++) {
            const ptrdiff_t layer = first + k * plane, place = IN_WINDOW(a->window, i0, j, k);
            FOR_LANES (l) open[l] = max_of(reach[l - 1], reach[l]);
            correct_faces(a, n, a->flux_u, layer, place, k, 1, ALONG_X, open, even_x - 1, even_x);
            FOR_LANES (l) open[l] = max_of(reach[l - row], reach[l]);
            correct_faces(a, n, a->flux_v, layer, place, k, row, ALONG_Y, open, even_y - row, even_y);
            FOR_LANES (l) open[l] = reach[l] + 1.0;
            correct_faces(a, n, a->flux_w, layer, place, k, plane, ALONG_Z, open, never, never);
        }
}
