/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "model/subgrid/making.h"
#include "model/subgrid/ways.h"

/* A cell has two waters where the way between them lies so much higher than its mean ground, and the second is so large. */
static const double APART_M = 0.3, SECOND_PART = 0.1;

enum { WEST, EAST, SOUTH, NORTH, ALL_SIDES };

static int most_of(const Overlap *o) {
    int most = 0;
    for (int n = 0; n < o->cells; n++) most = o->count[n] > most ? o->count[n] : most;
    return most;
}

/* The passes along a side of cell (i, j), which may be one beyond this rank's. */
static double *side_of(const Barriers *b, int i, int j, int side) {
    return b->pass + ((((ptrdiff_t)j + 1) * b->columns + i + 1) * ALL_SIDES + side) * b->longest;
}

static void keep_sides(const Barriers *b, const double *pass, int columns, int rows, int i, int j) {
    for (int n = 0; n < rows; n++) {
        side_of(b, i, j, WEST)[n] = pass[n * columns];
        side_of(b, i, j, EAST)[n] = pass[(n + 1) * columns - 1];
    }
    for (int n = 0; n < columns; n++) {
        side_of(b, i, j, SOUTH)[n] = pass[n];
        side_of(b, i, j, NORTH)[n] = pass[(rows - 1) * columns + n];
    }
}

/* The index on an axis of n cells; -1: none. */
static int around(int index, int n, bool periodic) {
    if (periodic) return axes_wrap(index, n);
    return index < 0 || index >= n ? -1 : index;
}

/* Of cell (i, j) of this rank the second water has this part. */
static void note_second(const Grid *g, Subgrid *s, int i, int j, double part) {
    const double area = i >= 0 && i < g->n1 && j >= 0 && j < g->n2 ? part * g->own_area[AT2(*g, i, j)] : 0;
    if (!(area > 0 && part >= SECOND_PART)) return;
    s->counts.divided++, s->counts.apart += llrint(1e4 * area);
    divided_note(s->divided, (SubgridDivided){area, part, g->i_first + i, g->j_first + j});
}

/* The passes along the sides of cell (i, j), which may be one beyond this rank's. */
static void find_passes(Making *k, Subgrid *s, Ways *ways, double *height, int i, int j) {
    const Grid *g = k->grid;
    const int at_i = around(g->i_first + i, g->nx, g->axes.periodic_x),
              at_j = around(g->j_first + j, g->ny, g->axes.periodic_y);
    if (at_i < 0 || at_j < 0) return; /* beyond the grid nothing is in the way */
    const int columns = k->x.count[at_i], rows = k->y.count[at_j], pixels = columns * rows;
    double *pass = height + pixels;
    for (int n = 0; n < pixels; n++)
        height[n] = making_height(k, k->x.first[at_i] + n % columns, k->y.first[at_j] + n / columns);
    const double second = ways_find(ways, height, columns, rows, k->level, APART_M, pass);
    for (int n = 0; n < pixels; n++)
        if (pass[n] <= height[n]) pass[n] = -INFINITY; /* a slope goes on to the face */
    note_second(g, s, i, j, second);
    keep_sides(&k->barriers, pass, columns, rows, i, j);
}

void barriers_find(Making *k, Subgrid *s) {
    const Grid *g = k->grid;
    Barriers *b = &k->barriers;
    const int across = most_of(&k->x), along = most_of(&k->y);
    b->columns = g->n1 + 2;
    b->longest = across > along ? across : along;
    b->pass = ALLOCATE((double)(g->n1 + 2) * (g->n2 + 2) * ALL_SIDES * b->longest, double);
    for (ptrdiff_t n = 0; n < (ptrdiff_t)(g->n1 + 2) * (g->n2 + 2) * ALL_SIDES * b->longest; n++)
        b->pass[n] = -INFINITY;
    double *height = ALLOCATE(2 * across * along, double);
    Ways *ways = ways_create(across * along);
    for (int j = -1; j <= g->n2; j++) {
        making_tell(k, AFTER_BARRIERS * (j + 1) / (g->n2 + 2));
        for (int i = -1; i <= g->n1; i++) find_passes(k, s, ways, height, i, j);
    }
    ways_destroy(&ways);
    memory_free(height);
}

void barriers_forget(Barriers *b) {
    memory_free(b->pass);
    *b = (Barriers){0};
}

double barriers_pass(const Making *k, bool along_x, int i, int j, int n) {
    const Barriers *b = &k->barriers;
    return along_x ? fmax(side_of(b, i - 1, j, EAST)[n], side_of(b, i, j, WEST)[n])
                   : fmax(side_of(b, i, j - 1, NORTH)[n], side_of(b, i, j, SOUTH)[n]);
}
