/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts in strips, each of which has its own along x.
 */
#include "numerics/grid/cut_trials.h"

#include "base/memory.h"

static bool rank_fits(const CutGoal *goal, int n, int from, int to) {
    return cut_trial_time(goal->c, n, goal->strip, (int[]){from, to}, goal->y) <= goal->limit;
}

/* Cuts strip q, which reaches from y[0] to y[1], so that no rank takes longer than the limit. */
static bool fill_strip(CutTrial *c, int q, const int y[2], double limit) {
    return cut_fill(&(CutGoal){.c = c, .strip = q, .y = y, .limit = limit}, ALONG_X, cut_trial_in_strip(c, q),
                    rank_fits, cut_trial_strip(c, q));
}

static bool strip_fits(const CutGoal *goal, int q, int from, int to) {
    return fill_strip(goal->c, q, (int[]){from, to}, goal->limit);
}

static bool fill_strips(CutTrial *c, double limit) {
    return cut_fill(&(CutGoal){.c = c, .limit = limit}, ALONG_Y, c->parts[ALONG_Y], strip_fits,
                    c->cut[ALONG_Y]);
}

/* The first position where part n of strip q can begin and end at `end` in time. */
static int earliest_begin(const CutTrial *c, int n, int q, int end, double limit) {
    const int *y = c->cut[ALONG_Y] + q, least = c->table->least[ALONG_X];
    int good = end - least, bad = n * least - 1;
    while (good - bad > 1) {
        const int middle = bad + (good - bad) / 2;
        if (cut_trial_time(c, n, q, (int[]){middle, end}, y) <= limit)
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* Moves the cuts of strip q as near to those of the strip below, which has as many, as the limit allows: fewer ranks meet,
 * and sweeps pass fewer of them one behind the other. */
static void align(CutTrial *c, int q, double limit, int *earliest) {
    const int parts = cut_trial_in_strip(c, q), *y = c->cut[ALONG_Y] + q, least = c->table->least[ALONG_X];
    int *cut = cut_trial_strip(c, q), *below = cut_trial_strip(c, q - 1);
    earliest[parts] = cut[parts];
    for (int n = parts - 1; n > 0; n--) earliest[n] = earliest_begin(c, n, q, earliest[n + 1], limit);
    for (int n = 1; n < parts; n++) {
        const int first = earliest[n] > cut[n - 1] + least ? earliest[n] : cut[n - 1] + least;
        int at = below[n] < cut[n] ? below[n] : cut[n];
        /* where an earlier cut went west, this one cannot go as far east as the first cut_fill did */
        at = at < first ? first : at;
        while (at > first && cut_trial_time(c, n - 1, q, (int[]){cut[n - 1], at}, y) > limit) at--;
        cut[n] = at;
    }
}

/* Cuts strip q so that its busiest rank is as early as can be. */
static void fill_evenly(CutTrial *c, int q, double limit) {
    double bad = 0, good = limit;
    while (cut_times_apart(bad, good)) {
        const double middle = 0.5 * (bad + good);
        if (fill_strip(c, q, c->cut[ALONG_Y] + q, middle))
            good = middle;
        else
            bad = middle;
    }
    (void)fill_strip(c, q, c->cut[ALONG_Y] + q, good);
}

/* Strips that are reached at `limit`: like the one below where that has as many ranks, else cut evenly. */
static void align_strips(CutTrial *c, double limit) {
    int *earliest = ALLOCATE(c->parts[ALONG_X] + 1, int);
    for (int q = 0; q < c->parts[ALONG_Y]; q++)
        if (q > 0 && cut_trial_in_strip(c, q) == cut_trial_in_strip(c, q - 1))
            align(c, q, limit, earliest);
        else
            fill_evenly(c, q, limit);
    memory_free(earliest);
}

static double busiest_in_strips(const CutTrial *c) {
    double worst = 0;
    for (int q = 0; q < c->parts[ALONG_Y]; q++)
        for (int p = 0; p < cut_trial_in_strip(c, q); p++) {
            const double time = cut_trial_time(c, p, q, cut_trial_strip(c, q) + p, c->cut[ALONG_Y] + q);
            if (time > worst) worst = time;
        }
    return worst;
}

void cuts_find_strips(const CutTable *t, int strips, const int *first, Cuts *out) {
    CutTrial c = cut_trial_create(t, strips, first, false);
    const double all = cut_table_work(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]);
    double low = all / t->speeds, high = low > 0 ? low : 1;
    while (!fill_strips(&c, high)) low = high, high *= 2;
    while (cut_times_apart(low, high)) {
        const double middle = 0.5 * (low + high);
        if (fill_strips(&c, middle))
            high = middle;
        else
            low = middle;
    }
    (void)fill_strips(&c, high);
    align_strips(&c, high);
    *out = cut_trial_cuts(&c, false, busiest_in_strips(&c));
    cut_trial_destroy(&c);
}
