/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with the scaled operator.
 */
#include "numerics/matm/apply_steps.h"
#include "numerics/matm/matrix.h"

#define TEMPLATE POINTWISE

/* One layer on a processor: the vectors of the last step stay in registers. */
TEMPLATE void apply_flat(const LaneLayout *layout, const Apply *args, const LaneDiagonal diagonal,
                         const bool rest) {
    const LaneShape l = layout->shape; /* not changed by what is written here */
    const LaneMatrix *a = &args->matrix;
    const Lanes *x = args->x;
    for (int g = 0; g < l.groups; g++)
        for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++) {
            const StepRun run = layout->run[n];
            ptrdiff_t m = lane_at(&l, g, run.s0);
            FlatNeighbours near = {.west = x[m - 1], .here = x[m]};
            for (int s = run.s0; s < run.s1; s++, m++) {
                near.east = x[m + 1];
                near.south = lanes_from_below(near.west, x[m + l.below]);
                near.of_east = a->west[m + 1];
                near.of_north = lanes_from_above(a->south[m + 1], a->south[m + l.above]);
                near.north = lanes_from_above(near.east, x[m + l.above]);
                const Lanes sum = finish(args, m, lane_mask_quick(&l, g, s, m),
                                         flat_product(a, m, &near, diagonal), lanes_of(0), rest);
                if (args->sums) args->sums[g * l.steps + s] = sum;
                near.west = near.here;
                near.here = near.east;
            }
        }
}

static void apply_one_layer(const LaneLayout *layout, const Apply *args) {
    const bool centre = args->matrix.diagonal == LANE_CENTRE;
    if (layout->exec.device != DEVICE_CPU && centre)
        apply_flat_centre(layout, *args);
    else if (layout->exec.device != DEVICE_CPU)
        apply_flat_ones(layout, *args);
    else if (centre)
        apply_flat(layout, args, LANE_CENTRE, false);
    else
        apply_flat(layout, args, LANE_ONES, false);
}

static void rest_of_one_layer(const LaneLayout *layout, const Apply *args) {
    const bool centre = args->matrix.diagonal == LANE_CENTRE;
    if (layout->exec.device != DEVICE_CPU && centre)
        rest_flat_centre(layout, *args);
    else if (layout->exec.device != DEVICE_CPU)
        rest_flat_ones(layout, *args);
    else if (centre)
        apply_flat(layout, args, LANE_CENTRE, true);
    else
        apply_flat(layout, args, LANE_ONES, true);
}

void matrix_apply(const LaneLayout *layout, const LaneMatrix *a, const Lanes *x, Lanes *q, Lanes *sums) {
    const Apply args = {*a, x, q, sums, NULL, NULL};
    if (a->both && a->diagonal == LANE_LINES)
        apply_lines_both(layout, args);
    else if (a->both)
        apply_ones_both(layout, args);
    else if (a->diagonal == LANE_LINES)
        apply_lines(layout, args);
    else if (layout->levels == 1)
        apply_one_layer(layout, &args);
    else if (a->diagonal == LANE_CENTRE)
        apply_centre(layout, args);
    else
        apply_ones(layout, args);
}

void matrix_rest(const LaneLayout *layout, const LaneMatrix *a, const Lanes *x, const Lanes *rhs,
                 const Lanes *unscale, Lanes *q, Lanes *sums) {
    const Apply args = {*a, x, q, sums, rhs, unscale};
    if (a->both && a->diagonal == LANE_LINES)
        rest_lines_both(layout, args);
    else if (a->both)
        rest_ones_both(layout, args);
    else if (a->diagonal == LANE_LINES)
        rest_lines(layout, args);
    else if (layout->levels == 1)
        rest_of_one_layer(layout, &args);
    else if (a->diagonal == LANE_CENTRE)
        rest_centre(layout, args);
    else
        rest_ones(layout, args);
}

void matrix_apply_skew(const LaneLayout *layout, const LaneMatrix *a, const Lanes *x, Lanes *q) {
    apply_skew(layout, (Apply){.matrix = *a, .x = x, .q = q});
}
