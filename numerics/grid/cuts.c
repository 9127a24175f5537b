/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/cuts.h"

#include "base/memory.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ALONG_X, ALONG_Y };

/* Improvements smaller than this are not worth another turn. */
static const double PRECISION = 1e-3;
enum { MOST_TURNS = 12, STARTS = 30, FEW_STARTS = 6, MANY_RANKS = 2000 };

/* Sums of the work over [0, position x) x [0, position y). Positions are where cuts may be: multiples of the
 * grain along x, and every row. */
typedef struct Table {
    const CutProblem *problem;
    int grain[2];     /* columns, rows */
    int positions[2]; /* the last one is the grid's end */
    int least[2];     /* between cuts, in positions */
    double *sum;
    double speeds; /* of all ranks together */
} Table;

/* One shape's cuts, in positions. */
typedef struct Trial {
    const Table *table;
    int parts[2];
    int *cut[2];
} Trial;

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

/* The column or row of a position. */
static int place_of(const Table *t, int along, int position) {
    const int end = along == ALONG_X ? t->problem->nx : t->problem->ny;
    return position == t->positions[along] ? end : position * t->grain[along];
}
static int column_of(const Table *t, int position) {
    return place_of(t, ALONG_X, position);
}
static int row_of(const Table *t, int position) {
    return place_of(t, ALONG_Y, position);
}

/* The least multiple of both. */
static int common_multiple(int a, int b) {
    int n = a;
    while (n % b) n += a;
    return n;
}

/* `aligned`: with all cuts on borders of patches. */
static Table table_create(const CutProblem *p, bool aligned) {
    Table t = {.problem = p,
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
            for (int y = row_of(&t, j); y < row_of(&t, j + 1); y++)
                along += cuts_work(p, y, column_of(&t, g), column_of(&t, g + 1));
            sum[g + 1] = below[g + 1] + along;
        }
    }
    return t;
}

static double work_of(const Table *t, int x0, int x1, int y0, int y1) {
    const ptrdiff_t row = t->positions[ALONG_X] + 1;
    return t->sum[y1 * row + x1] - t->sum[y1 * row + x0] - t->sum[y0 * row + x1] + t->sum[y0 * row + x0];
}

static double speed_of(const CutProblem *problem, int rank) {
    return problem->speed ? problem->speed[rank] : 1;
}

static int sides(int part, int parts, bool periodic) {
    return parts == 1 ? 0 : periodic ? 2 : (part > 0) + (part < parts - 1);
}

static double time_of(const Trial *c, int p, int q, const int x[2], const int y[2]) {
    const CutProblem *of = c->table->problem;
    const double columns = column_of(c->table, x[1]) - column_of(c->table, x[0]),
                 rows = row_of(c->table, y[1]) - row_of(c->table, y[0]);
    const double sent = of->edge[ALONG_X] * sides(p, c->parts[ALONG_X], of->periodic_x) * rows +
                        of->edge[ALONG_Y] * sides(q, c->parts[ALONG_Y], of->periodic_y) * columns;
    return work_of(c->table, x[0], x[1], y[0], y[1]) / speed_of(of, q * c->parts[ALONG_X] + p) + sent;
}

/* A largest time that parts must keep to: of the whole direction `along`, or of one strip alone, from y[0] to y[1]. */
typedef struct Goal {
    Trial *c;
    int along, strip;
    const int *y;
    double limit;
} Goal;

/* May part n reach from `from` to `to`? */
typedef bool Fits(const Goal *goal, int n, int from, int to);

/* Makes each part as long as may be. Is nothing left over? */
static bool fill(const Goal *goal, int along, Fits *fits, int *cut) {
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

/* All ranks of part n. */
static bool ranks_fit(const Goal *goal, int n, int from, int to) {
    const Trial *c = goal->c;
    const int across = 1 - goal->along, mine[2] = {from, to};
    for (int m = 0; m < c->parts[across]; m++) {
        const int *theirs = c->cut[across] + m;
        const double time =
            goal->along == ALONG_X ? time_of(c, n, m, mine, theirs) : time_of(c, m, n, theirs, mine);
        if (time > goal->limit) return false;
    }
    return true;
}

static bool fill_up(Trial *c, int along, double limit) {
    return fill(&(Goal){.c = c, .along = along, .limit = limit}, along, ranks_fit, c->cut[along]);
}

static double busiest(const Trial *c) {
    double worst = 0;
    for (int q = 0; q < c->parts[ALONG_Y]; q++)
        for (int p = 0; p < c->parts[ALONG_X]; p++) {
            const double time = time_of(c, p, q, c->cut[ALONG_X] + p, c->cut[ALONG_Y] + q);
            if (time > worst) worst = time;
        }
    return worst;
}

/* Is the largest time, which is between the two, still to be found? */
static bool apart(double low, double high) {
    return high - low > 0.5 * PRECISION * high;
}

/* The best cuts of one direction for those of the other, which lie at a largest time of `now` at present. */
static double improve(Trial *c, int along, double now) {
    const size_t bytes = (size_t)(c->parts[along] + 1) * sizeof(int);
    const double even = work_of(c->table, 0, c->table->positions[ALONG_X], 0, c->table->positions[ALONG_Y]) /
                        c->table->speeds;
    int *best = ALLOCATE(c->parts[along] + 1, int);
    double low = even, high = now;
    memcpy(best, c->cut[along], bytes);
    while (apart(low, high)) {
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
static void begin(Trial *c, int along, double of_work, double skew) {
    const Table *t = c->table;
    const int parts = c->parts[along], end = t->positions[along];
    const double all = work_of(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]);
    int at = 0;
    for (int n = 1; n < parts; n++) {
        const int first = c->cut[along][n - 1] + t->least[along], last = end - (parts - n) * t->least[along];
        const double wanted = pow((double)n / parts, skew);
        at = at < first ? first : at;
        while (at < last) {
            const double work = along == ALONG_X ? work_of(t, 0, at, 0, t->positions[ALONG_Y])
                                                 : work_of(t, 0, t->positions[ALONG_X], 0, at);
            if (of_work * work / all + (1 - of_work) * at / end >= wanted) break;
            at++;
        }
        c->cut[along][n] = at;
    }
    c->cut[along][parts] = end;
}

/* From one of the places to begin: improves both directions in turn. */
static double settle(Trial *c, int start) {
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
    } while (++turn < MOST_TURNS && now < (1 - PRECISION) * before);
    return now;
}

static Trial trial_create(const Table *t, int parts_x, int parts_y) {
    return (Trial){t, {parts_x, parts_y}, {ALLOCATE(parts_x + 1, int), ALLOCATE(parts_y + 1, int)}};
}

static void trial_destroy(Trial *c) {
    memory_free(c->cut[ALONG_X]);
    memory_free(c->cut[ALONG_Y]);
}

/* The cuts of a trial; along x all strips have the same ones if `straight`, else each its own. */
static Cuts cuts_of(const Trial *c, bool straight, double time) {
    const int px = c->parts[ALONG_X], py = c->parts[ALONG_Y], row = px + 1;
    Cuts out = {.ranks_x = px,
                .ranks_y = py,
                .x = ALLOCATE((size_t)row * (size_t)py, int),
                .y = ALLOCATE(py + 1, int),
                .straight = true,
                .busiest = time};
    for (int n = 0; n < row * py; n++) {
        out.x[n] = column_of(c->table, c->cut[ALONG_X][straight ? n % row : n]);
        out.straight = out.straight && out.x[n] == out.x[n % row];
    }
    for (int n = 0; n <= py; n++) out.y[n] = row_of(c->table, c->cut[ALONG_Y][n]);
    return out;
}

/* ---- strips ---- */

static bool rank_fits(const Goal *goal, int n, int from, int to) {
    return time_of(goal->c, n, goal->strip, (int[]){from, to}, goal->y) <= goal->limit;
}

/* Cuts strip q, which reaches from y[0] to y[1], so that no rank takes longer than the limit. */
static bool fill_strip(Trial *c, int q, const int y[2], double limit) {
    return fill(&(Goal){.c = c, .strip = q, .y = y, .limit = limit}, ALONG_X, rank_fits,
                c->cut[ALONG_X] + (ptrdiff_t)q * (c->parts[ALONG_X] + 1));
}

static bool strip_fits(const Goal *goal, int q, int from, int to) {
    return fill_strip(goal->c, q, (int[]){from, to}, goal->limit);
}

static bool fill_strips(Trial *c, double limit) {
    return fill(&(Goal){.c = c, .limit = limit}, ALONG_Y, strip_fits, c->cut[ALONG_Y]);
}

/* The first position where part n of strip q can begin and end at `end` in time. */
static int earliest_begin(const Trial *c, int n, int q, int end, double limit) {
    const int *y = c->cut[ALONG_Y] + q, least = c->table->least[ALONG_X];
    int good = end - least, bad = n * least - 1;
    while (good - bad > 1) {
        const int middle = bad + (good - bad) / 2;
        if (time_of(c, n, q, (int[]){middle, end}, y) <= limit)
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* Moves the cuts of strip q as near to those of the strip below as the limit allows: fewer ranks meet, and sweeps
 * pass fewer of them one behind the other. */
static void align(Trial *c, int q, double limit, int *earliest) {
    const int parts = c->parts[ALONG_X], *y = c->cut[ALONG_Y] + q, least = c->table->least[ALONG_X];
    int *cut = c->cut[ALONG_X] + (ptrdiff_t)q * (parts + 1), *below = cut - (parts + 1);
    earliest[parts] = cut[parts];
    for (int n = parts - 1; n > 0; n--) earliest[n] = earliest_begin(c, n, q, earliest[n + 1], limit);
    for (int n = 1; n < parts; n++) {
        const int first = earliest[n] > cut[n - 1] + least ? earliest[n] : cut[n - 1] + least;
        int at = below[n] < cut[n] ? below[n] : cut[n];
        /* where an earlier cut went west, this one cannot go as far east as the first fill did */
        at = at < first ? first : at;
        while (at > first && time_of(c, n - 1, q, (int[]){cut[n - 1], at}, y) > limit) at--;
        cut[n] = at;
    }
}

/* Strips that are reached at `limit`, the first cut so that its busiest rank is as early as can be, the others like
 * the one below. */
static void align_strips(Trial *c, double limit) {
    int *earliest = ALLOCATE(c->parts[ALONG_X] + 1, int);
    double bad = 0, good = limit;
    while (apart(bad, good)) {
        const double middle = 0.5 * (bad + good);
        if (fill_strip(c, 0, c->cut[ALONG_Y], middle))
            good = middle;
        else
            bad = middle;
    }
    (void)fill_strip(c, 0, c->cut[ALONG_Y], good);
    for (int q = 1; q < c->parts[ALONG_Y]; q++) align(c, q, limit, earliest);
    memory_free(earliest);
}

static double busiest_in_strips(const Trial *c) {
    const int px = c->parts[ALONG_X];
    double worst = 0;
    for (int q = 0; q < c->parts[ALONG_Y]; q++)
        for (int p = 0; p < px; p++) {
            const double time =
                time_of(c, p, q, c->cut[ALONG_X] + (ptrdiff_t)q * (px + 1) + p, c->cut[ALONG_Y] + q);
            if (time > worst) worst = time;
        }
    return worst;
}

/* The best cuts in strips of one shape. */
static void find_strips(const Table *t, int px, int py, Cuts *out) {
    Trial c = {t, {px, py}, {ALLOCATE((size_t)(px + 1) * (size_t)py, int), ALLOCATE(py + 1, int)}};
    const double all = work_of(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]);
    double low = all / t->speeds, high = low > 0 ? low : 1;
    while (!fill_strips(&c, high)) low = high, high *= 2;
    while (apart(low, high)) {
        const double middle = 0.5 * (low + high);
        if (fill_strips(&c, middle))
            high = middle;
        else
            low = middle;
    }
    (void)fill_strips(&c, high);
    align_strips(&c, high);
    *out = cuts_of(&c, false, busiest_in_strips(&c));
    trial_destroy(&c);
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

/* ---- the best shape ---- */

static int position_of(const Table *t, int along, int place) {
    const int end = along == ALONG_X ? t->problem->nx : t->problem->ny;
    return place == end ? t->positions[along] : place / t->grain[along];
}

/* What rank (p, q) takes for the sweeps of a step. */
static double swept_by(const Table *t, const Cuts *cuts, int p, int q) {
    const int *x = cuts_of_strip(cuts, q) + p, *y = cuts->y + q;
    const double work = work_of(t, position_of(t, ALONG_X, x[0]), position_of(t, ALONG_X, x[1]),
                                position_of(t, ALONG_Y, y[0]), position_of(t, ALONG_Y, y[1]));
    return t->problem->swept * work / speed_of(t->problem, q * cuts->ranks_x + p);
}

/* Until the last rank is done with the sweeps of a step, which begin in a corner. Along the longer side of the shape a
 * rank follows the one before it by a message's part of its work, along the shorter side by all of it. */
static double sweeping(const Table *t, const Cuts *cuts) {
    const CutProblem *problem = t->problem;
    const int px = cuts->ranks_x, py = cuts->ranks_y, patch = problem->patch;
    const double all = work_of(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]);
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
static double with_waiting(const Table *t, const Cuts *cuts) {
    const CutProblem *problem = t->problem;
    return (1 - problem->swept) * cuts->busiest + sweeping(t, cuts) +
           (cuts->straight ? 0 : 2 * problem->neighbour);
}

static void keep_better(const Table *t, Cuts *found, double *best, Cuts *out) {
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
static void find_in(const Table *t, int ranks, int ranks_x, int ranks_y, Cuts *out, double *best) {
    const CutProblem *problem = t->problem;
    const int parts_y = t->positions[ALONG_Y] / t->least[ALONG_Y], most_y = parts_y > 1 ? parts_y : 1;
    const double even = work_of(t, 0, t->positions[ALONG_X], 0, t->positions[ALONG_Y]) / t->speeds;
    for (int px = 1; px <= ranks && px <= t->positions[ALONG_X] / t->least[ALONG_X]; px++) {
        const int py = ranks / px;
        if (px * py != ranks || py > most_y || (ranks_x > 0 && (px != ranks_x || py != ranks_y))) continue;
        const double fill = problem->patch > 0 ? 0 : problem->stage * (px + py - 2);
        if (out->x && even + fill >= *best) continue; /* not better */
        Cuts found;
        if (problem->kind != CUTS_STRAIGHT && px > 1 && py > 1) {
            find_strips(t, px, py, &found);
            keep_better(t, &found, best, out);
            if (problem->kind == CUTS_STRIPS) continue;
        }
        Trial c = trial_create(t, px, py);
        for (int start = 0; start < (ranks > MANY_RANKS ? FEW_STARTS : STARTS); start++) {
            const double time = settle(&c, start);
            found = cuts_of(&c, true, time);
            keep_better(t, &found, best, out);
            if (px == 1 || py == 1) break; /* all starts end there */
        }
        trial_destroy(&c);
    }
}

bool cuts_find(const CutProblem *problem, int ranks, int ranks_x, int ranks_y, Cuts *out) {
    double best = 0;
    *out = (Cuts){0};
    for (int aligned = 0; aligned <= (problem->patch > 0); aligned++) {
        Table t = table_create(problem, aligned);
        for (int n = 0; n < ranks; n++) t.speeds += speed_of(problem, n);
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
            const double speed = speed_of(problem, q * cuts->ranks_x + p);
            const int *x = cuts_of_strip(cuts, q) + p;
            double work = 0;
            for (int j = cuts->y[q]; j < cuts->y[q + 1]; j++) work += cuts_work(problem, j, x[0], x[1]);
            if (work / speed > worst) worst = work / speed;
            all += work;
            speeds += speed;
        }
    return all > 0 ? worst * speeds / all : 1;
}
