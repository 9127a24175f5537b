/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/cut_trials.h"

#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

void cuts_chains(const Cuts *cuts, int patch, int chain[2]) {
    chain[0] = 1;
    chain[1] = longest_chain(cuts->y, cuts->ranks_y, patch);
    for (int q = 0; q < cuts->ranks_y; q++) {
        const int in_strip = longest_chain(cuts_of_strip(cuts, q), cuts_in_strip(cuts, q), patch);
        chain[0] = in_strip > chain[0] ? in_strip : chain[0];
    }
}

/* What rank (p, q) spends on its neighbours in another strip. */
static double spent_beside(const CutProblem *problem, const Cuts *cuts, int p, int q, int other) {
    if (cuts->ranks_y == 1) return 0;
    if (problem->periodic_y) other = (other + cuts->ranks_y) % cuts->ranks_y;
    if (other < 0 || other >= cuts->ranks_y) return 0;
    const int *own = cuts_of_strip(cuts, q) + p, *theirs = cuts_of_strip(cuts, other);
    int count;
    double spent = 0;
    const int first = cuts_beside(theirs, cuts_in_strip(cuts, other), own[0], own[1], &count);
    for (int n = first; n < first + count; n++) {
        const int link = machine_link(problem->node, cuts->first[q] + p, cuts->first[other] + n);
        const double columns = fmin(own[1], theirs[n + 1]) - fmax(own[0], theirs[n]);
        spent += problem->meeting[link] + (problem->edge[ALONG_Y] + problem->passing[link]) * columns;
    }
    return spent;
}

/* And in its own. */
static double spent_in_strip(const CutProblem *problem, const Cuts *cuts, int p, int q) {
    const int count = cuts_in_strip(cuts, q), rank = cuts->first[q];
    const double rows = cuts->y[q + 1] - cuts->y[q];
    double spent = 0;
    for (int beside = p - 1; beside <= p + 1 && count > 1; beside += 2) {
        if (!problem->periodic_x && (beside < 0 || beside >= count)) continue;
        const int link = machine_link(problem->node, rank + p, rank + (beside + count) % count);
        spent += problem->meeting[link] + (problem->edge[ALONG_X] + problem->passing[link]) * rows;
    }
    return spent;
}

/* The time of a step until the last rank is done, with all its messages. */
static double with_waiting(const CutTable *t, const Cuts *cuts) {
    const CutProblem *problem = t->problem;
    double longest = 0;
    for (int q = 0; q < cuts->ranks_y; q++)
        for (int p = 0; p < cuts_in_strip(cuts, q); p++)
            longest = fmax(longest, (1 - problem->swept) * cuts_worked_by(t, cuts, p, q) +
                                        spent_in_strip(problem, cuts, p, q) +
                                        spent_beside(problem, cuts, p, q, q - 1) +
                                        spent_beside(problem, cuts, p, q, q + 1));
    return longest + cuts_sweeping(t, cuts);
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

/* Strips of px ranks. */
static void strips_alike(int px, int py, int *first) {
    for (int q = 0; q <= py; q++) first[q] = q * px;
}

static void try_straight(const CutTable *t, int py, const int *first, Cuts *out, double *best) {
    CutTrial c = cut_trial_create(t, py, first, true);
    for (int start = 0; start < (first[py] > MANY_RANKS ? FEW_CUT_STARTS : CUT_STARTS); start++) {
        const double time = cuts_settle(&c, start);
        Cuts found = cut_trial_cuts(&c, true, time);
        keep_better(t, &found, best, out);
        if (c.parts[ALONG_X] == 1 || py == 1) break; /* all starts end there */
    }
    cut_trial_destroy(&c);
}

static void try_strips(const CutTable *t, int py, const int *first, Cuts *out, double *best) {
    Cuts found;
    cuts_find_strips(t, py, first, &found);
    keep_better(t, &found, best, out);
}

/* Adds to the best cuts yet, and their time, those of one table with as many ranks in all strips. */
static void find_in(const CutTable *t, int ranks, int ranks_x, int ranks_y, Cuts *out, double *best) {
    const CutProblem *problem = t->problem;
    const int parts_y = t->positions[ALONG_Y] / t->least[ALONG_Y], most_y = parts_y > 1 ? parts_y : 1;
    const double even = cut_table_work(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]) / t->speeds;
    const double stage = fmin(problem->stage[LINK_INSIDE], problem->stage[LINK_BETWEEN]);
    int *first = ALLOCATE(ranks + 1, int);
    for (int px = 1; px <= ranks && px <= t->positions[ALONG_X] / t->least[ALONG_X]; px++) {
        const int py = ranks / px;
        if (px * py != ranks || py > most_y || (ranks_x > 0 && (px != ranks_x || py != ranks_y))) continue;
        const double filling = problem->patch > 0 ? 0 : stage * (px + py - 2);
        if (out->x && even + filling >= *best) continue; /* not better */
        strips_alike(px, py, first);
        const bool strips = problem->kind != CUTS_STRAIGHT && px > 1 && py > 1;
        if (strips) try_strips(t, py, first, out, best);
        if (!strips || problem->kind == CUTS_BEST) try_straight(t, py, first, out, best);
    }
    memory_free(first);
}

/* And those with strips for each device. */
static void find_by_devices(const CutTable *t, int ranks, Cuts *out, double *best) {
    static const double shapes[] = {0, 0.03, 0.1, 0.3, 1, 3, 10};
    int *first = ALLOCATE(2 * (ranks + 1), int), *before = first + ranks + 1, strips_before = 0;
    for (int n = 0; n < (int)(sizeof shapes / sizeof *shapes); n++) {
        const int strips = cuts_device_strips(t, ranks, shapes[n] > 0 ? shapes[n] : 1e-9, first);
        const size_t bytes = (size_t)(strips + 1) * sizeof *first;
        if (strips == 0 || cuts_alike(first, strips) ||
            (strips == strips_before && memcmp(first, before, bytes) == 0))
            continue;
        try_strips(t, strips, first, out, best);
        memcpy(before, first, bytes);
        strips_before = strips;
    }
    memory_free(first);
}

static CutKind kind_of(const CutProblem *problem, int ranks) {
    bool alike = true;
    if (problem->kind != CUTS_BY_SPEED) return problem->kind;
    for (int n = 1; n < ranks; n++)
        alike = alike && cut_speed(problem, n) == cut_speed(problem, 0) &&
                machine_link(problem->node, 0, n) == LINK_INSIDE;
    return alike ? CUTS_STRAIGHT : CUTS_BEST;
}

bool cuts_find(const CutProblem *asked, int ranks, int ranks_x, int ranks_y, Cuts *out) {
    double best = 0;
    CutProblem problem = *asked;
    problem.kind = kind_of(asked, ranks);
    *out = (Cuts){0};
    for (int aligned = 0; aligned <= (problem.patch > 0); aligned++) {
        CutTable t = cut_table_create(&problem, aligned);
        for (int n = 0; n < ranks; n++) t.speeds += cut_speed(&problem, n);
        if (problem.strips)
            try_strips(&t, problem.n_strips, problem.strips, out, &best);
        else
            find_in(&t, ranks, ranks_x, ranks_y, out, &best);
        if (problem.kind != CUTS_STRAIGHT && ranks_x == 0 && !problem.strips)
            find_by_devices(&t, ranks, out, &best);
        memory_free(t.sum);
    }
    return out->x != NULL;
}

const char *cuts_shape(const Cuts *cuts, char out[CUTS_SHAPE]) {
    int least = cuts_in_strip(cuts, 0), most = least;
    for (int q = 1; q < cuts->ranks_y; q++) {
        const int count = cuts_in_strip(cuts, q);
        least = count < least ? count : least, most = count > most ? count : most;
    }
    if (least == most)
        snprintf(out, CUTS_SHAPE, "%d x %d", most, cuts->ranks_y);
    else
        snprintf(out, CUTS_SHAPE, "%d-%d x %d", least, most, cuts->ranks_y);
    return out;
}

void cuts_release(Cuts *cuts) {
    memory_free(cuts->first);
    memory_free(cuts->x);
    memory_free(cuts->y);
    *cuts = (Cuts){0};
}

double cuts_imbalance(const CutProblem *problem, const Cuts *cuts) {
    double worst = 0, all = 0, speeds = 0;
    for (int q = 0; q < cuts->ranks_y; q++)
        for (int p = 0; p < cuts_in_strip(cuts, q); p++) {
            const double speed = cut_speed(problem, cuts->first[q] + p);
            const int *x = cuts_of_strip(cuts, q) + p;
            double work = 0;
            for (int j = cuts->y[q]; j < cuts->y[q + 1]; j++) work += cuts_work(problem, j, x[0], x[1]);
            if (work / speed > worst) worst = work / speed;
            all += work;
            speeds += speed;
        }
    return all > 0 ? worst * speeds / all : 1;
}
