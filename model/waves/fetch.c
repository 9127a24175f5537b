/* SPDX-License-Identifier: Apache-2.0 */
#include "model/waves/fetch.h"

#include "base/memory.h"
#include "model/forcing/direction.h"
#include <math.h>
#include <stdlib.h>

/* Rays all round; of each direction, from one to the next; of a mean, on either side of its direction. */
enum { HALVINGS = 20, RAYS = 120, SPACING = RAYS / FETCHES, BESIDE = 4 };

/* The whole sea, on each rank: a bit for each column, 1 where it can have water. */
typedef struct Sea {
    const Axes *axes;
    size_t row; /* bytes */
    unsigned char *bits;
} Sea;

static Sea share_sea(const Grid *g) {
    const size_t row = ((size_t)g->nx + 7) / 8;
    Sea sea = {&g->axes, row, ALLOCATE(row * (size_t)g->ny, unsigned char)};
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const int column = g->i_first + i;
            if (g->area[AT2(*g, i, j)] > 0)
                sea.bits[(size_t)(g->j_first + j) * row + (size_t)column / 8] |=
                    (unsigned char)(1 << column % 8);
        }
    for (int j = 0; j < g->ny; j++) /* rows, since a count of MPI is an int */
        MPI_Allreduce(MPI_IN_PLACE, sea.bits + (size_t)j * row, (int)row, MPI_UNSIGNED_CHAR, MPI_BOR,
                      g->comm);
    return sea;
}

/* By indices of cells, from the outer corner of the first. */
static bool is_sea(const Sea *sea, double x, double y) {
    const Axes *axes = sea->axes;
    int i = (int)floor(x), j = (int)floor(y);
    if (axes->periodic_x) i = axes_wrap(i, axes->nx);
    if (axes->periodic_y) j = axes_wrap(j, axes->ny);
    return i >= 0 && i < axes->nx && j >= 0 && j < axes->ny &&
           (sea->bits[(size_t)j * sea->row + (size_t)i / 8] >> i % 8 & 1);
}

/* Goes on in halves of a cell until there is no sea, at most once around the grid, and halves the last stretch. */
static double look(const Sea *sea, double x, double y, double to_x, double to_y) {
    const Axes *axes = sea->axes;
    const double tall = axes_dy_m(axes);
    double length = 0;
    for (int steps = 0; steps < 4 * (axes->nx + axes->ny); steps++) {
        const double wide = axes_dx_m(axes, y);
        double part = 0.5 * fmin(wide, tall);
        if (is_sea(sea, x + part * to_x / wide, y + part * to_y / tall)) {
            x += part * to_x / wide;
            y += part * to_y / tall;
            length += part;
            continue;
        }
        double reach = 0;
        for (int n = 0; n < HALVINGS; n++) {
            part *= 0.5;
            if (is_sea(sea, x + (reach + part) * to_x / wide, y + (reach + part) * to_y / tall))
                reach += part;
        }
        return length + reach;
    }
    return length;
}

/* Does the mean of a direction have the ray? */
static bool counts(int direction, int ray) {
    const int apart = abs(direction * SPACING - ray);
    return apart <= BESIDE || apart >= RAYS - BESIDE;
}

static void add_ray(const Grid *g, const Sea *sea, int ray, Fetch *out) {
    double to_x, to_y;
    direction_sincos(360.0 * ray / RAYS, &to_x, &to_y);
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const double length = look(sea, g->i_first + i + 0.5, g->j_first + j + 0.5, to_x, to_y);
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
}

void fetch_release(const Grid *g, Fetch *fetch) {
    for (int d = 0; d < FETCHES; d++) field2_destroy(g, &fetch->length[d]);
}
