/* SPDX-License-Identifier: Apache-2.0
 *
 * What sweeps cost where ranks are cut so: a rank begins when the first messages of those to the west and south have arrived.
 */
#include "numerics/grid/cut_trials.h"

#include "base/memory.h"
#include "numerics/cluster/fragments.h"
#include <math.h>

static int position_of(const CutTable *t, int along, int place) {
    const int end = along == ALONG_X ? t->problem->nx : t->problem->ny;
    return place == end ? t->positions[along] : place / t->grain[along];
}

double cuts_worked_by(const CutTable *t, const Cuts *cuts, int p, int q) {
    const int *x = cuts_of_strip(cuts, q) + p, *y = cuts->y + q;
    const double work = cut_table_work(t, position_of(t, ALONG_X, x[0]), position_of(t, ALONG_X, x[1]),
                                       position_of(t, ALONG_Y, y[0]), position_of(t, ALONG_Y, y[1]));
    return work / cut_speed(t->problem, cuts->first[q] + p);
}

/* Into how many messages sweeps are cut, all of a step as one. */
static SweepShape shape_of(const CutTable *t, const Cuts *cuts) {
    const CutProblem *problem = t->problem;
    const double all = cut_table_work(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]);
    SweepShape shape = {.work = problem->swept * all / t->speeds};
    cuts_chains(cuts, problem->patch, shape.chain);
    shape.message = problem->stage[sweep_link(cuts, problem->node, shape.chain[0] >= shape.chain[1])];
    return shape;
}

/* A rank in the sweeps of a step: its work and half of each message that it gives, and which part of this it has done when its
 * first message to the east and to the north leaves. */
typedef struct Swept {
    double spent, before_east, before_north;
} Swept;

static Swept swept_by(const CutTable *t, const Cuts *cuts, int p, int q, const SweepShape *shape) {
    const CutProblem *problem = t->problem;
    const int rank = cuts->first[q] + p, *x = cuts_of_strip(cuts, q) + p, *y = cuts->y + q;
    const int bundles = sweep_messages(shape), stretches = sweep_stretches(shape, bundles);
    Swept s = {problem->swept * cuts_worked_by(t, cuts, p, q), 1.0 / bundles, 1};
    double east = bundles, north = 1;
    if (stretches > 1) { /* aslant: the first ones end at neither side */
        const double columns = x[1] - x[0], aslant = stretches * columns / (columns + y[1] - y[0]);
        east = ceil(stretches - aslant), north = ceil(aslant);
        s.before_east = fmin(1, (ceil(aslant) + 1) / stretches);
        s.before_north = fmin(1, (ceil(stretches - aslant) + 1) / stretches);
    }
    if (p < cuts_in_strip(cuts, q) - 1 && !cuts_on_border(problem->patch, x[1]))
        s.spent += 0.5 * east * problem->stage[machine_link(problem->node, rank, rank + 1)];
    if (q < cuts->ranks_y - 1 && !cuts_on_border(problem->patch, y[1])) {
        int count; /* each takes one at least */
        const int first = cuts->first[q + 1] + cuts_beside(cuts_of_strip(cuts, q + 1),
                                                           cuts_in_strip(cuts, q + 1), x[0], x[1], &count);
        s.spent += 0.5 * fmax(north, count) * problem->stage[machine_link(problem->node, rank, first)];
    }
    return s;
}

/* The other half. */
static double arriving(const CutProblem *problem, int from, int to) {
    return 0.5 * problem->stage[machine_link(problem->node, from, to)];
}

double cuts_sweeping(const CutTable *t, const Cuts *cuts) {
    const CutProblem *problem = t->problem;
    const int patch = problem->patch, most = cuts->ranks_x;
    const SweepShape shape = shape_of(t, cuts);
    double *done = ALLOCATE(2 * most, double), *now = done, *below = done + most, last = 0;
    for (int q = 0; q < cuts->ranks_y; q++) {
        const int *x = cuts_of_strip(cuts, q), rank = cuts->first[q];
        const bool begins = q == 0 || cuts_on_border(patch, cuts->y[q]);
        for (int p = 0; p < cuts_in_strip(cuts, q); p++) {
            const Swept own = swept_by(t, cuts, p, q, &shape);
            int first = 0, count = 0;
            if (!begins)
                first = cuts_beside(cuts_of_strip(cuts, q - 1), cuts_in_strip(cuts, q - 1), x[p], x[p + 1],
                                    &count);
            now[p] = own.spent;
            if (p > 0 && !cuts_on_border(patch, x[p])) {
                const double west = now[p - 1] + arriving(problem, rank + p - 1, rank + p);
                now[p] = fmax(now[p], west + own.before_east * own.spent);
            }
            for (int n = first; n < first + count; n++) {
                const double south = below[n] + arriving(problem, cuts->first[q - 1] + n, rank + p);
                now[p] = fmax(now[p], south + own.before_north * own.spent);
            }
            last = fmax(last, now[p]);
        }
        double *keep = now;
        now = below, below = keep;
    }
    memory_free(done);
    return last;
}
