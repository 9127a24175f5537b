/* SPDX-License-Identifier: Apache-2.0 */
#include "output/value_rows.h"

#include <math.h>

/* The cells of a row at one level. */
typedef struct Row {
    const State *state;
    ptrdiff_t first, cell; /* place of the first one in fields of two and of three dimensions */
    int count;
    double level; /* that the column must reach; n3 - 1: any column */
} Row;

/* Is there water in a place of the row? Of faces: open, and with water. */
static inline bool wet_at(const double *size, const double *depth, const double *bottom, const Row *r,
                          ptrdiff_t n) {
    return (size[n] > 0) & (depth[n] >= r->state->dry_depth) & (bottom[n] <= r->level);
}

/* The same of a column with ground inside: with so much water on its lowest ground. */
static inline bool partly_wet(const Row *r, ptrdiff_t n) {
    const State *s = r->state;
    const Grid *g = s->grid;
    n += r->first;
    return g->own_area[n] > 0 && s->eta[n] - g->bed[n] >= s->dry_depth && g->bottom_c[n] <= r->level;
}

static bool has_water(const Row *r) {
    const Grid *g = r->state->grid;
    const double *area = g->own_area + r->first, *depth = r->state->depth + r->first,
                 *bottom = g->bottom_c + r->first;
    int any = 0;
    for (int i = 0; r->state->spots && i < r->count; i++) any |= partly_wet(r, i);
    for (int i = 0; !r->state->spots && i < r->count; i++) any |= wet_at(area, depth, bottom, r, i);
    return any;
}

static void take(const Row *r, const double *field, double *value) {
    const Grid *g = r->state->grid;
    const double *area = g->own_area + r->first, *depth = r->state->depth + r->first,
                 *bottom = g->bottom_c + r->first;
    if (r->state->spots)
        for (int i = 0; i < r->count; i++) value[i] = partly_wet(r, i) ? field[i] : NAN;
    else
        for (int i = 0; i < r->count; i++) value[i] = wet_at(area, depth, bottom, r, i) ? field[i] : NAN;
}

/* At the centres, from the open ones of the two faces that are `step` apart. */
static void take_mean_of_faces(const Row *r, bool along_x, double *value) {
    const State *s = r->state;
    const Grid *g = s->grid;
    const ptrdiff_t step = along_x ? 1 : g->row;
    const double *width = (along_x ? g->width_u : g->width_v) + r->first,
                 *depth = (along_x ? s->depth_u : s->depth_v) + r->first,
                 *bottom = (along_x ? g->bottom_u : g->bottom_v) + r->first,
                 *velocity = (along_x ? s->u : s->v) + r->cell;
    for (int i = 0; i < r->count; i++) {
        const double first = velocity[i], second = velocity[i + step];
        const double of_first = width[i], of_second = width[i + step];
        const bool one = wet_at(width, depth, bottom, r, i) & (first == first);
        const bool two = wet_at(width, depth, bottom, r, i + step) & (second == second);
        const double both = (of_first * first + of_second * second) / (of_first + of_second);
        value[i] = one ? (two ? both : first) : two ? second : 0;
    }
    take(r, value, value);
}

bool output_row(const OutputVariable *variable, const Sea *sea, int i0, int i1, int j, int k, double *value) {
    const State *s = sea->state;
    const Grid *g = s->grid;
    const bool at_centres = variable->place == 'c' && !variable->always;
    const Row row = {s, AT2(*g, i0, j), AT(*g, i0, j, k), i1 - i0, variable->three_d ? k : g->n3 - 1};
    const double *field = output_field(variable, s);
    const bool east = variable->id == VARIABLE_U_EAST, north = variable->id == VARIABLE_V_NORTH;
    if (at_centres && !has_water(&row)) return false;
    if (at_centres && field)
        take(&row, field + (variable->three_d ? row.cell : row.first), value);
    else if ((east || north) && !g->turn_cosine)
        take_mean_of_faces(&row, east, value);
    else
        for (int i = i0; i < i1; i++) value[i - i0] = output_value(variable, sea, i, j, k);
    return true;
}
