/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/turn.h"

#include <math.h>

Turn turn_create(const Grid *g, char place) {
    if (!g->axes.map) return (Turn){0};
    double *cosine = field2_create(g), *sine = field2_create(g);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const double x = place == 'u' ? g->x_u[i] : g->x_c[i], y = place == 'v' ? g->y_v[j] : g->y_c[j];
            const double turn = axes_turn(&g->axes, x, y);
            cosine[AT2(*g, i, j)] = cos(turn);
            sine[AT2(*g, i, j)] = sin(turn);
        }
    return (Turn){cosine, sine};
}

void turn_release(const Grid *g, Turn *turn) {
    double *cosine = (double *)turn->cosine, *sine = (double *)turn->sine;
    if (!cosine) return;
    field2_destroy(g, &cosine);
    field2_destroy(g, &sine);
    *turn = (Turn){0};
}

void turn_at(const Axes *axes, double x, double y, double *u, double *v) {
    const double turn = axes_turn(axes, x, y), east = *u, north = *v;
    *u = east * cos(turn) + north * sin(turn);
    *v = north * cos(turn) - east * sin(turn);
}
