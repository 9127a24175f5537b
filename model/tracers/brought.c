/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/brought.h"

#include "base/memory.h"

/* A list of columns or faces, and what is gathered of it. */
typedef struct Gathered {
    int count;
    RunList list;
    double *part;
} Gathered;

struct Brought {
    Exec exec;
    ptrdiff_t *column; /* rivers', then sponges' */
    int room;
    const OpenFace *face; /* not owned */
    Gathered rivers, sponges, faces;
};

static void add_column(void *context, ptrdiff_t column) {
    Brought *b = context;
    const int count = b->rivers.count + b->sponges.count;
    if (count == b->room) b->column = ENLARGE(b->column, b->room = 2 * count + 16, ptrdiff_t);
    b->column[count] = column;
    b->sponges.count++;
}

static void prepare(Gathered *g, int parts) {
    g->list = flat_list(g->count);
    g->part = ALLOCATE((size_t)g->count * (size_t)parts + 1, double);
}

void brought_create(const Grid *grid, const Rivers *rivers, const Boundaries *boundaries, Brought **out) {
    Brought *b = *out = ALLOCATE(1, Brought);
    b->exec = grid->exec;
    rivers_each_column(rivers, add_column, b);
    b->rivers.count = b->sponges.count;
    b->sponges.count = 0;
    boundaries_each_soaked(boundaries, add_column, b);
    b->face = boundaries_faces(boundaries, &b->faces.count);
    prepare(&b->rivers, 2 * MOST_CARRIED * grid->n3);
    prepare(&b->sponges, 2 * MOST_CARRIED * grid->n3);
    prepare(&b->faces, MOST_CARRIED * grid->n3);
}

void brought_destroy(Brought **brought) {
    Brought *b = *brought;
    if (!b) return;
    Gathered *all[] = {&b->rivers, &b->sponges, &b->faces};
    for (int n = 0; n < 3; n++) {
        memory_free(all[n]->list.run);
        memory_free(all[n]->part);
    }
    memory_free(b->column);
    memory_free(b);
    *brought = NULL;
}

void brought_add(const Brought *b, const Transport *transport, ExactSum *const *sum) {
    const int n3 = transport->g.n3;
    if (b->rivers.count + b->sponges.count + b->faces.count == 0) return;
    BroughtParts args = {*transport, b->column, b->face, b->rivers.count, b->rivers.part};
    brought_by_sources(b->exec, b->rivers.list, args);
    if (b->column) args.column = b->column + b->rivers.count; /* NULL: only faces bring something */
    args.count = b->sponges.count, args.part = b->sponges.part;
    brought_by_sources(b->exec, b->sponges.list, args);
    args.count = b->faces.count, args.part = b->faces.part;
    brought_through_faces(b->exec, b->faces.list, args);
    for (int n = 0; n < transport->count; n++) {
        const int rivers = 2 * b->rivers.count * n3, sponges = 2 * b->sponges.count * n3,
                  faces = b->faces.count * n3;
        ExactSum *came = reduce_begin(b->exec, 1, sum[2 * n]);
        reduce_add_terms(b->exec, b->rivers.part + (ptrdiff_t)n * rivers, rivers, came);
        ExactSum *through = reduce_begin(b->exec, 1, sum[2 * n + 1]);
        reduce_add_terms(b->exec, b->sponges.part + (ptrdiff_t)n * sponges, sponges, through);
        reduce_add_terms(b->exec, b->faces.part + (ptrdiff_t)n * faces, faces, through);
    }
}
