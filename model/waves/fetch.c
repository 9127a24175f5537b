/* SPDX-License-Identifier: Apache-2.0 */
#include "model/waves/fetch.h"

#include "base/memory.h"
#include "model/forcing/direction.h"
#include <math.h>
#include <stdlib.h>

/* Rays all round; of each direction, from one to the next; of a mean, on either side of its direction. */
enum { RAYS = 120, SPACING = RAYS / FETCHES, BESIDE = 4 };

/* The whole sea, on each rank: a bit for each column, 1 where it can have water. */
typedef struct Sea {
    const Axes *axes;
    size_t row; /* bytes */
    unsigned char *bits;
    double *wide; /* of the rows' cells [m] */
} Sea;

static Sea share_sea(const Grid *g) {
    const size_t row = ((size_t)g->nx + 7) / 8;
    Sea sea = {&g->axes, row, ALLOCATE(row * (size_t)g->ny, unsigned char), ALLOCATE((size_t)g->ny, double)};
    for (int j = 0; j < g->ny; j++) sea.wide[j] = axes_dx_m(&g->axes, j + 0.5);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const int column = g->i_first + i;
            if (g->own_area[AT2(*g, i, j)] > 0)
                sea.bits[(size_t)(g->j_first + j) * row + (size_t)column / 8] |=
                    (unsigned char)(1 << column % 8);
        }
    for (int j = 0; j < g->ny; j++) /* rows, since a count of MPI is an int */
        MPI_Allreduce(MPI_IN_PLACE, sea.bits + (size_t)j * row, (int)row, MPI_UNSIGNED_CHAR, MPI_BOR,
                      g->comm);
    return sea;
}

static bool is_sea(const Sea *sea, int i, int j) {
    const Axes *axes = sea->axes;
    return i >= 0 && i < axes->nx && j >= 0 && j < axes->ny &&
           (sea->bits[(size_t)j * sea->row + (size_t)i / 8] >> i % 8 & 1);
}

/* Of a cell that is `wide`, to its side towards which one looks; `x` of its width lies behind. [m] */
static double to_side(double x, double wide, double towards) {
    return towards == 0 ? INFINITY : (towards > 0 ? 1 - x : x) * wide / fabs(towards);
}

/* From the middle of a cell to its neighbours, at most once around the grid. [m] */
static double look(const Sea *sea, int i, int j, double to_x, double to_y) {
    const Axes *axes = sea->axes;
    const int step_x = to_x > 0 ? 1 : -1, step_y = to_y > 0 ? 1 : -1;
    const double tall = axes_dy_m(axes);
    double length = 0, x = 0.5, y = 0.5; /* parts of the cell, from its corner */
    for (int cells = 0; cells < 2 * (axes->nx + axes->ny) && is_sea(sea, i, j); cells++) {
        const double wide = sea->wide[j];
        const double in_x = to_side(x, wide, to_x), in_y = to_side(y, tall, to_y), nearer = fmin(in_x, in_y);
        length += nearer;
        x = in_x <= in_y ? (step_x > 0 ? 0 : 1) : x + nearer * to_x / wide;
        y = in_x <= in_y ? y + nearer * to_y / tall : (step_y > 0 ? 0 : 1);
        if (in_x <= in_y)
            i = axes->periodic_x ? axes_wrap(i + step_x, axes->nx) : i + step_x;
        else
            j = axes->periodic_y ? axes_wrap(j + step_y, axes->ny) : j + step_y;
    }
    return length;
}

/* Is the ray part of the direction's mean? */
static bool counts(int direction, int ray) {
    const int apart = abs(direction * SPACING - ray);
    return apart <= BESIDE || apart >= RAYS - BESIDE;
}

static void add_ray(const Grid *g, const Sea *sea, int ray, Fetch *out) {
    double to_x, to_y;
    direction_sincos(360.0 * ray / RAYS, &to_x, &to_y);
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const double length = look(sea, g->i_first + i, g->j_first + j, to_x, to_y);
            for (int d = 0; d < FETCHES; d++)
                if (counts(d, ray)) out->length[d][AT2(*g, i, j)] += length / (2 * BESIDE + 1);
        }
}

void fetch_create(const Grid *g, Fetch *out) {
    const Sea sea = share_sea(g);
    for (int d = 0; d < FETCHES; d++) {
        direction_sincos(360.0 * d / FETCHES, &out->to_x[d], &out->to_y[d]);
        out->length[d] = field2_create(g);
    }
    for (int ray = 0; ray < RAYS; ray++) add_ray(g, &sea, ray, out);
    memory_free(sea.bits);
    memory_free(sea.wide);
}

void fetch_release(const Grid *g, Fetch *fetch) {
    for (int d = 0; d < FETCHES; d++) field2_destroy(g, &fetch->length[d]);
}
