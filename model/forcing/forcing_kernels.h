/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that fill the fields of the forcing. The fields are two-dimensional, with rows of `row`.
 */
#ifndef MAEOTIS_MODEL_FORCING_KERNELS_H
#define MAEOTIS_MODEL_FORCING_KERNELS_H

#include "model/forcing/wind_sample.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SampleFill {
    ptrdiff_t row;
    Sample from;
    double *to;
} SampleFill;
void sample_fill(Exec exec, RunList points, SampleFill args);

/* The records of a file at a time, in all of its points. */
typedef struct RecordBlend {
    Sample records;
    double *to;
} RecordBlend;
void record_blend(Exec exec, RunList points, RecordBlend args);

/* Points of the model's grid from one record, whose axes are along the grid's: as sample_at, without its choices. */
typedef struct RecordFill {
    ptrdiff_t row;
    Sample from;
    double *to;
} RecordFill;
void record_fill(Exec exec, RunList points, RecordFill args);

typedef struct WindFill {
    ptrdiff_t row;
    WindSample wind;
    ptrdiff_t along_x;         /* 1: the stress along x, 0: along y */
    const double *drag_factor; /* of columns, a face has their mean; NULL: it is 1 */
    double *to;
} WindFill;
void wind_fill_stress(Exec exec, RunList faces, WindFill args);
/* The same in vectors, of components at 10 m in fields (wind_is_plain). */
void wind_fill_coare(Exec exec, RunList faces, WindFill args);
void wind_fill_speed(Exec exec, RunList columns, WindFill args);

/* to = ramp * from at the faces; `from` NULL: the same `constant` everywhere. */
typedef struct StressFill {
    ptrdiff_t row;
    double ramp;
    const double *from;
    double constant;
    double *to;
} StressFill;
void stress_fill(Exec exec, RunList faces, StressFill args);

#ifdef __cplusplus
}
#endif
#endif
