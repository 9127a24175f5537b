/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/implicit.h"

#include "base/memory.h"

enum { FIELDS = 7 };

struct ImplicitMomentum {
    const Grid *grid; /* not owned */
    Grid faces;
    BlockList blocks;
    Matm *matm;
    double tolerance;
    int max_iterations;
    double *field[FIELDS]; /* centre, and the couplings to the sides */
    double *push, *braking;
};

Status implicit_momentum_create(const Grid *grid, Exec exec, bool along_x, MatmStep step,
                                MatmPrecision precision, double tolerance, int max_iterations, Faces *faces,
                                ImplicitMomentum **out) {
    /* not left to the first matrix: a restarted run meets another one, and has to do the same */
    const MatmOptions options = {.diagonal = MATM_D_LINES, .step = step, .precision = precision};
    ImplicitMomentum *m = ALLOCATE(1, ImplicitMomentum);
    *out = m;
    m->grid = grid;
    m->faces = grid_of_faces(grid, along_x);
    m->blocks = m->faces.blocks_c;
    m->tolerance = tolerance;
    m->max_iterations = max_iterations;
    for (int n = 0; n < FIELDS; n++) m->field[n] = field3_create(grid);
    faces->push = m->push = field3_create(grid);
    faces->braking = m->braking = field2_create(grid);
    Status status = matm_create(&m->faces, exec, &options, &m->matm);
    if (status != STATUS_OK) implicit_momentum_destroy(out);
    return status;
}

void implicit_momentum_destroy(ImplicitMomentum **implicit) {
    ImplicitMomentum *m = *implicit;
    if (!m) return;
    matm_destroy(&m->matm);
    for (int n = 0; n < FIELDS; n++) field3_destroy(m->grid, &m->field[n]);
    field3_destroy(m->grid, &m->push);
    field2_destroy(m->grid, &m->braking);
    memory_free(m);
    *implicit = NULL;
}

Status implicit_momentum_solve(ImplicitMomentum *m, Exec exec, Momentum args, SolveReport *report) {
    double **f = m->field;
    const bool along_x = args.faces.along == 1;
    /* the right side takes the place of its own first part */
    implicit_assemble(exec, m->blocks,
                      (ImplicitRows){args, f[0], m->push, {f[1], f[2], f[3], f[4], f[5], f[6]}});
    TRY(matm_setup(m->matm, &(Stencil){.g = grid_view(&m->faces),
                                       .centre = f[0],
                                       .east = f[along_x ? 1 : 3],
                                       .west = f[along_x ? 2 : 4],
                                       .north = f[along_x ? 3 : 1],
                                       .south = f[along_x ? 4 : 2],
                                       .upper = f[5],
                                       .lower = f[6]}));
    TRY(matm_solve(m->matm, m->push, args.faces.predicted, m->tolerance, m->max_iterations, report));
    implicit_flux(exec, m->blocks, args);
    return STATUS_OK;
}
