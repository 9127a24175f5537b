/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/outside.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/boundary/tide.h"
#include "model/forcing/direction.h"
#include "model/forcing/formula.h"
#include "settings/doubt.h"
#include <math.h>

struct Outside {
    const Scenario *scenario;         /* not owned */
    const ScenarioBoundary *boundary; /* not owned */
    const Axes *axes;
    Scales scales;
    bool told;                          /* of scales that are allowed */
    bool ranged;                        /* warned of how far the level rises and falls */
    Series *eta, *velocity, *discharge; /* of the whole boundary; NULL where they vary along it */
    double time, eta_now, velocity_now, discharge_now;
    TideAtlas *atlas; /* NULL: none */
    int waves;        /* of `tide`, then of the atlas */
    int *constituent; /* of each; -1: has a period of its own */
    int *in_atlas;    /* their numbers there; -1: is in `tide` */
    TideMoment *moment;
    double ramp; /* the part of the tide that is there by now */
};

/* Each constituent has four numbers of these at a point. */
enum { ETA_COSINE, ETA_SINE, VELOCITY_COSINE, VELOCITY_SINE, TIDE_PARTS };

Status outside_varies(const Value *value, const char *what, const Axes *axes, bool *varies) {
    Expression *formula = NULL;
    *varies = false;
    if (value->kind != VALUE_EXPRESSION) return STATUS_OK;
    TRY(formula_create(value, what, axes, &formula));
    *varies = formula_varies_in_space(formula);
    expression_destroy(&formula);
    return STATUS_OK;
}

static Status make_series(const Outside *o, const Value *value, const char *what, double x, double y,
                          Series **out) {
    return series_create(value, what, o->axes, x, y, o->scenario, out);
}

static Status series_of_all(const Outside *o, const Value *value, const char *what, Series **out) {
    bool varies;
    TRY(outside_varies(value, what, o->axes, &varies));
    return varies ? STATUS_OK : make_series(o, value, what, 0, 0, out);
}

static bool is_given(const Outside *o, int constituent) {
    for (int n = 0; n < o->boundary->n_tide; n++)
        if (o->constituent[n] == constituent) return true;
    return false;
}

/* Those of `tide` stand before those of the atlas. */
static void collect_waves(Outside *o) {
    const ScenarioBoundary *b = o->boundary;
    const int most = b->n_tide + (o->atlas ? tide_atlas_count(o->atlas) : 0);
    o->constituent = ALLOCATE(most + 1, int);
    o->in_atlas = ALLOCATE(most + 1, int);
    o->moment = ALLOCATE(most + 1, TideMoment);
    for (int n = 0; n < b->n_tide; n++) {
        o->constituent[n] = b->tide[n].constituent ? tide_find(b->tide[n].constituent) : -1;
        o->in_atlas[n] = -1;
    }
    o->waves = b->n_tide;
    for (int n = 0; n < most - b->n_tide; n++) {
        if (is_given(o, tide_atlas_constituent(o->atlas, n))) continue;
        o->constituent[o->waves] = tide_atlas_constituent(o->atlas, n);
        o->in_atlas[o->waves++] = n;
    }
}

static Status check_currents(const Outside *o) {
    const ScenarioBoundary *b = o->boundary;
    if (o->atlas && tide_atlas_has_currents(o->atlas) && b->incoming_wave)
        log_warn("boundary \"%s\": with \"incoming_wave\" the currents of the tidal atlas are not used, and "
                 "its levels count as incoming waves although they also contain the outgoing ones: leave "
                 "\"incoming_wave\" out",
                 b->name);
    if (!o->atlas || tide_atlas_has_currents(o->atlas)) return STATUS_OK;
    CHECK(b->kind != BOUNDARY_VELOCITY, STATUS_BAD_INPUT,
          "%s: a boundary of the kind \"velocity\" needs currents, but the tidal atlas lacks those of some "
          "constituents: add their files",
          b->place);
    if (b->kind == BOUNDARY_FLATHER && !b->incoming_wave)
        log_warn("boundary \"%s\": the tidal atlas has levels but no currents: an incoming wave enters with "
                 "half its height; add the files of currents, or choose the kind \"elevation\"",
                 b->name);
    return STATUS_OK;
}

Status outside_create(const Scenario *scenario, const ScenarioBoundary *boundary, const Axes *axes,
                      const Scales *scales, TideAtlas *atlas, Outside **out) {
    Outside *o = *out = ALLOCATE(1, Outside);
    o->scenario = scenario;
    o->boundary = boundary;
    o->axes = axes;
    o->scales = *scales;
    o->atlas = atlas;
    collect_waves(o);
    TRY(check_currents(o));
    TRY(series_of_all(o, &boundary->eta_m, "boundary level", &o->eta));
    TRY(series_of_all(o, &boundary->velocity_m_s, "boundary velocity", &o->velocity));
    return series_of_all(o, &boundary->discharge_m3_s, "boundary discharge", &o->discharge);
}

void outside_destroy(Outside **outside) {
    Outside *o = *outside;
    if (!o) return;
    series_destroy(&o->eta);
    series_destroy(&o->velocity);
    series_destroy(&o->discharge);
    tide_atlas_destroy(&o->atlas);
    memory_free(o->constituent);
    memory_free(o->in_atlas);
    memory_free(o->moment);
    memory_free(o);
    *outside = NULL;
}

static TideMoment moment_of(const Outside *o, int n, double time) {
    if (o->constituent[n] >= 0)
        return tide_at(o->constituent[n], o->scenario->time.start + time, o->boundary->nodal);
    const double turns = time / o->boundary->tide[n].period_s;
    TideMoment moment;
    direction_sincos(360 * (turns - floor(turns)), &moment.sine, &moment.cosine);
    return moment;
}

void outside_advance(Outside *o, double time) {
    o->time = time;
    o->ramp = tide_ramp(time, o->boundary->tide_ramp_s);
    if (o->eta) o->eta_now = series_at_or_nan(o->eta, time);
    if (o->velocity) o->velocity_now = series_at_or_nan(o->velocity, time);
    if (o->discharge) o->discharge_now = series_at_or_nan(o->discharge, time);
    for (int n = 0; n < o->waves; n++) o->moment[n] = moment_of(o, n, time);
}

double outside_discharge(const Outside *o) {
    return o->discharge_now;
}

/* ---- scales ---- */

/* "3600 s after the start at 36, 46 (storm.json:12:7 (/boundaries/0/eta_m))" */
static void describe(const Value *value, double time, double x, double y, char where[400]) {
    snprintf(where, 400, "%g s after the start at %.6g, %.6g (%.300s)", time, x, y, value->place);
}

/* The tides of the Bay of Fundy span 16 m. */
static const double WIDEST = 20; /* [m] */

static void doubt_range(Outside *o, double range) {
    if (o->ranged || !(range > WIDEST)) return;
    o->ranged = true;
    log_warn("boundary \"%s\": the level outside rises and falls by %.3g m, more than any tide or surge: is "
             "it in metres?",
             o->boundary->name, range);
}

/* The level and the velocity outside, tide included, at the point. */
static Status check_scales(Outside *o, const OutsidePoint *p, double x, double y) {
    const ScenarioBoundary *b = o->boundary;
    const double length = o->scenario->time.duration_s;
    const Series *eta = p->eta ? p->eta : o->eta, *velocity = p->velocity ? p->velocity : o->velocity;
    double level = 0, speed = 0;
    char where[400];
    if (o->told) return STATUS_OK;
    o->told = doubt_allowed(o->scenario, DOUBT_SCALES); /* one point of the boundary will do */
    for (int n = 0; n < o->waves; n++) {
        const double *part = p->tide + (ptrdiff_t)n * TIDE_PARTS;
        level += hypot(part[ETA_COSINE], part[ETA_SINE]);
        speed += hypot(part[VELOCITY_COSINE], part[VELOCITY_SINE]);
    }
    const double highest = series_time_of_extreme(eta, 1, length);
    doubt_range(o, series_at(eta, highest) - series_at(eta, series_time_of_extreme(eta, -1, length)) +
                       2 * level);
    describe(&b->eta_m, highest, x, y, where);
    TRY(scales_check_level(&o->scales, o->scenario, "the level outside, with the tide,",
                           series_at(eta, highest) + level, where));
    for (int sign = -1; sign <= 1; sign += 2) {
        const double fastest = series_time_of_extreme(velocity, sign, length);
        describe(&b->velocity_m_s, fastest, x, y, where);
        TRY(scales_check_speed(&o->scales, o->scenario, "the velocity outside, with the tide,",
                               series_at(velocity, fastest) + sign * speed, where));
    }
    return STATUS_OK;
}

/* ---- points ---- */

static Status number_at(const Outside *o, const Value *value, const char *what, double x, double y,
                        double *out) {
    Series *series = NULL;
    TRY(make_series(o, value, what, x, y, &series));
    *out = series_at(series, 0);
    series_destroy(&series);
    return STATUS_OK;
}

static Status tide_at_point(const Outside *o, const ScenarioTide *tide, const OutsidePlace *at,
                            double part[TIDE_PARTS]) {
    const struct {
        const Value *amplitude, *phase;
    } waves[2] = {{&tide->amplitude_m, &tide->phase_deg},
                  {&tide->velocity_amplitude_m_s, &tide->velocity_phase_deg}};
    for (int n = 0; n < 2; n++) {
        const double x = n == 0 ? at->level_x : at->x, y = n == 0 ? at->level_y : at->y;
        double amplitude, phase, sine, cosine;
        TRY(number_at(o, waves[n].amplitude, "amplitude of the tide", x, y, &amplitude));
        TRY(number_at(o, waves[n].phase, "phase of the tide", x, y, &phase));
        direction_sincos(phase, &sine, &cosine);
        const double counts = n == 0 ? amplitude : at->slant * amplitude;
        part[2 * n] = counts * cosine;
        part[2 * n + 1] = counts * sine;
    }
    return STATUS_OK;
}

static void atlas_at_point(const Outside *o, int wave, const OutsidePlace *at, double part[TIDE_PARTS]) {
    static const AtlasQuantity components[2] = {ATLAS_EAST, ATLAS_NORTH};
    const double turn = axes_turn(o->axes, at->x, at->y);
    const double inwards[2] = {at->inwards[0] * cos(turn) -
                                   at->inwards[1] * sin(turn), /* eastward, northward */
                               at->inwards[0] * sin(turn) + at->inwards[1] * cos(turn)};
    double lon, lat;
    axes_degrees(o->axes, at->level_x, at->level_y, &lon, &lat);
    (void)tide_atlas_at(o->atlas, o->in_atlas[wave], ATLAS_LEVEL, lon, lat, part + ETA_COSINE);
    axes_degrees(o->axes, at->x, at->y, &lon, &lat);
    for (int c = 0; c < 2; c++) {
        double wave_of[2] = {0, 0};
        if (inwards[c] == 0 || !tide_atlas_at(o->atlas, o->in_atlas[wave], components[c], lon, lat, wave_of))
            continue;
        part[VELOCITY_COSINE] += inwards[c] * wave_of[0];
        part[VELOCITY_SINE] += inwards[c] * wave_of[1];
    }
}

Status outside_point_create(Outside *o, OutsidePlace place, OutsidePoint *out) {
    const ScenarioBoundary *b = o->boundary;
    const double x = place.x, y = place.y;
    *out = (OutsidePoint){.slant = place.slant, .tide = ALLOCATE(TIDE_PARTS * o->waves + 1, double)};
    if (!o->eta) TRY(make_series(o, &b->eta_m, "boundary level", place.level_x, place.level_y, &out->eta));
    if (!o->velocity) TRY(make_series(o, &b->velocity_m_s, "boundary velocity", x, y, &out->velocity));
    for (int n = 0; n < o->waves; n++) {
        double *part = out->tide + (ptrdiff_t)n * TIDE_PARTS;
        if (o->in_atlas[n] >= 0)
            atlas_at_point(o, n, &place, part);
        else
            TRY(tide_at_point(o, &b->tide[n], &place, part));
        /* of an incoming wave the level says what its velocity is */
        if (b->incoming_wave) part[VELOCITY_COSINE] = part[VELOCITY_SINE] = 0;
    }
    return check_scales(o, out, x, y);
}

void outside_settle(Outside *o) {
    tide_atlas_destroy(&o->atlas);
}

void outside_point_release(OutsidePoint *point) {
    series_destroy(&point->eta);
    series_destroy(&point->velocity);
    memory_free(point->tide);
    point->tide = NULL;
}

static double tide_sum(const Outside *o, const OutsidePoint *point, int part) {
    double sum = 0;
    for (int n = 0; n < o->waves; n++) {
        const double *wave = point->tide + (ptrdiff_t)n * TIDE_PARTS + part;
        sum += wave[0] * o->moment[n].cosine + wave[1] * o->moment[n].sine;
    }
    return o->ramp * sum;
}

double outside_eta(const Outside *o, const OutsidePoint *point) {
    const double eta = point->eta ? series_at_or_nan(point->eta, o->time) : o->eta_now;
    return eta + tide_sum(o, point, ETA_COSINE);
}

double outside_velocity(const Outside *o, const OutsidePoint *point) {
    const double velocity = point->velocity ? series_at_or_nan(point->velocity, o->time) : o->velocity_now;
    return point->slant * velocity + tide_sum(o, point, VELOCITY_COSINE);
}
