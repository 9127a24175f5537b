/* SPDX-License-Identifier: Apache-2.0 */
#define MATM_ONE_LANE
#include "numerics/matm/on_device.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/cluster/fragments.h"
#include "numerics/matm/lanes_device.h"
#include "numerics/matm/sweep_tiles.h"

/* Persistent blocks: more than any GPU holds at once, less than it takes long to begin. */
enum { BLOCKS_MOST = 2048, FLAGS_AGAIN = 1 << 30 };

static int64_t letters_of(const LaneLayout *layout) {
    return (int64_t)layout->groups * flat_columns(layout->n1) * FLAT_LETTERS;
}

SweepState sweep_state_create(const LaneLayout *layout) {
    if (layout->exec.device == DEVICE_CPU) return (SweepState){0};
    return (SweepState){.flag = ALLOCATE(layout->groups * layout->levels, int),
                        .letters = layout->levels == 1 ? ALLOCATE(letters_of(layout), Letter) : NULL,
                        .ticket = ALLOCATE(2, int64_t)};
}

void sweep_state_release(SweepState *state) {
    memory_free(state->flag);
    memory_free(state->letters);
    memory_free(state->ticket);
}

/* ---- sweeps ---- */

static SweepLaunch *launch_of(const DeviceSweep *d, const LaneMatrix *matrix, bool whole_layer) {
    static SweepLaunch *const points[][2] = {{points_forward, points_forward},
                                             {points_backward, points_backward_both},
                                             {points_up, points_up_both},
                                             {points_down, points_down_both}};
    static SweepLaunch *const lines[][2] = {{lines_forward, lines_forward_both},
                                            {lines_backward, lines_backward_both},
                                            {lines_up, lines_up_both},
                                            {lines_down, lines_down_both}};
    static SweepLaunch *const flat[] = {flat_forward, flat_backward};
    if (whole_layer) return d->pivots ? flat_pivots : flat[d->kind];
    if (d->pivots) return points_pivots;
    return matrix->diagonal == LANE_LINES ? lines[d->kind][matrix->both] : points[d->kind][matrix->both];
}

static int least(int a, int b) {
    return a < b ? a : b;
}
static int ceiling(int a, int b) {
    return (a + b - 1) / b;
}

/* Few levels of few rows make many tiles, many rows a short way for news from tile to tile. Lines want all
 * levels, four of a thread at most. */
static SweepTiles tiles_of(const DeviceSweep *d, bool lines) {
    const int levels = d->layout->levels, needed = lines ? ceiling(levels, 4) : 1;
    const int most_levels = least(levels, TILE_LEVELS);
    SweepTiles t = d->tiles;
    if (d->layout->exec.device == DEVICE_EMU) {
        const uint64_t seed = exec_next_seed(d->layout->exec) >> 33;
        if (t.groups == 0) t.groups = 1 + (int)(seed % 3);
        if (t.levels == 0) t.levels = needed + (int)(seed / 3 % (uint64_t)(most_levels - needed + 1));
        if (t.blocks == 0) t.blocks = 1 + (int)(seed / 999 % 5);
    }
    if (t.levels == 0) t.levels = least(levels, lines ? TILE_LEVELS : TILE_OF_LEVELS);
    if (t.groups == 0) t.groups = levels == 1 ? 4 : lines ? 2 : 1;
    while (t.groups > 1 &&
           (8 * t.groups * t.levels > SWEEP_THREADS || (lines && 8 * t.groups * levels > TILE_CELLS)))
        t.groups--;
    if (t.blocks == 0) t.blocks = BLOCKS_MOST;
    return t;
}

/* One layer, with all steps of the groups, whose sweeps have kernels of their own. */
static bool is_whole_layer(const DeviceSweep *d, bool lines, int g0, int g1, int from, int until) {
    const LaneMatrix *matrix = (const LaneMatrix *)d->matrix;
    const bool swept = d->pivots || d->kind == SWEEP_FORWARD || d->kind == SWEEP_BACKWARD;
    return d->layout->levels == 1 && !lines && !matrix->both && swept && from <= 8 * g0 &&
           until >= d->layout->steps + 8 * (g1 - 1);
}

void device_sweep(const DeviceSweep *d, int g0, int g1, int from, int until) {
    const LaneLayout *layout = d->layout;
    const LaneMatrix *matrix = (const LaneMatrix *)d->matrix;
    const bool lines = !d->pivots && matrix->diagonal == LANE_LINES;
    const bool whole_layer = is_whole_layer(d, lines, g0, g1, from, until);
    SweepTiles t = tiles_of(d, lines);
    if (whole_layer)
        t.groups = layout->exec.device == DEVICE_EMU ? least(t.groups, WARP_THREADS / 8) : WARP_THREADS / 8;
    const int tiles = ceiling(g1 - g0, t.groups) * (lines ? 1 : ceiling(layout->levels, t.levels));
    SweepState *state = d->state;
    if (tiles == 0) return;
    const Sweeping args = {layout->of_device,
                           *matrix,
                           (Real)d->a,
                           state->flag_base,
                           (const Lanes *)d->in,
                           (Lanes *)d->out,
                           (Lanes *)d->sums,
                           g0,
                           g1,
                           from,
                           until,
                           t.groups,
                           t.levels,
                           state->flag,
                           state->letters,
                           state->ticket,
                           state->ticket_base,
                           state->rests};
    const int threads = whole_layer ? 8 * t.groups * (1 + FLAT_HELPERS) : 8 * t.groups * t.levels;
    const BlockShape shape = {least(t.blocks, tiles), threads};
    launch_of(d, matrix, whole_layer)(layout->exec, shape, args);
    state->ticket_base += tiles + shape.blocks; /* every block asks once in vain */
    state->flag_base += layout->steps + 8 * t.groups + t.levels;
    if (state->flag_base < FLAGS_AGAIN) return;
    exec_wait(layout->exec);
    for (int n = 0; n < layout->groups * layout->levels; n++) state->flag[n] = 0;
    for (int64_t n = 0; state->letters && n < letters_of(layout); n++) state->letters[n].number = 0;
    state->flag_base = 0;
}

/* ---- arrays ---- */

/* One thread for each of `count`, or fewer. */
static BlockShape shape_for(Exec exec, int64_t count) {
    if (exec.device == DEVICE_EMU) return (BlockShape){1 + (int)(exec_next_seed(exec) >> 33) % 3, 8};
    const int64_t blocks = (count + 255) / 256;
    return (BlockShape){blocks < BLOCKS_MOST ? (int)blocks : BLOCKS_MOST, 256};
}

static void fill(const LaneLayout *layout, void *x, const void *from) {
    const int64_t count = 8 * (int64_t)layout->size, origin = 8 * (int64_t)layout->origin;
    lanes_fill_blocks(layout->exec, shape_for(layout->exec, count),
                      (Filling){(Lanes *)x - origin, count, from ? (const Lanes *)from - origin : NULL});
}

void device_clear(const LaneLayout *layout, void *x) {
    fill(layout, x, NULL);
}

void device_copy_all(const LaneLayout *layout, const void *from, void *to) {
    fill(layout, to, from);
}

void device_copy_edge(const LaneLayout *layout, void *x, bool column, int place, int from, int to,
                      Real *message, bool pack) {
    if (to <= from) return;
    lanes_copy_edge_blocks(
        layout->exec, shape_for(layout->exec, (int64_t)(to - from) * layout->levels),
        (EdgeCopy){layout->of_device, (Lanes *)x, message, column, pack, place, from, to, 1, 0});
}

void device_clear_edges(const LaneLayout *layout, void *x, bool column, int place, int stride, int places) {
    const int length = column ? layout->n2 : layout->n1;
    if (places <= 0 || length <= 0) return;
    lanes_copy_edge_blocks(
        layout->exec, shape_for(layout->exec, (int64_t)places * length * layout->levels),
        (EdgeCopy){layout->of_device, (Lanes *)x, NULL, column, false, place, 0, length, places, stride});
}

void device_totals(const LaneLayout *layout, int count, const void *const *sums, ExactSum *totals) {
    for (int n = 0; n < count; n++) exact_sum_clear(&totals[n]);
    device_totals_begin(layout, count, sums, reduce_begin(layout->exec, count, totals));
    results_fetch(layout->exec);
}

void device_totals_begin(const LaneLayout *layout, int count, const void *const *sums, ExactSum *begun) {
    const Exec exec = layout->exec;
    Totals args = {.shape = layout->of_device, .total = begun};
    for (int n = 0; n < count; n++) args.sums[n] = (const Lanes *)sums[n];
    BlockShape shape = {count * (1 + (int)(layout->wet.count / TOTALS_THREADS)), TOTALS_THREADS};
    if (shape.blocks > BLOCKS_MOST) shape.blocks = BLOCKS_MOST / count * count;
    if (exec.device == DEVICE_EMU) {
        const uint64_t seed = exec_next_seed(exec) >> 33;
        shape = (BlockShape){count * (1 + (int)(seed % 3)), TOTALS_GROUP * (1 + (int)(seed / 3 % 4))};
    }
    lanes_totals_blocks(exec, shape, args);
}
