/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/cluster/forecast.h"

#include "base/memory.h"
#include "gpu/kernel.h"
#include "numerics/cluster/fragments.h"
#include <math.h>
#include <stddef.h>

/* Packing and unpacking what is sent, beside the message itself: two copies [s a byte]. Of an edge to the west or east a
 * cache line holds three numbers, of one to the south or north eight. */
static const double SECONDS_COPIED = 0.4e-9, COPIED_ALONG_X = 0.64e-9, COPIED_ALONG_Y = 0.17e-9;

enum { GROUP_ROWS = 8 };

/* A neighbour, and the columns (of the real grid) of the edge that both have. */
typedef struct Beside {
    int rank;
    double length;
} Beside;

/* A neighbour with water near the edge: the columns that travel, and their levels. */
typedef struct Correspondent {
    int rank;
    bool along_x; /* to the west or east */
    double length, levels;
} Correspondent;

/* The simulation: clocks, and what each rank needs for its parts. */
typedef struct Clocks {
    const ForecastProblem *problem;
    const Cuts *cuts;
    Forecast *of;
    int px, py;
    Beside *beside;               /* of the present rank: room for all neighbours */
    Correspondent *correspondent; /* of all ranks, rank after rank */
    int *first_correspondent;     /* of each rank, and the end; ranks + 1 */
    double *now;                  /* of each rank [s] */
    double *work, *swept;         /* seconds of a step without sweeps; of one sweep */
    double *done;                 /* when fragments of the present sweep were, and their messages gone */
    int fragments;                /* at most, of a rank */
    bool in_patches;              /* the present sweep stays there */
    bool draw;                    /* it, too */
} Clocks;

static const ClusterLink *link_of(const Clocks *c, int rank, int other) {
    const Calculator *all = c->problem->calculator;
    return all[rank].node == all[other].node ? &c->problem->cluster->inside : &c->problem->cluster->between;
}

static double latency(const ClusterLink *link) {
    return 1e-6 * link->latency_us;
}
static double passing(const ClusterLink *link, double bytes) {
    return 1e-9 * link->ns_per_byte * bytes;
}

/* The time of a node on a rank's calculator, while so many of its device compute. */
static double loaded(const ClusterDevice *device, Kernel kernel, double busy) {
    const double all = (double)device->count * device->calculators, alone = device->alone[kernel];
    if (!(alone > 0) || all <= 1) return device->ns[kernel];
    return alone + (device->ns[kernel] - alone) * (busy - 1) / (all - 1);
}

/* How many times slower than where the profile was measured a rank's calculator is. */
static double slowness(const ForecastProblem *p, int rank, int ranks, Kernel kernel) {
    const Calculator *own = &p->calculator[rank];
    double busy = 1;
    for (int n = rank - 1; n >= 0 && p->calculator[n].node == own->node; n--)
        busy += p->calculator[n].device == own->device;
    for (int n = rank + 1; n < ranks && p->calculator[n].node == own->node; n++)
        busy += p->calculator[n].device == own->device;
    if (!(own->device->ns[kernel] > 0 && p->reference_ns[kernel] > 0)) kernel = KERNEL_STEP;
    const double ns = loaded(own->device, kernel, busy), reference = p->reference_ns[kernel];
    return ns > 0 && reference > 0 ? ns / reference : 1;
}

static void measure_rank(Clocks *c, int p, int q) {
    const ForecastProblem *problem = c->problem;
    const CutProblem *cut = problem->cut;
    const int n = q * c->px + p;
    ForecastRank *rank = &c->of->rank[n];
    const int *x = cuts_of_strip(c->cuts, q) + p;
    double work = 0, columns = 0;
    for (int j = c->cuts->y[q]; j < c->cuts->y[q + 1]; j++)
        for (int i = x[0]; i < x[1]; i++) {
            const double weight = cut->weight[(ptrdiff_t)j * cut->nx + i];
            work += weight;
            columns += weight > 0;
        }
    const double finer = problem->finer, area = finer * finer;
    const StepProfile *profile = &problem->profile;
    rank->columns = area * columns;
    rank->cells = area * (work - problem->surface_work * columns);
    rank->width = finer * (x[1] - x[0]);
    rank->height = finer * (c->cuts->y[q + 1] - c->cuts->y[q]);
    rank->memory_bytes = profile->bytes_cell * (rank->width + 8) * (rank->height + 7) * problem->levels;
    const double swept = profile->levels > 1 ? rank->cells : rank->columns;
    c->work[n] = area * work * profile->seconds_work * slowness(problem, n, c->of->ranks, KERNEL_STEP);
    c->swept[n] = swept * profile->seconds_swept * slowness(problem, n, c->of->ranks, KERNEL_SWEEP);
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}
static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The ranks of strip `other` beside rank (p, q); returns how many there are, none in a strip beyond an edge. */
static int in_strip(const Clocks *c, int p, int q, int other, Beside *out) {
    int count;
    if (other < 0 || other >= c->py) return 0;
    const int *own = cuts_of_strip(c->cuts, q) + p, *theirs = cuts_of_strip(c->cuts, other);
    const int first = cuts_beside(theirs, c->px, own[0], own[1], &count);
    for (int n = 0; n < count; n++) {
        const int *x = theirs + first + n;
        out[n] = (Beside){other * c->px + first + n,
                          c->problem->finer * (smaller(own[1], x[1]) - larger(own[0], x[0]))};
    }
    return count;
}

/* Does water lie in a column of the problem, around periodic seams? Its levels; 0: none. */
static double levels_at(const Clocks *c, int i, int j) {
    const CutProblem *cut = c->problem->cut;
    if (cut->periodic_x) i = (i + cut->nx) % cut->nx;
    if (cut->periodic_y) j = (j + cut->ny) % cut->ny;
    if (i < 0 || i >= cut->nx || j < 0 || j >= cut->ny) return 0;
    const double weight = cut->weight[(ptrdiff_t)j * cut->nx + i];
    return weight > 0 ? weight - c->problem->surface_work : 0;
}

/* What travels over a border, between two of its places: as edges_find leaves out what lies among land. */
static Correspondent over_border(const Clocks *c, int rank, bool along_x, int border, int from, int to) {
    const double finer = c->problem->finer;
    const int margin = (int)ceil(HALO / finer);
    Correspondent out = {rank, along_x, 0, 0};
    int first = to, end = from;
    for (int across = border - margin; across < border + margin; across++)
        for (int n = from; n < to; n++) {
            const double levels = along_x ? levels_at(c, across, n) : levels_at(c, n, across);
            if (!(levels > 0)) continue;
            first = n < first ? n : first, end = n + 1 > end ? n + 1 : end;
            out.levels = larger(out.levels, levels);
        }
    if (end > first) out.length = smaller(finer * (end - first) + 2 * HALO, finer * (to - from));
    out.levels = smaller(out.levels + 1, c->problem->levels);
    return out;
}

/* To the ranks of the next strip to the south or north. */
static int over_row(const Clocks *c, int p, int q, bool north, Correspondent *out) {
    const bool round = c->problem->cut->periodic_y && c->py > 1;
    const int other = round ? (q + (north ? 1 : c->py - 1)) % c->py : q + (north ? 1 : -1);
    const int *own = cuts_of_strip(c->cuts, q) + p, count = in_strip(c, p, q, other, c->beside);
    for (int n = 0; n < count; n++) {
        const int *x = cuts_of_strip(c->cuts, other) + c->beside[n].rank % c->px;
        out[n] = over_border(c, c->beside[n].rank, false, c->cuts->y[q + north],
                             own[0] > x[0] ? own[0] : x[0], own[1] < x[1] ? own[1] : x[1]);
    }
    return count;
}

/* To the rank to the west or east in the same strip. */
static int over_column(const Clocks *c, int p, int q, bool east, Correspondent *out) {
    const bool round = c->problem->cut->periodic_x && c->px > 1;
    const int other = round ? (p + (east ? 1 : c->px - 1)) % c->px : p + (east ? 1 : -1), *y = c->cuts->y + q;
    if (other < 0 || other >= c->px) return 0;
    *out = over_border(c, q * c->px + other, true, cuts_of_strip(c->cuts, q)[p + east], y[0], y[1]);
    return 1;
}

/* All neighbours of rank (p, q) that something is exchanged with. */
static int correspondents(const Clocks *c, int p, int q, Correspondent *out) {
    int all = 0, kept = 0;
    for (int side = 0; side < 2; side++) all += over_column(c, p, q, side, out + all);
    for (int side = 0; side < 2; side++) all += over_row(c, p, q, side, out + all);
    for (int n = 0; n < all; n++)
        if (out[n].length > 0) out[kept++] = out[n];
    return kept;
}

static void find_correspondents(Clocks *c) {
    const int ranks = c->of->ranks, most = 2 * c->px + 2;
    int count = 0;
    c->first_correspondent = ALLOCATE(ranks + 1, int);
    for (int n = 0; n < ranks; n++) {
        c->correspondent = ENLARGE(c->correspondent, count + most, Correspondent);
        c->first_correspondent[n] = count;
        c->of->rank[n].neighbours = correspondents(c, n % c->px, n / c->px, c->correspondent + count);
        count += c->of->rank[n].neighbours;
    }
    c->first_correspondent[ranks] = count;
}

static int exchanges_of(const Clocks *c) {
    return (int)fmax(1, lround(c->problem->profile.exchanges));
}

/* One exchange of halos, after a part of the work. */
static void exchange(Clocks *c, double *before) {
    const StepProfile *profile = &c->problem->profile;
    const double parts = exchanges_of(c);
    for (int n = 0; n < c->of->ranks; n++) {
        before[n] = c->now[n] + c->work[n] / parts;
        c->of->rank[n].computing += c->work[n] / parts;
    }
    for (int n = 0; n < c->of->ranks; n++) {
        double ready = before[n], cost = 0;
        ForecastRank *rank = &c->of->rank[n];
        for (int m = c->first_correspondent[n]; m < c->first_correspondent[n + 1]; m++) {
            const Correspondent *other = &c->correspondent[m];
            const ClusterLink *link = link_of(c, n, other->rank);
            const double column = profile->edge_bytes + profile->edge_level_bytes * other->levels;
            const double sent = column * other->length / parts;
            const double copied = other->along_x ? COPIED_ALONG_X : COPIED_ALONG_Y;
            ready = fmax(ready, before[other->rank]);
            cost += latency(link) + passing(link, sent) + copied * sent;
            rank->sent_bytes += sent;
        }
        rank->sending += cost;
        c->now[n] = ready + cost;
    }
}

static void add_up(Clocks *c) {
    const int ranks = c->of->ranks;
    if (ranks == 1) return;
    const ClusterLink *far = link_of(c, 0, ranks - 1);
    const double cost = ceil(log2(ranks)) * (latency(far) + passing(far, c->problem->profile.sum_bytes));
    double last = 0;
    for (int n = 0; n < ranks; n++) last = fmax(last, c->now[n]);
    for (int n = 0; n < ranks; n++) {
        c->now[n] = last + cost;
        c->of->rank[n].sending += cost;
    }
    c->of->sums += cost;
}

/* ---- a sweep: a graph of fragments ---- */

/* The columns or rows of a rank of the real grid. */
static int rows_of(const Clocks *c, int rank) {
    return (int)fmax(1, c->of->rank[rank].height);
}
static int columns_of(const Clocks *c, int rank) {
    return (int)fmax(1, c->of->rank[rank].width);
}

/* The part of a rectangle of n1 x n2 cells on lines i + j < line. */
static double part_below(double n1, double n2, double line) {
    const double l = fmin(fmax(line, 0), n1 + n2), a = fmax(0, l - n1), b = fmax(0, l - n2);
    return (0.5 * l * l - 0.5 * a * a - 0.5 * b * b) / (n1 * n2);
}

/* Bundles of rows that go east: how many there are, and the share of the work in each. */
static int bundles_of(int rows, int messages) {
    const int groups = (rows + GROUP_ROWS - 1) / GROUP_ROWS, bundle = (groups + messages - 1) / messages;
    return (groups + bundle - 1) / bundle;
}

static int last_fragment(const Clocks *c, int rank) {
    return (c->of->stretches > 1 ? c->of->stretches : bundles_of(rows_of(c, rank), c->of->messages)) - 1;
}

static double share(const Clocks *c, int rank, int k) {
    const double n1 = columns_of(c, rank), n2 = rows_of(c, rank);
    if (c->of->stretches == 1) return 1.0 / (last_fragment(c, rank) + 1);
    const int s = c->of->stretches;
    const double low = k == 0 ? 0 : stretch_edge((int)n1, (int)n2, s, k);
    const double high = k == s - 1 ? n1 + n2 : stretch_edge((int)n1, (int)n2, s, k + 1);
    return part_below(n1, n2, high) - part_below(n1, n2, low);
}

/* The first stretch of a part of n1 x n2 cells that ends at this line or beyond. */
static int stretch_until(const Clocks *c, int n1, int n2, int line) {
    int bad = -1, good = c->of->stretches - 1;
    while (good - bad > 1) {
        const int middle = bad + (good - bad) / 2;
        if (stretch_edge(n1, n2, c->of->stretches, middle + 1) < line)
            bad = middle;
        else
            good = middle;
    }
    return good;
}

/* Columns between the edge where the sweep begins and the rank. */
static int columns_before(const Clocks *c, int rank, bool forward) {
    const int *x = cuts_of_strip(c->cuts, rank / c->px) + rank % c->px;
    return (int)(c->problem->finer * (forward ? x[0] : c->problem->cut->nx - x[1]));
}

/* The last fragment of a southern (northern) rank that fragment k of `rank` reads; -1: none. */
static int needs_south(const Clocks *c, int rank, int south, int k, bool forward) {
    const int s = c->of->stretches;
    if (s == 1) return k == 0 ? last_fragment(c, south) : -1;
    const int n1 = columns_of(c, rank), their_rows = rows_of(c, south), their_columns = columns_of(c, south);
    const int reach = (int)fmin(stretch_edge(n1, rows_of(c, rank), s, k + 1), n1);
    const int shift = columns_before(c, rank, forward) - columns_before(c, south, forward);
    const int needed = (int)fmin(reach + shift, their_columns);
    return needed <= 0 ? -1 : stretch_until(c, their_columns, their_rows, needed + their_rows - 1);
}

/* The same of the western (eastern) rank, which has the same rows. */
static int needs_west(const Clocks *c, int rank, int west, int k) {
    const int s = c->of->stretches;
    if (s == 1) return k;
    const int rows = rows_of(c, rank), groups = (rows + GROUP_ROWS - 1) / GROUP_ROWS;
    const int bundle = (groups + c->of->messages - 1) / c->of->messages;
    const int reach = stretch_edge(columns_of(c, rank), rows, s, k + 1);
    int g = (int)fmin((reach - 1) / GROUP_ROWS, groups - 1); /* the last group that begins by then */
    g = (int)fmin(g - g % bundle + bundle - 1, groups - 1);
    return stretch_until(c, columns_of(c, west), rows, columns_of(c, west) + 7 + GROUP_ROWS * g);
}

static double *done_at(const Clocks *c, int rank, int k) {
    return &c->done[(ptrdiff_t)rank * c->fragments + k];
}

/* When what `other` has sent after its fragment m is here; `bytes` of it. */
static double arrival(const Clocks *c, int rank, int other, int m, double bytes) {
    const ClusterLink *link = link_of(c, rank, other);
    return *done_at(c, other, m) + 0.5 * latency(link) + passing(link, bytes);
}

static void draw(Clocks *c, int rank, double begin, double end) {
    Forecast *f = c->of;
    if (!c->draw) return;
    f->fragment[f->n_fragments++] = (ForecastFragment){rank, begin, end};
}

/* What a sweep passes on to the next strip with each fragment: so many messages, on average. */
static double messages_north(const Clocks *c, int beside, int k, int last) {
    if (c->of->stretches == 1) return k == last ? beside : 0;
    return beside == 0 ? 0 : (double)(c->of->stretches + beside - 1) / c->of->stretches;
}

/* Does the present sweep pass a cut at this column or row? */
static bool passes(const Clocks *c, int place) {
    return !c->in_patches || !cuts_on_border(c->problem->cut->patch, place);
}

/* Fragments of rank (p, q) of a sweep that comes from the west and south, or from the east and north. */
static void sweep_rank(Clocks *c, int p, int q, bool forward) {
    const int ahead = forward ? 1 : -1, n = q * c->px + p;
    const int *x = cuts_of_strip(c->cuts, q) + p, *y = c->cuts->y + q;
    const int west = p - ahead >= 0 && p - ahead < c->px && passes(c, x[!forward]) ? n - ahead : -1;
    const int east = p + ahead >= 0 && p + ahead < c->px && passes(c, x[forward]) ? n + ahead : -1;
    ForecastRank *rank = &c->of->rank[n];
    const double bytes = c->problem->profile.sweep_bytes;
    const int count = last_fragment(c, n) + 1;
    const double column = bytes * rank->height / count, row = bytes * rank->width / c->of->stretches;
    const int norths = passes(c, y[forward]) ? in_strip(c, p, q, q + ahead, c->beside) : 0;
    const int north = norths > 0 ? c->beside[0].rank : -1;
    const int souths = passes(c, y[!forward]) ? in_strip(c, p, q, q - ahead, c->beside) : 0;
    for (int k = 0; k < count; k++) {
        double begin = c->now[n];
        const int from_west = west < 0 ? -1 : needs_west(c, n, west, k);
        if (from_west >= 0) begin = fmax(begin, arrival(c, n, west, from_west, column));
        for (int m = 0; m < souths; m++) {
            const int south = c->beside[m].rank, from_south = needs_south(c, n, south, k, forward);
            const double part = bytes * c->beside[m].length / c->of->stretches;
            if (from_south >= 0) begin = fmax(begin, arrival(c, n, south, from_south, part));
        }
        const double work = c->swept[n] * share(c, n, k), to_north = messages_north(c, norths, k, count - 1);
        double sending = 0;
        if (east >= 0) sending += 0.5 * latency(link_of(c, n, east)) + SECONDS_COPIED * column;
        if (to_north > 0) sending += 0.5 * to_north * latency(link_of(c, n, north)) + SECONDS_COPIED * row;
        draw(c, n, begin, begin + work);
        c->now[n] = begin + work + sending;
        *done_at(c, n, k) = c->now[n];
        rank->computing += work;
        rank->sending += sending;
    }
    rank->sent_bytes += (east >= 0) * bytes * rank->height + (north >= 0) * bytes * rank->width;
}

/* Strip after strip, from the corner where the sweep begins: no rank comes before those that it needs. */
static void sweep(Clocks *c, bool forward) {
    for (int b = 0; b < c->py; b++)
        for (int a = 0; a < c->px; a++)
            sweep_rank(c, forward ? a : c->px - 1 - a, forward ? b : c->py - 1 - b, forward);
    c->draw = false;
}

static double latest(const Clocks *c) {
    double last = 0;
    for (int n = 0; n < c->of->ranks; n++) last = fmax(last, c->now[n]);
    return last;
}

/* Sweeps forward and back, and after each pair its share of the sums. */
static void solve(Clocks *c) {
    const StepProfile *profile = &c->problem->profile;
    const int sweeps = (int)lround(profile->sweeps), sums = (int)lround(profile->sums);
    int summed = 0;
    for (int n = 0; n < sweeps; n++) {
        c->in_patches = n < (int)lround(profile->sweeps_in_patches);
        sweep(c, n % 2 == 0);
        for (; summed < (int64_t)sums * (n + 1) / sweeps; summed++) add_up(c);
    }
    for (; summed < sums; summed++) add_up(c);
}

static double largest(const double *x, int count) {
    double most = 0;
    for (int n = 0; n < count; n++) most = fmax(most, x[n]);
    return most;
}

/* The losses of a step: its time except computing. A process that finishes its other work early starts its sweeps
 * early; the time saved is counted under load balance. */
static void find_losses(const Clocks *c, double before_sweeps) {
    Forecast *f = c->of;
    const double sweeps = (double)lround(c->problem->profile.sweeps);
    f->halos = before_sweeps - largest(c->work, f->ranks);
    f->fill = fmax(0, f->step - before_sweeps - f->sums - sweeps * largest(c->swept, f->ranks));
    f->balance = f->step - f->computing - f->halos - f->fill - f->sums;
}

static void summarise(Clocks *c, double before_sweeps) {
    Forecast *f = c->of;
    f->step = latest(c);
    f->sweeps_share = f->step > 0 ? (f->step - before_sweeps) / f->step : 0;
    for (int n = 0; n < f->ranks; n++) {
        ForecastRank *rank = &f->rank[n];
        rank->waiting = fmax(0, f->step - rank->computing - rank->sending);
        f->computing += rank->computing / f->ranks;
        f->waiting += rank->waiting / f->ranks;
        f->sending += rank->sending / f->ranks;
    }
    f->efficiency = f->step > 0 ? f->computing / f->step : 1;
    find_losses(c, before_sweeps);
}

void forecast_step(const ForecastProblem *problem, const Cuts *cuts, int messages, Forecast *out) {
    const int px = cuts->ranks_x, py = cuts->ranks_y, ranks = px * py;
    *out = (Forecast){.ranks = ranks, .rank = ALLOCATE(ranks, ForecastRank)};
    Clocks c = {.problem = problem, .cuts = cuts, .of = out, .px = px, .py = py, .draw = true};
    double cells = 0;
    c.beside = ALLOCATE(2 * px + 2, Beside);
    c.now = ALLOCATE(ranks, double), c.work = ALLOCATE(ranks, double), c.swept = ALLOCATE(ranks, double);
    for (int q = 0; q < py; q++)
        for (int p = 0; p < px; p++) {
            measure_rank(&c, p, q);
            const ForecastRank *rank = &out->rank[q * px + p];
            cells += problem->profile.levels > 1 ? rank->cells : rank->columns;
        }
    int chain[2];
    cuts_chains(cuts->x, px, cuts->y, py, problem->cut->patch, chain);
    out->messages =
        messages > 0 ? messages : sweep_messages(chain[0], chain[1], cells / ranks * chain[0] * chain[1]);
    out->stretches = ranks > 1 ? sweep_stretches(chain[0], chain[1], out->messages) : 1;
    for (int n = 0; n < ranks; n++) c.fragments = (int)fmax(c.fragments, last_fragment(&c, n) + 1);
    c.done = ALLOCATE((size_t)ranks * (size_t)c.fragments, double);
    out->fragment = ALLOCATE((size_t)ranks * (size_t)c.fragments, ForecastFragment);
    find_correspondents(&c);
    double *before = ALLOCATE(ranks, double);
    for (int n = 0; n < exchanges_of(&c); n++) exchange(&c, before);
    const double before_sweeps = latest(&c);
    solve(&c);
    summarise(&c, before_sweeps);
    memory_free(c.correspondent), memory_free(c.first_correspondent);
    memory_free(c.beside), memory_free(before), memory_free(c.now), memory_free(c.work), memory_free(c.swept),
        memory_free(c.done);
}

void forecast_release(Forecast *forecast) {
    memory_free(forecast->rank);
    memory_free(forecast->fragment);
    *forecast = (Forecast){0};
}
