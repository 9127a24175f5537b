/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/split.h"

#include "base/memory.h"
#include "model/momentum/implicit.h"
#include "model/momentum/neighbours.h"
#include "numerics/lines/lines.h"

typedef struct Direction {
    LineLayout *layout;
    LineOperator *lines;
    double *values; /* of the lines */
} Direction;

struct SplitMomentum {
    const Grid *grid; /* not owned */
    Grid faces;
    RunList columns;
    Direction direction[2]; /* along x, along y */
    /* what the operators were made for */
    double dt, viscosity;
    unsigned char *wet;
};

Status split_momentum_create(const Grid *grid, bool along_x, SplitMomentum **out) {
    SplitMomentum *s = ALLOCATE(1, SplitMomentum);
    *out = s;
    s->grid = grid;
    s->faces = grid_of_faces(grid, along_x);
    s->columns = along_x ? grid->faces_u : grid->faces_v;
    s->wet = ALLOCATE(grid->size2, unsigned char);
    Status status = STATUS_OK;
    for (int d = 0; d < 2 && status == STATUS_OK; d++) {
        Direction *direction = &s->direction[d];
        status = line_layout_of_grid(&s->faces, d == 0 ? LINES_X : LINES_Y, &direction->layout);
        if (status == STATUS_OK) direction->values = lines_allocate(direction->layout);
    }
    if (status != STATUS_OK) split_momentum_destroy(out);
    return status;
}

void split_momentum_destroy(SplitMomentum **split) {
    SplitMomentum *s = *split;
    if (!s) return;
    for (int d = 0; d < 2; d++) {
        line_operator_destroy(&s->direction[d].lines);
        memory_free(s->direction[d].values);
        line_layout_destroy(&s->direction[d].layout);
    }
    memory_free(s->wet);
    memory_free(s);
    *split = NULL;
}

/* Has anything changed that the rows are made of? Notes what there is now. Collective. */
static bool rows_are_old(SplitMomentum *s, const Momentum *args) {
    int old = s->dt != args->dt || s->viscosity != args->viscosity;
    for (int n = 0; n < s->columns.count; n++) {
        const Run r = s->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const unsigned char wet = args->faces.depth[AT2(*s->grid, i, r.j)] > 0;
            unsigned char *before = &s->wet[s->grid->origin2 + AT2(*s->grid, i, r.j)];
            old |= *before != wet;
            *before = wet;
        }
    }
    s->dt = args->dt;
    s->viscosity = args->viscosity;
    MPI_Allreduce(MPI_IN_PLACE, &old, 1, MPI_INT, MPI_MAX, s->grid->comm);
    return old;
}

/* Collective. */
static Status make_lines(SplitMomentum *s, Direction *d, Exec exec, const SplitRows *args) {
    double *field[3], *rows[3];
    for (int n = 0; n < 3; n++) {
        field[n] = field3_create(s->grid);
        rows[n] = lines_allocate(d->layout);
    }
    /* land keeps what it has */
    for (ptrdiff_t m = 0; m < d->layout->size; m++) rows[1][m] = 1.0;
    for (ptrdiff_t m = 0; m < s->grid->size3; m++) field[1][m - s->grid->origin3] = 1.0;
    SplitRows to = *args;
    to.a = field[0];
    to.b = field[1];
    to.c = field[2];
    split_rows(exec, s->faces.blocks_c, to);
    for (int n = 0; n < 3; n++) lines_from_field(d->layout, field[n], rows[n]);
    line_operator_destroy(&d->lines);
    const Status status = line_operator_create(
        d->layout, &(LineRows){.per_line = true, .a = rows[0], .b = rows[1], .c = rows[2]}, &(LineChoice){0},
        &d->lines);
    for (int n = 0; n < 3; n++) {
        field3_destroy(s->grid, &field[n]);
        memory_free(rows[n]);
    }
    return status;
}

Status split_momentum_solve(SplitMomentum *s, Exec exec, Momentum args) {
    if (args.viscosity <= 0) return STATUS_OK;
    const bool along_x = args.faces.along == 1, old = rows_are_old(s, &args);
    for (int d = 0; d < 2; d++) {
        Direction *direction = &s->direction[d];
        const bool own = along_x == (d == 0);
        if (old)
            TRY(make_lines(s, direction, exec,
                           &(SplitRows){args, own ? AHEAD : LEFT, own ? BEHIND : RIGHT, NULL, NULL, NULL}));
        lines_from_field(direction->layout, args.faces.predicted, direction->values);
        lines_solve(direction->lines, direction->values, direction->values);
        lines_to_field(direction->layout, direction->values, args.faces.predicted);
    }
    implicit_flux(exec, s->faces.blocks_c, args);
    return STATUS_OK;
}
