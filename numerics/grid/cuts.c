/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/cut_trials.h"

#include "base/memory.h"
#include <math.h>

enum { MANY_RANKS = 2000 }; /* fewer places to begin */

int cuts_most_parts(int n, int grain, int thinnest) {
    return n < grain + thinnest ? 1 : (n - thinnest) / grain + 1;
}

double cuts_work(const CutProblem *p, int j, int from, int until) {
    const int group = p->group > 0 ? p->group : 1;
    const double *row = p->weight + (ptrdiff_t)j * ((p->nx + group - 1) / group);
    double work = 0;
    for (int n = from / group; n * group < until; n++) work += row[n];
    return work;
}

int cuts_beside(const int *x, int ranks_x, int from, int until, int *count) {
    int first = 0, last = ranks_x - 1;
    while (first < last && x[first + 1] <= from) first++;
    while (last > first && x[last] >= until) last--;
    *count = last - first + 1;
    return first;
}

static int longest_chain(const int *cut, int parts, int patch) {
    int most = 1, chain = 1;
    for (int n = 1; n < parts; n++) {
        chain = cuts_on_border(patch, cut[n]) ? 1 : chain + 1;
        most = chain > most ? chain : most;
    }
    return most;
}

void cuts_chains(const int *x, int ranks_x, const int *y, int ranks_y, int patch, int chain[2]) {
    chain[0] = 1;
    chain[1] = longest_chain(y, ranks_y, patch);
    for (int q = 0; q < ranks_y; q++) {
        const int in_strip = longest_chain(x + (ptrdiff_t)q * (ranks_x + 1), ranks_x, patch);
        chain[0] = in_strip > chain[0] ? in_strip : chain[0];
    }
}

static int position_of(const CutTable *t, int along, int place) {
    const int end = along == ALONG_X ? t->problem->nx : t->problem->ny;
    return place == end ? t->positions[along] : place / t->grain[along];
}

/* What rank (p, q) takes for the sweeps of a step. */
static double swept_by(const CutTable *t, const Cuts *cuts, int p, int q) {
    const int *x = cuts_of_strip(cuts, q) + p, *y = cuts->y + q;
    const double work = cut_table_work(t, position_of(t, ALONG_X, x[0]), position_of(t, ALONG_X, x[1]),
                                       position_of(t, ALONG_Y, y[0]), position_of(t, ALONG_Y, y[1]));
    return t->problem->swept * work / cut_speed(t->problem, q * cuts->ranks_x + p);
}

/* Until the last rank is done with the sweeps of a step, which begin in a corner. Along the longer side of the shape a
 * rank follows the one before it by a message's part of its work, along the shorter side by all of it. */
static double sweeping(const CutTable *t, const Cuts *cuts) {
    const CutProblem *problem = t->problem;
    const int px = cuts->ranks_x, py = cuts->ranks_y, patch = problem->patch;
    const double all = cut_table_work(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]);
    const double mean = problem->swept * all / t->speeds;
    int chain[2];
    cuts_chains(cuts->x, px, cuts->y, py, patch, chain);
    const int most = chain[0] > chain[1] ? chain[0] : chain[1];
    const double part = problem->stage > 0 ? 1 / (1 + sqrt((most - 1) * mean / problem->stage)) : 0;
    const double along_x = chain[0] >= chain[1] ? part : 1, along_y = chain[0] >= chain[1] ? 1 : part;
    double *done = ALLOCATE(2 * px, double), *now = done, *below = done + px, last = 0;
    for (int q = 0; q < py; q++) {
        const int *x = cuts_of_strip(cuts, q);
        for (int p = 0; p < px; p++) {
            const double own = swept_by(t, cuts, p, q);
            int count = 0;
            const bool begins = q == 0 || cuts_on_border(patch, cuts->y[q]);
            const int first =
                !begins ? cuts_beside(cuts_of_strip(cuts, q - 1), px, x[p], x[p + 1], &count) : 0;
            now[p] = own;
            if (p > 0 && !cuts_on_border(patch, x[p]))
                now[p] = fmax(now[p], now[p - 1] + along_x * own + problem->stage);
            for (int n = first; n < first + count; n++)
                now[p] = fmax(now[p], below[n] + along_y * own + problem->stage);
            last = fmax(last, now[p]);
        }
        double *keep = now;
        now = below, below = keep;
    }
    memory_free(done);
    return last;
}

/* The time until the last rank is done, with what it costs to meet more neighbours than one on a side. */
static double with_waiting(const CutTable *t, const Cuts *cuts) {
    const CutProblem *problem = t->problem;
    return (1 - problem->swept) * cuts->busiest + sweeping(t, cuts) +
           (cuts->straight ? 0 : 2 * problem->neighbour);
}

static void keep_better(const CutTable *t, Cuts *found, double *best, Cuts *out) {
    const double time = with_waiting(t, found);
    if (out->x && time >= *best) {
        cuts_release(found);
        return;
    }
    cuts_release(out);
    *out = *found;
    *best = time;
}

/* Adds to the best cuts yet, and their time, those of one table. */
static void find_in(const CutTable *t, int ranks, int ranks_x, int ranks_y, Cuts *out, double *best) {
    const CutProblem *problem = t->problem;
    const int parts_y = t->positions[ALONG_Y] / t->least[ALONG_Y], most_y = parts_y > 1 ? parts_y : 1;
    const double even = cut_table_work(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]) / t->speeds;
    for (int px = 1; px <= ranks && px <= t->positions[ALONG_X] / t->least[ALONG_X]; px++) {
        const int py = ranks / px;
        if (px * py != ranks || py > most_y || (ranks_x > 0 && (px != ranks_x || py != ranks_y))) continue;
        const double cut_fill = problem->patch > 0 ? 0 : problem->stage * (px + py - 2);
        if (out->x && even + cut_fill >= *best) continue; /* not better */
        Cuts found;
        if (problem->kind != CUTS_STRAIGHT && px > 1 && py > 1) {
            cuts_find_strips(t, px, py, &found);
            keep_better(t, &found, best, out);
            if (problem->kind == CUTS_STRIPS) continue;
        }
        CutTrial c = cut_trial_create(t, px, py, false);
        for (int start = 0; start < (ranks > MANY_RANKS ? FEW_CUT_STARTS : CUT_STARTS); start++) {
            const double time = cuts_settle(&c, start);
            found = cut_trial_cuts(&c, true, time);
            keep_better(t, &found, best, out);
            if (px == 1 || py == 1) break; /* all starts end there */
        }
        cut_trial_destroy(&c);
    }
}

bool cuts_find(const CutProblem *problem, int ranks, int ranks_x, int ranks_y, Cuts *out) {
    double best = 0;
    *out = (Cuts){0};
    for (int aligned = 0; aligned <= (problem->patch > 0); aligned++) {
        CutTable t = cut_table_create(problem, aligned);
        for (int n = 0; n < ranks; n++) t.speeds += cut_speed(problem, n);
        find_in(&t, ranks, ranks_x, ranks_y, out, &best);
        memory_free(t.sum);
    }
    return out->x != NULL;
}

void cuts_release(Cuts *cuts) {
    memory_free(cuts->x);
    memory_free(cuts->y);
    *cuts = (Cuts){0};
}

double cuts_imbalance(const CutProblem *problem, const Cuts *cuts) {
    double worst = 0, all = 0, speeds = 0;
    for (int q = 0; q < cuts->ranks_y; q++)
        for (int p = 0; p < cuts->ranks_x; p++) {
            const double speed = cut_speed(problem, q * cuts->ranks_x + p);
            const int *x = cuts_of_strip(cuts, q) + p;
            double work = 0;
            for (int j = cuts->y[q]; j < cuts->y[q + 1]; j++) work += cuts_work(problem, j, x[0], x[1]);
            if (work / speed > worst) worst = work / speed;
            all += work;
            speeds += speed;
        }
    return all > 0 ? worst * speeds / all : 1;
}
