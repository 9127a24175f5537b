/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/forcing.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/forcing_kernels.h"
#include "model/forcing/wind.h"
#include "settings/doubt.h"
#include <float.h>
#include <math.h>

static const double STANDARD_PRESSURE = 101325; /* [Pa], on land, where nobody looks */

static const FieldNames sea_level_pressure = {
    "the air pressure at sea level",
    "Pa",
    0,
    0,
    NAMES("msl", "mslp", "MSL", "prmsl", "slp"),
    NAMES("air_pressure_at_mean_sea_level", "air_pressure_at_sea_level"),
    NAMES("Mean sea level pressure", "mean_sea_level_pressure")};

static const FieldNames given_stress = {.what = "the wind stress", .unit = "Pa"};

struct Forcing {
    const Scenario *scenario; /* not owned */
    const Grid *grid;
    Wind wind;
    Quantity stress_x, stress_y; /* [Pa] of a caller, in place of the wind's */
    bool has_pressure;
    Quantity pressure;
    const double *pressure_bounds; /* least and most */
    double ramp;                   /* [s] */
    /* as last found, where they vary in space, the stress without the ramp; NULL: not yet */
    double *known_u, *known_v, *known_pressure;
    RunList pressure_points;
};

static Status create_pressure(const Scenario *s, const Grid *grid, Forcing *f) {
    const ScenarioForcing *from = &s->forcing;
    static char place[] = "/forcing/air_pressure/Pa"; /* which can name a column, too */
    Value file = {.kind = VALUE_FILE, .file = from->air_pressure_file, .place = place};
    const Value *value = from->air_pressure_file ? &file : &from->air_pressure_Pa;
    Value open = *value; /* check_pressure_range knows more than the limits of the key */
    open.least = open.most = 0;
    if (value->kind == VALUE_ABSENT) return STATUS_OK;
    TRY(quantity_create(&open, &sea_level_pressure, grid, s, &f->pressure));
    f->has_pressure = true;
    if (quantity_is_uniform(&f->pressure))
        log_warn("the air pressure (%s) is the same everywhere: without a gradient it moves no water",
                 f->pressure.source);
    return STATUS_OK;
}

static void fill_stress(const Grid *g, RunList faces, double ramp, const double *from, double constant,
                        double *to) {
    stress_fill(g->exec, faces, (StressFill){g->row, ramp, from, constant, to});
}

static double ramp_at(const Forcing *f, double time) {
    return f->ramp > 0 && time < f->ramp ? fmax(time, 0) / f->ramp : 1;
}

static Status update_uniform(Forcing *f, double time, double *stress_u, double *stress_v) {
    double x, y, ramp = ramp_at(f, time);
    WindSample wind;
    TRY(wind_advance(&f->wind, time));
    TRY(wind_sample(&f->wind, PLACE_C, (RunList){0}, &wind));
    wind_stress_of(&wind, 0, 0, 0, &x, &y);
    fill_stress(f->grid, f->grid->faces_u, ramp, NULL, x, stress_u);
    fill_stress(f->grid, f->grid->faces_v, ramp, NULL, y, stress_v);
    return STATUS_OK;
}

/* The component of the stress that belongs to these faces, without the ramp. */
static Status find_stress(Forcing *f, Place place, double **known) {
    const Grid *g = f->grid;
    const RunList faces = place == PLACE_U ? g->faces_u : g->faces_v;
    const bool given = f->stress_x.given != NULL;
    WindSample wind = {
        .form = WIND_STRESS, .water_density = f->wind.water_density, .turn = f->wind.turn[place]};
    if (!*known) *known = field2_create(g);
    if (given) {
        TRY(quantity_sample(&f->stress_x, place, faces, &wind.a));
        TRY(quantity_sample(&f->stress_y, place, faces, &wind.b));
    } else
        TRY(wind_sample(&f->wind, place, faces, &wind));
    const WindFill fill = {g->row, wind, place == PLACE_U, given ? NULL : f->wind.drag_factor, *known};
    if (wind_is_plain(&wind))
        wind_fill_coare(g->exec, faces, fill);
    else
        wind_fill_stress(g->exec, faces, fill);
    return STATUS_OK;
}

/* What varies in space but not in time is computed once. */
static Status update_varying(Forcing *f, double time, double *stress_u, double *stress_v) {
    const Grid *g = f->grid;
    const double ramp = ramp_at(f, time);
    if (!f->known_v || f->stress_x.given || !wind_is_steady(&f->wind)) {
        TRY(wind_advance(&f->wind, time));
        TRY(find_stress(f, PLACE_U, &f->known_u));
        TRY(find_stress(f, PLACE_V, &f->known_v));
    }
    fill_stress(g, g->faces_u, ramp, f->known_u, 0, stress_u);
    fill_stress(g, g->faces_v, ramp, f->known_v, 0, stress_v);
    return STATUS_OK;
}

/* Beyond the edges of the grid there may be sea (open boundaries); on land a formula need not be evaluated.
 */
static bool needs_pressure(const Forcing *f, int i, int j) {
    const Grid *g = f->grid;
    int64_t west = g->i_first + i, south = g->j_first + j;
    return !f->pressure.formula || g->area[AT2(*g, i, j)] > 0 || west < 0 || west >= g->nx || south < 0 ||
           south >= g->ny;
}

/* The field of the pressure, and the points where it will be asked for. */
static void begin_pressure(Forcing *f) {
    const Grid *g = f->grid;
    RunList *points = &f->pressure_points;
    points->run = ALLOCATE((size_t)(g->n1 + 2) * (size_t)(g->n2 + 2), Run);
    f->known_pressure = field2_create(g);
    for (int j = -1; j <= g->n2; j++)
        for (int i = -1; i <= g->n1; i++) {
            f->known_pressure[AT2(*g, i, j)] = STANDARD_PRESSURE;
            if (!needs_pressure(f, i, j)) continue;
            const bool goes_on = i > -1 && needs_pressure(f, i - 1, j);
            if (!goes_on) points->run[points->count++] = (Run){i, i, j, 0};
            points->run[points->count - 1].i1 = i + 1;
            points->elements++;
        }
}

static Status update_pressure(Forcing *f, double time, double *field) {
    const Grid *g = f->grid;
    if (!f->has_pressure) return STATUS_OK;
    if (!f->known_pressure) begin_pressure(f);
    TRY(quantity_fill(&f->pressure, time, f->pressure_points, f->known_pressure));
    field2_copy(g->exec, g, f->known_pressure, field);
    return STATUS_OK;
}

Status forcing_update(Forcing *f, double time, double *stress_u, double *stress_v, double *air_pressure) {
    bool uniform = wind_is_uniform(&f->wind) && !f->stress_x.given;
    TRY(uniform ? update_uniform(f, time, stress_u, stress_v) : update_varying(f, time, stress_u, stress_v));
    return air_pressure ? update_pressure(f, time, air_pressure) : STATUS_OK;
}

/* Limits at sea level, and of deviations from the mean, beyond all that was ever measured. [Pa] */
static const double whole_pressure[2] = {80000, 120000}, deviation[2] = {-20000, 20000};

/* 1013 for 101325 is the commonest mistake; a deviation from the mean (0 +- 2000) is allowed. All later
 * values must be of the same kind. */
static Status check_pressure_range(Forcing *f, const double *field) {
    const Grid *g = f->grid;
    double bounds[2] = {-DBL_MAX, -DBL_MAX}; /* -least, most */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            bounds[0] = fmax(bounds[0], -field[AT2(*g, i, j)]);
            bounds[1] = fmax(bounds[1], field[AT2(*g, i, j)]);
        }
    MPI_Allreduce(MPI_IN_PLACE, bounds, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    double least = -bounds[0], most = bounds[1];
    CHECK(least < 850 || most > 1100, STATUS_BAD_INPUT,
          "the air pressure (%s) lies between %g and %g at the start: that is hPa, but it must be in Pa "
          "(times 100)",
          f->pressure.source, least, most);
    const double *range = most > 0.5 * whole_pressure[0] ? whole_pressure : deviation;
    f->pressure_bounds = range;
    if (least < range[0] || most > range[1])
        TRY(doubt_raise(f->scenario, DOUBT_VALUES,
                        "the air pressure (%s) lies between %g and %g Pa at the start: this is outside the "
                        "range ever observed",
                        f->pressure.source, least, most));
    return quantity_limit(&f->pressure, f->scenario, range[0], range[1]);
}

/* Goes to the end and to the start once: a file that cannot be read there, a formula without a value there
 * and a pressure in hPa are found before the first step. */
static Status rehearse(Forcing *f, const ScenarioTime *time) {
    Status status = STATUS_OK;
    double *stress_u = field2_create(f->grid), *stress_v = field2_create(f->grid),
           *pressure = field2_create(f->grid);
    ATTEMPT(forcing_update(f, time->to_s, stress_u, stress_v, pressure));
    ATTEMPT(forcing_update(f, time->from_s, stress_u, stress_v, pressure));
    exec_wait(f->grid->exec);
    if (f->has_pressure) ATTEMPT(check_pressure_range(f, pressure));
cleanup:
    field2_destroy(f->grid, &stress_u);
    field2_destroy(f->grid, &stress_v);
    field2_destroy(f->grid, &pressure);
    return status;
}

Status forcing_create(const Scenario *scenario, const Grid *grid, Forcing **out) {
    Status status = STATUS_OK;
    Forcing *f = ALLOCATE(1, Forcing);
    f->grid = grid;
    f->scenario = scenario;
    f->ramp = scenario->forcing.ramp_s;
    *out = NULL;
    ATTEMPT(wind_create(scenario, grid, &f->wind));
    ATTEMPT(create_pressure(scenario, grid, f));
    ATTEMPT(rehearse(f, &scenario->time));
    *out = f;
    return STATUS_OK;
cleanup:
    forcing_destroy(&f);
    return status;
}

void forcing_destroy(Forcing **forcing) {
    Forcing *f = *forcing;
    if (!f) return;
    wind_release(&f->wind);
    quantity_release(&f->stress_x);
    quantity_release(&f->stress_y);
    quantity_release(&f->pressure);
    field2_destroy(f->grid, &f->known_u);
    field2_destroy(f->grid, &f->known_v);
    field2_destroy(f->grid, &f->known_pressure);
    memory_free(f->pressure_points.run);
    memory_free(f);
    *forcing = NULL;
}

bool forcing_has_air_pressure(const Forcing *forcing) {
    return forcing->has_pressure;
}

double *forcing_give(Forcing *f, ForcingField field) {
    switch (field) {
    case FORCING_WIND_U:
    case FORCING_WIND_V:
        return wind_give(&f->wind, field == FORCING_WIND_U);
    case FORCING_STRESS_X:
        return quantity_give(&f->stress_x, &given_stress, f->grid);
    case FORCING_STRESS_Y:
        return quantity_give(&f->stress_y, &given_stress, f->grid);
    default:
        return quantity_give(&f->pressure, &sea_level_pressure, f->grid);
    }
}

const double *forcing_given(const Forcing *f, ForcingField field) {
    const Quantity *const all[] = {[FORCING_WIND_U] = &f->wind.a,
                                   [FORCING_WIND_V] = &f->wind.b,
                                   [FORCING_STRESS_X] = &f->stress_x,
                                   [FORCING_STRESS_Y] = &f->stress_y,
                                   [FORCING_AIR_PRESSURE] = &f->pressure};
    return all[field]->given;
}

void forcing_pressure_bounds(const Forcing *f, double bounds[2]) {
    bounds[0] = f->pressure_bounds[0], bounds[1] = f->pressure_bounds[1];
}

Status forcing_wind_sample(Forcing *f, WindSample *out) {
    return wind_sample(&f->wind, PLACE_C, f->grid->columns, out);
}

Status forcing_wind_speed(Forcing *f, double *speed) {
    const Grid *g = f->grid;
    WindSample wind;
    TRY(forcing_wind_sample(f, &wind));
    wind_fill_speed(g->exec, g->columns, (WindFill){.row = g->row, .wind = wind, .to = speed});
    return STATUS_OK;
}

char *forcing_describe(const Forcing *f) {
    char *wind = wind_describe(&f->wind);
    char *line = memory_format("%s%s%s", wind, f->has_pressure ? "; air pressure: " : "",
                               f->has_pressure ? f->pressure.source : "");
    memory_free(wind);
    return line;
}
