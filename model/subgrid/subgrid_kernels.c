/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/subgrid_kernels.h"

#include "gpu/elementary.h"
#include "model/subgrid/face_level.h"

/* Storage of a column whose level is below all of its ground, for 1 of a full one, as in surface_kernels.c. */
#define DRY 1e-9

KERNEL_CELLS(subgrid_fill, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->depth[m] = hypsometry_at_height(&a->ground, m, a->depth[m]).depth;
}

/* 0 in a column that has run empty but for round-off, whose level and wet share are roots of what is left there; 1 with 1e-10 m. */
POINTWISE double not_empty(double depth) {
    return depth > 0 ? ramp(depth, 1e-12, 1e-10) : 1.0;
}

KERNEL_CELLS(subgrid_levels, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const Section section = hypsometry_kept_depth(&a->ground, m, a->depth[m]);
    a->eta[m] = a->g.bed[m] + not_empty(a->depth[m]) * section.height;
}

KERNEL_CELLS(subgrid_begin, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double height = a->eta[m] - a->g.bed[m];
    a->height[m] = height;
    a->share[m] = not_empty(a->depth[m]) * hypsometry_kept_depth(&a->ground, m, a->depth[m]).share;
    const double root = sqrt(a->share[m]);
    for (int n = 0; n < 2; n++) a->middle[n][m] = (1.0 - root) * (a->begin[n][m] + root * a->bend[n][m]);
    a->rise[m] = a->depth[m] - hypsometry_kept_height(&a->ground, m, height - a->increment[m]).depth;
}

KERNEL_CELLS(subgrid_beside, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->height[m] = a->depth[m];
    a->rise[m] = a->increment[m];
}

KERNEL_CELLS(subgrid_thick, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const Section section = hypsometry_kept_depth(&a->ground, m, a->depth[m]);
    a->thick[m] = section.depth > 0 ? section.depth / section.share : section.depth;
}

/* A layer has its part of the cell's volume; above its middle lies half of it. */
KERNEL_CELLS(subgrid_middles, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double depth = a->depth[m], level = hypsometry_at_depth(&a->ground, m, depth).height;
    double above = 0;
    for (int n = a->g.n3 - 1; n >= (int)a->g.bottom_c[m]; n--) {
        const ptrdiff_t mk = m + n * a->g.plane;
        const double under = max_of(0.0, 1.0 - (above + 0.5 * a->g.phi_c[mk]));
        a->below[mk] = level - hypsometry_at_depth(&a->ground, m, under * depth).height;
        above += a->g.phi_c[mk];
    }
}

KERNEL_CELLS(subgrid_cut, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k), surface = m + a->g.n3 * a->g.plane;
    const double depth = a->depth[m];
    const Section top = hypsometry_at_depth(&a->ground, m, depth);
    const int bottom = (int)a->g.bottom_c[m];
    double above = 0;
    a->sunk[surface] = 0.0, a->wide[surface] = top.share;
    for (int n = a->g.n3 - 1; n >= bottom; n--) {
        const ptrdiff_t mk = m + n * a->g.plane;
        above += a->g.phi_c[mk];
        const double under = n > bottom ? max_of(0.0, 1.0 - above) : 0.0;
        const Section side = hypsometry_at_depth(&a->ground, m, under * depth);
        a->sunk[mk] = top.height - side.height, a->wide[mk] = side.share;
    }
}

KERNEL_CELLS(subgrid_sink, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double depth = a->depth[m], level = hypsometry_at_depth(&a->ground, m, depth).height;
    double above = 0;
    for (int n = a->g.n3 - 1, bottom = (int)a->g.bottom_c[m]; n >= bottom; n--) {
        above += a->g.phi_c[m + n * a->g.plane];
        const double under = n > bottom ? max_of(0.0, 1.0 - above) : 0.0;
        a->sunk[m + n * a->g.plane] = level - hypsometry_at_depth(&a->ground, m, under * depth).height;
    }
}

/* The line about an increment. */
POINTWISE void follow(const SubgridColumns *a, ptrdiff_t m, double increment) {
    const Section section = hypsometry_kept_height(&a->ground, m, a->height[m] + increment);
    const double share = max_of(DRY, section.share);
    a->wet[m] = share;
    a->held[m] = a->depth[m] - section.depth + share * increment;
}

KERNEL_CELLS(subgrid_start, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    follow(a, m, max_of(a->increment[m], -0.5 * max_of(0.0, a->height[m])));
}

KERNEL_CELLS(subgrid_flood, SubgridColumns) {
    const double above_all = 1e3; /* [m] */
    const ptrdiff_t m = AT(a->g, i, j, k);
    follow(a, m, above_all);
    a->guess[m] = 0.0;
}

KERNEL_CELLS(subgrid_follow, SubgridColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    follow(a, m, a->increment[m]);
}

COUNT_CELLS(subgrid_off, SubgridColumns, 1) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double taken = a->depth[m] - a->held[m] + a->wet[m] * a->increment[m];
    const double stored = hypsometry_kept_height(&a->ground, m, a->height[m] + a->increment[m]).depth;
    count[0] += !(fabs(stored - taken) <= 1e-6);
}

KERNEL_CELLS(subgrid_closeness, SubgridFaces) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const ShoreWay way = shore_way(&a->shores, a->eta, m - a->along, m);
    a->weight[m] = way.weight;
    a->closeness[m] = 1.0 / way.distance;
    a->lift[m] = way.lift;
}

/* The level, and those on both sides, above the crest [m] (SubgridWays). */
POINTWISE double level_over_crest(double level, double high, double low) {
    const double drowned = ramp(low / max_of(high, 1e-300), 2.0 / 3.0, 0.8);
    return level + drowned * min_of(0.0, 0.5 * (low + high) - level);
}

/* The level above the lowest ground of the face, in place of its depth: apart from the tables, so that it makes vectors. [m] */
KERNEL_CELLS(subgrid_face_level, SubgridFaceDepth) {
    const FaceDepth *f = &a->face;
    const ptrdiff_t m = AT(f->g, i, j, k), back = m - f->along;
    const double way = way_of_flux(f, m), flows = fabs(way), behind = f->eta[back], ahead = f->eta[m],
                 bed = f->bed_face[m];
    const bool forwards = way > 0;
    const double high = max_of(behind, ahead), low = min_of(behind, ahead);
    /* a film far below the level on the other side says nothing about the level between both */
    const double *share = a->section.shores.share, share_back = share[back], share_here = share[m];
    const double wide = counts_beside(low - bed, behind < ahead ? share_back : share_here, 1.0);
    const double near = ramp((low - bed) / max_of(high - bed, 1e-300), 0.1, 0.3);
    const double meets = low > bed ? max_of(wide, near) : 0.0;
    const double still = meets * 0.5 * (low + high) + (1.0 - meets) * (high + slope_to_shore(a, m));
    const double sloped = (forwards ? behind : ahead) + slope_to_face(a, m, forwards);
    const double level = flows * sloped + (1.0 - flows) * still;
    const double over = level_over_crest(level - bed, high - bed, low - bed);
    f->depth_face[m] = (a->section.ways.crest[m] < 1 ? over : level - bed) + rise_to_middle(a, m);
}

KERNEL_CELLS(subgrid_face_section, SubgridFaceDepth) {
    const ptrdiff_t m = AT(a->face.g, i, j, k);
    const double height = a->face.depth_face[m];
    const double *share = a->section.shores.share;
    const Section level = hypsometry_kept_height(&a->section.ground, m, height);
    const bool covered = (level.share >= 1) & (share[m] >= 1) & (share[m - a->face.along] >= 1);
    const bool plain = !(level.depth > 0) | covered;
    const double aside = plain ? 0.0 : rise_aside(a, m, level.share);
    const double above = max_of(0.5 * height, min_of(height + aside, 1.5 * height));
    const double found = plain ? level.depth : hypsometry_kept_height(&a->section.ground, m, above).depth;
    /* a film stands still: what round-off leaves in a cell stands as high as its root */
    const double depth = max_of(0.0, min_of(found, 2.0 * (found - HOLDS_NOTHING)));
    a->face.depth_face[m] = depth;
    hypsometry_keep(&a->section.ground, m, NODE_DEPTH, depth);
}

KERNEL_CELLS(subgrid_find_sections, SubgridFaces) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    hypsometry_keep(&a->ground, m, NODE_DEPTH, a->depth[m]);
}

KERNEL_CELLS(subgrid_sections, SubgridFaces) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double depth = a->depth[m];
    const Section section = hypsometry_kept(&a->ground, m, depth);
    const double share = depth > 0 ? section.share : 1.0, factor = hypsometry_factor(&a->ground, m, &section);
    a->hydraulic[m] = depth / share;
    a->resistance[m] = share / (factor * factor);
}

KERNEL_CELLS(subgrid_narrow, SubgridFaces) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->narrow[m] = min_of(1.0, a->datum_share[m] * a->hydraulic[m] / max_of(a->depth[m], 1e-300));
}

KERNEL_CELLS(subgrid_resist, SubgridFaces) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->drag[m] *= a->resistance[m] * (a->ways.part ? a->ways.part[m] : 1.0);
    const double crest = a->ways.crest[m], water = max_of(a->hydraulic[m], 1e-9);
    if (!(crest < 1)) return;
    const double narrow = water / (water + a->ways.rise[m]);
    const double loss = (1.0 - narrow) * (1.0 - narrow);
    a->drag[m] *= crest + (1.0 - crest) * elementary_power(narrow, a->exponent);
    a->drag[m] += 0.5 * loss * max_of(0.0, a->depth[m]) / a->spacing[j];
}

/* Over the layers of a face, by width: flux of u* and of the old velocity [m2 s-1], response [m s]. */
typedef struct FaceSums {
    double flux, old, response;
} FaceSums;

POINTWISE FaceSums sums_of_face(const SubgridCrests *a, ptrdiff_t m) {
    const Faces *f = &a->faces;
    FaceSums sum = {0, 0, 0};
    for (int n = (int)f->bottom[m]; n < a->g.n3; n++) {
        const ptrdiff_t mk = m + n * a->g.plane;
        const double h = f->phi[mk] * f->depth[m];
        sum.flux += h * f->predicted[mk];
        sum.old += h * f->velocity[mk];
        sum.response += h * f->response[mk];
    }
    return sum;
}

/* Critical flow of the face's section under a level above its lowest ground, by width. [m2 s-1] */
POINTWISE double critical_flow(const SubgridCrests *a, ptrdiff_t m, double high) {
    const Section about = hypsometry_at_height(&a->ground, m, 2.0 / 3.0 * high);
    const double level = high - 0.5 * about.depth / about.share;
    return hypsometry_at_height(&a->ground, m, level).depth * sqrt(2.0 * a->gravity * (high - level));
}

KERNEL_CELLS(subgrid_crests, SubgridCrests) {
    const Faces *f = &a->faces;
    const ptrdiff_t m = AT(a->g, i, j, k), back = m - f->along;
    const double bed = f->bed[m], crest = bed - max_of(a->g.bed[back], a->g.bed[m]);
    const double behind = a->eta[back] - bed, here = a->eta[m] - bed;
    const double high = max_of(behind, here), low = max_of(0.0, min_of(behind, here));
    if (!(crest > 0) || !(f->depth[m] > 0) || !(high > 1e-9) || low >= 0.8 * high || f->given[m] != 0) return;
    const double drowned = ramp(low / high, 2.0 / 3.0, 0.8),
                 ordinary = ramp(high / (high + crest), 0.8, 0.95);
    const double kept = max_of(drowned, ordinary), direction = behind > here ? 1.0 : -1.0;
    const double free = (a->length ? a->length[m] : 1.0) * critical_flow(a, m, high);
    const FaceSums sum = sums_of_face(a, m);
    if (kept >= 1 || !(direction * sum.flux > free)) return;
    const double theta = 1.0 - kept * (1.0 - f->theta[m]);
    const double per_slope = theta * theta * a->gravity / f->spacing[j];
    const double flux = (1.0 - kept) * direction * free + kept * sum.flux;
    const double response = (1.0 - kept) * 1.5 * free / high / per_slope + kept * sum.response;
    for (int n = (int)f->bottom[m]; n < a->g.n3; n++) {
        const ptrdiff_t mk = m + n * a->g.plane;
        f->predicted[mk] *= flux / sum.flux;
        f->response[mk] *= response / sum.response;
    }
    f->theta[m] = theta;
    f->flux_predicted[m] = f->width[m] * (theta * flux + (1.0 - theta) * sum.old);
    f->conductance[m] = f->width[m] * per_slope * response;
}
