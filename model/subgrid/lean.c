/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "model/subgrid/making.h"
#include <stdlib.h>

/* A pixel of a cell or a face, its place from the middle of that [cells], and the rise of its ground across it [m]. */
typedef struct Placed {
    double height, weight, x, y, rise_x, rise_y;
} Placed;

/* Of equal heights by place: the order of sums must not be left to the library's sort. */
static int by_height(const void *a, const void *b) {
    const Placed *p = a, *q = b;
    if (p->height != q->height) return p->height > q->height ? 1 : -1;
    if (p->y != q->y) return p->y > q->y ? 1 : -1;
    return (p->x > q->x) - (p->x < q->x);
}

/* Those that can be wet; returns their number. */
static int placed_of_cell(const Making *k, int i, int j, Placed *p) {
    const int columns = k->x.count[i], rows = k->y.count[j];
    int count = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const double height = making_height(k, k->x.first[i] + c, k->y.first[j] + r);
            const double weight =
                k->x.weight[k->x.start[i] + (size_t)c] * k->y.weight[k->y.start[j] + (size_t)r];
            if (height < k->level && weight > 0)
                p[count++] = (Placed){height,
                                      weight,
                                      (c + 0.5) / columns - 0.5,
                                      (r + 0.5) / rows - 0.5,
                                      rise_across(k, true, k->x.first[i] + c, k->y.first[j] + r),
                                      rise_across(k, false, k->x.first[i] + c, k->y.first[j] + r)};
        }
    return count;
}

/* Of the middle c of what is wet at a share s, for all shares from 0 to 1: of c s ds and of c sqrt(s) ds. */
typedef struct Moments {
    double even_x, even_y, early_x, early_y;
} Moments;

/* The sorted pixels' shares of lower ground, equal heights together, one for each; returns the weight of all. */
static double find_shares(const Placed *p, int count, double *share) {
    double all = 0, lower = 0;
    for (int n = 0; n < count; n++) all += p[n].weight;
    for (int n = 0, next; n < count; n = next) {
        double weight = 0;
        for (next = n; next < count && p[next].height == p[n].height; next++) weight += p[next].weight;
        for (int same = n; same < next; same++) share[same] = (lower + 0.5 * weight) / all;
        lower += weight;
    }
    return all;
}

/* The share of ground below a height. */
static double share_below(const Placed *p, const double *share, int count, double height) {
    int low = -1, high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (p[middle].height <= height)
            low = middle;
        else
            high = middle;
    }
    if (low < 0 || high == count) return low < 0 ? 0 : 1;
    return share[low] +
           (share[high] - share[low]) * (height - p[low].height) / (p[high].height - p[low].height);
}

/* What is wet when a pixel begins to flood and when it is covered; over that, the means of the root of the share and of its inverse. */
typedef struct Flooding {
    double begin, end, root, per_root;
} Flooding;

static Flooding flooding_of(const Placed *p, const double *share, int count, int n, double reach) {
    const double begin = share_below(p, share, count, p[n].height - reach),
                 end = share_below(p, share, count, p[n].height + reach), grown = end - begin;
    const double low = sqrt(begin), high = sqrt(end), middle = sqrt(share[n]);
    if (!(reach > 0 && grown > 0)) return (Flooding){share[n], share[n], middle, 1 / middle};
    return (Flooding){begin, end, 2 * (end * high - begin * low) / (3 * grown), 2 * (high - low) / grown};
}

/* A pixel is no step: its lower half is wet before its upper one. `extent`: of a pixel, along x and y [cells]. */
static Moments find_moments(Placed *p, int count, double extent_x, double extent_y) {
    Moments sum = {0, 0, 0, 0};
    double *share = ALLOCATE(count + 1, double), x = 0, y = 0;
    qsort(p, (size_t)count, sizeof *p, by_height);
    const double all = find_shares(p, count, share);
    for (int n = 0; n < count; n++) x += p[n].weight / all * p[n].x, y += p[n].weight / all * p[n].y;
    for (int n = 0; n < count; n++) {
        const double reach = 0.5 * (fabs(p[n].rise_x) + fabs(p[n].rise_y)), part = p[n].weight / all;
        const Flooding f = flooding_of(p, share, count, n, reach);
        const double even = part * (1 - 0.5 * (f.begin + f.end)), early = part * 2 * (1 - f.root);
        const double per_rise = reach > 0 ? part * (f.end - f.begin) / (24 * reach) : 0;
        const double own_x = per_rise * p[n].rise_x * extent_x, own_y = per_rise * p[n].rise_y * extent_y;
        sum.even_x += even * (p[n].x - x) - own_x, sum.even_y += even * (p[n].y - y) - own_y;
        sum.early_x += early * (p[n].x - x) - own_x * f.per_root;
        sum.early_y += early * (p[n].y - y) - own_y * f.per_root;
    }
    memory_free(share);
    return sum;
}

/* The line of shores.h that has these moments; its water begins within the cell. */
static Lean fit_lean(double even, double early) {
    const double begin = fmax(-0.5, fmin(60 * early - 90 * even, 0.5));
    return (Lean){begin, 15 * even - 1.5 * begin};
}

void find_leans(const Making *k, int i, int j, Lean *along_x, Lean *along_y) {
    Placed *p = ALLOCATE((size_t)k->x.count[i] * (size_t)k->y.count[j] + 1, Placed);
    const Moments m = find_moments(p, placed_of_cell(k, i, j, p), 1.0 / k->x.count[i], 1.0 / k->y.count[j]);
    *along_x = fit_lean(m.even_x, m.early_x), *along_y = fit_lean(m.even_y, m.early_y);
    memory_free(p);
}

double find_slant(const Pixel *pixel, int count) {
    Placed *p = ALLOCATE(count + 1, Placed);
    double *share = ALLOCATE(count + 1, double), place = 0, even = 0;
    for (int n = 0; n < count; n++)
        p[n] = (Placed){pixel[n].height, pixel[n].weight, pixel[n].place, 0, 0, 0};
    qsort(p, (size_t)count, sizeof *p, by_height);
    const double all = find_shares(p, count, share);
    for (int n = 0; n < count; n++) place += p[n].weight / all * p[n].x;
    for (int n = 0; n < count; n++) even += p[n].weight / all * (1 - share[n]) * (p[n].x - place);
    memory_free(share), memory_free(p);
    return 6 * even;
}
