/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/papers/paper_sweep.h"

static int ceiling(int a, int b) {
    return (a + b - 1) / b;
}

void paper_sweep(Exec exec, PaperSweep args) {
    const int across = ceiling(args.n1 - 2, args.threads_x), down = ceiling(args.n3 - 2, args.threads_z);
    for (args.diagonal = 0; args.diagonal < across + down - 1; args.diagonal++) {
        args.first_x = args.diagonal < down ? 0 : args.diagonal - down + 1;
        const int last_x = args.diagonal < across ? args.diagonal : across - 1;
        paper_fragments(exec, (BlockShape){last_x - args.first_x + 1, args.threads_x * args.threads_z}, args);
    }
}

void paper_sweep_in_turn(const PaperSweep *a) {
    const ptrdiff_t row = a->n1, layer = (ptrdiff_t)a->n1 * a->n2;
    for (int k = 1; k < a->n3 - 1; k++)
        for (int i = 1; i < a->n1 - 1; i++)
            for (int j = 1; j < a->n2 - 1; j++) {
                const ptrdiff_t m = i + row * j + layer * k;
                if (!(a->c0[m] > 0)) continue;
                a->r[m] = (a->omega * (a->c2[m] * a->r[m - 1] + a->c4[m] * a->r[m - row] +
                                       a->c6[m] * a->r[m - layer]) +
                           a->r[m]) /
                          ((0.5 * a->omega + 1) * a->c0[m]);
            }
}
