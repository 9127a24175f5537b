/* SPDX-License-Identifier: Apache-2.0 */
#include "model/waves/wind_waves_kernels.h"

#include "model/forcing/direction.h"
#include "model/waves/wave_drift.h"
#include "model/waves/wave_growth.h"
#include "model/waves/wave_orbit.h"

/* A direction of a record and its next one, in between as a vector: 350 and 10 degrees meet at 0. */
POINTWISE void add_direction(const Sample *s, ptrdiff_t n, double weight, double *x, double *y) {
    const double later = s->part > 0 ? s->part : 0.0;
    double sine, cosine;
    direction_sincos(s->before[n], &sine, &cosine);
    *x -= weight * (1.0 - later) * sine;
    *y -= weight * (1.0 - later) * cosine;
    if (!(later > 0)) return;
    direction_sincos(s->after[n], &sine, &cosine);
    *x -= weight * later * sine;
    *y -= weight * later * cosine;
}

/* Where waves that come from the sampled direction travel to, of length 1; 0, 0 where there is no mean. */
POINTWISE void travel(const Sample *s, ptrdiff_t m, int i, int j, double *x, double *y) {
    *x = *y = 0.0;
    if (s->value || !s->before) {
        direction_wind(1.0, s->value ? s->value[m] : s->uniform, x, y);
        return;
    }
    double px, py;
    const ptrdiff_t south = sample_place(s, m, i, j, &px, &py), north = south + s->nx;
    add_direction(s, south, (1.0 - px) * (1.0 - py), x, y);
    add_direction(s, south + 1, px * (1.0 - py), x, y);
    add_direction(s, north, (1.0 - px) * py, x, y);
    add_direction(s, north + 1, px * py, x, y);
    const double length = sqrt(*x * *x + *y * *y), inverse = length > 1e-6 ? 1.0 / length : 0.0;
    *x *= inverse;
    *y *= inverse;
}

/* What comes from the samples or from the wind. */
typedef struct Source {
    double height, period, x, y;
} Source;

POINTWISE Source sampled(const WavesFound *a, ptrdiff_t m, int i, int j) {
    const double given = sample_at(&a->period, m, i, j);
    Source s;
    travel(&a->direction, m, i, j, &s.x, &s.y);
    turn_vector(a->turn, m, &s.x, &s.y);
    s.x *= a->sign;
    s.y *= a->sign;
    s.period = !(given > 0) ? 0.0 : a->period_factor * (a->frequency ? 1.0 / given : given);
    s.height = s.period > 0 ? max_of(0.0, sample_at(&a->height, m, i, j)) : 0.0;
    return s;
}

/* Against the direction x, y in which the wind blows: between the two nearest directions, by the sines of the angles. */
POINTWISE double fetch_against(const Fetch *fetch, ptrdiff_t m, double x, double y) {
    int nearest = 0;
    double most = -2.0;
    for (int d = 0; d < FETCHES; d++) {
        const double cosine = -(x * fetch->to_x[d] + y * fetch->to_y[d]);
        nearest = cosine > most ? d : nearest;
        most = max_of(cosine, most);
    }
    const double sine = y * fetch->to_x[nearest] - x * fetch->to_y[nearest]; /* clockwise from the nearest */
    const int next = (nearest + (sine >= 0 ? 1 : FETCHES - 1)) % FETCHES;
    const double from_next = fabs(y * fetch->to_x[next] - x * fetch->to_y[next]);
    const double part = fabs(sine) / (fabs(sine) + from_next);
    return (1.0 - part) * fetch->length[nearest][m] + part * fetch->length[next][m];
}

POINTWISE Source made_by_wind(const WavesFound *a, ptrdiff_t m, int i, int j) {
    double u, v;
    wind_vector(&a->wind, m, i, j, &u, &v);
    const double speed = sqrt(u * u + v * v);
    if (!(speed > 0)) return (Source){0.0, 0.0, 0.0, 0.0};
    const double x = u / speed, y = v / speed, fetch = fetch_against(&a->fetch, m, x, y);
    const double wind = wind_at_10_m(a->wind.stress, speed) * speed;
    const Grown grown = waves_grown(a->growth, wind, fetch, a->depth[m], a->gravity);
    return (Source){grown.height, grown.period, x, y};
}

KERNEL_CELLS(waves_find, WavesFound) {
    const ptrdiff_t m = AT2(a->g, i, j);
    (void)k;
    const Source source = a->grows ? made_by_wind(a, m, i, j) : sampled(a, m, i, j);
    const double depth = a->depth[m], period = source.period;
    const double height = min_of(source.height, wave_highest(a->most_of_depth, period, depth, a->gravity));
    a->significant[m] = height;
    a->peak_period[m] = period;
    a->x[m] = source.x;
    a->y[m] = source.y;
    a->stress[m] = wave_bed_stress(wave_orbital_speed(height, period, depth, a->gravity), period,
                                   a->roughness_c ? a->roughness_c[m] : a->roughness);
    if (!a->number) return;
    const bool any = (height > 0) & (depth > 1e-9); /* a film has no waves */
    const double frequency = any ? TURN / (0.834 * period) : 1.0;
    const double number = any ? wave_number(frequency, depth, a->gravity) : 1.0;
    const double mean = any ? wave_transport(height, frequency, number, a->gravity) / depth : 0.0;
    a->number[m] = number;
    a->drift_x[m] = mean * a->x[m];
    a->drift_y[m] = mean * a->y[m];
}

/* The mean of the two columns of a face; of the one that can have water, where it is one. */
POINTWISE double of_face(const DriftFound *a, ptrdiff_t m, const double *field) {
    const ptrdiff_t back = m - a->along;
    return a->stress[back] < 0 ? field[m] : a->stress[m] < 0 ? field[back] : 0.5 * (field[back] + field[m]);
}

KERNEL_CELLS(drift_find, DriftFound) {
    const ptrdiff_t m = AT2(a->g, i, j);
    const double depth = a->depth[m], number = of_face(a, m, a->number);
    const double transport = depth > 0 ? a->ramp * depth * of_face(a, m, a->mean) : 0.0;
    double height = 0.0, below = 0.0;
    for (int layer = k + (int)a->bottom[m]; layer < a->g.n3; layer++) {
        const ptrdiff_t mk = m + layer * a->g.plane;
        const double thick = a->phi[mk] * depth;
        height = layer == a->g.n3 - 1 ? depth : height + thick;
        const double to_here = transport != 0 ? wave_drift_below(number, depth, height) : 0.0;
        const double drift = transport != 0 ? transport * (to_here - below) / thick : 0.0;
        a->rise[mk] = (drift - a->drift[mk]) / a->dt;
        a->drift[mk] = drift;
        below = to_here;
    }
}
