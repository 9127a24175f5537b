/* SPDX-License-Identifier: Apache-2.0
 *
 * Between fields and lane arrays, on devices (lane_layout.c does it by transposes).
 */
#ifndef MAEOTIS_NUMERICS_MATM_FIELDS_STEPS_H
#define MAEOTIS_NUMERICS_MATM_FIELDS_STEPS_H

#include "numerics/krylov/late.h"
#include "numerics/matm/steps.h"

typedef struct FromField {
    const double *from;
    ptrdiff_t row, plane;
    double factor;
    const Lanes *scale;
    Lanes *to;
} FromField;

typedef struct ToField {
    const Lanes *from, *scale;
    double factor;
    ptrdiff_t row, plane;
    double *to; /* is added to */
} ToField;

STEPS_OF_DEVICE(from_field, FromField)
STEPS_OF_DEVICE(to_field, ToField)

/* If what is added is complete. */
typedef struct ToFieldLate {
    const LateScalars *scalars;
    ToField to;
} ToFieldLate;

STEPS_OF_DEVICE(to_field_late, ToFieldLate)

#ifdef MATM_ONE_LANE

/* Of the column that a lane's number m belongs to. */
POINTWISE ptrdiff_t field_at(ptrdiff_t row, int g, int s, ptrdiff_t m) {
    const int lane = (int)(m & 7);
    return (8 * g + lane) * row + s - lane;
}

STEPS(from_field, FromField) {
    const LaneMask own = lane_mask(l, g, s, m);
    const ptrdiff_t first = field_at(a->row, g, s, m);
    (void)at;
    for (int k = 0; k < l->levels; k++) {
        const ptrdiff_t n = m + LEVEL * k;
        const Lanes scale = a->scale ? a->scale[n] : 1;
        if (own && scale != 0) {
            const Lanes value = (Real)(a->factor * a->from[first + k * a->plane]);
            a->to[n] = a->scale ? value * scale : value;
        } else
            a->to[n] = 0;
    }
}

STEPS(to_field, ToField) {
    const ptrdiff_t first = field_at(a->row, g, s, m);
    (void)at;
    if (!lane_mask(l, g, s, m)) return;
    for (int k = 0; k < l->levels; k++) {
        const ptrdiff_t n = m + LEVEL * k;
        a->to[first + k * a->plane] += a->factor * (double)(a->from[n] * a->scale[n]);
    }
}

STEPS(to_field_late, ToFieldLate) {
    if (a->scalars->stopped && a->scalars->count > 0) to_field_step(&a->to, l, g, s, m, at);
}

#endif
#endif
