/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/substeps.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/tracers/cells.h"
#include <float.h>
#include <math.h>

/* Water that films hand round in rings settles slowly. What has not settled after so many sweeps is solved, which may leave
 * some bits at odds, and swept again. */
enum { SWEEPS = 200, SWEEPS_AGAIN = 20, MOST_SOLUTIONS = 20 };
static const double STRICT = 2e-16, LOOSE = 1e-15;

/* ---- which cells ---- */

typedef unsigned char Mark;
enum { RIM = 1, HOT = 2 };

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
                    if (inside && a->reach[column] <= layer && !mark[m + step[s]]) mark[m + step[s]] = RIM;
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

/* Until no value changes; false: values still change after the last sweep. Collective. */
static bool sweep(const Substeps *s, const Grid *g, Halo *halo, Transport *a, int sweeps) {
    for (int n = 0; n < sweeps; n++) {
        substep_keep_guess(g->exec, s->cells, *a);
        exchange(a, halo, GUESS);
        substep_low(g->exec, s->implicit, *a);
        if (!still_changes(a, g, s->implicit)) return true;
    }
    return false;
}

/* The value that the last sweep changed most for its size, if by more than the worst so far. Collective. */
static void find_unsettled(const Transport *a, const Grid *g, RunList cells, Unsettled *worst) {
    Unsettled own = {.change = 0};
    struct {
        double change;
        int rank;
    } most;
    exec_wait(g->exec);
    for (int m = 0; m < cells.count * a->count; m++) {
        const Run r = cells.run[m / a->count];
        const Carried *t = &a->tracer[m % a->count];
        for (int i = r.i0; i < r.i1; i++) {
            const double next = t->next[AT(*g, i, r.j, r.k)], guess = t->guess[AT(*g, i, r.j, r.k)];
            const double change = fabs(next - guess) / fmax(fmax(fabs(next), fabs(guess)), DBL_MIN);
            if (change > own.change)
                own = (Unsettled){change, m % a->count, g->i_first + i, g->j_first + r.j, r.k};
        }
    }
    most.change = own.change;
    MPI_Comm_rank(g->comm, &most.rank);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, g->comm);
    MPI_Bcast(&own, sizeof own, MPI_BYTE, most.rank, g->comm);
    if (own.change > worst->change) *worst = own;
}

/* What is implicit, by sweeps, and by solutions where these take too many. Collective. */
static Status settle(const Substeps *s, const Grid *g, Halo *halo, Transport *a, Rings **rings,
                     Unsettled *unsettled) {
    int64_t any = s->implicit.elements;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT64_T, MPI_MAX, g->comm);
    for (int n = 0; n < a->count; n++) a->tracer[n].scale = 0;
    a->rounding = STRICT;
    if (any == 0 || sweep(s, g, halo, a, SWEEPS)) return STATUS_OK;
    if (!*rings) TRY(rings_create(g, rings));
    TRY(rings_begin(*rings, a));
    a->rounding = LOOSE;
    for (int n = 0; n < MOST_SOLUTIONS; n++) {
        TRY(rings_solve(*rings, a));
        if (sweep(s, g, halo, a, SWEEPS_AGAIN)) return STATUS_OK;
    }
    find_unsettled(a, g, s->implicit, unsettled);
    return STATUS_OK;
}

static void next_becomes_now(Transport *a) {
    for (int n = 0; n < a->count; n++) {
        Carried *t = &a->tracer[n];
        double *kept = t->now;
        t->now = t->guess;
        t->guess = kept;
    }
}

Status substeps_do(const Substeps *s, const Grid *g, Halo *halo, Transport *a, bool corrected, Rings **rings,
                   Unsettled *unsettled) {
    const Exec exec = g->exec;
    substep_begin(exec, s->window, *a);
    exchange(a, halo, NOW);
    exchange(a, halo, GUESS);
    if (corrected) substep_clear(exec, s->faces.all, *a);
    a->part = 1.0 / s->parts;
    *unsettled = (Unsettled){.change = 0};
    for (int part = 0; part < s->parts; part++) {
        a->begin = (double)part / s->parts;
        substep_low(exec, s->cells, *a);
        TRY(settle(s, g, halo, a, rings, unsettled));
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
    return STATUS_OK;
}
