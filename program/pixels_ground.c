/* SPDX-License-Identifier: Apache-2.0 */
#include "program/pixels_ground.h"
#include "base/memory.h"
#include "bathymetry/overlap.h"
#include "model/subgrid/ways.h"
#include "model/terrain.h"
#include "model/terrain_ground.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PIXELS = 1 << 25 }; /* in memory at a time */

/* ---- the scenario of the file ---- */

/* The scenario's name in the command that made the file, "maeotis 1.0 (...): maeotis run NAME.json ..."; to be freed. */
static char *scenario_name(const DataFile *from) {
    char *history = datafile_text(from, NC_GLOBAL, "history"), *found = NULL;
    const char *end = history ? strstr(history, ".json") : NULL, *begin = end;
    while (begin && begin > history && begin[-1] != ' ' && begin[-1] != '\'') begin--;
    if (end) found = memory_format("%.*s", (int)(end - begin) + 5, begin);
    memory_free(history);
    return found;
}

static Status read_scenario(Painting *p, const char *folder) {
    char *text = datafile_text(p->from, NC_GLOBAL, "effective_scenario");
    char *path = folder ? memory_format("%s/scenario.json", folder) : scenario_name(p->from);
    Status status =
        text ? scenario_parse(path ? path : "scenario.json", text, NULL, 0, &p->scenario)
             : error_raise(STATUS_BAD_INPUT, "\"%s\" holds no scenario: it is not an output of a run",
                           p->from->path);
    memory_free(path), memory_free(text);
    return status == STATUS_OK ? terrain_axes(p->scenario, &p->axes) : status;
}

/* The place of the file's first cell among the grid's, from its coordinate. */
static Status find_part(const Painting *p, int dimension, double edge, double step, int most, int *first,
                        int *cells) {
    const char *name = p->level->dims[dimension];
    const DataVariable *axis = datafile_find(p->from, name);
    const size_t start = 0;
    double at;
    CHECK(axis, STATUS_BAD_INPUT, "\"%s\" has no coordinates %s", p->from->path, name);
    const int code = nc_get_var1_double(p->from->id, axis->id, &start, &at);
    CHECK(code == NC_NOERR, STATUS_FAILED, "cannot read \"%s\": %s", p->from->path, nc_strerror(code));
    *first = (int)nearbyint((at - edge) / step - 0.5), *cells = (int)axis->size;
    CHECK(*first >= 0 && *first + *cells <= most, STATUS_BAD_INPUT,
          "\"%s\": its cells are not those of its scenario's grid", p->from->path);
    return STATUS_OK;
}

static Status find_level(Painting *p) {
    p->level = datafile_find(p->from, "max_eta");
    if (!p->level) p->level = datafile_find(p->from, "eta");
    CHECK(p->level && p->level->n_dims == 3, STATUS_BAD_INPUT,
          "\"%s\" has no maps of eta or max_eta to paint on pixels", p->from->path);
    TRY(find_part(p, 1, p->axes.south, p->axes.step_y, p->axes.ny, &p->j0, &p->nj));
    return find_part(p, 2, p->axes.west, p->axes.step_x, p->axes.nx, &p->i0, &p->ni);
}

/* ---- the ground ---- */

/* Which pixels have their middle in a cell: of each pixel its cell, of each cell its first pixel. */
static void share_pixels(double raster_first, double raster_step, int raster_cells, double edge, double step,
                         int cells, int *first, int *count, int **cell, int **from) {
    *cell = ALLOCATE(raster_cells + 1, int), *from = ALLOCATE(cells + 1, int);
    *first = *count = 0;
    int filled = 0;
    for (int n = 0; n < raster_cells; n++) {
        const double at = floor((raster_first + n * raster_step - edge) / step);
        if (!(at >= 0 && at < cells)) continue;
        if (*count == 0) *first = n;
        while (filled <= (int)at) (*from)[filled++] = *count;
        (*cell)[(*count)++] = (int)at;
    }
    while (filled <= cells) (*from)[filled++] = *count;
}

/* As many rows of cells at a time as memory holds. */
static void cut_strips(Painting *p, double rows) {
    p->strip_rows = rows < 1 ? 1 : rows < p->nj ? (int)rows : p->nj;
    p->strips = (p->nj + p->strip_rows - 1) / p->strip_rows;
}

int painting_strip_end(const Painting *p, int strip) {
    const int end = (strip + 1) * p->strip_rows;
    return end < p->nj ? end : p->nj;
}

Status painting_strip(Painting *p, int strip) {
    Band band = {.comm = MPI_COMM_SELF, .ranks = 1, .bands = 1, .whole = p->axes.ny};
    const int first = strip * p->strip_rows;
    if (p->raster && p->strip_j == first) return STATUS_OK;
    p->strip_j = first;
    band.first = p->j0 + first, band.rows = painting_strip_end(p, strip) - first;
    raster_destroy(&p->raster);
    return ground_pixels(p->scenario, &p->axes, &band, &p->raster);
}

const double *painting_heights(const Painting *p, int row) {
    return p->raster->elevation + (size_t)(p->y0 + row - p->raster->first_row) * (size_t)p->raster->nx +
           p->x0;
}

/* Is the map still that of the run? */
static Status check_ground(const Painting *p) {
    const ScenarioBathymetry *b = &p->scenario->bathymetry;
    char *ground = datafile_text(p->from, NC_GLOBAL, "ground");
    const bool same = !p->raster->checksum || !ground || strstr(ground, p->raster->checksum);
    memory_free(ground);
    CHECK(same || b->file, STATUS_BAD_INPUT,
          "a dike has changed since \"%s\" was written: restore it, or repeat the run", p->from->path);
    CHECK(same, STATUS_BAD_INPUT,
          "the bathymetry \"%s\"%s has changed since \"%s\" was written: restore it, or repeat the run",
          b->file, b->n_dikes > 0 ? ", or a dike on it," : "", p->from->path);
    return STATUS_OK;
}

static Status open_ground(Painting *p) {
    const ScenarioBathymetry *b = &p->scenario->bathymetry;
    CHECK(b->file || b->subgrid, STATUS_BAD_INPUT,
          "\"%s\": the bed is a formula, which has pixels with /bathymetry/subgrid only", p->from->path);
    cut_strips(p, 1);
    TRY(painting_strip(p, 0));
    TRY(check_ground(p));
    const Raster *r = p->raster;
    TRY(overlap_check(r, "the bathymetry", &p->axes, &p->shift));
    CHECK(!overlap_is_coarser(r, &p->axes), STATUS_BAD_INPUT,
          "\"%s\": the map's cells are not smaller than the grid's: there are no pixels to paint",
          p->from->path);
    share_pixels(r->x0 + p->shift, r->dx, r->nx, axes_x(&p->axes, p->i0), p->axes.step_x, p->ni, &p->x0,
                 &p->nx, &p->cell_i, &p->from_x);
    share_pixels(r->y0, r->dy, r->ny, axes_y(&p->axes, p->j0), p->axes.step_y, p->nj, &p->y0, &p->ny,
                 &p->cell_j, &p->from_y);
    cut_strips(p, (double)MOST_PIXELS / r->nx / ceil((double)p->ny / p->nj));
    raster_destroy(&p->raster);
    return STATUS_OK;
}

/* The lowest pixel of a cell's main water: the way to it is the lowest of all. */
static int64_t find_source(const Painting *p, Ways *ways, int i, int j, double *height, double *pass) {
    const int columns = p->from_x[i + 1] - p->from_x[i], rows = p->from_y[j + 1] - p->from_y[j];
    for (int n = 0; n < columns * rows; n++)
        height[n] = painting_heights(p, p->from_y[j] + n / columns)[p->from_x[i] + n % columns];
    if (columns * rows == 0) return -1;
    ways_find(ways, height, columns, rows, p->scenario->grid.flood_to_m, 0, pass);
    int least = 0;
    for (int n = 1; n < columns * rows; n++)
        if (pass[n] < pass[least]) least = n;
    return isinf(pass[least])
               ? -1
               : (int64_t)(p->from_y[j] + least / columns) * p->nx + p->from_x[i] + least % columns;
}

static int most_between(const int *from, int cells) {
    int most = 1;
    for (int n = 0; n < cells; n++) most = from[n + 1] - from[n] > most ? from[n + 1] - from[n] : most;
    return most;
}

static Status find_sources(Painting *p) {
    const int most = most_between(p->from_x, p->ni) * most_between(p->from_y, p->nj);
    double *height = ALLOCATE(2 * most, double);
    Ways *ways = ways_create(most);
    Status status = STATUS_OK;
    p->source = ALLOCATE((size_t)p->ni * (size_t)p->nj, int64_t);
    for (int strip = 0; strip < p->strips && status == STATUS_OK; strip++) {
        status = painting_strip(p, strip);
        for (int j = p->strip_j; status == STATUS_OK && j < painting_strip_end(p, strip); j++)
            for (int i = 0; i < p->ni; i++)
                p->source[(size_t)j * (size_t)p->ni + (size_t)i] =
                    find_source(p, ways, i, j, height, height + most);
    }
    ways_destroy(&ways);
    memory_free(height);
    return status;
}

Status painting_begin(const DataFile *from, const char *folder, Painting *p) {
    *p = (Painting){.from = from};
    TRY(read_scenario(p, folder));
    TRY(find_level(p));
    TRY(open_ground(p));
    return find_sources(p);
}

void painting_end(Painting *p) {
    memory_free(p->cell_i), memory_free(p->cell_j), memory_free(p->from_x), memory_free(p->from_y);
    memory_free(p->source);
    raster_destroy(&p->raster);
    scenario_destroy(&p->scenario);
}
