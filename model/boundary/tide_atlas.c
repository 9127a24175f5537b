/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/tide_atlas.h"

#include "base/memory.h"
#include "model/boundary/tide_atlas_internal.h"
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

/* ---- to all ranks ---- */

static void share_map(MPI_Comm comm, AtlasMap *map) {
    int size[2] = {map->nx, map->ny};
    MPI_Bcast(size, 2, MPI_INT, 0, comm);
    if (size[0] == 0) return;
    if (!map->x) {
        *map = (AtlasMap){size[0], size[1], ALLOCATE(size[0], double), ALLOCATE(size[1], double),
                          ALLOCATE(2 * (size_t)size[0] * (size_t)size[1], double)};
    }
    MPI_Bcast(map->x, map->nx, MPI_DOUBLE, 0, comm);
    MPI_Bcast(map->y, map->ny, MPI_DOUBLE, 0, comm);
    MPI_Bcast(map->part, 2 * map->nx * map->ny, MPI_DOUBLE, 0, comm);
}

static void share(MPI_Comm comm, TideAtlas *atlas) {
    MPI_Bcast(&atlas->count, 1, MPI_INT, 0, comm);
    if (!atlas->tide) atlas->tide = ALLOCATE(atlas->count + 1, AtlasTide);
    for (int n = 0; n < atlas->count; n++) {
        MPI_Bcast(&atlas->tide[n].constituent, 1, MPI_INT, 0, comm);
        for (int q = 0; q < ATLAS_QUANTITIES; q++) share_map(comm, &atlas->tide[n].map[q]);
    }
}

Status tide_atlas_create(MPI_Comm comm, const AtlasRequest *request, TideAtlas **out) {
    TideAtlas *atlas = *out = ALLOCATE(1, TideAtlas);
    int rank;
    MPI_Comm_rank(comm, &rank);
    Status status = status_agree(comm, rank == 0 ? tide_atlas_read(request, atlas) : STATUS_OK);
    if (status == STATUS_OK)
        share(comm, atlas);
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
        if (atlas->tide[n].map[ATLAS_EAST].nx == 0 || atlas->tide[n].map[ATLAS_NORTH].nx == 0) return false;
    return true;
}

/* ---- at a place ---- */

/* The point before `at`, and how far beyond it that is, of the way to the next. */
static int find(const double *axis, int count, double at, double *share) {
    int low = 0;
    while (low < count - 2 && axis[low + 1] <= at) low++;
    *share = count > 1 ? fmin(1, fmax(0, (at - axis[low]) / (axis[low + 1] - axis[low]))) : 0;
    return low;
}

bool tide_atlas_at(const TideAtlas *atlas, int n, AtlasQuantity quantity, double lon, double lat,
                   double part[2]) {
    const AtlasMap *map = &atlas->tide[n].map[quantity];
    if (map->nx == 0) return false;
    double px, py;
    lon += 360 * floor((0.5 * (map->x[0] + map->x[map->nx - 1]) - lon) / 360 + 0.5);
    const int i = find(map->x, map->nx, lon, &px), j = find(map->y, map->ny, lat, &py);
    const int east = map->nx > 1 ? 1 : 0, north = map->ny > 1 ? map->nx : 0;
    for (int k = 0; k < 2; k++) {
        const double *at = map->part + ((ptrdiff_t)k * map->ny + j) * map->nx + i;
        const double south_value = at[0] + px * (at[east] - at[0]),
                     north_value = at[north] + px * (at[north + east] - at[north]);
        part[k] = south_value + py * (north_value - south_value);
    }
    return true;
}
