/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/forcing_kernels.h"

KERNEL_CELLS(sample_fill, SampleFill) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    a->to[m] = sample_at(&a->from, m, i, j);
}

KERNEL_CELLS(record_blend, RecordBlend) {
    (void)j, (void)k;
    a->to[i] = sample_record(&a->records, i);
}

KERNEL_CELLS(record_fill, RecordFill) {
    const Sample *s = &a->from;
    /* indices and no pointers, of which the compiler makes no vectors */
    const ptrdiff_t south = s->low_y[j] * s->nx + s->low_x[i], north = south + s->nx;
    const double *values = s->before, px = s->part_x[i];
    (void)k;
    const double along_south = values[south] + px * (values[south + 1] - values[south]);
    const double along_north = values[north] + px * (values[north + 1] - values[north]);
    a->to[j * a->row + i] = along_south + s->part_y[j] * (along_north - along_south);
}

/* The map's factor at a face. */
POINTWISE double drag_factor_at(const WindFill *a, const double *part, ptrdiff_t m) {
    return 0.5 * (part[m - (a->along_x ? 1 : a->row)] + part[m]);
}

KERNEL_CELLS(wind_fill_stress, WindFill) {
    const ptrdiff_t m = j * a->row + i;
    double x, y;
    (void)k;
    wind_stress_of(&a->wind, m, i, j, &x, &y);
    const double factor = a->drag_factor ? drag_factor_at(a, a->drag_factor, m) : 1.0;
    a->to[m] = factor * (a->along_x ? x : y);
}

KERNEL_CELLS(wind_fill_coare, WindFill) {
    const ptrdiff_t m = j * a->row + i;
    const double u = a->wind.a.value[m] * a->wind.factor, v = a->wind.b.value[m] * a->wind.factor;
    const double mapped = drag_factor_at(a, or_any(a->drag_factor, a->wind.a.value), m);
    WindStress stress;
    (void)k;
    stress.law = WIND_DRAG_COARE35, stress.coefficient = 0.0, stress.log_height = 0.0;
    stress.cap = a->wind.stress.cap, stress.density_ratio = a->wind.stress.density_ratio;
    const double along = wind_stress_factor(stress, u, v) * (a->along_x ? u : v);
    a->to[m] = (a->drag_factor ? mapped : 1.0) * along;
}

KERNEL_CELLS(wind_fill_speed, WindFill) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    a->to[m] = wind_speed_of(&a->wind, m, i, j);
}

KERNEL_CELLS(stress_fill, StressFill) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    a->to[m] = a->ramp * (a->from ? a->from[m] : a->constant);
}
