/* SPDX-License-Identifier: Apache-2.0 */
#include "program/autopsy.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/boundary/open_faces.h"
#include "model/momentum/terms.h"
#include "program/autopsy_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Worst {
    double badness; /* transport |u| H, above all others where the speed is impossible; infinite if no number;
                       -1: nothing found */
    bool along_x;
    int i, j, k;
} Worst;

static void find_worst(const Simulation *sim, bool along_x, Worst *worst) {
    const Grid *g = sim->grid;
    const RunList parts = along_x ? g->cells_u : g->cells_v;
    const Faces *faces = along_x ? &sim->u : &sim->v;
    for (int n = 0; n < parts.count; n++) {
        Run r = parts.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            double speed = fabs(faces->velocity[AT(*g, i, r.j, r.k)]);
            double transport = speed * faces->depth[AT2(*g, i, r.j)];
            double badness = isfinite(transport) ? transport : INFINITY;
            const bool film = faces->depth[AT2(*g, i, r.j)] < sim->scales.film;
            if (speed >= (film ? IMPOSSIBLE_SPEED : sim->scales.speed)) badness = 1e100 * (1 + badness);
            if (badness > worst->badness) *worst = (Worst){badness, along_x, i, r.j, r.k};
        }
    }
}

typedef struct Term {
    const char *name, *advice;
    double acceleration; /* [m s-2] */
    int row;             /* in the table */
} Term;

/* By size, the largest first; what is no number before all; in the order of the table
 * where they are equal. */
static int by_size(const void *a, const void *b) {
    const double x = ((const Term *)a)->acceleration, y = ((const Term *)b)->acceleration;
    const int order = isnan(x) || isnan(y) ? isnan(y) - isnan(x) : (x < y) - (x > y);
    return order ? order : ((const Term *)a)->row - ((const Term *)b)->row;
}

/* The terms of the momentum equation at the face, the largest first. */
static void sort_terms(const Simulation *sim, const Worst *w, Term out[MOMENTUM_TERM_COUNT]) {
#define TERM(function, time, words, advice) {words, advice, 0, MOMENTUM_TERM_##function},
    static const Term terms[] = {MOMENTUM_TERMS(TERM)};
    const Grid *g = sim->grid;
    double *acceleration = ALLOCATE(MOMENTUM_TERM_COUNT, double);
    const TermsAt at = {simulation_momentum(sim, w->along_x), w->i, w->j, w->k, acceleration};
    momentum_terms_at(sim->exec, w->along_x ? g->blocks_u : g->blocks_v, at);
    exec_wait(sim->exec);
    for (int n = 0; n < MOMENTUM_TERM_COUNT; n++)
        out[n] = (Term){terms[n].name, terms[n].advice, fabs(acceleration[n]), n};
    memory_free(acceleration);
    qsort(out, MOMENTUM_TERM_COUNT, sizeof *out, by_size);
}

/* ---- what is near ---- */

enum { FAR = 1 << 30 };

/* The worst cell in the whole grid, and how many cells away the nearest of each kind lie; FAR: there is none. */
typedef struct Near {
    const Grid *grid;
    int i, j;
    struct {
        int cells, number;
    } boundary;
    int river, dry;
} Near;

static int cells_to(const Near *near, ptrdiff_t column) {
    const Grid *g = near->grid;
    const int j = (int)(column / g->row), i = (int)(column % g->row);
    int x = abs(g->i_first + i - near->i), y = abs(g->j_first + j - near->j);
    if (g->axes.periodic_x && g->nx - x < x) x = abs(g->nx - x); /* round the other way */
    if (g->axes.periodic_y && g->ny - y < y) y = abs(g->ny - y);
    return x > y ? x : y;
}

static void visit_river(void *context, ptrdiff_t column) {
    Near *near = context;
    const int cells = cells_to(near, column);
    if (cells < near->river) near->river = cells;
}

/* `i` and `j` are those of the rank `owner`. Collective. */
static Near find_near(const Simulation *sim, const Worst *w, int owner) {
    const Grid *g = sim->grid;
    int at[2] = {g->i_first + w->i, g->j_first + w->j}, n_faces = 0;
    MPI_Bcast(at, 2, MPI_INT, owner, g->comm);
    Near near = {.grid = g, .i = at[0], .j = at[1], .boundary = {FAR, 0}, .river = FAR, .dry = FAR};
    const OpenFace *face = boundaries_faces(sim->boundaries, &n_faces);
    for (int n = 0; n < n_faces; n++) {
        const int cells = cells_to(&near, face[n].inside);
        if (cells < near.boundary.cells) near.boundary.cells = cells, near.boundary.number = face[n].number;
    }
    rivers_each_column(sim->rivers, visit_river, &near);
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, g->columns.run[n].j);
            if (sim->state->depth[m] > sim->state->dry_depth) continue;
            const int cells = cells_to(&near, m);
            if (cells < near.dry) near.dry = cells;
        }
    MPI_Allreduce(MPI_IN_PLACE, &near.boundary, 1, MPI_2INT, MPI_MINLOC, g->comm);
    int others[2] = {near.river, near.dry};
    MPI_Allreduce(MPI_IN_PLACE, others, 2, MPI_INT, MPI_MIN, g->comm);
    near.river = others[0], near.dry = others[1];
    return near;
}

/* "nearest, in cells: the open boundary "mouth" (2), dry ground (1)"; to be freed. */
static char *near_words(const Simulation *sim, const Near *near) {
    char *text = memory_copy_text("");
    const char *comma = "nearest, in cells: ";
    if (near->boundary.cells < FAR) {
        memory_append(&text, "%sthe open boundary \"%s\" (%d)", comma,
                      sim->scenario->boundaries[near->boundary.number].name, near->boundary.cells);
        comma = ", ";
    }
    if (near->river < FAR) memory_append(&text, "%sa river (%d)", comma, near->river), comma = ", ";
    if (near->dry < FAR) memory_append(&text, "%sdry ground (%d)", comma, near->dry);
    return text;
}

/* ---- what to try ---- */

enum { MOST_REMEDIES = 5, NEAR_CELLS = 3 };

typedef struct Remedy {
    double weight;
    char *text;
} Remedy;

static int by_weight(const void *a, const void *b) {
    const double x = ((const Remedy *)a)->weight, y = ((const Remedy *)b)->weight;
    return (x < y) - (x > y);
}

/* Can a term have made a tenth of the last step's leap at least? Else a level, a boundary or a river did. */
static bool explains_leap(const Term *term, const StepHistory *history, double dt) {
    const int last = history->count - 1;
    if (last < 1) return true;
    const double leap = history->row[last].fastest - history->row[last - 1].fastest;
    return !(10 * term->acceleration * dt < leap);
}

/* The remedies that suit the case, the likeliest first; to be freed. `largest` is NULL if no term explains it. A shorter
 * step is one only where the flow crossed more than a quarter of a cell in a step before it leapt. */
static char *remedies(const Simulation *sim, const Near *near, const Term *largest, double courant,
                      double depth) {
    Remedy list[MOST_REMEDIES];
    int count = 0;
    const double good = 0.25;
    if (courant > good)
        list[count++] = (Remedy){courant > 1 ? 4 : 2,
                                 memory_format("shorten time.step_s to %.3g s, for a Courant number of %g",
                                               good * sim->dt / courant, good)};
    if (sim->scenario->physics.scheme == SCHEME_PRESCRIBED)
        list[count++] = (Remedy){
            5, memory_copy_text("lower physics.momentum.streamfunction_m3_s, which prescribes the flow")};
    else if (largest)
        list[count++] = (Remedy){3, memory_copy_text(largest->advice)};
    if (near->boundary.cells <= NEAR_CELLS)
        list[count++] =
            (Remedy){3.5 - 0.1 * near->boundary.cells,
                     memory_format("check the levels and currents that boundary \"%s\" prescribes",
                                   sim->scenario->boundaries[near->boundary.number].name)};
    if (near->river <= NEAR_CELLS)
        list[count++] = (Remedy){
            3.4 - 0.1 * near->river,
            memory_copy_text("check the discharge of the river there, or move its mouth to deeper water")};
    if (near->dry <= NEAR_CELLS && depth < 10 * sim->state->dry_depth)
        list[count++] =
            (Remedy){2.5, memory_copy_text("smooth the bed where it falls dry there, or raise its drag")};
    if (count == 0)
        list[count++] = (Remedy){1, memory_copy_text("look at the levels in the preceding steps")};
    qsort(list, (size_t)count, sizeof *list, by_weight);
    char *text = memory_copy_text("");
    for (int n = 0; n < count; n++) {
        if (count > 1) memory_append(&text, "%s(%d) ", n ? "; " : "", n + 1);
        memory_append(&text, "%s", list[n].text);
        memory_free(list[n].text);
    }
    return text;
}

/* The Courant number of the oldest step that is known, if the flow grew faster from step to step, as it does when a step
 * is too long; 0 if it grew evenly, as under a force that nothing brakes. */
static double courant_of_leaps(const StepHistory *history) {
    const int last = history->count - 1;
    if (last < 1 || !isfinite(history->row[0].courant)) return 0;
    const double before = last > 1 ? history->row[last - 2].fastest : 0, now = history->row[last - 1].fastest;
    const bool even = history->row[last].fastest - now < 1.3 * (now - before);
    return even ? 0 : history->row[0].courant;
}

static Status report_worst(const Simulation *sim, const Worst *w, const Near *near,
                           const StepHistory *history) {
    const Grid *g = sim->grid;
    const Faces *f = w->along_x ? &sim->u : &sim->v;
    const ptrdiff_t m = AT2(*g, w->i, w->j), mk = AT(*g, w->i, w->j, w->k);
    Term term[MOMENTUM_TERM_COUNT];
    sort_terms(sim, w, term);
    const bool explained = explains_leap(&term[0], history, sim->dt);
    char others[160] = "", *where = near_words(sim, near),
         *what = remedies(sim, near, explained ? term : NULL, courant_of_leaps(history), f->depth[m]);
    for (int n = 1; n < 3 && term[n].acceleration > 0; n++) {
        const size_t used = strlen(others);
        snprintf(others + used, sizeof others - used, "%s%s (%.3g)", n == 1 ? ", before " : " and ",
                 term[n].name, term[n].acceleration);
    }
    const char *x = g->spherical ? "lon" : "x", *y = g->spherical ? "lat" : "y";
    double dt = sim->dt;
    char date[32], limit[160] = "";
    calendar_format_since(sim->state->start, sim->state->time, date);
    if (sim->scales.speed < IMPOSSIBLE_SPEED)
        snprintf(
            limit, sizeof limit,
            "; speeds above %.3g m/s stop the run as impossible in this sea, unless \"scales\" is in /allow",
            sim->scales.speed);
    const Status status = error_raise(
        STATUS_FAILED,
        "the simulation became unstable at step %lld (%s): %s = %g m/s at cell i %d, j %d, "
        "level %d (%s %.5g, %s %.5g), water depth %.3g m, Courant number %.3g; the largest "
        "term there is %s (%.3g m/s2)%s%s%s%s. What to try: %s%s",
        (long long)sim->state->step, date, w->along_x ? "u" : "v", f->velocity[mk], g->i_first + w->i,
        g->j_first + w->j, w->k, x, w->along_x ? g->x_u[w->i] : g->x_c[w->i], y,
        w->along_x ? g->y_c[w->j] : g->y_v[w->j], f->depth[m], fabs(f->velocity[mk]) * dt / f->spacing[w->j],
        term[0].name, term[0].acceleration, others,
        explained
            ? ""
            : ", too small to explain the jump in this step, so the cause lies outside the momentum equation",
        *where ? "; " : "", where, what, limit);
    memory_free(where);
    memory_free(what);
    return status;
}

void history_add(StepHistory *history, const Simulation *sim) {
    const StepReport *r = &sim->report;
    if (history->count == HISTORY_STEPS) {
        memmove(history->row, history->row + 1, (HISTORY_STEPS - 1) * sizeof *history->row);
        history->count--;
    }
    history->row[history->count].step = sim->state->step;
    history->row[history->count].fastest = r->fastest;
    history->row[history->count].highest = r->highest;
    history->row[history->count].courant = r->advective_courant;
    history->row[history->count++].iterations = r->surface.iterations;
}

/* Sudden or slow? A mistake in the forcing shows from the first step, a step that is too long all at once. */
static void tell_history(const StepHistory *history) {
    char *text = memory_copy_text("");
    for (int n = 0; n < history->count; n++)
        memory_append(&text, "%sstep %lld: %.3g m/s, %+.3g m, C %.2g, %d", n ? "; " : "",
                      (long long)history->row[n].step, history->row[n].fastest, history->row[n].highest,
                      history->row[n].courant, history->row[n].iterations);
    (void)error_raise(
        STATUS_FAILED,
        "the steps before it (fastest current, highest level, Courant number, iterations of the surface): %s",
        text);
    memory_free(text);
}

Status autopsy(const Simulation *sim, const RunFacts *facts, const StepHistory *history) {
    Worst worst = {.badness = -1};
    exec_wait(sim->exec);
    find_worst(sim, true, &worst);
    find_worst(sim, false, &worst);
    struct {
        double badness;
        int rank;
    } mine, all;
    mine.badness = fmin(worst.badness, 1e300);
    MPI_Comm_rank(sim->grid->comm, &mine.rank);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, sim->grid->comm);
    const Near near = find_near(sim, &worst, all.rank);
    /* where forcing had no value, that was said when it was found */
    int known = error_count() > 0;
    MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MAX, sim->grid->comm);
    Status status = STATUS_OK;
    const bool by_level = sim->report.highest > sim->scales.level && sim->report.moving <= sim->scales.speed;
    const bool by_face = !known && !by_level && sim->report.lost == 0 && all.badness >= 0;
    if (known)
        status = STATUS_BAD_INPUT;
    else if (by_level)
        autopsy_level(sim);
    else if (sim->report.lost > 0)
        autopsy_tracer(sim, sim->report.lost - 1);
    else if (all.rank == mine.rank)
        status = report_worst(sim, &worst, &near, history);
    if (!known && all.rank == mine.rank) tell_history(history);
    if (facts) {
        char *path = memory_format("%s/autopsy.nc", sim->scenario->output_folder);
        char face[64] = "";
        if (all.rank == mine.rank)
            snprintf(face, sizeof face, "%s,%d,%d,%d", worst.along_x ? "u" : "v",
                     sim->grid->i_first + worst.i, sim->grid->j_first + worst.j, worst.k);
        MPI_Bcast(face, sizeof face, MPI_CHAR, all.rank, sim->grid->comm);
        Status written = output_snapshot(path, facts, sim->state, by_face ? face : NULL);
        if (written == STATUS_OK && all.rank == mine.rank)
            (void)error_raise(STATUS_FAILED,
                              "all fields at that moment are in %s; for the steps before, cell by cell, and "
                              "a picture: ./maeotis autopsy '%s'",
                              path, sim->scenario->output_folder);
        memory_free(path);
    }
    status = status_agree(sim->grid->comm, status);
    return status == STATUS_OK ? STATUS_FAILED : status;
}
