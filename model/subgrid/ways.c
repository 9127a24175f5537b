/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/ways.h"

#include "base/memory.h"
#include <math.h>
#include <stdbool.h>

struct Ways {
    const double *height;
    int columns, rows;
    double level;
    int *body, *queue; /* by pixel: which water, 0: none; places in the order in which they are found */
    double *key;       /* of a heap: heights of passes, and the pixels behind them */
    int *heap, heaped;
};

Ways *ways_create(int pixels) {
    Ways *p = ALLOCATE(1, Ways);
    p->body = ALLOCATE(pixels, int), p->queue = ALLOCATE(pixels, int);
    p->key = ALLOCATE(5 * pixels + 1, double), p->heap = ALLOCATE(5 * pixels + 1, int);
    return p;
}

void ways_destroy(Ways **ways) {
    Ways *p = *ways;
    if (!p) return;
    memory_free(p->body), memory_free(p->queue), memory_free(p->key), memory_free(p->heap);
    memory_free(p);
    *ways = NULL;
}

static void push(Ways *p, double key, int pixel) {
    int at = p->heaped++;
    for (int up; at > 0 && p->key[up = (at - 1) / 2] > key; at = up)
        p->key[at] = p->key[up], p->heap[at] = p->heap[up];
    p->key[at] = key, p->heap[at] = pixel;
}

/* The lowest pass. */
static int pop(Ways *p, double *key) {
    const int pixel = p->heap[0], last = --p->heaped;
    const double moved = p->key[last];
    int at = 0;
    *key = p->key[0];
    for (int down; (down = 2 * at + 1) < last; at = down) {
        if (down + 1 < last && p->key[down + 1] < p->key[down]) down++;
        if (p->key[down] >= moved) break;
        p->key[at] = p->key[down], p->heap[at] = p->heap[down];
    }
    p->key[at] = moved, p->heap[at] = p->heap[last];
    return pixel;
}

/* The pixel beside another on side 0 .. 3; -1: none of the cell. */
static int beside(const Ways *p, int pixel, int side) {
    const int i = pixel % p->columns + (side == 0) - (side == 1),
              j = pixel / p->columns + (side == 2) - (side == 3);
    return i < 0 || i >= p->columns || j < 0 || j >= p->rows ? -1 : j * p->columns + i;
}

static double sill(const Ways *p, int pixel, int side) {
    const int next = beside(p, pixel, side), back = beside(p, pixel, side ^ 1), far = beside(p, next, side);
    const double *z = p->height;
    return height_between(
        (double[4]){z[back < 0 ? pixel : back], z[pixel], z[next], z[far < 0 ? next : far]});
}

/* Pixels that hang together below a height. */
typedef struct Water {
    int number, size, lowest; /* `lowest`: one of its lowest pixels */
    double amount;            /* on them, up to that height */
    double deepest, away;     /* of it; from the cell's middle, the sum of squares [half a pixel's side] */
} Water;

static Water flood(Ways *p, double below, int first, int number) {
    Water w = {number, 0, first, 0, 0, 0};
    int done = 0;
    p->body[first] = number;
    p->queue[w.size++] = first;
    while (done < w.size) {
        const int pixel = p->queue[done++];
        const double depth = below - p->height[pixel];
        const int x = 2 * (pixel % p->columns) + 1 - p->columns, y = 2 * (pixel / p->columns) + 1 - p->rows;
        w.amount += depth, w.deepest = fmax(w.deepest, depth), w.away += x * x + y * y;
        if (p->height[pixel] < p->height[w.lowest]) w.lowest = pixel;
        for (int side = 0; side < 4; side++) {
            const int next = beside(p, pixel, side);
            if (next < 0 || p->body[next] != 0 || !(p->height[next] <= below) || sill(p, pixel, side) > below)
                continue;
            p->body[next] = number;
            p->queue[w.size++] = next;
        }
    }
    return w;
}

/* -1, 0, 1: how numbers that are sums of the same in any order compare. */
static int compare_sums(double one, double other) {
    const double rounding = 1e-9 * (fabs(one) + fabs(other));
    return (one > other + rounding) - (one < other - rounding);
}

/* Of two waters as large the fuller one, or their place in the order of pixels or rounding would decide; so the deeper one of two that are as full,
 * and then the one nearer to the middle. Their order decides where all that is alike. */
static bool is_more(const int compared[2], Water a, Water b) {
    const int order[] = {compared[0], compared[1], compare_sums(a.deepest, b.deepest),
                         compare_sums(b.away, a.away)};
    for (int n = 0; n < 4; n++)
        if (order[n] != 0) return order[n] > 0;
    return false;
}

static bool is_larger(Water a, Water b) {
    return is_more((int[]){(a.size > b.size) - (a.size < b.size), compare_sums(a.amount, b.amount)}, a, b);
}

static bool is_fuller(Water a, Water b) {
    return is_more((int[]){compare_sums(a.amount, b.amount), (a.size > b.size) - (a.size < b.size)}, a, b);
}

/* Below the mean; of size 0: none. */
typedef struct Waters {
    Water largest, second, fullest;
} Waters;

static double find_waters(Ways *p, Waters *out) {
    static const double rounding = 1e-9; /* the mean of equal heights may be lower than they are [m] */
    const int pixels = p->columns * p->rows;
    double mean = 0, wet = 0;
    for (int n = 0; n < pixels; n++) {
        p->body[n] = 0;
        if (p->height[n] < p->level) mean += p->height[n], wet += 1;
    }
    mean = wet > 0 ? mean / wet + rounding : 0;
    *out = (Waters){{0}, {0}, {0}};
    for (int n = 0, number = 1; n < pixels; n++) {
        if (!(p->height[n] <= mean) || p->body[n] != 0) continue;
        const Water w = flood(p, mean, n, number++);
        if (is_fuller(w, out->fullest)) out->fullest = w;
        if (is_larger(w, out->largest))
            out->second = out->largest, out->largest = w;
        else if (is_larger(w, out->second))
            out->second = w;
    }
    return mean;
}

/* How high water must stand to reach each pixel from where one begins: from all of its lowest pixels. */
static void spread(Ways *p, Water from, double *pass) {
    for (int n = 0; n < p->columns * p->rows; n++) {
        pass[n] = INFINITY;
        if (p->body[n] == from.number && p->height[n] == p->height[from.lowest]) push(p, p->height[n], n);
    }
    while (p->heaped > 0) {
        double reached;
        const int pixel = pop(p, &reached);
        if (reached >= pass[pixel]) continue;
        pass[pixel] = reached;
        for (int side = 0; side < 4; side++) {
            const int next = beside(p, pixel, side);
            if (next < 0 || !(p->height[next] < p->level)) continue;
            const double through = fmax(reached, sill(p, pixel, side));
            if (through < pass[next]) push(p, through, next);
        }
    }
}

double ways_find(Ways *p, const double *height, int columns, int rows, double level, double apart,
                 double *pass) {
    const int pixels = columns * rows;
    int wet = 0;
    Waters w;
    p->height = height, p->columns = columns, p->rows = rows, p->level = level, p->heaped = 0;
    const double mean = find_waters(p, &w);
    for (int n = 0; n < pixels; n++) pass[n] = INFINITY, wet += height[n] < level;
    if (w.largest.size == 0) return 0;
    spread(p, w.largest, pass);
    if (w.second.size > 0 && pass[w.second.lowest] > mean + apart) return (double)w.second.size / wet;
    /* Flats are larger than a creek through them, which holds more water. */
    if (w.fullest.number != w.largest.number && pass[w.fullest.lowest] <= mean + apart)
        spread(p, w.fullest, pass);
    return 0;
}
