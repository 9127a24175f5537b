/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/basin.h"

#include "model/momentum/momentum.h"

static const char *const text =
    "{\"title\": \"A basin\", "
    "\"grid\": {\"kind\": \"cartesian\", \"length_x_m\": 16000, \"length_y_m\": 6000, \"dx_m\": 1000, "
    "\"dy_m\": 500, \"levels\": {\"bottom_m\": -10, \"dz_m\": 10}}, "
    "\"bathymetry\": {\"bed_m\": -10}, "
    "\"time\": {\"start\": \"2000-01-01T00:00:00Z\", \"duration_s\": 1000, \"step_s\": 10}, "
    "\"physics\": {\"water_density_kg_m3\": 1000, \"coriolis\": \"none\", \"drag\": {\"law\": \"none\"}, "
    "\"momentum\": {\"advection\": \"none\"}, "
    "\"turbulence\": {\"closure\": \"constant\", \"viscosity_m2_s\": 0}}}";

static void must(Status status) {
    if (status == STATUS_OK) return;
    error_report(MPI_COMM_SELF);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

Basin basin_create(const char *const settings[]) {
    Basin b = {0};
    int count = 0;
    while (settings[count]) count++;
    must(scenario_parse("basin.json", text, settings, count, &b.scenario));
    must(simulation_create(b.scenario, MPI_COMM_SELF, "cpu", &b.sim));
    b.sim->dt = b.sim->dt_before = BASIN_STEP;
    return b;
}

void basin_destroy(Basin *b) {
    simulation_destroy(&b->sim);
    scenario_destroy(&b->scenario);
}

void basin_fill(const Basin *b, double *field, int levels, BasinField *value) {
    const Grid *g = b->sim->grid;
    for (int k = 0; k < levels; k++)
        for (int j = -HALO; j < g->n2 + HALO; j++)
            for (int i = -HALO; i < g->n1 + HALO; i++) field[AT(*g, i, j, k)] = value(i, j, k);
}

const double *basin_predict(Basin *b, bool along_x) {
    const Grid *g = b->sim->grid;
    const Momentum m = simulation_momentum(b->sim, along_x);
    bed_drag_prepare(b->sim->exec, along_x ? g->faces_u : g->faces_v, m);
    momentum_predict(b->sim->exec, along_x ? g->blocks_u : g->blocks_v, m);
    return m.faces.predicted;
}

double basin_acceleration(Basin *b, bool along_x, int i, int j, int k) {
    const State *s = b->sim->state;
    const ptrdiff_t m = AT(*b->sim->grid, i, j, k);
    return (basin_predict(b, along_x)[m] - (along_x ? s->u : s->v)[m]) / BASIN_STEP;
}

double slope_x(int i, int j, int k) {
    (void)j, (void)k;
    return 2e-5 * BASIN_DX * i;
}

double slope_y(int i, int j, int k) {
    (void)i, (void)k;
    return 2e-5 * BASIN_DY * j;
}

double steady(int i, int j, int k) {
    (void)i, (void)j, (void)k;
    return 0.3;
}

double shear(int i, int j, int k) {
    (void)i, (void)j;
    return k;
}
