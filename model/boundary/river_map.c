/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/river_map.h"

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/projection.h"
#include "model/forcing/gridded_source.h"
#include "settings/doubt.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_IN_LOG = 8, NEAR_CELLS = 2 };
#define MOST_M3_S   4e5 /* the Amazon in flood has 3e5 */
#define WATER_KG_M3 1000.0

static const FieldNames names_of[] = {
    [RIVERS_DISCHARGE] = {.what = "river discharge",
                          .unit = "m3 s-1",
                          .least = 0,
                          .most = MOST_M3_S,
                          .names = NAMES("dis24", "dis06", "dis", "rivout", "outflw", "discharge",
                                         "river_discharge"),
                          .standard_names = NAMES("water_volume_transport_in_river_channel"),
                          .long_names = NAMES("Mean discharge in the last 24 hours", "river discharge")},
    [RIVERS_RUNOFF] = {.what = "runoff",
                       .unit = "kg m-2 s-1",
                       .least = 0,
                       .most = 100,
                       .names = NAMES("sorunoff", "runoff", "friver", "rorunoff", "Runoff"),
                       .standard_names = NAMES("water_flux_into_sea_water_from_rivers", "runoff_flux"),
                       .long_names = NAMES("river runoff")},
};

/* A cell of the map that may be a mouth. */
typedef struct Candidate {
    double x, y, mean, spacing; /* as the grid's coordinates; [m3 s-1]; of the map [m] */
    int cell;                   /* in the window, by which they are sorted */
    bool mouth;                 /* near the sea */
    int to;                     /* the one that has its water; -1: none */
} Candidate;

typedef struct RiverMap {
    const ScenarioRiverMap *is;
    const Grid *grid;
    const Scenario *scenario;
    int rank;
    /* on rank 0 */
    GriddedSource source;
    double *window, *area; /* a record; what turns it into m3/s */
    /* on all */
    int count, mouths, records; /* candidates; kept ones; of the run, 1 if the map has no times */
    int columns;                /* of the window */
    Candidate *candidate;
    double *time, *value; /* [s since the start]; [mouth][record] */
} RiverMap;

/* ---- on rank 0 ---- */

static double metres_between(const RiverMap *m, int i0, int j0, int i1, int j1) {
    const GriddedSource *s = &m->source;
    const double x0 = s->x.at[i0], x1 = s->x.at[i1], y0 = s->y.at[j0], y1 = s->y.at[j1];
    if (!s->degrees) return axes_distance_m(&m->grid->axes, x0, y0, x1, y1);
    const double shorter = cos(0.5 * (y0 + y1) * RADIANS_PER_DEGREE);
    return METRES_PER_DEGREE * hypot((x1 - x0) * shorter, y1 - y0);
}

/* The sides of a cell: between the middles beside it, or to the only one there is. [m] */
static void sides_of(const RiverMap *m, int i, int j, double side[2]) {
    const int columns = m->source.x.count, rows = m->source.y.count;
    const int west = i > 0 ? i - 1 : i, east = i + 1 < columns ? i + 1 : i, south = j > 0 ? j - 1 : j,
              north = j + 1 < rows ? j + 1 : j;
    side[0] = metres_between(m, west, j, east, j) / fmax(1, east - west);
    side[1] = metres_between(m, i, south, i, north) / fmax(1, north - south);
}

/* GloFAS and EFAS stamp the mean of a day, or of six hours, with their end: it holds in their middle. [s] */
static double lateness(const char *variable) {
    return strcmp(variable, "dis24") == 0 ? 43200 : strcmp(variable, "dis06") == 0 ? 10800 : 0;
}

static Status open_map(RiverMap *m) {
    GriddedSource *s = &m->source;
    SourceWindow window = source_window_of(&m->grid->axes, true);
    window.shortfall = 1; /* extracts end at the middles of cells */
    window.spare = 2;
    TRY(source_open_part(m->is->file, m->is->variable, &names_of[m->is->quantity], &m->grid->axes,
                         m->scenario, &window, true, NULL, s));
    CHECK(s->variable.z < 0, STATUS_BAD_INPUT, "%s: %s has levels: name another variable (%s)", m->is->file,
          s->name, m->is->place);
    CHECK(!s->change.accumulated, STATUS_BAD_INPUT, "%s: %s is an amount: give a rate in %s (%s)",
          m->is->file, s->name, s->unit, m->is->place);
    CHECK(s->x.count > 2 && s->y.count > 2, STATUS_BAD_INPUT,
          "%s: only %d x %d cells lie around the grid, too few to find mouths (%s)", m->is->file, s->x.count,
          s->y.count, m->is->place);
    if (lateness(s->name) > 0 && s->last < s->records - 1)
        s->last++; /* whose middle may lie before the end */
    m->window = ALLOCATE((size_t)s->x.count * (size_t)s->y.count, double);
    m->area = ALLOCATE((size_t)s->x.count * (size_t)s->y.count, double);
    for (int j = 0; j < s->y.count; j++)
        for (int i = 0; i < s->x.count; i++) {
            double side[2];
            sides_of(m, i, j, side);
            m->area[j * s->x.count + i] =
                m->is->quantity == RIVERS_RUNOFF ? side[0] * side[1] / WATER_KG_M3 : 1;
        }
    return STATUS_OK;
}

/* On average of the scenario's time, wherever a run begins in it: the mouths stay the same. [m3 s-1] */
static Status find_means(RiverMap *m, double *mean) {
    GriddedSource *s = &m->source;
    const int cells = s->x.count * s->y.count;
    const ScenarioTime *run = &m->scenario->time;
    const int first = s->records > 1 ? series_before(s->time, s->records, run->start) : 0,
              last = s->records > 1 ? series_before(s->time, s->records, run->end) + 1 : 0;
    int *values = ALLOCATE(cells, int); /* gaps in a river are found when its mouth is read */
    Status status = STATUS_OK;
    for (int r = first; r <= last; r++) {
        ATTEMPT(source_read_level(s, r, 0, m->window));
        for (int n = 0; n < cells; n++)
            if (isfinite(m->window[n])) mean[n] += m->area[n] * m->window[n], values[n]++;
    }
    for (int n = 0; n < cells; n++) mean[n] /= values[n]; /* no number without any */
cleanup:
    memory_free(values);
    return status;
}

/* No less than the eight around it. */
static bool is_peak(const double *mean, int columns, int rows, int i, int j) {
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < rows; y++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < columns; x++)
            if (mean[y * columns + x] > mean[j * columns + i]) return false;
    return true;
}

static bool within(const Axes *axes, const Candidate *c) {
    return c->x >= axes_x(axes, 0) && c->x <= axes_x(axes, axes->nx) && c->y >= axes_y(axes, 0) &&
           c->y <= axes_y(axes, axes->ny);
}

static Status find_candidates(RiverMap *m) {
    const GriddedSource *s = &m->source;
    const Axes *axes = &m->grid->axes;
    const int columns = s->x.count;
    double *mean = ALLOCATE((size_t)columns * (size_t)s->y.count, double);
    Status status = STATUS_OK;
    ATTEMPT(find_means(m, mean));
    m->candidate = ALLOCATE((size_t)columns * (size_t)s->y.count, Candidate);
    for (int j = 0; j < s->y.count; j++)
        for (int i = 0; i < columns; i++) {
            const int cell = j * columns + i;
            if (!(mean[cell] > 0) ||
                (m->is->quantity == RIVERS_DISCHARGE && !is_peak(mean, columns, s->y.count, i, j)))
                continue;
            Candidate *c = &m->candidate[m->count];
            double side[2];
            sides_of(m, i, j, side);
            *c = (Candidate){s->x.at[i], s->y.at[j], mean[cell], fmax(side[0], side[1]), cell, false, -1};
            if (s->degrees) projection_to_metres(axes->map, c->x, c->y, &c->x, &c->y);
            m->count += within(axes, c);
        }
cleanup:
    memory_free(mean);
    return status;
}

/* ---- on all ---- */

static double off(const RiverMap *m, const Candidate *a, const Candidate *b) {
    return axes_distance_m(&m->grid->axes, a->x, a->y, b->x, b->y);
}

/* Where a river keeps its discharge from cell to cell, all of them are candidates: the one nearest to the sea is its mouth. */
static bool goes_on(const RiverMap *m, const GridPlace *place, int n) {
    const Candidate *c = &m->candidate[n];
    const int beside = m->columns + 1;
    int o = n;
    if (m->is->quantity != RIVERS_DISCHARGE) return false;
    while (o > 0 && m->candidate[o - 1].cell >= c->cell - beside) o--;
    for (; o < m->count && m->candidate[o].cell <= c->cell + beside; o++) {
        const Candidate *other = &m->candidate[o];
        const double further = place[o].distance_m - place[n].distance_m;
        if (o != n && other->mean == c->mean && off(m, c, other) < 1.5 * c->spacing &&
            (further < 0 || (further == 0 && o < n)))
            return true;
    }
    return false;
}

/* Which candidates are mouths. */
static Status choose_mouths(RiverMap *m, const GridPlace *place, MappedRiver *river) {
    double inland = 0;
    int far = 0, small = 0;
    for (int n = 0; n < m->count; n++) {
        Candidate *c = &m->candidate[n];
        const bool away = place[n].far && place[n].distance_m > NEAR_CELLS * c->spacing;
        if (away) inland += c->mean, far++;
        c->mouth = !away && !goes_on(m, place, n);
        small += c->mouth && c->mean < m->is->least_m3_s;
        if (!c->mouth || c->mean < m->is->least_m3_s) continue;
        c->to = m->mouths;
        river[m->mouths++] =
            (MappedRiver){c->x, c->y, place[n], c->mean, NEAR_CELLS * c->spacing, NULL, m->is};
    }
    CHECK(m->mouths > 0, STATUS_BAD_INPUT,
          "%s: no mouth of %g m3/s or more within the grid and near its sea (%d smaller ones, %d cells too "
          "far inland)%s (%s)",
          m->is->file, m->is->least_m3_s, small, far, small > 0 ? ": lower \"least_m3_s\"" : "",
          m->is->place);
    if (small > 0)
        log_info("river map %s: %d mouth%s of less than %g m3/s joined the nearest larger one", m->is->name,
                 small, small == 1 ? "" : "s", m->is->least_m3_s);
    if (far > 0 && m->is->quantity == RIVERS_RUNOFF)
        log_warn("%s: %d cells with %.4g m3/s in all are too far from the sea and are left out (%s)",
                 m->is->file, far, inland, m->is->place);
    return STATUS_OK;
}

static Status find_mouths(RiverMap *m, MappedRiver *river) {
    GridPlace *place = ALLOCATE(m->count + 1, GridPlace);
    Status status = STATUS_OK;
    for (int n = 0; n < m->count && status == STATUS_OK; n++)
        status = grid_locate(m->grid, m->candidate[n].x, m->candidate[n].y, &place[n]);
    if (status == STATUS_OK) status = choose_mouths(m, place, river);
    memory_free(place);
    return status;
}

/* The water of small mouths goes to the nearest large one. */
static void join_small(RiverMap *m) {
    for (int n = 0; n < m->count; n++) {
        Candidate *c = &m->candidate[n];
        double best = DBL_MAX;
        for (int o = 0; c->mouth && c->mean < m->is->least_m3_s && o < m->count; o++) {
            const Candidate *other = &m->candidate[o];
            if (!other->mouth || other->mean < m->is->least_m3_s || off(m, c, other) >= best) continue;
            best = off(m, c, other);
            c->to = other->to;
        }
    }
}

/* The records of the run, at the mouths. */
static Status read_mouths(RiverMap *m) {
    GriddedSource *s = &m->source;
    const double late = lateness(s->name);
    const int first = s->records > 1 ? s->first : 0;
    char date[32] = "all times";
    for (int r = 0; r < m->records; r++) {
        TRY(source_read_level(s, first + r, 0, m->window));
        if (s->records > 0) calendar_format(s->time[first + r], date);
        m->time[r] = s->records > 0 ? s->time[first + r] - late - m->scenario->time.start : 0;
        for (int n = 0; n < m->count; n++) {
            const Candidate *c = &m->candidate[n];
            const double value = m->area[c->cell] * m->window[c->cell];
            if (c->to < 0) continue;
            CHECK(isfinite(value), STATUS_BAD_INPUT,
                  "%s: %s has no value at %.5g, %.5g at %s, where a river has its mouth (%s)", m->is->file,
                  s->name, c->x, c->y, date, m->is->place);
            m->value[c->to * m->records + r] += value;
        }
    }
    return STATUS_OK;
}

static int larger_first(const void *a, const void *b) {
    const MappedRiver *p = *(MappedRiver *const *)a, *q = *(MappedRiver *const *)b;
    return (p->mean < q->mean) - (p->mean > q->mean);
}

static void tell(const RiverMap *m, const MappedRiver *river) {
    const MappedRiver **sorted = ALLOCATE(m->mouths, const MappedRiver *);
    double sum = 0;
    for (int n = 0; n < m->mouths; n++) {
        sorted[n] = &river[n];
        sum += series_at(river[n].discharge, m->scenario->time.from_s);
    }
    qsort(sorted, (size_t)m->mouths, sizeof *sorted, larger_first);
    log_info("river map %s: %d mouth%s, together %.4g m3/s at the start", m->is->name, m->mouths,
             m->mouths == 1 ? "" : "s", sum);
    for (int n = 0; n < m->mouths && n < NAMED_IN_LOG; n++)
        log_info("river map %s: on average %.4g m3/s at %.9g, %.9g, moved %.1f km to the nearest wet cell",
                 m->is->name, sorted[n]->mean, sorted[n]->x, sorted[n]->y, sorted[n]->place.distance_m / 1e3);
    if (m->mouths > NAMED_IN_LOG)
        log_info("river map %s: and %d smaller ones", m->is->name, m->mouths - NAMED_IN_LOG);
    memory_free(sorted);
}

static Status read_all(RiverMap *m, MappedRiver **river) {
    MPI_Comm comm = m->grid->comm;
    Status status = STATUS_OK;
    if (m->rank == 0) status = open_map(m);
    if (m->rank == 0 && status == STATUS_OK) status = find_candidates(m);
    TRY(status_agree(comm, status));
    m->columns = m->source.x.count;
    m->records = m->source.records > 1 ? m->source.last - m->source.first + 1 : 1;
    MPI_Bcast(&m->count, 1, MPI_INT, 0, comm);
    MPI_Bcast(&m->records, 1, MPI_INT, 0, comm);
    MPI_Bcast(&m->columns, 1, MPI_INT, 0, comm);
    if (m->rank > 0) m->candidate = ALLOCATE(m->count + 1, Candidate);
    MPI_Bcast(m->candidate, m->count * (int)sizeof *m->candidate, MPI_BYTE, 0, comm);
    *river = ALLOCATE(m->count + 1, MappedRiver);
    TRY(find_mouths(m, *river));
    join_small(m);
    m->time = ALLOCATE(m->records, double);
    m->value = ALLOCATE((size_t)m->mouths * (size_t)m->records, double);
    TRY(status_agree(comm, m->rank == 0 ? read_mouths(m) : STATUS_OK));
    MPI_Bcast(m->time, m->records, MPI_DOUBLE, 0, comm);
    MPI_Bcast(m->value, m->mouths * m->records, MPI_DOUBLE, 0, comm);
    for (int n = 0; n < m->mouths; n++)
        (*river)[n].discharge = series_of_records(m->records, m->time, m->value + (ptrdiff_t)n * m->records);
    tell(m, *river);
    return STATUS_OK;
}

static Status read_map(RiverMap *m, MappedRiver **out) {
    const Status status = read_all(m, out);
    source_close(&m->source);
    memory_free(m->window);
    memory_free(m->area);
    memory_free(m->candidate);
    memory_free(m->time);
    memory_free(m->value);
    return status;
}

static void forget(int count, MappedRiver **rivers) {
    for (int n = 0; n < count; n++) series_destroy(&(*rivers)[n].discharge);
    memory_free(*rivers);
    *rivers = NULL;
}

/* One file of the same variable twice would bring its rivers twice. */
static Status check_once(const Scenario *scenario) {
    const ScenarioRiverMap *all = scenario->river_maps;
    for (int n = 0; n < scenario->n_river_maps; n++)
        for (int m = 0; m < n; m++)
            CHECK(strcmp(all[n].file, all[m].file) != 0 || all[n].quantity != all[m].quantity,
                  STATUS_BAD_INPUT,
                  "%s: \"%s\" takes the same rivers from %s as \"%s\": leave one of them out", all[n].place,
                  all[n].name, all[n].file, all[m].name);
    return STATUS_OK;
}

/* The name of a river that the scenario gives, or another map has, at about the same place; NULL: none. */
static const char *found_too(const Scenario *scenario, const Axes *axes, const MappedRiver *all, int n) {
    const MappedRiver *own = &all[n];
    for (int m = 0; m < scenario->n_rivers; m++) {
        const ScenarioRiver *other = &scenario->rivers[m];
        const bool flows = other->discharge_m3_s.kind != VALUE_CONSTANT || other->discharge_m3_s.constant > 0;
        if (flows && axes_distance_m(axes, own->x, own->y, other->x, other->y) < own->near)
            return other->name;
    }
    for (int m = 0; m < n && all[m].map != own->map; m++)
        if (axes_distance_m(axes, own->x, own->y, all[m].x, all[m].y) < own->near) return all[m].map->name;
    return NULL;
}

static Status doubt_twice(const Scenario *scenario, const Axes *axes, int count, const MappedRiver *all) {
    const char *first = NULL;
    int twice = 0, at = 0;
    for (int n = 0; n < count; n++) {
        const char *other = found_too(scenario, axes, all, n);
        if (other && twice++ == 0) first = other, at = n;
    }
    if (twice == 0) return STATUS_OK;
    return doubt_raise(
        scenario, DOUBT_TWICE,
        "river map %s: its mouth at %.6g, %.6g (%.4g m3/s) is about where \"%s\" has one; %d mouth%s of maps "
        "in all: if they are the same rivers, their water comes twice",
        all[at].map->name, all[at].x, all[at].y, all[at].mean, first, twice, twice == 1 ? "" : "s");
}

Status river_maps_read(const Grid *grid, const Scenario *scenario, int *count, MappedRiver **out) {
    *count = 0;
    *out = NULL;
    TRY(check_once(scenario));
    for (int n = 0; n < scenario->n_river_maps; n++) {
        RiverMap m = {.is = &scenario->river_maps[n], .grid = grid, .scenario = scenario};
        MappedRiver *found = NULL;
        MPI_Comm_rank(grid->comm, &m.rank);
        const Status status = read_map(&m, &found);
        if (status != STATUS_OK) {
            if (found) forget(m.mouths, &found);
            forget(*count, out);
            *count = 0;
            return status;
        }
        MappedRiver *all = ALLOCATE(*count + m.mouths, MappedRiver);
        if (*count > 0) memcpy(all, *out, (size_t)*count * sizeof *all);
        memcpy(all + *count, found, (size_t)m.mouths * sizeof *all);
        memory_free(found);
        memory_free(*out);
        *out = all;
        *count += m.mouths;
    }
    const Status status = doubt_twice(scenario, &grid->axes, *count, *out);
    if (status != STATUS_OK) {
        forget(*count, out);
        *count = 0;
    }
    return status;
}
