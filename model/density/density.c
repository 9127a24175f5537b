/* SPDX-License-Identifier: Apache-2.0 */
#include "model/density/density.h"

#include "base/memory.h"
#include "model/density/mean_profile.h"
#include "model/forcing/formula.h"
#include <math.h>

enum { NODES_PER_LAYER = 8, MOST_NODES = 20000 };
static const double LEAST_FALL = 1e-3; /* of a stratification [kg m-4] */

static DensityColumns columns_of(const Density *d, const Scenario *scenario, const State *state) {
    const ScenarioPhysics *p = &scenario->physics;
    const ScenarioDensity *from = &p->density;
    return (DensityColumns){
        .g = grid_view(state->grid),
        .equation = from->equation,
        .linear = {from->reference_kg_m3, from->expansion_1_K, from->contraction_kg_g,
                   from->reference_temperature_C, from->reference_salinity},
        .reference = p->water_density_kg_m3,
        .gravity = p->gravity_m_s2,
        .temperature = state->temperature >= 0 ? state->tracer[state->temperature].c : NULL,
        .salinity = state->salinity >= 0 ? state->tracer[state->salinity].c : NULL,
        .depth = state->depth,
        .eta = state->eta,
        .below = d->below,
        .compression = d->compression,
        .level = d->level,
        .profile = d->profile ? d->profile + 1 : NULL,
        .delta = d->delta,
        .profile_bottom = d->profile_bottom,
        .profile_step = d->profile_step,
        .profile_count = d->profile_count,
        .density = state->density,
        .anomaly = d->anomaly,
        .pressure = d->pressure,
        .surface = d->surface,
        .table = d->table,
        .rest = d->rest,
    };
}

/* ---- the profile ---- */

/* A formula of z alone: 0 with its value there, NaN where it varies with place. */
typedef struct OfHeight {
    double constant;
    Expression *formula;
    const Axes *axes;
} OfHeight;

static Status of_height(const Value *value, const char *what, double otherwise, const Axes *axes,
                        OfHeight *out) {
    *out = (OfHeight){.constant = value->kind == VALUE_ABSENT ? otherwise : value->constant, .axes = axes};
    if (value->kind == VALUE_FILE) out->constant = NAN;
    if (value->kind != VALUE_EXPRESSION) return STATUS_OK;
    TRY(formula_create_3d(value, what, axes, &out->formula));
    if (formula_varies_in_space(out->formula) || expression_uses(out->formula, "t")) {
        expression_destroy(&out->formula);
        out->constant = NAN;
    }
    return STATUS_OK;
}

static double height_value(const OfHeight *of, double z) {
    if (!of->formula) return of->constant;
    ExpressionPoint point = formula_point(of->axes, of->axes->west, of->axes->south, 0);
    point.z = z;
    return expression_at(of->formula, point);
}

/* Where there is water, with a layer to spare on both sides. */
static void find_range(Density *d, const State *state) {
    const Grid *g = state->grid;
    double range[2] = {-HUGE_VAL, -HUGE_VAL}, thinnest = HUGE_VAL; /* - lowest, highest */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            range[0] = fmax(range[0], -g->bed[AT2(*g, i, j)]);
            range[1] = fmax(range[1], state->eta[AT2(*g, i, j)]);
        }
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    for (int k = 0; k < g->n3; k++)
        thinnest = fmin(thinnest, g->axes.interfaces[k + 1] - g->axes.interfaces[k]);
    double length = range[1] + range[0] + 2 * thinnest;
    d->profile_step = fmax(thinnest / NODES_PER_LAYER, length / MOST_NODES);
    d->level = range[1];
    d->profile_bottom = -range[0] - thinnest;
    d->profile_count = (int)(length / d->profile_step) + 4;
}

/* rho' of water at height z. */
static double profile_value(const DensityColumns *columns, double temperature, double salinity, double z) {
    double density = columns->compression > 0
                         ? density_at_depth(columns->equation, temperature, salinity, columns->level - z,
                                            columns->compression)
                         : density_of_water(columns->equation, columns->linear, temperature, salinity);
    return density - columns->reference;
}

/* The part that pressure adds to the density of water of the reference temperature and salinity. */
static void compression_profile(const DensityColumns *columns, double *profile, const Density *d) {
    const LinearDensity *at = &columns->linear;
    const double surface = profile_value(columns, at->temperature_0, at->salinity_0, columns->level);
    for (int n = 0; n <= d->profile_count; n++)
        profile[n] = profile_value(columns, at->temperature_0, at->salinity_0,
                                   d->profile_bottom + (n - 1) * d->profile_step) -
                     surface;
}

/* P nearest to all columns. Collective. */
static void mean_profile(Density *d, const Scenario *scenario, Exec exec, State *state) {
    enum { PASSES = 3, MOST = 2000 }; /* the first pass has all of it, but for round-off */
    const Grid *g = state->grid;
    if (d->profile_count > MOST) {
        d->profile_step *= (d->profile_count - 4.0) / (MOST - 4); /* four of them lie beyond the heights */
        d->profile_count = MOST;
    }
    for (int n = 0; n <= d->profile_count; n++) d->profile[n] = 0;
    d->anomaly = field3_create(g);
    exec_wait(exec);
    const ProfileNodes nodes = {d->profile_bottom, d->profile_step, d->profile_count};
    MeanProfile *mean = mean_profile_create(g, nodes, state->eta, state->depth, d->below);
    for (int pass = 0; pass < PASSES; pass++) {
        density_columns(exec, g->blocks_c, columns_of(d, scenario, state));
        exec_wait(exec);
        mean_profile_add(mean, state->eta, state->depth, d->anomaly, d->profile);
    }
    density_columns(exec, g->blocks_c, columns_of(d, scenario, state));
    exec_wait(exec);
    mean_profile_centre(mean, state->depth, d->anomaly, d->profile);
    mean_profile_destroy(&mean);
}

/* Where the initial stratification is no function of height, P is its mean if layers slope, else the compression alone,
 * or nothing. So it is on layers that move: they follow surfaces of density, along which the force of the whole density is
 * exact and that of a part of it is not. */
static Status make_profile(Density *d, const Scenario *scenario, Exec exec, State *state) {
    const ScenarioDensity *from = &scenario->physics.density;
    const Axes *axes = &state->grid->axes;
    OfHeight temperature = {0}, salinity = {0};
    bool known = true;
    Status status;
    ATTEMPT(of_height(&scenario->initial.temperature_C, "temperature_C", from->reference_temperature_C, axes,
                      &temperature));
    ATTEMPT(of_height(&scenario->initial.salinity, "salinity", from->reference_salinity, axes, &salinity));
    find_range(d, state);
    d->profile = ALLOCATE(d->profile_count + 1, double);
    DensityColumns columns = columns_of(d, scenario, state);
    for (int n = 0; n <= d->profile_count; n++) {
        double z = d->profile_bottom + (n - 1) * d->profile_step;
        d->profile[n] = profile_value(&columns, height_value(&temperature, z), height_value(&salinity, z), z);
        known &= isfinite(d->profile[n]);
    }
    known = known && !axes->adaptive;
    d->stratified = known;
    if (!known && axes_tilt(axes) && !axes->adaptive) {
        mean_profile(d, scenario, exec, state);
    } else if (!known && d->compression > 0) {
        compression_profile(&columns, d->profile, d);
    } else if (!known) {
        memory_free(d->profile);
        d->profile = NULL;
    }
cleanup:
    expression_destroy(&temperature.formula);
    expression_destroy(&salinity.formula);
    return status;
}

/* ---- life ---- */

/* Pressure per depth [dbar m-1]. */
static double compression_of(const ScenarioPhysics *physics) {
    const DensityEquation equation = physics->density.equation;
    const bool compressed = equation != DENSITY_CONSTANT && equation != DENSITY_LINEAR;
    return compressed && physics->density.pressure
               ? 1e-4 * physics->water_density_kg_m3 * physics->gravity_m_s2
               : 0;
}

/* Heights at which water rests, by P without compression. */
static void rest_heights_create(Density *d, const Scenario *scenario, const State *state) {
    const int count = d->profile_count + 1;
    double *density = ALLOCATE(count, double), *compression = NULL;
    DensityColumns columns = columns_of(d, scenario, state);
    if (d->compression > 0) compression_profile(&columns, compression = ALLOCATE(count, double), d);
    for (int n = 0; n < count; n++) density[n] = d->profile[n] - (compression ? compression[n] : 0);
    double fall = 0;
    for (int n = 1; n < count; n++) fall = fmax(fall, density[n - 1] - density[n]);
    if (!(fall > LEAST_FALL * d->profile_step)) { /* water of one density has no waves within it */
        memory_free(density);
        memory_free(compression);
        return;
    }
    rest_table_fall(density, count, d->profile_step);
    double *sum = ALLOCATE(count, double), *per_density = ALLOCATE(count, double);
    rest_table_slopes(density, count, d->profile_step, per_density);
    rest_table_sum(density, count, d->profile_step, sum);
    const Grid *g = state->grid;
    d->table = (RestTable){.density = density,
                           .per_density = per_density,
                           .sum = sum + 1,
                           .compression = compression ? compression + 1 : NULL,
                           .lighter = compression ? field3_create(g) : NULL,
                           .step = d->profile_step,
                           .last = d->profile_count};
    d->rest =
        (RestHeights){compression ? d->table.lighter : state->density, field3_create(g), field2_create(g)};
}

/* What is there before anything moves: nothing that drives a flow. */
static void rest_begin(Density *d, const Scenario *scenario, Exec exec, State *state) {
    const Grid *g = state->grid;
    density_columns(exec, g->blocks_c, columns_of(d, scenario, state));
    if (g->n3 > 1 && !axes_tilt(&g->axes)) layering_create(exec, g, state->density, &d->layering);
    if (!d->stratified) return;
    d->delta = d->anomaly;
    d->anomaly = field3_create(g);
}

static void find_heights(Density *d, Exec exec, const Subgrid *inside, Halo *halo, const State *state) {
    if (!inside) return;
    if (!d->below) d->below = field3_create(state->grid);
    subgrid_heights(inside, exec, halo, state->depth, d->below);
}

Status density_create(const Scenario *scenario, Exec exec, const Subgrid *inside, Halo *halo, State *state,
                      Density **out) {
    const Grid *g = state->grid;
    Status status;
    *out = NULL;
    if (scenario->physics.density.equation == DENSITY_CONSTANT) return STATUS_OK;
    Density *d = *out = ALLOCATE(1, Density);
    d->compression = compression_of(&scenario->physics);
    d->pressure = field3_create(g);
    d->surface = field2_create(g);
    find_heights(d, exec, inside, halo, state);
    ATTEMPT(status_agree(g->comm, make_profile(d, scenario, exec, state)));
    if (!d->anomaly) d->anomaly = d->profile ? field3_create(g) : state->density;
    rest_begin(d, scenario, exec, state);
    if (g->n3 > 1 && axes_tilt(&g->axes) && !g->axes.adaptive) rest_heights_create(d, scenario, state);
    return STATUS_OK;
cleanup:
    density_destroy(g, out);
    return status;
}

void density_destroy(const Grid *grid, Density **density) {
    Density *d = *density;
    if (!d) return;
    if (d->profile) field3_destroy(grid, &d->anomaly);
    field3_destroy(grid, &d->delta);
    field3_destroy(grid, &d->below);
    layering_destroy(grid, &d->layering);
    field3_destroy(grid, &d->pressure);
    field2_destroy(grid, &d->surface);
    field3_destroy(grid, &d->table.lighter);
    field3_destroy(grid, &d->rest.rise);
    field2_destroy(grid, &d->rest.sum);
    memory_free((double *)d->table.density);
    memory_free((double *)d->table.per_density);
    if (d->table.sum) memory_free((double *)d->table.sum - 1);
    if (d->table.compression) memory_free((double *)d->table.compression - 1);
    memory_free(d->profile);
    memory_free(d);
    *density = NULL;
}

void density_update(Density *d, const Scenario *scenario, Exec exec, const Subgrid *inside, Halo *halo,
                    Boundaries *boundaries, double time, State *state) {
    find_heights(d, exec, inside, halo, state);
    const DensityColumns columns = columns_of(d, scenario, state);
    density_columns(exec, state->grid->blocks_c, columns);
    double *planes[] = {d->surface, d->rest.sum};
    double *cells[] = {d->anomaly, d->pressure, state->density, d->rest.rise, d->table.lighter};
    const bool rests = d->rest.density; /* then b is no density */
    const int fields = d->anomaly == state->density ? 2 : 3, of_rest = d->table.lighter ? 2 : 1;
    halo_exchange(halo, rests ? 2 : 1, planes, rests ? fields + of_rest : fields, cells);
    boundaries_copy_inside(boundaries, state->density);
    boundaries_mirror(boundaries, &columns, time, state);
}
