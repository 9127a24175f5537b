/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of compact schemes: which polynomials each leaves exact (and which not), orders of the operators on
 * grids made finer, at coasts and mirrors and around; lines broken by land.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/dense.h"
#include "tests/support/near.h"
#include <math.h>
#include <string.h>

#define PI     3.14159265358979323846
#define MOST   161
#define FILTER 0.4

static double matrix[MOST * MOST];

/* ---- polynomials ---- */

/* x^p or what the operator makes of it. */
static double made_of(CompactOperator kind, int p, double x) {
    if (kind == COMPACT_FIRST) return p < 1 ? 0 : p * pow(x, p - 1);
    if (kind == COMPACT_SECOND || kind == COMPACT_SECOND_FOURTH_ORDER)
        return p < 2 ? 0 : p * (p - 1) * pow(x, p - 2);
    return pow(x, p);
}

/* Both sides of row i for x^p, x counted from the row so that powers stay small. */
static double residual(const CompactScheme *s, const CompactRow *row, int p) {
    const double h = s->spacing, shift = s->kind == COMPACT_MIDPOINT ? 0.5 * h : 0;
    double difference = row->lower * made_of(s->kind, p, shift - h) +
                        row->centre * made_of(s->kind, p, shift) +
                        row->upper * made_of(s->kind, p, shift + h);
    for (int m = -COMPACT_REACH; m <= COMPACT_REACH; m++)
        difference -= row->weight[COMPACT_REACH + m] * pow(m * h, p);
    return difference / pow(h, p - 1);
}

/* The highest degree that the row is exact for. */
static int exact_degree(const CompactScheme *s, const CompactRow *row) {
    int p = 0;
    while (p < 12 && fabs(residual(s, row, p)) < 1e-11) p++;
    return p - 1;
}

static void rows_are_exact_up_to_their_degree(void **state) {
    (void)state;
    const struct {
        CompactOperator kind;
        int last, degree[4]; /* of the rows from the end inwards */
    } expected[] = {{COMPACT_FIRST, 29, {3, 4, 6, 6}},
                    {COMPACT_SECOND, 29, {4, 5, 7, 7}},
                    {COMPACT_SECOND_FOURTH_ORDER, 29, {4, 5, 5, 5}},
                    {COMPACT_MIDPOINT, 28, {3, 5, 5, 5}},
                    {COMPACT_FILTER, 29, {2, 2, 2, 5}}};
    for (size_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
        const CompactScheme s = {expected[n].kind, END_COAST, 0.7, FILTER};
        CompactRow rows[30];
        compact_rows(&s, 30, NULL, false, rows);
        for (int i = 0; i <= expected[n].last; i++) {
            const int from_end = i < expected[n].last - i ? i : expected[n].last - i;
            assert_int_equal(exact_degree(&s, &rows[i]), expected[n].degree[from_end < 3 ? from_end : 3]);
        }
        const CompactRow inner = compact_inner_row(&s);
        for (int m = 0; m <= 2 * COMPACT_REACH; m++) assert_near(rows[15].weight[m], inner.weight[m], 1e-15);
        assert_true(rows[15].lower == inner.lower && rows[15].upper == inner.upper && inner.centre == 1);
    }
}

static void short_segments_are_exact_for_polynomials_through_their_points(void **state) {
    (void)state;
    for (int points = 1; points <= 4; points++)
        for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_MIDPOINT; kind++) {
            const CompactScheme s = {kind, END_COAST, 0.7, 0};
            CompactRow rows[4];
            compact_rows(&s, points, NULL, false, rows);
            const int count = kind == COMPACT_MIDPOINT ? points - 1 : points;
            for (int i = 0; i < count; i++) {
                assert_true(rows[i].lower == 0 && rows[i].upper == 0);
                for (int p = 0; p < points; p++) assert_near(residual(&s, &rows[i], p), 0, 1e-13);
            }
        }
    const CompactScheme filter = {COMPACT_FILTER, END_COAST, 1, FILTER};
    for (int points = 1; points <= 3; points++) {
        dense_compact(&filter, points, false, matrix);
        for (int i = 0; i < points * points; i++) assert_true(matrix[i] == (i % (points + 1) == 0));
    }
}

static void coefficients_are_the_published_ones(void **state) {
    (void)state;
    const CompactScheme first = {COMPACT_FIRST, END_COAST, 1, 0}, second = {COMPACT_SECOND, END_COAST, 1, 0};
    const double end[5] = {35.0 / 12, -26.0 / 3, 19.0 / 2, -14.0 / 3, 11.0 / 12};
    CompactRow rows[9];
    compact_rows(&first, 9, NULL, false, rows);
    assert_true(rows[0].upper == 2 && rows[0].weight[4] == -2.5 && rows[0].weight[6] == 0.5);
    assert_true(rows[8].lower == 2 && rows[8].weight[4] == 2.5 && rows[8].weight[2] == -0.5);
    compact_rows(&second, 9, NULL, false, rows);
    for (int m = 0; m < 5; m++) {
        assert_near(rows[0].weight[4 + m], end[m], 1e-14);
        assert_near(rows[8].weight[4 - m], end[m], 1e-14);
    }
}

/* ---- orders ---- */

typedef struct Function {
    double (*value)(double), (*first)(double), (*second)(double);
    double length; /* of the line */
    double inset;  /* of the first point, in spacings */
} Function;

static double smooth(double x) {
    return exp(sin(2 * x + 0.3));
}
static double smooth_first(double x) {
    return 2 * cos(2 * x + 0.3) * smooth(x);
}
static double smooth_second(double x) {
    const double c = cos(2 * x + 0.3);
    return 4 * (c * c - sin(2 * x + 0.3)) * smooth(x);
}
/* even about 0 and pi */
static double even(double x) {
    return exp(cos(x));
}
static double even_first(double x) {
    return -sin(x) * even(x);
}
static double even_second(double x) {
    return (sin(x) * sin(x) - cos(x)) * even(x);
}
/* odd about 0 and pi */
static double odd(double x) {
    return sin(x) * even(x);
}
static double odd_first(double x) {
    return (cos(x) - sin(x) * sin(x)) * even(x);
}
static double odd_second(double x) {
    return (-sin(x) - 3 * sin(x) * cos(x) + sin(x) * sin(x) * sin(x)) * even(x);
}

/* Largest errors among the three rows next to ends, and of the others, with `n` spacings on the line. */
static void errors(CompactScheme s, const Function *f, int n, bool periodic, double *at_ends,
                   double *inside) {
    double values[MOST], result[MOST];
    const int points = periodic || f->inset > 0 ? n : n + 1;
    const int count = s.kind == COMPACT_MIDPOINT && !periodic ? points - 1 : points;
    s.spacing = f->length / n;
    for (int i = 0; i < points; i++) values[i] = f->value((i + f->inset) * s.spacing);
    dense_compact(&s, points, periodic, matrix);
    dense_apply(points, matrix, values, result);
    *at_ends = *inside = 0;
    for (int i = 0; i < count; i++) {
        const double x = (i + f->inset + (s.kind == COMPACT_MIDPOINT ? 0.5 : 0)) * s.spacing;
        const double exact = s.kind == COMPACT_FIRST                                  ? f->first(x)
                             : s.kind == COMPACT_FILTER || s.kind == COMPACT_MIDPOINT ? f->value(x)
                                                                                      : f->second(x);
        /* far enough that the coupling has forgotten the end */
        double *most = i < n / 4 || i >= count - n / 4 ? at_ends : inside;
        *most = fmax(*most, fabs(result[i] - exact));
    }
}

static void assert_orders(CompactOperator kind, CompactEnd end, Function f, bool periodic, double ends,
                          double inside) {
    double e[2][2];
    const CompactScheme s = {kind, end, 1, FILTER};
    /* fine enough for the orders to show, coarse enough for h^-2 times the rounding not to */
    const int coarse = kind == COMPACT_SECOND ? 40 : 80;
    for (int fine = 0; fine < 2; fine++) errors(s, &f, coarse << fine, periodic, &e[fine][0], &e[fine][1]);
    const double order_at_ends = log2(e[0][0] / e[1][0]), order_inside = log2(e[0][1] / e[1][1]);
    print_message("operator %d, end %d: order %.2f near ends, %.2f inside\n", (int)kind, (int)end,
                  order_at_ends, order_inside);
    assert_near(order_at_ends, ends, 0.25);
    assert_near(order_inside, inside, 0.25);
}

static void orders_at_coasts(void **state) {
    (void)state;
    const Function f = {smooth, smooth_first, smooth_second, 1.5, 0};
    assert_orders(COMPACT_FIRST, END_COAST, f, false, 3, 6);
    assert_orders(COMPACT_SECOND, END_COAST, f, false, 3, 6);
    assert_orders(COMPACT_SECOND_FOURTH_ORDER, END_COAST, f, false, 3, 4);
    assert_orders(COMPACT_MIDPOINT, END_COAST, f, false, 4, 6);
    assert_orders(COMPACT_FILTER, END_COAST, f, false, 3, 6);
}

static void orders_at_mirrors(void **state) {
    (void)state;
    const int order[] = {6, 6, 4, 6, 6};
    for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_FILTER; kind++)
        for (CompactEnd end = END_EVEN_NODE; end <= END_ODD_HALF; end++) {
            const bool is_odd = end == END_ODD_NODE || end == END_ODD_HALF;
            const double inset = end == END_EVEN_HALF || end == END_ODD_HALF ? 0.5 : 0;
            const Function f = {is_odd ? odd : even, is_odd ? odd_first : even_first,
                                is_odd ? odd_second : even_second, PI, inset};
            assert_orders(kind, end, f, false, order[kind], order[kind]);
        }
}

static void orders_around(void **state) {
    (void)state;
    const int order[] = {6, 6, 4, 6, 6};
    const Function f = {smooth, smooth_first, smooth_second, PI, 0};
    for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_FILTER; kind++)
        assert_orders(kind, END_COAST, f, true, order[kind], order[kind]);
}

/* ---- lines with land ---- */

static void segments_stand_alone(void **state) {
    (void)state;
    const char *lines[] = {"#.....#..###............#.#...##", "......##.......", "#######", ".#",
                           "...........#"};
    for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_FILTER; kind++)
        for (CompactEnd end = END_COAST; end <= END_ODD_WALL; end++)
            for (size_t line = 0; line < sizeof lines / sizeof lines[0]; line++) {
                if (kind == COMPACT_MIDPOINT && end > END_ODD_HALF) continue; /* a place at land has a row */
                const CompactScheme s = {kind, end, 0.5, FILTER};
                const int n = (int)strlen(lines[line]);
                unsigned char wet[40];
                CompactRow rows[40], alone[40];
                const CompactRow land = {.centre = 1};
                for (int i = 0; i < n; i++) wet[i] = lines[line][i] == '.' ? POINT_WET : POINT_LAND;
                compact_rows(&s, n, wet, false, rows);
                for (int i = 0, points; i < n; i += points) {
                    for (points = 1; i + points < n && wet[i + points] == wet[i];) points++;
                    compact_rows(&s, points, NULL, false, alone);
                    for (int m = 0; m < points; m++)
                        assert_memory_equal(&rows[i + m], wet[i] ? &alone[m] : &land, sizeof land);
                }
            }
}

static void a_segment_goes_on_around(void **state) {
    (void)state;
    const CompactScheme s = {COMPACT_FIRST, END_COAST, 1, 0};
    unsigned char wet[12];
    CompactRow rows[12], alone[9];
    for (int i = 0; i < 12; i++) wet[i] = i < 3 || i > 5 ? POINT_WET : POINT_LAND;
    compact_rows(&s, 12, wet, true, rows);
    compact_rows(&s, 9, NULL, false, alone);
    for (int m = 0; m < 9; m++) assert_memory_equal(&rows[(6 + m) % 12], &alone[m], sizeof alone[0]);
    for (int i = 3; i < 6; i++)
        assert_true(rows[i].centre == 1 && rows[i].upper == 0 && rows[i].weight[4] == 0);
}

static void no_row_looks_at_land(void **state) {
    (void)state;
    const char *line = "##.#..#...#....#.....#......#.......##";
    const int n = (int)strlen(line);
    unsigned char wet[40];
    CompactRow rows[40];
    for (int i = 0; i < n; i++) wet[i] = line[i] == '.' ? POINT_WET : POINT_LAND;
    for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_FILTER; kind++)
        for (CompactEnd end = END_COAST; end <= END_ODD_WALL; end++) {
            if (kind == COMPACT_MIDPOINT && end > END_ODD_HALF) continue; /* a place at land has a row */
            compact_rows(&(CompactScheme){kind, end, 1, FILTER}, n, wet, false, rows);
            for (int i = 0; i < n; i++) {
                for (int m = -COMPACT_REACH; m <= COMPACT_REACH; m++)
                    if (i + m < 0 || i + m >= n || !wet[i + m])
                        assert_true(rows[i].weight[COMPACT_REACH + m] == 0);
                if (i == 0 || !wet[i - 1]) assert_true(rows[i].lower == 0);
                if (i == n - 1 || !wet[i + 1]) assert_true(rows[i].upper == 0);
            }
        }
}

/* A wall beyond the ends is a node of a longer segment that holds 0. */
static void walls_are_nodes_that_hold_0(void **state) {
    (void)state;
    static double longer[MOST * MOST];
    const CompactOperator kinds[] = {COMPACT_FIRST, COMPACT_SECOND, COMPACT_SECOND_FOURTH_ORDER,
                                     COMPACT_FILTER};
    for (int k = 0; k < 4; k++)
        for (int points = 1; points <= 12; points++)
            for (int end = 0; end < 3; end++) {
                const CompactScheme wall = {kinds[k], END_COAST_WALL + end, 0.5, FILTER};
                const CompactScheme node = {kinds[k], END_COAST + end, 0.5, FILTER};
                dense_compact(&wall, points, false, matrix);
                dense_compact(&node, points + 2, false, longer);
                for (int i = 0; i < points; i++)
                    for (int j = 0; j < points; j++)
                        assert_near(matrix[i * points + j], longer[(i + 1) * (points + 2) + j + 1], 1e-11);
            }
}

/* Means at midpoints between walls: sixth order for what is odd there, from the wall to the wall. */
static void midpoints_lie_beside_walls_too(void **state) {
    (void)state;
    double worst[2] = {0};
    for (int fine = 0; fine < 2; fine++) {
        const int n = 16 << fine; /* a wall at 0, another at n */
        unsigned char points[40];
        CompactRow rows[40];
        double f[40], result[40];
        for (int i = 0; i <= n; i++) {
            points[i] = i == 0 || i == n ? POINT_LAND : POINT_WET;
            f[i] = points[i] == POINT_WET ? odd(PI * i / n) : 1e9;
        }
        compact_rows(&(CompactScheme){COMPACT_MIDPOINT, END_ODD_WALL, 1, 0}, n + 1, points, false, rows);
        dense_operator(n + 1, rows, matrix);
        dense_apply(n + 1, matrix, f, result);
        for (int i = 0; i < n; i++)
            worst[fine] = fmax(worst[fine], fabs(result[i] - odd(PI * (i + 0.5) / n)));
        /* the wall before the line: the same but for its midpoint */
        compact_rows(&(CompactScheme){COMPACT_MIDPOINT, END_ODD_WALL, 1, 0}, n, points + 1, false, rows);
        dense_operator(n, rows, matrix);
        double shorter[40];
        dense_apply(n, matrix, f + 1, shorter);
        for (int i = 1; i < n; i++) assert_near(shorter[i - 1], result[i], 1e-14);
    }
    assert_near(log2(worst[0] / worst[1]), 6, 0.2);
}

/* Water that takes no part ends a segment as a coast, whatever the other end is. */
static void a_segment_may_end_in_two_ways(void **state) {
    (void)state;
    const char *line = "##...........~~~..............#";
    const int n = (int)strlen(line);
    unsigned char points[40];
    CompactRow rows[40], mirrored[40], coast[40];
    for (int i = 0; i < n; i++)
        points[i] = line[i] == '.' ? POINT_WET : line[i] == '~' ? POINT_APART : POINT_LAND;
    for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_FILTER; kind++)
        for (CompactEnd end = END_COAST; end <= END_ODD_WALL; end++) {
            if (kind == COMPACT_MIDPOINT && end > END_ODD_HALF) continue; /* a place at land has a row */
            CompactScheme s = {kind, end, 0.5, FILTER};
            compact_rows(&s, n, points, false, rows);
            compact_rows(&s, 11, NULL, false, mirrored);
            s.end = END_COAST;
            compact_rows(&s, 11, NULL, false, coast);
            for (int i = 0; i < 11; i++)
                assert_memory_equal(&rows[2 + i], i < 5 ? &mirrored[i] : &coast[i], sizeof rows[0]);
            compact_rows(&s, 14, NULL, false, coast);
            s.end = end;
            compact_rows(&s, 14, NULL, false, mirrored);
            for (int i = 0; i < 14; i++)
                assert_memory_equal(&rows[16 + i], i < 7 ? &coast[i] : &mirrored[i], sizeof rows[0]);
        }
}

/* ---- filter ---- */

static void the_filter_takes_the_shortest_wave_and_leaves_long_ones(void **state) {
    (void)state;
    const CompactScheme s = {COMPACT_FILTER, END_COAST, 1, FILTER};
    double f[64], result[64];
    dense_compact(&s, 64, true, matrix);
    for (int waves = 0; waves <= 32; waves += 4) {
        const double angle = 2 * PI * waves / 64, half = sin(angle / 2);
        const double kept = 1 - (1 - 2 * FILTER) * pow(half, 6) / (1 + 2 * FILTER * cos(angle));
        for (int i = 0; i < 64; i++) f[i] = cos(angle * i);
        dense_apply(64, matrix, f, result);
        for (int i = 0; i < 64; i++) assert_near(result[i], kept * f[i], 1e-13);
        if (waves == 32) assert_near(kept, 0, 1e-15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_exact_up_to_their_degree),
        cmocka_unit_test(short_segments_are_exact_for_polynomials_through_their_points),
        cmocka_unit_test(coefficients_are_the_published_ones),
        cmocka_unit_test(orders_at_coasts),
        cmocka_unit_test(orders_at_mirrors),
        cmocka_unit_test(orders_around),
        cmocka_unit_test(segments_stand_alone),
        cmocka_unit_test(a_segment_goes_on_around),
        cmocka_unit_test(no_row_looks_at_land),
        cmocka_unit_test(walls_are_nodes_that_hold_0),
        cmocka_unit_test(midpoints_lie_beside_walls_too),
        cmocka_unit_test(a_segment_may_end_in_two_ways),
        cmocka_unit_test(the_filter_takes_the_shortest_wave_and_leaves_long_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
