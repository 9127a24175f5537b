/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/strips.h"

#include "base/memory.h"
#include "gpu/block_dot.h"

enum { ROWS = 8 };

/* Of one level. */
typedef struct Strip {
    int level;
    RunList runs;     /* a part of the grid's */
    BlockList blocks; /* that hold them; a part of all */
} Strip;

struct Strips {
    const Grid *grid;
    Strip *strip;
    int count;
    Block *block;
    double *part; /* of a sum of squares, what each block brings: all are added at once, which is faster */
    int blocks;
};

/* The blocks of a strip's runs, to `block`; returns how many. */
static int find_blocks(const RunList *runs, Block *block) {
    int count = 0;
    for (int n = 0; n < runs->count; n++) {
        const Run r = runs->run[n];
        for (int i0 = r.i0 / BLOCK * BLOCK; i0 < r.i1; i0 += BLOCK) {
            const bool known = count > 0 && block[count - 1].j == r.j && block[count - 1].i0 >= i0;
            if (!known) block[count++] = (Block){i0, r.j};
        }
    }
    return count;
}

/* From the n-th run on, those of its strip; they stand together: runs are in the order of levels and rows. */
static RunList runs_of_strip(const RunList *all, int n) {
    const Run first = all->run[n];
    RunList runs = {.run = all->run + n};
    for (; n < all->count && all->run[n].k == first.k && all->run[n].j / ROWS == first.j / ROWS; n++) {
        runs.count++;
        runs.elements += all->run[n].i1 - all->run[n].i0;
    }
    return runs;
}

Strips *strips_create(const Grid *grid, bool flat) {
    const RunList *all = flat ? &grid->columns : &grid->cells;
    const int levels = flat ? 1 : grid->n3, groups = grid->n2 / ROWS + 1;
    Strips *s = ALLOCATE(1, Strips);
    Strip *of = ALLOCATE(groups * levels, Strip); /* [group * levels + level] */
    int blocks = 0;
    s->grid = grid;
    s->strip = ALLOCATE(groups * levels, Strip);
    for (int n = 0; n < all->count; n++)
        blocks += (all->run[n].i1 - all->run[n].i0) / BLOCK + 2; /* at most */
    s->block = ALLOCATE(blocks, Block);
    for (int n = 0; n < all->count;) {
        const Run first = all->run[n];
        Strip *strip = &of[first.j / ROWS * levels + first.k];
        *strip = (Strip){.level = first.k, .runs = runs_of_strip(all, n)};
        n += strip->runs.count;
    }
    Block *next = s->block;
    for (int n = 0; n < groups * levels; n++) {
        if (of[n].runs.count == 0) continue;
        of[n].blocks = (BlockList){.block = next, .count = find_blocks(&of[n].runs, next)};
        next += of[n].blocks.count;
        s->strip[s->count++] = of[n];
    }
    s->blocks = (int)(next - s->block);
    s->part = ALLOCATE(s->blocks + 1, double);
    memory_free(of);
    return s;
}

void strips_destroy(Strips **strips) {
    if (!*strips) return;
    memory_free((*strips)->strip);
    memory_free((*strips)->block);
    memory_free((*strips)->part);
    memory_free(*strips);
    *strips = NULL;
}

static void find_squares(const Strips *s, const Strip *strip, const double *x) {
    const double *of_level = x + strip->level * s->grid->plane;
    double *part = s->part + (strip->blocks.block - s->block);
    block_dots(strip->blocks, of_level, of_level, s->grid->row, part);
}

void strips_residual(const Strips *s, Exec exec, StencilResidual args, ExactSum *sum) {
    for (int n = 0; n < s->count; n++) {
        stencil_residual_of_runs(exec, s->strip[n].runs, args);
        find_squares(s, &s->strip[n], args.residual);
    }
    exact_sum_add_all(sum, s->part, s->blocks);
}

void strips_squares(const Strips *s, const double *x, ExactSum *sum) {
    for (int n = 0; n < s->count; n++) find_squares(s, &s->strip[n], x);
    exact_sum_add_all(sum, s->part, s->blocks);
}
