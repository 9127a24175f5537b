/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_layers.h"

#include "base/log.h"
#include "base/memory.h"
#include <math.h>

enum { ITERATIONS = 30 }; /* the second wave has at most a ninth of the first one's c^2 where N is constant */

/* A column of water from the bed up. */
typedef struct Column {
    int layers;
    double thickness[MAX_LEVELS];    /* [m] */
    double buoyancy[MAX_LEVELS + 1]; /* N^2 at the lower sides; the uppermost one is the surface's [s-2] */
} Column;

static Column column_of(const Simulation *sim, int i, int j) {
    const Grid *g = sim->grid;
    const ScenarioPhysics *p = &sim->scenario->physics;
    const ptrdiff_t m = AT2(*g, i, j);
    Column c = {.layers = g->n3 - (int)g->bottom_c[m]};
    for (int n = 0; n < c.layers; n++) {
        const ptrdiff_t mk = AT(*g, i, j, g->n3 - c.layers + n);
        c.thickness[n] = g->phi_c[mk] * sim->state->depth[m];
        if (n == 0) continue;
        const double distance = 0.5 * (c.thickness[n - 1] + c.thickness[n]);
        const double lighter = sim->state->density[mk - g->plane] - sim->state->density[mk];
        c.buoyancy[n] = fmax(0, p->gravity_m_s2 / p->water_density_kg_m3 * lighter / fmax(distance, 1e-9));
    }
    c.buoyancy[c.layers] = c.layers > 1 ? c.buoyancy[c.layers - 1] : 0;
    return c;
}

/* How the pressure answers a flow u that lifts the layers: c^2 u for a wave of speed c. */
static void respond(const Column *c, const double *u, double *pressure) {
    double weight[MAX_LEVELS], lift = 0, below = 0;
    for (int n = 0; n < c->layers; n++) {
        lift += c->thickness[n] * u[n];
        const double above = c->buoyancy[n + 1] * lift;
        weight[n] = 0.5 * (below + above);
        below = above;
    }
    double sum = 0, upper = 0, half = 0;
    for (int n = c->layers - 1; n >= 0; n--) {
        const double own = 0.5 * c->thickness[n],
                     mean = n == c->layers - 1 ? weight[n] : 0.5 * (upper + weight[n]);
        sum += (half + own) * mean;
        pressure[n] = sum;
        upper = weight[n];
        half = own;
    }
}

/* Of the fastest wave that density alone drives, the surface being free to follow. [m2 s-2] */
static double speed_square(const Column *c) {
    double u[MAX_LEVELS], pressure[MAX_LEVELS], square = 0;
    for (int n = 0; n < c->layers; n++) u[n] = 1;
    for (int times = 0; times < ITERATIONS; times++) {
        double most = 0;
        respond(c, u, pressure);
        for (int n = 0; n < c->layers; n++) most = fmax(most, fabs(pressure[n]));
        square = most;
        if (!(most > 0)) return 0;
        for (int n = 0; n < c->layers; n++) u[n] = pressure[n] / most;
    }
    return square;
}

void check_internal_waves(const Simulation *sim) {
    const Grid *g = sim->grid;
    const ScenarioTime *time = &sim->scenario->time;
    double rate = 0; /* cells in a second */
    if (!sim->state->density) return;
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const Column c = column_of(sim, i, r.j);
            rate = fmax(rate, sqrt(speed_square(&c)) * hypot(1 / g->dx_c[r.j], 1 / g->dy_c[r.j]));
        }
    }
    const double courant = rate * time->step_s;
    printf("internal   waves on the initial stratification: %sCourant number %.2f (stable below 1)\n",
           time->automatic ? "in the longest step, " : "", courant);
    if (courant >= 1)
        log_warn(
            "internal waves cross %.2g cells in a step and may grow: steps of less than %.10g s keep them "
            "stable",
            courant, log_rounded(1 / rate, 3));
}

/* What steep layers do to the pressure of differences of density: r0 = |H1 - H2|/(H1 + H2) of neighbouring columns, and r1, by
 * how many of its thicknesses a layer drops from one to the next (R. L. Haney, J. Phys. Oceanogr. 21 (1991) 610). */
typedef struct Steepness {
    double r0, r1, x, y; /* r0 at (x, y) */
    double thinnest;     /* layer where the water is at the datum, or at flood_to_m [m] */
    double lowest;       /* bed [m] */
} Steepness;

static void compare_columns(const Grid *g, ptrdiff_t m, ptrdiff_t other, Steepness *s) {
    const double depth[2] = {g->axes.flooded - g->bed[m], g->axes.flooded - g->bed[other]};
    const int lowest = (int)fmax(g->bottom_c[m], g->bottom_c[other]);
    double above[2] = {0, 0};
    s->r0 = fmax(s->r0, fabs(depth[0] - depth[1]) / (depth[0] + depth[1]));
    for (int k = g->n3 - 1; k >= lowest; k--) {
        const double one = g->phi_c[m + k * g->plane] * depth[0],
                     two = g->phi_c[other + k * g->plane] * depth[1];
        s->r1 = fmax(s->r1, fabs(2 * (above[0] - above[1]) + one - two) / (one + two));
        above[0] += one;
        above[1] += two;
    }
}

static Steepness find_steepness(const Grid *g) {
    Steepness s = {.thinnest = INFINITY};
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const double before = s.r0, depth = g->axes.flooded - g->bed[m];
            if (!(g->own_area[m] > 0) || !(depth > 0)) continue;
            s.lowest = fmin(s.lowest, g->bed[m]);
            for (int k = (int)g->bottom_c[m]; k < g->n3; k++)
                s.thinnest = fmin(s.thinnest, g->phi_c[m + k * g->plane] * depth);
            if (g->bottom_u[m] < g->n3 && g->bottom_c[m - 1] < g->n3) compare_columns(g, m, m - 1, &s);
            if (g->bottom_v[m] < g->n3 && g->bottom_c[m - g->row] < g->n3)
                compare_columns(g, m, m - g->row, &s);
            if (s.r0 > before) s.x = g->x_c[i], s.y = g->y_c[j];
        }
    return s;
}

void check_sloping_layers(const Simulation *sim) {
    const double steep = sim->grid->axes.adaptive ? 0.05 : 0.2;
    if (!sim->grid->axes.along_bed) return;
    const Steepness s = find_steepness(sim->grid);
    const Axes *axes = &sim->grid->axes;
    const double nominal = axes->interfaces[0];
    if (fabs(s.lowest - nominal) > 0.02 * fabs(s.lowest))
        printf(
            "levels     the deepest place is at %.4g m, bottom_m at %.4g m: files give the heights of layers "
            "in a column as deep as bottom_m\n",
            s.lowest, nominal);
    char *fixed = axes->fixed > 0 ? memory_format("at fixed heights above %.6g m, below ",
                                                  axes->interfaces[axes->nz - axes->fixed])
                                  : memory_copy_text(axes->adaptive ? "that move, at first " : "");
    printf("layers     %salong the bed, the thinnest %.3g m; steepness of the bed r0 up to %.2g (at %.6g, "
           "%.6g), of the layers r1 up to %.2g\n",
           fixed, s.thinnest, s.r0, s.x, s.y, s.r1);
    memory_free(fixed);
    if (sim->density && axes->adaptive && s.r0 > steep)
        log_warn("the bed is steep for layers that move (r0 %.2g at %.6g, %.6g): where they follow neither "
                 "the bed "
                 "nor the stratification, the pressure drives currents of its own, of millimetres a second "
                 "at r0 of "
                 "0.05 under a strong thermocline; smaller cells or another kind of layers avoid them",
                 s.r0, s.x, s.y);
    else if (sim->density && s.r0 > steep)
        log_warn(
            "the bed is steep for layers along it (r0 %.2g at %.6g, %.6g): where the stratification differs "
            "much from its initial mean, the pressure on steep layers drives currents of its own; smaller "
            "cells or layers at fixed heights avoid them",
            s.r0, s.x, s.y);
    const ScenarioPhysics *p = &sim->scenario->physics;
    if (sim->density && p->tracer_diffusivity_m2_s > 0 && p->mix_along == MIX_ALONG_LAYERS)
        log_warn(
            "/physics/tracers/horizontal_diffusivity_m2_s mixes along the layers, which follow the bed: on "
            "slopes this also mixes a stratification vertically; /physics/tracers/mix_along \"heights\" or "
            "\"density\" does not");
}
