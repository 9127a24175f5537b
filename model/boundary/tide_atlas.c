/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/tide_atlas.h"

#include "base/memory.h"
#include "model/boundary/tide_atlas_internal.h"
#include "model/forcing/deal.h"
#include "model/forcing/level_heights.h"
#include <math.h>

static void release(TideAtlas *atlas) {
    for (int n = 0; n < atlas->count; n++)
        for (int q = 0; q < ATLAS_QUANTITIES; q++) {
            memory_free(atlas->tide[n].map[q].x);
            memory_free(atlas->tide[n].map[q].y);
            memory_free(atlas->tide[n].map[q].part);
        }
    memory_free(atlas->tide);
    *atlas = (TideAtlas){0};
}

static double turned(const AtlasMap *map, double lon) {
    return lon + 360 * floor((map->middle - lon) / 360 + 0.5);
}

/* ---- to all ranks ---- */

/* Points along x and y, first <= point < end. */
typedef struct AtlasPart {
    int first[2], end[2];
} AtlasPart;

static void part_along(const double *axis, int count, double low, double high, int *first, int *end) {
    double share;
    *first = level_locate(axis, count, low, &share) - 1;
    *end = level_locate(axis, count, high, &share) + 3;
    if (*first < 0) *first = 0;
    if (*end > count) *end = count;
}

/* One more point on each side than is asked for: places are found between the same ones as in the whole. */
static AtlasPart part_of(const AtlasMap *map, const AtlasArea *asked) {
    AtlasPart part = {{0, 0}, {0, 0}};
    const double west = turned(map, asked->west), east = turned(map, asked->east);
    if (asked->west > asked->east) return part;
    part_along(map->y, map->ny, asked->south, asked->north, &part.first[1], &part.end[1]);
    part.end[0] = map->nx;
    if (west <= east) part_along(map->x, map->nx, west, east, &part.first[0], &part.end[0]);
    return part;
}

static void keep_along(double **axis, int first, int end) {
    double *own = ALLOCATE(end - first, double);
    for (int n = first; n < end; n++) own[n - first] = (*axis)[n];
    memory_free(*axis);
    *axis = own;
}

static void share_map(MPI_Comm comm, const AtlasArea *asked, AtlasMap *map) {
    int size[2] = {map->nx, map->ny}, rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(size, 2, MPI_INT, 0, comm);
    if (size[0] == 0) return;
    if (rank != 0)
        *map = (AtlasMap){
            .nx = size[0], .ny = size[1], .x = ALLOCATE(size[0], double), .y = ALLOCATE(size[1], double)};
    MPI_Bcast(map->x, map->nx, MPI_DOUBLE, 0, comm);
    MPI_Bcast(map->y, map->ny, MPI_DOUBLE, 0, comm);
    MPI_Bcast(&map->middle, 1, MPI_DOUBLE, 0, comm);
    const AtlasPart own = part_of(map, asked);
    const int wide = own.end[0] - own.first[0], high = own.end[1] - own.first[1];
    const ptrdiff_t count = (ptrdiff_t)wide * high;
    int *points = ALLOCATE(count, int);
    for (int n = 0; n < count; n++) points[n] = (own.first[1] + n / wide) * map->nx + own.first[0] + n % wide;
    Deal deal;
    deal_create(comm, points, (int)count, &deal);
    double *values = ALLOCATE(2 * count, double);
    for (int k = 0; k < 2; k++)
        deal_send(&deal, rank == 0 ? map->part + (ptrdiff_t)k * map->ny * map->nx : NULL, values + k * count);
    deal_free(&deal);
    memory_free(points);
    memory_free(map->part);
    map->part = values;
    keep_along(&map->x, own.first[0], own.end[0]);
    keep_along(&map->y, own.first[1], own.end[1]);
    map->nx = wide, map->ny = high;
    map->there = true;
}

static void share(MPI_Comm comm, const AtlasArea *asked, TideAtlas *atlas) {
    MPI_Bcast(&atlas->count, 1, MPI_INT, 0, comm);
    if (!atlas->tide) atlas->tide = ALLOCATE(atlas->count + 1, AtlasTide);
    for (int n = 0; n < atlas->count; n++) {
        MPI_Bcast(&atlas->tide[n].constituent, 1, MPI_INT, 0, comm);
        for (int q = 0; q < ATLAS_QUANTITIES; q++) share_map(comm, asked, &atlas->tide[n].map[q]);
    }
}

Status tide_atlas_create(MPI_Comm comm, const AtlasRequest *request, TideAtlas **out) {
    TideAtlas *atlas = *out = ALLOCATE(1, TideAtlas);
    int rank;
    MPI_Comm_rank(comm, &rank);
    Status status = status_agree(comm, rank == 0 ? tide_atlas_read(request, atlas) : STATUS_OK);
    if (status == STATUS_OK)
        share(comm, &request->asked, atlas);
    else
        tide_atlas_destroy(out);
    return status;
}

void tide_atlas_destroy(TideAtlas **atlas) {
    if (!*atlas) return;
    release(*atlas);
    memory_free(*atlas);
    *atlas = NULL;
}

int tide_atlas_count(const TideAtlas *atlas) {
    return atlas->count;
}

int tide_atlas_constituent(const TideAtlas *atlas, int n) {
    return atlas->tide[n].constituent;
}

bool tide_atlas_has_currents(const TideAtlas *atlas) {
    for (int n = 0; n < atlas->count; n++)
        if (!atlas->tide[n].map[ATLAS_EAST].there || !atlas->tide[n].map[ATLAS_NORTH].there) return false;
    return true;
}

/* ---- at a place ---- */

bool tide_atlas_at(const TideAtlas *atlas, int n, AtlasQuantity quantity, double lon, double lat,
                   double part[2]) {
    const AtlasMap *map = &atlas->tide[n].map[quantity];
    if (map->nx == 0) return false;
    double px, py;
    lon = turned(map, lon);
    const int i = level_locate(map->x, map->nx, lon, &px), j = level_locate(map->y, map->ny, lat, &py);
    const int east = map->nx > 1 ? 1 : 0, north = map->ny > 1 ? map->nx : 0;
    for (int k = 0; k < 2; k++) {
        const double *at = map->part + ((ptrdiff_t)k * map->ny + j) * map->nx + i;
        const double south_value = at[0] + px * (at[east] - at[0]),
                     north_value = at[north] + px * (at[north + east] - at[north]);
        part[k] = south_value + py * (north_value - south_value);
    }
    return true;
}
