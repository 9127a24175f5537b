/* SPDX-License-Identifier: Apache-2.0
 *
 * The wind and its stress as data of kernels, at the points of one place on the cell and one time.
 */
#ifndef MAEOTIS_MODEL_WIND_SAMPLE_H
#define MAEOTIS_MODEL_WIND_SAMPLE_H

#include "model/forcing/direction.h"
#include "model/forcing/sample.h"
#include "model/forcing/turn.h"
#include "model/forcing/wind_drag.h"

typedef enum WindForm { WIND_NONE, WIND_COMPONENTS, WIND_POLAR, WIND_STRESS } WindForm;

typedef struct WindSample {
    Sample a, b;          /* u, v [m s-1]; speed [m s-1], direction it blows from [degrees]; or stress [Pa] */
    WindStress stress;    /* the drag law */
    double factor;        /* multiplies the wind speed */
    double water_density; /* [kg m-3] */
    WindForm form;
    Turn turn; /* to the grid's axes */
} WindSample;

/* The wind along the grid's axes [m s-1]; with WIND_STRESS the stress [Pa]. */
POINTWISE void wind_vector(const WindSample *w, ptrdiff_t m, int i, int j, double *u, double *v) {
    *u = *v = 0;
    if (w->form == WIND_NONE) return;
    const double a = sample_at(&w->a, m, i, j), b = sample_at(&w->b, m, i, j);
    if (w->form == WIND_POLAR) {
        direction_wind(a * w->factor, b, u, v);
    } else if (w->form == WIND_COMPONENTS) {
        *u = a * w->factor;
        *v = b * w->factor;
    } else {
        *u = a;
        *v = b;
    }
    turn_vector(w->turn, m, u, v);
}

/* [m s-1]; 0 where only the stress is known. */
POINTWISE double wind_speed_of(const WindSample *w, ptrdiff_t m, int i, int j) {
    double u, v;
    wind_vector(w, m, i, j, &u, &v);
    return w->form == WIND_STRESS ? 0 : sqrt(u * u + v * v);
}

/* The stress over water density [m2 s-2]. */
POINTWISE void wind_stress_of(const WindSample *w, ptrdiff_t m, int i, int j, double *x, double *y) {
    double u, v;
    wind_vector(w, m, i, j, &u, &v);
    if (w->form == WIND_STRESS) {
        *x = u / w->water_density;
        *y = v / w->water_density;
    } else {
        const double factor = wind_stress_factor(w->stress, u, v);
        *x = factor * u;
        *y = factor * v;
    }
}

#endif
