/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/poison.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Never the same number twice, whatever is compared. */
static double dose(const char *wanted) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return strcmp(wanted, "nan") == 0 ? NAN : strtod(wanted, NULL) * (1 + state / 4294967296.0);
}

/* Behind a ghost, away from the edge. */
static void poison_row(const Grid *g, int levels, double *field, const char *wanted, ptrdiff_t ghost,
                       ptrdiff_t outwards) {
    if (!(g->area[ghost] > 0)) return;
    for (int n = 1; n < HALO; n++)
        for (int k = 0; k < levels; k++) field[ghost + n * outwards + k * g->plane] = dose(wanted);
}

void poison_beyond_edges(const Grid *g, int levels, double *field) {
    const char *wanted = getenv("MAEOTIS_POISON");
    if (!wanted || !g->area) return;
    const bool in_x = !g->axes.periodic_x, in_y = !g->axes.periodic_y;
    for (int j = 0; in_x && j < g->n2; j++) {
        if (g->i_first == 0) poison_row(g, levels, field, wanted, AT2(*g, -1, j), -1);
        if (g->i_first + g->n1 == g->nx) poison_row(g, levels, field, wanted, AT2(*g, g->n1, j), 1);
    }
    for (int i = 0; in_y && i < g->n1; i++) {
        if (g->j_first == 0) poison_row(g, levels, field, wanted, AT2(*g, i, -1), -g->row);
        if (g->j_first + g->n2 == g->ny) poison_row(g, levels, field, wanted, AT2(*g, i, g->n2), g->row);
    }
}
