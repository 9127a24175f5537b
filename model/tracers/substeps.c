/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/substeps.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/tracers/cells.h"
#include <float.h>
#include <math.h>

/* Water that a film hands round in a ring settles slowly: many sweeps, of which the last ones may leave some bits at odds. */
enum { STRICT_SWEEPS = 200, MOST_SWEEPS = 20000 };
static const double STRICT = 2e-16, LOOSE = 1e-15;

/* ---- which cells ---- */

typedef unsigned char Mark;
enum { RING = 1, HOT = 2 };

/* Runs of marked cells, i0 <= i < i1, i0 <= j < j1. */
static RunRows runs_of(const Grid *g, const Mark *mark, int i0, int i1, int j1) {
    RunRows rows = {.first = i0, .count = j1 - i0, .start = ALLOCATE(j1 - i0 + 1, int)};
    RunList *list = &rows.all;
    int room = 0;
    for (int j = i0; j < j1; j++) {
        for (int k = 0; k < g->n3; k++)
            for (int i = i0; i < i1; i++) {
                if (!mark[AT(*g, i, j, k)]) continue;
                int start = i;
                while (i < i1 && mark[AT(*g, i, j, k)]) i++;
                if (list->count == room) {
                    room = 2 * room + 64;
                    list->run = ENLARGE(list->run, room, Run);
                }
                list->run[list->count++] = (Run){start, i, j, k};
                list->elements += i - start;
            }
        rows.start[j - i0 + 1] = list->count;
    }
    return rows;
}

/* The same without its rows. */
static RunList plain_runs_of(const Grid *g, const Mark *mark, int i0, int i1, int j1) {
    RunRows rows = runs_of(g, mark, i0, i1, j1);
    memory_free(rows.start);
    return rows.all;
}

/* Marks the hot cells, halo included, and the water that touches one. */
static void mark_cells(const Transport *a, Mark *mark) {
    const GridView *g = &a->g;
    ptrdiff_t step[SIDES];
    steps_to_neighbours(g, step);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++)
            for (int k = (int)fmin(a->reach[AT2(*g, i, j)], g->n3); k < g->n3; k++) {
                const ptrdiff_t m = AT(*g, i, j, k);
                if (!(a->out[m] < 0)) continue;
                mark[m] = HOT;
                for (int s = 0; s < SIDES; s++) {
                    const ptrdiff_t column = AT2(*g, i, j) + (s < BELOW ? step[s] : 0);
                    const int layer = k + (s == ABOVE) - (s == BELOW);
                    const bool inside = layer < g->n3 && i + (s == EAST) - (s == WEST) >= -HALO &&
                                        i + (s == EAST) - (s == WEST) < g->n1 + HALO &&
                                        j + (s == NORTH) - (s == SOUTH) >= -HALO &&
                                        j + (s == NORTH) - (s == SOUTH) < g->n2 + HALO;
                    if (inside && a->reach[column] <= layer && !mark[m + step[s]]) mark[m + step[s]] = RING;
                }
            }
}

/* How many parts the hot cells of this rank ask for; 0: there are none. */
static double parts_wanted(const Grid *g, const Transport *a) {
    double most = 0;
    substep_parts(g->exec, g->cells, *a, &most);
    return fmin(most > 0 ? fmax(most, 1) : 0, MOST_PARTS);
}

static bool may_be_implicit(const Transport *a, int parts, ptrdiff_t column, ptrdiff_t m) {
    const double least = a->g.area[column] * a->g.phi_c[m] * fmin(a->depth[column], a->depth_new[column]);
    return a->out[m] < 0 && -a->out[m] > (1 - 1e-9) * parts * least;
}

/* Cells with an inflow from a cell that may have to give more than it has in some part. */
static RunList find_implicit(const Transport *a, const RunList *cells, int parts) {
    const GridView *g = &a->g;
    ptrdiff_t step[SIDES];
    steps_to_neighbours(g, step);
    RunList list = {0};
    for (int n = 0; n < cells->count; n++) {
        const Run r = cells->run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ptrdiff_t m = AT(*g, i, r.j, r.k), column = AT2(*g, i, r.j);
            double in[SIDES];
            bool found = false;
            inflows(a, m, in);
            for (int s = 0; s < SIDES; s++)
                found |=
                    in[s] > 0 && may_be_implicit(a, parts, column + (s < BELOW ? step[s] : 0), m + step[s]);
            if (!found) continue;
            if (list.count % 256 == 0) list.run = ENLARGE(list.run, list.count + 256, Run);
            list.run[list.count++] = (Run){i, i + 1, r.j, r.k};
        }
    }
    list.elements = list.count;
    return list;
}

Substeps substeps_find(const Grid *g, const Transport *a) {
    Substeps s = {.parts = 0};
    double wanted = parts_wanted(g, a);
    MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    s.parts = (int)ceil(wanted);
    if (s.parts == 0) return s;
    exec_wait(g->exec);
    Mark *mark = ALLOCATE(g->size3, Mark);
    mark_cells(a, mark + g->origin3);
    s.cells = plain_runs_of(g, mark + g->origin3, 0, g->n1, g->n2);
    s.window = plain_runs_of(g, mark + g->origin3, -1, g->n1 + 1, g->n2 + 1);
    s.handed = runs_of(g, mark + g->origin3, -2, g->n1 + 2, g->n2 + 2);
    s.faces = runs_of(g, mark + g->origin3, -1, g->n1 + 2, g->n2 + 2);
    s.implicit = find_implicit(a, &s.cells, s.parts);
    memory_free(mark);
    return s;
}

void substeps_release(Substeps *s) {
    memory_free(s->cells.run);
    memory_free(s->window.run);
    memory_free(s->implicit.run);
    memory_free(s->handed.all.run);
    memory_free(s->handed.start);
    memory_free(s->faces.all.run);
    memory_free(s->faces.start);
    *s = (Substeps){.parts = 0};
}

/* ---- through the step ---- */

typedef enum Which { NOW, NEXT, GUESS, ROOM } Which;

static void exchange(const Transport *a, Halo *halo, Which which) {
    double *fields[2 * MOST_CARRIED];
    int count = 0;
    for (int n = 0; n < a->count; n++) {
        const Carried *t = &a->tracer[n];
        fields[count++] = which == NOW     ? t->now
                          : which == NEXT  ? t->next
                          : which == GUESS ? t->guess
                                           : t->small_above;
        if (which == ROOM) fields[count++] = t->small_below;
    }
    halo_exchange(halo, 0, NULL, count, fields);
}

/* Does any cell's next value differ from the guess by more than rounding? */
static bool still_changes(const Transport *a, const Grid *g, RunList cells) {
    uint64_t count = 0;
    substep_changes(g->exec, cells, *a, &count);
    int changes = count > 0;
    MPI_Allreduce(MPI_IN_PLACE, &changes, 1, MPI_INT, MPI_MAX, g->comm);
    return changes;
}

/* What is implicit, by sweeps until no value changes; false: values still change after the last sweep. */
static bool settle(const Substeps *s, const Grid *g, Halo *halo, Transport *a) {
    const Exec exec = g->exec;
    int64_t any = s->implicit.elements;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT64_T, MPI_MAX, g->comm);
    for (int sweep = 0; any && sweep < MOST_SWEEPS; sweep++) {
        substep_keep_guess(exec, s->cells, *a);
        exchange(a, halo, GUESS);
        substep_low(exec, s->implicit, *a);
        a->rounding = sweep < STRICT_SWEEPS ? STRICT : LOOSE;
        if (!still_changes(a, g, s->implicit)) return true;
    }
    return any == 0;
}

/* The relative change of the value that changes most, and where. */
typedef struct Change {
    double most;
    int i, j, k;
} Change;

static Change find_change(const Transport *a, RunList cells) {
    Change worst = {.most = 0};
    for (int n = 0; n < cells.count; n++) {
        const Run r = cells.run[n]; /* a single cell */
        const ptrdiff_t m = AT(a->g, r.i0, r.j, r.k);
        for (int t = 0; t < a->count; t++) {
            const double next = a->tracer[t].next[m], guess = a->tracer[t].guess[m];
            const double change = fabs(next - guess) / fmax(fmax(fabs(next), fabs(guess)), DBL_MIN);
            if (change > worst.most) worst = (Change){change, r.i0, r.j, r.k};
        }
    }
    return worst;
}

/* Collective. */
static void tell_unsettled(const Substeps *s, const Grid *g, const Transport *a) {
    struct {
        double most;
        int rank;
    } all;
    exec_wait(g->exec);
    const Change own = find_change(a, s->implicit);
    all.most = own.most;
    MPI_Comm_rank(g->comm, &all.rank);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, g->comm);
    int at[] = {g->i_first + own.i, g->j_first + own.j, own.k};
    double depth = a->depth_new[AT2(*g, own.i, own.j)];
    MPI_Bcast(at, 3, MPI_INT, all.rank, g->comm);
    MPI_Bcast(&depth, 1, MPI_DOUBLE, all.rank, g->comm);
    log_warn(
        "the transport of tracers has not settled after %d sweeps where water circulates many times in a "
        "step: at cell i %d, j %d, level %d, water depth %.3g m, a value still changes by %.1e of itself, "
        "so that the budgets of tracers do not close; shorten time.step_s (told once)",
        MOST_SWEEPS, at[0], at[1], at[2], depth, all.most);
}

static void next_becomes_now(Transport *a) {
    for (int n = 0; n < a->count; n++) {
        Carried *t = &a->tracer[n];
        double *kept = t->now;
        t->now = t->guess;
        t->guess = kept;
    }
}

void substeps_do(const Substeps *s, const Grid *g, Halo *halo, Transport *a, bool corrected, bool *told) {
    const Exec exec = g->exec;
    substep_begin(exec, s->window, *a);
    exchange(a, halo, NOW);
    exchange(a, halo, GUESS);
    if (corrected) substep_clear(exec, s->faces.all, *a);
    a->part = 1.0 / s->parts;
    for (int part = 0; part < s->parts; part++) {
        a->begin = (double)part / s->parts;
        substep_low(exec, s->cells, *a);
        if (!settle(s, g, halo, a) && !*told) {
            tell_unsettled(s, g, a);
            *told = true;
        }
        exchange(a, halo, NEXT);
        substep_add(exec, s->faces.all, *a);
        if (corrected) {
            substep_room(exec, s->cells, *a);
            exchange(a, halo, ROOM);
            substep_correct(exec, s->cells, *a);
        } else
            substep_keep_guess(exec, s->cells, *a);
        exchange(a, halo, GUESS);
        next_becomes_now(a);
    }
}
