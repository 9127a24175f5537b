/* SPDX-License-Identifier: Apache-2.0 */
#include "model/nudging/zones.h"

#include "base/memory.h"
#include "model/boundary/inflow.h"
#include "model/boundary/outer_files.h"
#include "model/boundary/segments.h"
#include "model/forcing/field_names.h"
#include <math.h>

/* While they are made. */
typedef struct Making {
    const Scenario *scenario;
    const State *state;
    Zones *zones;
} Making;

static void add(const Making *m, int boundary, const char *variable, Value to, double width, double time) {
    const ScenarioBoundary *b = &m->scenario->boundaries[boundary];
    Zones *zones = m->zones;
    zones->nudging = ENLARGE(zones->nudging, zones->count + 1, ScenarioNudging);
    zones->nudging[zones->count++] =
        (ScenarioNudging){.variable = (char *)(uintptr_t)variable,
                          .place = to.place,
                          .to = to,
                          .time_s = {.kind = VALUE_CONSTANT, .constant = time, .most = HUGE_VAL},
                          .width_m = width,
                          .in_front_of = boundary + 1,
                          .cubic = b->cubic,
                          .of_sponge = b->zone_cells == 0};
}

/* A value as it is given, or from the file of the boundary. `known`: it is, by a number, a formula or NetCDF. */
static Status find(const Making *m, const ScenarioBoundary *b, const Value *given, const FieldNames *names,
                   Value *out, bool *known) {
    const MPI_Comm comm = m->state->grid->comm;
    *known = false;
    if (given && given->kind != VALUE_ABSENT) {
        *out = *given;
        *known = given->kind != VALUE_FILE || gridded_is_netcdf(comm, given->file);
        return STATUS_OK;
    }
    *out = (Value){.kind = VALUE_FILE, .file = b->file, .place = b->place};
    return b->file ? profiles_find(comm, b->file, names, known) : STATUS_OK;
}

static Status add_tracers(const Making *m, int boundary, double width) {
    const ScenarioBoundary *b = &m->scenario->boundaries[boundary];
    for (int t = 0; t < m->state->n_tracers; t++) {
        const Tracer *tracer = &m->state->tracer[t];
        const char *const own[] = {tracer->name, NULL};
        const FieldNames names = field_names_of(tracer->name, own);
        Value to;
        bool known;
        TRY(find(m, b, inflow_value(&b->inflow, m->state, t), &names, &to, &known));
        if (known) add(m, boundary, tracer->name, to, width, b->zone_time_s);
    }
    return STATUS_OK;
}

static Status add_velocities(const Making *m, int boundary, double width, double time) {
    const ScenarioBoundary *b = &m->scenario->boundaries[boundary];
    const char *const none[] = {NULL};
    for (int c = 0; c < 2; c++) {
        const FieldNames names = field_names_of(c == 0 ? "outer_u_m_s" : "outer_v_m_s", none);
        Value to;
        bool known;
        TRY(find(m, b, &b->velocity_m_s, &names, &to, &known));
        if (!known || to.kind != VALUE_FILE) return STATUS_OK;
        to.column = outer_component(to.column, c == 0);
        if (to.column) {
            m->zones->text = ENLARGE(m->zones->text, m->zones->n_texts + 1, char *);
            m->zones->text[m->zones->n_texts++] = to.column;
        }
        add(m, boundary, c == 0 ? "u" : "v", to, width, time);
    }
    return STATUS_OK;
}

/* Does the boundary have an edge? */
static bool opens(const EdgePlace *places, int count, int boundary) {
    for (int n = 0; n < count; n++)
        if (places[n].boundary == boundary) return true;
    return false;
}

/* A zone of relaxation; without it, what a sponge leaves. */
static Status add_zones(const Making *m, int boundary, double cell) {
    const ScenarioBoundary *b = &m->scenario->boundaries[boundary];
    const double width = b->zone_cells * cell;
    if (width > 0) {
        TRY(add_tracers(m, boundary, width));
        return add_velocities(m, boundary, width, b->zone_time_s);
    }
    return b->sponge_width_m > 0 ? add_velocities(m, boundary, b->sponge_width_m, b->sponge_time_s)
                                 : STATUS_OK;
}

Status zones_create(const Scenario *scenario, const State *state, Zones *out) {
    const Grid *g = state->grid;
    const Making making = {scenario, state, out};
    const double cell = fmax(axes_dx_m(&g->axes, 0.5 * g->ny), axes_dy_m(&g->axes));
    *out =
        (Zones){.nudging = ALLOCATE(scenario->n_nudging + 1, ScenarioNudging), .count = scenario->n_nudging};
    for (int n = 0; n < scenario->n_nudging; n++) out->nudging[n] = scenario->nudging[n];
    EdgePlace *places = NULL;
    const int count = segments_gather(scenario, g, &places);
    Status status = STATUS_OK;
    for (int n = 0; n < scenario->n_boundaries && status == STATUS_OK; n++)
        if (opens(places, count, n)) status = add_zones(&making, n, cell);
    memory_free(places);
    return status;
}

void zones_free(Zones *zones) {
    for (int n = 0; n < zones->n_texts; n++) memory_free(zones->text[n]);
    memory_free(zones->text);
    memory_free(zones->nudging);
}
