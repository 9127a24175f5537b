/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/product.h"

#include "base/memory.h"
#include "model/tracers/rows.h"

enum { WINDOW_ROWS = 8 }; /* fewer: more rows found twice; more: less of them in the cache */

struct Product {
    bool row_by_row;
    BlockRows u, v, c; /* faces of own cells, the outer ones too; own columns */
};

/* The blocks of the rows from 0 on that have a column with water. */
static BlockRows find_rows(const Grid *g, const double *lowest, int columns, int rows) {
    BlockRows found = {.count = rows};
    found.start = ALLOCATE(rows + 1, int);
    found.all.block = ALLOCATE((size_t)rows * (size_t)(columns / BLOCK + 1), Block);
    for (int j = 0; j < rows; j++) {
        for (int i0 = 0; i0 < columns; i0 += BLOCK) {
            bool some = false;
            for (int i = i0; i < i0 + BLOCK && i < columns; i++) some |= lowest[AT2(*g, i, j)] < g->n3;
            if (some) found.all.block[found.all.count++] = (Block){i0, j};
        }
        found.start[j + 1] = found.all.count;
    }
    return found;
}

Product *product_create(const Grid *g, Exec exec) {
    Product *p = ALLOCATE(1, Product);
    p->row_by_row = exec.device == DEVICE_CPU;
    p->u = find_rows(g, g->bottom_u, g->n1 + 1, g->n2);
    p->v = find_rows(g, g->bottom_v, g->n1, g->n2 + 1);
    p->c = find_rows(g, g->bottom_c, g->n1, g->n2);
    return p;
}

void product_destroy(Product **product) {
    Product *p = *product;
    if (!p) return;
    const BlockRows *rows[] = {&p->u, &p->v, &p->c};
    for (int n = 0; n < 3; n++) {
        memory_free(rows[n]->all.block);
        memory_free(rows[n]->start);
    }
    memory_free(p);
    *product = NULL;
}

/* The accelerations of all rows share the memory of a window of rows, so that they need not leave the cache. Where the
 * window begins again, the faces between its last row and the next are found for both. */
static void find_row_by_row(const Product *p, Exec exec, PressureGradient u, PressureGradient v,
                            PressureColumns columns) {
    for (int j = 0; j < p->c.count; j++) {
        if (j % WINDOW_ROWS == 0) {
            const ptrdiff_t back = j > 0 ? WINDOW_ROWS * columns.g.row : 0;
            u.acceleration -= back;
            v.acceleration -= back;
            columns.acceleration_u -= back;
            columns.acceleration_v -= back;
            pressure_gradient(exec, block_row(&p->v, j), v);
        }
        pressure_gradient(exec, block_row(&p->u, j), u);
        pressure_gradient(exec, block_row(&p->v, j + 1), v);
        pressure_apply(exec, block_row(&p->c, j), columns);
    }
}

void product_find(const Product *p, Exec exec, PressureGradient u, PressureGradient v,
                  PressureColumns columns) {
    if (p->row_by_row) {
        find_row_by_row(p, exec, u, v, columns);
        return;
    }
    pressure_gradient(exec, p->u.all, u);
    pressure_gradient(exec, p->v.all, v);
    pressure_apply(exec, p->c.all, columns);
}
