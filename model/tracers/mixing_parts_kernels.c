/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/grid.h"
#define PART_LAYERS MAX_LEVELS
#include "model/tracers/column_parts.h"

/* All parts of a block of columns, one after the other; for processors. */
KERNEL_COLUMNS(mix_column_parts, Mixing) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double lowest[LANES], right[PART_LAYERS][LANES], most[LANES], value[MOST_COLUMN_PARTS + 1][LANES];
    PartRows rows;
    PartEnds ends[MOST_COLUMN_PARTS];
    PartSums sums[MOST_COLUMN_PARTS];
    Joints joints;
    find_lowest(a, first, lowest);
    for (int n = 0; n < a->count; n++) {
        const double settling = a->settling[n];
        EndOfStep end;
        end_of_step(a, n, first, lowest, &end);
        if (n == 0 || settling != a->settling[n - 1]) {
            for (int w = 0; w < a->cut.parts; w++)
                part_reduce(a, first, column_part(a->cut, a->g.n3, w, 0), settling, &rows, &ends[w]);
            joints_eliminate(a, first, ends, 1, &joints, most);
        }
        for (int w = 0; w < a->cut.parts; w++)
            part_sum(&end, first, column_part(a->cut, a->g.n3, w, 0), &rows, right, &sums[w]);
        joints_solve(&end, n, first, sums, 1, &joints, value[0]);
        Gathered all;
        gather_begin(&all);
        for (int w = a->cut.parts - 1; w >= 0; w--) {
            Gathered part;
            gather_begin(&part);
            part_end(&end, first, column_part(a->cut, a->g.n3, w, 0), &rows, right, value[w], value[w + 1],
                     most, &part);
            gather_part(&all, &part);
        }
        gather_end(&all, a->depth, &a->contents[n], first);
    }
}
