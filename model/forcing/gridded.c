/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/gridded.h"

#include "base/calendar.h"
#include "base/file_set.h"
#include "base/memory.h"
#include "gpu/staging.h"
#include "model/forcing/deal.h"
#include "model/forcing/forcing_kernels.h"
#include "model/forcing/level_heights.h"
#include "model/forcing/series.h"
#include "model/forcing/source_records.h"
#include <math.h>
#include <string.h>

/* Where the model's points of one kind lie between the coarse points that the rank has, for -HALO <= index < count +
 * HALO. */
typedef struct Weights {
    int *low;
    double *part; /* 0: at the coarse point `low`, 1: at the next */
} Weights;

struct Gridded {
    const Grid *grid; /* not owned */
    MPI_Comm comm;
    int rank;
    GriddedSource source; /* on rank 0 */
    char *path;
    SourceShape is;         /* accumulated: a record holds what came since the one before */
    double start;           /* [s since 1970] */
    int first[2], count[2]; /* what this rank has of a record: columns and rows */
    Deal deal;
    Weights along_x[2], along_y[2]; /* [0]: centres, [1]: faces */
    bool degrees; /* on a map: where its points lie among those of the file, by columns, instead */
    double *map_x[PLACES], *map_y[PLACES];
    Staging staging;      /* of a record that has been read */
    double *record[2];    /* where kernels see them */
    int held[2];          /* which records they are, -1: none */
    double part, seconds; /* of Sample */
    double *now;          /* the record at the time of the last step, in all points of the rank */
    bool blended;
    Run points; /* of `now`, as one row */
};

bool gridded_is_netcdf(MPI_Comm comm, const char *path) {
    int rank, netcdf = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        char *first = file_set_first(path);
        netcdf = netcdf_is_netcdf(first);
        memory_free(first);
    }
    MPI_Bcast(&netcdf, 1, MPI_INT, 0, comm);
    return netcdf;
}

/* On rank 0. */
static Status look_in(const char *path, const char *variable, const FieldNames *names, int *found,
                      char standard_name[128]) {
    NetcdfFile *file = NULL;
    if (!netcdf_is_netcdf(path)) return STATUS_OK;
    TRY(netcdf_open(path, &file));
    const int id = source_find(file, variable, names);
    char *text = id >= 0 ? netcdf_text(file, id, "standard_name") : NULL;
    *found = id >= 0;
    snprintf(standard_name, 128, "%s", text ? text : "");
    memory_free(text);
    netcdf_close(&file);
    return STATUS_OK;
}

Status gridded_find(MPI_Comm comm, const char *paths, const char *variable, const FieldNames *names,
                    bool *found, char standard_name[128]) {
    char text[128] = "", *first = NULL;
    int rank, is = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) first = file_set_first(paths);
    const Status status = first ? look_in(first, variable, names, &is, text) : STATUS_OK;
    memory_free(first);
    MPI_Bcast(&is, 1, MPI_INT, 0, comm);
    MPI_Bcast(text, sizeof text, MPI_CHAR, 0, comm);
    if (standard_name) memcpy(standard_name, text, sizeof text);
    *found = is != 0;
    return status_agree(comm, status);
}

/* On a map: where the model's points lie among all of the file. */
static void find_on_map(Gridded *r) {
    const Grid *g = r->grid;
    for (int place = 0; place < PLACES; place++) {
        r->map_x[place] = field2_create(g);
        r->map_y[place] = field2_create(g);
        for (int j = -HALO; j < g->n2 + HALO; j++)
            for (int i = -HALO; i < g->n1 + HALO; i++) {
                const ptrdiff_t m = AT2(*g, i, j);
                double at[2], part;
                axes_degrees(&g->axes, place == PLACE_U ? g->x_u[i] : g->x_c[i],
                             place == PLACE_V ? g->y_v[j] : g->y_c[j], &at[0], &at[1]);
                for (int c = 0; c < 2; c++) {
                    const int points = r->is.count[c], low = level_locate(r->is.at[c], points, at[c], &part);
                    /* at the last point: still between two */
                    (c == 0 ? r->map_x : r->map_y)[place][m] = fmin(low + part, nextafter(points - 1, 0));
                }
            }
    }
}

/* The part around all of them, by which places then count. */
static void choose_part_on_map(Gridded *r) {
    const Grid *g = r->grid;
    for (int n = 0; n < 2; n++) {
        double **at = n == 0 ? r->map_x : r->map_y, least = INFINITY, most = 0;
        for (int place = 0; place < PLACES; place++)
            for (int j = -HALO; j < g->n2 + HALO; j++)
                for (int i = -HALO; i < g->n1 + HALO; i++) {
                    least = fmin(least, at[place][AT2(*g, i, j)]);
                    most = fmax(most, at[place][AT2(*g, i, j)]);
                }
        r->first[n] = (int)least;
        r->count[n] = (int)most + 1 - r->first[n] + 1;
        for (int place = 0; place < PLACES; place++)
            for (int j = -HALO; j < g->n2 + HALO; j++)
                for (int i = -HALO; i < g->n1 + HALO; i++) at[place][AT2(*g, i, j)] -= r->first[n];
    }
}

/* The part around the rank's own cells and their halo; all of a line where the halo goes around. */
static size_t choose_part(Gridded *r) {
    const Grid *g = r->grid;
    const int first[2] = {g->i_first - HALO, g->j_first - HALO}, cells[2] = {g->nx, g->ny},
              end[2] = {g->i_first + g->n1 + HALO, g->j_first + g->n2 + HALO}, *points = r->is.count;
    const bool periodic[2] = {g->axes.periodic_x, g->axes.periodic_y};
    double (*const coordinate[2])(const Axes *, double) = {axes_x, axes_y};
    for (int n = 0; n < 2 && !r->degrees; n++) {
        double part;
        const double *at = r->is.at[n];
        const bool around = periodic[n] && (first[n] < 0 || end[n] > cells[n]);
        const int low = level_locate(at, points[n], coordinate[n](&g->axes, first[n]), &part),
                  high = level_locate(at, points[n], coordinate[n](&g->axes, end[n]), &part) + 1;
        r->first[n] = around ? 0 : low;
        r->count[n] = (around || high > points[n] - 1 ? points[n] - 1 : high) - r->first[n] + 1;
    }
    if (r->degrees) find_on_map(r), choose_part_on_map(r);
    const int count = r->count[0] * r->count[1];
    int *own = ALLOCATE(count, int);
    for (int m = 0; m < count; m++)
        own[m] = (r->first[1] + m / r->count[0]) * r->is.count[0] + r->first[0] + m % r->count[0];
    deal_create(r->comm, own, count, &r->deal);
    memory_free(own);
    return (size_t)count;
}

static Status share_shape(Gridded *g) {
    int degrees = g->source.degrees;
    MPI_Bcast(&degrees, 1, MPI_INT, 0, g->comm);
    g->degrees = degrees;
    source_share(g->comm, &g->source, g->start, &g->is);
    const size_t points = choose_part(g);
    for (int n = 0; n < 2; n++) g->record[n] = ALLOCATE(points, double), g->held[n] = -1;
    g->now = ALLOCATE(points, double);
    g->points = (Run){0, (int)points, 0, 0};
    return status_agree(g->comm, staging_create(g->grid->exec, points * sizeof(double), &g->staging));
}

static Weights weights_create(const double *coarse, int count, const Axes *axes, bool along_x, int first,
                              int own, double shift, int before) {
    Weights w = {ALLOCATE(own + 2 * HALO, int), ALLOCATE(own + 2 * HALO, double)};
    int whole = along_x ? axes->nx : axes->ny;
    bool periodic = along_x ? axes->periodic_x : axes->periodic_y;
    for (int n = -HALO; n < own + HALO; n++) {
        int index = first + n;
        if (periodic) index = axes_wrap(index, whole);
        double at = along_x ? axes_x(axes, index + shift) : axes_y(axes, index + shift);
        w.low[n + HALO] = level_locate(coarse, count, at, &w.part[n + HALO]) - before;
    }
    return w;
}

Status gridded_create(const char *path, const char *variable, const FieldNames *names, const Grid *grid,
                      const Scenario *scenario, Gridded **out) {
    Gridded *g = ALLOCATE(1, Gridded);
    const Axes *axes = &grid->axes;
    Status status = STATUS_OK;
    *out = NULL;
    *g = (Gridded){.grid = grid, .comm = grid->comm, .start = scenario->time.start};
    g->path = memory_copy_text(path);
    MPI_Comm_rank(g->comm, &g->rank);
    if (g->rank == 0) status = source_open(path, variable, names, axes, scenario, &g->source);
    status = status_agree(g->comm, status);
    if (status == STATUS_OK) status = share_shape(g);
    if (status != STATUS_OK) {
        gridded_destroy(&g);
        return status;
    }
    for (int n = 0; n < 2 && !g->degrees; n++) {
        double shift = n == 0 ? 0.5 : 0.0;
        g->along_x[n] = weights_create(g->is.at[0], g->is.count[0], axes, true, grid->i_first, grid->n1,
                                       shift, g->first[0]);
        g->along_y[n] = weights_create(g->is.at[1], g->is.count[1], axes, false, grid->j_first, grid->n2,
                                       shift, g->first[1]);
    }
    *out = g;
    return STATUS_OK;
}

void gridded_destroy(Gridded **gridded) {
    Gridded *g = *gridded;
    if (!g) return;
    source_close(&g->source);
    for (int n = 0; n < 2; n++) {
        memory_free(g->along_x[n].low), memory_free(g->along_x[n].part);
        memory_free(g->along_y[n].low), memory_free(g->along_y[n].part);
        memory_free(g->record[n]);
    }
    for (int place = 0; place < PLACES; place++) {
        field2_destroy(g->grid, &g->map_x[place]);
        field2_destroy(g->grid, &g->map_y[place]);
    }
    memory_free(g->now);
    deal_free(&g->deal);
    staging_release(&g->staging);
    source_shape_free(&g->is);
    memory_free(g->path);
    memory_free(g);
    *gridded = NULL;
}

bool gridded_is_steady(const Gridded *gridded) {
    return gridded->is.records == 0;
}

void gridded_limit(Gridded *g, double least, double most) {
    g->source.least = least, g->source.most = most;
    for (int n = 0; n < 2; n++) g->held[n] = -1;
}

/* At the last record, which nothing follows, its own values: those that it has in a file that goes on. */
static Sample sample_of(const Gridded *g, Place place, const double *before, const double *after) {
    const bool last = g->part == 1;
    const Weights *x = &g->along_x[place == PLACE_U], *y = &g->along_y[place == PLACE_V];
    return (Sample){.before = last ? after : before,
                    .after = after,
                    .part = last ? 0 : g->part,
                    .seconds = g->seconds,
                    .nx = g->count[0],
                    .low_x = g->degrees ? NULL : x->low + HALO,
                    .low_y = g->degrees ? NULL : y->low + HALO,
                    .part_x = g->degrees ? NULL : x->part + HALO,
                    .part_y = g->degrees ? NULL : y->part + HALO,
                    .map_x = g->map_x[place],
                    .map_y = g->map_y[place]};
}

/* The seconds in which a record came; 0: it is a rate. Of the first record nobody knows. */
static double seconds_of(const Gridded *g, int record) {
    return g->is.accumulated && record > 0 ? g->is.time[record] - g->is.time[record - 1] : 0;
}

/* Rank 0 has the whole record no longer than it takes: there may be many fields. */
static Status load(Gridded *g, int slot, int record) {
    Status status = STATUS_OK;
    if (g->held[slot] == record) return STATUS_OK;
    double *values = staging_fill(&g->staging);
    double *whole = g->rank == 0 ? ALLOCATE((size_t)g->is.count[0] * (size_t)g->is.count[1], double) : NULL;
    if (g->rank == 0) status = source_read(&g->source, record, whole);
    status = status_agree(g->comm, status);
    if (status == STATUS_OK) deal_send(&g->deal, whole, values);
    memory_free(whole);
    TRY(status);
    staging_send(&g->staging, g->record[slot]);
    g->held[slot] = record;
    return STATUS_OK;
}

Status gridded_advance(Gridded *g, double time) {
    g->blended = false;
    if (g->is.records < 2 && g->held[0] == 0) return STATUS_OK;
    int before = g->is.records > 1 ? series_before(g->is.time, g->is.records, time) : 0;
    /* a step belongs to the record that it ends in */
    if (g->is.accumulated && before > 0 && time <= g->is.time[before]) before--;
    if (g->held[1] == before && g->held[0] != before) {
        double *swap = g->record[0];
        g->record[0] = g->record[1], g->record[1] = swap;
        g->held[1] = g->held[0], g->held[0] = before;
    }
    TRY(load(g, 0, before));
    if (g->is.records < 2) return STATUS_OK;
    TRY(load(g, 1, before + 1));
    const double part = (time - g->is.time[before]) / (g->is.time[before + 1] - g->is.time[before]);
    /* the bracket was checked; rounding and the closing step */
    g->part = part < 0 ? 0 : part > 1 ? 1 : part;
    g->seconds = seconds_of(g, before + 1);
    return STATUS_OK;
}

bool gridded_in_degrees(const Gridded *g) {
    return g->degrees;
}

Sample gridded_records(const Gridded *g, Place place) {
    return sample_of(g, place, g->record[0], g->record[1]);
}

/* In time first, once for all places, and then in space. */
void gridded_fill(Gridded *g, Place place, RunList points, double *field) {
    const Exec exec = g->grid->exec;
    Sample sample = gridded_records(g, place);
    if (!g->blended)
        record_blend(exec, (RunList){&g->points, 1, g->points.i1}, (RecordBlend){sample, g->now});
    g->blended = true;
    sample.before = sample.after = g->now;
    sample.part = sample.seconds = 0;
    if (g->degrees)
        sample_fill(exec, points, (SampleFill){g->grid->row, sample, field});
    else
        record_fill(exec, points, (RecordFill){g->grid->row, sample, field});
}

char *gridded_describe(const Gridded *g) {
    char first[32], last[32];
    if (g->is.records == 0)
        return memory_format("%s (%s, steady, %d x %d points)", g->path, g->is.name, g->is.count[0],
                             g->is.count[1]);
    calendar_format(g->start + g->is.time[0], first);
    calendar_format(g->start + g->is.time[g->is.records - 1], last);
    return memory_format("%s (%s%s, %s to %s, %d records, %d x %d points)", g->path, g->is.name,
                         g->is.accumulated ? ", accumulated" : "", first, last, g->is.records, g->is.count[0],
                         g->is.count[1]);
}
