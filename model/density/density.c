/* SPDX-License-Identifier: Apache-2.0 */
#include "model/density/density.h"

#include "base/memory.h"
#include "model/forcing/formula.h"
#include <math.h>
#include <string.h>

enum { NODES_PER_LAYER = 8, MOST_NODES = 20000 };

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

/* Sums over columns, the same for any number of ranks: of whole numbers. */
static const double WHOLE = 4294967296.0;

/* Slopes at the middles of a column: of parabolas through three of them. */
static void slopes_at_middles(const double *z, const double *b, int count, double *slope) {
    for (int k = 1; k + 1 < count; k++) {
        const double lower = z[k] - z[k - 1], upper = z[k + 1] - z[k];
        slope[k] = (upper * (b[k] - b[k - 1]) / lower + lower * (b[k + 1] - b[k]) / upper) / (lower + upper);
    }
    const double first = (b[1] - b[0]) / (z[1] - z[0]);
    const double last = (b[count - 1] - b[count - 2]) / (z[count - 1] - z[count - 2]);
    slope[0] = count > 2 ? 2 * first - slope[1] : first;
    slope[count - 1] = count > 2 ? 2 * last - slope[count - 2] : last;
}

/* Adds the slopes of the cubics from middle to middle of a column, times its weight, halfway between nodes. */
static void add_slopes(const Density *d, const State *state, ptrdiff_t m, double weight, int64_t *rise,
                       int64_t *weights) {
    const Grid *g = state->grid;
    const int bottom = (int)g->bottom_c[m], count = g->n3 - bottom;
    double z[MAX_LEVELS], b[MAX_LEVELS], slope[MAX_LEVELS], height = state->eta[m];
    if (count < 2 || state->depth[m] < d->profile_step) return; /* slopes in films are no stratification */
    for (int k = count - 1; k >= 0; k--) {
        const ptrdiff_t at = m + (bottom + k) * g->plane;
        const double thickness = g->phi_c[at] * state->depth[m];
        z[k] = height - 0.5 * thickness;
        b[k] = d->anomaly[at];
        height -= thickness;
    }
    slopes_at_middles(z, b, count, slope);
    const double start = d->profile_bottom - 0.5 * d->profile_step,
                 step = d->profile_step; /* of node 0's half way */
    int n = (int)fmax(0, ceil((z[0] - start) / step));
    for (int k = 0; k + 1 < count; k++)
        for (; n < d->profile_count && start + n * step < z[k + 1]; n++) {
            const double h = z[k + 1] - z[k], t = (start + n * step - z[k]) / h;
            const double here = 6 * t * (1 - t) * (b[k + 1] - b[k]) / h + slope[k] * (1 + t * (3 * t - 4)) +
                                slope[k + 1] * t * (3 * t - 2);
            rise[n] += (int64_t)nearbyint(weight * here * WHOLE);
            weights[n] += (int64_t)nearbyint(weight * WHOLE);
        }
}

/* P with the mean slope of all columns that reach a height, so that it does not jump where shallow ones end; its value at
 * the surface does not matter. Each pass adds the mean of what is left. Collective. */
static void mean_profile(Density *d, const Scenario *scenario, Exec exec, State *state) {
    enum { PASSES = 4 };
    const Grid *g = state->grid;
    const size_t nodes = (size_t)d->profile_count + 1;
    int64_t *rise = ALLOCATE(2 * nodes, int64_t), *weights = rise + nodes;
    double largest = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) largest = fmax(largest, g->own_area[AT2(*g, i, j)]);
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    d->anomaly = field3_create(g);
    for (size_t n = 0; n < nodes; n++) d->profile[n] = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        density_columns(exec, g->blocks_c, columns_of(d, scenario, state));
        exec_wait(exec);
        memset(rise, 0, 2 * nodes * sizeof *rise);
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++) {
                const ptrdiff_t m = AT2(*g, i, j);
                const double weight = 1e-3 * g->own_area[m] / largest; /* no ghosts */
                if (state->depth[m] > 0 && weight > 0) add_slopes(d, state, m, weight, rise, weights);
            }
        MPI_Allreduce(MPI_IN_PLACE, rise, (int)(2 * nodes), MPI_INT64_T, MPI_SUM, g->comm);
        double below = 0; /* how far P falls below its value at the uppermost node */
        for (size_t n = nodes - 1; n-- > 0;) {
            below += weights[n] > 0 ? (double)rise[n] / (double)weights[n] * d->profile_step : 0;
            d->profile[n] -= below;
        }
    }
    memory_free(rise);
}

/* Where the initial stratification is no function of height, P is its mean if layers slope, else the compression alone,
 * or nothing. */
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
    d->stratified = known;
    if (!known && axes->along_bed) {
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

/* What is there before anything moves: nothing that drives a flow. */
static void rest_begin(Density *d, const Scenario *scenario, Exec exec, State *state) {
    const Grid *g = state->grid;
    density_columns(exec, g->blocks_c, columns_of(d, scenario, state));
    if (g->n3 > 1 && !g->axes.along_bed) layering_create(exec, g, state->density, &d->layering);
    if (!d->stratified) return;
    d->delta = d->anomaly;
    d->anomaly = field3_create(g);
}

Status density_create(const Scenario *scenario, Exec exec, State *state, Density **out) {
    const Grid *g = state->grid;
    Status status;
    *out = NULL;
    if (scenario->physics.density.equation == DENSITY_CONSTANT) return STATUS_OK;
    Density *d = *out = ALLOCATE(1, Density);
    d->compression = compression_of(&scenario->physics);
    d->pressure = field3_create(g);
    d->surface = field2_create(g);
    ATTEMPT(status_agree(g->comm, make_profile(d, scenario, exec, state)));
    if (!d->anomaly) d->anomaly = d->profile ? field3_create(g) : state->density;
    rest_begin(d, scenario, exec, state);
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
    layering_destroy(grid, &d->layering);
    field3_destroy(grid, &d->pressure);
    field2_destroy(grid, &d->surface);
    memory_free(d->profile);
    memory_free(d);
    *density = NULL;
}

void density_update(Density *d, const Scenario *scenario, Exec exec, Halo *halo, Boundaries *boundaries,
                    double time, State *state) {
    const DensityColumns columns = columns_of(d, scenario, state);
    density_columns(exec, state->grid->blocks_c, columns);
    const int fields = d->anomaly == state->density ? 2 : 3;
    halo_exchange(halo, 1, &d->surface, fields, (double *[]){d->anomaly, d->pressure, state->density});
    boundaries_copy_inside(boundaries, state->density);
    boundaries_mirror(boundaries, &columns, time, state);
}
