/* SPDX-License-Identifier: Apache-2.0 */
#include "model/kinetics/reactions_kernels.h"

#include "gpu/measure.h"

/* Less water than this is damp ground, in which nothing reacts. [m] */
#define DAMP 0.01

/* Light 1 at the top of a layer with attenuation k: its mean over the thickness h. */
POINTWISE double mean_of_layer(double k, double h) {
    const double x = k * h;
    return x > 1e-4 ? (1.0 - elementary_exp(-x)) / x : 1.0 - 0.5 * x;
}

/* Mean light in each layer, from the surface down. */
POINTWISE void find_light(const React *a, ptrdiff_t m, double *light) {
    double above = a->light ? a->blue * a->light[m] : 0.0;
    for (int k = a->g.n3 - 1; k >= (int)a->g.bottom_c[m]; k--) {
        const ptrdiff_t mk = m + k * a->g.plane;
        const double h = a->g.phi_c[mk] * a->depth[m];
        double attenuation = 1.0 / a->blue_m;
        for (int v = 0; v < a->plan->n_variables; v++)
            attenuation += a->plan->attenuation[v] * max_of(0.0, a->c[v][mk]);
        light[k] = above * mean_of_layer(attenuation, h);
        above *= elementary_exp(-attenuation * h);
    }
}

/* What the points see. */
typedef struct Seen {
    double temperature[KINETICS_POINTS], salinity[KINETICS_POINTS], density[KINETICS_POINTS],
        depth[KINETICS_POINTS], thickness[KINETICS_POINTS], per_thickness[KINETICS_POINTS];
} Seen;

/* The layers k to k + n - 1 of a column; `above` is the part of the depth above layer k. */
POINTWISE void look(const React *a, ptrdiff_t m, int k, int n, double above, Seen *s) {
    for (int p = 0; p < n; p++) {
        const ptrdiff_t mk = m + (k + p) * a->g.plane;
        const double share = a->g.phi_c[mk];
        s->temperature[p] = a->temperature ? a->temperature[mk] : a->same_temperature;
        s->salinity[p] = a->salinity ? a->salinity[mk] : a->same_salinity;
        s->density[p] = a->anomaly ? a->density + a->anomaly[mk] : a->density;
        s->thickness[p] = share * a->depth[m];
        s->per_thickness[p] = 1.0 / s->thickness[p];
        s->depth[p] = (above - 0.5 * share) * a->depth[m];
        above -= share;
    }
}

POINTWISE void take(const React *a, ptrdiff_t m, int k, int n, KineticsStates c) {
    for (int v = 0; v < a->plan->n_variables; v++)
        for (int p = 0; p < n; p++) {
            c[v][p] = a->c[v][m + (k + p) * a->g.plane];
            c[a->plan->n_variables + v][p] = a->bed[v] && k + p == (int)a->g.bottom_c[m] ? a->bed[v][m] : 0.0;
        }
}

/* The number + 1 of a variable that is not finite; 0: all are. */
POINTWISE int find_fault(const KineticsPlan *plan, const KineticsPoints *points, KineticsStates c) {
    for (int v = 0; v < 2 * plan->n_variables; v++) {
        const int count = points_of_state(plan, points, v);
        for (int p = 0; p < count; p++)
            if (!(fabs(c[v][p]) < 1e300)) return v % plan->n_variables + 1;
    }
    return 0;
}

POINTWISE void give(const React *a, ptrdiff_t m, int k, int n, KineticsStates c) {
    for (int v = 0; v < a->plan->n_variables; v++) {
        for (int p = 0; p < n; p++) a->c[v][m + (k + p) * a->g.plane] = c[v][p];
        if (a->bed[v] && k == (int)a->g.bottom_c[m]) a->bed[v][m] = c[a->plan->n_variables + v][0];
    }
}

/* Adds what the processes did in these layers to the column's sums. */
POINTWISE void tally(const React *a, ptrdiff_t m, int n, KineticsRates amount, const double *thickness) {
    for (int r = 0; r < a->plan->n_processes; r++) {
        const bool in_water = a->plan->process[r].place == MAEOTIS_WATER;
        double sum = 0.0;
        for (int p = 0; p < n; p++) sum += amount[r][p] * (in_water ? thickness[p] : 1.0);
        a->amount[r][m] += sum;
    }
}

POINTWISE void react_layers(const React *a, ptrdiff_t m, int k, int n, double above, const double *light) {
    Seen s;
    KineticsStates c;
    KineticsRates amount;
    KineticsPoints points;
    double input[MAEOTIS_MOST_INPUTS];
    look(a, m, k, n, above, &s);
    for (int i = 0; i < a->plan->n_inputs; i++) input[i] = a->input[i][m];
    points.environment.n = n;
    points.environment.temperature = s.temperature;
    points.environment.salinity = s.salinity;
    points.environment.density = s.density;
    points.environment.light = light + k;
    points.environment.depth = s.depth;
    points.environment.thickness = s.thickness;
    points.environment.surface_light = a->light ? a->blue * a->light[m] : 0.0;
    points.environment.wind = a->wind ? a->wind[m] : 0.0;
    points.environment.bed_stress = a->stress ? a->stress[m] : 0.0;
    points.environment.water_depth = a->depth[m];
    points.environment.time = a->time;
    points.environment.input = input;
    points.at_bed = k == (int)a->g.bottom_c[m];
    points.at_surface = k + n == a->g.n3;
    points.per_thickness = s.per_thickness;
    take(a, m, k, n, c);
    for (int r = 0; r < a->plan->n_processes; r++)
        for (int p = 0; p < n; p++) amount[r][p] = 0.0;
    (void)kinetics_integrate(a->plan, &points, a->options, a->dt, c, amount);
    const int fault = find_fault(a->plan, &points, c);
    if (fault > 0) {
        a->fault[m] = fault;
        return;
    }
    give(a, m, k, n, c);
    tally(a, m, n, amount, s.thickness);
}

KERNEL_COLUMNS(react, React) {
    for (int l = 0; l < LANES; l++) {
        const ptrdiff_t m = AT2(a->g, i0, j) + l;
        const int bottom = (int)a->g.bottom_c[m];
        double light[MAX_LEVELS], above = 1.0;
        if (bottom >= a->g.n3) continue;
        a->fault[m] = 0.0;
        for (int r = 0; r < a->plan->n_processes; r++) a->amount[r][m] = 0.0;
        if (!(a->depth[m] > DAMP)) continue;
        find_light(a, m, light);
        for (int k = bottom; k < a->g.n3; k += KINETICS_POINTS) {
            const int n = a->g.n3 - k < KINETICS_POINTS ? a->g.n3 - k : KINETICS_POINTS;
            react_layers(a, m, k, n, above, light);
            for (int p = 0; p < n; p++) above -= a->g.phi_c[m + (k + p) * a->g.plane];
        }
    }
}

MAX_CELLS(react_fault, ReactFault, 1) {
    (void)k;
    most[0] = max_of(a->fault[j * a->row + i], most[0]);
}

KERNEL_COLUMNS(find_shade, Shade) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int deepest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    for (int k = deepest; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        double sum[LANES] = {0};
        for (int n = 0; n < a->count; n++) {
            const double *c = a->c[n] + layer, per_unit = a->per_unit[n];
            FOR_LANES (l) sum[l] += per_unit * max_of(0.0, c[l]);
        }
        FOR_LANES (l) a->shade[layer + l] = sum[l];
    }
}
