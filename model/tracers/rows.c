/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/rows.h"

#include "base/memory.h"

BlockRows block_rows_find(const Grid *g, const double *lowest, Rectangle of) {
    BlockRows rows = {.first = of.j0, .count = of.j1 - of.j0};
    const int first = of.i0 < 0 ? -BLOCK : 0;
    rows.start = ALLOCATE(rows.count + 1, int);
    rows.all.block = ALLOCATE((size_t)rows.count * (size_t)((of.i1 - first) / BLOCK + 1), Block);
    for (int n = 0; n < rows.count; n++) {
        const int j = rows.first + n;
        for (int i0 = first; i0 < of.i1; i0 += BLOCK) {
            bool some = false;
            for (int i = i0; i < i0 + BLOCK; i++)
                some |= i >= of.i0 && i < of.i1 && lowest[AT2(*g, i, j)] < g->n3;
            if (some) rows.all.block[rows.all.count++] = (Block){i0, j};
        }
        rows.start[n + 1] = rows.all.count;
    }
    return rows;
}

void block_rows_release(BlockRows *rows) {
    memory_free(rows->all.block);
    memory_free(rows->start);
}
