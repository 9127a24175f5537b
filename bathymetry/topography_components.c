/* SPDX-License-Identifier: Apache-2.0
 *
 * Connected bodies of water, and their straits.
 */
#include "bathymetry/topography_internal.h"

#include "base/memory.h"
#include <stdio.h>
#include <string.h>

/* The neighbour through the west, east, south or north face (0 .. 3); -1: closed, or beyond the domain. */
static int64_t neighbour(const Topography *t, const Axes *axes, int64_t cell, int side) {
    int64_t nx = t->nx, ny = t->ny, i = cell % nx, j = cell / nx;
    double open =
        side < 2 ? t->open_west[j * (nx + 1) + i + (side == 1)] : t->open_south[(j + (side == 3)) * nx + i];
    if (open <= 0) return -1;
    i += (side == 1) - (side == 0), j += (side == 3) - (side == 2);
    if ((i < 0 || i >= nx) && !axes->periodic_x) return -1;
    if ((j < 0 || j >= ny) && !axes->periodic_y) return -1;
    return (j + ny) % ny * nx + (i + nx) % nx;
}

/* Marks all cells connected to `seed`; `queue` has room for all cells. */
static int64_t flood(const Topography *t, const Axes *axes, int64_t seed, int32_t label, int32_t *labels,
                     int32_t *queue, double *area) {
    int64_t head = 0, tail = 0;
    labels[seed] = label;
    queue[tail++] = (int32_t)seed;
    while (head < tail) {
        int64_t cell = queue[head++];
        *area += t->wet_area[cell] * axes_area_m2(axes, (double)(cell / t->nx) + 0.5);
        for (int side = 0; side < 4; side++) {
            int64_t other = neighbour(t, axes, cell, side);
            if (other < 0 || labels[other] >= 0) continue;
            labels[other] = label;
            queue[tail++] = (int32_t)other;
        }
    }
    return tail;
}

static void add_component(Components *c, int *room, int64_t cells, double area) {
    if (c->count == *room) {
        *room = *room ? 2 * *room : 64;
        c->cells = ENLARGE(c->cells, *room, int64_t);
        c->area = ENLARGE(c->area, *room, double);
    }
    c->cells[c->count] = cells, c->area[c->count] = area;
    if (area > c->area[c->largest]) c->largest = c->count;
    c->count++;
}

void components_find(const Topography *topography, const Axes *axes, Components *out) {
    int64_t cells = (int64_t)topography->nx * topography->ny;
    int room = 0;
    *out = (Components){.label = ALLOCATE(cells, int32_t)};
    int32_t *queue = ALLOCATE(cells, int32_t);
    for (int64_t n = 0; n < cells; n++) out->label[n] = -1;
    for (int64_t n = 0; n < cells; n++) {
        if (topography->wet_area[n] <= 0 || out->label[n] >= 0) continue;
        double area = 0;
        int64_t size = flood(topography, axes, n, out->count, out->label, queue, &area);
        add_component(out, &room, size, area);
    }
    memory_free(queue);
}

void components_release(Components *components) {
    memory_free(components->label), memory_free(components->cells), memory_free(components->area);
    *components = (Components){0};
}

enum { MOST_PLACES = 8, PLACE_TEXT = 48 };

/* Which sides are open, as bits 1 west, 2 east, 4 south, 8 north; faces on the domain's edge count. */
static int open_sides(const Topography *t, int64_t cell) {
    int64_t nx = t->nx, i = cell % nx, j = cell / nx;
    if (t->wet_area[cell] <= 0) return 0;
    return (t->open_west[j * (nx + 1) + i] > 0) | (t->open_west[j * (nx + 1) + i + 1] > 0) << 1 |
           (t->open_south[j * nx + i] > 0) << 2 | (t->open_south[(j + 1) * nx + i] > 0) << 3;
}

static void add_place(const Topography *t, const Axes *axes, int64_t cell, int64_t count, char *places) {
    size_t used = strlen(places);
    if (count >= MOST_PLACES) {
        if (count == MOST_PLACES) strcpy(places + used, ", ...");
        return;
    }
    snprintf(places + used, PLACE_TEXT, "%s(%.7g, %.7g)", used ? ", " : "",
             axes_x(axes, (double)(cell % t->nx) + 0.5), axes_y(axes, (double)(cell / t->nx) + 0.5));
}

void narrows_find(const Topography *topography, const Axes *axes, Narrows *out) {
    const Topography *t = topography;
    int64_t cells = (int64_t)t->nx * t->ny;
    *out = (Narrows){.strait_places = ALLOCATE((MOST_PLACES + 1) * PLACE_TEXT, char),
                     .bay_places = ALLOCATE((MOST_PLACES + 1) * PLACE_TEXT, char)};
    for (int64_t n = 0; n < cells; n++) {
        int sides = open_sides(t, n);
        if (sides == 3 || sides == 12) {
            int64_t before = neighbour(t, axes, n, sides == 3 ? 0 : 2);
            out->strait_cells++;
            if (before >= 0 && before < n && open_sides(t, before) == sides)
                continue; /* goes on from there */
            add_place(t, axes, n, out->straits++, out->strait_places);
        } else if (sides == 1 || sides == 2 || sides == 4 || sides == 8) {
            add_place(t, axes, n, out->bays++, out->bay_places);
        }
    }
}

void narrows_release(Narrows *narrows) {
    memory_free(narrows->strait_places), memory_free(narrows->bay_places);
    *narrows = (Narrows){0};
}
