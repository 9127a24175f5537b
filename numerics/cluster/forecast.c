/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/cluster/forecast_internal.h"

#include "base/memory.h"
#include "gpu/kernel.h"
#include "numerics/cluster/fragments.h"
#include <math.h>
#include <stddef.h>

/* Packing and unpacking what is exchanged [s a byte]: of an edge to the west or east a cache line holds three numbers, of
 * one to the south or north eight. */
static const double COPIED_ALONG_X = 0.64e-9, COPIED_ALONG_Y = 0.17e-9;

/* The time of a node on a rank's calculator, while so many of its device compute. */
static double loaded(const ClusterDevice *device, Kernel kernel, double busy) {
    const double all = (double)device->count * device->cores, alone = device->alone[kernel];
    if (!(alone > 0) || all <= 1) return device->ns[kernel];
    return alone + (device->ns[kernel] - alone) * (busy - 1) / (all - 1);
}

/* The time of a node there, by kernel. */
static void find_ns(const ForecastProblem *p, int rank, int ranks, double ns[KERNELS]) {
    const Calculator *own = &p->calculator[rank];
    double busy = 1;
    for (int n = rank - 1; n >= 0 && p->calculator[n].node == own->node; n--)
        busy += p->calculator[n].device == own->device;
    for (int n = rank + 1; n < ranks && p->calculator[n].node == own->node; n++)
        busy += p->calculator[n].device == own->device;
    for (int k = 0; k < KERNELS; k++) ns[k] = loaded(own->device, (Kernel)k, busy);
}

static double ratio(double own, double reference) {
    return own > 0 && reference > 0 ? own / reference : 1;
}

/* What a step takes beside its sweeps, of which each cell has so many; times of steps and of sweeps were not measured in
 * the same step, and a described device may have any. */
static double beside_sweeps(const double ns[KERNELS], double sweeps) {
    return fmax(ns[KERNEL_STEP] - sweeps * ns[KERNEL_SWEEP], 0.1 * ns[KERNEL_STEP]);
}

/* How many times slower than where the profile was measured the calculator of a rank is, beside sweeps and in them. */
static void find_slowness(const ForecastProblem *p, int rank, int ranks, double sweeps, double *beside,
                          double *in_them) {
    double ns[KERNELS];
    find_ns(p, rank, ranks, ns);
    const double *reference = p->reference_ns;
    *beside = *in_them = ratio(ns[KERNEL_STEP], reference[KERNEL_STEP]);
    if (!(ns[KERNEL_SWEEP] > 0 && reference[KERNEL_SWEEP] > 0)) return;
    *beside = ratio(beside_sweeps(ns, sweeps), beside_sweeps(reference, sweeps));
    *in_them = ratio(ns[KERNEL_SWEEP], reference[KERNEL_SWEEP]);
}

static double swept_in(const StepProfile *profile, const ForecastRank *rank) {
    return profile->levels > 1 ? rank->cells : rank->columns;
}

static void measure_rank(ForecastClocks *c, int p, int q) {
    const ForecastProblem *problem = c->problem;
    const CutProblem *cut = problem->cut;
    const int n = c->cuts->first[q] + p;
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
    c->work[n] = area * work * profile->seconds_work;
    c->swept[n] = swept_in(profile, rank) * profile->seconds_swept;
}

/* On the calculators of the ranks, each of which was taken for that of the profile. Returns the cells of a sweep. */
static double slow_down(ForecastClocks *c) {
    const StepProfile *profile = &c->problem->profile;
    double cells = 0, swept = 0, beside, in_sweeps;
    for (int n = 0; n < c->of->ranks; n++) {
        cells += c->of->rank[n].cells;
        swept += swept_in(profile, &c->of->rank[n]);
    }
    const double sweeps = cells > 0 ? profile->sweeps * swept / cells : 0;
    for (int n = 0; n < c->of->ranks; n++) {
        find_slowness(c->problem, n, c->of->ranks, sweeps, &beside, &in_sweeps);
        c->work[n] *= beside;
        c->swept[n] *= in_sweeps;
    }
    return swept;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The ranks of strip `other` beside rank (p, q); returns how many there are, none in a strip beyond an edge. */
static int in_strip(const ForecastClocks *c, int p, int q, int other, ForecastBeside *out) {
    int count;
    if (other < 0 || other >= c->py) return 0;
    const int *own = cuts_of_strip(c->cuts, q) + p, *theirs = cuts_of_strip(c->cuts, other);
    const int first = cuts_beside(theirs, cuts_in_strip(c->cuts, other), own[0], own[1], &count);
    for (int n = 0; n < count; n++) {
        const int *x = theirs + first + n;
        out[n] = (ForecastBeside){c->cuts->first[other] + first + n,
                                  c->problem->finer * (smaller(own[1], x[1]) - larger(own[0], x[0]))};
    }
    return count;
}

/* Does water lie in a column of the problem, around periodic seams? Its levels; 0: none. */
static double levels_at(const ForecastClocks *c, int i, int j) {
    const CutProblem *cut = c->problem->cut;
    if (cut->periodic_x) i = (i + cut->nx) % cut->nx;
    if (cut->periodic_y) j = (j + cut->ny) % cut->ny;
    if (i < 0 || i >= cut->nx || j < 0 || j >= cut->ny) return 0;
    const double weight = cut->weight[(ptrdiff_t)j * cut->nx + i];
    return weight > 0 ? weight - c->problem->surface_work : 0;
}

/* What travels over a border, between two of its places: as edges_find leaves out what lies among land. */
static Correspondent over_border(const ForecastClocks *c, int rank, bool along_x, int border, int from,
                                 int to) {
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
static int over_row(const ForecastClocks *c, int p, int q, bool north, Correspondent *out) {
    const bool round = c->problem->cut->periodic_y && c->py > 1;
    const int other = round ? (q + (north ? 1 : c->py - 1)) % c->py : q + (north ? 1 : -1);
    const int *own = cuts_of_strip(c->cuts, q) + p, count = in_strip(c, p, q, other, c->beside);
    for (int n = 0; n < count; n++) {
        const int *x = cuts_of_strip(c->cuts, other) + c->beside[n].rank - c->cuts->first[other];
        out[n] = over_border(c, c->beside[n].rank, false, c->cuts->y[q + north],
                             own[0] > x[0] ? own[0] : x[0], own[1] < x[1] ? own[1] : x[1]);
    }
    return count;
}

/* To the rank to the west or east in the same strip. */
static int over_column(const ForecastClocks *c, int p, int q, bool east, Correspondent *out) {
    const int px = cuts_in_strip(c->cuts, q), *y = c->cuts->y + q;
    const bool round = c->problem->cut->periodic_x && px > 1;
    const int other = round ? (p + (east ? 1 : px - 1)) % px : p + (east ? 1 : -1);
    if (other < 0 || other >= px) return 0;
    *out = over_border(c, c->cuts->first[q] + other, true, cuts_of_strip(c->cuts, q)[p + east], y[0], y[1]);
    return 1;
}

/* All neighbours of rank (p, q) that something is exchanged with. */
static int correspondents(const ForecastClocks *c, int p, int q, Correspondent *out) {
    int all = 0, kept = 0;
    for (int side = 0; side < 2; side++) all += over_column(c, p, q, side, out + all);
    for (int side = 0; side < 2; side++) all += over_row(c, p, q, side, out + all);
    for (int n = 0; n < all; n++)
        if (out[n].length > 0) out[kept++] = out[n];
    return kept;
}

static void find_correspondents(ForecastClocks *c) {
    const int ranks = c->of->ranks, most = 2 * c->cuts->ranks_x + 2;
    int count = 0, q = 0;
    c->first_correspondent = ALLOCATE(ranks + 1, int);
    for (int n = 0; n < ranks; n++) {
        q += n == c->cuts->first[q + 1];
        c->correspondent = ENLARGE(c->correspondent, count + most, Correspondent);
        c->first_correspondent[n] = count;
        c->of->rank[n].neighbours = correspondents(c, n - c->cuts->first[q], q, c->correspondent + count);
        count += c->of->rank[n].neighbours;
    }
    c->first_correspondent[ranks] = count;
}

static int exchanges_of(const ForecastClocks *c) {
    return (int)fmax(1, lround(c->problem->profile.exchanges));
}

/* One exchange of halos, after a part of the work. */
static void exchange(ForecastClocks *c, double *before) {
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
            const ClusterLink *link = forecast_link(c, n, other->rank);
            const double column = profile->edge_bytes + profile->edge_level_bytes * other->levels;
            const double sent = column * other->length / parts;
            const double copied = other->along_x ? COPIED_ALONG_X : COPIED_ALONG_Y;
            ready = fmax(ready, before[other->rank]);
            cost += forecast_latency(link) + forecast_passing(link, sent) + copied * sent;
            rank->sent_bytes += sent;
        }
        rank->sending += cost;
        c->now[n] = ready + cost;
    }
}

void forecast_add_up(ForecastClocks *c) {
    const int ranks = c->of->ranks;
    if (ranks == 1) return;
    const ClusterLink *far = forecast_link(c, 0, ranks - 1);
    const double cost =
        ceil(log2(ranks)) * (forecast_latency(far) + forecast_passing(far, c->problem->profile.sum_bytes));
    double last = 0;
    for (int n = 0; n < ranks; n++) last = fmax(last, c->now[n]);
    for (int n = 0; n < ranks; n++) {
        c->now[n] = last + cost;
        c->of->rank[n].sending += cost;
    }
    c->of->sums += cost;
}

static double latest(const ForecastClocks *c) {
    double last = 0;
    for (int n = 0; n < c->of->ranks; n++) last = fmax(last, c->now[n]);
    return last;
}

static double largest(const double *x, int count) {
    double most = 0;
    for (int n = 0; n < count; n++) most = fmax(most, x[n]);
    return most;
}

/* The losses of a step: its time except computing. A process that finishes its other work early starts its sweeps
 * early; the time saved is counted under load balance. */
static void find_losses(const ForecastClocks *c, double before_sweeps) {
    Forecast *f = c->of;
    const double sweeps = (double)lround(c->problem->profile.sweeps);
    f->halos = before_sweeps - largest(c->work, f->ranks);
    f->fill = fmax(0, f->step - before_sweeps - f->sums - sweeps * largest(c->swept, f->ranks));
    f->balance = f->step - f->computing - f->halos - f->fill - f->sums;
}

static void summarise(ForecastClocks *c, double before_sweeps) {
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
    const int py = cuts->ranks_y, ranks = cuts_ranks(cuts);
    *out = (Forecast){.ranks = ranks, .rank = ALLOCATE(ranks, ForecastRank)};
    ForecastClocks c = {.problem = problem, .cuts = cuts, .of = out, .py = py, .draw = true};
    c.beside = ALLOCATE(2 * cuts->ranks_x + 2, ForecastBeside);
    c.now = ALLOCATE(ranks, double), c.work = ALLOCATE(ranks, double), c.swept = ALLOCATE(ranks, double);
    for (int q = 0; q < py; q++)
        for (int p = 0; p < cuts_in_strip(cuts, q); p++) measure_rank(&c, p, q);
    const double cells = slow_down(&c);
    const SweepShape shape =
        sweep_shape(cuts, problem->cut->patch, problem->machine ? problem->machine : &MACHINE_OF_TODAY, cells,
                    problem->profile.sweep_bytes, problem->finer);
    out->messages = messages > 0 ? messages : sweep_messages(&shape);
    out->stretches = ranks > 1 ? sweep_stretches(&shape, out->messages) : 1;
    forecast_find_graph(&c);
    find_correspondents(&c);
    double *before = ALLOCATE(ranks, double);
    for (int n = 0; n < exchanges_of(&c); n++) exchange(&c, before);
    const double before_sweeps = latest(&c);
    forecast_solve(&c);
    summarise(&c, before_sweeps);
    memory_free(c.correspondent), memory_free(c.first_correspondent);
    memory_free(c.beside), memory_free(before), memory_free(c.now), memory_free(c.work), memory_free(c.swept),
        memory_free(c.done), memory_free(c.cells);
    for (int n = 0; n < 2 * GRAPH_WAYS; n++) memory_free(c.giving[n / 2][n % 2]);
}

void forecast_release(Forecast *forecast) {
    memory_free(forecast->rank);
    memory_free(forecast->begin), memory_free(forecast->end);
    graph_release(&forecast->graph);
    *forecast = (Forecast){0};
}
