/* SPDX-License-Identifier: Apache-2.0
 *
 * One long tridiagonal system of complex rows, cut into blocks that work side by side: the N-shaped method as its paper has it
 * (table 1; Lutsyshyn, Navarrete, Bauer), nested (equation 6), with the Crank-Nicolson half-steps of i d psi/dt = H psi:
 *
 *     T psi(t + dt) = T* psi(t),     T = 1 + (i dt/2) H,     H real, symmetric, tridiagonal
 *
 * What many lines at once need is in lines.h; here a thread of a GPU, or a core, has a block of the only line. The forward half-step
 * is computed row by row on the way down. Rows are eliminated at each solution, since H may change.
 *
 * Joints are rows 0, n - 1 and those between that cut the rest evenly; blocks hand what belongs to a joint to it in numbers of
 * their own, not by atomic additions, so that the bits are the same everywhere.
 */
#ifndef MAEOTIS_NUMERICS_LONG_LINE_H
#define MAEOTIS_NUMERICS_LONG_LINE_H

#include "gpu/emu.h"
#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Complex {
    double re, im;
} Complex;

enum { LONG_LINE_LEVELS = 8 };

/* Rows of one level: b x_before + a x + c x_after = d. Of blocks, `above` and `below` are what they add to their joints. */
typedef struct LongLevel {
    int rows, blocks;
    Complex *b, *a, *c, *d, *x;
    Complex *above,
        *below; /* [block][3]: added to the diagonal, to the right-hand side; the coupling to the other joint */
} LongLevel;

typedef struct LongLine {
    Exec exec;
    int levels; /* of blocks; level[levels] is solved by one thread */
    LongLevel level[LONG_LINE_LEVELS + 1];
    const Complex *b, *a, *c; /* T; not owned */
} LongLine;

/* `blocks` of the first level, at most half the rows; 0: all rows by one thread. Further levels have evenly fewer. */
LongLine *long_line_create(Exec exec, int n, const Complex *b, const Complex *a, const Complex *c, int blocks,
                           int levels);
void long_line_destroy(LongLine **line);

/* psi, n numbers, takes one time step. On a GPU: launches. */
void long_line_step(LongLine *line, Complex *psi);

/* The stages of it, for those who measure them: rows of level l to its joints; the last level; from joints to rows. */
void long_line_reduce(LongLine *line, int l, const Complex *psi);
void long_line_last(LongLine *line, Complex *psi);
void long_line_substitute(LongLine *line, int l, Complex *psi);

/* ---- kernels (long_line_blocks.c): a thread is a block, or a joint ---- */

typedef struct LongWork {
    LongLevel of, next;       /* next: the level of its joints */
    const Complex *b, *a, *c; /* T where `of` is the first level, else NULL */
    const Complex *psi;
    Complex *x;
} LongWork;
void long_line_reduce_blocks(Exec exec, BlockShape shape, LongWork args);
void long_line_join_blocks(Exec exec, BlockShape shape, LongWork args);
void long_line_last_rows(Exec exec, BlockShape shape, LongWork args);
void long_line_substitute_blocks(Exec exec, BlockShape shape, LongWork args);

#ifdef __cplusplus
}
#endif
#endif
