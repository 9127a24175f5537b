/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "model/subgrid/making.h"
#include <stdlib.h>

/* A pixel of a cell, its place from the cell's middle [cells]. */
typedef struct Placed {
    double height, weight, x, y;
} Placed;

/* Of equal heights by place: the order of sums must not be left to the library's sort. */
static int by_height(const void *a, const void *b) {
    const Placed *p = a, *q = b;
    if (p->height != q->height) return p->height > q->height ? 1 : -1;
    if (p->y != q->y) return p->y > q->y ? 1 : -1;
    return (p->x > q->x) - (p->x < q->x);
}

/* Those that can be wet; returns their number. */
static int placed_of_cell(const Making *k, int i, int j, Placed *p) {
    const int columns = k->x.count[i], rows = k->y.count[j];
    int count = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const double height = making_height(k, k->x.first[i] + c, k->y.first[j] + r);
            const double weight =
                k->x.weight[k->x.start[i] + (size_t)c] * k->y.weight[k->y.start[j] + (size_t)r];
            if (height < k->level && weight > 0)
                p[count++] = (Placed){height, weight, (c + 0.5) / columns - 0.5, (r + 0.5) / rows - 0.5};
        }
    return count;
}

void find_lean(const Making *k, int i, int j, double *lean_x, double *lean_y) {
    Placed *p = ALLOCATE((size_t)k->x.count[i] * (size_t)k->y.count[j] + 1, Placed);
    const int count = placed_of_cell(k, i, j, p);
    double all = 0, x = 0, y = 0, lower = 0;
    for (int n = 0; n < count; n++) all += p[n].weight, x += p[n].weight * p[n].x, y += p[n].weight * p[n].y;
    const double middle_x = x / fmax(all, 1e-300), middle_y = y / fmax(all, 1e-300);
    qsort(p, (size_t)count, sizeof *p, by_height);
    *lean_x = *lean_y = 0;
    for (int n = 0, next; n < count; n = next) { /* all of one height together */
        double weight = 0;
        x = y = 0;
        for (next = n; next < count && p[next].height == p[n].height; next++) {
            weight += p[next].weight;
            x += p[next].weight * (p[next].x - middle_x), y += p[next].weight * (p[next].y - middle_y);
        }
        const double rank = (lower + 0.5 * weight) / all;
        *lean_x -= 6 * rank * x / all, *lean_y -= 6 * rank * y / all;
        lower += weight;
    }
    memory_free(p);
}
