/* SPDX-License-Identifier: Apache-2.0
 *
 * The energy that the mean flow loses to vertical viscosity, measured on the flow itself, is what turbulence gets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "model/turbulence/production.h"
#include "model/turbulence/turbulence.h"
#include "tests/support/basin.h"
#include "tests/support/ranks.h"
#include <math.h>
#include <string.h>

#define LAYERS    "/grid/levels={\"bottom_m\":-10,\"dz_m\":1.25}"
#define K_EPSILON "/physics/turbulence={\"closure\":\"k-epsilon\",\"viscosity_m2_s\":0}"
#define ROUGH     "/bathymetry/bed_m=-6+3.5*sin(x/2000)*cos(y/900)+(x>12000&&y<1500?20:0)"

enum { LEVELS = 8 };

/* Faster from layer to layer, so that no step turns a shear round: what a flow gains where it does is not taken back. */
static double current(int i, int j, int k) {
    return 0.1 * (1.5 + sin(3.7 * i + 1.9 * j * j)) * (k + 0.4 * sin(2.3 * k + i));
}

static double across(int i, int j, int k) {
    return -0.3 * current(j, i, k);
}

static double strong(int i, int j, int k) {
    (void)k;
    return 0.2 + 0.1 * sin(1.1 * i + 2.9 * j);
}

static double eddies(int i, int j, int k) {
    return 0.02 * (1.1 + sin(5.3 * i + 4.1 * j + 1.7 * k));
}

static double inner_eddies(int i, int j, int k) {
    return k > 1 && k < LEVELS - 1 ? eddies(i, j, k) : 0.0;
}

static double chessboard(int i, int j, int k) {
    (void)k;
    return (i + j) % 2 ? 0.03 : 0.01;
}

static double of_layers(int i, int j, int k) {
    (void)i, (void)j;
    return 0.1 * k * k;
}

static double some(int i, int j, int k) {
    return 1e-2 * (1.5 + sin(2.1 * i + 1.3 * j + 0.7 * k));
}

static double little(int i, int j, int k) {
    return 1e-3 * some(j, i, k);
}

/* The kinetic energy of one component's faces over the density, each with the area of a cell. [m5 s-2] */
static double energy(const Basin *b, bool along_x, const double *velocity) {
    const Grid *g = b->sim->grid;
    const RunList cells = along_x ? g->cells_u : g->cells_v;
    const double *phi = along_x ? g->phi_u : g->phi_v, *depth = along_x ? b->sim->u.depth : b->sim->v.depth;
    double sum = 0;
    for (int n = 0; n < cells.count; n++)
        for (int i = cells.run[n].i0; i < cells.run[n].i1; i++) {
            const ptrdiff_t m = AT(*g, i, cells.run[n].j, cells.run[n].k);
            sum += phi[m] * depth[AT2(*g, i, cells.run[n].j)] * velocity[m] * velocity[m] / 2;
        }
    return sum * BASIN_DX * BASIN_DY;
}

/* One component after a step in which nothing but viscosity acts stands in the state, the old one in `predicted`. A wind
 * has made friction, but does not push. Returns what the flow has lost in a second. [m5 s-3] */
static double lose(Basin *b, bool along_x) {
    Simulation *sim = b->sim;
    Faces *f = along_x ? &sim->u : &sim->v;
    double **velocity = along_x ? &sim->state->u : &sim->state->v;
    const Grid *g = sim->grid;
    Momentum m = simulation_momentum(sim, along_x);
    basin_fill(b, along_x ? sim->state->stress_u : sim->state->stress_v, 1, strong);
    bed_drag_prepare(sim->exec, along_x ? g->faces_u : g->faces_v, m);
    field2_fill(g, (double *)(uintptr_t)f->stress, 0);
    momentum_predict(sim->exec, along_x ? g->blocks_u : g->blocks_v, m);
    const double lost = energy(b, along_x, *velocity) - energy(b, along_x, f->predicted);
    double *before = *velocity;
    *velocity = f->predicted;
    f->predicted = before;
    f->velocity = *velocity;
    return lost / sim->dt;
}

static double lose_both(Basin *b) {
    Simulation *sim = b->sim;
    double *old_u = sim->state->u;
    const double along_x = lose(b, true);
    /* v's neighbours are the old ones */
    sim->u.velocity = old_u;
    const double along_y = lose(b, false);
    sim->u.velocity = sim->state->u;
    return along_x + along_y;
}

static TurbulentColumns columns_of(const Basin *b) {
    const Simulation *sim = b->sim;
    const State *s = sim->state;
    return (TurbulentColumns){.g = grid_view(sim->grid),
                              .u = s->u,
                              .v = s->v,
                              .u_before = sim->u.predicted,
                              .v_before = sim->v.predicted,
                              .depth = s->depth,
                              .depth_before = s->depth,
                              .depth_u = s->depth_u,
                              .depth_v = s->depth_v,
                              .friction_u = sim->u.friction,
                              .friction_v = sim->v.friction,
                              .dt = sim->dt,
                              .floor_viscosity = 0,
                              .viscosity = s->vertical_viscosity};
}

/* Calls `take` with the production of each interface. */
typedef void TakeProduction(const Basin *b, int i, int j, int k, double dz, double production, double *into);
static void each_production(const Basin *b, TakeProduction *take, double *into) {
    const TurbulentColumns a = columns_of(b);
    const Grid *g = b->sim->grid;
    for (int n = 0; n < g->blocks_c.count; n++) {
        const Block block = g->blocks_c.block[n];
        const ptrdiff_t first = AT2(*g, block.i0, block.j);
        Interfaces at;
        FaceWater faces;
        interfaces_find(&a, first, &at);
        face_water_find(&a, first, &faces);
        for (int k = g->n3 - 1; k >= at.deepest; k--) {
            double dz[LANES], shears[SIDES][LANES], production[LANES];
            const ptrdiff_t layer = first + k * g->plane;
            distances(&a, first, layer, dz);
            face_shears(&a, &at, layer, k, shears);
            face_water_descend(&a, layer, &faces);
            production_find(&a, &faces, first, layer, shears, dz, production);
            for (int l = 0; l < LANES; l++)
                if (at.lowest[l] <= k && g->area[first + l] > 0)
                    take(b, block.i0 + l, block.j, k, dz[l], production[l], into);
        }
    }
}

static void add(const Basin *b, int i, int j, int k, double dz, double production, double *into) {
    (void)b, (void)i, (void)j, (void)k;
    *into += BASIN_DX * BASIN_DY * dz * production;
}

static void begin(Basin *b, BasinField *viscosity) {
    State *s = b->sim->state;
    basin_fill(b, s->u, LEVELS, current);
    basin_fill(b, s->v, LEVELS, across);
    basin_fill(b, s->vertical_viscosity, LEVELS, viscosity);
}

/* Layers cut by the bed, an island, faces of all heights; and steps so long that a wind's parabola bounds nu. */
static void what_the_flow_loses_is_produced(void **state) {
    (void)state;
    static const double steps[] = {10, 120, 1200};
    for (int n = 0; n < 3; n++) {
        Basin b = basin_create(SETTINGS(LAYERS, K_EPSILON, ROUGH));
        b.sim->dt = steps[n];
        begin(&b, eddies);
        const double lost = lose_both(&b);
        double gained = 0;
        each_production(&b, add, &gained);
        assert_true(lost > 0 && fabs(gained / lost - 1) < 1e-13);
        basin_destroy(&b);
    }
}

static void spread(const Basin *b, int i, int j, int k, double dz, double production, double *range) {
    (void)dz;
    if (k != LEVELS / 2 || i < 1 || j < 1 || i > b->sim->grid->n1 - 2 || j > b->sim->grid->n2 - 2) return;
    range[0] = fmin(range[0], production);
    range[1] = fmax(range[1], production);
}

/* Under the same current, a column that mixes and its neighbours that do not get the same; that of the mean nu. */
static void no_column_is_driven_on_alone(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS(LAYERS, K_EPSILON));
    State *s = b.sim->state;
    basin_fill(&b, s->u, LEVELS, of_layers);
    basin_fill(&b, b.sim->u.predicted, LEVELS, of_layers);
    basin_fill(&b, s->vertical_viscosity, LEVELS, chessboard);
    double range[2] = {1, 0}, shear = 0.1 * (16 - 9) / 1.25;
    each_production(&b, spread, range);
    assert_true(fabs(range[0] / (0.02 * shear * shear) - 1) < 1e-14);
    assert_true(fabs(range[1] / (0.02 * shear * shear) - 1) < 1e-14);
    basin_destroy(&b);
}

static double one_face(int i, int j, int k) {
    return i == 8 && j == 6 && k > 0 ? 0.1 : 0.0;
}

static void keep_both(const Basin *b, int i, int j, int k, double dz, double production, double *into) {
    (void)b;
    if (k != 1 || j != 6 || i < 7 || i > 8) return;
    into[2 * (i - 7)] = dz;
    into[2 * (i - 7) + 1] = production;
}

/* The lowest layers of two columns are 0.25 and 1 m thick: each unit of water gets the same. */
static void equal_water_gets_equal_parts(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS(LAYERS, K_EPSILON, "/bathymetry/bed_m=x<8000?-9:-9.75"));
    basin_fill(&b, b.sim->state->u, LEVELS, one_face);
    basin_fill(&b, b.sim->u.predicted, LEVELS, one_face);
    basin_fill(&b, b.sim->state->vertical_viscosity, LEVELS, eddies);
    double found[4] = {0};
    each_production(&b, keep_both, found);
    assert_true(fabs(found[0] - 0.75) < 1e-14 && fabs(found[2] - 1.125) < 1e-14);
    assert_true(found[1] > 0 && fabs(found[1] / found[3] - 1) < 1e-14);
    basin_destroy(&b);
}

/* k after the step, with what eps has taken, over what was there: the same energy once more. Interfaces next to walls,
 * whose equations are those of a point of theirs, have no stress here. */
static void k_gets_what_the_flow_loses(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS(LAYERS, K_EPSILON));
    Simulation *sim = b.sim;
    State *s = sim->state;
    const Grid *g = sim->grid;
    const size_t bytes = (size_t)g->size3 * sizeof(double);
    double *tke = field3_create(g), *eps = field3_create(g), gained = 0;
    begin(&b, inner_eddies);
    const double lost = lose_both(&b);
    basin_fill(&b, s->tke, LEVELS, some);
    basin_fill(&b, s->dissipation, LEVELS, little);
    memcpy(tke - g->origin3, s->tke - g->origin3, bytes);
    memcpy(eps - g->origin3, s->dissipation - g->origin3, bytes);
    turbulence_step(b.scenario, sim->dt, sim->exec, s, &sim->u, &sim->v,
                    (TurbulentDepths){s->depth, s->depth_u, s->depth_v, s->depth});
    for (int k = 1; k < LEVELS; k++)
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++) {
                const ptrdiff_t m = AT(*g, i, j, k);
                const double taken = eps[m] * s->tke[m] / tke[m];
                gained += BASIN_DX * BASIN_DY * 1.25 * ((s->tke[m] - tke[m]) / sim->dt + taken);
            }
    assert_true(lost > 0 && fabs(gained / lost - 1) < 1e-13);
    field3_destroy(g, &tke);
    field3_destroy(g, &eps);
    basin_destroy(&b);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_flow_loses_is_produced),
        cmocka_unit_test(no_column_is_driven_on_alone),
        cmocka_unit_test(equal_water_gets_equal_parts),
        cmocka_unit_test(k_gets_what_the_flow_loses),
    };
    MPI_Init(&argc, &argv);
    log_start(0);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
