/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/level_mixing.h"

#include "model/tracers/cells.h"

/* Of the density in mixed water [kg m-4]. */
#define LEAST_FALL 1e-3

/* A straight line through a layer: c at its upper side plus `change` times the way down, 0 to 1. */
typedef struct LayerLine {
    double upper, change;
} LayerLine;

/* A column on the way down, in one of its layers. */
typedef struct LevelColumn {
    ptrdiff_t first;          /* its place in 2-D fields */
    int k, lowest;            /* layers */
    double upper, lower;      /* s at the sides of the layer */
    double height, thickness; /* of the upper side, of the layer [m] */
    double held;              /* its volume over the area of the cell [m] */
    double middle;            /* where its own values stand, as a part of the way down */
    double mean;              /* c of the layer */
    LayerLine c, density;
    bool at_end; /* of the column */
} LevelColumn;

POINTWISE ptrdiff_t cell_of(const LevelMixing *a, const LevelColumn *y) {
    return y->first + y->k * a->g.plane;
}

/* Between the cell m and the one below. */
POINTWISE double at_lower_side(const LevelMixing *a, const double *c, ptrdiff_t m) {
    double here = a->g.phi_c[m], below = a->g.phi_c[m - a->g.plane];
    if (a->sunk) { /* from the middles to the side */
        here = max_of(a->sunk[m] - a->below[m], 1e-12);
        below = max_of(a->below[m - a->g.plane] - a->sunk[m], 1e-12);
    }
    return (below * c[m] + here * c[m - a->g.plane]) / (here + below);
}

/* In the last layer the slope of its inner half. */
POINTWISE LayerLine layer_line(const LevelMixing *a, const LevelColumn *y, const double *c) {
    const ptrdiff_t m = cell_of(a, y), plane = a->g.plane;
    const bool is_top = y->k == a->g.n3 - 1, is_lowest = y->k == y->lowest;
    const double here = c[m];
    double change = 0.0;
    if (!is_top && !is_lowest) {
        const double down = c[m - plane] - here, up = here - c[m + plane];
        const double most = fabs(least_slope(up / y->middle, down / (1.0 - y->middle)));
        change = at_lower_side(a, c, m) - at_lower_side(a, c, m + plane);
        change = max_of(-most, min_of(most, change));
    } else if (!is_lowest) {
        change = (at_lower_side(a, c, m) - here) / (1.0 - y->middle);
    } else if (!is_top) {
        change = (here - at_lower_side(a, c, m + plane)) / y->middle;
    }
    const LayerLine line = {here - y->middle * change, change};
    return line;
}

/* All of a layer but its upper side. */
POINTWISE void look_around(const LevelMixing *a, LevelColumn *y) {
    const ptrdiff_t m = cell_of(a, y);
    y->held = y->thickness = a->g.phi_c[m] * a->depth[y->first];
    y->middle = 0.5;
    if (a->sunk) {
        const double above = y->k < a->g.n3 - 1 ? a->sunk[m + a->g.plane] : 0.0;
        y->thickness = max_of(a->sunk[m] - above, 1e-12);
        y->middle = max_of(0.01, min_of(0.99, (a->below[m] - above) / y->thickness));
    }
    y->mean = a->c[m];
    y->c = layer_line(a, y, a->c);
    y->at_end = y->k == a->g.n3 - 1 || y->k == y->lowest;
}

/* The same for densities, or heights. */
POINTWISE void find_lower(const LevelMixing *a, bool by_density, LevelColumn *y) {
    if (a->density) y->density = layer_line(a, y, a->density);
    if (!by_density) {
        y->lower = y->thickness - y->height;
        return;
    }
    const double below =
        y->k > y->lowest ? at_lower_side(a, a->density, cell_of(a, y)) : y->density.upper + y->density.change;
    y->lower = max_of(below, y->upper + LEAST_FALL * y->thickness);
}

POINTWISE LevelColumn at_surface(const LevelMixing *a, bool by_density, ptrdiff_t column) {
    LevelColumn y;
    y.first = column;
    y.k = a->g.n3 - 1;
    y.lowest = (int)a->reach[column];
    y.height = a->g.bed[column] + (a->sunk ? a->sunk[column + y.lowest * a->g.plane] : a->depth[column]);
    y.upper = -y.height;
    look_around(a, &y);
    if (by_density) {
        y.density = layer_line(a, &y, a->density);
        y.upper = min_of(y.density.upper, y.density.upper + y.density.change);
    }
    find_lower(a, by_density, &y);
    return y;
}

POINTWISE void go_down(const LevelMixing *a, bool by_density, LevelColumn *y) {
    y->k--;
    if (y->k < y->lowest) return;
    y->height -= y->thickness;
    y->upper = y->lower;
    look_around(a, y);
    find_lower(a, by_density, y);
}

/* How much surfaces of density are followed where they have a slope; the rest is horizontal. */
POINTWISE double part_followed(const LevelMixing *a, double slope) {
    return max_of(0.0, min_of(1.0, 2.0 * (1.0 - slope / a->steepest)));
}

/* Of the place `way` down in the layer. [m] */
POINTWISE double height_at(const LevelColumn *y, double way) {
    return y->height - way * y->thickness;
}

/* The part of the mixing that a piece has, `way` down in both layers. */
POINTWISE double weight_of(const LevelMixing *a, bool by_density, const LevelColumn *near,
                           const LevelColumn *far, double way_near, double way_far, double spacing) {
    if (!a->density) return 1.0;
    if (by_density) {
        const double rise = height_at(near, way_near) - height_at(far, way_far);
        return part_followed(a, fabs(rise) / spacing);
    }
    const double across = (near->density.upper + way_near * near->density.change) -
                          (far->density.upper + way_far * far->density.change);
    const double fall = 0.5 * (max_of(near->density.change, 0.0) / near->thickness +
                               max_of(far->density.change, 0.0) / far->thickness);
    return 1.0 - part_followed(a, fabs(across) / (max_of(fall, LEAST_FALL) * spacing));
}

/* The line of a layer beside another column. A column of one layer knows no slope: it takes that of the other one over heights. */
POINTWISE LayerLine line_beside(const LevelMixing *a, bool by_density, const LevelColumn *y,
                                const LevelColumn *other) {
    if (by_density || y->k < a->g.n3 - 1 || y->k > y->lowest) return y->c;
    const double change = other->c.change * (y->thickness / other->thickness);
    return (LayerLine){y->mean - y->middle * change, change};
}

/* Of the far column's value over the near one's in a piece. */
POINTWISE double difference_of(const LevelMixing *a, bool by_density, const LevelColumn *near,
                               const LevelColumn *far, double way_near, double way_far) {
    const LayerLine here = line_beside(a, by_density, near, far),
                    there = line_beside(a, by_density, far, near);
    const double found = (there.upper + way_far * there.change) - (here.upper + way_near * here.change);
    return near->at_end || far->at_end ? least_slope(found, far->mean - near->mean) : found;
}

/* The wet part of a face's width between two heights; 1 with even cells. */
POINTWISE double part_between(const LevelMixing *a, ptrdiff_t face, double high, double low) {
    if (!a->sunk) return 1.0;
    const double bed = a->bed_face[face];
    const double above = hypsometry_at_height(&a->ground, face, high - bed).depth,
                 below = hypsometry_at_height(&a->ground, face, low - bed).depth;
    return (above - below) / max_of(high - low, 1e-12);
}

/* What the near column gains, `exchange` m2 s-1 being K w/dx. */
POINTWISE double gain_of_piece(const LevelMixing *a, bool by_density, const LevelColumn *near,
                               const LevelColumn *far, double spacing, double exchange) {
    const double from = max_of(near->upper, far->upper), to = min_of(near->lower, far->lower);
    if (!(to > from)) return 0.0;
    const double range_near = near->lower - near->upper, range_far = far->lower - far->upper;
    const double middle = 0.5 * (from + to);
    const double way_near = (middle - near->upper) / range_near, way_far = (middle - far->upper) / range_far;
    const double part_near = (to - from) / range_near, part_far = (to - from) / range_far;
    const double thick = near->thickness * part_near, thick_far = far->thickness * part_far;
    const double most = LEVEL_PART * min_of(a->g.area[near->first] * (near->held * part_near),
                                            a->g.area[far->first] * (far->held * part_far));
    const double high = 0.5 * (height_at(near, way_near) + height_at(far, way_far)),
                 half = 0.25 * (thick + thick_far);
    const double wet = part_between(a, near->first, high + half, high - half);
    const double wanted =
        wet * 2.0 * a->dt * exchange * thick * thick_far / max_of(thick + thick_far, 1e-300);
    return weight_of(a, by_density, near, far, way_near, way_far, spacing) * min_of(wanted, most) *
           difference_of(a, by_density, near, far, way_near, way_far);
}

/* What the face could let through under the lower of two levels. [m] */
POINTWISE double thinner_of(const LevelMixing *a, ptrdiff_t p, ptrdiff_t step, double level) {
    if (a->sunk) return hypsometry_at_height(&a->ground, p, level - a->bed_face[p]).depth;
    return min_of(a->depth[p], a->depth[p - step]);
}

/* Both columns from the surface down. Through a structure that lets less water pass than there is, less mixes. */
POINTWISE void exchange_columns(const LevelMixing *a, bool by_density, int i, int j) {
    const ptrdiff_t p = AT2(a->g, i, j), step = a->along_x ? 1 : a->g.row;
    const double *dy = a->g.dy_c, *width = a->along_x ? a->g.width_u : a->g.width_v;
    const double spacing = a->along_x ? a->g.dx_c[j] : 0.5 * (dy[j - 1] + dy[j]);
    LevelColumn near = at_surface(a, by_density, p), far = at_surface(a, by_density, p - step);
    const double thinner = thinner_of(a, p, step, min_of(near.height, far.height));
    const double open = min_of(1.0, max_of(0.0, a->face_depth[p]) / max_of(thinner, 1e-300));
    while (near.k >= near.lowest && far.k >= far.lowest) {
        const ptrdiff_t m = cell_of(a, &near), behind = cell_of(a, &far) + step;
        const double viscosity =
            a->viscosity ? 0.5 * (max_of(0.0, a->viscosity[m]) + max_of(0.0, a->viscosity[behind - step]))
                         : 0.0;
        const double exchange = open * (a->diffusivity + a->passed * viscosity) * width[p] / spacing;
        const double gain = gain_of_piece(a, by_density, &near, &far, spacing, exchange);
        a->gain[m] += gain;
        a->gain_behind[behind] -= gain;
        if (near.lower <= far.lower)
            go_down(a, by_density, &near);
        else
            go_down(a, by_density, &far);
    }
}

KERNEL_CELLS(level_exchange, LevelMixing) {
    const ptrdiff_t p = AT2(a->g, i, j), step = a->along_x ? 1 : a->g.row;
    for (int n = 0; n < a->g.n3; n++) {
        a->gain[p + n * a->g.plane] = 0.0;
        a->gain_behind[p + n * a->g.plane] = 0.0;
    }
    (void)k;
    if (!(a->reach[p] < a->g.n3 && a->reach[p - step] < a->g.n3 && a->depth[p] > 0 && a->depth[p - step] > 0))
        return;
    exchange_columns(a, false, i, j);
    if (a->density) exchange_columns(a, true, i, j);
}

KERNEL_COLUMNS(level_after, LevelMixing) {
    const ptrdiff_t first = AT2(a->g, i0, j), plane = a->g.plane, row = a->g.row;
    double lowest = a->g.n3;
    for (int l = 0; l < LANES; l++) lowest = min_of(lowest, a->reach[first + l]);
    for (int k = (int)lowest; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * plane;
        const double *x = a->gains[0] + layer, *y = a->gains[1] + layer;
        const double *x_next = a->gains_behind[0] + layer + 1, *y_next = a->gains_behind[1] + layer + row;
        double *c = a->c + layer;
        FOR_LANES (l) {
            const double volume = a->g.area[first + l] * a->g.phi_c[layer + l] * a->depth[first + l];
            const double gain = ((x[l] + x_next[l]) + (y[l] + y_next[l])) / max_of(volume, 1e-300);
            const double mixed = above_rounding(c[l] + gain, fabs(c[l]) + fabs(gain));
            c[l] = gain != 0 ? mixed : c[l];
        }
    }
}
