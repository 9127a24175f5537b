/* SPDX-License-Identifier: Apache-2.0
 *
 * Momentum carried along and exchanged along the layers: advection and viscosity, alone in a basin where
 * nothing else acts, by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "tests/support/basin.h"
#include "tests/support/near.h"
#include "tests/support/ranks.h"
#include <math.h>

enum { I = 8, J = 6 }; /* a face in the middle */

static const double DT = BASIN_STEP, DX = BASIN_DX, DY = BASIN_DY, H = BASIN_DEPTH;

/* ---- fields ---- */

static double wave_x(int i, int j, int k) { /* of 8 cells */
    (void)j, (void)k;
    return 0.1 * sin(0.25 * acos(-1) * i);
}

static double wave_y(int i, int j, int k) {
    return wave_x(j, i, k);
}

static double square_x(int i, int j, int k) {
    (void)j, (void)k;
    return 1 + 0.01 * i * i;
}

static double square_y(int i, int j, int k) {
    return square_x(j, i, k);
}

static double irregular(int i, int j, int k) {
    return sin(3.7 * i + 1.9 * j * j + 2.3 * k);
}

static double irregular_flux(int i, int j, int k) {
    return 4e6 * sin(2.9 * i * j + 1.1 * i + 0.3 * k);
}

/* ---- advection ---- */

typedef struct Carrying {
    bool along_x; /* the component that is carried */
    bool by_x;    /* the flux that carries it */
    double speed; /* [m s-1] */
} Carrying;

/* Acceleration of the middle face, whose component has square profiles along x and y. */
static double carried(Carrying c, const char *scheme) {
    Basin b = basin_create(SETTINGS(scheme));
    State *s = b.sim->state;
    const Grid *g = b.sim->grid;
    basin_fill(&b, c.along_x ? s->u : s->v, 1, c.by_x ? square_x : square_y);
    double *flux = c.by_x ? s->flux_u : s->flux_v;
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) flux[AT2(*g, i, j)] = c.speed * H * (c.by_x ? DY : DX);
    const double found = basin_acceleration(&b, c.along_x, I, J, 0);
    basin_destroy(&b);
    return found;
}

/* First order: -U (u - u_upstream) / dx. */
static void upwind_advection_takes_the_difference_upstream(void **state) {
    (void)state;
    for (int n = 0; n < 8; n++) {
        const Carrying c = {n & 1, n & 2, n & 4 ? 2 : -2};
        const int m = c.by_x ? I : J, upstream = c.speed > 0 ? -1 : 1;
        const double difference = square_x(m, 0, 0) - square_x(m + upstream, 0, 0);
        assert_close(carried(c, "/physics/momentum/advection=upwind"), -2 / (c.by_x ? DX : DY) * difference,
                     1e-12);
    }
}

/* Second order: sides carry the donor's velocity plus (1 - c)/2 of its central slope, c = |U| dt/dx. */
static void tvd_advection_adds_half_of_the_central_slope(void **state) {
    (void)state;
    for (int n = 0; n < 8; n++) {
        const Carrying c = {n & 1, n & 2, n & 4 ? 2 : -2};
        const int m = c.by_x ? I : J, up = c.speed > 0 ? -1 : 1;
        const double spacing = c.by_x ? DX : DY, courant = 2 * DT / spacing;
        double side[2]; /* behind, ahead, in the direction of the flow */
        for (int s = 0; s < 2; s++) {
            const int donor = s == 0 ? m + up : m;
            const double slope = 0.5 * (square_x(donor - up, 0, 0) - square_x(donor + up, 0, 0));
            side[s] = square_x(donor, 0, 0) + 0.5 * (1 - courant) * slope;
        }
        assert_close(carried(c, "/physics/momentum/advection=tvd"), -2 / spacing * (side[1] - side[0]),
                     1e-11);
    }
}

static double growing_flux(int i, int j, int k) { /* 1 + i/10 m/s, through faces of DX and DY */
    (void)j, (void)k;
    return (1 + 0.1 * i) * BASIN_DEPTH;
}

/* A velocity cell is half of two cells: the flux through its side is the mean of theirs, here 1 + (I - 1/2)/10. */
static void sides_carry_with_the_mean_of_two_faces(void **state) {
    (void)state;
    for (int by_x = 0; by_x < 2; by_x++) {
        Basin b = basin_create(SETTINGS("/physics/momentum/advection=upwind"));
        State *s = b.sim->state;
        double *flux = by_x ? s->flux_u : s->flux_v;
        basin_fill(&b, s->u, 1, by_x ? square_x : square_y);
        basin_fill(&b, flux, 1, growing_flux);
        for (int j = -HALO; j < s->grid->n2 + HALO; j++)
            for (int i = -HALO; i < s->grid->n1 + HALO; i++) flux[AT2(*s->grid, i, j)] *= by_x ? DY : DX;
        const int m = by_x ? I : J;
        const double speed = 1 + 0.1 * (I - 0.5), difference = square_x(m, 0, 0) - square_x(m - 1, 0, 0);
        assert_close(basin_acceleration(&b, true, I, J, 0), -speed * difference / (by_x ? DX : DY), 1e-12);
        basin_destroy(&b);
    }
}

/* Five layers of 2 m and a linear shear, with k mm/s through the lower side of layer k: rising water carries
 * what is below, through the lower side, sinking water what is above, through the upper one. */
static void rising_water_carries_what_is_below(void **state) {
    (void)state;
    for (int rising = 0; rising < 2; rising++) {
        Basin b = basin_create(SETTINGS("/grid/levels/dz_m=2", "/physics/momentum/advection=upwind"));
        State *s = b.sim->state;
        basin_fill(&b, s->u, 5, shear);
        for (int k = 1; k < 5; k++)
            for (int i = I - 2; i < I + 2; i++)
                s->flux_w[AT(*b.sim->grid, i, J, k)] = (rising ? 1e-3 : -1e-3) * k * DX * DY;
        const double expected = rising ? -2e-3 * 1.0 / 2 : 3e-3 * 1.0 / 2;
        assert_close(basin_acceleration(&b, true, I, J, 2), expected, 1e-12);
        basin_destroy(&b);
    }
}

static double square_z(int i, int j, int k) {
    (void)i, (void)j;
    return 0.01 * k * k;
}

/* Second order through both sides of a layer, likewise with the donor's central slope. */
static void tvd_advection_takes_slopes_above_and_below(void **state) {
    (void)state;
    for (int rising = 0; rising < 2; rising++) {
        Basin b = basin_create(SETTINGS("/grid/levels/dz_m=2", "/physics/momentum/advection=tvd"));
        State *s = b.sim->state;
        basin_fill(&b, s->u, 5, square_z);
        for (int k = 1; k < 5; k++)
            for (int i = I - 2; i < I + 2; i++)
                s->flux_w[AT(*b.sim->grid, i, J, k)] = (rising ? 1e-3 : -1e-3) * DX * DY;
        const int up = rising ? -1 : 1; /* where the water comes from */
        const double half = 0.5 * (1 - 1e-3 * DT / 2);
        double side[2]; /* where it comes in, and where it leaves */
        for (int n = 0; n < 2; n++) {
            const int donor = n == 0 ? 2 + up : 2;
            const double slope = 0.5 * (square_z(0, 0, donor - up) - square_z(0, 0, donor + up));
            side[n] = square_z(0, 0, donor) + half * slope;
        }
        assert_close(basin_acceleration(&b, true, I, J, 2), -1e-3 / 2 * (side[1] - side[0]), 1e-12);
        basin_destroy(&b);
    }
}

/* Is a face's new velocity between the least and the largest of its own and the six next ones before? */
static bool between_neighbours(const Grid *g, const double *before, double new, ptrdiff_t m, int k) {
    const ptrdiff_t below = k > 0 ? m - g->plane : m, above = k < g->n3 - 1 ? m + g->plane : m;
    const ptrdiff_t around[] = {m - 1, m + 1, m - g->row, m + g->row, below, above};
    double low = before[m], high = low;
    for (int n = 0; n < 6; n++) {
        low = fmin(low, before[around[n]]);
        high = fmax(high, before[around[n]]);
    }
    return new >= low - 1e-12 && new <= high + 1e-12;
}

/* Of first order: whatever flows, at any Courant number, also where it makes no sea. */
static void upwind_advection_makes_no_new_extremes(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        Basin b = basin_create(SETTINGS("/physics/momentum/advection=upwind", "/grid/levels/dz_m=2.5"));
        State *s = b.sim->state;
        double *velocity = n ? s->u : s->v;
        basin_fill(&b, velocity, 4, irregular);
        double *const fluxes[] = {s->flux_u, s->flux_v, s->flux_w};
        for (int f = 0; f < 3; f++) basin_fill(&b, fluxes[f], 4, irregular_flux);
        const double *new = basin_predict(&b, n);
        for (int k = 0; k < 4; k++)
            for (int j = 3; j < BASIN_NY - 3; j++)
                for (int i = 3; i < BASIN_NX - 3; i++) {
                    const ptrdiff_t m = AT(*s->grid, i, j, k);
                    assert_true(between_neighbours(s->grid, velocity, new[m], m, k));
                }
        basin_destroy(&b);
    }
}

/* Of second order, in a steady stream, at Courant numbers of 0.1, 0.5, 1 and 3. */
static void tvd_advection_makes_no_new_extremes(void **state) {
    (void)state;
    const double speeds[] = {10, 50, 100, 300, -10, -50, -100, -300};
    for (int n = 0; n < 8; n++) {
        Basin b = basin_create(SETTINGS("/physics/momentum/advection=tvd"));
        State *s = b.sim->state;
        basin_fill(&b, s->v, 1, irregular);
        field3_fill(s->grid, s->flux_u, speeds[n] * H * DY);
        const double *new = basin_predict(&b, false);
        for (int i = 3; i < BASIN_NX - 3; i++) {
            const ptrdiff_t m = AT2(*s->grid, i, J);
            assert_true(between_neighbours(s->grid, s->v, new[m], m, 0));
        }
        basin_destroy(&b);
    }
}

/* ---- viscosity along the layers ---- */

/* A wave of 8 cells decays by A times its discrete curvature: u_t = -A (2 - 2 cos(2 pi/8)) / dx^2 u. */
static void viscosity_acts_on_curvature(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        const bool along_x = n & 1, by_x = n & 2;
        const double spacing = by_x ? DX : DY, curvature = (2 - sqrt(2)) / (spacing * spacing);
        Basin b = basin_create(SETTINGS("/physics/momentum/horizontal_viscosity_m2_s=100"));
        basin_fill(&b, along_x ? b.sim->state->u : b.sim->state->v, 1, by_x ? wave_x : wave_y);
        const double here = by_x ? wave_x(I + 1, 0, 0) : wave_x(J + 1, 0, 0);
        assert_close(basin_acceleration(&b, along_x, by_x ? I + 1 : I, by_x ? J : J + 1, 0),
                     -100 * curvature * here, 1e-10);
        basin_destroy(&b);
    }
}

/* Implicit in all directions, at the new time, however long the step: u' - u = dt A (u'_xx + u'_yy). */
static void implicit_viscosity_acts_on_the_new_curvature(void **state) {
    (void)state;
    for (int along_x = 0; along_x < 2; along_x++) {
        Basin b = basin_create(SETTINGS("/physics/momentum/scheme=matm", "/solver/momentum/tolerance=1e-13",
                                        "/physics/momentum/horizontal_viscosity_m2_s=1e5"));
        const Grid *g = b.sim->grid;
        const double *old = along_x ? b.sim->state->u : b.sim->state->v;
        basin_fill(&b, along_x ? b.sim->state->u : b.sim->state->v, 1, irregular);
        const double *new = basin_predict(&b, along_x);
        SolveReport report;
        assert_int_equal(implicit_momentum_solve(b.sim->implicit[along_x ? 0 : 1], b.sim->exec,
                                                 simulation_momentum(b.sim, along_x), &report),
                         STATUS_OK);
        assert_true(report.converged);
        const ptrdiff_t m = AT2(*g, I, J);
        const double curvature = (new[m + 1] - 2 * new[m] + new[m - 1]) / (DX * DX) +
                                 (new[m + g->row] - 2 * new[m] + new[m - g->row]) / (DY * DY);
        assert_near(new[m] - old[m], DT * 1e5 * curvature, 1e-10);
        basin_destroy(&b);
    }
}

/* A wall at half a cell from the velocity point: 2 A u / dy^2 where water sticks, nothing where it slips. */
static void walls_hold_water_or_let_it_slip(void **state) {
    (void)state;
    const char *const walls[] = {"/physics/momentum/side_walls=free-slip",
                                 "/physics/momentum/side_walls=no-slip"};
    for (int n = 0; n < 2; n++) {
        Basin b = basin_create(SETTINGS(walls[n], "/physics/momentum/horizontal_viscosity_m2_s=100"));
        basin_fill(&b, b.sim->state->u, 1, steady);
        assert_near(basin_acceleration(&b, true, I, 0, 0), n ? -100 * 2 * 0.3 / (DY * DY) : 0, 1e-15);
        assert_near(basin_acceleration(&b, true, I, J, 0), 0, 1e-15);
        basin_destroy(&b);
    }
}

/* A = A0 + C dx dy |D|; a shear u = a y has |D| = a / sqrt(2), a stretching u = a x has |D| = a. */
static void smagorinsky_viscosity_follows_the_shear(void **state) {
    (void)state;
    for (int x = 0; x < 2; x++) {
        Basin b = basin_create(SETTINGS("/physics/momentum/viscosity_law=smagorinsky",
                                        "/physics/momentum/smagorinsky_c=0.2",
                                        "/physics/momentum/horizontal_viscosity_m2_s=3"));
        basin_fill(&b, b.sim->state->u, 1, x ? slope_x : slope_y);
        simulation_weigh(b.sim, b.sim->state->time);
        const double rate = x ? 2e-5 : 2e-5 / sqrt(2);
        assert_close(b.sim->state->horizontal_viscosity[AT2(*b.sim->grid, I, J)], 3 + 0.2 * DX * DY * rate,
                     1e-12);
        basin_destroy(&b);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upwind_advection_takes_the_difference_upstream),
        cmocka_unit_test(tvd_advection_adds_half_of_the_central_slope),
        cmocka_unit_test(sides_carry_with_the_mean_of_two_faces),
        cmocka_unit_test(rising_water_carries_what_is_below),
        cmocka_unit_test(tvd_advection_takes_slopes_above_and_below),
        cmocka_unit_test(upwind_advection_makes_no_new_extremes),
        cmocka_unit_test(tvd_advection_makes_no_new_extremes),
        cmocka_unit_test(viscosity_acts_on_curvature),
        cmocka_unit_test(implicit_viscosity_acts_on_the_new_curvature),
        cmocka_unit_test(walls_hold_water_or_let_it_slip),
        cmocka_unit_test(smagorinsky_viscosity_follows_the_shear),
    };
    MPI_Init(&argc, &argv);
    log_start(0);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
