/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/long_line.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/lines/long_line_stages.h"

enum { THREADS = 64 }; /* of a block of threads */

static LongLevel level_create(int rows, int blocks) {
    LongLevel l = {.rows = rows, .blocks = blocks};
    Complex **arrays[] = {&l.b, &l.a, &l.c, &l.d, &l.x};
    for (int m = 0; m < 5; m++) *arrays[m] = ALLOCATE(rows, Complex);
    l.above = ALLOCATE(3 * blocks + 1, Complex);
    l.below = ALLOCATE(3 * blocks + 1, Complex);
    return l;
}

LongLine *long_line_create(Exec exec, int n, const Complex *b, const Complex *a, const Complex *c, int blocks,
                           int levels) {
    LongLine *line = ALLOCATE(1, LongLine);
    *line = (LongLine){.exec = exec, .b = b, .a = a, .c = c};
    const double fewer = levels > 0 && blocks > 1 ? pow(blocks, 1.0 / levels) : 2;
    for (; line->levels < levels && line->levels < LONG_LINE_LEVELS && n > 2 && blocks > 0; line->levels++) {
        const int most = (n - 1) / 2, cut = blocks < most ? blocks : most;
        line->level[line->levels] = level_create(n, cut);
        n = cut + 1;
        blocks = (int)lround(n / fewer);
    }
    line->level[line->levels] = level_create(n, 0);
    return line;
}

void long_line_destroy(LongLine **line) {
    if (!*line) return;
    for (int l = 0; l <= (*line)->levels; l++) {
        LongLevel *of = &(*line)->level[l];
        Complex *arrays[] = {of->b, of->a, of->c, of->d, of->x, of->above, of->below};
        for (int m = 0; m < 7; m++) memory_free(arrays[m]);
    }
    memory_free(*line);
    *line = NULL;
}

static LongWork work_on(const LongLine *line, int l, const Complex *psi, Complex *x) {
    LongWork work = {.of = line->level[l], .next = line->level[l < line->levels ? l + 1 : l], .psi = psi};
    if (l == 0) work.b = line->b, work.a = line->a, work.c = line->c;
    work.x = l == 0 ? x : work.of.x;
    return work;
}

static BlockShape shape_of(int count) {
    return (BlockShape){(count + THREADS - 1) / THREADS, THREADS};
}

void long_line_reduce(LongLine *line, int l, const Complex *psi) {
    const LongWork work = work_on(line, l, psi, NULL);
    const int blocks = work.of.blocks;
    if (line->exec.device != DEVICE_CPU) {
        long_line_reduce_blocks(line->exec, shape_of(blocks), work);
        long_line_join_blocks(line->exec, shape_of(blocks + 1), work);
        return;
    }
    for (int w = 0; w < blocks; w++) long_reduce(&work, w);
    for (int w = 0; w <= blocks; w++) long_join(&work, w);
}

void long_line_last(LongLine *line, Complex *psi) {
    const LongWork work = work_on(line, line->levels, psi, psi);
    if (line->exec.device != DEVICE_CPU)
        long_line_last_rows(line->exec, (BlockShape){1, 1}, work);
    else
        long_last(&work);
}

void long_line_substitute(LongLine *line, int l, Complex *psi) {
    const LongWork work = work_on(line, l, psi, psi);
    if (line->exec.device != DEVICE_CPU) {
        long_line_substitute_blocks(line->exec, shape_of(work.of.blocks), work);
        return;
    }
    for (int w = 0; w < work.of.blocks; w++) long_substitute(&work, w);
}

void long_line_step(LongLine *line, Complex *psi) {
    for (int l = 0; l < line->levels; l++) long_line_reduce(line, l, psi);
    long_line_last(line, psi);
    for (int l = line->levels - 1; l >= 0; l--) long_line_substitute(line, l, psi);
}
