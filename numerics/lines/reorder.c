/* SPDX-License-Identifier: Apache-2.0
 *
 * Between fields and lines, in tiles of BLOCK x BLOCK numbers: those of lines along x are turned, the others
 * are vectors of the field already. Several neighbouring places go together, so that both sides are read and
 * written in pieces longer than a vector.
 */
#include "numerics/lines/group.h"

#include "numerics/matm/lanes.h"

enum { TOGETHER = 16 };

typedef enum Way { FROM_FIELD, TO_FIELD, ADD_TO_FIELD } Way;

/* The first `count` lanes of a vector, or all eight at once. */
POINTWISE void put(double *to, Lanes x, int count, Way way, double scale) {
    LanesAnywhere *all = (LanesAnywhere *)to;
    if (count >= BLOCK)
        *all = way == ADD_TO_FIELD ? lanes_fma(lanes_of(scale), x, *all) : x;
    else
        for (int l = 0; l < count; l++) to[l] = way == ADD_TO_FIELD ? fma(scale, x[l], to[l]) : x[l];
}

/* Along x: eight rows of the field are eight lanes. */
POINTWISE void turn_rows(const LineLayout *layout, LinePlace p, double *field, double *lines, Way way,
                         double scale) {
    const ptrdiff_t row = layout->grid->row;
    const int rows = layout->grid->n2 - p.j < BLOCK ? layout->grid->n2 - p.j : BLOCK;
    double *first = field + AT(*layout->grid, 0, p.j, p.k);
    for (int i = 0; i < layout->n; i += BLOCK) {
        const int inside = layout->n - i < BLOCK ? layout->n - i : BLOCK;
        Lanes v[BLOCK];
        for (int t = 0; t < BLOCK; t++) v[t] = lanes_of(0);
        if (way == FROM_FIELD) {
            for (int l = 0; l < rows; l++) v[l] = *(const LanesAnywhere *)(first + l * row + i);
            lanes_transpose(v);
            for (int t = 0; t < inside; t++) *(Lanes *)(lines + (ptrdiff_t)(i + t) * LINE_LANES) = v[t];
        } else {
            for (int t = 0; t < inside; t++) v[t] = *(const Lanes *)(lines + (ptrdiff_t)(i + t) * LINE_LANES);
            lanes_transpose(v);
            for (int l = 0; l < rows; l++) put(first + l * row + i, v[l], inside, way, scale);
        }
    }
}

static double *lines_of_place(const LineLayout *layout, double *lines, int m) {
    return lines + m / LINE_BLOCKS * layout->group + m % LINE_BLOCKS * BLOCK;
}

/* Along y and z: vectors of the field as they are, `count` places at a time. */
POINTWISE void copy_columns(const LineLayout *layout, int m0, int count, double *field, double *lines,
                            Way way, double scale) {
    const Grid *g = layout->grid;
    const ptrdiff_t along = layout->axis == LINES_Y ? g->row : g->plane;
    double *in_field[TOGETHER], *in_lines[TOGETHER];
    int inside[TOGETHER];
    for (int m = 0; m < count; m++) {
        const LinePlace p = layout->place[m0 + m];
        in_field[m] = field + (p.j < 0 ? 0 : AT(*g, p.i, p.j, p.k));
        in_lines[m] = lines_of_place(layout, lines, m0 + m);
        inside[m] = p.j < 0 ? 0 : g->n1 - p.i;
    }
    for (int r = 0; r < layout->n; r++)
        for (int m = 0; m < count; m++) {
            Lanes *line = (Lanes *)(in_lines[m] + (ptrdiff_t)r * LINE_LANES);
            double *cell = in_field[m] + r * along;
            if (way == FROM_FIELD)
                *line = *(const LanesAnywhere *)cell;
            else
                put(cell, *line, inside[m], way, scale);
        }
}

/* The groups g0 <= g < g1; `lines` is where group 0 is or would be. */
POINTWISE void reorder(const LineLayout *layout, int g0, int g1, double *field, double *lines, Way way,
                       double scale) {
    const int places = g1 * LINE_BLOCKS;
    if (layout->axis == LINES_X) {
        for (int m = g0 * LINE_BLOCKS; m < places; m++)
            if (layout->place[m].j >= 0)
                turn_rows(layout, layout->place[m], field, lines_of_place(layout, lines, m), way, scale);
        return;
    }
    for (int m = g0 * LINE_BLOCKS; m < places; m += TOGETHER)
        copy_columns(layout, m, places - m < TOGETHER ? places - m : TOGETHER, field, lines, way, scale);
}

void lines_from_field(const LineLayout *layout, const double *field, double *lines) {
    reorder(layout, 0, layout->groups, (double *)field, lines, FROM_FIELD, 1);
}

void lines_to_field(const LineLayout *layout, const double *lines, double *field) {
    reorder(layout, 0, layout->groups, field, (double *)lines, TO_FIELD, 1);
}

void lines_add_to_field(const LineLayout *layout, const double *lines, double scale, double *field) {
    reorder(layout, 0, layout->groups, field, (double *)lines, ADD_TO_FIELD, scale);
}

void groups_from_field(const LineLayout *layout, int g0, int g1, const double *field, double *lines) {
    reorder(layout, g0, g1, (double *)field, lines - g0 * layout->group, FROM_FIELD, 1);
}

void groups_add_to_field(const LineLayout *layout, int g0, int g1, const double *lines, double scale,
                         double *field) {
    reorder(layout, g0, g1, field, (double *)lines - g0 * layout->group, ADD_TO_FIELD, scale);
}
