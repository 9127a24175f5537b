/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/dense.h"

#include "base/memory.h"
#include <math.h>

static int around(int i, int n) {
    return ((i % n) + n) % n;
}

/* Gauss-Jordan with row pivots: `a` becomes the identity, `b` inverse(a) b. */
static void eliminate(int n, double *a, double *b) {
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (fabs(a[i * n + p]) > fabs(a[best * n + p])) best = i;
        for (int j = 0; j < n; j++) {
            const double x = a[p * n + j], y = b[p * n + j];
            a[p * n + j] = a[best * n + j], a[best * n + j] = x;
            b[p * n + j] = b[best * n + j], b[best * n + j] = y;
        }
        const double inverse = 1 / a[p * n + p];
        for (int j = 0; j < n; j++) a[p * n + j] *= inverse, b[p * n + j] *= inverse;
        for (int i = 0; i < n; i++) {
            const double factor = a[i * n + p];
            if (i == p || factor == 0) continue;
            for (int j = 0; j < n; j++)
                a[i * n + j] -= factor * a[p * n + j], b[i * n + j] -= factor * b[p * n + j];
        }
    }
}

void dense_operator(int n, const CompactRow *rows, double *matrix) {
    double *a = ALLOCATE(n * n, double);
    for (int i = 0; i < n * n; i++) matrix[i] = 0;
    for (int i = 0; i < n; i++) {
        a[i * n + around(i - 1, n)] += rows[i].lower;
        a[i * n + i] += rows[i].centre;
        a[i * n + around(i + 1, n)] += rows[i].upper;
        for (int m = -COMPACT_REACH; m <= COMPACT_REACH; m++)
            matrix[i * n + around(i + m, n)] += rows[i].weight[COMPACT_REACH + m];
    }
    eliminate(n, a, matrix);
    memory_free(a);
}

void dense_compact(const CompactScheme *scheme, int n, bool periodic, double *matrix) {
    CompactRow *rows = ALLOCATE(n, CompactRow);
    compact_rows(scheme, n, NULL, periodic, rows);
    dense_operator(n, rows, matrix);
    memory_free(rows);
}

void dense_apply(int n, const double *matrix, const double *f, double *result) {
    for (int i = 0; i < n; i++) {
        result[i] = 0;
        for (int j = 0; j < n; j++) result[i] += matrix[i * n + j] * f[j];
    }
}
