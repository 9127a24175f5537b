/* SPDX-License-Identifier: Apache-2.0 */
#include "model/infiltration/infiltration.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/column_map.h"
#include "numerics/grid/sums.h"
#include <math.h>

enum { PARAMETERS = 5 }; /* three of the law, interception, drains */

struct Infiltration {
    const Scenario *scenario; /* not owned, as the next */
    const State *state;
    Exec exec;
    Hypsometry inside;             /* of the cells; all NULL: they are even */
    double *land;                  /* its share of each column's area */
    double *parameter[PARAMETERS]; /* NULL: none */
    double *lost[GROUND_LOSSES], *lost_water, *brought;
    double volume[GROUND_LOSSES];
    double ground;          /* that takes water, in all [m2] */
    double *tracer, *gains; /* of the state's tracers */
};

/* Of each parameter the key's value, what messages call it, and what makes it SI. */
typedef struct Parameter {
    const Value *value;
    const char *what, *unit;
    double factor;
} Parameter;

static const double PER_HOUR = 1.0 / 3600, MM = 1e-3;

static void choose(const ScenarioInfiltration *s, Parameter out[PARAMETERS]) {
    const Parameter rate = {&s->rate_mm_h, "rate of infiltration", " mm/h", MM * PER_HOUR};
    const Parameter none = {0},
                    first = {&s->first_mm_h, "first rate of infiltration", " mm/h", MM * PER_HOUR},
                    decay = {&s->decay_1_h, "decay of infiltration", " 1/h", PER_HOUR},
                    suction = {&s->suction_mm, "suction of the ground", " mm", MM},
                    deficit = {&s->deficit, "deficit of the ground", "", 1},
                    number = {&s->curve_number, "curve number", "", 1};
    const Parameter of_law[][3] = {[INFILTRATION_NONE] = {none, none, none},
                                   [INFILTRATION_CONSTANT] = {rate, none, none},
                                   [INFILTRATION_HORTON] = {rate, first, decay},
                                   [INFILTRATION_GREEN_AMPT] = {rate, suction, deficit},
                                   [INFILTRATION_CURVE_NUMBER] = {number, none, none}};
    for (int n = 0; n < 3; n++) out[n] = of_law[s->law][n];
    out[3] = (Parameter){&s->interception_mm, "interception", " mm", MM};
    out[4] = (Parameter){&s->drains_mm_h, "capacity of drains", " mm/h", MM * PER_HOUR};
}

static void scale(const Grid *g, double factor, double *field) {
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) field[AT2(*g, i, j)] *= factor;
}

/* The storage 25.4 mm (1000/CN - 10), and its part that is lost before anything runs off. */
static void find_storage(const Grid *g, double part, double *storage, double *first) {
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            storage[m] = storage[m] > 0 ? 25.4 * MM * (1000 / storage[m] - 10) : 0;
            first[m] = part * storage[m];
        }
}

/* Of numbers the rules of the scenario know it. */
static Status check_first(const Infiltration *all) {
    const Grid *g = all->state->grid;
    const double *last = all->parameter[0], *first = all->parameter[1];
    double beyond = -INFINITY; /* how much the last rate is above the first [m s-1] */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++)
            beyond = fmax(beyond, last[AT2(*g, i, j)] - first[AT2(*g, i, j)]);
    MPI_Allreduce(MPI_IN_PLACE, &beyond, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    CHECK(!(beyond > 0), STATUS_BAD_INPUT,
          "%s: the initial rate must not be below the final one, rate_mm_h, which exceeds it somewhere "
          "by %.4g mm/h",
          all->scenario->infiltration.first_mm_h.place, beyond / MM / PER_HOUR);
    return STATUS_OK;
}

static Status fill_parameter(Infiltration *all, int n, const Parameter *is) {
    const Grid *g = all->state->grid;
    char *what = memory_format("the %s", is->what);
    all->parameter[n] = field2_create(g);
    const Status status = column_map_fill(is->value, what, RASTER_NUMBERS, g, all->parameter[n]);
    memory_free(what);
    if (status == STATUS_OK) scale(g, is->factor, all->parameter[n]);
    return status;
}

static Status fill_parameters(Infiltration *all) {
    const ScenarioInfiltration *s = &all->scenario->infiltration;
    const Grid *g = all->state->grid;
    Parameter of[PARAMETERS];
    choose(s, of);
    for (int n = 0; n < PARAMETERS; n++) {
        if (!of[n].value || of[n].value->kind == VALUE_ABSENT) continue;
        TRY(fill_parameter(all, n, &of[n]));
    }
    if (s->law == INFILTRATION_HORTON) return check_first(all);
    if (s->law != INFILTRATION_CURVE_NUMBER) return STATUS_OK;
    all->parameter[1] = field2_create(g);
    find_storage(g, s->initial_part, all->parameter[0], all->parameter[1]);
    return STATUS_OK;
}

/* The share of a column that is not below a height. */
static double share_above(const Infiltration *all, ptrdiff_t m, double height) {
    const double bed = all->state->grid->bed[m];
    if (bed >= height) return 1;
    return all->inside.node ? 1 - hypsometry_at_height(&all->inside, m, height - LAND_SLACK - bed).share : 0;
}

static void find_land(Infiltration *all) {
    const Grid *g = all->state->grid;
    all->land = field2_create(g);
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            all->land[m] = share_above(all, m, all->scenario->infiltration.above_m);
            all->ground += g->area[m] * all->land[m];
        }
    MPI_Allreduce(MPI_IN_PLACE, &all->ground, 1, MPI_DOUBLE, MPI_SUM, g->comm);
}

Status infiltration_create(const Scenario *scenario, State *state, const Subgrid *subgrid,
                           Infiltration **out) {
    const ScenarioInfiltration *s = &scenario->infiltration;
    const Grid *g = state->grid;
    Status status;
    *out = NULL;
    if (s->law == INFILTRATION_NONE && s->interception_mm.kind == VALUE_ABSENT &&
        s->drains_mm_h.kind == VALUE_ABSENT)
        return STATUS_OK;
    Infiltration *all = *out = ALLOCATE(1, Infiltration);
    *all = (Infiltration){.scenario = scenario, .state = state, .exec = g->exec};
    if (subgrid) all->inside = subgrid->column;
    state_make(state, STATE_intercepted, 0);
    state_make(state, STATE_infiltrated, 0);
    state_make(state, STATE_drained, 0);
    for (int n = 0; n < GROUND_LOSSES; n++) all->lost[n] = field2_create(g);
    all->lost_water = field2_create(g);
    all->brought = field2_create(g);
    all->tracer = ALLOCATE(state->n_tracers + 1, double);
    all->gains = ALLOCATE(state->n_tracers + 1, double);
    ATTEMPT(fill_parameters(all));
    find_land(all);
    if (!(all->ground > 0))
        log_warn("no ground is as high as %g m (/infiltration/above_m): nothing infiltrates, is intercepted "
                 "or drained",
                 s->above_m);
    return STATUS_OK;
cleanup:
    infiltration_destroy(out);
    return status;
}

void infiltration_destroy(Infiltration **infiltration) {
    Infiltration *all = *infiltration;
    if (!all) return;
    const Grid *g = all->state->grid;
    for (int n = 0; n < PARAMETERS; n++) field2_destroy(g, &all->parameter[n]);
    for (int n = 0; n < GROUND_LOSSES; n++) field2_destroy(g, &all->lost[n]);
    field2_destroy(g, &all->land);
    field2_destroy(g, &all->lost_water);
    field2_destroy(g, &all->brought);
    memory_free(all->tracer);
    memory_free(all->gains);
    memory_free(all);
    *infiltration = NULL;
}

void infiltration_apply(Infiltration *all, double dt, const double *rain, Tally *tally) {
    const State *s = all->state;
    const Grid *g = s->grid;
    ground_soak(all->exec, g->columns,
                (Soak){.g = grid_view(g),
                       .law = all->scenario->infiltration.law,
                       .dt = dt,
                       .above = all->scenario->infiltration.above_m,
                       .land = all->land,
                       .ground = all->inside,
                       .rain = rain,
                       .rate = all->parameter[0],
                       .second = all->parameter[1],
                       .third = all->parameter[2],
                       .canopy = rain ? all->parameter[3] : NULL,
                       .drains = all->parameter[4],
                       .total = {s->intercepted, s->infiltrated, s->drained},
                       .lost = {all->lost[0], all->lost[1], all->lost[2]},
                       .lost_water = all->lost_water,
                       .depth = s->depth,
                       .eta = s->eta});
    for (int n = 0; n < GROUND_LOSSES; n++)
        sums_ask(tally, g, 1, g->counted_area, all->lost[n], &all->volume[n]);
    for (int n = 0; n < s->n_tracers; n++) {
        ground_carry(all->exec, g->columns,
                     (SoakCarried){grid_view(g), all->lost_water, s->tracer[n].c, all->brought});
        sums_ask(tally, g, 1, g->counted_area, all->brought, &all->tracer[n]);
    }
}

const double *infiltration_volumes(const Infiltration *all) {
    return all->volume;
}

const double *infiltration_gains(const Infiltration *all, const double *from_air) {
    for (int n = 0; n < all->state->n_tracers; n++)
        all->gains[n] = all->tracer[n] + (from_air ? from_air[n] : 0);
    return all->gains;
}

/* "; suction of the ground 2 to 20, mean 7, from map.nc mm", in the unit of the key. */
static void describe(const Infiltration *all, int n, char **text) {
    const Grid *g = all->state->grid;
    Parameter of[PARAMETERS];
    choose(&all->scenario->infiltration, of);
    if (!all->parameter[n] || !of[n].value) return;
    const bool storage = n == 0 && all->scenario->infiltration.law == INFILTRATION_CURVE_NUMBER;
    const char *what = storage ? "storage of the curve number" : of[n].what;
    if (of[n].value->kind == VALUE_CONSTANT) {
        memory_append(text, "; %s %g%s", of[n].what, of[n].value->constant, of[n].unit);
        return;
    }
    double *shown = field2_create(g);
    field2_copy(all->exec, g, all->parameter[n], shown);
    exec_wait(all->exec);
    scale(g, storage ? 1 / MM : 1 / of[n].factor, shown);
    char *map = column_map_describe(of[n].value, g, shown);
    const char *unit = storage ? " mm" : of[n].unit;
    memory_append(text, *unit ? "; %s [%s]: %s" : "; %s%s: %s", what, *unit ? unit + 1 : "", map);
    memory_free(map);
    field2_destroy(g, &shown);
}

char *infiltration_describe(const Infiltration *all) {
    static const char *const laws[] = {"none", "constant", "Horton", "Green-Ampt", "curve number"};
    const ScenarioInfiltration *s = &all->scenario->infiltration;
    char *text =
        memory_format("%s on %.4g km2 of ground above %g m", laws[s->law], all->ground / 1e6, s->above_m);
    for (int n = 0; n < PARAMETERS; n++) describe(all, n, &text);
    return text;
}
