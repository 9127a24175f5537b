/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/lane_layout.h"

#include "base/memory.h"
#include "gpu/messages.h"
#include "gpu/reduce.h"
#include "numerics/grid/traffic.h"
#include "numerics/matm/fields_steps.h"
#include "numerics/matm/lane_exchange.h"
#include "numerics/matm/on_device.h"
#include <string.h>

enum { MOST_TOTALS = 4 };

/* Vectors that the emulator sweeps: a thread that waits costs it a thousand times a cell, and what the
 * kernels of sweeps do wrong shows in small systems. */
enum { MOST_EMULATED = 450 };

static int lowest_of(const LaneLayout *layout, int g, int s) {
    const Grid *grid = layout->grid;
    int lowest = grid->n3;
    for (int l = 0; l < 8; l++) {
        const int i = s - l, j = 8 * g + l;
        if (i < 0 || i >= layout->n1 || j >= layout->n2) continue;
        const int bottom = (int)grid->bottom_c[AT2(*grid, i, j)];
        if (bottom < lowest) lowest = bottom;
    }
    if (lowest == grid->n3) return layout->levels;
    return layout->levels == 1 ? 0 : lowest;
}

static void find_runs(LaneLayout *layout) {
    int count = 0;
    layout->run = ALLOCATE(layout->groups * (layout->steps / 2 + 1), StepRun);
    layout->first_run = ALLOCATE(layout->groups + 1, int);
    layout->lowest = ALLOCATE((size_t)layout->groups * (size_t)layout->steps, int);
    for (int g = 0; g < layout->groups; g++) {
        layout->first_run[g] = count;
        bool in_run = false;
        for (int s = 0; s < layout->steps; s++) {
            const int lowest = layout->lowest[g * layout->steps + s] = lowest_of(layout, g, s);
            const bool water = lowest < layout->levels;
            if (water && !in_run) layout->run[count++].s0 = s;
            if (water) layout->run[count - 1].s1 = s + 1;
            in_run = water;
        }
    }
    layout->first_run[layout->groups] = count;
    layout->lowest_ahead = ALLOCATE((size_t)layout->groups * (size_t)layout->steps, int);
    for (int g = 0; g < layout->groups; g++)
        for (int s = 0; s < layout->steps; s++) {
            int *lowest = &layout->lowest_ahead[g * layout->steps + s];
            *lowest = layout->levels;
            for (int t = s; t < s + 8 && t < layout->steps; t++)
                if (layout->lowest[g * layout->steps + t] < *lowest)
                    *lowest = layout->lowest[g * layout->steps + t];
        }
}

/* What devices need of it. */
static void find_wet_steps(LaneLayout *layout) {
    for (int g = 0; g < layout->groups; g++)
        for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++)
            layout->wet.count += layout->run[n].s1 - layout->run[n].s0;
    layout->wet.block = ALLOCATE(layout->wet.count + 1, Block);
    Block *next = layout->wet.block;
    for (int g = 0; g < layout->groups; g++)
        for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++)
            for (int s = layout->run[n].s0; s < layout->run[n].s1; s++) *next++ = (Block){8 * s, g};
}

Status lane_layout_create(const Grid *grid, Exec exec, bool flat, LaneLayout **out) {
    LaneLayout *layout = *out = ALLOCATE(1, LaneLayout);
    layout->grid = grid;
    layout->exec = exec;
    layout->n1 = grid->n1;
    layout->n2 = grid->n2;
    layout->levels = flat ? 1 : grid->n3;
    layout->groups = (grid->n2 + 7) / 8;
    layout->steps = grid->n1 + 7;
    layout->column = layout->levels;
    /* steps -1 ... steps, and what transposed blocks of eight steps write beyond */
    layout->group = (layout->steps + 2 + 8) * layout->column;
    layout->below = 7 * layout->column - layout->group;
    layout->above = -layout->below;
    layout->origin = layout->group + 16 * layout->column;
    layout->size = (layout->groups + 2) * layout->group + 32 * layout->column;
    find_runs(layout);
    layout->of_device = layout->shape;
    layout->of_device.column *= 8;
    layout->of_device.group *= 8;
    layout->of_device.below *= 8;
    layout->of_device.above *= 8;
    if (exec.device != DEVICE_CPU) find_wet_steps(layout);
    layout->swept_by_kernels =
        exec.device == DEVICE_GPU ||
        (exec.device == DEVICE_EMU && (int64_t)layout->wet.count * layout->levels <= MOST_EMULATED);
    layout->ended = ALLOCATE((size_t)layout->groups * (size_t)(layout->steps + 16), double);
    const Status status = lanes_find_pieces(layout);
    if (status != STATUS_OK) lane_layout_destroy(out);
    return status;
}

void lane_layout_destroy(LaneLayout **layout) {
    if (!*layout) return;
    memory_free((*layout)->wet.block);
    memory_free((*layout)->run);
    memory_free((*layout)->first_run);
    memory_free((*layout)->lowest);
    memory_free((*layout)->lowest_ahead);
    messages_free((*layout)->exec, (*layout)->message);
    edges_release(&(*layout)->edges);
    for (int n = 0; n < 2; n++) memory_free((*layout)->place[n]);
    memory_free((*layout)->request);
    memory_free((*layout)->ended);
    memory_free(*layout);
    *layout = NULL;
}

Lanes *lanes_create(const LaneLayout *layout) {
    return ALLOCATE(layout->size, Lanes) + layout->origin;
}

void lanes_destroy(const LaneLayout *layout, Lanes **lanes) {
    if (*lanes) memory_free(*lanes - layout->origin);
    *lanes = NULL;
}

void lanes_clear(const LaneLayout *layout, Lanes *lanes) {
    if (layout->exec.device != DEVICE_CPU)
        device_clear(layout, lanes);
    else
        memset(lanes - layout->origin, 0, (size_t)layout->size * sizeof(Lanes));
}

void lanes_copy_all(const LaneLayout *layout, const Lanes *from, Lanes *to) {
    if (layout->exec.device != DEVICE_CPU)
        device_copy_all(layout, from, to);
    else
        memcpy(to - layout->origin, from - layout->origin, (size_t)layout->size * sizeof(Lanes));
}

/* ---- from and to fields ---- */

/* Eight steps from s on at a level: rows of the field, each read where its lane begins. Rows are short and lie far
 * apart: those of the next level are asked for meanwhile. */
static inline void load_rows(const LaneLayout *layout, const double *field, double factor, int g, int s,
                             Lanes v[8]) {
    const ptrdiff_t row = layout->grid->row;
    const int rows = layout->n2 - 8 * g < 8 ? layout->n2 - 8 * g : 8;
    for (int l = 0; l < 8; l++) v[l] = lanes_of(0);
    for (int l = 0; l < rows; l++) {
        const double *first = field + (8 * g + l) * row + s - l;
        PREFETCH(first + layout->grid->plane);
        v[l] = lanes_from_double(factor * *(const LanesAnywhere *)first);
    }
    lanes_transpose(v);
}

void lanes_from_field(const LaneLayout *layout, const double *from, double factor, const Lanes *scale,
                      Lanes *to) {
    if (layout->exec.device != DEVICE_CPU) {
        const Grid *g = layout->grid;
        from_field(layout, (FromField){from, g->row, g->plane, factor, scale, to});
        return;
    }
    for (int g = 0; g < layout->groups; g++)
        for (int k = 0; k < layout->levels; k++)
            for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++) {
                const StepRun run = layout->run[n];
                for (int s = run.s0; s < run.s1; s += 8) {
                    Lanes v[8];
                    if (k < layout->lowest_ahead[g * layout->steps + s]) continue;
                    load_rows(layout, from + k * layout->grid->plane, factor, g, s, v);
                    for (int t = 0; t < 8 && s + t < run.s1; t++) {
                        const ptrdiff_t m = lane_at(layout, g, s + t) + k;
                        LaneMask mask = lane_mask(&layout->shape, g, s + t, m);
                        if (scale) mask &= scale[m] != 0;
                        to[m] = lanes_select(mask, scale ? v[t] * scale[m] : v[t], lanes_of(0));
                    }
                }
            }
}

void lanes_add_to_field(const LaneLayout *layout, const Lanes *from, double factor, const Lanes *scale,
                        double *to) {
    const ptrdiff_t row = layout->grid->row;
    if (layout->exec.device != DEVICE_CPU) {
        to_field(layout, (ToField){from, scale, factor, row, layout->grid->plane, to});
        return;
    }
    for (int g = 0; g < layout->groups; g++)
        for (int k = 0; k < layout->levels; k++)
            for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++) {
                const StepRun run = layout->run[n];
                for (int s = run.s0; s < run.s1; s += 8) {
                    Lanes v[8];
                    if (k < layout->lowest_ahead[g * layout->steps + s]) continue;
                    for (int t = 0; t < 8; t++) {
                        const ptrdiff_t m = lane_at(layout, g, s + t) + k;
                        const LaneMask own =
                            lane_mask(&layout->shape, g, s + t, m) & -(LaneInteger)(s + t < run.s1);
                        v[t] = lanes_select(own, from[m] * scale[m], lanes_of(0));
                    }
                    lanes_transpose(v);
                    double *first = to + k * layout->grid->plane + 8 * g * row + s;
                    for (int l = 0; l < 8 && 8 * g + l < layout->n2; l++)
                        *(LanesAnywhere *)(first + l * (row - 1)) += factor * lanes_to_double(v[l]);
                }
            }
}

void lanes_add_to_field_late(const LaneLayout *layout, const LateScalars *scalars, const Lanes *from,
                             double factor, const Lanes *scale, double *to) {
    const Grid *g = layout->grid;
    to_field_late(layout, (ToFieldLate){scalars, {from, scale, factor, g->row, g->plane, to}});
}

/* ---- totals ---- */

/* The sums of blocks that end in the eight steps from s on, where `part` ends up with what began in them: the lane whose
 * column begins a block of eight has just ended one. Beyond the last step there is nothing. */
static inline LanesOfDouble ended_blocks(const LaneLayout *layout, const Lanes *sums, int s,
                                         LanesOfDouble *part) {
    typedef int64_t Mask __attribute__((vector_size(64)));
    const Mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const int count = layout->steps - s < 8 ? layout->steps - s : 8;
    LanesOfDouble now[8] = {{0}}, ended = {0};
    for (int t = 0; t < count; t++) now[t] = lanes_to_double(sums[s + t]);
    UNROLLED for (int t = 0; t < 8; t++) {
        const Mask ends = lane == t;
        ended = (LanesOfDouble)(((Mask)*part & ends) | ((Mask)ended & ~ends));
        *part = (LanesOfDouble)((Mask)*part & ~ends) + now[t];
    }
    return ended;
}

/* Of a group, to `ended`; returns how many. Blocks may begin before a gap in the water and end behind it; sums without
 * water are 0. */
static int end_blocks(const LaneLayout *layout, int g, const Lanes *sums, double *ended) {
    LanesOfDouble part = {0}; /* all zero again eight steps behind the water */
    int count = 0, done = 0;
    for (int n = layout->first_run[g]; n < layout->first_run[g + 1]; n++) {
        const int first = layout->run[n].s0 & ~7, last = (layout->run[n].s1 + 7) & ~7;
        for (int s = first > done ? first : done; s <= last; s += 8, count += 8)
            *(LanesAnywhere *)(ended + count) = ended_blocks(layout, sums + g * layout->steps, s, &part);
        done = last + 8;
    }
    return count;
}

static void add_all(const LaneLayout *layout, const Lanes *sums, ExactSum *total) {
    int count = 0;
    for (int g = 0; g < layout->groups; g++) count += end_blocks(layout, g, sums, layout->ended + count);
    exact_sum_add_all(total, layout->ended, count);
}

void lanes_totals(const LaneLayout *layout, int count, Lanes *const *sums, double *totals) {
    const Decomposition *d = &layout->grid->decomposition;
    const bool on_cpu = layout->exec.device == DEVICE_CPU;
    ExactSum total[MOST_TOTALS];
    for (int n = 0; n < count; n++) {
        exact_sum_clear(&total[n]);
        if (on_cpu) add_all(layout, sums[n], &total[n]);
    }
    if (!on_cpu) device_totals(layout, count, (const void *const *)sums, total);
    for (int n = 0; n < count; n++) exact_sum_normalise(&total[n]);
    traffic.sums++;
    traffic.summed += count * EXACT_SUM_LIMBS;
    if (decomposition_ranks(d) > 1)
        traffic_reduce(total, count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, layout->grid->comm);
    for (int n = 0; n < count; n++) totals[n] = exact_sum_value(&total[n]);
}
