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
        ATTEMPT(series_create(&river->discharge_m3_s, "discharge", &grid->axes, river->x, river->y,
                              scenario->time.start, scenario->time.end, &r->discharge[n]));
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
    memory_free((*rivers)->discharge);
    memory_free((*rivers)->column);
    memory_free(*rivers);
    *rivers = NULL;
}

void rivers_apply(const Rivers *rivers, double time, double dt, const double *depth, double *source) {
    for (int n = 0; n < rivers->count; n++)
        if (rivers->column[n] >= 0) source[rivers->column[n]] = 0;
    for (int n = 0; n < rivers->count; n++)
        if (rivers->column[n] >= 0) source[rivers->column[n]] += series_at_or_nan(rivers->discharge[n], time);
    for (int n = 0; n < rivers->count; n++) {
        const ptrdiff_t m = rivers->column[n];
        if (m < 0) continue;
        const double held = rivers->grid->area[m] * depth[m] / dt * (1 - 1e-12);
        source[m] = source[m] < -held ? -held : source[m]; /* no number stays none, and is found */
    }
}

static bool is_first_of_its_column(const Rivers *rivers, int river) {
    for (int n = 0; n < river; n++)
        if (rivers->column[n] == rivers->column[river]) return false;
    return true;
}

void rivers_inflow(const Rivers *rivers, const double *source, ExactSum *sum) {
    for (int n = 0; n < rivers->count; n++)
        if (rivers->column[n] >= 0 && is_first_of_its_column(rivers, n))
            exact_sum_add(sum, source[rivers->column[n]]);
}
