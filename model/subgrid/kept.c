/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/kept.h"

#include "base/build_info.h"
#include "base/hash.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* With the version of this format at its end. */
const char kept_kind[16] = "maeotis tables1";

/* Tables of fewer pixels are made in about a second. */
static const double MANY_PIXELS = 4e6;

static double sum_of(const Overlap *o) {
    double sum = 0;
    for (int n = 0; n < o->cells; n++) sum += o->count[n];
    return sum;
}

static char *choose_path(const Scenario *scenario, const Making *k) {
    const char *folder = getenv("MAEOTIS_TABLES"), *slash = strrchr(scenario->path, '/');
    if (folder) return *folder ? memory_format("%s/%s.tables", folder, scenario->name) : NULL;
    if (sum_of(&k->x) * sum_of(&k->y) < MANY_PIXELS) return NULL;
    return memory_format("%.*s%s.tables", slash ? (int)(slash + 1 - scenario->path) : 0, scenario->path,
                         scenario->name);
}

char *kept_path(const Scenario *scenario, const Making *k) {
    int rank, length = 0;
    MPI_Comm_rank(k->grid->comm, &rank);
    char *path = rank == 0 ? choose_path(scenario, k) : NULL;
    if (path) length = (int)strlen(path) + 1;
    MPI_Bcast(&length, 1, MPI_INT, 0, k->grid->comm);
    if (length == 0) return NULL;
    if (rank != 0) path = ALLOCATE(length, char);
    MPI_Bcast(path, length, MPI_CHAR, 0, k->grid->comm);
    return path;
}

const RunList *kept_list(const Grid *g, int list) {
    const RunList *all[KEPT_LISTS] = {&g->columns, &g->faces_u, &g->faces_v};
    return all[list];
}

int kept_fields(const Subgrid *s, int list, double *fields[KEPT_FIELDS]) {
    const Grid *g = s->grid;
    const SubgridWays *w = list == 1 ? &s->ways_u : &s->ways_v;
    double *column[] = {g->bed, s->begin[0], s->bend[0], s->begin[1], s->bend[1]},
           *face[] = {list == 1 ? g->bed_u : g->bed_v,
                      s->slant[list == 1 ? 0 : 1],
                      w->part,
                      w->length,
                      w->crest,
                      w->rise,
                      w->sill};
    const size_t bytes = list == 0 ? sizeof column : sizeof face;
    memcpy(fields, list == 0 ? column : face, bytes);
    return (int)(bytes / sizeof *fields);
}

uint64_t kept_checksum(const KeptHeader *header, const KeptBlock *blocks) {
    const uint64_t sum = hash_bytes(header, offsetof(KeptHeader, checksum));
    return hash_mix(sum ^ hash_bytes(blocks, (size_t)header->blocks * sizeof *blocks));
}

/* ---- the key ---- */

/* All rows that any rank has. */
static uint64_t key_of_raster(MPI_Comm comm, const Raster *r) {
    if (!r) return 0;
    const size_t bytes = (size_t)r->nx * sizeof(double);
    const double shape[] = {r->nx, r->ny, r->x0, r->y0, r->dx, r->dy, r->units};
    uint64_t *row = ALLOCATE(r->ny, uint64_t), key = hash_bytes(shape, sizeof shape);
    for (int j = 0; j < r->rows; j++)
        row[r->first_row + j] = hash_bytes(r->elevation + (size_t)j * (size_t)r->nx, bytes);
    MPI_Allreduce(MPI_IN_PLACE, row, r->ny, MPI_UINT64_T, MPI_MAX, comm);
    key = hash_more(key, row, (size_t)r->ny * sizeof *row);
    memory_free(row);
    return key;
}

/* What is known of cell (i, j) of this rank, or of the face between it and the one before, when it has no table yet. */
static uint64_t key_of_place(const Making *k, int list, int i, int j) {
    const Grid *g = k->grid;
    const int columns = g->n1 + 2;
    const ptrdiff_t m = AT2(*g, i, j), before = m - (list == 0 ? 0 : list == 1 ? 1 : g->row);
    const double *bed = list == 0 ? g->bed : list == 1 ? g->bed_u : g->bed_v;
    const DikeLength none = {0, 0},
                     *dike = k->dikes ? k->dikes + (ptrdiff_t)(j + 1) * columns + i + 1 : &none,
                     *other = !k->dikes || list == 0 ? &none : dike - (list == 1 ? 1 : columns);
    const double known[] = {bed[m],
                            list == 0 ? g->own_area[m] : 0,
                            k->roughness ? k->taken[m] : 0,
                            k->roughness ? k->taken[before] : 0,
                            dike->along,
                            dike->stairs,
                            other->along,
                            other->stairs};
    const int64_t place = (int64_t)(g->j_first + j) * (g->nx + 1) + g->i_first + i;
    return hash_mix(hash_mix((uint64_t)(place * KEPT_LISTS + list)) ^ hash_bytes(known, sizeof known));
}

/* A sum, so that it does not depend on the ranks. */
static uint64_t key_of_places(const Making *k) {
    uint64_t sum = 0;
    for (int list = 0; list < KEPT_LISTS; list++) {
        const RunList *places = kept_list(k->grid, list);
        for (int n = 0; n < places->count; n++)
            for (int i = places->run[n].i0; i < places->run[n].i1; i++)
                sum += key_of_place(k, list, i, places->run[n].j);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, k->grid->comm);
    return sum;
}

uint64_t kept_key(const Making *k) {
    const Axes *a = &k->grid->axes;
    const double numbers[] = {a->spherical, a->periodic_x,    a->periodic_y, a->nx,     a->ny,
                              a->west,      a->south,         a->step_x,     a->step_y, k->level,
                              k->exponent,  k->dikes != NULL, MOST_NODES};
    const uint64_t parts[] = {hash_text(MAEOTIS_VERSION " " MAEOTIS_COMMIT " " MAEOTIS_GROUND_SOURCE),
                              hash_bytes(numbers, sizeof numbers), key_of_raster(k->grid->comm, k->raster),
                              key_of_raster(k->grid->comm, k->roughness), key_of_places(k)};
    return hash_bytes(parts, sizeof parts);
}
