/* SPDX-License-Identifier: Apache-2.0
 *
 * Connected bodies of water, and their straits.
 */
#include "bathymetry/topography_internal.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

/* The neighbour of a band's cell through the west, east, south or north face (0 .. 3); -1: closed, or beyond the
 * domain or the band. */
static int64_t neighbour(const Topography *t, const Axes *axes, int64_t cell, int side) {
    int64_t nx = t->nx, ny = t->ny, i = cell % nx, j = cell / nx;
    double open =
        side < 2 ? t->open_west[j * (nx + 1) + i + (side == 1)] : t->open_south[(j + (side == 3)) * nx + i];
    if (open <= 0) return -1;
    i += (side == 1) - (side == 0), j += (side == 3) - (side == 2);
    if (((i < 0 || i >= nx) && !axes->periodic_x) || j < 0 || j >= ny) return -1;
    return j * nx + (i + nx) % nx;
}

/* The part of a body of water that lies in one band. */
typedef struct Pool {
    int64_t cells, area; /* in units */
} Pool;

/* Pools that meet at the southern end of a band, by their numbers in the two bands. */
typedef struct Meeting {
    int32_t south, own;
} Meeting;

/* Marks all cells connected to `seed`; `queue` has room for all cells. */
static Pool flood(const Topography *t, const Axes *axes, int64_t seed, int32_t label, double unit,
                  int32_t *labels, int32_t *queue) {
    int64_t head = 0, tail = 0, area = 0;
    labels[seed] = label;
    queue[tail++] = (int32_t)seed;
    while (head < tail) {
        int64_t cell = queue[head++];
        const double j = (double)(t->band.first + cell / t->nx);
        area += llrint(t->wet_area[cell] * axes_area_m2(axes, j + 0.5) / unit);
        for (int side = 0; side < 4; side++) {
            int64_t other = neighbour(t, axes, cell, side);
            if (other < 0 || labels[other] >= 0) continue;
            labels[other] = label;
            queue[tail++] = (int32_t)other;
        }
    }
    return (Pool){tail, area};
}

/* Pools of the band, in the order of their first cells; to be freed. */
static Pool *find_pools(const Topography *t, const Axes *axes, double unit, int32_t *label, int *count) {
    const int64_t cells = (int64_t)t->nx * t->ny;
    int32_t *queue = ALLOCATE(cells, int32_t);
    int room = 64;
    Pool *pool = ALLOCATE(room, Pool);
    *count = 0;
    for (int64_t n = 0; n < cells; n++) label[n] = -1;
    for (int64_t n = 0; n < cells; n++) {
        if (t->wet_area[n] <= 0 || label[n] >= 0) continue;
        if (*count == room) pool = ENLARGE(pool, room *= 2, Pool);
        pool[*count] = flood(t, axes, n, *count, unit, label, queue);
        ++*count;
    }
    memory_free(queue);
    return pool;
}

/* Where they meet those of the band to the south, or across a seam; to be freed. */
static Meeting *find_meetings(const Topography *t, const Axes *axes, const int32_t *label, int *count) {
    const size_t nx = (size_t)t->nx;
    Meeting *met = ALLOCATE(nx, Meeting);
    int32_t *south = ALLOCATE(2 * nx, int32_t);
    *count = 0;
    if (t->ny > 0)
        band_rows_beside(&t->band, axes->periodic_y, nx * sizeof *label, label,
                         label + (size_t)(t->ny - 1) * nx, south, south + nx);
    const bool beyond = t->ny > 0 && (t->band.first > 0 || axes->periodic_y);
    for (size_t i = 0; beyond && i < nx; i++) {
        const Meeting here = {south[i], label[i]};
        if (t->open_south[i] <= 0 || here.south < 0 || here.own < 0) continue;
        if (*count > 0 && memcmp(&met[*count - 1], &here, sizeof here) == 0) continue;
        met[(*count)++] = here;
    }
    memory_free(south);
    return met;
}

/* The first of the pools that are known to belong together. */
static int32_t first_of(int32_t *before, int32_t pool) {
    while (before[pool] != pool) pool = before[pool] = before[before[pool]];
    return pool;
}

/* On rank 0: pools of all bands, `pools` and `meetings` of each in bytes. The number of the water of each pool; to be
 * freed. */
static int32_t *join(const Band *band, const Pool *pool, const int *pools, const Meeting *met,
                     const int *meetings, double unit, Components *out) {
    int32_t all = 0, *first = ALLOCATE(band->ranks, int32_t);
    for (int r = 0; r < band->ranks; all += pools[r++] / (int)sizeof *pool) first[r] = all;
    int32_t *before = ALLOCATE(all, int32_t), *number = ALLOCATE(all, int32_t);
    for (int32_t n = 0; n < all; n++) before[n] = n;
    for (int r = 0; r < band->bands; r++)
        for (int n = 0; n < meetings[r] / (int)sizeof *met; n++, met++) {
            const int32_t a = first_of(before, first[r] + met->own),
                          b = first_of(before, first[r > 0 ? r - 1 : band->bands - 1] + met->south);
            before[a > b ? a : b] = a > b ? b : a;
        }
    out->cells = ALLOCATE(all, int64_t), out->area = ALLOCATE(all, double);
    int64_t *area = ALLOCATE(all, int64_t);
    for (int32_t n = 0; n < all; n++) {
        const int32_t root = first_of(before, n);
        number[n] = root == n ? out->count++ : number[root];
        out->cells[number[n]] += pool[n].cells;
        area[number[n]] += pool[n].area;
    }
    for (int n = 0; n < out->count; n++) {
        out->area[n] = (double)area[n] * unit;
        if (area[n] > area[out->largest]) out->largest = n;
    }
    memory_free(area);
    memory_free(before);
    memory_free(first);
    return number;
}

void components_find(const Topography *topography, const Axes *axes, Components *out) {
    const Topography *t = topography;
    const size_t cells = (size_t)t->nx * (size_t)t->ny;
    const double unit = topography_area_unit(axes);
    int pools, meetings, *sizes, *sizes_met;
    *out = (Components){.label = ALLOCATE(cells, int32_t)};
    Pool *own = find_pools(t, axes, unit, out->label, &pools);
    Meeting *met = find_meetings(t, axes, out->label, &meetings);
    Pool *all = band_gather(&t->band, own, (size_t)pools * sizeof *own, &sizes);
    Meeting *all_met = band_gather(&t->band, met, (size_t)meetings * sizeof *met, &sizes_met);
    int32_t *numbers = NULL, *number = ALLOCATE(pools, int32_t);
    if (t->band.rank == 0) numbers = join(&t->band, all, sizes, all_met, sizes_met, unit, out);
    band_scatter(&t->band, numbers, number, (size_t)pools * sizeof *number);
    band_tell(&t->band, &out->count, sizeof out->count);
    band_tell(&t->band, &out->largest, sizeof out->largest);
    for (size_t n = 0; n < cells; n++)
        if (out->label[n] >= 0) out->label[n] = number[out->label[n]];
    memory_free(number), memory_free(numbers);
    memory_free(sizes), memory_free(sizes_met);
    memory_free(all), memory_free(all_met);
    memory_free(own), memory_free(met);
}

void components_release(Components *components) {
    memory_free(components->label), memory_free(components->cells), memory_free(components->area);
    *components = (Components){0};
}

/* ---- straits ---- */

enum { MOST_PLACES = 8 };

/* Which sides are open, as bits 1 west, 2 east, 4 south, 8 north; faces on the domain's edge count. */
static int open_sides(const Topography *t, int64_t cell) {
    int64_t nx = t->nx, i = cell % nx, j = cell / nx;
    if (t->wet_area[cell] <= 0) return 0;
    return (t->open_west[j * (nx + 1) + i] > 0) | (t->open_west[j * (nx + 1) + i + 1] > 0) << 1 |
           (t->open_south[j * nx + i] > 0) << 2 | (t->open_south[(j + 1) * nx + i] > 0) << 3;
}

/* Of one kind: how many, and the first of them. */
typedef struct Places {
    int64_t count, cell[MOST_PLACES];
} Places;

static void add_place(Places *places, int64_t cell) {
    if (places->count < MOST_PLACES) places->cell[places->count] = cell;
    places->count++;
}

/* From all bands: how many, and on rank 0 the first places as text. */
static char *tell_places(const Band *band, const Axes *axes, const Places *own, int64_t *count) {
    int *sizes, told = 0;
    Places *all = band_gather(band, own, sizeof *own, &sizes);
    char *text = memory_copy_text("");
    *count = own->count;
    band_add(band, 1, count);
    for (int r = 0; band->rank == 0 && r < band->ranks; r++)
        for (int n = 0; n < all[r].count && told < MOST_PLACES; n++, told++)
            memory_append(&text, "%s(%.7g, %.7g)", told ? ", " : "",
                          axes_x(axes, (double)(all[r].cell[n] % axes->nx) + 0.5),
                          axes_y(axes, (double)(all[r].cell[n] / axes->nx) + 0.5));
    if (*count > MOST_PLACES) memory_append(&text, ", ...");
    memory_free(sizes);
    memory_free(all);
    return text;
}

/* The open sides of the cells south of the band; to be freed. */
static unsigned char *sides_to_the_south(const Topography *t) {
    const size_t nx = (size_t)t->nx;
    unsigned char *row = ALLOCATE(4 * nx, unsigned char);
    for (size_t i = 0; t->ny > 0 && i < nx; i++) {
        row[i] = (unsigned char)open_sides(t, (int64_t)i);
        row[nx + i] = (unsigned char)open_sides(t, (int64_t)(t->ny - 1) * t->nx + (int64_t)i);
    }
    band_rows_beside(&t->band, false, nx, row, row + nx, row + 2 * nx, row + 3 * nx);
    memmove(row, row + 2 * nx, nx);
    return row;
}

/* Does a strait with these open sides go on from the cell before, to the west or south? */
static bool goes_on(const Topography *t, const Axes *axes, int64_t cell, int sides,
                    const unsigned char *south) {
    if (sides == 12 && cell < t->nx) return t->band.first > 0 && south[cell] == sides;
    const int64_t before = neighbour(t, axes, cell, sides == 3 ? 0 : 2);
    return before >= 0 && before < cell && open_sides(t, before) == sides;
}

void narrows_find(const Topography *topography, const Axes *axes, Narrows *out) {
    const Topography *t = topography;
    const int64_t cells = (int64_t)t->nx * t->ny, first = (int64_t)t->nx * t->band.first;
    Places straits = {0}, bays = {0};
    unsigned char *south = sides_to_the_south(t);
    *out = (Narrows){0};
    for (int64_t n = 0; n < cells; n++) {
        int sides = open_sides(t, n);
        if (sides == 3 || sides == 12) {
            out->strait_cells++;
            if (!goes_on(t, axes, n, sides, south)) add_place(&straits, first + n);
        } else if (sides == 1 || sides == 2 || sides == 4 || sides == 8) {
            add_place(&bays, first + n);
        }
    }
    band_add(&t->band, 1, &out->strait_cells);
    out->strait_places = tell_places(&t->band, axes, &straits, &out->straits);
    out->bay_places = tell_places(&t->band, axes, &bays, &out->bays);
    memory_free(south);
}

void narrows_release(Narrows *narrows) {
    memory_free(narrows->strait_places), memory_free(narrows->bay_places);
    *narrows = (Narrows){0};
}
