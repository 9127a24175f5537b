/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench lines: tridiagonal solvers compared with the least time in which this machine's memory can
 * move the data that they read and write, measured between them with loops that do nothing else:
 *
 *     Thomas, N-shaped    a copy (the data between their sweeps fit into caches)
 *     DistD2              the same, and as the paper counts: a copy and a scaling in place
 *     own coefficients    a copy, and as many reads as there are tables
 *     reorders            a copy, or a sum
 *
 * Copies are measured with ordinary stores and with ones past the caches; the faster counts.
 */
#include "numerics/lines/lines.h"
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peer_lines.h"
#include "bench/peers.h"
#include "bench/systems.h"
#include <math.h>

enum { TURNS = 9, ROWS = 256, LINES = 32768 };

#if defined(__AVX512F__)
#include <immintrin.h>
#define STORE_PAST_CACHES(to, x) _mm512_stream_pd((to), (__m512d)(x))
#else
#define STORE_PAST_CACHES(to, x) (*(Vector *)(to) = (x))
#endif

typedef double Vector __attribute__((vector_size(64), may_alias));

/* ---- memory ---- */

typedef struct Arrays {
    MPI_Comm comm;
    const LineLayout *layout;
    double *u, *x, *table[3];
} Arrays;

typedef double Work(Arrays *a, void *what); /* something that depends on what was done */

static double copy(Arrays *a, void *what) {
    (void)what;
    for (ptrdiff_t m = 0; m < a->layout->size; m += 8) *(Vector *)(a->x + m) = *(Vector *)(a->u + m) * 0.999;
    return a->x[0];
}

static double copy_past_caches(Arrays *a, void *what) {
    (void)what;
    for (ptrdiff_t m = 0; m < a->layout->size; m += 8)
        STORE_PAST_CACHES(a->x + m, *(Vector *)(a->u + m) * 0.999);
    return a->x[0];
}

static double scale(Arrays *a, void *what) {
    (void)what;
    for (ptrdiff_t m = 0; m < a->layout->size; m += 8) *(Vector *)(a->x + m) *= 0.999;
    return a->x[0];
}

static double add(Arrays *a, void *what) {
    (void)what;
    for (ptrdiff_t m = 0; m < a->layout->size; m += 8) *(Vector *)(a->x + m) += *(Vector *)(a->u + m);
    return a->x[0];
}

static double copy_of_four(Arrays *a, void *what) {
    (void)what;
    for (ptrdiff_t m = 0; m < a->layout->size; m += 8) {
        Vector v = *(Vector *)(a->u + m);
        for (int t = 0; t < 3; t++) v += *(Vector *)(a->table[t] + m);
        *(Vector *)(a->x + m) = v;
    }
    return a->x[0];
}

static double seconds_of(Work *work, Arrays *a, void *what) {
    static volatile double kept;
    MPI_Barrier(a->comm);
    const double start = bench_clock(a->comm);
    kept = work(a, what);
    MPI_Barrier(a->comm);
    (void)kept;
    return bench_clock(a->comm) - start;
}

/* ---- solvers ---- */

static double solve(Arrays *a, void *op) {
    lines_solve(op, a->u, a->x);
    return a->x[0];
}

static double from_field(Arrays *a, void *layout) {
    lines_from_field(layout, a->u, a->x);
    return a->x[0];
}

static double to_field(Arrays *a, void *layout) {
    lines_to_field(layout, a->u, a->x);
    return a->x[0];
}

static double add_to_field(Arrays *a, void *layout) {
    lines_add_to_field(layout, a->u, 1e-3, a->x);
    return a->x[0];
}

Status bench_line_operator(const LineLayout *layout, BenchRows rows, const LineChoice *choice,
                           LineOperator **out) {
    const bool own = rows == BENCH_OWN_DIFFUSION;
    const ptrdiff_t count = own ? layout->size : layout->rows;
    static const double first_derivative[] = {-1.0 / 36, -7.0 / 9, 0, 7.0 / 9, 1.0 / 36};
    double *a = ALLOCATE(count, double), *b = ALLOCATE(count, double), *c = ALLOCATE(count, double), *r[5];
    LineRows made = {.per_line = own, .a = a, .b = b, .c = c, .reach = rows == BENCH_COMPACT ? 2 : 0};
    for (ptrdiff_t m = 0; m < count; m++) {
        a[m] = c[m] = rows == BENCH_COMPACT ? 1.0 / 3 : -1 + 0.2 * sin((double)m);
        b[m] = rows == BENCH_COMPACT ? 1 : 3.5;
    }
    for (ptrdiff_t m = 0; m < count; m++) {
        const ptrdiff_t row = own ? layout->first + m / layout->lanes % layout->n : m;
        if (row == 0 && !layout->periodic) a[m] = 0;
        if (row == layout->rows - 1 && !layout->periodic) c[m] = 0;
    }
    for (int m = 0; m < 5; m++) {
        r[m] = ALLOCATE(layout->rows, double);
        for (int j = 0; j < layout->rows; j++)
            if (layout->periodic || (j + m >= 2 && j + m - 2 < layout->rows)) r[m][j] = first_derivative[m];
        if (rows == BENCH_COMPACT) made.r[m] = r[m];
    }
    const Status status = line_operator_create(layout, &made, choice, out);
    for (int m = 0; m < 5; m++) memory_free(r[m]);
    memory_free(a);
    memory_free(b);
    memory_free(c);
    return status;
}

/* ---- the table ---- */

typedef enum Against { COPY, COPY_AND_SCALE, COPY_OF_FOUR, SUM, ORDINARY_COPY, AGAINST } Against;

typedef struct Entry {
    const char *name;
    Against against;
    bool cut; /* lines over all ranks, not whole ones */
    int method;
    BenchRows rows;
} Entry;

static const Entry ENTRIES[] = {
    {"Thomas", COPY, false, LINES_THOMAS, BENCH_DIFFUSION},
    {"Thomas, compact derivative", COPY, false, LINES_THOMAS, BENCH_COMPACT},
    {"Thomas, own coefficients", COPY_OF_FOUR, false, LINES_THOMAS, BENCH_OWN_DIFFUSION},
    {"N-shaped, whole lines", COPY, false, LINES_NSHAPED, BENCH_DIFFUSION},
    {"N-shaped, cut lines", COPY, true, LINES_NSHAPED, BENCH_DIFFUSION},
    {"N-shaped, cut, derivative", COPY, true, LINES_NSHAPED, BENCH_COMPACT},
    {"DistD2, against a copy", COPY, true, LINES_DISTD2, BENCH_DIFFUSION},
    {"DistD2, as the paper counts", COPY_AND_SCALE, true, LINES_DISTD2, BENCH_DIFFUSION},
    {"DistD2, compact derivative", COPY_AND_SCALE, true, LINES_DISTD2, BENCH_COMPACT},
};
enum { ENTRY_COUNT = (int)(sizeof ENTRIES / sizeof *ENTRIES) };

/* Medians and bests of the seconds of one thing. */
typedef struct Times {
    double turn[TURNS];
} Times;

static double best(Times t) {
    bench_sort(t.turn, TURNS);
    return t.turn[0];
}
static double median(Times t) {
    bench_sort(t.turn, TURNS);
    return t.turn[TURNS / 2];
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

typedef struct Measured {
    Times base[AGAINST + 1], entry[ENTRY_COUNT];
} Measured;

static void measure_memory(Arrays *a, int turn, Measured *m) {
    const double ordinary = seconds_of(copy, a, NULL), past = seconds_of(copy_past_caches, a, NULL);
    m->base[ORDINARY_COPY].turn[turn] = ordinary;
    m->base[COPY].turn[turn] = smaller(ordinary, past);
    m->base[COPY_AND_SCALE].turn[turn] = smaller(ordinary, past) + seconds_of(scale, a, NULL);
    m->base[COPY_OF_FOUR].turn[turn] = seconds_of(copy_of_four, a, NULL);
    m->base[SUM].turn[turn] = seconds_of(add, a, NULL);
}

static void print_entry(const char *name, const Times *base, const Times *t, double points) {
    log_info("  %-30s %5.2f of memory's speed (medians: %.2f)   %6.3f ns a row", name, best(*base) / best(*t),
             median(*base) / median(*t), 1e9 * best(*t) / points);
}

/* The solver of LAPACK, on one core: the best of three, or -1. */
static double lapack_seconds(int lines, double *d) {
    PeerLines *lapack = NULL;
    peer_find(peer_open("lapack"), "peer_lines", &lapack);
    if (!lapack) return -1;
    double a[ROWS], b[ROWS], c[ROWS], least = HUGE_VAL;
    for (int j = 0; j < ROWS; j++) a[j] = c[j] = -1, b[j] = 3.5;
    for (int turn = 0; turn < 3; turn++) least = smaller(lapack(ROWS, lines, a, b, c, d), least);
    return least;
}

static Status measure_solvers(MPI_Comm comm, const LineLayout *whole, const LineLayout *cut) {
    Measured m;
    /* where ranks share rows unevenly, some have more numbers of cut lines than of whole ones */
    const LineLayout *largest = cut->size > whole->size ? cut : whole;
    Arrays a = {.comm = comm, .layout = whole, .u = lines_allocate(largest), .x = lines_allocate(largest)};
    LineOperator *op[ENTRY_COUNT] = {NULL};
    Status status = STATUS_OK;
    for (int t = 0; t < 3; t++) a.table[t] = lines_allocate(whole);
    for (ptrdiff_t n = 0; n < largest->size; n++) a.u[n] = 1 + 1e-3 * (double)(n % 1000);
    for (int e = 0; e < ENTRY_COUNT; e++) {
        const LineChoice choice = {.method = (LineMethod)ENTRIES[e].method, .tolerance = 1e-12};
        ATTEMPT(bench_line_operator(ENTRIES[e].cut ? cut : whole, ENTRIES[e].rows, &choice, &op[e]));
    }
    for (int turn = 0; turn < TURNS; turn++) {
        measure_memory(&a, turn, &m);
        for (int e = 0; e < ENTRY_COUNT; e++) {
            a.layout = ENTRIES[e].cut ? cut : whole;
            m.entry[e].turn[turn] = seconds_of(solve, &a, op[e]);
        }
        a.layout = whole;
    }
    log_info("  a copy %.3f ns a row (with ordinary stores %.3f), and a scaling %.3f, reading four %.3f, "
             "adding %.3f",
             1e9 * best(m.base[COPY]) / (double)whole->size,
             1e9 * best(m.base[ORDINARY_COPY]) / (double)whole->size,
             1e9 * best(m.base[COPY_AND_SCALE]) / (double)whole->size,
             1e9 * best(m.base[COPY_OF_FOUR]) / (double)whole->size,
             1e9 * best(m.base[SUM]) / (double)whole->size);
    for (int e = 0; e < ENTRY_COUNT; e++)
        print_entry(ENTRIES[e].name, &m.base[ENTRIES[e].against], &m.entry[e], (double)whole->size);
    const double lapack = lapack_seconds(whole->lines, a.x);
    if (lapack > 0)
        log_info("  LAPACK dgttrs, factors known: %.3f ns a row; Thomas is %.1f times as fast",
                 1e9 * lapack / (double)whole->size, lapack / best(m.entry[0]));
cleanup:
    for (int e = 0; e < ENTRY_COUNT; e++) line_operator_destroy(&op[e]);
    for (int t = 0; t < 3; t++) memory_free(a.table[t]);
    memory_free(a.u);
    memory_free(a.x);
    return status;
}

Status bench_line_speed(MPI_Comm comm, int rows, int lines, bool periodic, LineMethod method,
                        BenchLineSpeed *out) {
    Measured m;
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    Arrays a = {.comm = comm};
    int rank, ranks;
    Status status;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int own = (rank + 1) * rows / ranks - rank * rows / ranks;
    ATTEMPT(line_layout_create((Exec){.device = DEVICE_CPU}, comm, own, lines, periodic, &layout));
    ATTEMPT(bench_line_operator(layout, BENCH_COMPACT, &(LineChoice){.method = method}, &op));
    a.layout = layout, a.u = lines_allocate(layout), a.x = lines_allocate(layout);
    for (int t = 0; t < 3; t++) a.table[t] = a.u;
    for (ptrdiff_t n = 0; n < layout->size; n++) a.u[n] = 1 + 1e-3 * (double)(n % 1000);
    for (int turn = 0; turn < TURNS; turn++) {
        measure_memory(&a, turn, &m);
        m.entry[0].turn[turn] = seconds_of(solve, &a, op);
    }
    out->ns = 1e9 * best(m.entry[0]) / (double)layout->size;
    out->of_memory = best(m.base[method == LINES_DISTD2 ? COPY_AND_SCALE : COPY]) / best(m.entry[0]);
cleanup:
    memory_free(a.u);
    memory_free(a.x);
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    return status;
}

/* ---- reorders ---- */

static Status measure_reorders(MPI_Comm comm) {
    static const char *const names[] = {"x", "y", "z"};
    Grid *grid = NULL;
    TRY(bench_box_create(comm, 512, 512, 32, &grid));
    for (LineAxis axis = LINES_X; axis <= LINES_Z; axis++) {
        LineLayout *layout = NULL;
        Measured m;
        Times from, to, sum;
        TRY(line_layout_of_grid(grid, axis, &layout));
        double *field = field3_create(grid), *lines = lines_allocate(layout),
               *second = lines_allocate(layout);
        Arrays of_lines = {.comm = comm, .layout = layout, .u = second, .x = lines};
        for (int t = 0; t < 3; t++) of_lines.table[t] = lines;
        /* pages that nobody has written are read from a single one, in the cache */
        for (ptrdiff_t n = 0; n < layout->size; n++) second[n] = 1 + 1e-3 * (double)(n % 1000);
        lines_to_field(layout, second, field);
        Arrays in = of_lines, out = of_lines;
        in.u = field, out.x = field, out.u = lines;
        for (int turn = 0; turn < TURNS; turn++) {
            measure_memory(&of_lines, turn, &m);
            from.turn[turn] = seconds_of(from_field, &in, layout);
            to.turn[turn] = seconds_of(to_field, &out, layout);
            sum.turn[turn] = seconds_of(add_to_field, &out, layout);
        }
        const Times *const base[] = {&m.base[COPY], &m.base[COPY], &m.base[SUM]}, *const of[] = {&from, &to,
                                                                                                 &sum};
        static const char *const what[] = {"field to lines", "lines to field", "lines added to field"};
        for (int w = 0; w < 3; w++) {
            char *name = memory_format("%s along %s", what[w], names[axis]);
            print_entry(name, base[w], of[w], (double)layout->size);
            memory_free(name);
        }
        field3_destroy(grid, &field);
        memory_free(lines);
        memory_free(second);
        line_layout_destroy(&layout);
    }
    grid_destroy(&grid);
    return STATUS_OK;
}

Status bench_lines(MPI_Comm comm) {
    int ranks;
    LineLayout *whole = NULL, *cut = NULL;
    MPI_Comm_size(comm, &ranks);
    log_info("%d process%s, lines of %d rows, %d lines, lanes %d", ranks, ranks == 1 ? "" : "es", ROWS, LINES,
             LINE_LANES);
    TRY(line_layout_create((Exec){.device = DEVICE_CPU}, MPI_COMM_SELF, ROWS,
                           LINES / ranks / LINE_LANES * LINE_LANES, false, &whole));
    int rank;
    MPI_Comm_rank(comm, &rank);
    TRY(line_layout_create((Exec){.device = DEVICE_CPU}, comm,
                           (rank + 1) * ROWS / ranks - rank * ROWS / ranks, LINES, false, &cut));
    const Status status = measure_solvers(comm, whole, cut);
    line_layout_destroy(&whole);
    line_layout_destroy(&cut);
    TRY(status);
    return measure_reorders(comm);
}
