/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/papers/paper_sweep.h"

BLOCK_KERNEL(paper_fragments, PaperSweep) {
    SHARED_ARRAY(double, cache, PAPER_THREADS);
    const int block_x = a->first_x + at.block, block_z = a->diagonal - block_x;
    const int x = at.thread % a->threads_x, z = at.thread / a->threads_x;
    const int i = block_x * a->threads_x + x + 1, k = block_z * a->threads_z + z + 1;
    const ptrdiff_t row = a->n1, layer = (ptrdiff_t)a->n1 * a->n2;
    const bool inside = i < a->n1 - 1 && k < a->n3 - 1;
    const int first = (block_x * a->threads_x + 1) + (block_z * a->threads_z + 1);
    const bool shared = !a->from_memory;
    int j = 1;
    for (int s = first + 1; s < first + a->threads_x + a->threads_z + a->n2 - 2; s++) {
        const bool turn = inside && i + j + k == s && s < i + a->n2 - 1 + k;
        double r0 = 0;
        bool wet = false;
        if (turn) {
            const ptrdiff_t m0 = i + row * j + layer * k;
            wet = a->c0[m0] > 0;
            if (wet) {
                const double r4 = shared && j > 1 ? cache[at.thread] : a->r[m0 - row];
                const double r2 = shared && x > 0 && j > 1 ? cache[at.thread - 1] : a->r[m0 - 1];
                const double r6 =
                    shared && z > 0 && j > 1 ? cache[at.thread - a->threads_x] : a->r[m0 - layer];
                r0 = (a->omega * (a->c2[m0] * r2 + a->c4[m0] * r4 + a->c6[m0] * r6) + a->r[m0]) /
                     ((0.5 * a->omega + 1) * a->c0[m0]);
            } else
                r0 = a->r[m0];
        }
        block_barrier();
        if (turn) {
            cache[at.thread] = r0;
            if (wet) a->r[i + row * j + layer * k] = r0;
            j++;
        }
        block_barrier();
    }
}
