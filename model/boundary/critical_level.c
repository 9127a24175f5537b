/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/critical_level.h"

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

static void add(CriticalEdge *edge, double bed, double width) {
    if (!(width > 0)) return;
    edge->strip = ENLARGE(edge->strip, edge->count + 1, Strip);
    edge->strip[edge->count++] = (Strip){bed, width};
}

/* Where it grows, the wet share of a face grows in so many strips. */
enum { PARTS = 8 };

/* Where the wet share of a face jumps, and between heights where it grows. */
static void add_uneven(CriticalEdge *edge, const Hypsometry *ground, ptrdiff_t face, double bed,
                       double width) {
    const double *node = ground->node + (int64_t)ground->first[face];
    double wet = 0;
    for (; !isnan(node[NODE_HEIGHT]); node += ground->values) {
        const double up = node[ground->values + NODE_HEIGHT] - node[NODE_HEIGHT]; /* NaN above the highest */
        const double growth = isnan(up) ? 0 : up * node[NODE_GROWTH];
        add(edge, bed + node[NODE_HEIGHT], width * (node[NODE_SHARE] - wet));
        for (int p = 0; growth > 0 && p < PARTS; p++)
            add(edge, bed + node[NODE_HEIGHT] + (p + 0.5) / PARTS * up, width * growth / PARTS);
        wet = node[NODE_SHARE] + growth;
    }
}

static int lower_first(const void *a, const void *b) {
    const Strip *p = a, *q = b;
    return p->bed != q->bed ? (p->bed > q->bed) - (p->bed < q->bed)
                            : (p->width > q->width) - (p->width < q->width);
}

/* In place of a rank's strips those of all ranks, in an order that does not depend on these. Collective. */
static void gather(MPI_Comm comm, CriticalEdge *edge) {
    int ranks, total = 0;
    const int bytes = edge->count * (int)sizeof *edge->strip;
    MPI_Comm_size(comm, &ranks);
    int *count = ALLOCATE(ranks, int), *first = ALLOCATE(ranks, int);
    MPI_Allgather(&bytes, 1, MPI_INT, count, 1, MPI_INT, comm);
    for (int r = 0; r < ranks; total += count[r++]) first[r] = total;
    Strip *all = (Strip *)memory_allocate((size_t)total + 1, 1);
    MPI_Allgatherv(edge->strip, bytes, MPI_BYTE, all, count, first, MPI_BYTE, comm);
    memory_free(edge->strip);
    edge->strip = all;
    edge->count = total / (int)sizeof *all;
    qsort(all, (size_t)edge->count, sizeof *all, lower_first);
    memory_free(first);
    memory_free(count);
}

CriticalEdge critical_edge(const Grid *g, const Subgrid *subgrid, const OpenFace *faces, int own,
                           int boundary) {
    CriticalEdge edge = {.strip = ALLOCATE(1, Strip), .level = NAN};
    for (int n = 0; n < own; n++) {
        const OpenFace *f = &faces[n];
        if (f->number != boundary) continue;
        const double width = f->slant * (f->along_x ? g->width_u : g->width_v)[f->face];
        const double bed = f->by_width ? 0 : (f->along_x ? g->bed_u : g->bed_v)[f->face];
        const Hypsometry *ground = !subgrid ? NULL : f->along_x ? &subgrid->u : &subgrid->v;
        if (ground && ground->first[f->face] > 0)
            add_uneven(&edge, ground, f->face, bed, width);
        else
            add(&edge, bed, width);
    }
    gather(g->comm, &edge);
    return edge;
}

/* Newton's method on a convex sum: from above, where the lowest strip alone would carry all, it only descends. */
static double solve(const CriticalEdge *edge, double flow) {
    const double alone = flow / edge->strip[0].width;
    double level = edge->strip[0].bed + cbrt(alone * alone);
    for (int pass = 0; pass < 60; pass++) {
        double sum = -flow, slope = 0;
        for (int n = 0; n < edge->count && edge->strip[n].bed < level; n++) {
            const double depth = level - edge->strip[n].bed, part = edge->strip[n].width * sqrt(depth);
            sum += part * depth;
            slope += 1.5 * part;
        }
        if (!(sum > 1e-12 * flow)) break; /* no number stays none */
        level -= sum / slope;
    }
    return level;
}

double critical_level(CriticalEdge *edge, double discharge, double gravity) {
    if (discharge <= 0 || edge->count == 0) return -INFINITY;
    if (isnan(edge->level) || discharge != edge->discharge)
        edge->level = solve(edge, discharge / sqrt(gravity));
    edge->discharge = discharge;
    return edge->level;
}
