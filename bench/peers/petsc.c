/* SPDX-License-Identifier: Apache-2.0
 *
 * PETSc's Krylov methods with incomplete factors for `maeotis bench solvers` (bench/peer_solvers.h). Columns of
 * water are contiguous, so that ICC(0) and ILU(0) solve them exactly; on several ranks each factorises its own
 * block. Methods stop by the true residual's norm, not by the preconditioned one. The set-up that counts is one
 * for new numbers in a known pattern.
 */
#include "bench/peers/rows.h"

#include <petscksp.h>
#include <string.h>

enum { MOST_ITERATIONS = 1000 };

typedef struct Kind {
    const char *name;
    bool symmetric; /* for such systems; else for the others */
    const char *matrix, *method, *factors;
} Kind;

static const Kind KINDS[] = {
    {"PETSc CG, ICC(0)", true, MATAIJ, KSPCG, PCICC},
    {"PETSc CG, ICC(0), half stored", true, MATSBAIJ, KSPCG, PCICC},
    {"PETSc CG, ILU(0)", true, MATAIJ, KSPCG, PCILU},
    {"PETSc GMRES, ILU(0)", false, MATAIJ, KSPGMRES, PCILU},
    {"PETSc BCGS, ILU(0)", false, MATAIJ, KSPBCGS, PCILU},
};
enum { SOLVERS = (int)(sizeof KINDS / sizeof *KINDS) };

PeerName peer_name;
PeerSolve peer_solve;

const char *peer_name(int solver) {
    return solver < SOLVERS ? KINDS[solver].name : NULL;
}

#define DO(call) PetscCallAbort(PETSC_COMM_SELF, call)

static void begin(void) {
    static bool begun;
    if (begun) return;
    PETSC_COMM_WORLD = MPI_COMM_SELF; /* ranks that measure nothing do not come here */
    DO(PetscInitializeNoArguments());
    DO(PetscPopSignalHandler());
    begun = true;
}

static Mat matrix_create(const PeerSystem *s, const PeerRows *r, const char *type) {
    Mat a;
    DO(MatCreate(s->comm, &a));
    DO(MatSetSizes(a, r->count, r->count, PETSC_DETERMINE, PETSC_DETERMINE));
    DO(MatSetType(a, type));
    /* whichever the type is: the others do nothing */
    DO(MatSeqAIJSetPreallocation(a, PEER_ENTRIES, NULL));
    DO(MatMPIAIJSetPreallocation(a, PEER_ENTRIES, NULL, PEER_ENTRIES, NULL));
    DO(MatSeqSBAIJSetPreallocation(a, 1, PEER_ENTRIES, NULL));
    DO(MatMPISBAIJSetPreallocation(a, 1, PEER_ENTRIES, NULL, PEER_ENTRIES, NULL));
    if (strcmp(type, MATSBAIJ) == 0) DO(MatSetOption(a, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
    for (int n = 0; n < peer_cells(s); n++) {
        int column[PEER_ENTRIES];
        double value[PEER_ENTRIES];
        if (peer_row_of(r, n) < 0) continue;
        const int count = peer_row_entries(s, r, n, column, value);
        DO(MatSetValues(a, 1, column, count, column, value, INSERT_VALUES));
    }
    DO(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    DO(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    if (s->symmetric) DO(MatSetOption(a, MAT_SPD, PETSC_TRUE));
    return a;
}

static KSP method_create(const PeerSystem *s, const Kind *kind, Mat a, double tolerance) {
    KSP method;
    PC pc;
    int ranks;
    MPI_Comm_size(s->comm, &ranks);
    DO(KSPCreate(s->comm, &method));
    DO(KSPSetOperators(method, a, a));
    DO(KSPSetType(method, kind->method));
    if (!kind->symmetric) DO(KSPSetPCSide(method, PC_RIGHT));
    DO(KSPSetNormType(method, KSP_NORM_UNPRECONDITIONED));
    DO(KSPSetTolerances(method, tolerance, 0, PETSC_DEFAULT, MOST_ITERATIONS));
    DO(KSPGetPC(method, &pc));
    DO(PCSetType(pc, ranks > 1 ? PCBJACOBI : kind->factors));
    if (ranks > 1) {
        KSP *block;
        DO(KSPSetUp(method));
        DO(PCBJacobiGetSubKSP(pc, NULL, NULL, &block));
        DO(KSPGetPC(block[0], &pc));
        DO(PCSetType(pc, kind->factors));
    }
    return method;
}

static void set_up(KSP method) {
    DO(KSPSetUp(method));
    DO(KSPSetUpOnBlocks(method));
}

/* Between the numbers of a box and those of a vector. */
static void copy(const PeerSystem *s, const PeerRows *r, Vec vector, const double *from, double *to) {
    double *own;
    DO(VecGetArray(vector, &own));
    for (int n = 0; n < peer_cells(s); n++) {
        const int row = peer_row_of(r, n) - r->first;
        if (row < 0) continue;
        if (from) own[row] = from[n];
        if (to) to[n] = own[row];
    }
    DO(VecRestoreArray(vector, &own));
}

int peer_solve(int solver, const PeerSystem *s, double tolerance, double *x, PeerReport *report) {
    const Kind *kind = &KINDS[solver];
    PeerRows rows;
    Vec solution, rhs;
    PetscInt iterations;
    if (kind->symmetric != s->symmetric) return 1;
    begin();
    memset(x, 0, (size_t)peer_cells(s) * sizeof *x);
    peer_rows_create(s, &rows);
    Mat a = matrix_create(s, &rows, kind->matrix);
    DO(MatCreateVecs(a, &solution, &rhs));
    copy(s, &rows, rhs, s->rhs, NULL);
    KSP method = method_create(s, kind, a, tolerance);
    set_up(method);
    DO(MatScale(a, 2)); /* for PETSc, new numbers */
    DO(MatScale(a, 0.5));
    DO(KSPSetOperators(method, a, a));
    const double start = bench_clock(s->comm);
    set_up(method);
    const double ready = bench_clock(s->comm);
    DO(KSPSolve(method, rhs, solution));
    report->setup_s = ready - start;
    report->solve_s = bench_clock(s->comm) - ready;
    DO(KSPGetIterationNumber(method, &iterations));
    report->iterations = (int)iterations;
    copy(s, &rows, solution, NULL, x);
    DO(KSPDestroy(&method));
    DO(MatDestroy(&a));
    DO(VecDestroy(&solution));
    DO(VecDestroy(&rhs));
    peer_rows_release(&rows);
    return 0;
}
