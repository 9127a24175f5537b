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
                        LaneMask mask = lane_mask_quick(&layout->shape, g, s + t, m);
                        if (scale) mask &= scale[m] != 0;
                        to[m] = lanes_select(mask, scale ? v[t] * scale[m] : v[t], lanes_of(0));
                    }
                }
            }
}

/* Eight steps from s on at level k, of which `count` are in a run: from[n] scale[n] in own cells, else 0. */
static inline void load_scaled(const LaneLayout *layout, const Lanes *from, const Lanes *scale, int g, int s,
                               int k, int count, Lanes v[8]) {
    const LaneShape *shape = &layout->shape;
    const ptrdiff_t first = lane_at(layout, g, s) + k;
    const bool plain = count >= 8 && lane_all_own(shape, g, s) && lane_all_own(shape, g, s + 7);
    for (int t = 0; t < 8; t++) {
        const ptrdiff_t m = first + t * layout->column;
        v[t] = from[m] * scale[m];
        if (plain) continue;
        const LaneMask own = lane_mask(shape, g, s + t, m) & -(LaneInteger)(t < count);
        v[t] = lanes_select(own, v[t], lanes_of(0));
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
                    load_scaled(layout, from, scale, g, s, k, run.s1 - s, v);
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

/* The sums of blocks that end in eight steps, where `part` ends up with what began in them: the lane whose column begins a
 * block of eight has just ended one. From `count` steps on there is nothing. */
static inline LanesOfDouble ended_blocks(const Lanes *sums, int count, LanesOfDouble *part) {
    typedef int64_t Mask __attribute__((vector_size(64)));
    const Mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    LanesOfDouble now[8] = {{0}}, ended = {0};
    UNROLLED for (int t = 0; t < 8; t++) if (t < count) now[t] = lanes_to_double(sums[t]);
    UNROLLED for (int t = 0; t < 8; t++) {
        const Mask ends = lane == t;
        ended = (LanesOfDouble)(((Mask)*part & ends) | ((Mask)ended & ~ends));
        *part = (LanesOfDouble)((Mask)*part & ~ends) + now[t];
    }
    return ended;
}

/* An addition waits for the one before: so many stretches are worked on at once. Where one begins, what the eight steps
 * before it leave is found first; what comes from earlier ones has ended in them. */
enum { STRETCHES = 4 };

/* Of `eights` times eight steps, before which there is nothing; `part`: what began in the last of them. */
static void end_eights(const Lanes *sums, int eights, double *ended, LanesOfDouble *part) {
    const int length = eights / STRETCHES;
    LanesOfDouble began[STRETCHES] = {{0}};
    for (int c = 1; c < STRETCHES && length > 0; c++)
        (void)ended_blocks(sums + 8 * (c * length - 1), 8, &began[c]);
    for (int n = 0; n < length; n++) UNROLLED for (int c = 0; c < STRETCHES; c++) {
            const int first = 8 * (c * length + n);
            *(LanesAnywhere *)(ended + first) = ended_blocks(sums + first, 8, &began[c]);
        }
    *part = began[STRETCHES - 1];
    for (int first = 8 * STRETCHES * length; first < 8 * eights; first += 8)
        *(LanesAnywhere *)(ended + first) = ended_blocks(sums + first, 8, part);
}

/* Of a group, to `ended`; returns how many. Blocks may begin before a gap in the water and end behind it; sums without
 * water are 0. */
static int end_blocks(const LaneLayout *layout, int g, const Lanes *sums, double *ended) {
    const int runs = layout->first_run[g], end = layout->first_run[g + 1];
    if (runs == end) return 0;
    const int first = layout->run[runs].s0 & ~7, last = (layout->run[end - 1].s1 + 7) & ~7;
    const int whole = (last < layout->steps - 7 ? last + 8 : layout->steps & ~7) - first;
    LanesOfDouble part;
    end_eights(sums + g * layout->steps + first, whole / 8, ended, &part);
    for (int s = first + whole; s <= last; s += 8)
        *(LanesAnywhere *)(ended + s - first) =
            ended_blocks(sums + g * layout->steps + s, layout->steps - s, &part);
    return last + 8 - first;
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
