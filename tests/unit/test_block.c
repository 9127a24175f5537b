/* SPDX-License-Identifier: Apache-2.0
 *
 * Block kernels on the emulator: right ones give the right answer for every seed, and mistakes planted on
 * purpose come to light for most seeds. A test that the emulator cannot fail would say nothing about a
 * kernel.
 */
#include "gpu/block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 40, MOST = 25 }; /* a planted mistake must show for at least MOST of the seeds */

/* --- threads of a block exchange values ----------------------------------------------------------------- */

typedef struct Exchange {
    double *out;
    int steps;
    bool first_barrier, last_barrier;
} Exchange;

void exchange(Exec exec, BlockShape shape, Exchange args);

/* Each step, every thread takes the sum of its own and the next thread's value. */
BLOCK_KERNEL(exchange, Exchange) {
    SHARED_ARRAY(double, value, 32);
    double own = at.thread == 0;
    for (int step = 0; step < a->steps; step++) {
        value[at.thread] = own;
        if (a->first_barrier) block_barrier();
        own += value[(at.thread + 1) % at.threads];
        if (a->last_barrier) block_barrier();
    }
    a->out[at.block * at.threads + at.thread] = own;
}

static bool exchange_is_right(Exchange args, BlockShape shape, int resident, uint64_t seed) {
    double out[8 * 32], expected[32] = {1}, next[32];
    for (int step = 0; step < args.steps; step++) {
        for (int t = 0; t < shape.threads; t++) next[t] = expected[t] + expected[(t + 1) % shape.threads];
        memcpy(expected, next, sizeof next);
    }
    args.out = out;
    char message[EMU_MESSAGE];
    if (!emu_run(exchange_emulated, &args, shape, resident, seed, message)) fail_msg("%s", message);
    bool right = true;
    for (int n = 0; n < shape.blocks * shape.threads; n++) right &= out[n] == expected[n % shape.threads];
    return right;
}

static void test_barriers(void **unused) {
    (void)unused;
    int missing_first = 0, missing_last = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const BlockShape shape = {1 + (int)seed % 8, 1 + (int)(seed * 7) % 32}, wide = {2, 16};
        assert_true(exchange_is_right((Exchange){NULL, 5, true, true}, shape, 1 + (int)seed % 3, seed));
        missing_first += !exchange_is_right((Exchange){NULL, 5, false, true}, wide, 2, seed);
        missing_last += !exchange_is_right((Exchange){NULL, 5, true, false}, wide, 2, seed);
    }
    assert_in_range(missing_first, MOST, SEEDS);
    assert_in_range(missing_last, MOST, SEEDS);
}

/* --- a wave over tiles: every cell is the sum of its west and its south neighbour -------------------------
 */

enum { TILE = 4, TILES_X = 8, TILES_Y = 6, WIDTH = 1 + TILE * TILES_X, CELLS = WIDTH * (1 + TILE * TILES_Y) };

typedef struct Wave {
    double *x; /* with a row and a column before the first tile's */
    int *done; /* by tile */
    int64_t *ticket;
    bool order_of_blocks, no_barrier_before_flag;
} Wave;

void wave(Exec exec, BlockShape shape, Wave args);

/* A thread is a column of the tile; the cells of one diagonal are independent. */
static void wave_tile(const Wave *a, BlockPlace at, int tile) {
    const int first_x = 1 + tile % TILES_X * TILE, first_y = 1 + tile / TILES_X * TILE;
    for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
        const int y = diagonal - at.thread;
        double *cell = a->x + (first_y + y) * WIDTH + first_x + at.thread;
        if (y >= 0 && y < TILE) cell[0] = cell[-1] + cell[-WIDTH];
        if (diagonal < 2 * TILE - 2) block_barrier();
    }
}

BLOCK_KERNEL(wave, Wave) {
    for (int round = 0;; round++) {
        const int ticket = (int)block_ticket(a->ticket, at);
        const int tile = a->order_of_blocks ? at.block + round * at.blocks : ticket;
        if (tile >= TILES_X * TILES_Y) break;
        if (at.thread == 0 && tile % TILES_X > 0) flag_wait(&a->done[tile - 1], 1);
        if (at.thread == 0 && tile >= TILES_X) flag_wait(&a->done[tile - TILES_X], 1);
        block_barrier();
        wave_tile(a, at, tile);
        if (!a->no_barrier_before_flag) block_barrier();
        if (at.thread == 0) flag_post(&a->done[tile], 1);
    }
}

static bool wave_is_right(Wave args, int blocks, int resident, uint64_t seed, char message[EMU_MESSAGE]) {
    double x[CELLS], expected[CELLS];
    int done[TILES_X * TILES_Y] = {0};
    int64_t ticket = 0;
    for (int n = 0; n < CELLS; n++) {
        const bool edge = n < WIDTH || n % WIDTH == 0;
        x[n] = edge ? 1 : NAN;
        expected[n] = edge ? 1 : expected[n - 1] + expected[n - WIDTH];
    }
    args.x = x, args.done = done, args.ticket = &ticket;
    const BlockShape shape = {blocks, TILE};
    return emu_run(wave_emulated, &args, shape, resident, seed, message) &&
           memcmp(x, expected, sizeof x) == 0;
}

static void test_tiles_in_the_order_of_tickets(void **unused) {
    (void)unused;
    char message[EMU_MESSAGE];
    int by_block = 0, before_flag = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        for (int resident = 1; resident < 6; resident++)
            if (!wave_is_right((Wave){0}, 1 + (int)seed % 24, resident, seed, message))
                fail_msg("%s", message);
        by_block += !wave_is_right((Wave){.order_of_blocks = true}, 48, 3, seed, message);
        before_flag += !wave_is_right((Wave){.no_barrier_before_flag = true}, 8, 4, seed, message);
    }
    assert_in_range(by_block, MOST, SEEDS);
    assert_in_range(before_flag, MOST, SEEDS);
}

/* --- what cannot end ------------------------------------------------------------------------------------ */

typedef enum Mistake { NOBODY_POSTS, ONE_LEAVES, TWO_BARRIERS, TOO_MUCH_SHARED } Mistake;

typedef struct Stuck {
    Mistake mistake;
    int *flag;
} Stuck;

void stuck(Exec exec, BlockShape shape, Stuck args);

BLOCK_KERNEL(stuck, Stuck) {
    if (a->mistake == TOO_MUCH_SHARED) {
        SHARED_ARRAY(double, large, 6145);
        large[at.thread] = 0;
    }
    if (a->mistake == NOBODY_POSTS && at.thread == 1) flag_wait(a->flag, 7);
    if (a->mistake == ONE_LEAVES && at.thread == 2) return;
    if (a->mistake == TWO_BARRIERS && at.thread == 3)
        block_barrier();
    else
        block_barrier();
}

static void assert_says(Mistake mistake, const char *words) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        int flag = 5;
        const Stuck args = {mistake, &flag};
        char message[EMU_MESSAGE];
        assert_false(emu_run(stuck_emulated, &args, (BlockShape){3, 5}, 2, seed, message));
        if (!strstr(message, words)) fail_msg("expected \"%s\" in: %s", words, message);
        if (!strstr(message, "test_block.c:")) fail_msg("no place in the source in: %s", message);
    }
}

static void test_what_cannot_end_is_explained(void **unused) {
    (void)unused;
    assert_says(NOBODY_POSTS, "for a flag to be 7, which is 5");
    assert_says(NOBODY_POSTS, "deadlock after 0 of 3 blocks");
    assert_says(NOBODY_POSTS, "threads 2 to 4: at the barrier");
    assert_says(ONE_LEAVES, "thread 2: at its end");
    assert_says(TWO_BARRIERS, ", others at ");
    assert_says(TOO_MUCH_SHARED, "more than 48 KiB in shared arrays");
}

/* --- tickets and atomics through the launcher --------------------------------------------------------------
 */

typedef struct Count {
    int64_t *ticket, *sum;
    int *times_given;
} Count;

void count(Exec exec, BlockShape shape, Count args);

BLOCK_KERNEL(count, Count) {
    for (int n = 0; n < 3; n++) {
        const int64_t ticket = block_ticket(a->ticket, at);
        block_atomic_add(a->sum, ticket);
        if (at.thread == at.threads - 1) a->times_given[ticket]++;
    }
}

static void test_every_ticket_is_given_once(void **unused) {
    (void)unused;
    uint64_t order = 1;
    const Exec exec = {.device = DEVICE_EMU, .order = &order};
    for (int threads = 1; threads < 10; threads++) {
        int64_t ticket = 0, sum = 0;
        int times_given[60] = {0};
        count(exec, (BlockShape){20, threads}, (Count){&ticket, &sum, times_given});
        assert_int_equal(60, ticket);
        assert_int_equal(threads * (59 * 60 / 2), sum);
        for (int n = 0; n < 60; n++) assert_int_equal(1, times_given[n]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_tiles_in_the_order_of_tickets),
        cmocka_unit_test(test_what_cannot_end_is_explained),
        cmocka_unit_test(test_every_ticket_is_given_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
