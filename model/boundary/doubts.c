/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries.h"

#include "base/expression.h"
#include "base/log.h"
#include <math.h>

static bool is_zero(const Value *value) {
    return value->kind == VALUE_ABSENT || (value->kind == VALUE_CONSTANT && value->constant == 0);
}

static bool varies_in_time(const Value *value) {
    Expression *formula = NULL;
    if (value->kind != VALUE_EXPRESSION) return value->kind == VALUE_FILE;
    if (expression_create(value->expression, 1, 1, &formula, NULL) != STATUS_OK) return false;
    const bool varies = expression_uses(formula, "t");
    expression_destroy(&formula);
    return varies;
}

static void doubt_velocity(const ScenarioBoundary *b) {
    bool level = varies_in_time(&b->eta_m),
         velocity = b->incoming_wave || !is_zero(&b->velocity_m_s) || b->file;
    for (int n = 0; n < b->n_tide; n++) {
        level = level || !is_zero(&b->tide[n].amplitude_m);
        velocity = velocity || !is_zero(&b->tide[n].velocity_amplitude_m_s);
    }
    if (b->kind == BOUNDARY_FLATHER && level && !velocity)
        log_warn("boundary \"%s\": the level outside moves, but its velocity does not: an incoming wave "
                 "enters with half its height; give the velocity, set \"incoming_wave\", or choose the kind "
                 "\"elevation\"",
                 b->name);
}

static void doubt_incoming(const ScenarioBoundary *b) {
    if (b->incoming_wave && varies_in_time(&b->velocity_m_s))
        log_warn("boundary \"%s\": \"incoming_wave\" has a velocity of its own, and the given one is added "
                 "to it: give only a mean current, or leave \"incoming_wave\" out",
                 b->name);
}

static void doubt_ramp(const ScenarioBoundary *b, double duration) {
    if ((b->n_tide > 0 || b->n_atlas > 0) && b->tide_ramp_s > duration)
        log_warn(
            "boundary \"%s\": the tide grows over %g s, longer than the run of %g s; \"tide_ramp_s\" sets it",
            b->name, b->tide_ramp_s, duration);
}

/* How far the grid reaches inwards from the boundary's edges; the least of several. [m] */
static double extent_inwards(const ScenarioBoundary *b, const Axes *axes) {
    const bool x = b->edge != EDGE_SOUTH && b->edge != EDGE_NORTH && !axes->periodic_x,
               y = b->edge != EDGE_WEST && b->edge != EDGE_EAST && !axes->periodic_y;
    return fmin(x ? axes_length_x_m(axes) : INFINITY, y ? axes_length_y_m(axes) : INFINITY);
}

static void doubt_sponge(const ScenarioBoundary *b, const Grid *g) {
    const double middle = 0.5 * g->ny, width = b->sponge_width_m;
    const double cell = fmax(axes_dx_m(&g->axes, middle), axes_dy_m(&g->axes));
    if (width > 0 && width < 4 * cell)
        log_warn("boundary \"%s\": a sponge of %.1f cells reflects most of each wave; it needs about ten "
                 "cells and a good part of a wavelength",
                 b->name, width / cell);
    if (width > extent_inwards(b, &g->axes))
        log_warn("boundary \"%s\": the sponge reaches through the whole grid", b->name);
}

/* A NetCDF file as the sea outside. */
static void doubt_file(const ScenarioBoundary *b) {
    const bool tidal = b->n_tide > 0 || b->n_atlas > 0;
    const bool own_level = b->kind == BOUNDARY_CHAPMAN || b->kind == BOUNDARY_RADIATION;
    if (!b->file) return;
    if (tidal && b->eta_m.kind == VALUE_ABSENT)
        log_warn(
            "boundary \"%s\": the tide is added to the levels of \"%s\": a tide in these would count twice",
            b->name, b->file);
    if (own_level && b->sponge_width_m <= 0 && b->zone_cells == 0)
        log_warn("boundary \"%s\": this kind does not use the currents of \"%s\"; choose \"flather\", or set "
                 "\"relaxation_zone\"",
                 b->name, b->file);
    if (b->inflow_relaxation_s > 0)
        log_warn("boundary \"%s\": with inflow_relaxation_s of %g s, water that has just left returns before "
                 "the water of \"%s\" enters: if the file describes the sea outside, leave the key out",
                 b->name, b->inflow_relaxation_s, b->file);
}

void boundaries_doubt(const Scenario *scenario, const Grid *grid) {
    bool level = false, waves_leave = false;
    if (scenario->is_zoom) return; /* its edges are the seam, of which the user knows nothing */
    for (int n = 0; n < scenario->n_boundaries; n++) {
        const ScenarioBoundary *b = &scenario->boundaries[n];
        level =
            level || b->kind == BOUNDARY_ELEVATION || b->kind == BOUNDARY_FLATHER || b->relaxation_out_s > 0;
        waves_leave = waves_leave || b->kind == BOUNDARY_CHAPMAN || b->kind == BOUNDARY_RADIATION;
        doubt_velocity(b);
        doubt_incoming(b);
        doubt_ramp(b, scenario->time.duration_s);
        doubt_sponge(b, grid);
        doubt_file(b);
    }
    if (scenario->n_boundaries > 0 && !level)
        log_warn("no boundary prescribes a level: any imbalance of the flows fills or empties the sea%s",
                 waves_leave ? "; set \"relaxation\": {\"out_s\": 86400}, which keeps the mean level without "
                               "damping waves, or choose \"flather\""
                             : "");
}
