/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench solvers: the linear systems of a sea, solved by MATM and by the solvers of HYPRE and PETSc where
 * the build has found them. Times are medians, of solves alone and with the set-up for a new matrix; residuals are
 * computed from the solution.
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peer_solvers.h"
#include "bench/peers.h"
#include "bench/systems.h"
#include "numerics/grid/halo.h"
#include "numerics/grid/sums.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_TURNS = 5, MOST_TURNS = 51, MOST_ITERATIONS = 3000 };

typedef enum Ground { AZOV_2_KM, AZOV_1_KM, CUBE, GROUNDS } Ground;

typedef struct Case {
    const char *name;
    Ground ground;
    BenchKind kind;
    double dt; /* [s] */
} Case;

static const Case CASES[] = {
    {"surface-60", AZOV_2_KM, BENCH_SURFACE, 60},
    {"surface-300", AZOV_2_KM, BENCH_SURFACE, 300},
    {"surface-300-fine", AZOV_1_KM, BENCH_SURFACE, 300},
    {"dirichlet", AZOV_2_KM, BENCH_PRESSURE_DIRICHLET, 60},
    {"robin-60", AZOV_2_KM, BENCH_PRESSURE_ROBIN, 60},
    {"robin-300", AZOV_2_KM, BENCH_PRESSURE_ROBIN, 300},
    {"robin-300-fine", AZOV_1_KM, BENCH_PRESSURE_ROBIN, 300},
    {"transport-60", AZOV_2_KM, BENCH_TRANSPORT, 60},
    {"transport-600", AZOV_2_KM, BENCH_TRANSPORT, 600},
    {"poisson", CUBE, BENCH_POISSON, 1},
};
enum { CASE_COUNT = (int)(sizeof CASES / sizeof *CASES) };

static const double TOLERANCES[] = {1e-6, 1e-10};

/* ---- what is measured ---- */

static double median(double *times, int count) {
    bench_sort(times, count);
    return times[count / 2];
}

static double now(MPI_Comm comm) {
    MPI_Barrier(comm);
    return bench_clock(comm);
}

static double *field_create(const BenchSystem *s) {
    return s->flat ? field2_create(s->grid) : field3_create(s->grid);
}

static void field_destroy(const BenchSystem *s, double **field) {
    if (s->flat)
        field2_destroy(s->grid, field);
    else
        field3_destroy(s->grid, field);
}

static void field_clear(const BenchSystem *s, double *field) {
    (s->flat ? field2_fill : field3_fill)(s->grid, field, 0);
}

/* How often to measure what takes so long: half a second of it. All ranks the same. */
static int turns_for(MPI_Comm comm, double seconds) {
    static const double MEASURED = 0.5; /* [s] */
    double longest = seconds;
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return (int)fmin(fmax(MEASURED / longest, LEAST_TURNS), MOST_TURNS);
}

/* |f - A x| / |f|, by our operator. x is 0 on land; its halo is filled. */
static Status residual_of(const BenchSystem *s, double *x, double *out) {
    const Grid *g = s->grid;
    const Exec exec = {.device = DEVICE_CPU};
    double *r = field_create(s), sums[2];
    Halo *halo = NULL;
    TRY(halo_create(g, g->n3, &halo));
    if (s->flat)
        halo_exchange(halo, 1, &x, 0, NULL);
    else
        halo_exchange(halo, 0, NULL, 1, &x);
    stencil_residual_any(exec, g, (StencilResidual){s->stencil, x, s->field[BENCH_RHS], r});
    const double *const of[] = {r, s->field[BENCH_RHS]};
    (s->flat ? sums_of_products : sums_of_products_3d)(exec, g, 2, of, of, sums);
    *out = sqrt(sums[0] / sums[1]);
    halo_destroy(&halo);
    field_destroy(s, &r);
    return STATUS_OK;
}

Status bench_matm(const BenchSystem *s, MatmOptions options, double tolerance, BenchMeasured *out,
                  char **choice) {
    Matm *matm = NULL;
    const Exec exec = {.device = DEVICE_CPU};
    double solve[MOST_TURNS], setup[MOST_TURNS], *x = field_create(s);
    int turns = LEAST_TURNS;
    options.flat = s->flat;
    Status status = matm_create(s->grid, exec, &options, &matm);
    for (int n = -2; n < turns && status == STATUS_OK; n++) { /* two to warm up and to find w */
        double took[2] = {0, 0};
        for (int again = 0; again < 2 && status == STATUS_OK; again++) {
            SolveReport report = {0};
            field_clear(s, x);
            const double begun = now(s->grid->comm);
            if (!again) status = matm_setup(matm, &s->stencil);
            if (status == STATUS_OK)
                status = matm_solve(matm, s->field[BENCH_RHS], x, tolerance, MOST_ITERATIONS, &report);
            took[again] = now(s->grid->comm) - begun;
            out->iterations = report.iterations;
        }
        if (n < 0) turns = turns_for(s->grid->comm, took[0] + took[1]);
        if (n >= 0) {
            setup[n] = fmax(took[0] - took[1], 0); /* a part of it may wait for the first solve */
            solve[n] = took[1];
        }
    }
    if (status == STATUS_OK) {
        out->setup_s = median(setup, turns);
        out->solve_s = median(solve, turns);
        status = residual_of(s, x, &out->residual);
        if (choice) *choice = memory_copy_text(matm_choice(matm));
    }
    matm_destroy(&matm);
    field_destroy(s, &x);
    return status;
}

/* Conjugate gradients with the diagonal, of numerics/krylov: one layer. */
static Status bench_conjugate(const BenchSystem *s, double tolerance, BenchMeasured *out) {
    ConjugateGradient *solver = NULL;
    const Exec exec = {.device = DEVICE_CPU};
    double solve[LEAST_TURNS], *x = field_create(s);
    TRY(conjugate_gradient_create(s->grid, &solver));
    *out = (BenchMeasured){0};
    for (int n = -1; n < LEAST_TURNS; n++) {
        field_clear(s, x);
        const double begun = now(s->grid->comm);
        const SolveReport report = conjugate_gradient_solve(solver, exec, &s->stencil, s->field[BENCH_RHS], x,
                                                            tolerance, MOST_ITERATIONS);
        if (n >= 0) solve[n] = now(s->grid->comm) - begun;
        out->iterations = report.iterations;
        out->residual = report.residual;
    }
    out->solve_s = median(solve, LEAST_TURNS);
    conjugate_gradient_destroy(&solver);
    field_destroy(s, &x);
    return STATUS_OK;
}

/* ---- the solvers of others ---- */

typedef struct Peer {
    PeerSolve *solve;
    PeerName *name;
} Peer;

typedef struct Library {
    const char *name, *plug_in, *package; /* of Debian */
} Library;

static const Library LIBRARIES[] = {{"HYPRE", "hypre", "libhypre-dev"}, {"PETSc", "petsc", "petsc-dev"}};
enum { LIBRARY_COUNT = (int)(sizeof LIBRARIES / sizeof *LIBRARIES) };

static Peer peer_load(const char *plug_in_name) {
    Peer peer;
    void *plug_in = peer_open(plug_in_name);
    peer_find(plug_in, "peer_solve", &peer.solve);
    peer_find(plug_in, "peer_name", &peer.name);
    return peer;
}

typedef struct Boxed {
    PeerSystem system;
    double *values, *right, *rhs, *x;
    unsigned char *wet;
    int cells;
} Boxed;

static void boxed_set(const BenchSystem *s, Boxed *b, int cell, int i, int j, int k) {
    const Grid *g = s->grid;
    const ptrdiff_t m = AT(*g, i, j, k), step[3] = {1, g->row, g->plane};
    const bool deep = !s->flat, wet = g->bottom_c[AT2(*g, i, j)] <= (deep ? k : g->n3 - 1);
    const int dims = b->system.dimensions, entries = 1 + dims * (b->system.symmetric ? 1 : 2);
    double *values = b->values + (size_t)cell * entries;
    values[0] = wet ? s->field[BENCH_CENTRE][m] : 1;
    b->wet[cell] = wet;
    b->rhs[cell] = wet ? s->field[BENCH_RHS][m] : 0;
    for (int d = 0; d < dims; d++) {
        values[1 + d] = wet ? -s->field[BENCH_WEST + d][m] : 0;
        if (!b->system.symmetric)
            values[1 + dims + d] = wet ? -s->field[BENCH_EAST + d][m] : 0;
        else
            b->right[(size_t)cell * dims + d] = wet ? -s->field[BENCH_WEST + d][m + step[d]] : 0;
    }
}

static Boxed boxed_create(const BenchSystem *s) {
    const Grid *g = s->grid;
    const int levels = s->flat ? 1 : g->n3, dims = s->flat ? 2 : 3;
    Boxed b = {.cells = g->n1 * g->n2 * levels};
    b.system = (PeerSystem){.comm = g->comm,
                            .dimensions = dims,
                            .lower = {g->i_first, g->j_first, 0},
                            .upper = {g->i_first + g->n1 - 1, g->j_first + g->n2 - 1, levels - 1},
                            .symmetric = !s->field[BENCH_EAST]};
    b.system.values = b.values = ALLOCATE(7 * b.cells, double);
    b.system.right = b.right = ALLOCATE(3 * b.cells, double);
    b.system.rhs = b.rhs = ALLOCATE(b.cells, double);
    b.system.wet = b.wet = ALLOCATE(b.cells, unsigned char);
    b.x = ALLOCATE(b.cells, double);
    for (int n = 0; n < b.cells; n++) boxed_set(s, &b, n, n % g->n1, n / g->n1 % g->n2, n / g->n1 / g->n2);
    return b;
}

static void boxed_release(Boxed *b) {
    memory_free(b->values);
    memory_free(b->right);
    memory_free(b->rhs);
    memory_free(b->wet);
    memory_free(b->x);
}

static Status residual_of_peer(const BenchSystem *s, const Boxed *b, double *out) {
    const Grid *g = s->grid;
    double *x = field_create(s);
    for (int n = 0; n < b->cells; n++)
        if (b->wet[n]) x[AT(*g, n % g->n1, n / g->n1 % g->n2, n / g->n1 / g->n2)] = b->x[n];
    const Status status = residual_of(s, x, out);
    field_destroy(s, &x);
    return status;
}

/* `suits`: the solver is for such systems, and has been measured. */
static Status bench_peer(const Peer *peer, int solver, const BenchSystem *s, Boxed *b, double tolerance,
                         BenchMeasured *out, bool *suits) {
    static const double LONG = 2; /* what takes longer is measured once [s] */
    double solve[MOST_TURNS], setup[MOST_TURNS], took = 0;
    int turns = 1;
    for (int n = -1; n < turns; n++) { /* one to warm up */
        PeerReport report;
        (void)now(s->grid->comm);
        *suits = peer->solve(solver, &b->system, tolerance, b->x, &report) == 0;
        if (!*suits) return STATUS_OK;
        took = report.solve_s + report.setup_s;
        if (n < 0) {
            MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, s->grid->comm);
            turns = took < LONG ? turns_for(s->grid->comm, took) : 1;
        }
        if (n < 0 && took < LONG) continue;
        solve[n < 0 ? 0 : n] = report.solve_s;
        setup[n < 0 ? 0 : n] = report.setup_s;
        out->iterations = report.iterations;
        if (n < 0) break;
    }
    out->solve_s = median(solve, turns);
    out->setup_s = median(setup, turns);
    return residual_of_peer(s, b, &out->residual);
}

/* ---- tables ---- */

static double with_setup(const BenchMeasured *m) {
    return m->solve_s + m->setup_s;
}

static void print_row(const char *name, const BenchMeasured m[2], const BenchMeasured ours[2]) {
    char columns[2][96];
    for (int t = 0; t < 2; t++)
        snprintf(columns[t], sizeof columns[t], "%4d %9.3f ms %5.1fx  %9.3f ms %5.1fx", m[t].iterations,
                 1e3 * m[t].solve_s, m[t].solve_s / ours[t].solve_s, 1e3 * with_setup(&m[t]),
                 with_setup(&m[t]) / with_setup(&ours[t]));
    log_info("  %-34s %s   %s   %.1e", name, columns[0], columns[1], m[1].residual);
}

/* The least times of peers, over ours. */
typedef struct Best {
    double solve_s[2], with_setup_s[2];
} Best;

static void note_best(Best *best, const BenchMeasured m[2]) {
    for (int t = 0; t < 2; t++) {
        if (m[t].residual > 10 * TOLERANCES[t]) continue;
        best->solve_s[t] = fmin(best->solve_s[t], m[t].solve_s);
        best->with_setup_s[t] = fmin(best->with_setup_s[t], with_setup(&m[t]));
    }
}

static void print_best(const char *library, const Best *best, const BenchMeasured ours[2]) {
    log_info("  best of %s over MATM: to 1e-6 %.1f, with set-up %.1f; to 1e-10 %.1f, with set-up %.1f",
             library, best->solve_s[0] / ours[0].solve_s, best->with_setup_s[0] / with_setup(&ours[0]),
             best->solve_s[1] / ours[1].solve_s, best->with_setup_s[1] / with_setup(&ours[1]));
}

typedef struct Variant {
    const char *name;
    MatmOptions options;
    bool two_ways; /* for systems that are not self-adjoint */
} Variant;

static const Variant VARIANTS[] = {
    {"in double precision", {.precision = MATM_PRECISION_DOUBLE}, false},
    {"in double precision", {.precision = MATM_PRECISION_DOUBLE}, true},
    {"in single precision", {.precision = MATM_PRECISION_SINGLE}, false},
    {"in single precision", {.precision = MATM_PRECISION_SINGLE}, true},
    {"in mixed precision", {.precision = MATM_PRECISION_MIXED}, false},
    {"point D, conjugate", {.diagonal = MATM_D_DIAGONAL, .step = MATM_STEP_CONJUGATE}, false},
    {"pivots, conjugate", {.diagonal = MATM_D_PIVOTS, .step = MATM_STEP_CONJUGATE}, false},
    {"lines, conjugate, no correction",
     {.diagonal = MATM_D_LINES, .step = MATM_STEP_CONJUGATE, .correction = MATM_CORRECTION_NONE},
     false},
    {"lines, conjugate, correction",
     {.diagonal = MATM_D_LINES, .step = MATM_STEP_CONJUGATE, .correction = MATM_CORRECTION_COLUMNS},
     false},
    {"lines, least residual", {.diagonal = MATM_D_LINES, .step = MATM_STEP_LEAST_RESIDUAL}, true},
    {"lines, BiCGStab", {.diagonal = MATM_D_LINES, .step = MATM_STEP_BICGSTAB}, true},
    {"as in the paper", {.step = MATM_STEP_PAPER}, true},
    {"as in the paper", {.step = MATM_STEP_PAPER}, false},
};

static Status bench_variants(const BenchSystem *s, const BenchMeasured ours[2]) {
    for (size_t v = 0; v < sizeof VARIANTS / sizeof *VARIANTS; v++) {
        const Variant *variant = &VARIANTS[v];
        const bool deep = variant->options.diagonal == MATM_D_LINES;
        if (variant->two_ways != (s->field[BENCH_EAST] != NULL) || (deep && s->flat)) continue;
        BenchMeasured m[2];
        for (int t = 0; t < 2; t++) TRY(bench_matm(s, variant->options, TOLERANCES[t], &m[t], NULL));
        print_row(variant->name, m, ours);
    }
    return STATUS_OK;
}

static Status bench_library(const char *library, const Peer *peer, const BenchSystem *s, Boxed *boxed,
                            const BenchMeasured ours[2]) {
    Best best = {{HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    BenchMeasured theirs[2];
    for (int n = 0; peer->name(n); n++) {
        bool suits = true;
        for (int t = 0; t < 2 && suits; t++)
            TRY(bench_peer(peer, n, s, boxed, TOLERANCES[t], &theirs[t], &suits));
        if (!suits) continue;
        print_row(peer->name(n), theirs, ours);
        note_best(&best, theirs);
    }
    print_best(library, &best, ours);
    return STATUS_OK;
}

static Status bench_system(const Case *c, const Grid *grid, const Peer peers[LIBRARY_COUNT], bool variants) {
    BenchSystem *s = NULL;
    BenchMeasured ours[2], diagonal[2];
    char *choice = NULL;
    int64_t columns, cells;
    TRY(bench_system_create(grid, c->kind, c->dt, &s));
    Status status;
    ATTEMPT(bench_matm(s, (MatmOptions){0}, TOLERANCES[0], &ours[0], &choice));
    ATTEMPT(bench_matm(s, (MatmOptions){0}, TOLERANCES[1], &ours[1], NULL));
    grid_count(grid, &columns, &cells);
    log_info("%s: %" PRId64 " cells", c->name, s->flat ? columns : cells);
    log_info("  %s", choice);
    print_row("MATM", ours, ours);
    if (s->flat) {
        for (int t = 0; t < 2; t++) ATTEMPT(bench_conjugate(s, TOLERANCES[t], &diagonal[t]));
        print_row("conjugate gradients, diagonal", diagonal, ours);
    }
    if (variants) ATTEMPT(bench_variants(s, ours));
    Boxed boxed = boxed_create(s);
    for (int l = 0; l < LIBRARY_COUNT && status == STATUS_OK; l++)
        if (peers[l].solve) status = bench_library(LIBRARIES[l].name, &peers[l], s, &boxed, ours);
    boxed_release(&boxed);
cleanup:
    memory_free(choice);
    bench_system_destroy(&s);
    return status;
}

static Status ground_create(MPI_Comm comm, Ground ground, Grid **out) {
    if (ground == CUBE) return bench_box_create(comm, 128, 128, 128, out);
    return bench_azov_create(comm, ground == AZOV_1_KM ? 1000 : 2000, 1, out);
}

Status bench_case_create(MPI_Comm comm, const char *name, Grid **grid, BenchSystem **system) {
    const Case *found = NULL;
    for (int c = 0; c < CASE_COUNT; c++)
        if (strcmp(CASES[c].name, name) == 0) found = &CASES[c];
    CHECK(found, STATUS_FAILED, "bench: there is no system \"%s\"", name);
    TRY(ground_create(comm, found->ground, grid));
    return bench_system_create(*grid, found->kind, found->dt, system);
}

bool bench_wanted(const char *name, const char *const *names, int count) {
    for (int n = 0; n < count; n++)
        if (strstr(name, names[n])) return true;
    return count == 0;
}

/* The names without those of libraries, which are `chosen`. Names that mean nothing would measure nothing. */
static Status sort_names(const char *const *names, int *count, const char **systems,
                         bool chosen[LIBRARY_COUNT]) {
    int kept = 0;
    for (int n = 0; n < *count; n++) {
        bool known = false, library = false;
        for (int l = 0; l < LIBRARY_COUNT; l++)
            if (strcmp(LIBRARIES[l].plug_in, names[n]) == 0) chosen[l] = library = true;
        for (int c = 0; c < CASE_COUNT; c++) known = known || strstr(CASES[c].name, names[n]);
        CHECK(known || library, STATUS_BAD_INPUT,
              "bench solvers: no system's name contains \"%s\" (see ./maeotis bench --help)", names[n]);
        if (!library) systems[kept++] = names[n];
    }
    *count = kept;
    return STATUS_OK;
}

static void load_peers(const bool chosen[LIBRARY_COUNT], Peer peers[LIBRARY_COUNT]) {
    bool some = false;
    for (int l = 0; l < LIBRARY_COUNT; l++) some = some || chosen[l];
    for (int l = 0; l < LIBRARY_COUNT; l++) {
        if (some && !chosen[l]) continue;
        peers[l] = peer_load(LIBRARIES[l].plug_in);
        if (!peers[l].solve)
            log_info("%s is not in this build (%s)", LIBRARIES[l].name, LIBRARIES[l].package);
    }
}

Status bench_solvers(MPI_Comm comm, const char *const *names, int count, bool variants) {
    bool chosen[LIBRARY_COUNT] = {false};
    Peer peers[LIBRARY_COUNT] = {{NULL, NULL}};
    const char **systems = ALLOCATE(count + 1, const char *);
    int ranks;
    MPI_Comm_size(comm, &ranks);
    Status status = sort_names(names, &count, systems, chosen);
    if (status == STATUS_OK) load_peers(chosen, peers);
    if (status == STATUS_OK)
        log_info("%d process%s\n  %-34s %s", ranks, ranks == 1 ? "" : "es", "",
                 "to 1e-6            with set-up             to 1e-10           with set-up       true "
                 "residual");
    for (Ground ground = 0; ground < GROUNDS && status == STATUS_OK; ground++) {
        Grid *grid = NULL;
        for (int n = 0; n < CASE_COUNT && status == STATUS_OK; n++) {
            if (CASES[n].ground != ground || !bench_wanted(CASES[n].name, systems, count)) continue;
            if (!grid) status = ground_create(comm, ground, &grid);
            if (status == STATUS_OK) status = bench_system(&CASES[n], grid, peers, variants);
        }
        grid_destroy(&grid);
    }
    memory_free(systems);
    return status;
}
