/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of cuts: sums of the work, and the cuts of one shape while they are improved. cuts_straight.c improves
 * those that all strips have in common, cuts_strips.c finds each strip's own, cuts_nodes.c gives devices strips of their own,
 * cuts_sweeps.c tells what sweeps cost, cuts.c chooses among shapes.
 */
#ifndef MAEOTIS_NUMERICS_CUT_TRIALS_H
#define MAEOTIS_NUMERICS_CUT_TRIALS_H

#include "numerics/grid/cuts.h"

enum { ALONG_X, ALONG_Y };

/* Improvements smaller than this are not worth another turn. */
#define CUT_PRECISION 1e-3

/* Sums of the work over [0, position x) x [0, position y). Positions are where cuts may be: multiples of the
 * grain along x, and every row. */
typedef struct CutTable {
    const CutProblem *problem;
    int grain[2];     /* columns, rows */
    int positions[2]; /* the last one is the grid's end */
    int least[2];     /* between cuts, in positions */
    double *sum;
    double speeds; /* of all ranks together */
} CutTable;

/* One shape's cuts, in positions. */
typedef struct CutTrial {
    const CutTable *table;
    int parts[2]; /* along x: of each strip, or of that with the most */
    int *first;   /* as of Cuts */
    int *cut[2];
    double *side
        [2]; /* of each rank: what one row (column) of its edges to the west and east (south and north) costs */
} CutTrial;

/* The column or row of a position. */
static inline int cut_place(const CutTable *t, int along, int position) {
    const int end = along == ALONG_X ? t->problem->nx : t->problem->ny;
    return position == t->positions[along] ? end : position * t->grain[along];
}

static inline int cut_column(const CutTable *t, int position) {
    return cut_place(t, ALONG_X, position);
}

static inline int cut_row(const CutTable *t, int position) {
    return cut_place(t, ALONG_Y, position);
}

static inline double cut_table_work(const CutTable *t, int x0, int x1, int y0, int y1) {
    const ptrdiff_t row = t->positions[ALONG_X] + 1;
    return t->sum[y1 * row + x1] - t->sum[y1 * row + x0] - t->sum[y0 * row + x1] + t->sum[y0 * row + x0];
}

static inline double cut_speed(const CutProblem *problem, int rank) {
    return problem->speed ? problem->speed[rank] : 1;
}

static inline double cut_trial_time(const CutTrial *c, int p, int q, const int x[2], const int y[2]) {
    const double columns = cut_column(c->table, x[1]) - cut_column(c->table, x[0]),
                 rows = cut_row(c->table, y[1]) - cut_row(c->table, y[0]);
    const int rank = c->first[q] + p;
    return cut_table_work(c->table, x[0], x[1], y[0], y[1]) / cut_speed(c->table->problem, rank) +
           c->side[ALONG_X][rank] * rows + c->side[ALONG_Y][rank] * columns;
}

static inline int cut_trial_in_strip(const CutTrial *c, int q) {
    return c->first[q + 1] - c->first[q];
}

/* The cuts along x of a strip, where each has its own. */
static inline int *cut_trial_strip(const CutTrial *c, int q) {
    return c->cut[ALONG_X] + c->first[q] + q;
}

/* Is the largest time, which is between the two, still to be found? */
static inline bool cut_times_apart(double low, double high) {
    return high - low > 0.5 * CUT_PRECISION * high;
}

/* `aligned`: with all cuts on borders of patches. Its `sum` is to be freed. */
CutTable cut_table_create(const CutProblem *problem, bool aligned);

/* Strips of `first` (of Cuts) ranks; `straight`: with common cuts along x. */
CutTrial cut_trial_create(const CutTable *table, int strips, const int *first, bool straight);
void cut_trial_destroy(CutTrial *trial);

/* The cuts of a trial, with its largest time. */
Cuts cut_trial_cuts(const CutTrial *trial, bool straight, double time);

/* A largest time that parts must keep to: of the whole direction `along`, or of one strip alone, from y[0] to y[1]. */
typedef struct CutGoal {
    CutTrial *c;
    int along, strip;
    const int *y;
    double limit;
} CutGoal;

/* May part n reach from `from` to `to`? */
typedef bool CutFits(const CutGoal *goal, int n, int from, int to);

/* Makes each of so many parts as long as may be. Is nothing left over? */
bool cut_fill(const CutGoal *goal, int along, int parts, CutFits *fits, int *cut);

/* Improves the cuts of a trial that all strips have in common, from one of the places to begin (CUT_STARTS); returns the
 * largest time. */
enum { CUT_STARTS = 30, FEW_CUT_STARTS = 6 };
double cuts_settle(CutTrial *trial, int start);

/* The work of rank (p, q), at its speed. */
double cuts_worked_by(const CutTable *table, const Cuts *cuts, int p, int q);

/* Until the last rank is done with the sweeps of a step, which begin in a corner. Along the longer side of the shape a
 * rank follows the one before it by a message's part of its work, along the shorter side by all of it. */
double cuts_sweeping(const CutTable *table, const Cuts *cuts);

/* Strips for each device of each node, whose parts are about `shape` times as high as wide: how many ranks there are before
 * each one. Returns how many strips there are, 0: more than fit. */
int cuts_device_strips(const CutTable *table, int ranks, double shape, int *first);

/* The best cuts in strips of so many ranks. */
void cuts_find_strips(const CutTable *table, int strips, const int *first, Cuts *out);

#endif
