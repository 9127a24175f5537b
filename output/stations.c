/* SPDX-License-Identifier: Apache-2.0
 *
 * Series at stations (CF discrete sampling geometries): timeSeries, or timeSeriesProfile as soon as a
 * variable has layers. The rank that owns a station's cell keeps its samples and writes some dozens at a
 * time.
 */
#include "output/stations.h"
#include "base/memory.h"
#include "model/subgrid/hypsometry.h"

#include <math.h>

Status stations_create(const Making *making, StationsFile **out) {
    const State *state = making->state;
    StationsFile *f = *out = ALLOCATE(1, StationsFile);
    f->grid = state->grid;
    f->start = state->start;
    f->entry = making->entry;
    f->scenario = making->scenario;
    f->water_density = making->scenario->physics.water_density_kg_m3;
    const double every = making->entry->every_s;
    f->schedule = making->follows   ? making->schedule
                  : making->resumed ? schedule_after(every, state->time)
                                    : schedule_from(every, state->time);
    TRY(status_agree(f->grid->comm, stations_choose(f, making)));
    TRY(stations_place(f, making));
    double last = 0;
    if (making->resumed)
        TRY(records_resume(f->grid->comm, making->path, records_due(making, false, state->time), state->time,
                           &f->records, &last));
    if (f->records > 0) {
        f->schedule = records_schedule(making->path, making->entry->every_s, last, state->time);
        TRY(stations_reopen(f, making->path));
    } else
        TRY(stations_define(f, making));
    for (int n = 0; n < f->n_series; n++) {
        Series *s = &f->series[n];
        s->id = ncfile_find(&f->file, s->name);
        s->values = ALLOCATE((size_t)f->n_stations * MOST_SAMPLES * (size_t)s->n_levels, float);
    }
    return ncfile_agree(&f->file);
}

/* ---- sampling ---- */

static double z_at(const State *state, int i, int j, int k) {
    const Grid *g = state->grid;
    ptrdiff_t n = AT2(*g, i, j);
    if (!output_is_wet(state, 'c', i, j) || k < (int)g->bottom_c[n]) return NAN;
    const double under = (share_below(g, i, j, k) + 0.5 * g->phi_c[AT(*g, i, j, k)]) * state->depth[n];
    return g->bed[n] + (state->ground ? hypsometry_height_of(state->ground, n, under) : under);
}

/* With ground inside cells: the level, or the depth, where the station stands. */
static double value_on_spot(const StationsFile *f, const Series *s, const State *state, const Station *at) {
    const double depth = state->eta[AT2(*f->grid, at->place.i, at->place.j)] - at->bed;
    if (s->reads == READS_DEPTH) return fmax(0, depth);
    return depth >= state->dry_depth ? at->bed + depth : NAN;
}

static double value_at(const StationsFile *f, const Series *s, const Sea *sea, const LedgerRow *ledger, int m,
                       int k) {
    const GridPlace *at = &f->stations[m].place;
    if (s->reads != READS_CELL) return value_on_spot(f, s, sea->state, &f->stations[m]);
    if (s->flow) return ledger->structures[(s->flow - flow_rows) * f->n_stations + m];
    return s->is ? output_value(s->is, sea, at->i, at->j, k) : z_at(sea->state, at->i, at->j, k);
}

static void sample(StationsFile *f, const State *state, const LedgerRow *ledger) {
    const Sea sea = {state, f->water_density, NULL};
    for (int n = 0; n < f->n_series; n++) {
        const Series *s = &f->series[n];
        for (int m = 0; m < f->n_stations; m++) {
            if (!f->stations[m].mine) continue;
            float *value = s->values + ((size_t)m * MOST_SAMPLES + (size_t)f->held) * (size_t)s->n_levels;
            for (int k = 0; k < s->n_levels; k++) {
                double x = value_at(f, s, &sea, ledger, m, k);
                value[k] = isnan(x) ? FILL_FLOAT : (float)x;
            }
        }
    }
    f->times[f->held++] = state->time;
}

Schedule stations_schedule(const StationsFile *stations) {
    return stations->schedule;
}

bool stations_will_sample(const StationsFile *stations, double time) {
    return schedule_due(&stations->schedule, time);
}

static Status write_samples(StationsFile *f) {
    int rank;
    MPI_Comm_rank(f->grid->comm, &rank);
    if (f->held == 0) return STATUS_OK;
    MPI_Offset start[3] = {f->records, 0, 0}, count[3] = {f->held, 1, 1};
    if (rank == 0) ncfile_put(&f->file, ncfile_find(&f->file, "time"), start, count, MPI_DOUBLE, f->times);
    for (int n = 0; n < f->n_series; n++) {
        const Series *s = &f->series[n];
        count[2] = s->n_levels;
        for (int m = 0; m < f->n_stations; m++) {
            start[1] = m;
            if (f->stations[m].mine)
                ncfile_put(&f->file, s->id, start, count, MPI_FLOAT,
                           s->values + (size_t)m * MOST_SAMPLES * (size_t)s->n_levels);
        }
    }
    TRY(ncfile_wait(&f->file));
    f->records += f->held;
    f->held = 0;
    return STATUS_OK;
}

Status stations_step(StationsFile *f, const State *state, const LedgerRow *ledger) {
    if (!schedule_due(&f->schedule, state->time)) return STATUS_OK;
    sample(f, state, ledger);
    schedule_advance(&f->schedule, state->time);
    return f->held == MOST_SAMPLES ? write_samples(f) : STATUS_OK;
}

Status stations_flush(StationsFile *f) {
    TRY(write_samples(f));
    return ncfile_flush(&f->file);
}

Status stations_close(StationsFile *f, double time) {
    const Status status = f->file.failed ? STATUS_OK : write_samples(f);
    return attributes_close(&f->file, status, f->start, NAN, time);
}

void stations_destroy(StationsFile **stations) {
    StationsFile *f = *stations;
    if (!f) return;
    for (int n = 0; n < f->n_series; n++) memory_free(f->series[n].values);
    ncfile_abandon(&f->file);
    memory_free(f->series);
    memory_free(f->stations);
    memory_free(f);
    *stations = NULL;
}
