/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/rivers.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/boundary/river_map.h"
#include "model/boundary/rivers_and_sponges.h"
#include "model/forcing/series.h"
#include "model/seam/shape.h"
#include <math.h>

struct Rivers {
    const Grid *grid; /* not owned */
    int count, named; /* all; the scenario's own, which come before those of maps */
    Series **discharge;
    const ScenarioInflow **inflow; /* not owned */
    double *given;     /* by the caller, of the named ones, in place of that; NaN: not; NULL: none */
    ptrdiff_t *column; /* -1: on another rank */
    int n_tracers;
    Series **value;  /* [river][tracer]; NULL: nothing is said */
    int temperature; /* which then is the one of the water at the mouth; others are 0 */
    int *of_mouth;   /* the number of each river's mouth; -1: on another rank */
    int mouths;
    RunList list; /* of the mouths */
    /* between host and kernels (rivers_and_sponges.h) */
    Mouth *mouth;
    MouthLoad *brought; /* [tracer][mouth] */
};

/* Does the river have the water of the one before, as all of a map have? Then they share its series. */
static bool shares_water(const Rivers *r, int n) {
    return n > 0 && r->inflow[n] == r->inflow[n - 1];
}

/* Less than 0 is a withdrawal. A table is of a river or of a withdrawal, unless the scenario allows both in one. */
static Status read_discharge(const Scenario *scenario, const Grid *grid, const ScenarioRiver *river,
                             Series **out) {
    const Value *value = &river->discharge_m3_s;
    TRY(series_create(value, "discharge", &grid->axes, river->x, river->y, scenario, out));
    const double highest = series_at(*out, series_time_of_extreme(*out, 1, scenario->time.duration_s));
    if (highest <= 0) return STATUS_OK;
    const FieldNames is = {.what = river->name, .unit = "m3/s", .most = value->most};
    return series_check_range(*out, &is, "the discharge of a river (a table of withdrawals has none above 0)",
                              scenario);
}

/* Beside a zoom, the nearest wet cell may lie under it. */
static Status check_mouth(const Grid *grid, const ScenarioRiver *river, ptrdiff_t column) {
    CHECK(column < 0 || !seam_covers(grid, column), STATUS_BAD_INPUT,
          "%s: the mouth of \"%s\" lies outside of /zoom/box, but the nearest wet cell inside: move one of "
          "them",
          river->place, river->name);
    return STATUS_OK;
}

/* Columns that have one river or more. */
static Status find_mouths(Rivers *r) {
    r->of_mouth = ALLOCATE(r->count + 1, int);
    TRY(pinned_allocate(r->grid->exec, (size_t)(r->count + 1) * sizeof *r->mouth, (void **)&r->mouth));
    for (int n = 0; n < r->count; n++) {
        r->of_mouth[n] = r->column[n] < 0 ? -1 : r->mouths;
        for (int m = 0; m < r->mouths && r->column[n] >= 0; m++)
            if (r->mouth[m].column == r->column[n]) r->of_mouth[n] = m;
        if (r->of_mouth[n] == r->mouths) r->mouth[r->mouths++].column = r->column[n];
    }
    r->list = flat_list(r->mouths);
    return STATUS_OK;
}

static Status add_named(Rivers *r, const Scenario *scenario, int n, int rank) {
    const Grid *grid = r->grid;
    const ScenarioRiver *river = &scenario->rivers[n];
    GridPlace place;
    TRY(status_agree(grid->comm, read_discharge(scenario, grid, river, &r->discharge[n])));
    r->column[n] = -1;
    r->inflow[n] = &river->inflow;
    if (seam_takes(scenario, &grid->axes, river->x, river->y)) return STATUS_OK; /* into the finer grid */
    TRY(grid_locate(grid, river->x, river->y, &place));
    CHECK(!place.far, STATUS_BAD_INPUT,
          "%s: the mouth of \"%s\" is %.1f km from the nearest wet cell, more than a few cells: check its "
          "position",
          river->place, river->name, place.distance_m / 1e3);
    if (place.distance_m > 0)
        log_info("river %s: mouth moved %.1f km to the nearest wet cell", river->name,
                 place.distance_m / 1e3);
    r->column[n] = place.rank == rank ? AT2(*grid, place.i, place.j) : -1;
    return status_agree(grid->comm, check_mouth(grid, river, r->column[n]));
}

static void add_mapped(Rivers *r, const MappedRiver *river, int n, int rank) {
    const GridPlace *place = &river->place;
    r->discharge[n] = river->discharge;
    r->inflow[n] = &river->map->inflow;
    r->column[n] = place->rank == rank ? AT2(*r->grid, place->i, place->j) : -1;
}

Status rivers_create(const Scenario *scenario, const Grid *grid, Rivers **out) {
    Rivers *r = ALLOCATE(1, Rivers);
    Status status;
    MappedRiver *mapped = NULL;
    int rank, maps = 0;
    MPI_Comm_rank(grid->comm, &rank);
    *out = r;
    r->grid = grid;
    r->named = scenario->n_rivers;
    ATTEMPT(river_maps_read(grid, scenario, &maps, &mapped));
    r->count = r->named + maps;
    r->discharge = ALLOCATE(r->count + 1, Series *);
    r->inflow = ALLOCATE(r->count + 1, const ScenarioInflow *);
    r->column = ALLOCATE(r->count + 1, ptrdiff_t);
    for (int n = 0; n < maps; n++) add_mapped(r, &mapped[n], r->named + n, rank);
    memory_free(mapped);
    for (int n = 0; n < r->named; n++) ATTEMPT(add_named(r, scenario, n, rank));
    ATTEMPT(find_mouths(r));
    return STATUS_OK;
cleanup:
    rivers_destroy(out);
    return status;
}

void rivers_destroy(Rivers **rivers) {
    if (!*rivers) return;
    for (int n = 0; n < (*rivers)->count; n++) series_destroy(&(*rivers)->discharge[n]);
    for (int n = 0; n < (*rivers)->count * (*rivers)->n_tracers; n++)
        if (!shares_water(*rivers, n / (*rivers)->n_tracers)) series_destroy(&(*rivers)->value[n]);
    memory_free((*rivers)->value);
    memory_free((*rivers)->discharge);
    memory_free((*rivers)->inflow);
    memory_free((*rivers)->given);
    memory_free((*rivers)->column);
    memory_free((*rivers)->of_mouth);
    memory_free((*rivers)->list.run);
    pinned_free((*rivers)->grid->exec, (*rivers)->mouth);
    pinned_free((*rivers)->grid->exec, (*rivers)->brought);
    memory_free(*rivers);
    *rivers = NULL;
}

Status rivers_add_tracers(Rivers *rivers, const Scenario *scenario, const State *state) {
    rivers->n_tracers = state->n_tracers;
    rivers->temperature = state->temperature;
    rivers->value = ALLOCATE(rivers->count * state->n_tracers + 1, Series *);
    for (int n = 0; n < rivers->count; n++)
        for (int t = 0; t < state->n_tracers; t++) {
            const Value *value = inflow_value(rivers->inflow[n], state, t);
            Series **own = &rivers->value[n * state->n_tracers + t];
            if (shares_water(rivers, n))
                *own = own[-state->n_tracers];
            else if (value)
                TRY(series_create(value, state->tracer[t].name, &rivers->grid->axes, 0, 0, scenario, own));
        }
    return pinned_allocate(rivers->grid->exec,
                           (size_t)(rivers->mouths * state->n_tracers + 1) * sizeof *rivers->brought,
                           (void **)&rivers->brought);
}

void rivers_give(Rivers *r, const double *discharges) {
    if (!r->given) {
        r->given = ALLOCATE(r->named + 1, double);
        for (int n = 0; n < r->named; n++) r->given[n] = NAN;
    }
    for (int n = 0; discharges && n < r->named; n++)
        if (!isnan(discharges[n])) r->given[n] = discharges[n];
}

const double *rivers_given(const Rivers *r) {
    return r->given;
}

double rivers_discharge(const Rivers *r, int river, double time) {
    const bool given = river < r->named && r->given && !isnan(r->given[river]);
    return given ? r->given[river] : series_at_or_nan(r->discharge[river], time);
}

void rivers_apply(const Rivers *r, double time, double dt, const double *depth, double *source,
                  double *source_in) {
    for (int n = 0; n < r->mouths; n++) r->mouth[n].discharge = r->mouth[n].in = 0;
    for (int n = 0; n < r->count; n++) {
        if (r->column[n] < 0) continue;
        Mouth *mouth = &r->mouth[r->of_mouth[n]];
        const double discharge = rivers_discharge(r, n, time);
        mouth->discharge += discharge; /* no number stays none, and is found */
        mouth->in += discharge > 0 ? discharge : 0;
    }
    mouths_pour(r->grid->exec, r->list, (Mouths){r->mouth, r->grid->area, depth, dt, source, source_in});
}

void rivers_carry(const Rivers *r, int tracer, double time, double *load, double *carried) {
    MouthLoad *brought = r->brought + (ptrdiff_t)tracer * r->mouths;
    for (int n = 0; n < r->mouths; n++) brought[n] = (MouthLoad){0, 0};
    for (int n = 0; n < r->count; n++) {
        const Series *value = r->value[n * r->n_tracers + tracer];
        if (r->column[n] < 0 || (!value && tracer == r->temperature)) continue;
        const double discharge = fmax(0, rivers_discharge(r, n, time));
        brought[r->of_mouth[n]].load += value ? discharge * series_at_or_nan(value, time) : 0;
        brought[r->of_mouth[n]].carried += discharge;
    }
    mouths_load(r->grid->exec, r->list, (MouthLoads){r->mouth, brought, load, carried});
}

void rivers_inflow(const Rivers *r, ExactSum *sum) {
    for (int n = 0; n < r->mouths; n++) exact_sum_add(sum, r->mouth[n].source);
}

void rivers_each_column(const Rivers *r, void (*visit)(void *context, ptrdiff_t column), void *context) {
    for (int n = 0; n < r->mouths; n++) visit(context, r->mouth[n].column);
}
