/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/ways.h"

#include "base/memory.h"
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
    p->key = ALLOCATE(4 * pixels + 1, double), p->heap = ALLOCATE(4 * pixels + 1, int);
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

/* All pixels below a height that hang together with `first`; how many, the lowest, and the water on them. */
static int flood(Ways *p, double below, int first, int number, int *lowest, double *water) {
    int found = 0, done = 0;
    *lowest = first, *water = 0;
    p->body[first] = number;
    p->queue[found++] = first;
    while (done < found) {
        const int pixel = p->queue[done++];
        *water += below - p->height[pixel];
        if (p->height[pixel] < p->height[*lowest]) *lowest = pixel;
        for (int side = 0; side < 4; side++) {
            const int next = beside(p, pixel, side);
            if (next < 0 || p->body[next] != 0 || !(p->height[next] <= below) || sill(p, pixel, side) > below)
                continue;
            p->body[next] = number;
            p->queue[found++] = next;
        }
    }
    return found;
}

/* The lowest pixels of the largest and of the second largest water below the mean; the sizes; the lowest pixel of the one that holds
 * most. */
static double find_waters(Ways *p, int lowest[2], int size[2], int *fullest) {
    const int pixels = p->columns * p->rows;
    double mean = 0, wet = 0, least = INFINITY, most = 0;
    for (int n = 0; n < pixels; n++) {
        p->body[n] = 0;
        if (p->height[n] < p->level) mean += p->height[n], wet += 1, least = fmin(least, p->height[n]);
    }
    mean = wet > 0 ? fmax(mean / wet, least) : 0; /* that of equal heights may be lower by its rounding */
    lowest[0] = lowest[1] = *fullest = -1, size[0] = size[1] = 0;
    for (int n = 0, number = 1; n < pixels; n++) {
        if (!(p->height[n] <= mean) || p->body[n] != 0) continue;
        int at;
        double water;
        const int found = flood(p, mean, n, number++, &at, &water);
        if (water > most) most = water, *fullest = at;
        if (found > size[0])
            size[1] = size[0], lowest[1] = lowest[0], size[0] = found, lowest[0] = at;
        else if (found > size[1])
            size[1] = found, lowest[1] = at;
    }
    return mean;
}

/* How high water must stand to reach each pixel from the one where it begins. */
static void spread(Ways *p, int begin, double *pass) {
    for (int n = 0; n < p->columns * p->rows; n++) pass[n] = INFINITY;
    push(p, p->height[begin], begin);
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
    int lowest[2], size[2], fullest, wet = 0;
    p->height = height, p->columns = columns, p->rows = rows, p->level = level, p->heaped = 0;
    const double mean = find_waters(p, lowest, size, &fullest);
    for (int n = 0; n < pixels; n++) pass[n] = INFINITY, wet += height[n] < level;
    if (lowest[0] < 0) return 0;
    spread(p, lowest[0], pass);
    if (lowest[1] >= 0 && pass[lowest[1]] > mean + apart) return (double)size[1] / wet;
    /* Flats are larger than a creek through them, which holds more water. */
    if (fullest >= 0 && fullest != lowest[0] && pass[fullest] <= mean + apart) spread(p, fullest, pass);
    return 0;
}
