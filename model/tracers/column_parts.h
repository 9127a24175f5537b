/* SPDX-License-Identifier: Apache-2.0
 *
 * Mixing down a column in parts: the N-shaped partition (numerics/lines/README.md) of the system at the head of
 * mixing_kernels.c, so that several threads share a column.
 *
 * Joints and parts are those of model/column_cut.h. As there, nothing is subtracted. From the top down, with the mass s
 * of a layer, o what it gives to the part's upper joint, i what it gets from there, b and e what it gives to the layer below
 * and gets from it, d = s + o + b (RD; JD at once, so that RU is not needed):
 *
 *     below:  s' = h + (e/d) s,   o' = (e/d) o,   i' = (b/d) i,   r' = h c + (b/d) r
 *     above:  s'' += (i/d) s,     r'' += (o/d) r
 *
 * What arrives at the lower joint is the exchange of the two joints (JU). Their layers are a column of their own, eliminated from
 * the top down, exchanged with the bed and found from there up (RS), as mixing_kernels.c does with all layers. Then, in each part
 * from the bed up,
 *
 *     c_k = r/d + (i/d) c_above + (e/d) c_{k-1}     (SS)
 */
#ifndef MAEOTIS_MODEL_COLUMN_PARTS_H
#define MAEOTIS_MODEL_COLUMN_PARTS_H

#include "model/column_cut.h"
#include "model/tracers/mixing_layers.h"

/* The including file says for how many layers a part keeps numbers: all of them on a processor, where a thread has all parts;
 * MOST_PART_LAYERS in a thread that has one. */
#ifndef PART_LAYERS
#error "PART_LAYERS"
#endif

/* Over d, by layer. */
typedef struct PartRows {
    double inverse[PART_LAYERS][LANES], up[PART_LAYERS][LANES], down[PART_LAYERS][LANES];
    double in[PART_LAYERS][LANES], out[PART_LAYERS][LANES];
} PartRows;

/* What a part leaves to its two joints. */
typedef struct PartEnds {
    double above[LANES], below[LANES]; /* masses */
    double up[LANES], down[LANES];     /* exchange */
    double most[LANES];                /* exchange between two of its layers */
} PartEnds;

/* Right-hand sides. */
typedef struct PartSums {
    double above[LANES], below[LANES];
} PartSums;

POINTWISE void part_reduce(const Mixing *a, ptrdiff_t first, ColumnPart p, double settling, PartRows *rows,
                           PartEnds *ends) {
    double mass[LANES] = {0}, out[LANES], in[LANES];
    mixing_rates(a, first, p.upper, settling, out, in);
    FOR_LANES (l) {
        ends->above[l] = ends->below[l] = ends->up[l] = ends->down[l] = 0.0;
        ends->most[l] = max_of(out[l], in[l]);
    }
    for (int k = p.upper - 1; k >= p.lower; k--) {
        const double *phi = a->g.phi_c + first + k * a->g.plane, *depth = a->depth + first;
        const double *bottom = a->g.bottom_c + first;
        const int r = k - p.first;
        double up[LANES], down[LANES];
        mixing_rates(a, first, k, settling, up, down);
        FOR_LANES (l) {
            const bool ends_here = column_part_ends(p, bottom[l], k);
            const double whole = phi[l] * depth[l] + mass[l], sum = whole + out[l] + down[l];
            const double inverse = (!ends_here & (sum > 0)) ? 1.0 / sum : 0.0;
            ends->most[l] = max_of(ends->most[l], max_of(up[l], down[l]));
            ends->below[l] = ends_here ? whole : ends->below[l];
            ends->up[l] = ends_here ? out[l] : ends->up[l];
            ends->down[l] = ends_here ? in[l] : ends->down[l];
            ends->above[l] += in[l] * inverse * whole;
            rows->inverse[r][l] = inverse;
            rows->up[r][l] = up[l] * inverse;
            rows->down[r][l] = down[l] * inverse;
            rows->in[r][l] = in[l] * inverse;
            rows->out[r][l] = out[l] * inverse;
            mass[l] = rows->up[r][l] * whole;
            out[l] = rows->up[r][l] * out[l];
            in[l] = rows->down[r][l] * in[l];
        }
    }
}

/* The same for the right-hand side of a tracer; r/d of the layers. */
POINTWISE void part_sum(const EndOfStep *e, ptrdiff_t first, ColumnPart p, const PartRows *rows,
                        double right[][LANES], PartSums *sums) {
    const Mixing *a = e->a;
    double carried[LANES] = {0};
    FOR_LANES (l) sums->above[l] = sums->below[l] = 0.0;
    for (int k = p.upper - 1; k >= p.lower; k--) {
        const double *phi = a->g.phi_c + first + k * a->g.plane, *depth = a->depth + first;
        const double *c = e->c + k * a->g.plane, *bottom = a->g.bottom_c + first;
        const int r = k - p.first;
        FOR_LANES (l) {
            const double whole = phi[l] * depth[l] * (c[l] - e->base[l]) + carried[l];
            sums->below[l] = column_part_ends(p, bottom[l], k) ? whole : sums->below[l];
            sums->above[l] += rows->out[r][l] * whole;
            carried[l] = rows->down[r][l] * whole;
            right[r][l] = whole * rows->inverse[r][l];
        }
    }
}

/* SS, and what follows the mixing, from the bed up. `above`, `below`: the joints' values. */
POINTWISE void part_end(const EndOfStep *e, ptrdiff_t first, ColumnPart p, const PartRows *rows,
                        double right[][LANES], const double *above, const double *below, const double *most,
                        Gathered *gathered) {
    const double *bottom = e->a->g.bottom_c + first;
    double value[LANES] = {0};
    for (int k = p.lower; k < p.upper; k++) {
        const int r = k - p.first;
        FOR_LANES (l) {
            const double inside = right[r][l] + rows->in[r][l] * above[l] + rows->up[r][l] * value[l];
            value[l] = column_part_ends(p, bottom[l], k) ? below[l] : inside;
        }
        end_layer(e, first, k, value, most, gathered);
    }
    if (p.upper == e->a->g.n3 - 1) end_layer(e, first, p.upper, above, most, gathered);
}

/* ---- the column of the joints, of which the top layer is the first ---- */

typedef struct Joints {
    double ratio[MOST_COLUMN_PARTS + 1][LANES], down[MOST_COLUMN_PARTS + 1][LANES],
        inverse[MOST_COLUMN_PARTS + 1][LANES];
} Joints;

/* Part w has ends[w * stride]. */
POINTWISE void joints_eliminate(const Mixing *a, ptrdiff_t first, const PartEnds *ends, int stride,
                                Joints *joints, double *most) {
    const double *phi = a->g.phi_c + first + (a->g.n3 - 1) * a->g.plane, *depth = a->depth + first;
    double mass[LANES] = {0}, ratio[LANES] = {0};
    FOR_LANES (l) most[l] = 0.0;
    for (int w = 0; w <= a->cut.parts; w++) {
        const PartEnds *over = ends + (w > 0 ? w - 1 : 0) * stride,
                       *under = ends + (w < a->cut.parts ? w : 0) * stride;
        FOR_LANES (l) {
            const double own = w > 0 ? over->below[l] : phi[l] * depth[l],
                         added = w < a->cut.parts ? under->above[l] : 0.0,
                         up = w < a->cut.parts ? under->up[l] : 0.0,
                         down = w < a->cut.parts ? under->down[l] : 0.0;
            mass[l] = own + added + ratio[l] * mass[l];
            const double sum = mass[l] + down, inverse = sum > 0 ? 1.0 / sum : 0.0;
            ratio[l] = up * inverse;
            joints->ratio[w][l] = ratio[l];
            joints->down[w][l] = down * inverse;
            joints->inverse[w][l] = inverse;
            most[l] = max_of(most[l], w < a->cut.parts ? under->most[l] : 0.0);
        }
    }
}

/* The joints' values: w has value[w * stride * LANES + l]. */
POINTWISE void joints_solve(const EndOfStep *e, int n, ptrdiff_t first, const PartSums *sums, int stride,
                            const Joints *joints, double *value) {
    const Mixing *a = e->a;
    const ptrdiff_t top = (a->g.n3 - 1) * a->g.plane;
    double sum[LANES] = {0}, ratio[LANES] = {0};
    for (int w = 0; w <= a->cut.parts; w++) {
        const PartSums *over = sums + (w > 0 ? w - 1 : 0) * stride,
                       *under = sums + (w < a->cut.parts ? w : 0) * stride;
        FOR_LANES (l) {
            const double h = a->g.phi_c[first + top + l] * a->depth[first + l];
            const double own = w > 0 ? over->below[l] : h * (e->c[top + l] - e->base[l]),
                         added = w < a->cut.parts ? under->above[l] : 0.0;
            sum[l] = own + added + ratio[l] * sum[l];
            ratio[l] = joints->down[w][l];
            value[w * stride * LANES + l] = sum[l] * joints->inverse[w][l];
        }
    }
    for (int l = 0; l < LANES && e->has_bed; l++) {
        const int bottom = (int)a->g.bottom_c[first + l], w = joint_of_bed(a->cut, a->g.n3, bottom);
        double *at = value + w * stride * LANES + l;
        if (bottom < a->g.n3 && a->depth[first + l] > 0)
            *at = exchange_with_bed(a, n, first + l, bottom, *at, joints->inverse[w][l]);
    }
    for (int w = a->cut.parts - 1; w >= 0; w--)
        FOR_LANES (l)
            value[w * stride * LANES + l] += joints->ratio[w][l] * value[(w + 1) * stride * LANES + l];
}

POINTWISE void gather_part(Gathered *all, const Gathered *part) {
    FOR_LANES (l) {
        all->sum[l] += part->sum[l];
        all->least[l] = min_of(all->least[l], part->least[l]);
        all->most[l] = max_of(all->most[l], part->most[l]);
    }
}

#endif
