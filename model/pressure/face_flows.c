/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/face_flows.h"

#include "base/memory.h"
#include "model/tracers/rows.h"

enum { FIELDS = 2 }; /* of a FaceFlow */

struct Flows {
    bool row_by_row;
    ptrdiff_t row;
    BlockRows u, v, c; /* faces of own cells, the outer ones too; own columns */
    double *memory;    /* of a processor: three rows, those of v by turns */
    FaceFlow of_u, of_v[2];
    FaceFlow whole[2]; /* of devices: u, v */
    const Grid *grid;
};

/* One row of each; a place in it is that in row 0 of a field. */
static FaceFlow take_row(const Grid *g, double **next) {
    FaceFlow flow;
    flow.flux = *next + BLOCK;
    flow.tilted = flow.flux + g->row;
    *next += FIELDS * g->row;
    return flow;
}

Flows *flows_create(const Grid *g, Exec exec) {
    Flows *f = ALLOCATE(1, Flows);
    f->row_by_row = exec.device == DEVICE_CPU;
    f->grid = g;
    f->row = g->row;
    f->u = block_rows_find(g, g->bottom_u, (Rectangle){0, g->n1 + 1, 0, g->n2});
    f->v = block_rows_find(g, g->bottom_v, (Rectangle){0, g->n1, 0, g->n2 + 1});
    f->c = block_rows_find(g, g->bottom_c, (Rectangle){0, g->n1, 0, g->n2});
    if (f->row_by_row) {
        double *next = f->memory = ALLOCATE((size_t)(3 * FIELDS * g->row) + 4 * BLOCK, double);
        f->of_u = take_row(g, &next);
        for (int n = 0; n < 2; n++) f->of_v[n] = take_row(g, &next);
    } else
        for (int n = 0; n < 2; n++) f->whole[n] = (FaceFlow){field3_create(g), field3_create(g)};
    return f;
}

void flows_destroy(Flows **flows) {
    Flows *f = *flows;
    if (!f) return;
    BlockRows *rows[] = {&f->u, &f->v, &f->c};
    for (int n = 0; n < 3; n++) block_rows_release(rows[n]);
    for (int n = 0; n < 2; n++) {
        field3_destroy(f->grid, &f->whole[n].flux);
        field3_destroy(f->grid, &f->whole[n].tilted);
    }
    memory_free(f->memory);
    memory_free(f);
    *flows = NULL;
}

static FaceFlow shifted(FaceFlow flow, ptrdiff_t by) {
    return (FaceFlow){flow.flux + by, flow.tilted + by};
}

static void find_row_by_row(const Flows *f, Exec exec, FlowWork work) {
    work.faces(work.context, exec, false, block_row(&f->v, 0), f->of_v[0]);
    for (int j = 0; j < f->c.count; j++) {
        const ptrdiff_t back = -j * f->row;
        const FaceFlow south = f->of_v[j % 2], north = f->of_v[(j + 1) % 2];
        const SideFlows flows = {shifted(f->of_u, back), shifted(south, back), shifted(north, back)};
        work.faces(work.context, exec, true, block_row(&f->u, j), flows.u);
        work.faces(work.context, exec, false, block_row(&f->v, j + 1), shifted(north, back - f->row));
        work.columns(work.context, exec, block_row(&f->c, j), flows);
    }
}

void flows_find(const Flows *f, Exec exec, FlowWork work) {
    if (f->row_by_row) {
        find_row_by_row(f, exec, work);
        return;
    }
    work.faces(work.context, exec, true, f->u.all, f->whole[0]);
    work.faces(work.context, exec, false, f->v.all, f->whole[1]);
    work.columns(work.context, exec, f->c.all,
                 (SideFlows){f->whole[0], f->whole[1], shifted(f->whole[1], f->row)});
}
