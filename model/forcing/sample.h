/* SPDX-License-Identifier: Apache-2.0
 *
 * A quantity over the sea (quantity.h) as data of kernels, at the points of one place on the cell and one
 * time: linear in time between two records of a file, bilinear in space; or the values that the host
 * computed, or a caller gave.
 */
#ifndef MAEOTIS_MODEL_SAMPLE_H
#define MAEOTIS_MODEL_SAMPLE_H

#include "gpu/kernel.h"

typedef struct Sample {
    double uniform;               /* everywhere, if the rest is NULL */
    const double *value;          /* by points */
    ptrdiff_t beside;             /* > 0: `value` is of centres, a face is between m - beside and m */
    const double *before, *after; /* records: rows of nx */
    double part;                  /* of the time from the one to the other */
    double seconds;               /* > 0: `after` is accumulated over so long */
    ptrdiff_t nx;
    const int *low_x, *low_y;      /* the record's point before each i, j */
    const double *part_x, *part_y; /* 0: there, 1: at the next */
    const double *map_x,
        *map_y; /* instead, on a map: the place among the record's points, by columns; else NULL */
} Sample;

POINTWISE double sample_record(const Sample *s, ptrdiff_t n) {
    if (s->seconds > 0) return s->after[n] / s->seconds;
    return s->part > 0 ? s->before[n] + s->part * (s->after[n] - s->before[n]) : s->before[n];
}

/* Where the point (i, j), which is m in fields, lies in a record: the point to the south-west, and the parts of the way to
 * the next ones. */
POINTWISE ptrdiff_t sample_place(const Sample *s, ptrdiff_t m, int i, int j, double *px, double *py) {
    const ptrdiff_t low_x = s->map_x ? (ptrdiff_t)s->map_x[m] : s->low_x[i],
                    low_y = s->map_x ? (ptrdiff_t)s->map_y[m] : s->low_y[j];
    *px = s->map_x ? s->map_x[m] - (double)low_x : s->part_x[i];
    *py = s->map_x ? s->map_y[m] - (double)low_y : s->part_y[j];
    return low_y * s->nx + low_x;
}

/* At the point (i, j), which is m in fields. */
POINTWISE double sample_at(const Sample *s, ptrdiff_t m, int i, int j) {
    if (s->value && s->beside > 0) return 0.5 * (s->value[m - s->beside] + s->value[m]);
    if (s->value) return s->value[m];
    if (!s->before) return s->uniform;
    double px, py;
    const ptrdiff_t south = sample_place(s, m, i, j, &px, &py), north = south + s->nx;
    const double south_west = sample_record(s, south), south_east = sample_record(s, south + 1);
    const double north_west = sample_record(s, north), north_east = sample_record(s, north + 1);
    const double along_south = south_west + px * (south_east - south_west);
    const double along_north = north_west + px * (north_east - north_west);
    return along_south + py * (along_north - along_south);
}

#endif
