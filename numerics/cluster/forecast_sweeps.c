/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps of a forecast: a graph of fragments, each of which begins when those that it reads are done and their messages
 * have arrived.
 */
#include "numerics/cluster/forecast_internal.h"

#include "numerics/cluster/fragments.h"
#include <math.h>
#include <stddef.h>

/* Packing and unpacking what is sent, beside the message itself: two copies [s a byte]. */
static const double SECONDS_COPIED = 0.4e-9;

enum { GROUP_ROWS = 8 };

/* The columns or rows of a rank of the real grid. */
static int rows_of(const ForecastClocks *c, int rank) {
    return (int)fmax(1, c->of->rank[rank].height);
}

static int columns_of(const ForecastClocks *c, int rank) {
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

int forecast_last_fragment(const ForecastClocks *c, int rank) {
    return (c->of->stretches > 1 ? c->of->stretches : bundles_of(rows_of(c, rank), c->of->messages)) - 1;
}

static double share(const ForecastClocks *c, int rank, int k) {
    const double n1 = columns_of(c, rank), n2 = rows_of(c, rank);
    if (c->of->stretches == 1) return 1.0 / (forecast_last_fragment(c, rank) + 1);
    const int s = c->of->stretches;
    const double low = k == 0 ? 0 : stretch_edge((int)n1, (int)n2, s, k);
    const double high = k == s - 1 ? n1 + n2 : stretch_edge((int)n1, (int)n2, s, k + 1);
    return part_below(n1, n2, high) - part_below(n1, n2, low);
}

/* The first stretch of a part of n1 x n2 cells that ends at this line or beyond. */
static int stretch_until(const ForecastClocks *c, int n1, int n2, int line) {
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
static int columns_before(const ForecastClocks *c, int rank, bool forward) {
    const int q = cuts_strip_of(c->cuts->first, c->py, rank);
    const int *x = cuts_of_strip(c->cuts, q) + rank - c->cuts->first[q];
    return (int)(c->problem->finer * (forward ? x[0] : c->problem->cut->nx - x[1]));
}

/* The last fragment of a southern (northern) rank that fragment k of `rank` reads; -1: none. */
static int needs_south(const ForecastClocks *c, int rank, int south, int k, bool forward) {
    const int s = c->of->stretches;
    if (s == 1) return k == 0 ? forecast_last_fragment(c, south) : -1;
    const int n1 = columns_of(c, rank), their_rows = rows_of(c, south), their_columns = columns_of(c, south);
    const int reach = (int)fmin(stretch_edge(n1, rows_of(c, rank), s, k + 1), n1);
    const int shift = columns_before(c, rank, forward) - columns_before(c, south, forward);
    const int needed = (int)fmin(reach + shift, their_columns);
    return needed <= 0 ? -1 : stretch_until(c, their_columns, their_rows, needed + their_rows - 1);
}

/* The same of the western (eastern) rank, which has the same rows. */
static int needs_west(const ForecastClocks *c, int rank, int west, int k) {
    const int s = c->of->stretches;
    if (s == 1) return k;
    const int rows = rows_of(c, rank), groups = (rows + GROUP_ROWS - 1) / GROUP_ROWS;
    const int bundle = (groups + c->of->messages - 1) / c->of->messages;
    const int reach = stretch_edge(columns_of(c, rank), rows, s, k + 1);
    int g = (int)fmin((reach - 1) / GROUP_ROWS, groups - 1); /* the last group that begins by then */
    g = (int)fmin(g - g % bundle + bundle - 1, groups - 1);
    return stretch_until(c, columns_of(c, west), rows, columns_of(c, west) + 7 + GROUP_ROWS * g);
}

static double *done_at(const ForecastClocks *c, int rank, int k) {
    return &c->done[(ptrdiff_t)rank * c->fragments + k];
}

/* When what `other` has sent after its fragment m is here; `bytes` of it. */
static double arrival(const ForecastClocks *c, int rank, int other, int m, double bytes) {
    const ClusterLink *link = forecast_link(c, rank, other);
    return *done_at(c, other, m) + 0.5 * forecast_latency(link) + forecast_passing(link, bytes);
}

static void draw(ForecastClocks *c, int rank, double begin, double end) {
    Forecast *f = c->of;
    if (!c->draw) return;
    f->fragment[f->n_fragments++] = (ForecastFragment){rank, begin, end};
}

/* What a sweep passes on to the next strip with each fragment: so many messages, on average. */
static double messages_north(const ForecastClocks *c, int beside, int k, int last) {
    if (c->of->stretches == 1) return k == last ? beside : 0;
    return beside == 0 ? 0 : (double)(c->of->stretches + beside - 1) / c->of->stretches;
}

/* Does the present sweep pass a cut at this column or row? */
static bool passes(const ForecastClocks *c, int place) {
    return !c->in_patches || !cuts_on_border(c->problem->cut->patch, place);
}

/* Fragments of rank (p, q) of a sweep that comes from the west and south, or from the east and north. */
static void sweep_rank(ForecastClocks *c, int p, int q, bool forward) {
    const int ahead = forward ? 1 : -1, n = c->cuts->first[q] + p, px = cuts_in_strip(c->cuts, q);
    const int *x = cuts_of_strip(c->cuts, q) + p, *y = c->cuts->y + q;
    const int west = p - ahead >= 0 && p - ahead < px && passes(c, x[!forward]) ? n - ahead : -1;
    const int east = p + ahead >= 0 && p + ahead < px && passes(c, x[forward]) ? n + ahead : -1;
    ForecastRank *rank = &c->of->rank[n];
    const double bytes = c->problem->profile.sweep_bytes;
    const int count = forecast_last_fragment(c, n) + 1;
    const double column = bytes * rank->height / count, row = bytes * rank->width / c->of->stretches;
    const int norths = passes(c, y[forward]) ? forecast_in_strip(c, p, q, q + ahead, c->beside) : 0;
    const int north = norths > 0 ? c->beside[0].rank : -1;
    const int souths = passes(c, y[!forward]) ? forecast_in_strip(c, p, q, q - ahead, c->beside) : 0;
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
        if (east >= 0) sending += 0.5 * forecast_latency(forecast_link(c, n, east)) + SECONDS_COPIED * column;
        if (to_north > 0)
            sending += 0.5 * to_north * forecast_latency(forecast_link(c, n, north)) + SECONDS_COPIED * row;
        draw(c, n, begin, begin + work);
        c->now[n] = begin + work + sending;
        *done_at(c, n, k) = c->now[n];
        rank->computing += work;
        rank->sending += sending;
    }
    rank->sent_bytes += (east >= 0) * bytes * rank->height + (north >= 0) * bytes * rank->width;
}

/* Strip after strip, from the corner where the sweep begins: no rank comes before those that it needs. */
static void sweep(ForecastClocks *c, bool forward) {
    for (int b = 0; b < c->py; b++) {
        const int q = forward ? b : c->py - 1 - b, px = cuts_in_strip(c->cuts, q);
        for (int a = 0; a < px; a++) sweep_rank(c, forward ? a : px - 1 - a, q, forward);
    }
    c->draw = false;
}

void forecast_solve(ForecastClocks *c) {
    const StepProfile *profile = &c->problem->profile;
    const int sweeps = (int)lround(profile->sweeps), sums = (int)lround(profile->sums);
    int summed = 0;
    for (int n = 0; n < sweeps; n++) {
        c->in_patches = n < (int)lround(profile->sweeps_in_patches);
        sweep(c, n % 2 == 0);
        for (; summed < (int64_t)sums * (n + 1) / sweeps; summed++) forecast_add_up(c);
    }
    for (; summed < sums; summed++) forecast_add_up(c);
}
