/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/halo.h"

#include "base/memory.h"
#include "gpu/messages.h"
#include "numerics/grid/halo_kernels.h"
#include "numerics/grid/traffic.h"

/* A GPU gives each run to a few threads: long ones are cut. */
enum { STRETCH = 128 };

/* One direction: lower and upper neighbours along x, or along y. */
typedef struct HaloDirection {
    int neighbour[2];               /* MPI_PROC_NULL: none */
    bool wraps;                     /* one rank spans a periodic direction */
    int n;                          /* own cells */
    int length;                     /* of the edges */
    ptrdiff_t first, along, across; /* where own cell 0 is at the beginning of an edge; distances in memory */
    RunList runs;                   /* of an edge, level after level */
} HaloDirection;

/* Collective among neighbours, and matched by order of calls: all ranks exchange the same fields. */
struct Halo {
    const Grid *grid;
    Exec exec; /* where the buffers were made for */
    int levels;
    HaloDirection direction[2];
    double *send[2], *receive[2]; /* to and from the lower (west, south) and the upper side */
};

/* Rows that are exchanged along x: the own ones, and beyond the domain's southern and northern edges those of
 * the ghosts; on the northern one lie the faces of open boundaries. Rows of neighbours come later, along y.
 */
static void set_directions(Halo *halo) {
    const Grid *g = halo->grid;
    const Decomposition *d = &g->decomposition;
    const int j0 = d->south == MPI_PROC_NULL ? -HALO : 0,
              j1 = d->north == MPI_PROC_NULL ? g->n2 + HALO : g->n2;
    halo->direction[0] = (HaloDirection){.neighbour = {d->west, d->east},
                                         .wraps = d->ranks_x == 1 && g->axes.periodic_x,
                                         .n = g->n1,
                                         .length = j1 - j0,
                                         .first = AT2(*g, 0, j0),
                                         .along = g->row,
                                         .across = 1};
    halo->direction[1] = (HaloDirection){.neighbour = {d->south, d->north},
                                         .wraps = d->ranks_y == 1 && g->axes.periodic_y,
                                         .n = g->n2,
                                         .length = g->n1 + 2 * HALO,
                                         .first = AT2(*g, -HALO, 0),
                                         .along = 1,
                                         .across = g->row};
    const int ranks[2] = {d->ranks_x, d->ranks_y};
    for (int n = 0; n < 2; n++)
        if (ranks[n] == 1) halo->direction[n].neighbour[0] = halo->direction[n].neighbour[1] = MPI_PROC_NULL;
}

static bool talks(const HaloDirection *d) {
    return d->neighbour[0] != MPI_PROC_NULL || d->neighbour[1] != MPI_PROC_NULL;
}

static void make_runs(HaloDirection *d, int levels) {
    const int pieces = (d->length + STRETCH - 1) / STRETCH;
    d->runs = (RunList){ALLOCATE((size_t)levels * HALO * (size_t)pieces, Run), 0, 0};
    for (int k = 0; k < levels; k++)
        for (int j = 0; j < HALO; j++)
            for (int i = 0; i < d->length; i += STRETCH)
                d->runs.run[d->runs.count++] =
                    (Run){i, i + STRETCH < d->length ? i + STRETCH : d->length, j, k};
}

static void free_buffers(Halo *halo) {
    for (int side = 0; side < 2; side++) {
        messages_free(halo->exec, halo->send[side]);
        messages_free(halo->exec, halo->receive[side]);
        halo->send[side] = halo->receive[side] = NULL;
    }
    memory_free(halo->direction[0].runs.run);
    memory_free(halo->direction[1].runs.run);
}

/* Room for `levels` levels on every side. */
static Status make_room(Halo *halo, int levels) {
    const Grid *g = halo->grid;
    if (levels <= halo->levels && halo->exec.device == g->exec.device) return STATUS_OK;
    free_buffers(halo);
    set_directions(halo);
    halo->exec = g->exec;
    halo->levels = levels > halo->levels ? levels : halo->levels;
    int longest = 0;
    for (int n = 0; n < 2; n++) {
        const HaloDirection *d = &halo->direction[n];
        if (talks(d) || d->wraps) make_runs(&halo->direction[n], halo->levels);
        if (talks(d) && d->length > longest) longest = d->length;
    }
    const size_t bytes = (size_t)halo->levels * HALO * (size_t)longest * sizeof(double);
    for (int side = 0; side < 2; side++) {
        TRY(messages_allocate(halo->exec, bytes, (void **)&halo->send[side]));
        TRY(messages_allocate(halo->exec, bytes, (void **)&halo->receive[side]));
    }
    return STATUS_OK;
}

Status halo_create(const Grid *grid, int levels, Halo **out) {
    *out = ALLOCATE(1, Halo);
    (*out)->grid = grid;
    const Status status = status_agree(grid->comm, make_room(*out, levels));
    if (status != STATUS_OK) halo_destroy(out);
    return status;
}

void halo_destroy(Halo **halo) {
    if (!*halo) return;
    free_buffers(*halo);
    memory_free(*halo);
    *halo = NULL;
}

typedef struct FieldSet {
    int count[2]; /* flat, deep */
    double *const *fields[2];
} FieldSet;

typedef void Copy(Exec exec, RunList runs, HaloPatch args);

/* Copies the patch that begins `offset` cells across of every field to the buffer or back. */
static void copy(const Halo *halo, const HaloDirection *d, const FieldSet *set, int offset, double *buffer,
                 Copy *kernel) {
    const Grid *g = halo->grid;
    const int runs_per_level = d->runs.count / halo->levels;
    HaloPatch patch = {.length = d->length,
                       .first = d->first + offset * d->across,
                       .along = d->along,
                       .across = d->across,
                       .plane = g->plane,
                       .buffer = buffer,
                       .n = d->n};
    for (int kind = 0; kind < 2; kind++)
        for (int begin = 0; begin < set->count[kind]; begin += HALO_FIELDS) {
            const int left = set->count[kind] - begin, count = left < HALO_FIELDS ? left : HALO_FIELDS;
            patch.levels = kind == 0 ? 1 : g->n3;
            for (int f = 0; f < count; f++) patch.field[f] = set->fields[kind][begin + f];
            kernel(halo->exec,
                   (RunList){d->runs.run, count * patch.levels * runs_per_level,
                             (int64_t)count * patch.levels * HALO * d->length},
                   patch);
            if (buffer) patch.buffer += (ptrdiff_t)count * patch.levels * HALO * d->length;
        }
}

/* Sends the outermost own cells to both sides and fills the halo with theirs. */
static void exchange_sides(Halo *halo, const HaloDirection *d, const FieldSet *set) {
    const Grid *g = halo->grid;
    MPI_Request request[4];
    int requests = 0, count = (set->count[0] + set->count[1] * g->n3) * HALO * d->length;
    const int inner[2] = {0, d->n - HALO}, outer[2] = {-HALO, d->n};
    for (int side = 0; side < 2; side++)
        if (d->neighbour[side] != MPI_PROC_NULL) copy(halo, d, set, inner[side], halo->send[side], halo_pack);
    exec_wait(halo->exec); /* also for those that read what was received last */
    for (int side = 0; side < 2; side++) {
        if (d->neighbour[side] == MPI_PROC_NULL) continue;
        /* what comes from the lower neighbour was sent by it to its upper side: tag = side it was sent to */
        MPI_Irecv(halo->receive[side], count, MPI_DOUBLE, d->neighbour[side], 1 - side, g->comm,
                  &request[requests++]);
        MPI_Isend(halo->send[side], count, MPI_DOUBLE, d->neighbour[side], side, g->comm,
                  &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2; side++)
        if (d->neighbour[side] != MPI_PROC_NULL)
            copy(halo, d, set, outer[side], halo->receive[side], halo_unpack);
}

void halo_exchange(Halo *halo, int n2, double *const *fields2, int n3, double *const *fields3) {
    const FieldSet set = {{n2, n3}, {fields2, fields3}};
    traffic.exchanges++;
    traffic.exchanged += (int64_t)(n2 + n3 * halo->grid->n3) * HALO * (int)sizeof(double);
    if (make_room(halo, n2 + n3 * halo->grid->n3) != STATUS_OK) error_give_up();
    for (int n = 0; n < 2; n++) {
        const HaloDirection *d = &halo->direction[n];
        if (d->wraps)
            copy(halo, d, &set, 0, NULL, halo_wrap);
        else if (talks(d))
            exchange_sides(halo, d, &set);
    }
}
