/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/making.h"

#include "base/memory.h"

/* Adds a place; neighbours in a row share a run. */
static void add_place(RunList *list, int *room, int i, int j) {
    Run *last = list->count > 0 ? &list->run[list->count - 1] : NULL;
    list->elements++;
    if (last && last->j == j && last->i1 == i) {
        last->i1++;
        return;
    }
    if (list->count == *room) list->run = ENLARGE(list->run, *room = 2 * *room + 64, Run);
    list->run[list->count++] = (Run){i, i + 1, j, 0};
}

RunList take_sills(const Grid *g, const RunList *faces, SubgridWays *ways) {
    RunList list = {0};
    int room = 0;
    for (int n = 0; n < faces->count; n++)
        for (int i = faces->run[n].i0; i < faces->run[n].i1; i++)
            if (ways->sill[AT2(*g, i, faces->run[n].j)] > 0) add_place(&list, &room, i, faces->run[n].j);
    field2_destroy(g, &ways->sill);
    return list;
}

RunList places_beside(const Grid *g) {
    RunList list = {0};
    int room = 0, next = 0;
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const Run *r = g->columns.run + next;
            const bool column = next < g->columns.count && r->j == j && r->i0 <= i;
            if (!column) add_place(&list, &room, i, j);
            if (column && i == r->i1 - 1) next++;
        }
    return list;
}
