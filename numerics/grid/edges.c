/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/edges.h"

#include "base/memory.h"

enum { TAG = 21 };

/* Where the whole parts of a piece begin. */
typedef struct Begin {
    int at[2]; /* give, take */
} Begin;

/* What one rank tells another about a piece: parts that it gives and takes, counted from where they begin. */
typedef struct EdgeWords {
    EdgePart part[2];
} EdgeWords;

static bool is_empty(const EdgePart *part) {
    return part->first >= part->end;
}

static void widen(EdgePart *part, int first, int end, int lowest) {
    const bool nothing = is_empty(part);
    if (first >= end) return;
    if (nothing || first < part->first) part->first = first;
    if (nothing || end > part->end) part->end = end;
    if (nothing || lowest < part->lowest) part->lowest = lowest;
}

static int lower(int a, int b) {
    return a < b ? a : b;
}
static int higher(int a, int b) {
    return a > b ? a : b;
}

/* Of a part of an edge, what lies within the margin of water, so that corners that travel on along y count, too. Coarse
 * grids know nothing of land beyond their own cells, and tell each other all. */
static EdgePart needed(const Grid *g, bool along_x, int side, const int part[2], int margin) {
    EdgePart need = {0};
    if (!g->area) return (EdgePart){part[0], part[1], 0};
    const int border = side == 0 ? 0 : along_x ? g->n1 : g->n2, places = along_x ? g->n2 : g->n1;
    const int from = higher(part[0] - margin, -HALO), to = lower(part[1] + margin, places + HALO);
    for (int across = border - margin; across < border + margin; across++)
        for (int n = from; n < to; n++) {
            const ptrdiff_t place = along_x ? AT2(*g, across, n) : AT2(*g, n, across);
            if (!(g->area[place] > 0)) continue;
            /* a level below the bed, which some kernels read beside it */
            const int lowest = higher((int)g->bottom_c[place] - 1, 0);
            widen(&need, higher(n - margin, part[0]), lower(n + margin + 1, part[1]), lowest);
        }
    return need;
}

static void add(const Grid *g, Edges *edges, bool along_x, int side, const RankBeside *with, int margin) {
    EdgePiece *piece = &edges->piece[!along_x][edges->pieces[!along_x]++];
    *piece = (EdgePiece){.rank = with->rank,
                         .side = side,
                         .give = needed(g, along_x, side, with->give, margin),
                         .take = needed(g, along_x, side, with->take, margin)};
}

/* One side of an edge may know more of the water near it than the other: what one of them needs, travels. */
static void agree(const Grid *g, int count, EdgePiece *piece, const Begin *begin) {
    EdgeWords *told = ALLOCATE(count + 1, EdgeWords), *heard = ALLOCATE(count + 1, EdgeWords);
    MPI_Request *request = ALLOCATE(2 * count + 1, MPI_Request);
    const int numbers = sizeof(EdgeWords) / sizeof(int);
    for (int n = 0; n < count; n++) {
        told[n] = (EdgeWords){{piece[n].give, piece[n].take}};
        for (int way = 0; way < 2; way++)
            told[n].part[way].first -= begin[n].at[way], told[n].part[way].end -= begin[n].at[way];
        MPI_Irecv(&heard[n], numbers, MPI_INT, piece[n].rank, TAG + 1 - piece[n].side, g->comm,
                  &request[2 * n]);
        MPI_Isend(&told[n], numbers, MPI_INT, piece[n].rank, TAG + piece[n].side, g->comm,
                  &request[2 * n + 1]);
    }
    MPI_Waitall(2 * count, request, MPI_STATUSES_IGNORE);
    for (int n = 0; n < count; n++) {
        EdgePart *own[2] = {&piece[n].give, &piece[n].take};
        for (int way = 0; way < 2; way++) { /* what the other takes is what this rank gives */
            const EdgePart *other = &heard[n].part[1 - way];
            widen(own[way], other->first + begin[n].at[way], other->end + begin[n].at[way], other->lowest);
        }
    }
    memory_free(told), memory_free(heard), memory_free(request);
}

void edges_find(const Grid *g, int margin, const int rows[2], Edges *out) {
    const Decomposition *d = &g->decomposition;
    const int rank[2] = {d->west, d->east};
    const DecompositionSide *beside[2] = {&d->south, &d->north};
    const int most = beside[0]->count + beside[1]->count + 2;
    Begin *begin = ALLOCATE(most, Begin);
    *out = (Edges){{ALLOCATE(2, EdgePiece), ALLOCATE(most, EdgePiece)}, {0, 0}};
    for (int side = 0; side < 2 && d->ranks_x > 1; side++) {
        if (rank[side] == MPI_PROC_NULL) continue;
        begin[out->pieces[0]] = (Begin){{rows[0], rows[0]}};
        add(g, out, true, side, &(RankBeside){rank[side], {rows[0], rows[1]}, {rows[0], rows[1]}}, margin);
    }
    agree(g, out->pieces[0], out->piece[0], begin);
    for (int side = 0; side < 2 && d->ranks_y > 1; side++)
        for (int n = 0; n < beside[side]->count; n++) {
            const RankBeside with = decomposition_beside(d, beside[side], n, margin);
            begin[out->pieces[1]] = (Begin){{with.give[0], with.take[0]}};
            add(g, out, false, side, &with, margin);
        }
    agree(g, out->pieces[1], out->piece[1], begin);
    memory_free(begin);
}

void edges_release(Edges *edges) {
    for (int n = 0; n < 2; n++) memory_free(edges->piece[n]);
    *edges = (Edges){0};
}
