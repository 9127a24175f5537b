/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/equilibrium_tide.h"

#include "base/memory.h"
#include "model/boundary/tide.h"
#include "model/forcing/direction.h"
#include <string.h>

enum { LONG_PERIOD, DIURNAL, SEMIDIURNAL, SPECIES };

static const struct {
    const char *name;
    int species;
    double amplitude, yielding; /* A [m], 1 + k - h */
} known[] = {
    {"M2", SEMIDIURNAL, 0.242334, 0.693},  {"S2", SEMIDIURNAL, 0.112743, 0.693},
    {"N2", SEMIDIURNAL, 0.046397, 0.693},  {"K2", SEMIDIURNAL, 0.030684, 0.693},
    {"K1", DIURNAL, 0.141565, 0.736},      {"O1", DIURNAL, 0.100661, 0.695},
    {"P1", DIURNAL, 0.046848, 0.706},      {"Q1", DIURNAL, 0.019273, 0.695},
    {"Mf", LONG_PERIOD, 0.042041, 0.693},  {"Mm", LONG_PERIOD, 0.022191, 0.693},
    {"Ssa", LONG_PERIOD, 0.019542, 0.693},
};
enum { KNOWN = sizeof known / sizeof *known };

struct EquilibriumTide {
    const Scenario *scenario; /* not owned */
    Exec exec;
    RunList points;       /* all columns, with one halo cell */
    EquilibriumFill fill; /* what stays the same from step to step */
    const Grid *grid;
    double *map_cosine[SPECIES], *map_sine[SPECIES];
    double *along_y[SPECIES], *cosine[SPECIES], *sine[SPECIES];
};

static bool wanted(const ScenarioTidalPotential *p, int n) {
    for (int i = 0; i < p->n_constituents; i++)
        if (strcmp(p->constituents[i], known[n].name) == 0) return true;
    return false;
}

/* F(lat) of the species. */
static void find_factors(double lat, double factor[SPECIES]) {
    double sine, cosine;
    direction_sincos(lat, &sine, &cosine);
    factor[SEMIDIURNAL] = cosine * cosine;
    factor[DIURNAL] = 2 * sine * cosine;
    factor[LONG_PERIOD] = 0.5 - 1.5 * sine * sine;
}

static void find_latitudes(EquilibriumTide *t, const Grid *g) {
    for (int m = 0; m < SPECIES; m++) t->along_y[m] = ALLOCATE(g->n2 + 2, double);
    for (int j = -1; j <= g->n2; j++) {
        double factor[SPECIES];
        find_factors(axes_y(&g->axes, g->j_first + j + 0.5), factor);
        for (int m = 0; m < SPECIES; m++) t->along_y[m][j + 1] = factor[m];
    }
}

/* On a map each column has its own longitude and latitude. */
static void find_places(EquilibriumTide *t, const Grid *g) {
    const Axes *axes = &g->axes;
    for (int m = 0; m < SPECIES; m++) {
        t->fill.map_cosine[m] = t->map_cosine[m] = field2_create(g);
        t->fill.map_sine[m] = t->map_sine[m] = field2_create(g);
    }
    for (int j = -1; j <= g->n2; j++)
        for (int i = -1; i <= g->n1; i++) {
            double lon, lat, factor[SPECIES];
            axes_degrees(axes, axes_x(axes, g->i_first + i + 0.5), axes_y(axes, g->j_first + j + 0.5), &lon,
                         &lat);
            find_factors(lat, factor);
            for (int m = 0; m < SPECIES; m++) {
                double sine, cosine;
                direction_sincos(m * lon, &sine, &cosine);
                t->map_cosine[m][AT2(*g, i, j)] = factor[m] * cosine;
                t->map_sine[m][AT2(*g, i, j)] = factor[m] * sine;
            }
        }
}

static void find_longitudes(EquilibriumTide *t, const Grid *g) {
    for (int m = 0; m < SPECIES; m++) {
        t->cosine[m] = ALLOCATE(g->n1 + 2, double);
        t->sine[m] = ALLOCATE(g->n1 + 2, double);
        for (int i = -1; i <= g->n1; i++) {
            const int whole = g->i_first + i, west = g->axes.periodic_x ? axes_wrap(whole, g->nx) : whole;
            direction_sincos(m * axes_x(&g->axes, west + 0.5), &t->sine[m][i + 1], &t->cosine[m][i + 1]);
        }
    }
}

EquilibriumTide *equilibrium_tide_create(const Scenario *scenario, const Grid *g) {
    if (scenario->forcing.potential.n_constituents == 0) return NULL;
    EquilibriumTide *t = ALLOCATE(1, EquilibriumTide);
    *t = (EquilibriumTide){.scenario = scenario, .exec = g->exec, .fill.row = g->row, .grid = g};
    t->points.run = ALLOCATE(g->n2 + 2, Run);
    for (int j = -1; j <= g->n2; j++) t->points.run[t->points.count++] = (Run){-1, g->n1 + 1, j, 0};
    t->points.elements = (ptrdiff_t)(g->n1 + 2) * (g->n2 + 2);
    if (g->axes.map) {
        find_places(t, g);
        return t;
    }
    find_latitudes(t, g);
    find_longitudes(t, g);
    for (int m = 0; m < SPECIES; m++) {
        t->fill.latitude[m] = t->along_y[m] + 1;
        t->fill.lon_cosine[m] = t->cosine[m] + 1;
        t->fill.lon_sine[m] = t->sine[m] + 1;
    }
    return t;
}

void equilibrium_tide_destroy(EquilibriumTide **tide) {
    EquilibriumTide *t = *tide;
    if (!t) return;
    for (int m = 0; m < SPECIES; m++) {
        memory_free(t->along_y[m]);
        memory_free(t->cosine[m]);
        memory_free(t->sine[m]);
        field2_destroy(t->grid, &t->map_cosine[m]);
        field2_destroy(t->grid, &t->map_sine[m]);
    }
    memory_free(t->points.run);
    memory_free(t);
    *tide = NULL;
}

void equilibrium_tide_fill(const EquilibriumTide *t, double time, double *level) {
    const ScenarioTidalPotential *p = &t->scenario->forcing.potential;
    const double ramp = tide_ramp(time, p->ramp_s);
    EquilibriumFill fill = t->fill;
    for (int n = 0; n < KNOWN; n++) {
        if (!wanted(p, n)) continue;
        const TideMoment now =
            tide_at(tide_find(known[n].name), t->scenario->time.start + time, p->nodal_corrections);
        const double size = ramp * known[n].yielding * known[n].amplitude;
        fill.cosine[known[n].species] += size * now.cosine;
        fill.sine[known[n].species] += size * now.sine;
    }
    fill.to = level;
    equilibrium_fill(t->exec, t->points, fill);
}

char *equilibrium_tide_describe(const EquilibriumTide *t) {
    const ScenarioTidalPotential *p = &t->scenario->forcing.potential;
    char *text = memory_copy_text("");
    for (int n = 0; n < p->n_constituents; n++)
        memory_append(&text, "%s%s", n ? ", " : "", p->constituents[n]);
    if (p->self_attraction > 0) memory_append(&text, "; self-attraction %g", p->self_attraction);
    return text;
}
