/* SPDX-License-Identifier: Apache-2.0 */
#include "model/waves/wind_waves.h"

#include "base/memory.h"
#include "model/forcing/quantity.h"
#include "model/momentum/smagorinsky.h"
#include "model/waves/wind_waves_kernels.h"
#include <stdlib.h>
#include <string.h>

static const FieldNames height_names = {"the significant height of waves",
                                        "m",
                                        0,
                                        30,
                                        NAMES("swh", "hs", "hsign", "Hsig", "VHM0"),
                                        NAMES("sea_surface_wave_significant_height"),
                                        NAMES("Significant height of combined wind waves and swell"),
                                        .at_sea = true};

/* How files give periods: of the peak, its frequency, or a mean, whose part of the period of the peak in a JONSWAP
 * spectrum the factor undoes. In the order of choice. */
static const struct {
    FieldNames names;
    bool frequency;
    double factor;
} periods[] = {
    {{"the peak period of waves", "s", 0, 40, NAMES("pp1d", "tps", "RTpeak", "VTPK"),
      NAMES("sea_surface_wave_period_at_variance_spectral_density_maximum"), NAMES("Peak wave period"),
      .at_sea = true},
     false,
     1},
    {{"the peak frequency of waves", "1/s", 0, 10, NAMES("fp"), NAMES("dominant_wave_frequency"),
      NAMES("wave peak frequency"), .at_sea = true},
     true,
     1},
    {{"the mean period of waves", "s", 0, 40, NAMES("mwp", "t0m1", "tm10", "tmm10", "VTM10"),
      NAMES("sea_surface_wave_mean_period_from_variance_spectral_density_inverse_frequency_moment"),
      NAMES("Mean wave period"), .at_sea = true},
     false,
     1 / 0.903},
    {{"the mean period of waves", "s", 0, 40, NAMES("t01", "tm01", "mp1", "VTM01"),
      NAMES("sea_surface_wave_mean_period_from_variance_spectral_density_first_frequency_moment"),
      NAMES("Mean wave period based on first moment"), .at_sea = true},
     false,
     1 / 0.834},
    {{"the mean period of waves", "s", 0, 40, NAMES("t02", "tm02", "mp2", "VTM02"),
      NAMES("sea_surface_wave_mean_period_from_variance_spectral_density_second_frequency_moment",
            "sea_surface_wave_zero_upcrossing_period"),
      NAMES("Mean zero-crossing wave period"), .at_sea = true},
     false,
     1 / 0.781},
};
enum { PERIODS = sizeof periods / sizeof *periods, ZERO_CROSSING = PERIODS - 1 };

/* Direction that waves come from, or travel to. */
static const FieldNames directions[2] = {
    {"the direction waves come from", "deg", -360, 360, NAMES("mwd", "dir", "theta0", "VMDR"),
     NAMES("sea_surface_wave_from_direction"), NAMES("Mean wave direction"), .at_sea = true},
    {"the direction waves travel to", "deg", -360, 360, NAMES("wave_to_direction"),
     NAMES("sea_surface_wave_to_direction"), NAMES("direction that waves travel to"), .at_sea = true},
};

struct WindWaves {
    State *state;           /* not owned */
    Halo *halo;             /* not owned */
    Forcing *forcing;       /* not owned */
    const Subgrid *subgrid; /* not owned; NULL: even cells */
    double *thick;          /* volume over wet area, with halo; NULL: even cells [m] */
    Quantity height, period, direction;
    WavesFound found; /* what stays the same from step to step */
    double ramp_s;
    double *number, *drift_x, *drift_y; /* of columns; NULL: no drift */
    double *rise_u, *rise_v;            /* of faces [m s-2] */
};

/* ---- making ---- */

static bool given(const Value *value) {
    return value->kind != VALUE_ABSENT;
}

/* `place`: the key whose name a column of a table has. */
static Value from_file(const ScenarioWaves *w, char *place) {
    return (Value){.kind = VALUE_FILE, .file = w->file, .place = place};
}

static Status create_height(const ScenarioWaves *w, const Scenario *s, const Grid *g, WindWaves *out) {
    static char key[] = "/forcing/waves/height_m";
    const Value value = given(&w->height_m) ? w->height_m : from_file(w, key);
    return quantity_create(&value, &height_names, g, s, &out->height);
}

static Status create_period(const ScenarioWaves *w, const Scenario *s, const Grid *g, WindWaves *out) {
    const bool peak = given(&w->peak_period_s), mean = given(&w->mean_period_s);
    static char key[] = "/forcing/waves/peak_period_s";
    const Value value = peak ? w->peak_period_s : mean ? w->mean_period_s : from_file(w, key);
    int kind = mean ? ZERO_CROSSING : 0;
    bool found = peak || mean;
    for (int n = 0; n < PERIODS && !found; n++) {
        TRY(gridded_find(g->comm, w->file, NULL, &periods[n].names, &found, NULL));
        if (found) kind = n; /* else 0, whose absence is refused */
    }
    out->found.frequency = periods[kind].frequency;
    out->found.period_factor = periods[kind].factor;
    return quantity_create(&value, &periods[kind].names, g, s, &out->period);
}

/* A variable's standard name counts more than its name, which is "dir" for both in files of SWAN. */
static Status create_direction(const ScenarioWaves *w, const Scenario *s, const Grid *g, WindWaves *out) {
    static char key[] = "/forcing/waves/from_deg";
    const Value value = given(&w->from_deg) ? w->from_deg : from_file(w, key);
    const char *to = directions[1].standard_names[0];
    char name[128];
    bool found = false, travels = false;
    if (value.kind == VALUE_FILE)
        TRY(gridded_find(g->comm, value.file, value.column, directions, &found, name));
    if (value.kind == VALUE_FILE && !found)
        TRY(gridded_find(g->comm, value.file, value.column, directions + 1, &travels, NULL));
    travels = travels || (found && strcmp(name, to) == 0);
    out->found.sign = travels ? -1 : 1;
    return quantity_create(&value, &directions[travels], g, s, &out->direction);
}

static Status create_quantities(const ScenarioWaves *w, const Scenario *s, const Grid *g, WindWaves *out) {
    TRY(create_height(w, s, g, out));
    TRY(create_period(w, s, g, out));
    return create_direction(w, s, g, out);
}

static void create_drift(WindWaves *w) {
    State *s = w->state;
    w->number = field2_create(s->grid);
    w->drift_x = field2_create(s->grid);
    w->drift_y = field2_create(s->grid);
    w->rise_u = field3_create(s->grid);
    w->rise_v = field3_create(s->grid);
    state_make(s, STATE_stokes_u, 0);
    state_make(s, STATE_stokes_v, 0);
}

static void create_fields(WindWaves *w) {
    static const StateFieldId fields[] = {STATE_wave_height, STATE_wave_period, STATE_wave_x, STATE_wave_y};
    for (int n = 0; n < 4; n++) state_make(w->state, fields[n], 0);
    state_make(w->state, STATE_wave_stress, NO_WATER);
}

Status wind_waves_create(const Scenario *scenario, const Subgrid *subgrid, Forcing *forcing, Halo *halo,
                         State *state, WindWaves **out) {
    const ScenarioWaves *waves = &scenario->forcing.waves;
    const ScenarioPhysics *physics = &scenario->physics;
    const Grid *g = state->grid;
    Status status = STATUS_OK;
    *out = NULL;
    if (!given(&waves->height_m) && !waves->file && !waves->from_wind) return STATUS_OK;
    WindWaves *w = ALLOCATE(1, WindWaves);
    w->state = state;
    w->halo = halo;
    w->forcing = forcing;
    w->ramp_s = scenario->forcing.ramp_s;
    w->subgrid = subgrid;
    if (subgrid) w->thick = field2_create(g);
    create_fields(w);
    if (waves->stokes_drift && physics->scheme != SCHEME_PRESCRIBED) create_drift(w);
    const bool known = physics->drag == DRAG_LOG;
    w->found = (WavesFound){.g = grid_view(g),
                            .grows = waves->from_wind,
                            .growth = waves->growth,
                            .most_of_depth = waves->most_of_depth,
                            .gravity = physics->gravity_m_s2,
                            .roughness = known ? physics->roughness_m.constant : waves->bed_roughness_m,
                            .roughness_c = known ? state->roughness : NULL,
                            .significant = state->wave_height,
                            .peak_period = state->wave_period,
                            .x = state->wave_x,
                            .y = state->wave_y,
                            .stress = state->wave_stress,
                            .number = w->number,
                            .drift_x = w->drift_x,
                            .drift_y = w->drift_y};
    if (waves->from_wind)
        fetch_create(g, &w->found.fetch);
    else
        ATTEMPT(create_quantities(waves, scenario, g, w));
    w->found.turn = turn_create(g, 'c');
    ATTEMPT(wind_waves_update(w, scenario->time.to_s)); /* what cannot be read there is found now */
    *out = w;
    return STATUS_OK;
cleanup:
    wind_waves_destroy(&w);
    return status;
}

void wind_waves_destroy(WindWaves **waves) {
    WindWaves *w = *waves;
    if (!w) return;
    quantity_release(&w->height);
    quantity_release(&w->period);
    quantity_release(&w->direction);
    const Grid *g = w->state->grid;
    double **planes[] = {&w->number, &w->drift_x, &w->drift_y, &w->thick};
    for (int n = 0; n < 4; n++) field2_destroy(g, planes[n]);
    fetch_release(g, &w->found.fetch);
    turn_release(g, &w->found.turn);
    field3_destroy(g, &w->rise_u);
    field3_destroy(g, &w->rise_v);
    memory_free(w);
    *waves = NULL;
}

/* ---- a step ---- */

static Status sample(const WindWaves *w, Quantity *quantity, double time, Sample *out) {
    TRY(quantity_advance(quantity, time));
    return quantity_sample(quantity, PLACE_C, w->state->grid->columns, out);
}

Status wind_waves_update(WindWaves *w, double time) {
    if (!w) return STATUS_OK;
    State *s = w->state;
    if (w->subgrid) subgrid_thicknesses(w->subgrid, s->grid->exec, w->halo, s->depth, w->thick);
    w->found.depth = w->subgrid ? w->thick : s->depth;
    if (w->found.grows) {
        TRY(forcing_wind_sample(w->forcing, &w->found.wind));
    } else {
        TRY(sample(w, &w->height, time, &w->found.height));
        TRY(sample(w, &w->period, time, &w->found.period));
        TRY(sample(w, &w->direction, time, &w->found.direction));
        /* between directions as between vectors */
        if (w->direction.gridded) w->found.direction = gridded_records(w->direction.gridded, PLACE_C);
    }
    waves_find(s->grid->exec, s->grid->columns, w->found);
    halo_exchange(w->halo, w->number ? 4 : 1, (double *[]){s->wave_stress, w->number, w->drift_x, w->drift_y},
                  0, NULL);
    return STATUS_OK;
}

void wind_waves_drift(WindWaves *w, double time, double dt, Faces *u, Faces *v) {
    if (!w || !w->number) return;
    State *s = w->state;
    const Grid *g = s->grid;
    DriftFound found = {.g = grid_view(g),
                        .along = u->along,
                        .dt = dt,
                        .ramp = w->ramp_s > 0 && time < w->ramp_s ? time / w->ramp_s : 1,
                        .depth = u->thick ? u->thick : u->depth,
                        .bottom = u->bottom,
                        .phi = u->phi,
                        .stress = s->wave_stress,
                        .number = w->number,
                        .mean = w->drift_x,
                        .drift = s->stokes_u,
                        .rise = w->rise_u};
    drift_find(g->exec, g->faces_u, found);
    found.along = v->along;
    found.depth = v->thick ? v->thick : v->depth, found.bottom = v->bottom, found.phi = v->phi;
    found.mean = w->drift_y, found.drift = s->stokes_v, found.rise = w->rise_v;
    drift_find(g->exec, g->faces_v, found);
    halo_exchange(w->halo, 0, NULL, 2, (double *[]){s->stokes_u, s->stokes_v});
    u->stokes = s->stokes_u, u->stokes_rise = w->rise_u;
    v->stokes = s->stokes_v, v->stokes_rise = w->rise_v;
}

/* Of numbers and formulas, which are in the key's unit; a file has its own. */
static const char *unit_of(const Quantity *q) {
    char *end;
    (void)strtod(q->source, &end);
    return q->formula || q->source[0] == '"' || *end == '\0' ? q->names->unit : NULL;
}

char *wind_waves_describe(const WindWaves *w) {
    const Quantity *all[] = {&w->height, &w->period, &w->direction};
    if (w->found.grows) return memory_copy_text("as the wind makes them over its fetch");
    char *text = memory_copy_text("");
    for (int n = 0; n < 3; n++) {
        const char *unit = unit_of(all[n]);
        memory_append(&text, "%s: %s%s%s; ", all[n]->names->what, all[n]->source, unit ? " " : "",
                      unit ? unit : "");
    }
    memory_append(&text, "the same behind headlands and islands, which give no shelter");
    return text;
}
