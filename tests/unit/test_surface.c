/* SPDX-License-Identifier: Apache-2.0
 *
 * The free surface on a sea of a few columns: volume, positivity, still water, the balance of two columns by
 * hand, depths of faces, and continuity in the vertical.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "model/surface/surface.h"
#include "tests/support/bed_grid.h"
#include "tests/support/near.h"
#include "tests/support/ranks.h"
#include <math.h>

enum { NX = 12, NY = 3, DX = 100, DY = 50, AREA = DX * DY };

static const double DT = 10;
static double levels[] = {-10, -5, 0};

static double flat(int i, int j) {
    (void)i, (void)j;
    return -10;
}

static double rugged(int i, int j) {
    return -4 + 3 * sin(2.1 * i + 1.7 * j);
}

/* ---- a sea: the fields that the surface reads and writes ---- */

typedef struct Sea {
    Grid *g;
    Faces u, v;
    Surface *surface;
    double *depth, *source, *increment, *depth_new, *eta_new;
} Sea;

static Faces make_faces(const Grid *g, ptrdiff_t along) {
    Faces f = {.along = along, .cross = along == 1 ? g->row : 1};
    f.flux_predicted = field2_create(g);
    f.conductance = field2_create(g);
    f.flux_total = field2_create(g);
    f.limit = field2_create(g);
    return f;
}

static void free_faces(const Grid *g, Faces *f) {
    field2_destroy(g, &f->flux_predicted);
    field2_destroy(g, &f->conductance);
    field2_destroy(g, &f->flux_total);
    field2_destroy(g, &f->limit);
}

static Sea sea_of(int nx, BedAt *bed, bool matm) {
    const Axes axes = {.nx = nx, .ny = NY, .nz = 2, .step_x = DX, .step_y = DY, .interfaces = levels};
    Grid *g = bed_grid(MPI_COMM_SELF, &axes, bed, 0);
    Sea s = {.g = g,
             .u = make_faces(g, 1),
             .v = make_faces(g, g->row),
             .depth = field2_create(g),
             .source = field2_create(g),
             .increment = field2_create(g),
             .depth_new = field2_create(g),
             .eta_new = field2_create(g)};
    const SurfaceOptions options = {
        .matm = matm, .precision = MATM_PRECISION_DOUBLE, .tolerance = 1e-13, .max_iterations = 500};
    assert_int_equal(surface_create(g, g->exec, options, &s.surface), STATUS_OK);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < nx; i++) {
            s.depth[AT2(*g, i, j)] = fmax(0, -bed(i, j));
            s.u.limit[AT2(*g, i, j)] = s.v.limit[AT2(*g, i, j)] = 1;
        }
    return s;
}

static Sea sea_create(BedAt *bed, bool matm) {
    return sea_of(NX, bed, matm);
}

static void sea_destroy(Sea *s) {
    surface_destroy(&s->surface);
    free_faces(s->g, &s->u);
    free_faces(s->g, &s->v);
    double **fields[] = {&s->depth, &s->source, &s->increment, &s->depth_new, &s->eta_new};
    for (int n = 0; n < 5; n++) field2_destroy(s->g, fields[n]);
    grid_destroy(&s->g);
}

static int settle(Sea *s) {
    return surface_settle(s->surface, s->g->exec, DT, s->depth, &s->u, &s->v, s->source, s->depth_new,
                          s->eta_new);
}

static SurfaceReport solve(Sea *s) {
    SurfaceReport report = {0};
    assert_int_equal(surface_solve(s->surface, s->g->exec, DT, s->depth, &s->u, &s->v, s->source,
                                   s->increment, s->depth_new, s->eta_new, &report),
                     STATUS_OK);
    return report;
}

static double volume(const Sea *s, const double *depth) {
    double sum = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < s->g->nx; i++) sum += AREA * depth[AT2(*s->g, i, j)];
    return sum;
}

/* Conductance of all open faces [m2 s-1]. */
static void conduct(Sea *s, double conductance) {
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const ptrdiff_t m = AT2(*s->g, i, j);
            s->u.conductance[m] = s->g->width_u[m] > 0 ? conductance : 0;
            s->v.conductance[m] = s->g->width_v[m] > 0 ? conductance : 0;
        }
}

/* The increment of other fluxes, with what was known of the matrix and anew. */
static void a_second_solve_keeps_the_matrix_and_the_bits(void **state) {
    (void)state;
    static double found[2][NY][NX];
    for (int again = 0; again < 2; again++) {
        Sea s = sea_create(flat, true);
        conduct(&s, 40);
        if (again) {
            s.source[AT2(*s.g, 3, 1)] = 5;
            assert_int_equal(solve(&s).newton, 1);
            field2_fill(s.g, s.increment, 0);
            surface_solve_again(s.surface);
        }
        s.source[AT2(*s.g, 3, 1)] = 2;
        s.source[AT2(*s.g, 6, 2)] = -3;
        assert_true(solve(&s).iterations > 1);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) found[again][j][i] = s.increment[AT2(*s.g, i, j)];
        sea_destroy(&s);
    }
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) assert_true(found[0][j][i] == found[1][j][i]);
    assert_true(found[0][1][3] > 0);
}

/* ---- new depths from given fluxes ---- */

static void depth_changes_by_source_less_outflow(void **state) {
    (void)state;
    Sea s = sea_create(flat, false);
    const ptrdiff_t m = AT2(*s.g, 5, 1);
    s.u.flux_total[m] = 7, s.u.flux_total[m + 1] = 20;         /* 7 in from the west, 20 out to the east */
    s.v.flux_total[m] = -4, s.v.flux_total[m + s.g->row] = -9; /* 4 out to the south, 9 in from the north */
    s.source[m] = 3;
    assert_int_equal(settle(&s), 0); /* nothing had to be limited */
    assert_near(s.depth_new[m], 10 + DT / AREA * (3 + 7 - 20 - 4 + 9), 1e-14);
    assert_near(s.eta_new[m], s.depth_new[m] - 10, 1e-14);
    assert_near(s.depth_new[m + 1], 10 + DT / AREA * 20, 1e-14);
    sea_destroy(&s);
}

/* A column of 0.1 m holds 500 m3: of 40 + 20 m3/s out for 10 s all faces keep 5/6. */
static void a_column_gives_no_more_than_it_has(void **state) {
    (void)state;
    Sea s = sea_create(flat, false);
    const ptrdiff_t m = AT2(*s.g, 5, 1);
    s.depth[m] = 0.1;
    s.u.flux_total[m + 1] = 40, s.v.flux_total[m] = -20;
    const double before = volume(&s, s.depth);
    assert_int_equal(settle(&s), 1); /* limited once */
    assert_true(s.depth_new[m] >= 0 && s.depth_new[m] < 1e-14);
    assert_near(s.u.limit[m + 1], 5. / 6, 1e-14);
    assert_near(s.v.limit[m], 5. / 6, 1e-14);
    assert_near(s.u.flux_total[m + 1], 40 * 5. / 6, 1e-13);
    assert_true(s.u.limit[m + 2] == 1);
    assert_near(volume(&s, s.depth_new) / before, 1, 1e-15);
    sea_destroy(&s);
}

/* Each column passes on what it gets from the one before: where the first gives less, all do. */
static void what_does_not_arrive_is_not_passed_on(void **state) {
    (void)state;
    Sea s = sea_create(flat, false);
    for (int i = 0; i < NX; i++) s.depth[AT2(*s.g, i, 1)] = i == 0 ? 0.1 : 0;
    for (int i = 1; i < NX; i++) s.u.flux_total[AT2(*s.g, i, 1)] = 80;
    settle(&s);
    for (int i = 0; i < NX - 1; i++) assert_near(s.depth_new[AT2(*s.g, i, 1)], 0, 1e-13);
    assert_near(s.depth_new[AT2(*s.g, NX - 1, 1)], 0.1, 1e-13);
    for (int i = 1; i < NX; i++) assert_near(s.u.flux_total[AT2(*s.g, i, 1)], 50, 1e-11);
    sea_destroy(&s);
}

/* ---- the implicit surface ---- */

static void still_water_stays_still(void **state) {
    (void)state;
    for (int matm = 0; matm < 2; matm++) {
        Sea s = sea_create(rugged, matm);
        conduct(&s, 300);
        assert_true(solve(&s).converged);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const ptrdiff_t m = AT2(*s.g, i, j);
                assert_true(s.increment[m] == 0 && s.depth_new[m] == s.depth[m]);
                assert_true(s.u.flux_total[m] == 0 && s.v.flux_total[m] == 0);
            }
        sea_destroy(&s);
    }
}

static double two_columns(int i, int j) {
    return j == 1 && (i == 4 || i == 5) ? -10 : 1000;
}

/* A d/dt + kappa (d - d') = -F and A d'/dt + kappa (d' - d) = F give d = -d' = -F / (A/dt + 2 kappa). */
static void two_columns_share_a_flux_against_the_slope_it_makes(void **state) {
    (void)state;
    for (int matm = 0; matm < 2; matm++) {
        Sea s = sea_create(two_columns, matm);
        const ptrdiff_t m = AT2(*s.g, 5, 1);
        const double kappa = 300, flux = 40, rise = flux / (AREA / DT + 2 * kappa);
        conduct(&s, kappa);
        s.u.flux_predicted[m] = flux;
        assert_true(solve(&s).converged);
        assert_near(s.increment[m], rise, 1e-13);
        assert_near(s.depth_new[m], 10 + rise, 1e-13);
        assert_near(s.depth_new[m - 1], 10 - rise, 1e-13);
        assert_near(s.u.flux_total[m], flux - kappa * 2 * rise, 1e-10);
        sea_destroy(&s);
    }
}

/* Whatever flows: no negative depth, and water only from the source. */
static void volume_is_kept_and_depths_stay_positive(void **state) {
    (void)state;
    for (int matm = 0; matm < 2; matm++) {
        Sea s = sea_create(rugged, matm);
        conduct(&s, 2000);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const ptrdiff_t m = AT2(*s.g, i, j);
                s.depth[m] = fmax(0, 0.4 * sin(1.3 * i + 2.9 * j));
                s.u.flux_predicted[m] = s.g->width_u[m] > 0 ? 300 * sin(0.7 * i * j + 1) : 0;
                s.v.flux_predicted[m] = s.g->width_v[m] > 0 ? 300 * cos(1.9 * i + j) : 0;
            }
        s.source[AT2(*s.g, 3, 1)] = 60;
        const double before = volume(&s, s.depth);
        const SurfaceReport report = solve(&s);
        assert_true(report.converged);
        assert_near(volume(&s, s.depth_new) / (before + DT * 60), 1, 1e-14);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) assert_true(s.depth_new[AT2(*s.g, i, j)] >= 0);
        sea_destroy(&s);
    }
}

/* ---- depth of faces ---- */

static double steps_and_slopes(int i, int j) {
    (void)j;
    static const double bed_x[NX] = {-10, -10, -8, -8, 1, 1, -6, -5.9, -5.8, -5.7, -5.6, -5.5};
    return bed_x[i];
}

/* Depth of the face between i - 1 and i, with these levels on both sides of every face and this flux. */
static double depth_of_face(int i, double behind, double ahead, double flux) {
    Sea s = sea_create(steps_and_slopes, false);
    double *eta = field2_create(s.g), *face = field2_create(s.g);
    for (int c = 0; c < NX; c++) {
        const ptrdiff_t m = AT2(*s.g, c, 1);
        eta[m] = fmax(c < i ? behind : ahead, s.g->bed[m]);
        s.depth[m] = eta[m] - s.g->bed[m];
    }
    s.u.flux_total[AT2(*s.g, i, 1)] = flux;
    face_depth(s.g->exec, s.g->faces_u,
               (FaceDepth){grid_view(s.g), 1, DT, 9.81, s.depth, eta, s.g->bed, s.g->bed_u, s.u.flux_total,
                           face, NULL, NULL, face});
    const double depth = face[AT2(*s.g, i, 1)];
    field2_destroy(s.g, &eta);
    field2_destroy(s.g, &face);
    sea_destroy(&s);
    return depth;
}

static void faces_are_as_deep_as_the_water_between_their_columns(void **state) {
    (void)state;
    assert_near(depth_of_face(1, 0, 0, 0), 10, 1e-14);     /* level bed */
    assert_near(depth_of_face(2, 0, 0, 0), 9, 1e-14);      /* a step of 2 m under 8 m: the mean bed */
    assert_near(depth_of_face(8, 0, 0, 0), 5.85, 1e-14);   /* slope: the mean bed */
    assert_near(depth_of_face(1, 0.2, 0, 0), 10.1, 1e-14); /* at rest: the mean level */
    assert_near(depth_of_face(1, 0.2, 0, 5), 10.2, 1e-14); /* flow from the west: its level */
    assert_near(depth_of_face(1, 0.2, 0, -5), 10, 1e-14);  /* from the east: that one's */
}

/* On a slope of 0.1 m from cell to cell the level half-way to the next one, less what passes in half a step. */
static void water_flows_with_the_level_between_two_columns(void **state) {
    (void)state;
    Sea s = sea_create(flat, false);
    double *eta = field2_create(s.g), *face = field2_create(s.g);
    for (int i = 0; i < NX; i++) {
        const ptrdiff_t m = AT2(*s.g, i, 1);
        eta[m] = 0.1 * i;
        s.depth[m] = 10 + eta[m];
        s.u.flux_total[m] = i < 6 ? 100 : -100;
    }
    face_depth(s.g->exec, s.g->faces_u,
               (FaceDepth){grid_view(s.g), 1, DT, 9.81, s.depth, eta, s.g->bed, s.g->bed_u, s.u.flux_total,
                           face, NULL, NULL, face});
    const double from_west = DT * 100 / (AREA * 10.3), from_east = DT * 100 / (AREA * 10.8);
    assert_near(face[AT2(*s.g, 4, 1)], 10.3 + 0.05 * (1 - from_west), 1e-13);
    assert_near(face[AT2(*s.g, 8, 1)], 10.8 - 0.05 * (1 - from_east), 1e-13);
    field2_destroy(s.g, &eta);
    field2_destroy(s.g, &face);
    sea_destroy(&s);
}

static double gentle_slope(int i, int j) {
    (void)j;
    return -10 + 0.02 * i;
}

/* Of a supercritical flow of 5 m/s onto dry ground: depth of the face between columns of 1 m and 0.5 m. */
static double depth_of_tip(BedAt *bed, double depth_before) {
    Sea s = sea_create(bed, false);
    double *eta = field2_create(s.g), *face = field2_create(s.g), *before = field2_create(s.g);
    const double depth[NX] = {2, 1.5, 1, 0.5, 0.1};
    for (int i = 0; i < NX; i++) {
        const ptrdiff_t m = AT2(*s.g, i, 1);
        s.depth[m] = depth[i];
        eta[m] = s.g->bed[m] + depth[i];
        s.u.flux_total[m] = 5 * DY;
        before[m] = depth_before;
    }
    face_depth(s.g->exec, s.g->faces_u,
               (FaceDepth){grid_view(s.g), 1, DT, 9.81, s.depth, eta, s.g->bed, s.g->bed_u, s.u.flux_total,
                           before, NULL, NULL, face});
    const double found = face[AT2(*s.g, 3, 1)];
    field2_destroy(s.g, &eta);
    field2_destroy(s.g, &face);
    field2_destroy(s.g, &before);
    sea_destroy(&s);
    return found;
}

/* Half of the difference to the next column, less by the part of a cell that passes: half of it where the face was
 * 1 m deep. Over level ground only what exceeds a quarter counts. */
static void faces_of_tips_are_less_deep_by_what_passes(void **state) {
    (void)state;
    assert_near(depth_of_tip(gentle_slope, 1), 1 - 0.5 * 0.5 * 0.5, 1e-13);
    assert_near(depth_of_tip(flat, 1), 1 - 0.5 * 0.75 * 0.5, 1e-13);
    assert_near(depth_of_tip(flat, 2), 1 - 0.5 * 0.5, 1e-13); /* c = 1/4: the mean of both */
    assert_near(depth_of_tip(flat, 0.25), 1 - 0.5 * 0.25 * 0.5, 1e-13);
}

static void faces_of_banks_hold_water_above_the_higher_bed(void **state) {
    (void)state;
    assert_true(depth_of_face(4, 0.5, 0, 0) == 0);        /* bank of 1 m: dry */
    assert_near(depth_of_face(4, 1.5, 0, 0), 0.5, 1e-14); /* the higher level, above the higher bed */
    assert_near(depth_of_face(4, 1.5, 0, 3), 0.5, 1e-14);
    assert_true(depth_of_face(4, 1.5, 0, -3) == 0); /* from the dry side comes nothing */
    assert_true(depth_of_face(6, 0, 0.5, 0) == 0);  /* and the same with the bank in the west */
    assert_near(depth_of_face(6, 0, 1.5, 0), 0.5, 1e-14);
    assert_near(depth_of_face(6, 0, 1.5, -3), 0.5, 1e-14);
    assert_true(depth_of_face(6, 0, 1.5, 3) == 0);
}

/* The same flow through all faces of a row, in a step that takes it past `passed` columns: the first ones have no more than
 * their own water to hand on, one more column after the other. */
static void rows_that_run_dry_keep_no_depth_below_zero(void **state) {
    (void)state;
    for (int passed = 300; passed <= 1500; passed += 1200) {
        enum { LONG = 1600 };
        Sea s = sea_of(LONG, flat, false);
        for (int i = 1; i < LONG; i++) s.u.flux_total[AT2(*s.g, i, 1)] = passed * (AREA * 10 / DT);
        const double before = volume(&s, s.depth);
        assert_true(settle(&s) >= passed - 1);
        for (int i = 0; i < LONG; i++) assert_true(s.depth_new[AT2(*s.g, i, 1)] >= 0);
        assert_near(volume(&s, s.depth_new) / before, 1, 1e-13);
        /* those that were settled in time have handed on what they had */
        assert_near(s.u.flux_total[AT2(*s.g, 250, 1)], 250 * (AREA * 10 / DT), 1e-6 * AREA / DT);
        sea_destroy(&s);
    }
}

/* ---- wet and dry while the increment is not yet exact ---- */

/* A residual of 50 m3/s leaves the depths open by 50 DT / AREA = 0.1 m. */
static void columns_keep_their_mark_within_the_error(void **state) {
    (void)state;
    static const double depths[] = {0.11, 0.09, -0.09, -0.11}, exact[] = {1, 1, 0, 0};
    Sea s = sea_create(flat, true);
    double *wet = field2_create(s.g);
    SurfaceColumns columns = {
        .g = grid_view(s.g), .dt = DT, .depth = s.depth, .increment = s.increment, .wet = wet};
    for (int before = 0; before < 2; before++)
        for (int n = 0; n < 4; n++) {
            const ptrdiff_t m = AT2(*s.g, 5, 1);
            s.increment[m] = depths[n] - s.depth[m];
            wet[m] = before;
            columns.residual = 50;
            surface_mark_wet(s.g->exec, s.g->columns, columns);
            assert_near(wet[m], n == 0 || (n < 3 && before), 1e-6);
            columns.residual = 0;
            surface_mark_wet(s.g->exec, s.g->columns, columns);
            assert_near(wet[m], exact[n], 1e-6);
        }
    field2_destroy(s.g, &wet);
    sea_destroy(&s);
}

/* The marks are those of the increment, or a step is solved again. */
static void columns_between_wet_and_dry_are_counted(void **state) {
    (void)state;
    Sea s = sea_create(flat, true);
    double *wet = field2_create(s.g);
    const SurfaceCrossings crossings = {s.g->row, s.depth, s.increment, wet};
    const ptrdiff_t emptied = AT2(*s.g, 5, 1), filled = AT2(*s.g, 7, 2);
    uint64_t found[3] = {0};
    surface_mark_filled(s.g->exec, s.g->columns,
                        (SurfaceColumns){.g = grid_view(s.g), .depth = s.depth, .wet = wet});
    surface_crossings_ask(s.g->exec, s.g->columns, crossings, &found[0]);
    s.increment[emptied] = -s.depth[emptied] - 0.01;
    surface_crossings_ask(s.g->exec, s.g->columns, crossings, &found[1]);
    wet[filled] = wet[emptied] = 1e-9;
    surface_crossings_ask(s.g->exec, s.g->columns, crossings, &found[2]);
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], 1);
    assert_int_equal(found[2], 1); /* now the one that has water and is marked dry */
    field2_destroy(s.g, &wet);
    sea_destroy(&s);
}

/* ---- continuity in the vertical ---- */

/* Layers of half the depth: what converges in the lower one rises into the upper one, less its own growth. */
static void water_rises_where_the_lower_layer_converges(void **state) {
    (void)state;
    Sea s = sea_create(flat, false);
    double *u = field3_create(s.g), *v = field3_create(s.g), *w = field3_create(s.g);
    const ptrdiff_t m = AT2(*s.g, 5, 1);
    u[m] = 30, u[m + 1] = 10, v[m] = 5, v[m + s.g->row] = 1; /* 24 m3/s converge below */
    u[m + s.g->plane] = -2;                                  /* 2 m3/s leave above */
    for (int n = 0; n < 2; n++) {
        s.depth_new[m] = s.depth[m] + DT / AREA * (24 - 2 + (n ? 8 : 0));
        s.source[m] = n ? 8 : 0; /* rain grows the uppermost layer alone, whose share is half */
        vertical_flux(s.g->exec, s.g->blocks_c,
                      (VerticalFlux){grid_view(s.g), DT, u, v, s.depth, s.depth_new, s.source, w});
        assert_near(w[m + s.g->plane], 24 - 0.5 * 22, 1e-10);
        assert_true(w[m] == 0);
    }
    field3_destroy(s.g, &u);
    field3_destroy(s.g, &v);
    field3_destroy(s.g, &w);
    sea_destroy(&s);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_changes_by_source_less_outflow),
        cmocka_unit_test(a_column_gives_no_more_than_it_has),
        cmocka_unit_test(what_does_not_arrive_is_not_passed_on),
        cmocka_unit_test(rows_that_run_dry_keep_no_depth_below_zero),
        cmocka_unit_test(still_water_stays_still),
        cmocka_unit_test(two_columns_share_a_flux_against_the_slope_it_makes),
        cmocka_unit_test(volume_is_kept_and_depths_stay_positive),
        cmocka_unit_test(faces_are_as_deep_as_the_water_between_their_columns),
        cmocka_unit_test(water_flows_with_the_level_between_two_columns),
        cmocka_unit_test(faces_of_tips_are_less_deep_by_what_passes),
        cmocka_unit_test(faces_of_banks_hold_water_above_the_higher_bed),
        cmocka_unit_test(a_second_solve_keeps_the_matrix_and_the_bits),
        cmocka_unit_test(columns_keep_their_mark_within_the_error),
        cmocka_unit_test(columns_between_wet_and_dry_are_counted),
        cmocka_unit_test(water_rises_where_the_lower_layer_converges),
    };
    MPI_Init(&argc, &argv);
    log_start(0);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
