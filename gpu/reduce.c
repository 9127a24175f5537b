/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/reduce.h"

#include "gpu/device.h"
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
        memcpy(chunk, term + first, (size_t)length * sizeof *chunk);
        for (int n = length; n < padded; n++) chunk[n] = 0;
        int exponent;
        const double most = magnitude(chunk, padded);
        (void)frexp(most, &exponent);
        if (most > 0x1p-800 && most < 0x1p900 && add_in_levels(sum, chunk, padded, exponent)) continue;
        for (int n = 0; n < length; n++) exact_sum_add(sum, chunk[n]);
    }
}

void exact_sum_merge(ExactSum *sum, const ExactSum *other) {
    for (int n = 0; n < EXACT_SUM_LIMBS; n++) sum->limb[n] += other->limb[n];
}

void exact_sum_normalise(ExactSum *sum) {
    int64_t carry = 0;
    for (int n = 0; n < EXACT_SUM_DIGITS - 1; n++) {
        carry += sum->limb[n];
        sum->limb[n] = carry & 0xffffffff;
        carry >>= 32; /* towards minus infinity, so that the limb is never negative */
    }
    sum->limb[EXACT_SUM_DIGITS - 1] += carry;
}

static void negate(ExactSum *sum) {
    for (int n = 0; n < EXACT_SUM_DIGITS; n++) sum->limb[n] = -sum->limb[n];
    exact_sum_normalise(sum);
}

double exact_sum_value(const ExactSum *sum) {
    if (sum->limb[EXACT_SUM_DIGITS] != 0) return NAN;
    ExactSum whole = *sum;
    exact_sum_normalise(&whole);
    const bool negative = whole.limb[EXACT_SUM_DIGITS - 1] < 0;
    if (negative) negate(&whole);

    int top = EXACT_SUM_DIGITS - 1;
    while (top > 0 && whole.limb[top] == 0) top--;
    if (whole.limb[top] >> 32) return negative ? -HUGE_VAL : HUGE_VAL; /* at least 2^1070 */
    if (whole.limb[top] == 0) return 0.0;

    /* The leading 64 bits; what is below them only matters for rounding, as one bit that says "more". */
    const int64_t *limb = whole.limb;
    const uint64_t second = top > 0 ? (uint64_t)limb[top - 1] : 0,
                   third = top > 1 ? (uint64_t)limb[top - 2] : 0;
    const uint64_t leading = (uint64_t)limb[top] << 32 | second;
    const int shift = __builtin_clzll(leading);
    uint64_t bits = leading << shift | (shift ? third >> (32 - shift) : 0);
    bool more = (shift ? third << (32 + shift) : third) != 0;
    for (int n = 0; n < top - 2; n++) more |= limb[n] != 0;
    bits |= more;
    /* Below 2^-1022 the bits are 52 at most, so that ldexp has nothing left to round. */
    const double value = ldexp((double)bits, 32 * (top - 1) - shift - 1074);
    return negative ? -value : value;
}

/* The order of a tree of threads that halves: l takes l + 4, then l + 2, then l + 1. */
static inline double block_dot(const double *x, const double *y) {
    double p[BLOCK];
    for (int l = 0; l < 8; l++) p[l] = x[l] * y[l];
    for (int l = 0; l < 4; l++) p[l] += p[l + 4];
    for (int l = 0; l < 2; l++) p[l] += p[l + 2];
    return p[0] + p[1];
}

enum { DOT_AHEAD = 16 * BLOCK }; /* what will be needed soon comes from memory */

static void dot_on_cpu(BlockList blocks, const double *x, const double *y, ptrdiff_t row, ExactSum *sum) {
    double part[CHUNK];
    for (int first = 0; first < blocks.count; first += CHUNK) {
        const int count = blocks.count - first < CHUNK ? blocks.count - first : CHUNK;
        for (int n = 0; n < count; n++) {
            const Block block = blocks.block[first + n];
            const ptrdiff_t at = block.j * row + block.i0;
            PREFETCH(x + at + DOT_AHEAD);
            PREFETCH(y + at + DOT_AHEAD);
            part[n] = block_dot(x + at, y + at);
        }
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

/* Where an Exec has no scratch memory, launches run at once and see the host's. */
static ExactSum without_scratch[REDUCE_MOST];

_Static_assert(sizeof without_scratch <= EXEC_SCRATCH_SUMS, "room for sums");

static ExactSum *begun(Exec exec) {
    return exec.scratch ? (ExactSum *)((char *)exec.scratch + EXEC_SCRATCH_MEASURES) : without_scratch;
}

ExactSum *reduce_begin(Exec exec, int count) {
    exec_clear(exec, begun(exec), (size_t)count * sizeof(ExactSum));
    return begun(exec);
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

void reduce_end(Exec exec, int count, ExactSum *sum) {
    ExactSum found[REDUCE_MOST];
    const Status status = device_fetch(exec, found, begun(exec), (size_t)count * sizeof *found);
    for (int n = 0; n < count; n++) {
        /* The message of a failure waits in the list; the NaN stops the run where it looks for NaNs anyway.
         */
        if (status == STATUS_OK)
            exact_sum_merge(&sum[n], &found[n]);
        else
            exact_sum_add(&sum[n], NAN);
        exact_sum_normalise(&sum[n]);
    }
}

void reduce_dot(Exec exec, BlockList blocks, const double *x, const double *y, ptrdiff_t row, ExactSum *sum) {
    reduce_add_dot(exec, blocks, x, y, row, reduce_begin(exec, 1));
    reduce_end(exec, 1, sum);
}
