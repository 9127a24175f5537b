/* SPDX-License-Identifier: Apache-2.0
 *
 * HYPRE's solvers for `maeotis bench solvers` (bench/peer_solvers.h): PFMG and SMG on its structured
 * grids, where land is rows of the identity; BoomerAMG without land, columns of water in one piece. Each
 * preconditions conjugate gradients, or GMRES and BiCGStab where the matrix is not symmetric. PFMG with
 * SkipRelax 0: its default suits isotropic problems only.
 */
#include "bench/peers/rows.h"

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_ITERATIONS = 500, GMRES_RESTART = 30 };

typedef enum Multigrid { PFMG, SMG, BOOMERAMG } Multigrid;
typedef enum Method { CONJUGATE, GMRES, BICGSTAB } Method;

/* Of BoomerAMG: the strong threshold, and the smoother (6: symmetric Gauss-Seidel, 8: the same scaled by l1). */
typedef struct Kind {
    const char *name;
    Multigrid multigrid;
    Method method;
    double threshold;
    int relax;
} Kind;

static const Kind KINDS[] = {
    {"HYPRE PFMG", PFMG, CONJUGATE, 0, 0},
    {"HYPRE SMG", SMG, CONJUGATE, 0, 0},
    {"HYPRE BoomerAMG 0.25, relax 6", BOOMERAMG, CONJUGATE, 0.25, 6},
    {"HYPRE BoomerAMG 0.5, relax 8", BOOMERAMG, CONJUGATE, 0.5, 8},
    {"HYPRE PFMG, GMRES", PFMG, GMRES, 0, 0},
    {"HYPRE PFMG, BiCGStab", PFMG, BICGSTAB, 0, 0},
    {"HYPRE SMG, GMRES", SMG, GMRES, 0, 0},
    {"HYPRE BoomerAMG 0.25/6, GMRES", BOOMERAMG, GMRES, 0.25, 6},
    {"HYPRE BoomerAMG 0.5/8, GMRES", BOOMERAMG, GMRES, 0.5, 8},
    {"HYPRE BoomerAMG 0.5/8, BiCGStab", BOOMERAMG, BICGSTAB, 0.5, 8},
};
enum { SOLVERS = (int)(sizeof KINDS / sizeof *KINDS) };

PeerName peer_name;
PeerSolve peer_solve;

const char *peer_name(int solver) {
    return solver < SOLVERS ? KINDS[solver].name : NULL;
}

/* ---- around a multigrid cycle ---- */

typedef struct Problem {
    MPI_Comm comm;
    bool structured;
    HYPRE_Matrix a;
    HYPRE_Vector b, x;
} Problem;

typedef struct Cycle {
    HYPRE_Solver solver;
    HYPRE_PtrToSolverFcn solve, setup;
} Cycle;

/* A function for each of HYPRE's methods, whose functions differ by its name alone; it is destroyed as of either kind of problem. */
#define KRYLOV(name, NAME, settings)                                                                         \
    static void name(const Problem *t, const Cycle *m, double tolerance, PeerReport *report) {               \
        HYPRE_Solver krylov;                                                                                 \
        HYPRE_Int iterations;                                                                                \
        if (t->structured)                                                                                   \
            HYPRE_Struct##NAME##Create(t->comm, (HYPRE_StructSolver *)&krylov);                              \
        else                                                                                                 \
            HYPRE_ParCSR##NAME##Create(t->comm, &krylov);                                                    \
        HYPRE_##NAME##SetTol(krylov, tolerance);                                                             \
        HYPRE_##NAME##SetMaxIter(krylov, MOST_ITERATIONS);                                                   \
        HYPRE_##NAME##SetPrecond(krylov, m->solve, m->setup, m->solver);                                     \
        settings;                                                                                            \
        const double start = bench_clock(t->comm);                                                           \
        HYPRE_##NAME##Setup(krylov, t->a, t->b, t->x);                                                       \
        const double ready = bench_clock(t->comm);                                                           \
        HYPRE_##NAME##Solve(krylov, t->a, t->b, t->x);                                                       \
        report->setup_s = ready - start;                                                                     \
        report->solve_s = bench_clock(t->comm) - ready;                                                      \
        HYPRE_##NAME##GetNumIterations(krylov, &iterations);                                                 \
        report->iterations = (int)iterations;                                                                \
        HYPRE_ParCSR##NAME##Destroy(krylov);                                                                 \
    }

KRYLOV(solve_conjugate, PCG, HYPRE_PCGSetTwoNorm(krylov, 1))
KRYLOV(solve_gmres, GMRES, HYPRE_GMRESSetKDim(krylov, GMRES_RESTART))
KRYLOV(solve_bicgstab, BiCGSTAB, (void)0)

static void solve_by(Method method, const Problem *t, const Cycle *m, double tolerance, PeerReport *report) {
    if (method == CONJUGATE)
        solve_conjugate(t, m, tolerance, report);
    else if (method == GMRES)
        solve_gmres(t, m, tolerance, report);
    else
        solve_bicgstab(t, m, tolerance, report);
}

/* ---- structured ---- */

typedef struct Structured {
    HYPRE_StructGrid grid;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix a;
    HYPRE_StructVector b, x;
} Structured;

static void structured_create(const PeerSystem *s, const double *x0, Structured *t) {
    const int entries = 1 + s->dimensions * (s->symmetric ? 1 : 2);
    HYPRE_Int lower[3], upper[3], index[7];
    for (int d = 0; d < 3; d++) lower[d] = s->lower[d], upper[d] = s->upper[d];
    HYPRE_StructGridCreate(s->comm, s->dimensions, &t->grid);
    HYPRE_StructGridSetExtents(t->grid, lower, upper);
    HYPRE_StructGridAssemble(t->grid);
    HYPRE_StructStencilCreate(s->dimensions, entries, &t->stencil);
    for (int e = 0; e < entries; e++) {
        HYPRE_Int offset[3] = {0, 0, 0};
        if (e > 0) offset[(e - 1) % s->dimensions] = e <= s->dimensions ? -1 : 1;
        HYPRE_StructStencilSetElement(t->stencil, e, offset);
        index[e] = e;
    }
    HYPRE_StructMatrixCreate(s->comm, t->grid, t->stencil, &t->a);
    HYPRE_StructMatrixSetSymmetric(t->a, s->symmetric);
    HYPRE_StructMatrixInitialize(t->a);
    HYPRE_StructMatrixSetBoxValues(t->a, lower, upper, entries, index, (double *)s->values);
    HYPRE_StructMatrixAssemble(t->a);
    HYPRE_StructVectorCreate(s->comm, t->grid, &t->b);
    HYPRE_StructVectorInitialize(t->b);
    HYPRE_StructVectorSetBoxValues(t->b, lower, upper, (double *)s->rhs);
    HYPRE_StructVectorAssemble(t->b);
    HYPRE_StructVectorCreate(s->comm, t->grid, &t->x);
    HYPRE_StructVectorInitialize(t->x);
    HYPRE_StructVectorSetBoxValues(t->x, lower, upper, (double *)x0);
    HYPRE_StructVectorAssemble(t->x);
}

static void structured_destroy(Structured *t) {
    HYPRE_StructGridDestroy(t->grid);
    HYPRE_StructStencilDestroy(t->stencil);
    HYPRE_StructMatrixDestroy(t->a);
    HYPRE_StructVectorDestroy(t->b);
    HYPRE_StructVectorDestroy(t->x);
}

static HYPRE_StructSolver multigrid_create(MPI_Comm comm, Multigrid multigrid) {
    HYPRE_StructSolver m;
    if (multigrid == PFMG) {
        HYPRE_StructPFMGCreate(comm, &m);
        HYPRE_StructPFMGSetMaxIter(m, 1);
        HYPRE_StructPFMGSetTol(m, 0);
        HYPRE_StructPFMGSetZeroGuess(m);
        HYPRE_StructPFMGSetRelaxType(m, 2);
        HYPRE_StructPFMGSetSkipRelax(m, 0);
    } else {
        HYPRE_StructSMGCreate(comm, &m);
        HYPRE_StructSMGSetMaxIter(m, 1);
        HYPRE_StructSMGSetTol(m, 0);
        HYPRE_StructSMGSetZeroGuess(m);
        HYPRE_StructSMGSetNumPreRelax(m, 1);
        HYPRE_StructSMGSetNumPostRelax(m, 1);
    }
    return m;
}

static void solve_structured(const Kind *kind, const PeerSystem *s, double tolerance, double *x,
                             PeerReport *report) {
    Structured t;
    const bool pfmg = kind->multigrid == PFMG;
    HYPRE_StructSolver m = multigrid_create(s->comm, kind->multigrid);
    const Cycle cycle = {(HYPRE_Solver)m,
                         (HYPRE_PtrToSolverFcn)(pfmg ? HYPRE_StructPFMGSolve : HYPRE_StructSMGSolve),
                         (HYPRE_PtrToSolverFcn)(pfmg ? HYPRE_StructPFMGSetup : HYPRE_StructSMGSetup)};
    HYPRE_Int lower[3], upper[3];
    structured_create(s, x, &t);
    const Problem problem = {s->comm, true, (HYPRE_Matrix)t.a, (HYPRE_Vector)t.b, (HYPRE_Vector)t.x};
    solve_by(kind->method, &problem, &cycle, tolerance, report);
    for (int d = 0; d < 3; d++) lower[d] = s->lower[d], upper[d] = s->upper[d];
    HYPRE_StructVectorGetBoxValues(t.x, lower, upper, x);
    if (pfmg)
        HYPRE_StructPFMGDestroy(m);
    else
        HYPRE_StructSMGDestroy(m);
    structured_destroy(&t);
}

/* ---- algebraic ---- */

typedef struct Algebraic {
    HYPRE_IJMatrix a;
    HYPRE_IJVector b, x;
} Algebraic;

static HYPRE_BigInt last_of(const PeerRows *r) {
    return r->first + r->count - 1;
}

static HYPRE_IJVector vector_of(const PeerSystem *s, const PeerRows *r, const double *values) {
    HYPRE_IJVector v;
    HYPRE_IJVectorCreate(s->comm, r->first, last_of(r), &v);
    HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(v);
    for (int n = 0; n < peer_cells(s); n++) {
        const HYPRE_BigInt row = peer_row_of(r, n);
        if (row >= 0) HYPRE_IJVectorSetValues(v, 1, &row, &values[n]);
    }
    HYPRE_IJVectorAssemble(v);
    return v;
}

static void matrix_create_rows(const PeerSystem *s, const PeerRows *r, HYPRE_IJMatrix *a) {
    HYPRE_IJMatrixCreate(s->comm, r->first, last_of(r), r->first, last_of(r), a);
    HYPRE_IJMatrixSetObjectType(*a, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(*a);
    for (int n = 0; n < peer_cells(s); n++) {
        int column[PEER_ENTRIES];
        double values[PEER_ENTRIES];
        HYPRE_BigInt columns[PEER_ENTRIES];
        if (peer_row_of(r, n) < 0) continue;
        HYPRE_Int count = peer_row_entries(s, r, n, column, values);
        for (int e = 0; e < count; e++) columns[e] = column[e];
        HYPRE_IJMatrixSetValues(*a, 1, &count, columns, columns, values);
    }
    HYPRE_IJMatrixAssemble(*a);
}

static HYPRE_Solver boomeramg_create(const Kind *kind) {
    HYPRE_Solver m;
    HYPRE_BoomerAMGCreate(&m);
    HYPRE_BoomerAMGSetMaxIter(m, 1);
    HYPRE_BoomerAMGSetTol(m, 0);
    HYPRE_BoomerAMGSetCoarsenType(m, 10);
    HYPRE_BoomerAMGSetInterpType(m, 6);
    HYPRE_BoomerAMGSetPMaxElmts(m, 4);
    HYPRE_BoomerAMGSetRelaxType(m, kind->relax);
    HYPRE_BoomerAMGSetStrongThreshold(m, kind->threshold);
    return m;
}

static void solve_algebraic(const Kind *kind, const PeerSystem *s, double tolerance, double *x,
                            PeerReport *report) {
    PeerRows rows;
    Algebraic t;
    void *a, *b, *solution;
    const Cycle cycle = {boomeramg_create(kind), (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve,
                         (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup};
    peer_rows_create(s, &rows);
    matrix_create_rows(s, &rows, &t.a);
    t.b = vector_of(s, &rows, s->rhs);
    t.x = vector_of(s, &rows, x);
    HYPRE_IJMatrixGetObject(t.a, &a);
    HYPRE_IJVectorGetObject(t.b, &b);
    HYPRE_IJVectorGetObject(t.x, &solution);
    const Problem problem = {s->comm, false, a, b, solution};
    solve_by(kind->method, &problem, &cycle, tolerance, report);
    for (int n = 0; n < peer_cells(s); n++) {
        const HYPRE_BigInt row = peer_row_of(&rows, n);
        if (row >= 0) HYPRE_IJVectorGetValues(t.x, 1, &row, &x[n]);
    }
    HYPRE_BoomerAMGDestroy(cycle.solver);
    HYPRE_IJMatrixDestroy(t.a);
    HYPRE_IJVectorDestroy(t.b);
    HYPRE_IJVectorDestroy(t.x);
    peer_rows_release(&rows);
}

int peer_solve(int solver, const PeerSystem *s, double tolerance, double *x, PeerReport *report) {
    const Kind *kind = &KINDS[solver];
    if (s->symmetric != (kind->method == CONJUGATE)) return 1;
    static bool begun;
    if (!begun) HYPRE_Init();
    begun = true;
    memset(x, 0, (size_t)peer_cells(s) * sizeof *x);
    if (kind->multigrid == BOOMERAMG)
        solve_algebraic(kind, s, tolerance, x, report);
    else
        solve_structured(kind, s, tolerance, x, report);
    HYPRE_ClearAllErrors();
    return 0;
}
