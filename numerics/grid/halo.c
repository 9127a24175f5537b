/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/halo.h"

#include "base/memory.h"
#include "gpu/messages.h"
#include "numerics/grid/edges.h"
#include "numerics/grid/halo_kernels.h"
#include "numerics/grid/traffic.h"

/* A GPU gives each run to a few threads: long ones are cut. */
enum { STRETCH = 128 };

/* A stretch of an edge that travels to or from one neighbour (edges.h). */
typedef struct HaloPiece {
    int rank, first, length; /* from the beginning of the edge */
    int lowest;              /* level of three-dimensional fields */
    ptrdiff_t place;         /* in the side's buffer: the lengths of the pieces before it */
    RunList runs;            /* of all levels, level after level */
} HaloPiece;

/* What travels on one side, and what comes. */
typedef struct HaloSide {
    int count; /* of neighbours */
    HaloPiece *give, *take;
    double *send, *receive;
} HaloSide;

/* One direction: the lower and upper sides along x, or along y. */
typedef struct HaloDirection {
    HaloSide side[2];
    bool wraps;                     /* one rank spans a periodic direction */
    int n;                          /* own cells */
    int length;                     /* of the edges */
    ptrdiff_t first, along, across; /* where own cell 0 is at the beginning of an edge; distances in memory */
    RunList runs;                   /* of an edge, where it wraps */
} HaloDirection;

/* Collective among neighbours, and matched by order of calls: all ranks exchange the same fields. */
struct Halo {
    const Grid *grid;
    Exec exec; /* where the buffers were made for */
    int levels;
    HaloDirection direction[2];
    MPI_Request *request;
};

/* ---- who gets what ---- */

static void runs_create(int length, int levels, RunList *out) {
    const int pieces = (length + STRETCH - 1) / STRETCH;
    *out = (RunList){ALLOCATE((size_t)levels * HALO * (size_t)pieces, Run), 0, 0};
    for (int k = 0; k < levels; k++)
        for (int j = 0; j < HALO; j++)
            for (int i = 0; i < length; i += STRETCH)
                out->run[out->count++] = (Run){i, i + STRETCH < length ? i + STRETCH : length, j, k};
}

static HaloPiece piece_of(int rank, const EdgePart *part, int begin, const HaloPiece *before) {
    return (HaloPiece){.rank = rank,
                       .first = part->first - begin,
                       .length = part->end > part->first ? part->end - part->first : 0,
                       .lowest = part->lowest,
                       .place = before ? before->place + before->length : 0};
}

/* The neighbours on one side. Places along an edge count from its own beginning. */
static HaloSide side_of(const Edges *edges, int direction, int which, int begin) {
    const int pieces = edges->pieces[direction];
    HaloSide side = {.give = ALLOCATE(pieces + 1, HaloPiece), .take = ALLOCATE(pieces + 1, HaloPiece)};
    for (int m = 0; m < pieces; m++) {
        const EdgePiece *piece = &edges->piece[direction][m];
        if (piece->side != which) continue;
        const int n = side.count++;
        side.give[n] = piece_of(piece->rank, &piece->give, begin, n > 0 ? &side.give[n - 1] : NULL);
        side.take[n] = piece_of(piece->rank, &piece->take, begin, n > 0 ? &side.take[n - 1] : NULL);
    }
    return side;
}

/* Rows that are exchanged along x: the own ones, and beyond the domain's southern and northern edges those of
 * the ghosts; on the northern one lie the faces of open boundaries. Rows of neighbours come later, along y.
 */
static void set_directions(Halo *halo) {
    const Grid *g = halo->grid;
    const Decomposition *d = &g->decomposition;
    const bool alone_x = d->ranks_x == 1, alone_y = d->ranks_y == 1;
    const int j0 = d->south.count == 0 ? -HALO : 0, j1 = d->north.count == 0 ? g->n2 + HALO : g->n2;
    Edges edges;
    edges_find(g, HALO, (int[]){j0, j1}, &edges);
    halo->direction[0] = (HaloDirection){.wraps = alone_x && g->axes.periodic_x,
                                         .n = g->n1,
                                         .length = j1 - j0,
                                         .first = AT2(*g, 0, j0),
                                         .along = g->row,
                                         .across = 1};
    halo->direction[1] = (HaloDirection){.wraps = alone_y && g->axes.periodic_y,
                                         .n = g->n2,
                                         .length = g->n1 + 2 * HALO,
                                         .first = AT2(*g, -HALO, 0),
                                         .along = 1,
                                         .across = g->row};
    for (int which = 0; which < 2; which++) {
        halo->direction[0].side[which] = side_of(&edges, 0, which, j0);
        halo->direction[1].side[which] = side_of(&edges, 1, which, -HALO);
    }
    edges_release(&edges);
}

static void pieces_free(int count, HaloPiece **pieces) {
    for (int n = 0; n < count; n++) memory_free((*pieces)[n].runs.run);
    memory_free(*pieces);
    *pieces = NULL;
}

static void free_buffers(Halo *halo) {
    for (int n = 0; n < 2; n++) {
        for (int s = 0; s < 2; s++) {
            HaloSide *side = &halo->direction[n].side[s];
            messages_free(halo->exec, side->send);
            messages_free(halo->exec, side->receive);
            pieces_free(side->count, &side->give);
            pieces_free(side->count, &side->take);
            *side = (HaloSide){0};
        }
        memory_free(halo->direction[n].runs.run);
        halo->direction[n].runs.run = NULL;
    }
    memory_free(halo->request);
    halo->request = NULL;
}

/* Runs for the pieces and a buffer for them. */
static Status make_buffer(const Halo *halo, int count, HaloPiece *pieces, double **out) {
    if (count == 0) return STATUS_OK;
    for (int n = 0; n < count; n++) runs_create(pieces[n].length, halo->levels, &pieces[n].runs);
    const ptrdiff_t columns = pieces[count - 1].place + pieces[count - 1].length;
    if (columns == 0) return STATUS_OK;
    const size_t bytes = (size_t)halo->levels * HALO * (size_t)columns * sizeof(double);
    return messages_allocate(halo->exec, bytes, (void **)out);
}

/* Room for `levels` levels on every side. */
static Status make_room(Halo *halo, int levels) {
    const Grid *g = halo->grid;
    if (levels <= halo->levels && halo->exec.device == g->exec.device) return STATUS_OK;
    free_buffers(halo);
    set_directions(halo);
    halo->exec = g->exec;
    halo->levels = levels > halo->levels ? levels : halo->levels;
    int most = 0;
    for (int n = 0; n < 2; n++) {
        HaloDirection *d = &halo->direction[n];
        const int messages = 2 * (d->side[0].count + d->side[1].count);
        if (messages > most) most = messages;
        if (d->wraps) runs_create(d->length, halo->levels, &d->runs);
        for (int s = 0; s < 2; s++) {
            HaloSide *side = &d->side[s];
            TRY(make_buffer(halo, side->count, side->give, &side->send));
            TRY(make_buffer(halo, side->count, side->take, &side->receive));
        }
    }
    halo->request = ALLOCATE(most + 1, MPI_Request);
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

/* ---- exchange ---- */

typedef struct FieldSet {
    int count[2]; /* flat, deep */
    double *const *fields[2];
} FieldSet;

/* Of all fields, from a level on. */
static ptrdiff_t levels_of(const Halo *halo, const FieldSet *set, int lowest) {
    return set->count[0] + (ptrdiff_t)set->count[1] * (halo->grid->n3 - lowest);
}

typedef void Copy(Exec exec, RunList runs, HaloPatch args);

/* Copies a stretch of an edge that begins `offset` cells across, of every field, to the buffer or back. */
static void copy(const Halo *halo, const HaloDirection *d, const FieldSet *set, const HaloPiece *piece,
                 int offset, double *buffer, Copy *kernel) {
    const Grid *g = halo->grid;
    const int runs_per_level = piece->runs.count / halo->levels;
    const ptrdiff_t first = d->first + piece->first * d->along + offset * d->across;
    HaloPatch patch = {.length = piece->length,
                       .along = d->along,
                       .across = d->across,
                       .plane = g->plane,
                       .buffer = buffer,
                       .n = d->n};
    for (int kind = 0; kind < 2; kind++)
        for (int begin = 0; begin < set->count[kind]; begin += HALO_FIELDS) {
            const int left = set->count[kind] - begin, count = left < HALO_FIELDS ? left : HALO_FIELDS;
            patch.levels = kind == 0 ? 1 : g->n3 - piece->lowest;
            patch.first = first + (kind == 0 ? 0 : piece->lowest * g->plane);
            for (int f = 0; f < count; f++) patch.field[f] = set->fields[kind][begin + f];
            kernel(halo->exec,
                   (RunList){piece->runs.run, count * patch.levels * runs_per_level,
                             (int64_t)count * patch.levels * HALO * piece->length},
                   patch);
            if (buffer) patch.buffer += (ptrdiff_t)count * patch.levels * HALO * piece->length;
        }
}

static int numbers_of(const Halo *halo, const FieldSet *set, const HaloPiece *piece) {
    return (int)(HALO * levels_of(halo, set, piece->lowest) * piece->length);
}

static void wrap(const Halo *halo, const HaloDirection *d, const FieldSet *set) {
    copy(halo, d, set, &(HaloPiece){.length = d->length, .runs = d->runs}, 0, NULL, halo_wrap);
}

/* Sends the outermost own cells to both sides and fills the halo with theirs. */
static void exchange_sides(Halo *halo, const HaloDirection *d, const FieldSet *set) {
    const Grid *g = halo->grid;
    const ptrdiff_t across =
        HALO * levels_of(halo, set, 0); /* numbers for each place along an edge, at most */
    const int inner[2] = {0, d->n - HALO}, outer[2] = {-HALO, d->n};
    int requests = 0;
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < d->side[s].count; n++) {
            const HaloPiece *piece = &d->side[s].give[n];
            if (piece->length > 0)
                copy(halo, d, set, piece, inner[s], d->side[s].send + across * piece->place, halo_pack);
        }
    exec_wait(halo->exec); /* also for those that read what was received last */
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < d->side[s].count; n++) {
            const HaloPiece *take = &d->side[s].take[n], *give = &d->side[s].give[n];
            /* what comes from the lower neighbour was sent by it to its upper side: tag = side it was sent to */
            if (take->length > 0)
                MPI_Irecv(d->side[s].receive + across * take->place, numbers_of(halo, set, take), MPI_DOUBLE,
                          take->rank, 1 - s, g->comm, &halo->request[requests++]);
            if (give->length > 0)
                MPI_Isend(d->side[s].send + across * give->place, numbers_of(halo, set, give), MPI_DOUBLE,
                          give->rank, s, g->comm, &halo->request[requests++]);
        }
    traffic_wait_all(requests, halo->request);
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < d->side[s].count; n++) {
            const HaloPiece *piece = &d->side[s].take[n];
            if (piece->length > 0)
                copy(halo, d, set, piece, outer[s], d->side[s].receive + across * piece->place, halo_unpack);
        }
}

void halo_exchange(Halo *halo, int n2, double *const *fields2, int n3, double *const *fields3) {
    const FieldSet set = {{n2, n3}, {fields2, fields3}};
    const ptrdiff_t levels = levels_of(halo, &set, 0);
    traffic.exchanges++;
    traffic.exchanged += (ptrdiff_t)n2 * HALO * (int)sizeof(double);
    traffic.exchanged_level += (ptrdiff_t)n3 * HALO * (int)sizeof(double);
    if (make_room(halo, (int)levels) != STATUS_OK) error_give_up();
    for (int n = 0; n < 2; n++) {
        const HaloDirection *d = &halo->direction[n];
        if (d->wraps)
            wrap(halo, d, &set);
        else if (d->side[0].count + d->side[1].count > 0)
            exchange_sides(halo, d, &set);
    }
}
