/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pressure/product.h"

#include "base/memory.h"
#include "model/tracers/rows.h"

enum { WINDOW_ROWS = 8 }; /* fewer: more rows found twice; more: less of them in the cache */

struct Product {
    bool row_by_row;
    BlockRows u, v, c; /* faces of own cells, the outer ones too; own columns */
};

Product *product_create(const Grid *g, Exec exec) {
    Product *p = ALLOCATE(1, Product);
    p->row_by_row = exec.device == DEVICE_CPU;
    p->u = block_rows_find(g, g->bottom_u, (Rectangle){0, g->n1 + 1, 0, g->n2});
    p->v = block_rows_find(g, g->bottom_v, (Rectangle){0, g->n1, 0, g->n2 + 1});
    p->c = block_rows_find(g, g->bottom_c, (Rectangle){0, g->n1, 0, g->n2});
    return p;
}

void product_destroy(Product **product) {
    Product *p = *product;
    if (!p) return;
    BlockRows *rows[] = {&p->u, &p->v, &p->c};
    for (int n = 0; n < 3; n++) block_rows_release(rows[n]);
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
