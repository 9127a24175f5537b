/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/reduce.h"

#include "gpu/block_dot.h"
#include "gpu/device.h"
#include "gpu/exact_value.h"
#include "gpu/reduce_blocks.h"

/* ---- many terms ----
 *
 * Adding a large number and taking it off again leaves what of a term is above that number's last bit; what
 * is below goes to the next of three levels. The parts of a level are multiples of one number and few enough
 * that ordinary additions of them round nothing. */

enum { CHUNK = 1024, LEVELS = 3, LEVEL_BITS = 46 };

static double magnitude(const double *term, int count) {
    double most[BLOCK] = {0};
    for (int n = 0; n < count; n += BLOCK)
        FOR_LANES (l) {
            const double size = fabs(term[n + l]);
            most[l] = size > most[l] ? size : most[l];
        }
    for (int l = 1; l < BLOCK; l++) most[0] = max_of(most[l], most[0]);
    return most[0];
}

/* Adds `count` terms, a multiple of BLOCK, all below 2^exponent; false if some need more levels. */
static bool add_in_levels(ExactSum *sum, const double *term, int count, int exponent) {
    double part[LEVELS][BLOCK] = {{0}}, rest[BLOCK] = {0}, large[LEVELS];
    for (int v = 0; v < LEVELS; v++) large[v] = ldexp(1.5, exponent + 7 - LEVEL_BITS * v);
    for (int n = 0; n < count; n += BLOCK)
        FOR_LANES (l) {
            double x = term[n + l];
            const double first = (x + large[0]) - large[0];
            x -= first;
            const double second = (x + large[1]) - large[1];
            x -= second;
            const double third = (x + large[2]) - large[2];
            x -= third;
            part[0][l] += first;
            part[1][l] += second;
            part[2][l] += third;
            rest[l] += fabs(x);
        }
    double missed = 0;
    for (int l = 0; l < BLOCK; l++) missed += rest[l];
    if (missed != 0) return false; /* also where a term is not a number */
    for (int v = 0; v < LEVELS; v++)
        for (int l = 0; l < BLOCK; l++) exact_sum_add(sum, part[v][l]);
    return true;
}

void exact_sum_add_all(ExactSum *sum, const double *term, int count) {
    double chunk[CHUNK];
    for (int first = 0; first < count; first += CHUNK) {
        const int length = count - first < CHUNK ? count - first : CHUNK;
        const int padded = (length + BLOCK - 1) / BLOCK * BLOCK;
        const double *these = term + first;
        if (length < padded) {
            these = memcpy(chunk, these, (size_t)length * sizeof *chunk);
            for (int n = length; n < padded; n++) chunk[n] = 0;
        }
        int exponent;
        const double most = magnitude(these, padded);
        (void)frexp(most, &exponent);
        if (most > 0x1p-800 && most < 0x1p900 && add_in_levels(sum, these, padded, exponent)) continue;
        for (int n = 0; n < length; n++) exact_sum_add(sum, these[n]);
    }
}

void exact_sum_merge(ExactSum *sum, const ExactSum *other) {
    for (int n = 0; n < EXACT_SUM_LIMBS; n++) sum->limb[n] += other->limb[n];
}

void exact_sum_normalise(ExactSum *sum) {
    exact_sum_carry(sum);
}

double exact_sum_value(const ExactSum *sum) {
    return exact_sum_round(sum);
}

static void dot_on_cpu(BlockList blocks, const double *x, const double *y, ptrdiff_t row, ExactSum *sum) {
    double part[CHUNK];
    for (int first = 0; first < blocks.count; first += CHUNK) {
        const int count = blocks.count - first < CHUNK ? blocks.count - first : CHUNK;
        block_dots((BlockList){blocks.block + first, count}, x, y, row, part);
        exact_sum_add_all(sum, part, count);
    }
}

/* Enough threads to fill a GPU; the emulator gets few, of any number, so that it sees more than one pass. */
static BlockShape shape_for(Exec exec, int count) {
    const int groups = REDUCE_THREADS / BLOCK;
    if (exec.device == DEVICE_EMU) {
        const uint64_t seed = exec_next_seed(exec) >> 33;
        return (BlockShape){1 + (int)(seed % 5), BLOCK * (1 + (int)(seed / 5 % 4))};
    }
    const int needed = (count + groups - 1) / groups;
    return (BlockShape){needed < 2048 ? needed : 2048, REDUCE_THREADS};
}

_Static_assert(REDUCE_MOST * sizeof(ExactSum) <= RESULT_MOST, "room for sums");

/* The message of a failure waits in the list; the NaN stops the run where it looks for NaNs anyway. */
static void take(const void *found, int count, void *into) {
    ExactSum *sum = (ExactSum *)into;
    for (int n = 0; n < count; n++) {
        if (found)
            exact_sum_merge(&sum[n], (const ExactSum *)found + n);
        else
            exact_sum_add(&sum[n], NAN);
        exact_sum_normalise(&sum[n]);
    }
}

ExactSum *reduce_begin(Exec exec, int count, ExactSum *sum) {
    return (ExactSum *)results_ask(exec, (size_t)count * sizeof *sum, count, take, sum);
}

void reduce_add_dot(Exec exec, BlockList blocks, const double *x, const double *y, ptrdiff_t row,
                    ExactSum *sum) {
    if (exec.device == DEVICE_CPU)
        dot_on_cpu(blocks, x, y, row, sum);
    else if (blocks.count > 0)
        reduce_dot_blocks(exec, shape_for(exec, blocks.count),
                          (ReduceDot){blocks.block, blocks.count, x, y, row, sum});
}

void reduce_add_terms(Exec exec, const double *term, int count, ExactSum *sum) {
    if (exec.device == DEVICE_CPU)
        exact_sum_add_all(sum, term, count);
    else if (count > 0)
        reduce_terms_blocks(exec, shape_for(exec, (count + BLOCK - 1) / BLOCK),
                            (ReduceTerms){term, count, sum});
}

void reduce_dot(Exec exec, BlockList blocks, const double *x, const double *y, ptrdiff_t row, ExactSum *sum) {
    reduce_add_dot(exec, blocks, x, y, row, reduce_begin(exec, 1, sum));
    results_fetch(exec);
}
