/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts that all strips have in common: along x and along y in turn, until neither gets better.
 */
#include "numerics/grid/cut_trials.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { MOST_TURNS = 12 };

/* All ranks of part n. */
static bool ranks_fit(const CutGoal *goal, int n, int from, int to) {
    const CutTrial *c = goal->c;
    const int across = 1 - goal->along, mine[2] = {from, to};
    for (int m = 0; m < c->parts[across]; m++) {
        const int *theirs = c->cut[across] + m;
        const double time = goal->along == ALONG_X ? cut_trial_time(c, n, m, mine, theirs)
                                                   : cut_trial_time(c, m, n, theirs, mine);
        if (time > goal->limit) return false;
    }
    return true;
}

static bool fill_up(CutTrial *c, int along, double limit) {
    return cut_fill(&(CutGoal){.c = c, .along = along, .limit = limit}, along, c->parts[along], ranks_fit,
                    c->cut[along]);
}

static double busiest(const CutTrial *c) {
    double worst = 0;
    for (int q = 0; q < c->parts[ALONG_Y]; q++)
        for (int p = 0; p < c->parts[ALONG_X]; p++) {
            const double time = cut_trial_time(c, p, q, c->cut[ALONG_X] + p, c->cut[ALONG_Y] + q);
            if (time > worst) worst = time;
        }
    return worst;
}

/* The best cuts of one direction for those of the other, which lie at a largest time of `now` at present. */
static double improve(CutTrial *c, int along, double now) {
    const size_t bytes = (size_t)(c->parts[along] + 1) * sizeof(int);
    const double even =
        cut_table_work(c->table, 0, c->table->positions[ALONG_X], 0, c->table->positions[ALONG_Y]) /
        c->table->speeds;
    int *best = ALLOCATE(c->parts[along] + 1, int);
    double low = even, high = now;
    memcpy(best, c->cut[along], bytes);
    while (cut_times_apart(low, high)) {
        const double middle = 0.5 * (low + high);
        if (fill_up(c, along, middle)) {
            high = middle;
            memcpy(best, c->cut[along], bytes);
        } else
            low = middle;
    }
    memcpy(c->cut[along], best, bytes);
    memory_free(best);
    return busiest(c);
}

/* A place to begin: parts of an even mixture of work, as if the other direction were not cut, and length; with
 * `skew` other than 1 they grow or shrink from the first to the last. */
static void begin(CutTrial *c, int along, double of_work, double skew) {
    const CutTable *t = c->table;
    const int parts = c->parts[along], end = t->positions[along];
    const double all = cut_table_work(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]);
    int at = 0;
    for (int n = 1; n < parts; n++) {
        const int first = c->cut[along][n - 1] + t->least[along], last = end - (parts - n) * t->least[along];
        const double wanted = pow((double)n / parts, skew);
        at = at < first ? first : at;
        while (at < last) {
            const double work = along == ALONG_X ? cut_table_work(t, 0, at, 0, t->positions[ALONG_Y])
                                                 : cut_table_work(t, 0, t->positions[ALONG_X], 0, at);
            if (of_work * work / all + (1 - of_work) * at / end >= wanted) break;
            at++;
        }
        c->cut[along][n] = at;
    }
    c->cut[along][parts] = end;
}

double cuts_settle(CutTrial *c, int start) {
    static const double of_work[] = {1, 0.5, 0}, skew[] = {1, 0.5, 0.7, 1.4, 2};
    enum { MIXTURES = sizeof of_work / sizeof *of_work };
    const int kind = start / 2, second = start % 2;
    begin(c, second, of_work[kind % MIXTURES], skew[kind / MIXTURES]);
    begin(c, 1 - second, of_work[kind % MIXTURES], 1);
    double now = busiest(c), before;
    int turn = 0;
    do {
        before = now;
        now = improve(c, 1 - second, now);
        now = improve(c, second, now);
    } while (++turn < MOST_TURNS && now < (1 - CUT_PRECISION) * before);
    return now;
}
