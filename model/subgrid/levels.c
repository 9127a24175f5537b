/* SPDX-License-Identifier: Apache-2.0
 *
 * Layers at fixed heights, all or the upper ones, over ground inside cells. With V(z) the volume of a cell below the height z, and S(z) the section of a face,
 * a layer between two heights has the share
 *
 *     phi_k = (V(z_{k+1}) - V(z_k)) / V(0)        of a cell,    (S(z_{k+1}) - S(z_k)) / S(0)    of a face
 *
 * so that it lies between its heights while the water stands at the datum; as on even ground it keeps its share while the level moves.
 * The lower layers of hybrid ones lie between heights, too: those of even ground as low as the lowest of the place.
 * A column begins at the lowest ground of its cell. A face has the layers that both of its cells have; what its ground leaves below
 * these belongs to the lowest of them.
 */
#include "model/subgrid/making.h"
#include "numerics/grid/layers.h"
#include <math.h>

/* A lowest layer with less than this part of the volume of the next one is merged into that: of a pit, or a channel's end. */
static const double LEAST_VOLUME = 0.01;

/* A level and the ground of a place. */
typedef struct Place {
    const Axes *axes;
    const Hypsometry *ground;
    ptrdiff_t m;
    double bed; /* the lowest [m] */
} Place;

static double volume_below(const Place *p, double z) {
    return hypsometry_at_height(p->ground, p->m, z - p->bed).depth;
}

/* Volumes of the layers, over the area of the place [m]; returns the lowest. */
static int cut_levels(const Place *p, double thickness[MAX_LEVELS]) {
    const int top = p->axes->nz - 1;
    int lowest = layers_of(p->axes, p->bed, thickness);
    if (lowest == top || !(p->ground->first[p->m] > 0)) return lowest;
    double side = p->axes->interfaces[top + 1], above = volume_below(p, side);
    for (int k = top; k >= lowest; k--) {
        side -= thickness[k];
        const double below = k > lowest ? volume_below(p, side) : 0;
        thickness[k] = above - below, above = below;
    }
    for (; lowest < top && thickness[lowest] < LEAST_VOLUME * thickness[lowest + 1]; lowest++)
        thickness[lowest + 1] += thickness[lowest];
    return lowest;
}

static void keep(const Grid *g, int lowest, const double *thickness, double *share) {
    for (int k = 0; k < lowest; k++) share[k * g->plane] = 0;
    layers_share(g, lowest, thickness, share);
}

static void cut_column(const Grid *g, const Hypsometry *ground, ptrdiff_t m) {
    const Place place = {&g->axes, ground, m, g->bed[m]};
    double thickness[MAX_LEVELS];
    const int lowest = cut_levels(&place, thickness);
    keep(g, lowest, thickness, g->phi_c + m);
    g->bottom_c[m] = lowest;
}

/* Between the columns m and m - step. Even ground as high as that of a cell has the layers of a face without ground inside. */
static int cut_face(const Grid *g, const Hypsometry *ground, ptrdiff_t m, ptrdiff_t step, bool along_x) {
    double *bottom = along_x ? g->bottom_u : g->bottom_v, *phi = along_x ? g->phi_u : g->phi_v;
    const Place place = {&g->axes, ground, m, along_x ? g->bed_u[m] : g->bed_v[m]};
    const double bed_1 = g->bed[m - step], bed_2 = g->bed[m];
    const int both = (int)fmax(g->bottom_c[m - step], g->bottom_c[m]);
    const bool even = !(ground->first[m] > 0) && place.bed == fmax(bed_1, bed_2);
    double thickness[MAX_LEVELS];
    int lowest = even ? layers_of_both(&g->axes, bed_1, bed_2, thickness) : -1;
    if (lowest != both) {
        lowest = cut_levels(&place, thickness);
        for (; lowest < both; lowest++) thickness[lowest + 1] += thickness[lowest];
    }
    keep(g, lowest, thickness, phi + m);
    bottom[m] = lowest;
    return lowest;
}

/* The wet part of the width just below a height: ground at that height lies in the layer above. */
static double width_below(const Place *p, double z) {
    return hypsometry_at_height(p->ground, p->m, z - p->bed - 1e-6).share;
}

/* The mean of -ln z between two heights, as parts of the depth. */
static double mean_fall(double low, double high) {
    return 1 - (high * log(high) - (low > 0 ? low * log(low) : 0)) / (high - low);
}

/* Heights of the upper sides of the layers from the lowest one on, for even ground as low as the lowest of the place. [m] */
static void find_sides(const Place *p, int lowest, double side[MAX_LEVELS + 1]) {
    const int top = p->axes->nz - 1;
    double thickness[MAX_LEVELS];
    layers_of(p->axes, p->bed, thickness);
    side[top + 1] = p->axes->interfaces[top + 1];
    for (int k = top; k > lowest; k--) side[k] = side[k + 1] - thickness[k];
}

/* Parts of the bed in the layers of a face from the lowest one on, and the share of the depth that stands for such a bed in the laws of
 * drag: with ln z of the velocity's profile, that of the mean over the bed below that over the section, which for level ground is 1. */
static void part_bed(const Grid *g, const Place *p, int lowest, SubgridFaces *f, double *part) {
    const int top = g->n3 - 1;
    const ptrdiff_t m = p->m;
    const double *phi = (f->along == 1 ? g->phi_u : g->phi_v) + m;
    double side[MAX_LEVELS + 1];
    find_sides(p, lowest, side);
    const double datum = p->ground->first[m] > 0 ? width_below(p, side[top + 1]) : 0;
    double of_bed = 0, of_section = 0, below = 0, low = 0;
    f->datum_share[m] = 1, f->bed_share[m] = phi[lowest * g->plane];
    part[m + lowest * g->plane] = 1;
    if (!(datum > 0) || lowest == top || width_below(p, side[lowest + 1]) == datum) return;
    for (int k = lowest; k <= top; k++) {
        const double width = k < top ? width_below(p, side[k + 1]) : datum;
        const double high = (side[k + 1] - p->bed) / (side[top + 1] - p->bed);
        part[m + k * g->plane] = (width - below) / datum;
        of_bed -= (width - below) / datum * log(high);
        of_section += phi[k * g->plane] * mean_fall(low, high);
        below = width, low = high;
    }
    f->datum_share[m] = datum, f->bed_share[m] = fmin(1, exp(1 - of_section - of_bed));
}

static void cut_and_part(const Subgrid *s, Grid *g, ptrdiff_t m, bool along_x, SubgridFaces *f) {
    const Hypsometry *ground = along_x ? &s->u : &s->v;
    const int lowest = cut_face(g, ground, m, along_x ? 1 : g->row, along_x);
    const Place place = {&g->axes, ground, m, along_x ? g->bed_u[m] : g->bed_v[m]};
    part_bed(g, &place, lowest, f, along_x ? s->flank_u : s->flank_v);
}

static void cut_faces(Subgrid *s, Grid *g, bool along_x) {
    const RunList *faces = along_x ? &g->faces_u : &g->faces_v;
    for (int n = 0; n < faces->count; n++)
        for (int i = faces->run[n].i0; i < faces->run[n].i1; i++)
            cut_and_part(s, g, AT2(*g, i, faces->run[n].j), along_x, along_x ? &s->face_u : &s->face_v);
}

/* Water beyond an open face has the layers of the column inside. */
static void copy_to_ghost(const Grid *g, double given, double width, ptrdiff_t m, ptrdiff_t step) {
    if (!(width > 0) || given == 0) return;
    const ptrdiff_t inside = given > 0 ? m : m - step, ghost = given > 0 ? m - step : m;
    g->bottom_c[ghost] = g->bottom_c[inside];
    for (int k = 0; k < g->n3; k++) g->phi_c[ghost + k * g->plane] = g->phi_c[inside + k * g->plane];
}

static void copy_to_ghosts(const Grid *g) {
    for (int j = 1 - HALO; j < g->n2 + HALO; j++)
        for (int i = 1 - HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            copy_to_ghost(g, g->given_u[m], g->width_u[m], m, 1);
            copy_to_ghost(g, g->given_v[m], g->width_v[m], m, g->row);
        }
}

/* Halos carry the layers from the lowest one on: here from the deepest. */
static void forget_bottoms(const Grid *g) {
    double *const bottoms[] = {g->bottom_c, g->bottom_u, g->bottom_v};
    for (int n = 0; n < 3; n++)
        for (int j = -HALO; j < g->n2 + HALO; j++)
            for (int i = -HALO; i < g->n1 + HALO; i++) {
                double *bottom = bottoms[n] + AT2(*g, i, j);
                if (*bottom < g->n3) *bottom = 0;
            }
}

Status levels_cut(Subgrid *s, Grid *g) {
    Halo *halo = NULL;
    forget_bottoms(g);
    TRY(halo_create(g, 2 + 2 * g->n3, &halo));
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0; i < g->columns.run[n].i1; i++)
            cut_column(g, &s->column, AT2(*g, i, g->columns.run[n].j));
    halo_exchange(halo, 1, &g->bottom_c, 1, &g->phi_c);
    exec_wait(g->exec);
    copy_to_ghosts(g);
    halo_exchange(halo, 1, &g->bottom_c, 1, &g->phi_c);
    exec_wait(g->exec);
    cut_faces(s, g, true), cut_faces(s, g, false);
    halo_exchange(halo, 2, (double *[]){g->bottom_u, g->bottom_v}, 2, (double *[]){g->phi_u, g->phi_v});
    halo_exchange(halo, 0, NULL, 2, (double *[]){s->flank_u, s->flank_v});
    exec_wait(g->exec);
    halo_destroy(&halo);
    grid_list_again(g);
    return STATUS_OK;
}
