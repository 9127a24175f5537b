/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the paper on N-shaped partitions (docs/papers.md).
 */
#include "bench/bench.h"
#include "bench/papers/papers.h"

static const PaperRow ROWS[] = {
    {"Figure 2, equation 7", "blocks with the least time, reduced once: measured; predicted",
     "about the square root of n", NEEDS_CORE, NULL, NULL},
    {"Figure 2, equation 8", "nested once: measured; predicted", "n^(1/3) rows a block", NEEDS_CORE, NULL,
     NULL},
    {"Figure 2", "the same on a GPU, 300,000 points", "good agreement", NEEDS_GPU, NULL, NULL},
    {"Section 5.2.1", "numbers sent a solve", "6 (n_bl + 1)", NEEDS_ANOTHER, NULL, NULL},
    {"Section 5.5", "divisions: in parallel; one after the other", "3 (n - n_bl); 3 n_bl", NEEDS_ANOTHER,
     NULL, NULL},
    {"Section 6.1", "loads found in the first cache; in the second; in memory", "77 %; 8 %; 15 %", NEEDS_GPU,
     NULL, NULL},
};

const Paper PAPER_NSHAPED = {
    "nshaped", "N-shaped partitions",
    "Y. Lutsyshyn, F. Navarrete, D. Bauer, \"The N-shaped partition method: A novel parallel\n"
    "implementation of the Crank Nicolson algorithm\".",
    ROWS, sizeof ROWS / sizeof *ROWS};
