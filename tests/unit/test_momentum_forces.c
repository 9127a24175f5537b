/* SPDX-License-Identifier: Apache-2.0
 *
 * Each term of the momentum equation alone, in a basin where nothing else acts: the acceleration of a face,
 * by hand. Their sum: test_momentum_terms.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/momentum/plain.h"
#include "tests/support/basin.h"
#include "tests/support/near.h"
#include "tests/support/ranks.h"
#include <math.h>
#include <string.h>

enum { I = 8, J = 6 }; /* a face in the middle */

static const double GRAVITY = 9.81, DT = BASIN_STEP, H = BASIN_DEPTH;

/* ---- fields ---- */

static double irregular(int i, int j, int k) {
    return sin(3.7 * i + 1.9 * j * j + 2.3 * k);
}

/* ---- no force ---- */

static void without_forces_velocity_stays(void **state) {
    (void)state;
    Basin b = basin_create((const char *const[]){NULL});
    basin_fill(&b, b.sim->state->u, 1, irregular);
    assert_near(basin_acceleration(&b, true, I, J, 0), 0, 1e-16);
    basin_destroy(&b);
}

/* ---- surface, air, density, wind ---- */

/* u_t = -g eta_x. And the response to a unit gradient of the new surface is dt: without friction nothing
 * holds the water back. */
static void a_sloping_surface_pulls_water_down(void **state) {
    (void)state;
    for (int x = 0; x < 2; x++) {
        Basin b = basin_create((const char *const[]){NULL});
        basin_fill(&b, b.sim->state->eta, 1, x ? slope_x : slope_y);
        assert_close(basin_acceleration(&b, x, I, J, 0), -GRAVITY * 2e-5, 1e-13);
        assert_close((x ? b.sim->u : b.sim->v).response[AT2(*b.sim->grid, I, J)], DT, 1e-14);
        assert_near(basin_acceleration(&b, !x, I, J, 0), 0, 1e-16);
        basin_destroy(&b);
    }
}

/* u_t = -p_x / rho0 */
static void air_pressure_pushes_water_away(void **state) {
    (void)state;
    for (int x = 0; x < 2; x++) {
        Basin b = basin_create(SETTINGS("/forcing/air_pressure/Pa=101300"));
        basin_fill(&b, b.sim->state->air_pressure, 1, x ? slope_x : slope_y);
        assert_close(basin_acceleration(&b, x, I, J, 0), -2e-5 / 1000, 1e-11);
        basin_destroy(&b);
    }
}

/* Density growing along x by b_x at all depths: u_t = -(g/rho0) b_x (eta - z), in the middles of four layers.
 */
static void heavier_water_pushes_the_more_the_deeper(void **state) {
    (void)state;
    const double b_x = 1000 * 1e-3 * 1e-4; /* rho0, contraction, salinity per metre */
    for (int x = 0; x < 2; x++) {
        Basin b = basin_create(SETTINGS("/grid/levels/dz_m=2.5", "/physics/density/equation=linear",
                                        "/physics/density/reference_salinity=10",
                                        "/physics/density/contraction_kg_g=1e-3",
                                        x ? "/initial/salinity=10+1e-4*x" : "/initial/salinity=10+1e-4*y"));
        for (int k = 0; k < 4; k++) {
            const double above = H - 2.5 * (k + 0.5);
            assert_close(basin_acceleration(&b, x, I, J, k), -GRAVITY / 1000 * b_x * above, 1e-11);
            assert_near(basin_acceleration(&b, !x, I, J, k), 0, 1e-16);
        }
        basin_destroy(&b);
    }
}

/* tau / (rho0 h) in the uppermost layer; water thinner than full_stress_depth feels a part of it. */
static void wind_drives_the_uppermost_layer(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS("/grid/levels/dz_m=5", "/physics/free_surface/full_stress_depth_m=0.5"));
    basin_fill(&b, b.sim->state->stress_u, 1, steady);
    assert_close(basin_acceleration(&b, true, I, J, 1), 0.3 / 5, 1e-14);
    assert_near(basin_acceleration(&b, true, I, J, 0), 0, 1e-16);
    b.sim->state->depth_u[AT2(*b.sim->grid, I, J)] = 0.1;
    assert_close(basin_acceleration(&b, true, I, J, 1), 0.3 / 0.05 * (0.1 / 0.5), 1e-13);
    basin_destroy(&b);
}

/* A column of 10 m that the step empties, and 0.3 m more in the surface's system: the velocity beside it feels the fall down
 * to the bed, not below; whichever side it is on. */
static void a_level_below_the_bed_pulls_nothing(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        const bool x = n % 2;
        Basin b = basin_create((const char *const[]){NULL});
        Simulation *sim = b.sim;
        const ptrdiff_t m = AT2(*sim->grid, I, J), empty = n < 2 ? m - (x ? 1 : sim->grid->row) : m;
        basin_fill(&b, sim->next_depth_u, 1, steady);
        basin_fill(&b, sim->next_depth_v, 1, steady);
        basin_predict(&b, x);
        const Faces faces = x ? sim->u : sim->v;
        sim->state->increment[empty] = -(H + 0.3);
        momentum_update(sim->exec, x ? sim->grid->blocks_u : sim->grid->blocks_v,
                        (MomentumUpdate){grid_view(sim->grid), faces, sim->state->increment,
                                         sim->state->depth, x ? sim->next_depth_u : sim->next_depth_v,
                                         GRAVITY, FLUXES_BY_THETA});
        const double fall = (n < 2 ? -1 : 1) * H / (x ? BASIN_DX : BASIN_DY);
        assert_close(faces.predicted[m], faces.theta[m] * GRAVITY * fall * DT, 1e-13);
        basin_destroy(&b);
    }
}

/* ---- rotation ---- */

/* u_t = f v, v_t = -f u: to first order in f dt, whatever the scheme in time. */
static void rotation_turns_flow_to_the_right(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS("/physics/coriolis={\"f_s\":1e-5}"));
    basin_fill(&b, b.sim->state->v, 1, steady);
    assert_close(basin_acceleration(&b, true, I, J, 0), 1e-5 * 0.3, 1e-3);
    basin_destroy(&b);
    b = basin_create(SETTINGS("/physics/coriolis={\"f_s\":1e-5}"));
    basin_fill(&b, b.sim->state->u, 1, steady);
    assert_close(basin_acceleration(&b, false, I, J, 0), -1e-5 * 0.3, 1e-3);
    basin_destroy(&b);
}

/* ---- the column ---- */

/* Layers of 4 and 6 m, their middles 5 m apart, exchange c = nu/5 of their difference d, implicitly:
 * d' (1 + c dt/4 + c dt/6) = d; their momentum stays. */
static void vertical_viscosity_evens_out_layers(void **state) {
    (void)state;
    Basin b = basin_create(
        SETTINGS("/grid/levels={\"interfaces_m\":[-10,-6,0]}", "/physics/turbulence/viscosity_m2_s=0.5"));
    basin_fill(&b, b.sim->state->u, 2, shear);
    const double *u = basin_predict(&b, true), c = 0.5 / 5;
    const double below = u[AT(*b.sim->grid, I, J, 0)], above = u[AT(*b.sim->grid, I, J, 1)];
    assert_close(above - below, 1 / (1 + c * DT / 4 + c * DT / 6), 1e-14);
    assert_close(6 * above + 4 * below, 6, 1e-14);
    basin_destroy(&b);
}

/* nu = nu0 + kappa u* H s (1 - s), at half the depth kappa u* H / 4, with u* of the wind over a free bed. */
static void the_parabola_is_highest_at_half_depth(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS(
        "/grid/levels/dz_m=5", "/physics/turbulence={\"closure\":\"parabolic\",\"viscosity_m2_s\":0.01}"));
    basin_fill(&b, b.sim->state->v, 2, shear);
    basin_fill(&b, b.sim->state->stress_v, 1, steady);
    const double *v = basin_predict(&b, false), nu = 0.01 + 0.4 * sqrt(0.3) * H / 4;
    const double below = v[AT(*b.sim->grid, I, J, 0)], above = v[AT(*b.sim->grid, I, J, 1)];
    /* the wind adds tau dt/h to the upper layer, of which a part goes down */
    assert_close(above - below, (1 + 0.3 * DT / 5) / (1 + 2 * (nu / 5) * DT / 5), 1e-14);
    basin_destroy(&b);
}

/* ---- Rayleigh damping ---- */

/* u' (1 + r dt) = u in all layers, however long the step; the response to the new surface is damped alike. */
static void rayleigh_damping_slows_all_layers(void **state) {
    (void)state;
    static const char *const settings[] = {"/physics/momentum/rayleigh_1_s=0.02",
                                           "/physics/momentum/rayleigh_1_s=1000"};
    for (int n = 0; n < 4; n++) {
        const bool x = n % 2;
        Basin b = basin_create(SETTINGS("/grid/levels={\"interfaces_m\":[-10,-6,-5,0]}", settings[n / 2]));
        const double damped = 1 + (n / 2 ? 1000 : 0.02) * DT;
        const Faces *f = x ? &b.sim->u : &b.sim->v;
        basin_fill(&b, x ? b.sim->state->u : b.sim->state->v, 3, irregular);
        const double *new = basin_predict(&b, x);
        for (int k = 0; k < 3; k++) {
            assert_close(new[AT(*b.sim->grid, I, J, k)], irregular(I, J, k) / damped, 1e-14);
            assert_close(f->response[AT(*b.sim->grid, I, J, k)], DT / damped, 1e-14);
        }
        basin_destroy(&b);
    }
}

/* ---- drag of the bed ---- */

/* A mean of the old drag and the new one, the more implicit the stiffer:
 * u' + Cd dt/H (w u'^2 + (1 - w) u^2) = u, w = (1 + 2 c) / (2 + 2 c), c = Cd u dt/H. */
static void assert_drag(const char *const settings[], double coefficient) {
    const double stiffness = coefficient * 0.3 * DT / H;
    const double weight = (1 + 2 * stiffness) / (2 + 2 * stiffness);
    for (int x = 0; x < 2; x++) {
        Basin b = basin_create(settings);
        basin_fill(&b, x ? b.sim->state->u : b.sim->state->v, 1, steady);
        const double new = basin_predict(&b, x)[AT2(*b.sim->grid, I, J)];
        const double mean = weight * new *new + (1 - weight) * 0.3 * 0.3;
        assert_close(new + coefficient *DT / H *mean, 0.3, 1e-14);
        basin_destroy(&b);
    }
}

static void each_drag_law_has_its_coefficient(void **state) {
    (void)state;
    assert_drag(SETTINGS("/physics/drag={\"law\":\"constant\",\"cd\":0.4}"), 0.4);
    /* g n^2 / H^(1/3) */
    assert_drag(SETTINGS("/physics/drag={\"law\":\"manning\",\"n\":0.3}"), GRAVITY * 0.09 / cbrt(10));
    /* g / C^2 */
    assert_drag(SETTINGS("/physics/drag={\"law\":\"chezy\",\"c\":5}"), GRAVITY / 25);
    /* (kappa / ln(1 + z/z0))^2 half-way up the lowest layer */
    assert_drag(SETTINGS("/physics/drag={\"law\":\"log\",\"z0_m\":5}"), pow(0.4 / log(1 + 5. / 5), 2));
}

/* The force is along the flow of both components: 0.3 and 0.4 m/s brake as 0.5 m/s, to first order in dt. */
static void drag_grows_with_the_whole_speed(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS("/physics/drag={\"law\":\"constant\",\"cd\":1e-4}"));
    State *s = b.sim->state;
    basin_fill(&b, s->u, 1, steady);
    field3_fill(s->grid, s->v, 0.4);
    assert_close(basin_acceleration(&b, true, I, J, 0), -1e-4 * 0.5 * 0.3 / H, 1e-4);
    assert_close(basin_acceleration(&b, false, I, J, 0), -1e-4 * 0.5 * 0.4 / H, 1e-4);
    basin_destroy(&b);
}

/* A film of 1 mm at 10 m/s, whose old drag alone would throw it back at 4000 m/s; and at rest under a storm. */
static void drag_stops_a_film(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        Basin b = basin_create(SETTINGS("/physics/drag={\"law\":\"constant\",\"cd\":0.04}"));
        State *s = b.sim->state;
        const ptrdiff_t m = AT2(*b.sim->grid, I, J);
        s->depth_u[m] = 1e-3;
        s->u[m] = n == 0 ? 10 : 0;
        s->stress_u[m] = n == 0 ? 0 : 1e-2;
        const double new = basin_predict(&b, true)[m], balance = sqrt(1e-2 * (1e-3 / 0.1) / 0.04);
        if (n == 0)
            assert_true(new > 0 && new < 0.16); /* the fully implicit one */
        else
            assert_true(new > 0.5 * balance &&new < 1.42 * balance);
        basin_destroy(&b);
    }
}

/* The velocity falls to 0 over half the lowest layer: u' (1 + 2 nu dt / h^2) = u. */
static void a_bed_without_slip_takes_a_linear_stress(void **state) {
    (void)state;
    Basin b = basin_create(
        SETTINGS("/physics/drag={\"law\":\"no-slip\"}", "/physics/turbulence/viscosity_m2_s=0.5"));
    basin_fill(&b, b.sim->state->u, 1, steady);
    const double new = basin_predict(&b, true)[AT2(*b.sim->grid, I, J)];
    assert_close(new *(1 + 2 * 0.5 * DT / (H * H)), 0.3, 1e-14);
    basin_destroy(&b);
}

/* ---- without options ---- */

typedef double Predicted[BASIN_NY][BASIN_NX + 1][4];

/* What a kernel finds on inner faces along x. */
static void predict_by(void (*kernel)(Exec, BlockList, Momentum), Basin *b, Momentum m, Predicted found) {
    const Grid *g = b->sim->grid;
    basin_fill(b, m.faces.predicted, 4, steady);
    kernel(b->sim->exec, g->blocks_u, m);
    for (int n = 0; n < BASIN_NY * BASIN_NX * 4; n++) {
        const int k = n % 4, i = n / 4 % BASIN_NX, j = n / 4 / BASIN_NX;
        found[j][i][k] = i > 0 ? m.faces.predicted[AT(*g, i, j, k)] : 0;
    }
}

/* momentum_predict_plain, momentum_predict_pressed and momentum_predict_uneven make the bits of momentum_predict, and only seas
 * without options take them. */
static void the_short_way_makes_the_same_bits(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS("/grid/levels/dz_m=2.5", "/initial/salinity=30",
                                    "/physics/density/equation=linear", "/physics/coriolis={\"f_s\":1e-4}",
                                    "/physics/momentum/advection=tvd",
                                    "/physics/momentum/horizontal_viscosity_m2_s=20",
                                    "/physics/drag={\"law\":\"constant\",\"cd\":0.04}"));
    State *s = b.sim->state;
    double *const fields[] = {s->u, s->v, s->flux_u, s->flux_v};
    for (int n = 0; n < 4; n++) basin_fill(&b, fields[n], 4, irregular);
    basin_fill(&b, s->eta, 1, irregular);
    static double narrowing[2 * HALO + BASIN_NY + 2];
    static Predicted general, pressed, ground, fast, before;
    for (int j = 0; j < 2 * HALO + BASIN_NY + 2; j++) narrowing[j] = 1000 - 3 * j; /* widths of rows [m] */
    (void)basin_predict(&b, true);
    Momentum m = simulation_momentum(b.sim, true);
    m.g.dx_v = narrowing + HALO;
    for (int curved = 0; curved < 2; curved++) {
        m.curved = curved;
        Momentum with = m;
        with.faces.acceleration = s->flux_v;
        with.faces.carrying = m.faces.depth;
        with.faces.advected = s->v;
        Momentum inside = m;
        inside.faces.uneven = m.faces.width, inside.faces.closeness = m.g.width_v,
        inside.faces.lift = m.g.width_v, inside.faces.thick = m.depth;
        assert_true(is_plain(&m) && !is_pressed(&m) && is_pressed(&with) && !is_plain(&with));
        assert_true(is_uneven(&inside) && !is_plain(&inside) && !is_uneven(&m) && !is_uneven(&with));
        predict_by(momentum_predict, &b, m, general);
        predict_by(momentum_predict_plain, &b, m, fast);
        assert_memory_equal(general, fast, sizeof general);
        predict_by(momentum_predict, &b, with, pressed);
        predict_by(momentum_predict_pressed, &b, with, fast);
        assert_memory_equal(pressed, fast, sizeof pressed);
        predict_by(momentum_predict, &b, inside, ground);
        predict_by(momentum_predict_uneven, &b, inside, fast);
        assert_memory_equal(ground, fast, sizeof ground);
        assert_true(general[J][I][0] != irregular(I, J, 0) && general[J][I][0] != pressed[J][I][0]);
        assert_true(general[J][I][0] != ground[J][I][0]);
        if (curved) assert_true(general[J][I][0] != before[J][I][0]);
        memcpy(before, general, sizeof before);
    }
    basin_destroy(&b);
    static const char *const options[] = {"/physics/momentum/scheme=matm",
                                          "/physics/momentum/viscosity_law=smagorinsky",
                                          "/physics/momentum/advection=compact6"};
    for (int n = 0; n < 3; n++) {
        b = basin_create(SETTINGS(options[n]));
        const Momentum other = simulation_momentum(b.sim, true);
        assert_false(is_plain(&other) || is_pressed(&other));
        basin_destroy(&b);
    }
}

/* ---- lines in parts ---- */

enum { MADE = 6 };

/* What the kernel makes of all faces along x, from a pull and a flow across that step before it has left. */
static void make(Basin *b, Exec exec, Momentum m, int blocks, double *made[MADE]) {
    const Grid *g = b->sim->grid;
    const Faces *f = &m.faces;
    double *const fields[MADE] = {f->predicted, f->response,       f->push,
                                  f->theta,     f->flux_predicted, f->conductance};
    for (int n = 0; n < MADE; n++) n < 3 ? field3_fill(g, fields[n], 0) : basin_fill(b, fields[n], 1, steady);
    basin_fill(b, f->pull, 1, irregular);
    basin_fill(b, f->across, 1, irregular);
    m.cut = column_cut(g->n3, blocks);
    if (m.cut.parts == 0)
        momentum_predict(exec, g->blocks_u, m);
    else if (exec.device == DEVICE_CPU)
        momentum_predict_parts(exec, g->blocks_u, m);
    else
        momentum_predict_shared(exec, (BlockShape){g->blocks_u.count, BLOCK * m.cut.parts},
                                (SharedMomentum){m, g->blocks_u.block});
    exec_wait(exec);
    for (int n = 0; n < MADE; n++)
        for (int c = 0; c < BASIN_NX * BASIN_NY * g->n3; c++) {
            const int i = c % BASIN_NX, j = c / BASIN_NX % BASIN_NY, k = c / BASIN_NX / BASIN_NY;
            made[n][c] = n < 3 || k == 0 ? fields[n][AT(*g, i, j, k)] : 0;
        }
}

/* As whole lines but for round-off, over a bed at all heights, with plants, density, Stokes drift; the same bits on the
 * emulator. */
static void lines_in_parts_are_the_same_lines(void **state) {
    (void)state;
    Basin b = basin_create(SETTINGS(
        "/grid/levels/dz_m=0.5", "/bathymetry/bed_m=-5.2+5*sin(x/2000)*cos(y/900)", "/initial/salinity=30",
        "/physics/density/equation=linear", "/physics/coriolis={\"f_s\":1e-4}",
        "/physics/momentum/advection=tvd", "/physics/momentum/scheme=matm",
        "/physics/turbulence/viscosity_m2_s=0.02", "/physics/vegetation={\"stems_m2\":50,\"height_m\":2}",
        "/physics/drag={\"law\":\"constant\",\"cd\":0.04}"));
    State *s = b.sim->state;
    const Grid *g = s->grid;
    Momentum m = simulation_momentum(b.sim, true);
    double *const flows[] = {s->u, s->v, s->flux_u, s->flux_v, s->stress_u};
    for (int n = 0; n < 5; n++) basin_fill(&b, flows[n], n < 4 ? g->n3 : 1, irregular);
    basin_fill(&b, (double *)m.anomaly, g->n3, irregular);
    basin_fill(&b, (double *)m.flux_w, g->n3, irregular);
    basin_fill(&b, s->eta, 1, irregular);
    basin_fill(&b, (double *)m.pressure, g->n3, irregular);
    m.faces.stokes = s->v, m.other.stokes = s->u;
    m.previous = -0.5, m.current = 1.5;
    Exec emu;
    assert_int_equal(exec_create("emu", 0, 3, &emu), STATUS_OK);
    double *whole[MADE], *parts[MADE], *there[MADE], worst = 0;
    const size_t count = (size_t)(BASIN_NX * BASIN_NY) * (size_t)g->n3;
    double **const all[] = {whole, parts, there};
    for (int n = 0; n < 3 * MADE; n++) all[n / MADE][n % MADE] = ALLOCATE(count, double);
    bed_drag_prepare(b.sim->exec, g->faces_u, m);
    make(&b, b.sim->exec, m, 0, whole);
    for (int blocks = 1; blocks <= 16; blocks++) {
        make(&b, b.sim->exec, m, blocks, parts);
        for (int n = 0; n < MADE; n++)
            for (size_t c = 0; c < count; c++)
                if (!(fabs(parts[n][c] - whole[n][c]) <= worst * (1 + fabs(whole[n][c]))))
                    worst = fabs(parts[n][c] - whole[n][c]) / (1 + fabs(whole[n][c]));
        make(&b, emu, m, blocks, there);
        for (int n = 0; n < MADE; n++) assert_memory_equal(there[n], parts[n], count * sizeof(double));
    }
    print_message("furthest apart: %.1e\n", worst);
    assert_true(worst > 0 && worst < 1e-13);
    exec_destroy(&emu);
    for (int n = 0; n < 3 * MADE; n++) memory_free(all[n / MADE][n % MADE]);
    basin_destroy(&b);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_forces_velocity_stays),
        cmocka_unit_test(a_sloping_surface_pulls_water_down),
        cmocka_unit_test(air_pressure_pushes_water_away),
        cmocka_unit_test(heavier_water_pushes_the_more_the_deeper),
        cmocka_unit_test(wind_drives_the_uppermost_layer),
        cmocka_unit_test(a_level_below_the_bed_pulls_nothing),
        cmocka_unit_test(rotation_turns_flow_to_the_right),
        cmocka_unit_test(vertical_viscosity_evens_out_layers),
        cmocka_unit_test(the_parabola_is_highest_at_half_depth),
        cmocka_unit_test(rayleigh_damping_slows_all_layers),
        cmocka_unit_test(each_drag_law_has_its_coefficient),
        cmocka_unit_test(drag_grows_with_the_whole_speed),
        cmocka_unit_test(drag_stops_a_film),
        cmocka_unit_test(a_bed_without_slip_takes_a_linear_stress),
        cmocka_unit_test(the_short_way_makes_the_same_bits),
        cmocka_unit_test(lines_in_parts_are_the_same_lines),
    };
    MPI_Init(&argc, &argv);
    log_start(0);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
