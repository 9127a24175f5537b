/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/cut_trials.h"

#include "base/memory.h"

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

CutTrial cut_trial_create(const CutTable *t, int parts_x, int parts_y, bool strips) {
    const size_t of_x = (size_t)(parts_x + 1) * (strips ? (size_t)parts_y : 1);
    return (CutTrial){t, {parts_x, parts_y}, {ALLOCATE(of_x, int), ALLOCATE(parts_y + 1, int)}};
}

void cut_trial_destroy(CutTrial *c) {
    memory_free(c->cut[ALONG_X]);
    memory_free(c->cut[ALONG_Y]);
}

/* The cuts of a trial; along x all strips have the same ones if `straight`, else each its own. */
Cuts cut_trial_cuts(const CutTrial *c, bool straight, double time) {
    const int px = c->parts[ALONG_X], py = c->parts[ALONG_Y], row = px + 1;
    Cuts out = {.ranks_x = px,
                .ranks_y = py,
                .x = ALLOCATE((size_t)row * (size_t)py, int),
                .y = ALLOCATE(py + 1, int),
                .straight = true,
                .busiest = time};
    for (int n = 0; n < row * py; n++) {
        out.x[n] = cut_column(c->table, c->cut[ALONG_X][straight ? n % row : n]);
        out.straight = out.straight && out.x[n] == out.x[n % row];
    }
    for (int n = 0; n <= py; n++) out.y[n] = cut_row(c->table, c->cut[ALONG_Y][n]);
    return out;
}

bool cut_fill(const CutGoal *goal, int along, CutFits *fits, int *cut) {
    const int parts = goal->c->parts[along], least = goal->c->table->least[along],
              end = goal->c->table->positions[along];
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
