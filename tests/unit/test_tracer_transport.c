/* SPDX-License-Identifier: Apache-2.0
 *
 * The value after a step is that of the formulas at the head of transport.h, term by term, in random flows with sources
 * over even and uneven beds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "tests/support/tracer_sea.h"

enum { STEPS = 4 };
#define ROUND_OFF 1e-13

/* The places in memory and on the grid of the face between a cell and the one behind it along an axis. */
typedef struct Face {
    int axis;              /* 0: x, 1: y, 2: z */
    int i, j, k;           /* of the cell ahead */
    ptrdiff_t step, ahead; /* from cell to cell; the cell ahead */
} Face;

static int part_of(int axis, int wanted, int far) {
    return axis == wanted ? far : 0;
}

static int lowest_at(const TracerSea *s, const Face *f, int far) {
    return tracer_sea_lowest(s, f->i + part_of(f->axis, 0, far), f->j + part_of(f->axis, 1, far));
}

/* Thickness at the datum of layer k in the column `far` steps off. */
static double thickness(const TracerSea *s, const Face *f, int far, int k) {
    const Grid *g = s->grid;
    const ptrdiff_t column = AT2(*g, f->i + part_of(f->axis, 0, far), f->j + part_of(f->axis, 1, far));
    return g->phi_c[column + k * g->plane] * (g->axes.interfaces[g->n3] - g->bed[column]);
}

/* Do the cells around the one `far` steps off lie at one height, as all above them? Single layers have none. */
static bool is_even(const TracerSea *s, const Face *f, int far) {
    bool single = true;
    for (int n = far - 1; n <= far + 1; n++) {
        if (lowest_at(s, f, n) > f->k) return false;
        single &= lowest_at(s, f, n) == s->grid->n3 - 1;
    }
    for (int k = f->k; k < s->grid->n3 && !single; k++) {
        const double here = thickness(s, f, far, k);
        if (fabs(thickness(s, f, far - 1, k) - 2 * here + thickness(s, f, far + 1, k)) >= 0.01 * here)
            return false;
    }
    return true;
}

/* A of transport.h along the axis, per second. */
static double correction(const TracerSea *s, const Face *f) {
    const double flux = s->flux[f->axis][f->ahead];
    const bool forth = flux > 0;
    const int toward = forth ? 1 : -1, donor_off = forth ? -1 : 0;
    const ptrdiff_t u = f->ahead + donor_off * f->step, d = u + toward * f->step, uu = u - toward * f->step;
    const int i = f->i + part_of(f->axis, 0, donor_off), j = f->j + part_of(f->axis, 1, donor_off),
              k = f->k + part_of(f->axis, 2, donor_off);
    const double *c = s->before,
                 volume = tracer_sea_volume(s, s->depth_new, i, j, k); /* depths have changed places */
    const double courant = fmin(1, TRACER_SEA_DT * fabs(flux) / volume);
    double in, out;
    tracer_sea_flows(s, i, j, k, &in, &out);
    const double from_uu = fmax(0, tracer_sea_inflow(s, u, 2 * f->axis + (forth ? 0 : 1)));
    double across = s->low[u] - c[u]; /* T */
    if (from_uu > 0)
        across -= from_uu * (c[uu] - c[u]) * TRACER_SEA_DT / (volume + TRACER_SEA_DT * (in - out));
    const bool third = f->axis < 2 && is_even(s, f, donor_off);
    const double ahead = c[d] - c[u], behind = third ? c[u] - c[uu] : ahead;
    return flux *
           ((2 - courant) * (1 - courant) / 6 * ahead + (1 - courant * courant) / 6 * behind + across / 2);
}

/* The corrections that come in through the six sides of a cell. */
static void corrections_in(const TracerSea *s, int i, int j, int k, double in[TRACER_SEA_SIDES]) {
    const ptrdiff_t steps[] = {1, s->grid->row, s->grid->plane};
    for (int side = 0; side < TRACER_SEA_SIDES; side++) {
        const int axis = side / 2, far = side % 2;
        Face f = {.axis = axis,
                  .i = i + part_of(axis, 0, far),
                  .j = j + part_of(axis, 1, far),
                  .k = k + part_of(axis, 2, far),
                  .step = steps[axis]};
        f.ahead = AT(*s->grid, f.i, f.j, f.k);
        ptrdiff_t step;
        in[side] = tracer_sea_neighbour(s, i, j, k, side, &step) ? (far ? -1 : 1) * correction(s, &f) : 0;
    }
}

/* The shares of all rises, and of all falls, that a cell bears. */
static void find_room(const TracerSea *s, int i, int j, int k, double *above, double *below) {
    const Bounds b = tracer_sea_promised(s, i, j, k, TRANSPORT_FCT);
    const double low = s->low[AT(*s->grid, i, j, k)], volume = tracer_sea_volume(s, s->depth, i, j, k);
    double in[TRACER_SEA_SIDES], rise = 0, fall = 0;
    corrections_in(s, i, j, k, in);
    for (int side = 0; side < TRACER_SEA_SIDES; side++) {
        rise += TRACER_SEA_DT / volume * fmax(0, in[side]);
        fall += TRACER_SEA_DT / volume * fmax(0, -in[side]);
    }
    *above = rise > 0 ? fmin(1, (b.most - low) / rise) : 1;
    *below = fall > 0 ? fmin(1, (low - b.least) / fall) : 1;
}

/* The value after the step. */
static double expected(const TracerSea *s, const double *above, const double *below, int i, int j, int k) {
    const ptrdiff_t m = AT(*s->grid, i, j, k);
    double in[TRACER_SEA_SIDES], sum = 0;
    corrections_in(s, i, j, k, in);
    for (int side = 0; side < TRACER_SEA_SIDES; side++) {
        ptrdiff_t step;
        if (!tracer_sea_neighbour(s, i, j, k, side, &step)) continue;
        sum += in[side] * (in[side] > 0 ? fmin(above[m], below[m + step]) : fmin(below[m], above[m + step]));
    }
    return s->low[m] + TRACER_SEA_DT * sum / tracer_sea_volume(s, s->depth, i, j, k);
}

static void follows_its_formulas(int n3, TransportScheme scheme) {
    TracerSea s = tracer_sea_create(n3, true, scheme);
    double *above = field3_create(s.grid), *below = field3_create(s.grid), worst = 0;
    s.sources = true;
    s.least_ever = -FAR;
    FOR_WATER(&s, i, j, k)
    s.c[AT(*s.grid, i, j, k)] = 2 + sin(0.3 * i + 0.2 * k) * cos(0.4 * j) + 0.1 * test_number(7, i, j, k);
    for (int step = 0; step < STEPS; step++) {
        tracer_sea_step(&s, false);
        if (scheme == TRANSPORT_FCT) FOR_WATER(&s, i, j, k) {
                const ptrdiff_t m = AT(*s.grid, i, j, k);
                find_room(&s, i, j, k, &above[m], &below[m]);
            }
        FOR_WATER(&s, i, j, k) {
            const ptrdiff_t m = AT(*s.grid, i, j, k);
            const double value = scheme == TRANSPORT_FCT ? expected(&s, above, below, i, j, k) : s.low[m];
            worst = fmax(worst, fabs(s.c[m] - value));
        }
    }
    print_message("%d layers, scheme %d: off by %.1e\n", n3, (int)scheme, worst);
    assert_true(worst < ROUND_OFF);
    field3_destroy(s.grid, &above);
    field3_destroy(s.grid, &below);
    tracer_sea_destroy(&s);
}

static void upwind_and_limited_follow_their_formulas(void **state) {
    (void)state;
    for (int n3 = 1; n3 <= 6; n3++) {
        follows_its_formulas(n3, TRANSPORT_LOW);
        follows_its_formulas(n3, TRANSPORT_FCT);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upwind_and_limited_follow_their_formulas),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
