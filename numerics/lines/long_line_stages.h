/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread does in a stage of long_line.h: table 1 of the paper, for processors and GPUs.
 */
#ifndef MAEOTIS_NUMERICS_LONG_LINE_STAGES_H
#define MAEOTIS_NUMERICS_LONG_LINE_STAGES_H

#include "numerics/lines/long_line.h"

POINTWISE Complex complex_of(double re, double im) {
    Complex z;
    z.re = re, z.im = im;
    return z;
}
POINTWISE Complex complex_add(Complex x, Complex y) {
    return complex_of(x.re + y.re, x.im + y.im);
}
/* x + y z */
POINTWISE Complex complex_fma(Complex x, Complex y, Complex z) {
    return complex_of(fma(y.re, z.re, fma(-y.im, z.im, x.re)), fma(y.re, z.im, fma(y.im, z.re, x.im)));
}
POINTWISE Complex complex_mul(Complex x, Complex y) {
    return complex_fma(complex_of(0, 0), x, y);
}
POINTWISE Complex complex_conjugate(Complex x) {
    return complex_of(x.re, -x.im);
}
POINTWISE Complex complex_minus(Complex x) {
    return complex_of(-x.re, -x.im);
}
POINTWISE Complex complex_inverse(Complex x) {
    const double f = 1 / (x.re * x.re + x.im * x.im);
    return complex_of(x.re * f, -x.im * f);
}

/* The row of joint w. */
POINTWISE int long_joint(LongLevel of, int w) {
    return (int)((int64_t)(of.rows - 1) * w / of.blocks);
}

typedef struct LongRow {
    Complex b, a, c, d;
} LongRow;

/* A row as it was before this level; of the first, with the forward half-step T* psi. */
POINTWISE LongRow long_row(const LongWork *k, int i) {
    const bool first = k->a != 0;
    LongRow r;
    r.b = first ? k->b[i] : k->of.b[i];
    r.a = first ? k->a[i] : k->of.a[i];
    r.c = first ? k->c[i] : k->of.c[i];
    if (!first) {
        r.d = k->of.d[i];
        return r;
    }
    r.d = complex_mul(complex_conjugate(r.a), k->psi[i]);
    if (i > 0) r.d = complex_fma(r.d, complex_conjugate(r.b), k->psi[i - 1]);
    if (i < k->of.rows - 1) r.d = complex_fma(r.d, complex_conjugate(r.c), k->psi[i + 1]);
    return r;
}

POINTWISE void long_keep(const LongWork *k, int i, LongRow r) {
    k->of.b[i] = r.b, k->of.a[i] = r.a, k->of.c[i] = r.c, k->of.d[i] = r.d;
}

/* RD, JD, RU, JU of block w. */
POINTWISE void long_reduce(const LongWork *k, int w) {
    const int first = long_joint(k->of, w), last = long_joint(k->of, w + 1);
    LongRow before = long_row(k, first + 1), r;
    const Complex c_first = k->a ? k->c[first] : k->of.c[first], b_last = k->a ? k->b[last] : k->of.b[last];
    long_keep(k, first + 1, before);
    for (int i = first + 2; i < last; i++, before = r) {
        r = long_row(k, i);
        const Complex f = complex_minus(complex_mul(r.b, complex_inverse(before.a)));
        r.b = complex_mul(f, before.b);
        r.a = complex_fma(r.a, f, before.c);
        r.d = complex_fma(r.d, f, before.d);
        long_keep(k, i, r);
    }
    Complex f = complex_minus(complex_mul(b_last, complex_inverse(before.a))), *to = k->of.below + 3 * w;
    to[0] = complex_mul(f, before.c), to[1] = complex_mul(f, before.d), to[2] = complex_mul(f, before.b);
    for (int i = last - 2; i > first; i--, before = r) {
        r.b = k->of.b[i], r.a = k->of.a[i], r.c = k->of.c[i], r.d = k->of.d[i];
        f = complex_minus(complex_mul(r.c, complex_inverse(before.a)));
        r.b = complex_fma(r.b, f, before.b);
        r.c = complex_mul(f, before.c);
        r.d = complex_fma(r.d, f, before.d);
        long_keep(k, i, r);
    }
    f = complex_minus(complex_mul(c_first, complex_inverse(before.a))), to = k->of.above + 3 * w;
    to[0] = complex_mul(f, before.b), to[1] = complex_mul(f, before.d), to[2] = complex_mul(f, before.c);
}

/* The row that joint w is in the next level. */
POINTWISE void long_join(const LongWork *k, int w) {
    LongRow r = long_row(k, long_joint(k->of, w));
    r.b = r.c = complex_of(0, 0);
    if (w > 0) {
        const Complex *from = k->of.below + 3 * (w - 1);
        r.a = complex_add(r.a, from[0]), r.d = complex_add(r.d, from[1]), r.b = from[2];
    }
    if (w < k->of.blocks) {
        const Complex *from = k->of.above + 3 * w;
        r.a = complex_add(r.a, from[0]), r.d = complex_add(r.d, from[1]), r.c = from[2];
    }
    k->next.b[w] = r.b, k->next.a[w] = r.a, k->next.c[w] = r.c, k->next.d[w] = r.d;
}

/* RS: Thomas. */
POINTWISE void long_last(const LongWork *k) {
    const int n = k->of.rows;
    LongRow before = long_row(k, 0), r;
    long_keep(k, 0, before);
    for (int i = 1; i < n; i++, before = r) {
        r = long_row(k, i);
        const Complex f = complex_minus(complex_mul(r.b, complex_inverse(before.a)));
        r.a = complex_fma(r.a, f, before.c);
        r.d = complex_fma(r.d, f, before.d);
        long_keep(k, i, r);
    }
    Complex x = complex_of(0, 0);
    for (int i = n - 1; i >= 0; i--) {
        const Complex c = i < n - 1 ? k->of.c[i] : complex_of(0, 0);
        x = complex_mul(complex_fma(k->of.d[i], complex_minus(c), x), complex_inverse(k->of.a[i]));
        k->x[i] = x;
    }
}

/* SS of block w, and the joint above it; the last block has the one below it too. */
POINTWISE void long_substitute(const LongWork *k, int w) {
    const int first = long_joint(k->of, w), last = long_joint(k->of, w + 1);
    const Complex left = k->next.x[w], right = k->next.x[w + 1];
    for (int i = first + 1; i < last; i++) {
        const Complex d = complex_fma(complex_fma(k->of.d[i], complex_minus(k->of.b[i]), left),
                                      complex_minus(k->of.c[i]), right);
        k->x[i] = complex_mul(d, complex_inverse(k->of.a[i]));
    }
    k->x[first] = left;
    if (w == k->of.blocks - 1) k->x[last] = right;
}

#endif
