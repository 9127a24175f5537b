/* SPDX-License-Identifier: Apache-2.0
 *
 * The layers of columns and faces, and the lists of wet cells.
 */
#include "numerics/grid/layers.h"

#include "base/memory.h"
#include "numerics/grid/grid_parts.h"
#include <math.h>

/* A bottom cell thinner than this part of its level is merged into the layer above: thin cells only cost
 * accuracy. */
static const double THINNEST_PART = 0.1;

/* Thickness at the datum of layer k of a column with this bed, before merging [m]. */
static double part_of_level(const Axes *axes, double bed, int k) {
    const double *z = axes->interfaces;
    double lower = k == 0 ? bed : fmax(z[k], bed); /* ground below the lowest level belongs to layer 0 */
    return fmax(0, z[k + 1] - lower);
}

/* Merging done; the only layer of a column above the lowest level's top (banks, land that floods) counts 1 m, since only
 * shares matter. */
static int at_fixed_heights(const Axes *axes, double bed, double thickness[MAX_LEVELS]) {
    const int top = axes->nz - 1;
    int lowest = top;
    while (lowest > 0 && axes->interfaces[lowest] > bed) lowest--;
    const double level = axes->interfaces[lowest + 1] - axes->interfaces[lowest];
    if (lowest < top && part_of_level(axes, bed, lowest) < THINNEST_PART * level) lowest++;
    for (int k = lowest; k <= top; k++) thickness[k] = lowest == top ? 1 : part_of_level(axes, bed, k);
    if (lowest > 0 && lowest < top) thickness[lowest] += part_of_level(axes, bed, lowest - 1);
    return lowest;
}

/* Of a layer [m]. Below layers at fixed heights, thickness begins at nothing. */
static double least_thickness(const Axes *axes, int k) {
    const double level = axes->interfaces[k + 1] - axes->interfaces[k];
    return fmax(axes->thinnest, axes->fixed > 0 ? THINNEST_PART * level : 0);
}

/* From layer `count` - 1 down, each layer has its share of the depth but its least thickness at least, as far as the water
 * goes: the lowest takes what is left. */
static int share_out(const Axes *axes, int count, double depth, double thickness[MAX_LEVELS]) {
    const double *z = axes->interfaces, nominal = z[count] - z[0];
    double left = depth, wanted = (z[count] - z[count - 1]) / nominal * depth;
    int k = count - 1;
    for (; k > 0; k--) {
        thickness[k] = fmax(wanted, least_thickness(axes, k));
        wanted = (z[k] - z[k - 1]) / nominal * depth;
        const double below = left - thickness[k];
        if (below < (1 - 1e-9) * fmax(wanted, least_thickness(axes, k - 1))) break; /* but for round-off */
        left = below;
    }
    thickness[k] = left;
    return k;
}

static int along_the_bed(const Axes *axes, double bed, double thickness[MAX_LEVELS]) {
    const double nominal = axes->interfaces[axes->nz] - axes->interfaces[0];
    return share_out(axes, axes->nz, axes->flooded > bed ? axes->flooded - bed : nominal, thickness);
}

/* Water that hardly reaches below the fixed layers belongs to the lowest of them. */
static int hybrid(const Axes *axes, double bed, double thickness[MAX_LEVELS]) {
    const int upper = axes->nz - axes->fixed; /* the lowest at a fixed height */
    const double *z = axes->interfaces, below = z[upper] - bed;
    if (below <= 0) return at_fixed_heights(axes, bed, thickness);
    for (int k = upper; k < axes->nz; k++) thickness[k] = z[k + 1] - z[k];
    const bool thin = below < least_thickness(axes, upper - 1);
    if (thin) thickness[upper] += below;
    return thin ? upper : share_out(axes, upper, below, thickness);
}

int layers_of(const Axes *axes, double bed, double thickness[MAX_LEVELS]) {
    if (!axes->along_bed) return at_fixed_heights(axes, bed, thickness);
    return axes->fixed > 0 ? hybrid(axes, bed, thickness) : along_the_bed(axes, bed, thickness);
}

int layers_lowest(const Axes *axes, double bed) {
    double thickness[MAX_LEVELS];
    return layers_of(axes, bed, thickness);
}

int layers_of_both(const Axes *axes, double bed_1, double bed_2, double thickness[MAX_LEVELS]) {
    double second[MAX_LEVELS];
    const int lowest_1 = layers_of(axes, bed_1, thickness), lowest_2 = layers_of(axes, bed_2, second);
    const int lowest = lowest_1 > lowest_2 ? lowest_1 : lowest_2;
    for (int k = lowest; k < axes->nz; k++) thickness[k] = fmin(thickness[k], second[k]);
    return lowest;
}

void layers_share(const Grid *g, int lowest, const double thickness[MAX_LEVELS], double *share) {
    double total = 0;
    for (int k = lowest; k < g->n3; k++) total += thickness[k];
    for (int k = lowest; k < g->n3; k++) share[k * g->plane] = lowest == g->n3 - 1 ? 1 : thickness[k] / total;
}

static int set_shares(const Grid *g, double bed_1, double bed_2, double *share) {
    double thickness[MAX_LEVELS];
    const int lowest = layers_of_both(&g->axes, bed_1, bed_2, thickness);
    layers_share(g, lowest, thickness, share);
    return lowest;
}

bool layers_have_heights(const Axes *axes) {
    return axes->uneven && axes->nz > 1 && (!axes->along_bed || axes->fixed > 0);
}

void layers_parts_of_height(const Grid *g, double bed, int bottom, const double *shares,
                            double part[MAX_LEVELS]) {
    double thickness[MAX_LEVELS], whole = 0;
    for (int k = 0; k < g->n3; k++) part[k] = k < bottom ? 0 : shares[k * g->plane];
    if (!layers_have_heights(&g->axes) || bottom >= g->n3 - 1) return;
    const int lowest = layers_of(&g->axes, bed, thickness);
    for (int k = lowest; k < g->n3; k++) whole += thickness[k];
    for (int k = bottom; k < g->n3; k++) part[k] = k >= lowest ? thickness[k] / whole : 0;
    for (int k = lowest; k < bottom; k++) part[bottom] += thickness[k] / whole;
}

void layers_make(Grid *g) {
    /* everywhere first: blocks also read columns beyond the halo, which must look like land */
    double *const bottoms[] = {g->bottom_c, g->bottom_u, g->bottom_v};
    for (int n = 0; n < 3; n++) field2_fill(g, bottoms[n], g->n3);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            ptrdiff_t m = AT2(*g, i, j), west = m - 1, south = m - g->row;
            bool has_west = i > -HALO, has_south = j > -HALO;
            g->bed_u[m] = has_west ? fmax(g->bed[m], g->bed[west]) : g->bed[m];
            g->bed_v[m] = has_south ? fmax(g->bed[m], g->bed[south]) : g->bed[m];
            if (g->area[m] > 0) g->bottom_c[m] = set_shares(g, g->bed[m], g->bed[m], g->phi_c + m);
            if (g->width_u[m] > 0 && has_west)
                g->bottom_u[m] = set_shares(g, g->bed[west], g->bed[m], g->phi_u + m);
            if (g->width_v[m] > 0 && has_south)
                g->bottom_v[m] = set_shares(g, g->bed[south], g->bed[m], g->phi_v + m);
        }
}

/* Rows of neighbouring elements whose lowest layer is at or below k; own ones, up to i1, j1. */
static void find_runs(const Grid *g, const double *bottom, int i1, int j1, int k, RunList *list, int *room) {
    for (int j = 0; j < j1; j++)
        for (int i = 0; i < i1; i++) {
            if (bottom[AT2(*g, i, j)] > k) continue;
            int start = i;
            while (i < i1 && bottom[AT2(*g, i, j)] <= k) i++;
            if (list->count == *room) {
                *room = 2 * *room + 64;
                list->run = ENLARGE(list->run, *room, Run);
            }
            list->run[list->count++] = (Run){start, i, j, k};
            list->elements += i - start;
        }
}

static RunList runs_of_level(const Grid *g, const double *bottom, int i1, int j1) {
    RunList list = {0};
    int room = 0;
    find_runs(g, bottom, i1, j1, g->n3 - 1, &list, &room);
    for (int n = 0; n < list.count; n++) list.run[n].k = 0;
    return list;
}

static RunList runs_of_all_levels(const Grid *g, const double *bottom, int i1, int j1) {
    RunList list = {0};
    int room = 0;
    for (int k = 0; k < g->n3; k++) find_runs(g, bottom, i1, j1, k, &list, &room);
    return list;
}

static BlockList blocks_of(const RunList *runs) {
    BlockList list = {0};
    int room = 0;
    for (int n = 0; n < runs->count; n++) room += (runs->run[n].i1 - runs->run[n].i0) / BLOCK + 2;
    list.block = ALLOCATE(room + 1, Block);
    for (int n = 0; n < runs->count; n++)
        for (int i0 = runs->run[n].i0 / BLOCK * BLOCK; i0 < runs->run[n].i1; i0 += BLOCK) {
            const Block *last = list.count ? &list.block[list.count - 1] : NULL;
            if (last && last->j == runs->run[n].j && last->i0 >= i0) continue;
            list.block[list.count++] = (Block){i0, runs->run[n].j};
        }
    return list;
}

/* The lowest layers of own columns that are no ghosts; to be freed. */
static double *bottoms_inside(const Grid *g) {
    double *bottom = field2_create(g);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            bottom[m] = g->own_area[m] > 0 ? g->bottom_c[m] : g->n3;
        }
    return bottom;
}

void work_lists_make(Grid *g) {
    double *inside = bottoms_inside(g);
    /* the faces on the far edges of the domain are own ones too where a boundary condition has claimed them
     */
    const Decomposition *d = &g->decomposition;
    int far_u = g->n1 + (d->rank_x == d->ranks_x - 1 && !g->axes.periodic_x);
    int far_v = g->n2 + (d->rank_y == d->ranks_y - 1 && !g->axes.periodic_y);
    g->columns = runs_of_level(g, inside, g->n1, g->n2);
    g->faces_u = runs_of_level(g, g->bottom_u, far_u, g->n2);
    g->faces_v = runs_of_level(g, g->bottom_v, g->n1, far_v);
    g->cells = runs_of_all_levels(g, inside, g->n1, g->n2);
    g->cells_u = runs_of_all_levels(g, g->bottom_u, far_u, g->n2);
    g->cells_v = runs_of_all_levels(g, g->bottom_v, g->n1, far_v);
    g->blocks_c = blocks_of(&g->columns);
    g->blocks_u = blocks_of(&g->faces_u);
    g->blocks_v = blocks_of(&g->faces_v);
    field2_destroy(g, &inside);
}

Grid grid_of_faces(const Grid *g, bool along_x) {
    Grid faces = *g;
    faces.bottom_c = along_x ? g->bottom_u : g->bottom_v;
    faces.columns = along_x ? g->faces_u : g->faces_v;
    faces.cells = along_x ? g->cells_u : g->cells_v;
    faces.blocks_c = along_x ? g->blocks_u : g->blocks_v;
    return faces;
}

void work_lists_free(Grid *g) {
    RunList *runs[] = {&g->columns, &g->faces_u, &g->faces_v, &g->cells, &g->cells_u, &g->cells_v};
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) memory_free(runs[n]->run);
    memory_free(g->blocks_c.block);
    memory_free(g->blocks_u.block);
    memory_free(g->blocks_v.block);
}
