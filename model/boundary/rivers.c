/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/rivers.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/forcing.h"
#include <math.h>

struct Rivers {
    const Grid *grid; /* not owned */
    int count;
    Series **discharge;
    ptrdiff_t *column; /* -1: on another rank */
    int n_tracers;
    Series **value;  /* [river][tracer]; NULL: nothing is said */
    int temperature; /* which then is the one of the water at the mouth; others are 0 */
};

static const double FAR_M = 20e3; /* a mouth moved further than this is a mistake in its coordinates */

Status rivers_create(const Scenario *scenario, const Grid *grid, Rivers **out) {
    Rivers *r = ALLOCATE(1, Rivers);
    Status status;
    int rank;
    MPI_Comm_rank(grid->comm, &rank);
    *out = r;
    r->grid = grid;
    r->count = scenario->n_rivers;
    r->discharge = ALLOCATE(r->count + 1, Series *);
    r->column = ALLOCATE(r->count + 1, ptrdiff_t);
    for (int n = 0; n < r->count; n++) {
        const ScenarioRiver *river = &scenario->rivers[n];
        GridPlace place;
        ATTEMPT(status_agree(grid->comm, series_create(&river->discharge_m3_s, "discharge", &grid->axes,
                                                       river->x, river->y, scenario->time.start,
                                                       scenario->time.end, &r->discharge[n])));
        ATTEMPT(grid_locate(grid, river->x, river->y, &place));
        if (place.distance_m > FAR_M) {
            status =
                error_raise(STATUS_BAD_INPUT,
                            "%s: the mouth of \"%s\" is %.0f km from the nearest water: check its position",
                            river->place, river->name, place.distance_m / 1e3);
            goto cleanup;
        }
        if (place.distance_m > 0)
            log_info("river %s: mouth moved %.1f km to the nearest wet cell", river->name,
                     place.distance_m / 1e3);
        r->column[n] = place.rank == rank ? AT2(*grid, place.i, place.j) : -1;
    }
    return STATUS_OK;
cleanup:
    rivers_destroy(out);
    return status;
}

void rivers_destroy(Rivers **rivers) {
    if (!*rivers) return;
    for (int n = 0; n < (*rivers)->count; n++) series_destroy(&(*rivers)->discharge[n]);
    for (int n = 0; n < (*rivers)->count * (*rivers)->n_tracers; n++) series_destroy(&(*rivers)->value[n]);
    memory_free((*rivers)->value);
    memory_free((*rivers)->discharge);
    memory_free((*rivers)->column);
    memory_free(*rivers);
    *rivers = NULL;
}

Status rivers_add_tracers(Rivers *rivers, const Scenario *scenario, const State *state) {
    rivers->n_tracers = state->n_tracers;
    rivers->temperature = state->temperature;
    rivers->value = ALLOCATE(rivers->count * state->n_tracers + 1, Series *);
    for (int n = 0; n < rivers->count; n++)
        for (int t = 0; t < state->n_tracers; t++) {
            const ScenarioRiver *river = &scenario->rivers[n];
            const Value *value = inflow_value(&river->inflow, state, t);
            if (value)
                TRY(series_create(value, state->tracer[t].name, &rivers->grid->axes, river->x, river->y,
                                  scenario->time.start, scenario->time.end,
                                  &rivers->value[n * state->n_tracers + t]));
        }
    return STATUS_OK;
}

void rivers_apply(const Rivers *rivers, double time, double dt, const double *depth, double *source,
                  double *source_in) {
    exec_wait(rivers->grid->exec);
    for (int n = 0; n < rivers->count; n++)
        if (rivers->column[n] >= 0) source[rivers->column[n]] = source_in[rivers->column[n]] = 0;
    for (int n = 0; n < rivers->count; n++) {
        if (rivers->column[n] < 0) continue;
        const double discharge = series_at_or_nan(rivers->discharge[n], time);
        source[rivers->column[n]] += discharge; /* no number stays none, and is found */
        source_in[rivers->column[n]] += discharge > 0 ? discharge : 0;
    }
    for (int n = 0; n < rivers->count; n++) {
        const ptrdiff_t m = rivers->column[n];
        if (m < 0) continue;
        const double held = rivers->grid->area[m] * depth[m] / dt * (1 - 1e-12);
        source[m] = source[m] < -held ? -held : source[m];
    }
}

void rivers_carry(const Rivers *rivers, int tracer, double time, double *load, double *carried) {
    exec_wait(rivers->grid->exec);
    for (int n = 0; n < rivers->count; n++)
        if (rivers->column[n] >= 0) load[rivers->column[n]] = carried[rivers->column[n]] = 0;
    for (int n = 0; n < rivers->count; n++) {
        const ptrdiff_t m = rivers->column[n];
        const Series *value = rivers->value[n * rivers->n_tracers + tracer];
        if (m < 0 || (!value && tracer == rivers->temperature)) continue;
        const double discharge = fmax(0, series_at_or_nan(rivers->discharge[n], time));
        load[m] += value ? discharge * series_at_or_nan(value, time) : 0;
        carried[m] += discharge;
    }
}

static bool is_first_of_its_column(const Rivers *rivers, int river) {
    for (int n = 0; n < river; n++)
        if (rivers->column[n] == rivers->column[river]) return false;
    return true;
}

void rivers_inflow(const Rivers *rivers, const double *source, ExactSum *sum) {
    exec_wait(rivers->grid->exec);
    for (int n = 0; n < rivers->count; n++)
        if (rivers->column[n] >= 0 && is_first_of_its_column(rivers, n))
            exact_sum_add(sum, source[rivers->column[n]]);
}

void rivers_each_column(const Rivers *rivers, void (*visit)(void *context, ptrdiff_t column), void *context) {
    for (int n = 0; n < rivers->count; n++)
        if (rivers->column[n] >= 0 && is_first_of_its_column(rivers, n)) visit(context, rivers->column[n]);
}
