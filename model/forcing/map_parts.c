/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/map_parts.h"

#include "base/memory.h"
#include "model/forcing/level_heights.h"

/* Points that are sent to all at once sooner than to each its part. */
static const size_t SMALL = 4096;

struct MapParts {
    MPI_Comm comm;
    bool all;    /* get the whole */
    bool sender; /* this rank */
    int ranks, nx;
    MapPart own, *part; /* of each rank, at the sender */
    size_t total;       /* points of all parts, there */
    int *lengths, *places;
};

MapPart map_part_around(const Grid *g, const double *const at[2], const int points[2]) {
    const int first[2] = {g->i_first - HALO, g->j_first - HALO};
    const int end[2] = {g->i_first + g->n1 + HALO, g->j_first + g->n2 + HALO}, cells[2] = {g->nx, g->ny};
    const bool periodic[2] = {g->axes.periodic_x, g->axes.periodic_y};
    double (*const coordinate[2])(const Axes *, double) = {axes_x, axes_y};
    MapPart own;
    for (int n = 0; n < 2; n++) {
        double part;
        int low = level_locate(at[n], points[n], coordinate[n](&g->axes, first[n]), &part);
        int high = level_locate(at[n], points[n], coordinate[n](&g->axes, end[n]), &part) + 1;
        if (periodic[n] && (first[n] < 0 || end[n] > cells[n])) low = 0, high = points[n] - 1;
        if (high > points[n] - 1) high = points[n] - 1;
        own.first[n] = low;
        own.count[n] = high - low + 1;
    }
    return own;
}

/* At the sender: who gets what. */
static void find_places(MapParts *p) {
    p->total = 0;
    p->lengths = ALLOCATE(p->ranks, int);
    p->places = ALLOCATE(p->ranks, int);
    for (int n = 0; n < p->ranks; n++) {
        p->lengths[n] = (int)map_part_points(&p->part[n]);
        p->places[n] = (int)p->total;
        p->total += map_part_points(&p->part[n]);
    }
}

MapParts *map_parts_create(MPI_Comm comm, const int points[2], MapPart wanted, MapPart *own) {
    MapParts *p = ALLOCATE(1, MapParts);
    const MapPart whole = {{0, 0}, {points[0], points[1]}};
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p->ranks);
    p->comm = comm;
    p->sender = rank == 0;
    p->nx = points[0];
    p->all = map_part_points(&whole) <= SMALL || p->ranks == 1;
    p->own = *own = p->all ? whole : wanted;
    if (p->sender) p->part = ALLOCATE(p->ranks, MapPart);
    MPI_Gather(&p->own, sizeof(MapPart), MPI_BYTE, p->part, sizeof(MapPart), MPI_BYTE, 0, p->comm);
    if (p->sender && !p->all) find_places(p);
    return p;
}

void map_parts_destroy(MapParts **parts) {
    MapParts *p = *parts;
    if (!p) return;
    memory_free(p->part);
    memory_free(p->lengths);
    memory_free(p->places);
    memory_free(p);
    *parts = NULL;
}

static double *copy_part(const MapParts *p, const MapPart *part, const double *map, ptrdiff_t step,
                         double *out) {
    for (int j = part->first[1]; j < part->first[1] + part->count[1]; j++)
        for (int i = part->first[0]; i < part->first[0] + part->count[0]; i++)
            *out++ = map[((ptrdiff_t)j * p->nx + i) * step];
    return out;
}

void map_parts_send(const MapParts *p, const double *map, ptrdiff_t step, double *out) {
    const int points = (int)map_part_points(&p->own);
    if (p->all) {
        if (p->sender) (void)copy_part(p, &p->own, map, step, out);
        MPI_Bcast(out, points, MPI_DOUBLE, 0, p->comm);
        return;
    }
    double *packed = p->sender ? ALLOCATE(p->total, double) : NULL, *next = packed;
    for (int n = 0; p->sender && n < p->ranks; n++) next = copy_part(p, &p->part[n], map, step, next);
    MPI_Scatterv(packed, p->lengths, p->places, MPI_DOUBLE, out, points, MPI_DOUBLE, 0, p->comm);
    memory_free(packed);
}
