/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two ways of mixing down the column share: whole columns (mixing_kernels.c) and columns in parts (column_parts.h).
 */
#ifndef MAEOTIS_MODEL_MIXING_LAYERS_H
#define MAEOTIS_MODEL_MIXING_LAYERS_H

#include "gpu/elementary.h"
#include "model/tracers/cells.h"

/* Of the lower side of a layer: its part of the area, and the distance between the middles above and below it. [m] */
POINTWISE void side_of_layer(const Mixing *a, ptrdiff_t first, ptrdiff_t layer, double *wet, double *dz) {
    const ptrdiff_t below = layer - a->g.plane, above = layer + a->g.plane;
    const double *phi = a->g.phi_c, *depth = a->depth + first;
    if (a->wide) {
        FOR_LANES (l) wet[l] = a->wide[layer + l];
        FOR_LANES (l) dz[l] = 0.5 * (a->sunk[below + l] - a->sunk[above + l]);
        return;
    }
    FOR_LANES (l) wet[l] = 1.0;
    FOR_LANES (l) dz[l] = 0.5 * (phi[layer + l] + phi[below + l]) * depth[l];
}

/* Of dt times the exchange through the lower faces of layer k: e_k, and b_k = e_k + dt w (mixing_kernels.c); 0 at the bed and
 * below it. [m] */
POINTWISE void mixing_rates(const Mixing *a, ptrdiff_t first, int k, double settling, double *up,
                            double *down) {
    const ptrdiff_t layer = first + k * a->g.plane;
    double diffusivity[LANES], mixing[LANES], wet[LANES], dz[LANES], sinking[LANES];
    FOR_LANES (l) diffusivity[l] = a->same_diffusivity;
    if (a->diffusivity)
        FOR_LANES (l) diffusivity[l] = a->diffusivity[layer + l];
    side_of_layer(a, first, layer, wet, dz);
    FOR_LANES (l) {
        mixing[l] = a->dt * (wet[l] * diffusivity[l]) / max_of(dz[l], 1e-300);
        sinking[l] = wet[l] * settling;
    }
    if (settling != 0)
        FOR_LANES (l) mixing[l] *= elementary_bernoulli(a->dt * fabs(sinking[l]) / max_of(mixing[l], 1e-300));
    FOR_LANES (l) {
        const bool has_below = a->g.bottom_c[first + l] < k;
        up[l] = has_below ? mixing[l] + a->dt * max_of(0.0, -sinking[l]) : 0.0;
        down[l] = has_below ? mixing[l] + a->dt * max_of(0.0, sinking[l]) : 0.0;
    }
}

/* The bed that lies in a layer, as a part of the column's bed and of its area; the depth of the water over it. */
typedef struct BedOfLayer {
    double of_bed, of_area, depth;
} BedOfLayer;

POINTWISE BedOfLayer bed_of_layer(const Mixing *a, ptrdiff_t column, int k) {
    if (!a->wide) return (BedOfLayer){1.0, 1.0, a->depth[column]};
    const double *wide = a->wide + column, all = max_of(wide[a->g.n3 * a->g.plane], 1e-300);
    const double below = a->g.bottom_c[column] < k ? wide[k * a->g.plane] : 0.0;
    const double own = max_of(0.0, wide[(k + 1) * a->g.plane] - below);
    return (BedOfLayer){own / all, own, a->depth[column] / all};
}

/* A layer's value after the exchange with its bed, from c = r'/s' and 1/s'; the new store. */
POINTWISE double exchange_with_bed(const Mixing *a, int n, ptrdiff_t column, int k, double c,
                                   double inverse) {
    const Bed *bed = &a->bed[n];
    const BedOfLayer in = bed_of_layer(a, column, k);
    const double stress = a->stress[column], store = bed->store[column], own = in.of_bed * store;
    const double part = in.of_area * min_of(1.0, in.depth / a->full_stress_depth);
    const double taken = a->dt * part * bed->erosion * max_of(0.0, stress / bed->critical_erosion - 1.0);
    const double sinks =
        bed->critical_deposition > 0 ? max_of(0.0, 1.0 - stress / bed->critical_deposition) : 1.0;
    const double outlet = a->dt * a->settling[n] * sinks * in.of_area;
    const double both = (c + inverse * taken) / (1.0 + inverse * outlet);
    const double left = own + (outlet * both - taken), kept = max_of(0.0, left);
    bed->store[column] = a->wide ? max_of(0.0, store + (kept - own)) : kept;
    return left < 0 ? c + inverse * own : both;
}

/* Of a block's columns: what find_contents and the last loop of mix_columns gather. */
typedef struct Gathered {
    double sum[LANES], least[LANES], most[LANES];
} Gathered;

POINTWISE void gather_begin(Gathered *g) {
    FOR_LANES (l) {
        g->sum[l] = 0.0;
        g->least[l] = HUGE_VAL;
        g->most[l] = -HUGE_VAL;
    }
}

POINTWISE void gather(Gathered *g, const double *phi, const double *c, const double *lowest, int k) {
    FOR_LANES (l) {
        g->sum[l] += phi[l] * c[l];
        g->least[l] = lowest[l] <= k ? min_of(g->least[l], c[l]) : g->least[l];
        g->most[l] = lowest[l] <= k ? max_of(g->most[l], c[l]) : g->most[l];
    }
}

POINTWISE void gather_end(const Gathered *g, const double *depth, const Contents *out, ptrdiff_t first) {
    FOR_LANES (l) {
        out->mean[first + l] = depth[first + l] * g->sum[l];
        out->least[first + l] = g->least[l];
        out->most[first + l] = g->most[l];
    }
}

/* The lowest layers with water; n3 where there is none. */
POINTWISE void find_lowest(const Mixing *a, ptrdiff_t first, double *lowest) {
    FOR_LANES (l) lowest[l] = a->depth[first + l] > 0 ? a->g.bottom_c[first + l] : a->g.n3;
}

/* How values leave the system of one tracer: as deviations from `base`, which then age and decay. */
typedef struct EndOfStep {
    const Mixing *a;
    double *c; /* of the lowest layer of the first column */
    bool has_bed;
    double aged, kept;
    double base[LANES], lowest[LANES];
} EndOfStep;

/* Not by value: a copy would wait until its parts are in memory, for a quarter of mix_columns. */
POINTWISE void end_of_step(const Mixing *a, int n, ptrdiff_t first, const double *lowest, EndOfStep *e) {
    e->a = a;
    e->c = a->c[n] + first;
    e->has_bed = a->bed[n].store != NULL;
    e->aged = a->dt * a->ageing[n], e->kept = 1.0 / (1.0 + a->dt * a->decay[n]);
    const bool whole = a->settling[n] != 0 || e->has_bed;
    FOR_LANES (l) {
        e->base[l] = whole ? 0.0 : e->c[l + (a->g.n3 - 1) * a->g.plane];
        e->lowest[l] = lowest[l];
    }
}

/* Layer k, from its deviation. `most`: of the column's exchanges; where it is 0, not even roundings mix. */
POINTWISE void end_layer(const EndOfStep *e, ptrdiff_t first, int k, const double *deviation,
                         const double *most, Gathered *gathered) {
    double *c = e->c + k * e->a->g.plane;
    FOR_LANES (l) {
        const double sum = above_rounding(e->base[l] + deviation[l], fabs(e->base[l]) + fabs(deviation[l]));
        const double mixed = e->has_bed || most[l] > 0 ? sum : c[l];
        const double older = (mixed + e->aged) * e->kept;
        c[l] = e->lowest[l] <= k ? older : c[l];
    }
    gather(gathered, e->a->g.phi_c + first + k * e->a->g.plane, c, e->lowest, k);
}

#endif
