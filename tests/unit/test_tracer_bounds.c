/* SPDX-License-Identifier: Apache-2.0
 *
 * What each scheme of transport promises, in columns of one to six layers and random flows that change with every
 * step: no value leaves the bounds of transport.h, a stratification of few layers does not feed on itself, and what is
 * not negative stays so to the last bit, through the mixing of columns too.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/tracers/passes.h"
#include "tests/support/systems.h"

enum { NX = 24, NY = 11, STEPS = 60, SIDES = 6 };
#define DT         10.0
#define MOST_MOVED 0.9   /* of a cell's water in a step */
#define ROUND_OFF  1e-14 /* of the largest value */
#define FAR        1e30  /* the sea's extremes do not help */

static const Exec exec = {.device = DEVICE_CPU};
static int layers; /* of the grid */

/* Land, and any number of layers. */
static int any_columns(int i, int j) {
    return (int)(test_number(3, i, j, 0) * (layers + 1));
}

typedef struct Sea {
    TestSystem *system;
    const Grid *grid;
    double *reach, *depth, *depth_new, *flux[3], *none, *hot;
    double *c, *before, *low;
    double *plane[3];  /* of contents */
    double least_ever; /* of the sea, for the ends of columns */
    Passes *passes;
    int step;
} Sea;

/* The lowest layer of a column; the number of layers on land and beyond the grid. */
static int lowest(const Sea *s, int i, int j) {
    const Grid *g = s->grid;
    return i < 0 || j < 0 || i >= g->n1 || j >= g->n2 ? g->n3 : (int)s->reach[AT2(*g, i, j)];
}

static Sea sea_create(int n3, TransportScheme scheme) {
    layers = n3;
    const SystemShape shape = {.nx = NX, .ny = NY, .nz = n3, .levels = any_columns, .seed = 1};
    Sea s = {.system = test_system_create(MPI_COMM_SELF, &shape, 0, 0)};
    const Grid *g = s.grid = s.system->grid;
    double **planes[] = {&s.reach, &s.depth,    &s.depth_new, &s.none,
                         &s.hot,   &s.plane[0], &s.plane[1],  &s.plane[2]};
    double **fields[] = {&s.flux[0], &s.flux[1], &s.flux[2], &s.c, &s.before, &s.low};
    for (int n = 0; n < 8; n++) *planes[n] = field2_create(g);
    for (int n = 0; n < 6; n++) *fields[n] = field3_create(g);
    for (ptrdiff_t m = -g->origin2; m < g->size2 - g->origin2; m++) s.reach[m] = g->n3;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            s.reach[m] = g->bottom_c[m];
            if (s.reach[m] < g->n3) s.depth[m] = -g->bed[m] * (0.2 + test_number(4, i, j, 0));
        }
    passes_create(g, exec, scheme, s.reach, 1, &s.passes);
    return s;
}

static void sea_destroy(Sea *s) {
    double **planes[] = {&s->reach, &s->depth,    &s->depth_new, &s->none,
                         &s->hot,   &s->plane[0], &s->plane[1],  &s->plane[2]};
    double **fields[] = {&s->flux[0], &s->flux[1], &s->flux[2], &s->c, &s->before, &s->low};
    passes_destroy(&s->passes);
    for (int n = 0; n < 8; n++) field2_destroy(s->grid, planes[n]);
    for (int n = 0; n < 6; n++) field3_destroy(s->grid, fields[n]);
    test_system_destroy(&s->system);
}

#define FOR_WATER(s, i, j, k)                                                                                \
    for (int j = 0; j < (s)->grid->n2; j++)                                                                  \
        for (int i = 0; i < (s)->grid->n1; i++)                                                              \
            for (int k = lowest(s, i, j); k < (s)->grid->n3; k++)

static double volume(const Sea *s, const double *depth, int i, int j, int k) {
    const Grid *g = s->grid;
    return g->area[AT2(*g, i, j)] * g->phi_c[AT(*g, i, j, k)] * depth[AT2(*g, i, j)];
}

/* The cell on a side: the step in memory to it, and whether it has water. */
static bool neighbour(const Sea *s, int i, int j, int k, int side, ptrdiff_t *step) {
    const Grid *g = s->grid;
    const int sign = side % 2 ? 1 : -1, di = side / 2 == 0 ? sign : 0, dj = side / 2 == 1 ? sign : 0,
              dk = side / 2 == 2 ? sign : 0;
    *step = di + dj * g->row + dk * g->plane;
    return k + dk < g->n3 && k + dk >= lowest(s, i + di, j + dj);
}

/* Inflow through a side. */
static double inflow(const Sea *s, ptrdiff_t m, int side) {
    const ptrdiff_t step[] = {1, s->grid->row, s->grid->plane};
    const double *flux = s->flux[side / 2];
    return side % 2 ? -flux[m + step[side / 2]] : flux[m];
}

/* Any flow along the layers, `scale` times; through lower faces what continuity makes of it, from the bed up. Returns
 * how much of a cell's water moves at most. */
static double set_flow(Sea *s, double scale) {
    const Grid *g = s->grid;
    double most = 0;
    FOR_WATER(s, i, j, k)
    for (int d = 0; d < 2; d++) {
        ptrdiff_t step;
        const double any = test_number(100 + 2 * (uint64_t)s->step + (uint64_t)d, i, j, k) - 0.5;
        s->flux[d][AT(*g, i, j, k)] = neighbour(s, i, j, k, 2 * d, &step) ? scale * any : 0;
    }
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t column = AT2(*g, i, j);
            double gain = 0, flux = 0;
            for (int k = lowest(s, i, j); k < g->n3; k++)
                for (int side = 0; side < 4; side++) gain += inflow(s, AT(*g, i, j, k), side);
            s->depth_new[column] = s->depth[column] + DT * gain / g->area[column];
            for (int k = lowest(s, i, j); k < g->n3; k++) {
                const ptrdiff_t m = AT(*g, i, j, k);
                s->flux[2][m] = flux;
                for (int side = 0; side < 4; side++) flux += inflow(s, m, side);
                flux -= g->phi_c[m] * gain;
            }
        }
    FOR_WATER(s, i, j, k) {
        double out = 0;
        for (int side = 0; side < SIDES; side++) out += fmax(0, -inflow(s, AT(*g, i, j, k), side));
        most = fmax(most, DT * out / volume(s, s->depth, i, j, k));
        most = fmax(most, 1 - volume(s, s->depth_new, i, j, k) / volume(s, s->depth, i, j, k));
    }
    return most;
}

static void find_low(Sea *s) {
    FOR_WATER(s, i, j, k) {
        const ptrdiff_t m = AT(*s->grid, i, j, k);
        double sum = 0, in = 0, out = 0;
        for (int side = 0; side < SIDES; side++) {
            ptrdiff_t step;
            const double f = inflow(s, m, side);
            if (neighbour(s, i, j, k, side, &step) && f > 0)
                sum += f * (s->before[m + step] - s->before[m]), in += f;
            out += fmax(0, -f);
        }
        s->low[m] = s->before[m] + DT * sum / (volume(s, s->depth, i, j, k) - DT * out + DT * in);
    }
}

typedef struct Bounds {
    double least, most;
} Bounds;

static void take(Bounds *b, double value) {
    b->least = fmin(b->least, value);
    b->most = fmax(b->most, value);
}

/* As transport.h says. */
static Bounds promised(const Sea *s, int i, int j, int k, TransportScheme scheme) {
    const Grid *g = s->grid;
    const ptrdiff_t m = AT(*g, i, j, k);
    const double *c = s->before + m;
    const int top = g->n3 - 1, bed = lowest(s, i, j);
    Bounds b = {*c, *c};
    for (int side = 0; side < SIDES; side++) {
        ptrdiff_t step;
        if (!neighbour(s, i, j, k, side, &step)) continue;
        take(&b, c[step]);
        if (scheme == TRANSPORT_FCT) take(&b, s->low[m]), take(&b, s->low[m + step]);
        if (scheme != TRANSPORT_LOW && k == bed && side < 4 && k > 0 &&
            neighbour(s, i, j, k - 1, side, &step))
            take(&b, 0.5 * (c[step] + c[step - g->plane]));
    }
    const bool line = k == top ? bed <= top - 3 : k == bed && k <= top - 2;
    if (scheme != TRANSPORT_LOW && line) {
        const ptrdiff_t in = k == top ? -g->plane : g->plane;
        const double gap = c[in] - c[2 * in], last = c[0] - c[in];
        if (gap * last > 0) take(&b, c[in] + 1.5 * copysign(fmin(fabs(gap), fabs(last)), last));
    }
    return b;
}

static void do_step(Sea *s, bool mixes) {
    const Grid *g = s->grid;
    const double most = set_flow(s, 1);
    (void)set_flow(s, MOST_MOVED / most);
    FOR_WATER(s, i, j, k) s->before[AT(*g, i, j, k)] = s->c[AT(*g, i, j, k)];
    Transport a = {.g = grid_view(g),
                   .dt = DT,
                   .depth = s->depth,
                   .depth_new = s->depth_new,
                   .flux_u = s->flux[0],
                   .flux_v = s->flux[1],
                   .flux_w = s->flux[2],
                   .source = s->none,
                   .source_in = s->none,
                   .hot = s->hot,
                   .count = 1};
    a.tracer[0] = (Carried){
        .c = s->c, .load = s->none, .carried = s->none, .least_ever = s->least_ever, .most_ever = FAR};
    passes_lend(s->passes, &a);
    const Mixing mixing = {.g = a.g,
                           .dt = DT,
                           .depth = s->depth_new,
                           .same_diffusivity = 1e-3,
                           .count = 1,
                           .c = {s->c},
                           .contents = {{s->plane[0], s->plane[1], s->plane[2]}}};
    passes_do(s->passes, exec, &a, &(Substeps){.parts = 0}, mixes ? &mixing : NULL);
    find_low(s);
    double *kept = s->depth;
    s->depth = s->depth_new;
    s->depth_new = kept;
    s->step++;
}

/* Half of the water holds `low` to the last bit. */
static void begin(Sea *s, double low, double high, double least_ever) {
    s->least_ever = least_ever;
    FOR_WATER(s, i, j, k) {
        const double any = test_number(7, i, j, k);
        s->c[AT(*s->grid, i, j, k)] = any < 0.5 ? low : low + (high - low) * any;
    }
}

static void keeps_its_bounds(int n3, TransportScheme scheme) {
    Sea s = sea_create(n3, scheme);
    double worst = 0;
    int at_end = 0;
    begin(&s, -1, 17, -FAR);
    for (int step = 0; step < STEPS; step++) {
        do_step(&s, false);
        FOR_WATER(&s, i, j, k) {
            const Bounds b = promised(&s, i, j, k, scheme);
            const double c = s.c[AT(*s.grid, i, j, k)];
            worst = fmax(worst, fmax(b.least - c, c - b.most));
            at_end += !(b.least < c && c < b.most);
        }
    }
    print_message("%d layers, scheme %d: %.1e beyond, %d at their bounds\n", n3, (int)scheme, worst, at_end);
    assert_true(worst < ROUND_OFF * 17);
    assert_true(at_end > 0 || scheme != TRANSPORT_FCT);
    sea_destroy(&s);
}

static const TransportScheme schemes[] = {TRANSPORT_LOW, TRANSPORT_VAN_LEER, TRANSPORT_FCT};

static void bounds_hold(void **state) {
    (void)state;
    for (int n3 = 1; n3 <= 6; n3++)
        for (int n = 0; n < 3; n++) keeps_its_bounds(n3, schemes[n]);
}

/* In columns of one and two layers all bounds are values that are there: the sea's range never grows. */
static void the_range_of_few_layers_never_grows(void **state) {
    (void)state;
    for (int n3 = 1; n3 <= 2; n3++)
        for (int n = 0; n < 3; n++) {
            Sea s = sea_create(n3, schemes[n]);
            begin(&s, -1, 17, -FAR);
            for (int step = 0; step < STEPS; step++) do_step(&s, step % 2);
            FOR_WATER(&s, i, j, k) {
                const double c = s.c[AT(*s.grid, i, j, k)];
                assert_true(c > -1 - STEPS * ROUND_OFF && c < 17 + STEPS * ROUND_OFF * 17);
            }
            sea_destroy(&s);
        }
}

static void not_negative_to_the_last_bit(void **state) {
    (void)state;
    for (int n3 = 1; n3 <= 6; n3++)
        for (int n = 0; n < 3; n++)
            for (int mixes = 0; mixes < 2; mixes++) {
                Sea s = sea_create(n3, schemes[n]);
                begin(&s, 0, 17, 0);
                for (int step = 0; step < STEPS; step++) {
                    do_step(&s, mixes);
                    FOR_WATER(&s, i, j, k) assert_true(s.c[AT(*s.grid, i, j, k)] >= 0);
                }
                sea_destroy(&s);
            }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(the_range_of_few_layers_never_grows),
        cmocka_unit_test(not_negative_to_the_last_bit),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
