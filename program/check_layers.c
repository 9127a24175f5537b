/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_layers.h"

#include "base/log.h"
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
    printf("internal   %swaves of the initial density: Courant number %.2f (stable below 1)\n",
           time->automatic ? "of the longest step: " : "", courant);
    if (courant >= 1)
        log_warn("internal waves pass %.2g cells in a step and may grow: steps of less than %.3g s keep them "
                 "stable",
                 courant, 1 / rate);
}
