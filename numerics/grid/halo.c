/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/halo.h"

#include "base/memory.h"
#include <string.h>

/* Collective among neighbours, and matched by order of calls: all ranks exchange the same fields. */
struct Halo {
    const Grid *grid;
    int levels;
    double *send[2], *receive[2]; /* to and from the lower (west, south) and the upper side */
};

/* A rectangle of columns: rows j0 <= j < j1, columns i0 <= i < i1. */
typedef struct Patch {
    int i0, i1, j0, j1;
} Patch;

/* Room for `levels` levels on every side. */
static void make_room(Halo *halo, int levels) {
    const Grid *g = halo->grid;
    int longest = g->n1 > g->n2 ? g->n1 : g->n2;
    size_t count = (size_t)levels * HALO * (size_t)(longest + 2 * HALO);
    if (levels <= halo->levels) return;
    halo->levels = levels;
    for (int side = 0; side < 2; side++) {
        memory_free(halo->send[side]);
        memory_free(halo->receive[side]);
        halo->send[side] = ALLOCATE(count, double);
        halo->receive[side] = ALLOCATE(count, double);
    }
}

Status halo_create(const Grid *grid, int levels, Halo **out) {
    *out = ALLOCATE(1, Halo);
    (*out)->grid = grid;
    make_room(*out, levels);
    return STATUS_OK;
}

void halo_destroy(Halo **halo) {
    if (!*halo) return;
    for (int side = 0; side < 2; side++) {
        memory_free((*halo)->send[side]);
        memory_free((*halo)->receive[side]);
    }
    memory_free(*halo);
    *halo = NULL;
}

typedef struct FieldSet {
    int n2, n3;
    double *const *fields2, *const *fields3;
} FieldSet;

/* Copies the patch of every field to the buffer or back; returns the number of values. */
static int copy_patch(const Grid *g, const FieldSet *set, Patch patch, double *buffer, bool pack) {
    int count = 0, width = patch.i1 - patch.i0;
    for (int f = 0; f < set->n2 + set->n3; f++) {
        double *field = f < set->n2 ? set->fields2[f] : set->fields3[f - set->n2];
        int levels = f < set->n2 ? 1 : g->n3;
        for (int k = 0; k < levels; k++)
            for (int j = patch.j0; j < patch.j1; j++) {
                double *row = field + AT(*g, patch.i0, j, k);
                for (int i = 0; i < width; i++) {
                    if (pack)
                        buffer[count + i] = row[i];
                    else
                        row[i] = buffer[count + i];
                }
                count += width;
            }
    }
    return count;
}

/* Sends `inner` patches to both sides and fills the `outer` ones; [0] is the lower side. */
static void exchange_sides(Halo *halo, const FieldSet *set, const int neighbour[2], const Patch inner[2],
                           const Patch outer[2]) {
    const Grid *g = halo->grid;
    MPI_Request request[4];
    int requests = 0, levels = set->n2 + set->n3 * g->n3;
    for (int side = 0; side < 2; side++) {
        if (neighbour[side] == MPI_PROC_NULL) continue;
        int count = levels * (outer[side].i1 - outer[side].i0) * (outer[side].j1 - outer[side].j0);
        /* what comes from the lower neighbour was sent by it to its upper side: tag = side it was sent to */
        MPI_Irecv(halo->receive[side], count, MPI_DOUBLE, neighbour[side], 1 - side, g->comm,
                  &request[requests++]);
    }
    for (int side = 0; side < 2; side++) {
        if (neighbour[side] == MPI_PROC_NULL) continue;
        int count = copy_patch(g, set, inner[side], halo->send[side], true);
        MPI_Isend(halo->send[side], count, MPI_DOUBLE, neighbour[side], side, g->comm, &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2; side++)
        if (neighbour[side] != MPI_PROC_NULL) copy_patch(g, set, outer[side], halo->receive[side], false);
}

/* Rows that are exchanged along x: the own ones, and beyond the domain's southern and northern edges those of
 * the ghosts; on the northern one lie the faces of open boundaries. Rows of neighbours come later, along y.
 */
static int first_row(const Grid *g) {
    return g->decomposition.south == MPI_PROC_NULL ? -HALO : 0;
}

static int last_row(const Grid *g) {
    return g->decomposition.north == MPI_PROC_NULL ? g->n2 + HALO : g->n2;
}

/* A periodic direction that one rank spans: its halo holds its own cells again, however few they are. */
static void wrap_alone(const Grid *g, const FieldSet *set, bool along_x) {
    for (int f = 0; f < set->n2 + set->n3; f++) {
        double *field = f < set->n2 ? set->fields2[f] : set->fields3[f - set->n2];
        int levels = f < set->n2 ? 1 : g->n3;
        for (int k = 0; k < levels; k++)
            for (int h = 1; h <= HALO; h++) {
                if (along_x) {
                    int low = axes_wrap(-h, g->n1), high = (h - 1) % g->n1;
                    for (int j = first_row(g); j < last_row(g); j++) {
                        field[AT(*g, -h, j, k)] = field[AT(*g, low, j, k)];
                        field[AT(*g, g->n1 - 1 + h, j, k)] = field[AT(*g, high, j, k)];
                    }
                } else {
                    int low = axes_wrap(-h, g->n2), high = (h - 1) % g->n2;
                    size_t bytes = (size_t)(g->n1 + 2 * HALO) * sizeof(double);
                    memcpy(field + AT(*g, -HALO, -h, k), field + AT(*g, -HALO, low, k), bytes);
                    memcpy(field + AT(*g, -HALO, g->n2 - 1 + h, k), field + AT(*g, -HALO, high, k), bytes);
                }
            }
    }
}

void halo_exchange(Halo *halo, int n2, double *const *fields2, int n3, double *const *fields3) {
    const Grid *g = halo->grid;
    const Decomposition *d = &g->decomposition;
    FieldSet set = {n2, n3, fields2, fields3};
    make_room(halo, n2 + n3 * g->n3);
    if (d->ranks_x == 1) {
        if (g->axes.periodic_x) wrap_alone(g, &set, true);
    } else {
        int j0 = first_row(g), j1 = last_row(g);
        Patch inner[2] = {{0, HALO, j0, j1}, {g->n1 - HALO, g->n1, j0, j1}};
        Patch outer[2] = {{-HALO, 0, j0, j1}, {g->n1, g->n1 + HALO, j0, j1}};
        exchange_sides(halo, &set, (int[2]){d->west, d->east}, inner, outer);
    }
    if (d->ranks_y == 1) {
        if (g->axes.periodic_y) wrap_alone(g, &set, false);
    } else {
        int i0 = -HALO, i1 = g->n1 + HALO;
        Patch inner[2] = {{i0, i1, 0, HALO}, {i0, i1, g->n2 - HALO, g->n2}};
        Patch outer[2] = {{i0, i1, -HALO, 0}, {i0, i1, g->n2, g->n2 + HALO}};
        exchange_sides(halo, &set, (int[2]){d->south, d->north}, inner, outer);
    }
}
