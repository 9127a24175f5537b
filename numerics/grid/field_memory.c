/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of one rank. Columns and cells share one distance between rows, so that one index serves both. Where rows are
 * the slowest index, it leaves room in a row for a line of every level: as many 2-D fields share a block of the size
 * of a 3-D one, each with the lines of one level.
 */
#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/grid/grid.h"
#include "numerics/grid/poison.h"

/* 2-D fields that share memory. */
typedef struct Shared {
    struct Shared *next;
    double *memory;
    int taken;
    bool is_taken[]; /* by level */
} Shared;

struct FieldStore {
    Shared *first;
};

static int rows_of(const Grid *g) {
    return g->n2 + 2 * HALO + 1;
}

/* The first number of a 2-D field that the grid reaches; its rows have `line` numbers. */
static double *start_of(const Grid *g, double *field) {
    return field - g->origin2;
}

FieldStore *field_store_create(void) {
    return ALLOCATE(1, FieldStore);
}

static Shared *shared_create(const Grid *g) {
    Shared *block = (Shared *)memory_allocate(1, sizeof(Shared) + (size_t)g->flat_fields * sizeof(bool));
    block->memory = ALLOCATE(g->size2, double);
    block->next = g->store->first;
    g->store->first = block;
    return block;
}

static Shared *block_with_room(const Grid *g) {
    for (Shared *block = g->store->first; block; block = block->next)
        if (block->taken < g->flat_fields) return block;
    return shared_create(g);
}

double *field2_create(const Grid *g) {
    Shared *block = block_with_room(g);
    int level = 0;
    while (block->is_taken[level]) level++;
    block->is_taken[level] = true;
    block->taken++;
    double *field = block->memory + level * g->line + g->origin2;
    field2_fill(g, field, 0); /* somebody may have had it before */
    poison_beyond_edges(g, 1, field);
    return field;
}

double *field3_create(const Grid *g) {
    double *field = ALLOCATE(g->size3, double) + g->origin3;
    poison_beyond_edges(g, g->n3, field);
    return field;
}

void field2_fill(const Grid *g, double *field, double value) {
    double *row = start_of(g, field);
    for (int j = 0; j < rows_of(g); j++, row += g->row)
        for (ptrdiff_t i = 0; i < g->line; i++) row[i] = value;
}

CopyRows field2_rows(const Grid *g) {
    const size_t apart = (size_t)g->row * sizeof(double);
    return (CopyRows){(size_t)g->line * sizeof(double), apart, apart, rows_of(g)};
}

void field2_copy(Exec exec, const Grid *g, const double *from, double *to) {
    exec_copy_rows(exec, to - g->origin2, from ? from - g->origin2 : NULL, field2_rows(g));
}

void field3_fill(const Grid *g, double *field, double value) {
    for (ptrdiff_t m = -g->origin3; m < g->size3 - g->origin3; m++) field[m] = value;
}

void field3_copy(Exec exec, const Grid *g, const double *from, double *to) {
    exec_copy(exec, to - g->origin3, from ? from - g->origin3 : NULL, (size_t)g->size3 * sizeof(double));
}

void field2_destroy(const Grid *g, double **field) {
    Shared **link = &g->store->first;
    if (!*field) return;
    exec_wait(g->exec); /* a kernel may still use it */
    const double *start = start_of(g, *field);
    while (start < (*link)->memory || start >= (*link)->memory + g->size2) link = &(*link)->next;
    Shared *block = *link;
    block->is_taken[(start - block->memory) / g->line] = false;
    if (--block->taken == 0) {
        *link = block->next;
        memory_free(block->memory);
        memory_free(block);
    }
    *field = NULL;
}

void field3_destroy(const Grid *g, double **field) {
    if (*field) memory_free(*field - g->origin3);
    *field = NULL;
}
