/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/split.h"

#include "base/memory.h"
#include "model/momentum/implicit.h"
#include "model/momentum/neighbours.h"
#include "numerics/lines/lines.h"

typedef struct MomentumLines {
    LineLayout *layout;
    LineOperator *lines;
    double *a, *b, *c, *values; /* of the lines */
    unsigned told;
} MomentumLines;

struct SplitMomentum {
    const Grid *grid; /* not owned */
    Grid faces;
    RunList columns;
    MomentumLines direction[2]; /* along x, along y */
    double *a, *b, *c;          /* fields of rows; land keeps what it has */
    LineChoice choice;          /* of lines */
    /* what the operators were made for */
    double dt;
    double *wet; /* 2-D: 1 where the rows found water, else 0 */
};

Status split_momentum_create(const Grid *grid, bool along_x, LineChoice choice, SplitMomentum **out) {
    SplitMomentum *s = ALLOCATE(1, SplitMomentum);
    *out = s;
    s->grid = grid;
    s->choice = choice;
    s->faces = grid_of_faces(grid, along_x);
    s->columns = along_x ? grid->faces_u : grid->faces_v;
    s->wet = field2_create(grid);
    s->a = field3_create(grid);
    s->b = field3_create(grid);
    s->c = field3_create(grid);
    field3_fill(grid, s->b, 1.0);
    Status status = STATUS_OK;
    for (int d = 0; d < 2 && status == STATUS_OK; d++) {
        MomentumLines *direction = &s->direction[d];
        status = line_layout_of_grid(&s->faces, d == 0 ? LINES_X : LINES_Y, &direction->layout);
        if (status != STATUS_OK) break;
        double **arrays[] = {&direction->a, &direction->b, &direction->c, &direction->values};
        for (int n = 0; n < 4; n++) *arrays[n] = lines_allocate(direction->layout);
        for (ptrdiff_t m = 0; m < direction->layout->size; m++) direction->b[m] = 1.0;
    }
    if (status != STATUS_OK) split_momentum_destroy(out);
    return status;
}

void split_momentum_destroy(SplitMomentum **split) {
    SplitMomentum *s = *split;
    if (!s) return;
    for (int d = 0; d < 2; d++) {
        line_operator_destroy(&s->direction[d].lines);
        double *arrays[] = {s->direction[d].a, s->direction[d].b, s->direction[d].c, s->direction[d].values};
        for (int n = 0; n < 4; n++) memory_free(arrays[n]);
        line_layout_destroy(&s->direction[d].layout);
    }
    field3_destroy(s->grid, &s->a);
    field3_destroy(s->grid, &s->b);
    field3_destroy(s->grid, &s->c);
    field2_destroy(s->grid, &s->wet);
    memory_free(s);
    *split = NULL;
}

/* Has anything changed that the rows are made of? Notes what there is now. Collective. */
static bool rows_are_old(SplitMomentum *s, const Momentum *args) {
    uint64_t changes = 0;
    if (args->viscosity_c) return true;
    split_wet_changes(s->grid->exec, s->columns, (SplitWet){s->grid->row, args->faces.depth, s->wet},
                      &changes);
    int old = s->dt != args->dt || changes > 0;
    s->dt = args->dt;
    MPI_Allreduce(MPI_IN_PLACE, &old, 1, MPI_INT, MPI_MAX, s->grid->comm);
    return old;
}

/* Collective. */
static Status make_lines(const SplitMomentum *s, MomentumLines *d, Exec exec, SplitRows rows) {
    split_rows(exec, s->faces.blocks_c, rows);
    lines_from_field(d->layout, rows.a, d->a);
    lines_from_field(d->layout, rows.b, d->b);
    lines_from_field(d->layout, rows.c, d->c);
    TRY(line_operator_renew(d->layout, &(LineRows){.per_line = true, .a = d->a, .b = d->b, .c = d->c},
                            &s->choice, &d->lines));
    char *what = memory_format("viscosity of %s along %s", rows.momentum.faces.along == 1 ? "u" : "v",
                               d->layout->axis == LINES_X ? "x" : "y");
    line_operator_tell(d->lines, what, &d->told);
    memory_free(what);
    return STATUS_OK;
}

Status split_momentum_solve(SplitMomentum *s, Exec exec, Momentum args) {
    if (args.viscosity <= 0 && !args.viscosity_c) return STATUS_OK;
    const bool along_x = args.faces.along == 1, old = rows_are_old(s, &args);
    for (int d = 0; d < 2; d++) {
        MomentumLines *direction = &s->direction[d];
        const bool own = along_x == (d == 0);
        if (old)
            TRY(make_lines(s, direction, exec,
                           (SplitRows){args, own ? AHEAD : LEFT, own ? BEHIND : RIGHT, s->a, s->b, s->c}));
        lines_from_field(direction->layout, args.faces.predicted, direction->values);
        lines_solve(direction->lines, direction->values, direction->values);
        lines_to_field(direction->layout, direction->values, args.faces.predicted);
    }
    implicit_flux(exec, s->faces.blocks_c, args);
    return STATUS_OK;
}
