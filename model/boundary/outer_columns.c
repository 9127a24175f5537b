/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/outer_columns.h"

#include "base/file_set.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/netcdf_in.h"
#include "numerics/grid/layers.h"
#include <math.h>

/* The layers of a column at rest: middles and shares. */
void outer_lay(const Grid *g, double bed, int bottom, const double *phi, double *z, double *weight) {
    const double depth = fmax(0, -bed);
    double below = 0, part[MAX_LEVELS];
    if (phi) layers_parts_of_height(g, bed, bottom, phi, part);
    for (int k = 0; k < g->n3; k++) {
        if (!phi) part[k] = 1.0 / g->n3;
        z[k] = k < bottom ? NAN : fmin(bed, 0) + (below + 0.5 * part[k]) * depth;
        weight[k] = k < bottom ? 0 : phi ? phi[k * g->plane] : part[k];
        if (k >= bottom) below += part[k];
    }
}

void outer_lay_face(const Boundaries *all, const OpenFace *f, bool tracer, double *z, double *weight) {
    const Grid *g = all->grid;
    const ptrdiff_t m = tracer ? f->inside : f->face;
    const double *bed = tracer       ? g->bed
                        : f->along_x ? g->bed_u
                                     : g->bed_v,
                 *bottom = tracer       ? g->bottom_c
                           : f->along_x ? g->bottom_u
                                        : g->bottom_v,
                 *phi = tracer       ? g->phi_c
                        : f->along_x ? g->phi_u
                                     : g->phi_v;
    outer_lay(g, bed[m], (int)bottom[m], phi + m, z, weight);
}

/* Shares of the layers in the depth outside, whose bed ends them or deepens the lowest. */
static void cut(double bed, double outer_bed, int bottom, const double *share, int n3, double *out) {
    double above = 0;
    for (int k = 0; k < n3; k++) out[k] = share[k];
    if (!(bed < 0 && outer_bed < 0)) return;
    for (int k = n3 - 1; k >= bottom; k--) {
        const double thick = k > bottom ? share[k] * bed : fmin(bed, outer_bed) - above;
        out[k] = fmin(0, fmax(thick, outer_bed - above)) / outer_bed;
        above += thick;
    }
}

static double bed_of(const Grid *g, const OpenFace *f) {
    return f->along_x ? g->bed_u[f->face] : g->bed_v[f->face];
}

void outer_lay_outside(const Boundaries *all, int n, const double *share, double *out) {
    const Grid *g = all->grid;
    const OpenFace *f = &all->face[n];
    const double *bottom = f->along_x ? g->bottom_u : g->bottom_v;
    cut(bed_of(g, f), all->outer_bed[n], (int)bottom[f->face], share, g->n3, out);
}

/* On rank 0. */
static bool has_ground_inside(const char *path) {
    NetcdfFile *file = NULL;
    Json *scenario = NULL;
    const bool opens =
        netcdf_is_netcdf(path) && netcdf_open(path, &file) == STATUS_OK; /* else refused later */
    char *text = opens ? netcdf_text(file, NETCDF_WHOLE_FILE, "effective_scenario") : NULL;
    const bool known = text && json_parse(path, text, &scenario) == STATUS_OK;
    const Json *bathymetry = known ? json_find(scenario, "bathymetry") : NULL,
               *inside = bathymetry ? json_find(bathymetry, "subgrid") : NULL;
    const bool is = inside && inside->kind == JSON_BOOL && inside->truth;
    json_destroy(&scenario);
    memory_free(text);
    if (opens) netcdf_close(&file);
    error_clear();
    return is;
}

bool outer_has_ground_inside(MPI_Comm comm, const char *paths) {
    int rank, is = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        char *first = file_set_first(paths);
        is = has_ground_inside(first);
        memory_free(first);
    }
    MPI_Bcast(&is, 1, MPI_INT, 0, comm);
    return is;
}

/* What faces that share one of the file's know of each other. */
typedef struct RowPart {
    double row, width, section; /* [m], [m2] at rest */
} RowPart;

void outer_share_rows(Boundaries *all, int count, const int *face, const int *row) {
    enum { NUMBERS = sizeof(RowPart) / sizeof(double) };
    const Grid *g = all->grid;
    int ranks, total = 0, numbers = NUMBERS * count;
    MPI_Comm_size(g->comm, &ranks);
    int *counts = ALLOCATE(ranks, int), *firsts = ALLOCATE(ranks, int);
    RowPart *own = ALLOCATE(count + 1, RowPart);
    for (int n = 0; n < count; n++) {
        const OpenFace *f = &all->face[face[n]];
        const double open = f->along_x ? g->width_u[f->face] : g->width_v[f->face];
        const double width = f->foreign ? 0 : open;
        own[n] = (RowPart){row[n], width, width * fmax(0, -bed_of(g, f))};
    }
    MPI_Allgather(&numbers, 1, MPI_INT, counts, 1, MPI_INT, g->comm);
    for (int r = 0; r < ranks; total += counts[r++]) firsts[r] = total;
    RowPart *part = ALLOCATE(total / NUMBERS + 1, RowPart);
    MPI_Allgatherv(own, numbers, MPI_DOUBLE, part, counts, firsts, MPI_DOUBLE, g->comm);
    for (int n = 0; n < count; n++) {
        double width = 0, section = 0;
        for (int m = 0; m < total / NUMBERS; m++)
            if (part[m].row == own[n].row) width += part[m].width, section += part[m].section;
        all->own_depth[face[n]] = section / width;
    }
    memory_free(counts), memory_free(firsts), memory_free(own), memory_free(part);
}

/* Among faces that share one of the file's, its transport goes by their sections: they have one velocity. A film makes no
 * jet of it. */
double outer_deeper(const Boundaries *all, int n) {
    enum { MOST = 2 };
    const double level = all->now[n].eta, own = fmax(level + all->own_depth[n], all->face[n].film);
    return isnan(all->outer_bed[n]) ? 1 : fmin(fmax(0, level - all->outer_bed[n]) / own, MOST);
}
