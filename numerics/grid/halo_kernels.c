/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/halo_kernels.h"

POINTWISE double *in_field(const HaloPatch *a, int i, int j, int k) {
    return a->field[k / a->levels] + (a->first + k % a->levels * a->plane + j * a->across + i * a->along);
}

POINTWISE double *in_buffer(const HaloPatch *a, int i, int j, int k) {
    return a->buffer + ((ptrdiff_t)k * HALO + j) * a->length + i;
}

KERNEL_CELLS(halo_pack, HaloPatch) {
    *in_buffer(a, i, j, k) = *in_field(a, i, j, k);
}

KERNEL_CELLS(halo_unpack, HaloPatch) {
    *in_field(a, i, j, k) = *in_buffer(a, i, j, k);
}

/* Cell -1 - j is cell n - 1 - j again, and n + j is j; however few they are. */
KERNEL_CELLS(halo_wrap, HaloPatch) {
    double *x = in_field(a, i, 0, k);
    const ptrdiff_t high = j % a->n, low = a->n - 1 - high;
    x[(-1 - j) * a->across] = x[low * a->across];
    x[(a->n + j) * a->across] = x[high * a->across];
}
