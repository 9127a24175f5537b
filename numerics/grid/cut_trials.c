/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/cut_trials.h"

#include "base/memory.h"
#include <string.h>

/* The least multiple of both. */
static int common_multiple(int a, int b) {
    int n = a;
    while (n % b) n += a;
    return n;
}

CutTable cut_table_create(const CutProblem *p, bool aligned) {
    CutTable t = {
        .problem = p,
        .grain = {aligned ? common_multiple(p->patch, p->grain) : p->grain, aligned ? p->patch : 1}};
    t.positions[ALONG_X] = cuts_most_parts(p->nx, t.grain[ALONG_X], p->thinnest);
    t.positions[ALONG_Y] =
        t.grain[ALONG_Y] == 1 ? p->ny : cuts_most_parts(p->ny, t.grain[ALONG_Y], p->thinnest);
    for (int n = 0; n < 2; n++) t.least[n] = (p->thinnest + t.grain[n] - 1) / t.grain[n];
    const ptrdiff_t row = t.positions[ALONG_X] + 1;
    t.sum = ALLOCATE((size_t)row * (size_t)(t.positions[ALONG_Y] + 1), double);
    for (int j = 0; j < t.positions[ALONG_Y]; j++) {
        const double *below = t.sum + j * row;
        double *sum = t.sum + (j + 1) * row, along = 0;
        for (int g = 0; g < t.positions[ALONG_X]; g++) {
            for (int y = cut_row(&t, j); y < cut_row(&t, j + 1); y++)
                along += cuts_work(p, y, cut_column(&t, g), cut_column(&t, g + 1));
            sum[g + 1] = below[g + 1] + along;
        }
    }
    return t;
}

/* What a column of an edge between two ranks costs. */
static double side_cost(const CutProblem *p, int along, int rank, int other) {
    return p->edge[along] + p->passing[machine_link(p->node, rank, other)];
}

/* All sides of a rank: of the strips beside its own, whose cuts are not known yet, a rank about as far along stands for all. */
static void find_sides(CutTrial *c, int q, int p) {
    const CutProblem *of = c->table->problem;
    const int count = cut_trial_in_strip(c, q), strips = c->parts[ALONG_Y], rank = c->first[q] + p;
    for (int step = -1; step <= 1; step += 2) {
        const int beside = p + step, strip = (q + step + strips) % strips;
        if (count > 1 && (of->periodic_x || (beside >= 0 && beside < count)))
            c->side[ALONG_X][rank] += side_cost(of, ALONG_X, rank, c->first[q] + (beside + count) % count);
        if (strips > 1 && (of->periodic_y || strip == q + step))
            c->side[ALONG_Y][rank] +=
                side_cost(of, ALONG_Y, rank, c->first[strip] + p * cut_trial_in_strip(c, strip) / count);
    }
}

CutTrial cut_trial_create(const CutTable *t, int strips, const int *first, bool straight) {
    const int ranks = first[strips];
    CutTrial c = {.table = t, .parts = {0, strips}, .first = ALLOCATE(strips + 1, int)};
    memcpy(c.first, first, (size_t)(strips + 1) * sizeof *first);
    for (int q = 0; q < strips; q++) {
        const int count = cut_trial_in_strip(&c, q);
        c.parts[ALONG_X] = count > c.parts[ALONG_X] ? count : c.parts[ALONG_X];
    }
    c.cut[ALONG_X] = ALLOCATE(straight ? c.parts[ALONG_X] + 1 : ranks + strips, int);
    c.cut[ALONG_Y] = ALLOCATE(strips + 1, int);
    for (int along = 0; along < 2; along++) c.side[along] = ALLOCATE(ranks, double);
    for (int q = 0; q < strips; q++)
        for (int p = 0; p < cut_trial_in_strip(&c, q); p++) find_sides(&c, q, p);
    return c;
}

void cut_trial_destroy(CutTrial *c) {
    for (int along = 0; along < 2; along++) {
        memory_free(c->cut[along]);
        memory_free(c->side[along]);
    }
    memory_free(c->first);
}

/* The cuts of a trial; along x all strips have the same ones if `straight`, else each its own. */
Cuts cut_trial_cuts(const CutTrial *c, bool straight, double time) {
    const int px = c->parts[ALONG_X], py = c->parts[ALONG_Y], row = px + 1, ranks = c->first[py];
    Cuts out = {.ranks_x = px,
                .ranks_y = py,
                .first = ALLOCATE(py + 1, int),
                .x = ALLOCATE(ranks + py, int),
                .y = ALLOCATE(py + 1, int),
                .straight = ranks == px * py,
                .busiest = time};
    memcpy(out.first, c->first, (size_t)(py + 1) * sizeof *out.first);
    for (int n = 0; n < ranks + py; n++) {
        out.x[n] = cut_column(c->table, c->cut[ALONG_X][straight ? n % row : n]);
        out.straight = out.straight && out.x[n] == out.x[n % row];
    }
    for (int n = 0; n <= py; n++) out.y[n] = cut_row(c->table, c->cut[ALONG_Y][n]);
    return out;
}

bool cut_fill(const CutGoal *goal, int along, int parts, CutFits *fits, int *cut) {
    const int least = goal->c->table->least[along], end = goal->c->table->positions[along];
    cut[0] = 0;
    for (int n = 0; n < parts; n++) {
        int good = cut[n] + least, bad = end - (parts - 1 - n) * least + 1;
        if (n == parts - 1) good = bad - 1;
        if (!fits(goal, n, cut[n], good)) return false;
        while (bad - good > 1) {
            const int middle = good + (bad - good) / 2;
            if (fits(goal, n, cut[n], middle))
                good = middle;
            else
                bad = middle;
        }
        cut[n + 1] = good;
    }
    return true;
}
