/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/gridded.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/forcing/gridded_source.h"
#include "model/forcing/series.h"
#include <math.h>
#include <string.h>

/* Where the model's points of one kind lie between the coarse points, for -HALO <= index < count + HALO. */
typedef struct Weights {
    int *low;
    double *part; /* 0: at the coarse point `low`, 1: at the next */
} Weights;

struct Gridded {
    MPI_Comm comm;
    int rank;
    GriddedSource source; /* on rank 0 */
    char *path, name[128];
    int records, nx, ny;
    int accumulated;     /* a record holds what came since the one before */
    double start, *time; /* [s since the start] */
    double *x, *y;
    Weights along_x[2], along_y[2]; /* [0]: centres, [1]: faces */
    double *record[2], *now;
    int held[2]; /* which records they are, -1: none */
    double now_time;
};

bool gridded_is_netcdf(MPI_Comm comm, const char *path) {
    int rank, netcdf = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) netcdf = netcdf_is_netcdf(path);
    MPI_Bcast(&netcdf, 1, MPI_INT, 0, comm);
    return netcdf;
}

/* Rank 0 tells the others what it found. */
static void share_shape(Gridded *g) {
    int shape[4] = {g->source.records, g->source.x.count, g->source.y.count, g->source.accumulated};
    MPI_Bcast(shape, 4, MPI_INT, 0, g->comm);
    g->records = shape[0], g->nx = shape[1], g->ny = shape[2], g->accumulated = shape[3];
    g->time = ALLOCATE(g->records, double);
    g->x = ALLOCATE(g->nx, double);
    g->y = ALLOCATE(g->ny, double);
    if (g->rank == 0) {
        for (int n = 0; n < g->records; n++) g->time[n] = g->source.time[n] - g->start;
        memcpy(g->x, g->source.x.at, (size_t)g->nx * sizeof *g->x);
        memcpy(g->y, g->source.y.at, (size_t)g->ny * sizeof *g->y);
        snprintf(g->name, sizeof g->name, "%s", g->source.variable.name);
    }
    MPI_Bcast(g->time, g->records, MPI_DOUBLE, 0, g->comm);
    MPI_Bcast(g->x, g->nx, MPI_DOUBLE, 0, g->comm);
    MPI_Bcast(g->y, g->ny, MPI_DOUBLE, 0, g->comm);
    MPI_Bcast(g->name, sizeof g->name, MPI_CHAR, 0, g->comm);
    for (int n = 0; n < 2; n++)
        g->record[n] = ALLOCATE((size_t)g->nx * (size_t)g->ny, double), g->held[n] = -1;
    g->now = ALLOCATE((size_t)g->nx * (size_t)g->ny, double);
    g->now_time = NAN;
}

static void locate(const double *coarse, int count, double at, int *low, double *part) {
    *low = 0;
    while (*low < count - 2 && coarse[*low + 1] <= at) (*low)++;
    double p = (at - coarse[*low]) / (coarse[*low + 1] - coarse[*low]);
    *part = p < 0 ? 0 : p > 1 ? 1 : p;
}

static Weights weights_create(const double *coarse, int count, const Axes *axes, bool along_x, int first,
                              int own, double shift) {
    Weights w = {ALLOCATE(own + 2 * HALO, int), ALLOCATE(own + 2 * HALO, double)};
    int whole = along_x ? axes->nx : axes->ny;
    bool periodic = along_x ? axes->periodic_x : axes->periodic_y;
    for (int n = -HALO; n < own + HALO; n++) {
        int index = first + n;
        if (periodic) index = axes_wrap(index, whole);
        double at = along_x ? axes_x(axes, index + shift) : axes_y(axes, index + shift);
        locate(coarse, count, at, &w.low[n + HALO], &w.part[n + HALO]);
    }
    return w;
}

Status gridded_create(const char *path, const char *variable, const FieldNames *names, const Grid *grid,
                      double start, double end, Gridded **out) {
    Gridded *g = ALLOCATE(1, Gridded);
    const Axes *axes = &grid->axes;
    Status status = STATUS_OK;
    *out = NULL;
    g->comm = grid->comm, g->start = start, g->path = memory_copy_text(path);
    MPI_Comm_rank(g->comm, &g->rank);
    if (g->rank == 0) status = source_open(path, variable, names, axes, start, end, &g->source);
    status = status_agree(g->comm, status);
    if (status != STATUS_OK) {
        gridded_destroy(&g);
        return status;
    }
    share_shape(g);
    for (int n = 0; n < 2; n++) {
        double shift = n == 0 ? 0.5 : 0.0;
        g->along_x[n] = weights_create(g->x, g->nx, axes, true, grid->i_first, grid->n1, shift);
        g->along_y[n] = weights_create(g->y, g->ny, axes, false, grid->j_first, grid->n2, shift);
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
    memory_free(g->now), memory_free(g->time), memory_free(g->x), memory_free(g->y), memory_free(g->path);
    memory_free(g);
    *gridded = NULL;
}

bool gridded_is_steady(const Gridded *gridded) {
    return gridded->records == 0;
}

static Status load(Gridded *g, int slot, int record) {
    Status status = STATUS_OK;
    if (g->held[slot] == record) return STATUS_OK;
    if (g->rank == 0) status = source_read(&g->source, record, g->record[slot]);
    TRY(status_agree(g->comm, status));
    MPI_Bcast(g->record[slot], g->nx * g->ny, MPI_DOUBLE, 0, g->comm);
    g->held[slot] = record;
    return STATUS_OK;
}

Status gridded_advance(Gridded *g, double time) {
    if (time == g->now_time || (g->records < 2 && g->held[0] == 0)) return STATUS_OK;
    int before = g->records > 1 ? series_before(g->time, g->records, time) : 0;
    /* a step belongs to the record that it ends in */
    if (g->accumulated && before > 0 && time <= g->time[before]) before--;
    if (g->held[1] == before && g->held[0] != before) {
        double *swap = g->record[0];
        g->record[0] = g->record[1], g->record[1] = swap;
        g->held[1] = g->held[0], g->held[0] = before;
    }
    TRY(load(g, 0, before));
    double part = 0;
    if (g->records > 1) {
        TRY(load(g, 1, before + 1));
        part = (time - g->time[before]) / (g->time[before + 1] - g->time[before]);
        part = part < 0   ? 0
               : part > 1 ? 1
                          : part; /* the bracket was checked; rounding and the closing step */
    }
    const double *a = g->record[0], *b = g->record[1];
    const double seconds = g->accumulated ? g->time[before + 1] - g->time[before] : 1;
    for (int n = 0; g->accumulated && n < g->nx * g->ny; n++) g->now[n] = b[n] / seconds;
    for (int n = 0; !g->accumulated && n < g->nx * g->ny; n++)
        g->now[n] = part > 0 ? a[n] + part * (b[n] - a[n]) : a[n];
    g->now_time = time;
    return STATUS_OK;
}

double gridded_at(const Gridded *g, Place place, int i, int j) {
    const Weights *wx = &g->along_x[place == PLACE_U], *wy = &g->along_y[place == PLACE_V];
    double px = wx->part[i + HALO], py = wy->part[j + HALO];
    const double *south = g->now + (ptrdiff_t)wy->low[j + HALO] * g->nx + wx->low[i + HALO],
                 *north = south + g->nx;
    double along_south = south[0] + px * (south[1] - south[0]);
    double along_north = north[0] + px * (north[1] - north[0]);
    return along_south + py * (along_north - along_south);
}

char *gridded_describe(const Gridded *g) {
    char first[32], last[32];
    if (g->records == 0)
        return memory_format("%s (%s, steady, %d x %d points)", g->path, g->name, g->nx, g->ny);
    calendar_format(g->start + g->time[0], first);
    calendar_format(g->start + g->time[g->records - 1], last);
    return memory_format("%s (%s%s, %s to %s, %d records, %d x %d points)", g->path, g->name,
                         g->accumulated ? ", accumulated" : "", first, last, g->records, g->nx, g->ny);
}
