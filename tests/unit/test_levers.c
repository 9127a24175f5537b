/* SPDX-License-Identifier: Apache-2.0
 *
 * The force by differences of density is the transpose of what centred fluxes do to the density (momentum/levers.h):
 * whatever flow, anomaly and ground, its work is what the energy of the anomaly gives, where the stratification is even or
 * made of jumps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "tests/support/basin.h"
#include "tests/support/ranks.h"
#include <math.h>
#include <string.h>

enum { N3 = 5 };

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define WATER                                                                                                \
    "/physics/density={\"equation\":\"linear\",\"reference_kg_m3\":1000,\"reference_salinity\":15,"          \
    "\"contraction_kg_g\":7.7e-4}"
#define SALT  7.7e-4 /* contraction [kg g-1] */
#define STIRS 1e-6   /* more than rounding makes [kg s-1] */
#define SMALL 1e-5   /* anomalies, of which the force is linear but for their squares [kg m-3] */

static const char
    rough[] = "/bathymetry/bed_m=\"-12+8*sin(x*x/3e6+y/700)*cos(x/1300+y*y/9e5)\"",
    whole_layers[] =
        "/bathymetry/bed_m=\"-8-4*step(sin(x*x/3e6+y/700))-4*step(cos(x/1300+y*y/9e5))-4*step(sin(y/900))\"";

static double any_number(int i, int j, int k) {
    return sin(3.7 * i + 1.9 * j * j + 2.3 * k + 0.7 * i * j);
}

static double small_anomaly(int i, int j, int k) {
    return SMALL * any_number(i + 3, j + 7, k);
}

/* One face of a layer: the cells behind and here, thickness times width, and spacing. */
typedef struct Link {
    ptrdiff_t behind, here;
    double section, spacing, velocity, force;
} Link;

/* Calls `take` with each face, its flow without a sum over the column. */
static void each_link(Basin *b, bool along_x, void (*take)(const Grid *, const Link *, void *), void *to) {
    const Grid *g = b->sim->grid;
    const Faces *f = along_x ? &b->sim->u : &b->sim->v;
    const double *predicted = basin_predict(b, along_x);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            double mean = 0;
            if (!(f->width[m] > 0) || f->bottom[m] >= N3) continue;
            for (int k = (int)f->bottom[m]; k < N3; k++)
                mean += f->phi[m + k * g->plane] * any_number(i, j, k);
            for (int k = (int)f->bottom[m]; k < N3; k++) {
                const ptrdiff_t mk = m + k * g->plane;
                take(g,
                     &(Link){mk - f->along, mk, f->phi[mk] * f->depth[m] * f->width[m], f->spacing[j],
                             any_number(i, j, k) - mean, predicted[mk] / BASIN_STEP},
                     to);
            }
        }
}

typedef struct Balance {
    const double *rest;   /* density at rest [kg m-3] */
    double *gain, *below; /* volume times change of density; what flows into a cell from the sides [m3 s-1] */
    double work, of_which; /* of the force; sum of sizes */
} Balance;

static void add_flow(const Grid *g, const Link *link, void *to) {
    Balance *balance = to;
    const double flux = link->section * link->velocity;
    const double half = 0.5 * flux * (balance->rest[link->here] - balance->rest[link->behind]);
    (void)g;
    balance->gain[link->here] -= half;
    balance->gain[link->behind] -= half;
    balance->below[link->here] += flux;
    balance->below[link->behind] -= flux;
}

static void add_work(const Grid *g, const Link *link, void *to) {
    Balance *balance = to;
    const double work = link->section * link->spacing * link->velocity * link->force;
    (void)g;
    balance->work += work;
    balance->of_which += fabs(work);
}

static void each_face(Basin *b, void (*take)(const Grid *, const Link *, void *), Balance *to) {
    each_link(b, true, take, to);
    each_link(b, false, take, to);
}

static void add_rise(const Grid *g, Balance *b) {
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            double rise = 0;
            for (int k = (int)g->bottom_c[AT2(*g, i, j)]; k < N3 - 1; k++) {
                const ptrdiff_t m = AT(*g, i, j, k), up = m + g->plane;
                const double jump = b->rest[m] - b->rest[up];
                rise += b->below[m];
                b->gain[m] += 0.5 * rise * jump;
                b->gain[up] += 0.5 * rise * jump;
            }
        }
}

/* E of the levels, by the jumps of the profile between whole ones; 0 where nothing stirs and so nothing may act. */
static void energy_of_levels(const double *z, double (*profile)(double), double *energy) {
    double gradient[N3 + 1], up = z[1] - z[0], down = up;
    for (int k = 1; k < N3; k++) {
        const double below = 0.5 * (z[k - 1] + z[k]), above = 0.5 * (z[k] + z[k + 1]);
        gradient[k] = 1000 * SALT * (profile(below) - profile(above)) / (above - below);
    }
    gradient[0] = fmin(gradient[1], gradient[2]);
    gradient[N3] = fmin(gradient[N3 - 1], gradient[N3 - 2]);
    for (int k = 0; k < N3; k++) {
        down = k > 0 ? up : z[1] - z[0];
        up = k < N3 - 1 ? 0.5 * (z[k + 2] - z[k]) : z[N3] - z[N3 - 1];
        const double jumps = gradient[k + 1] * up + gradient[k] * down;
        energy[k] = jumps > 1e-9 ? 9.81 / 1000 * (up + down) / jumps : 0;
    }
}

/* What the anomalies lose, of which cells have `energy`. */
static double loss(const Grid *g, const double *energy, const double *gain) {
    double sum = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++)
            for (int k = (int)g->bottom_c[AT2(*g, i, j)]; k < N3; k++) {
                const ptrdiff_t m = AT(*g, i, j, k);
                if (energy[k] == 0) assert_true(fabs(gain[m]) < STIRS);
                sum -= fabs(gain[m]) > STIRS ? energy[k] * small_anomaly(i, j, k) * gain[m] : 0;
            }
    return sum;
}

/* Where the flow moves any. */
static void add_anomalies(Basin *b, const double *gain) {
    const Grid *g = b->sim->grid;
    State *s = b->sim->state;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++)
            for (int k = (int)g->bottom_c[AT2(*g, i, j)]; k < N3; k++)
                if (fabs(gain[AT(*g, i, j, k)]) > STIRS)
                    s->tracer[s->salinity].c[AT(*g, i, j, k)] += small_anomaly(i, j, k) / (1000 * SALT);
    simulation_weigh(b->sim, 0);
}

typedef struct Case {
    const char *bed, *levels, *salinity;
    double (*profile)(double);
} Case;

/* Work of the force less loss of energy, over the sum of all sizes. */
static double imbalance(const Case *c) {
    Basin b = basin_create(SETTINGS(c->bed, c->levels, c->salinity, WATER));
    const Grid *g = b.sim->grid;
    double energy[N3], *rest = field3_create(g);
    Balance balance = {.rest = rest, .gain = field3_create(g), .below = field3_create(g)};
    memcpy(rest - g->origin3, b.sim->state->density - g->origin3, (size_t)g->size3 * sizeof *rest);
    energy_of_levels(g->axes.interfaces, c->profile, energy);
    each_face(&b, add_flow, &balance);
    add_rise(g, &balance);
    add_anomalies(&b, balance.gain);
    each_face(&b, add_work, &balance);
    const double off = fabs(balance.work - loss(g, energy, balance.gain)) / balance.of_which;
    print_message("  %-40s %-15s %.1e\n", c->salinity, c->bed == rough ? "rough" : "whole layers", off);
    field3_destroy(g, &rest);
    field3_destroy(g, &balance.gain);
    field3_destroy(g, &balance.below);
    basin_destroy(&b);
    return off;
}

static const char even_levels[] = "/grid/levels={\"bottom_m\":-20,\"dz_m\":4}",
                  uneven_levels[] = "/grid/levels={\"interfaces_m\":[-20,-16,-12,-8,-3,0]}",
                  thick_levels[] = "/grid/levels={\"interfaces_m\":[-20,-14,-11,-8,-3,0]}";

static double even(double z) {
    return 15 - z / 10;
}
static double top_jump(double z) {
    return z > -3.5 ? 13 : 17;
}
static double jump(double z) {
    return z > -8 ? 13 : 17;
}
static double deep_jump(double z) {
    return z > -12 ? 13 : 17;
}
static double two_jumps(double z) {
    return z > -3.5 ? 13 : z > -12 ? 15 : 17;
}
static void the_force_does_what_the_anomaly_loses(void **state) {
    (void)state;
    const Case cases[] = {
        {rough, even_levels, "/initial/salinity=\"15-z/10\"", even},
        {rough, even_levels, "/initial/salinity=\"z>-3.5?13:17\"", top_jump},
        {rough, even_levels, "/initial/salinity=\"z>-8?13:17\"", jump},
        {rough, even_levels, "/initial/salinity=\"z>-12?13:17\"", deep_jump},
        {rough, even_levels, "/initial/salinity=\"z>-3.5?13:z>-12?15:17\"", two_jumps},
        {rough, uneven_levels, "/initial/salinity=\"z>-8?13:17\"", jump},
        {rough, thick_levels, "/initial/salinity=\"15-z/10\"", even},
        {whole_layers, even_levels, "/initial/salinity=\"z>-12?13:17\"", deep_jump},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const double off = imbalance(&cases[n]);
        if (!(off < 1e-6)) fail_msg("%s %s: %g", cases[n].bed, cases[n].salinity, off);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_force_does_what_the_anomaly_loses)};
    MPI_Init(&argc, &argv);
    log_start(0);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
