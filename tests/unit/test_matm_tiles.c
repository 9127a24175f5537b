/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of MATM's sweeps on the emulator: tiles of every shape, few blocks alive and any order of
 * threads give the processor's bits; and with a wait, a barrier or a flag taken out on purpose they do not,
 * or cannot end.
 */
#define MATM_ONE_LANE
#define BLOCK_THREADS_MOST 512
#include "gpu/block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the kernels' sources, in which words of block.h can be made to do nothing ---- */

typedef enum Mistake { NONE, NO_WAIT, NO_BARRIER, NO_FLAG } Mistake;

static Mistake mistake;
static int barrier_left_out; /* the line; 0: the last of the file, which ends a time */

static bool has_barrier(int line) {
    return mistake != NO_BARRIER || line != barrier_left_out;
}

#undef block_barrier
#undef flag_wait
#undef flag_post
#define block_barrier() (has_barrier(__LINE__) ? emu_barrier(BLOCK_HERE_) : (void)0)
#define flag_wait(flag, value)                                                                               \
    (mistake == NO_WAIT ? (void)(flag) : emu_flag_wait((flag), (value), BLOCK_HERE_))
#define flag_post(flag, value) (mistake == NO_FLAG ? (void)(flag) : emu_flag_post((flag), (value)))
#undef letter_post
#undef letter_wait
#define letter_post(letter, bits, value)                                                                     \
    (mistake == NO_FLAG ? (void)(letter) : emu_letter_post((letter), (bits), (value)))
#define letter_wait(letter, value)                                                                           \
    (mistake == NO_WAIT ? (letter)->bits : emu_letter_wait((letter), (value), BLOCK_HERE_))

#define points_forward  planted_points_forward
#define points_backward planted_points_backward
#define lines_forward   planted_lines_forward
#define lines_backward  planted_lines_backward
/* the others are not called, but have names of their own too */
#define points_backward_both planted_points_backward_both
#define points_up            planted_points_up
#define points_up_both       planted_points_up_both
#define points_down          planted_points_down
#define points_down_both     planted_points_down_both
#define points_pivots        planted_points_pivots
#define flat_forward         planted_flat_forward
#define flat_backward        planted_flat_backward
#define flat_pivots          planted_flat_pivots
#define lines_forward_both   planted_lines_forward_both
#define lines_backward_both  planted_lines_backward_both
#define lines_up             planted_lines_up
#define lines_up_both        planted_lines_up_both
#define lines_down           planted_lines_down
#define lines_down_both      planted_lines_down_both

/* Three files, whose helpers may have one name. */
#define read_edges  points_read_edges
#define sweep_tile  points_sweep_tile
#define Shared      PointsShared
#define Form        PointsForm
#define IN_PLACE    POINTS_IN_PLACE
#define CHUNK       POINTS_CHUNK
#define await_tiles points_await_tiles
#include "numerics/matm/points_blocks.c"
#undef read_edges
#undef sweep_tile
#undef Shared
#undef Form
#undef IN_PLACE
#undef CHUNK
#define Cell FlatCell
#undef BLOCK_THREADS_MOST
#include "numerics/matm/flat_blocks.c"
#undef BLOCK_THREADS_MOST
#undef Cell
#include "numerics/matm/lines_blocks.c"

#include "base/memory.h"
#include "numerics/matm/matrix.h"
#include "numerics/matm/sweep.h"
#include "tests/support/systems.h"

/* ---- a system, and what the processor makes of it ---- */

static int ragged(int i, int j) {
    return (int)(6 * test_number(5, i, j, 0)) % 5;
}

typedef enum Kind { POINTS, LINES, FLAT } Kind; /* of kernels */
static const char *const kind_name[] = {"points", "lines", "one layer"};
static const char *const kind_file[] = {"points_blocks.c", "lines_blocks.c", "flat_blocks.c"};

typedef struct Case {
    Kind kind;
    bool forward;
    TestSystem *system;
    LaneLayout *layout;
    Pipeline *pipeline;
    MatrixFrame *frame;
    Real *in, *out, *expected, *sums, *sums_expected;
} Case;

static Case case_create(Kind kind, bool forward, bool flat) {
    const SystemShape shape = {
        .nx = 11, .ny = 29, .nz = 4, .levels = ragged, .flat = flat, .vertical = 2, .excess = 0.1, .seed = 7};
    Case c = {.kind = kind, .forward = forward};
    c.system = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    assert_int_equal(lane_layout_create(c.system->grid, (Exec){.device = DEVICE_CPU}, flat, &c.layout),
                     STATUS_OK);
    assert_int_equal(pipeline_create(c.layout, 0, &c.pipeline), STATUS_OK);
    c.frame = matrix_create(c.layout, c.pipeline, kind == LINES ? LANE_LINES : LANE_ONES, false, 0);
    matrix_load(c.frame, &c.system->stencil);
    matrix_scale(c.frame);
    const size_t steps = (size_t)c.layout->groups * (size_t)c.layout->steps;
    Real **arrays[] = {&c.in, &c.out, &c.expected};
    for (int n = 0; n < 3; n++) *arrays[n] = lanes_create(c.layout);
    c.sums = ALLOCATE(8 * steps, Real);
    c.sums_expected = ALLOCATE(8 * steps, Real);
    lanes_from_field(c.layout, c.system->rhs, 1, c.frame->scale, c.in);
    if (forward)
        sweep_forward(c.pipeline, c.layout, &c.frame->a, 0.9, c.in, c.expected, c.sums_expected);
    else
        sweep_backward(c.pipeline, c.layout, &c.frame->a, 0.9, c.in, c.expected);
    return c;
}

static void case_release(Case *c) {
    Real **arrays[] = {&c->in, &c->out, &c->expected};
    for (int n = 0; n < 3; n++) lanes_destroy(c->layout, arrays[n]);
    memory_free(c->sums);
    memory_free(c->sums_expected);
    matrix_destroy(&c->frame);
    pipeline_destroy(&c->pipeline);
    lane_layout_destroy(&c->layout);
    test_system_destroy(&c->system);
}

static EmuThread *kernel_of(const Case *c) {
    static EmuThread *const kernel[][2] = {
        {planted_points_backward_emulated, planted_points_forward_emulated},
        {planted_lines_backward_emulated, planted_lines_forward_emulated},
        {planted_flat_backward_emulated, planted_flat_forward_emulated}};
    return kernel[c->kind][c->forward];
}

enum { LETTERS = 1000, FLAG_BASE = 3 };

static bool is_right(const Case *c, int tile_groups, int tile_levels, int blocks, int resident, uint64_t seed,
                     char message[EMU_MESSAGE]) {
    const LaneLayout *layout = c->layout;
    const size_t steps = (size_t)layout->groups * (size_t)layout->steps;
    int flag[64] = {0};
    Letter letters[LETTERS]; /* of the sweep before, whose bits are wrong */
    int64_t ticket = 17;
    for (int n = 0; n < LETTERS; n++) letters[n] = (Letter){.bits = n, .number = FLAG_BASE};
    lanes_clear(layout, c->out);
    memset(c->sums, 0, 8 * steps * sizeof(Real));
    const Sweeping args = {.shape = layout->of_device,
                           .matrix = c->frame->a,
                           .a = 0.9,
                           .in = c->in,
                           .out = c->out,
                           .sums = c->forward ? c->sums : NULL,
                           .end_group = layout->groups,
                           .until = 1 << 20,
                           .tile_groups = tile_groups,
                           .tile_levels = tile_levels,
                           .flag_base = FLAG_BASE,
                           .flag = flag,
                           .letters = letters,
                           .ticket = &ticket,
                           .ticket_base = 17};
    const BlockShape shape = {blocks, 8 * tile_groups * (c->kind == FLAT ? 1 + FLAT_HELPERS : tile_levels)};
    assert_true(layout->groups * flat_columns(layout->n1) * FLAT_LETTERS <= LETTERS);
    if (!emu_run(kernel_of(c), &args, shape, resident, seed, message)) return false;
    const size_t bytes = (size_t)layout->size * 8 * sizeof(Real);
    return memcmp(c->out - 8 * layout->origin, c->expected - 8 * layout->origin, bytes) == 0 &&
           memcmp(c->sums, c->sums_expected, 8 * steps * sizeof(Real)) == 0;
}

enum { SEEDS = 12, MOST = 8 };

static void test_every_shape(void **unused) {
    (void)unused;
    char message[EMU_MESSAGE] = "other numbers";
    mistake = NONE;
    static const struct {
        Kind kind;
        bool flat;
    } of[] = {{LINES, false}, {POINTS, false}, {POINTS, true}, {FLAT, true}};
    for (int n = 0; n < 8; n++) {
        Case c = case_create(of[n / 2].kind, n % 2, of[n / 2].flat);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const int levels = 1 + (int)(seed % (uint64_t)c.layout->levels), groups = 1 + (int)seed % 3;
            const int blocks = 1 + (int)seed % 7, resident = 1 + (int)seed % 3;
            if (!is_right(&c, groups, levels, blocks, resident, seed, message))
                fail_msg("%s %s, tiles of %d groups and %d levels, %d blocks, %d alive, seed %d: %s",
                         kind_name[c.kind], c.forward ? "forward" : "backward", groups, levels, blocks,
                         resident, (int)seed, message);
        }
        case_release(&c);
    }
}

/* The line of the barrier that ends a time, or of one layer an interval: the file's last. */
static int barrier_of(Kind kind) {
    char path[500], line[500];
    int number = 0, last = 0;
    snprintf(path, sizeof path, "%s/numerics/matm/%s", getenv("MAEOTIS_SOURCE_DIR"), kind_file[kind]);
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) {
        number++;
        if (strstr(line, "block_barrier();")) last = number;
    }
    fclose(f);
    return last;
}

static void test_mistakes_show(void **unused) {
    (void)unused;
    if (!getenv("MAEOTIS_SOURCE_DIR")) skip();
    for (int n = 0; n < 6; n++) {
        const Kind kind = (Kind)(n / 2);
        Case c = case_create(kind, n % 2, kind == FLAT);
        barrier_left_out = barrier_of(kind);
        assert_true(barrier_left_out > 0);
        for (Mistake m = NO_WAIT; m <= NO_FLAG; m++) {
            int found = 0;
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                char message[EMU_MESSAGE];
                mistake = m;
                const bool right = is_right(&c, 1, kind == FLAT ? 1 : 2, 4, 3, seed, message);
                mistake = NONE;
                if (m == NO_FLAG && !right) assert_non_null(strstr(message, "deadlock"));
                found += !right;
            }
            if (found < MOST)
                fail_msg("%s %s: mistake %d shows for %d of %d seeds", kind_name[c.kind],
                         c.forward ? "forward" : "backward", m, found, SEEDS);
        }
        case_release(&c);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_mistakes_show),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
