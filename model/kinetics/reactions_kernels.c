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

/* Thickness of a layer. [m] */
POINTWISE double thickness_of(const React *a, ptrdiff_t m, ptrdiff_t mk) {
    return a->sunk ? a->sunk[mk] - a->sunk[mk + a->g.plane] : a->g.phi_c[mk] * a->depth[m];
}

/* The wet part of a column's area. */
POINTWISE double wet_part(const React *a, ptrdiff_t m) {
    return a->wide ? max_of(a->wide[m + a->g.n3 * a->g.plane], 1e-300) : 1.0;
}

/* Under the surface, where there is one. [W m-2] */
POINTWISE double light_of_sun(const React *a, ptrdiff_t m) {
    if (!a->light) return 0.0;
    return a->lit ? a->blue * (a->light[m] / max_of(a->lit[m], 1e-300)) : a->blue * a->light[m];
}

/* Mean light in each layer, from the surface down. */
POINTWISE void find_light(const React *a, ptrdiff_t m, double *light) {
    double above = light_of_sun(a, m);
    for (int k = a->g.n3 - 1; k >= (int)a->g.bottom_c[m]; k--) {
        const ptrdiff_t mk = m + k * a->g.plane;
        const double h = thickness_of(a, m, mk);
        double attenuation = 1.0 / a->blue_m;
        for (int v = 0; v < a->plan->n_variables; v++)
            attenuation += a->plan->attenuation[v] * max_of(0.0, a->c[v][mk]);
        light[k] = above * mean_of_layer(attenuation, h);
        above *= elementary_exp(-attenuation * h);
    }
}

/* What the points see; what they are, over the area of the column. */
typedef struct Seen {
    double temperature[KINETICS_POINTS], salinity[KINETICS_POINTS], density[KINETICS_POINTS],
        depth[KINETICS_POINTS], thickness[KINETICS_POINTS];
    double volume[KINETICS_POINTS], bed[KINETICS_POINTS], surface; /* [m], parts of the area */
    double bed_part[KINETICS_POINTS], surface_part[KINETICS_POINTS];
} Seen;

/* The bed that lies in layer k, as a part of the column's area. */
POINTWISE double bed_of_layer(const React *a, ptrdiff_t m, int k) {
    const int bottom = (int)a->g.bottom_c[m];
    const ptrdiff_t mk = m + k * a->g.plane;
    if (!a->wide) return k == bottom ? 1.0 : 0.0;
    return max_of(0.0, a->wide[mk + a->g.plane] - (k > bottom ? a->wide[mk] : 0.0));
}

/* The layers k to k + n - 1 of a column; `above` is the part of the depth above layer k. */
POINTWISE void look(const React *a, ptrdiff_t m, int k, int n, double above, Seen *s) {
    s->surface = wet_part(a, m);
    for (int p = 0; p < n; p++) {
        const ptrdiff_t mk = m + (k + p) * a->g.plane;
        const double share = a->g.phi_c[mk];
        s->temperature[p] = a->temperature ? a->temperature[mk] : a->same_temperature;
        s->salinity[p] = a->salinity ? a->salinity[mk] : a->same_salinity;
        s->density[p] = a->anomaly ? a->density + a->anomaly[mk] : a->density;
        s->volume[p] = share * a->depth[m];
        s->thickness[p] = thickness_of(a, m, mk);
        s->bed[p] = bed_of_layer(a, m, k + p);
        const double per_volume = 1.0 / s->volume[p];
        s->bed_part[p] = s->bed[p] * per_volume;
        s->surface_part[p] = s->surface * per_volume;
        s->depth[p] =
            a->sunk ? 0.5 * (a->sunk[mk] + a->sunk[mk + a->g.plane]) : (above - 0.5 * share) * a->depth[m];
        above -= share;
    }
}

/* On the bed of each of the layers lies what lies on all of the column's, over the wet part of the area. */
POINTWISE void take(const React *a, ptrdiff_t m, int k, int n, int beds, const Seen *s, KineticsStates c) {
    for (int v = 0; v < a->plan->n_variables; v++) {
        const double store = a->bed[v] ? a->bed[v][m] : 0.0, on_bed = a->wide ? store / s->surface : store;
        for (int p = 0; p < n; p++) {
            c[v][p] = a->c[v][m + (k + p) * a->g.plane];
            c[a->plan->n_variables + v][p] = p < beds ? on_bed : 0.0;
        }
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

/* The store of a bed, from what lies on it in each layer. */
POINTWISE double store_of(const React *a, double store, int beds, const Seen *s, const double *on_bed) {
    double change = 0.0;
    if (!a->wide) return on_bed[0];
    for (int p = 0; p < beds; p++) change += s->bed[p] * (on_bed[p] - store / s->surface);
    return store + change;
}

POINTWISE void give(const React *a, ptrdiff_t m, int k, int n, int beds, const Seen *s, KineticsStates c) {
    for (int v = 0; v < a->plan->n_variables; v++) {
        for (int p = 0; p < n; p++) a->c[v][m + (k + p) * a->g.plane] = c[v][p];
        if (a->bed[v] && beds > 0)
            a->bed[v][m] = store_of(a, a->bed[v][m], beds, s, c[a->plan->n_variables + v]);
    }
}

/* What a process acts on at a point: its volume over the area, or a part of the area. */
POINTWISE double part_of_column(const Seen *s, int place, int p) {
    if (place == MAEOTIS_WATER) return s->volume[p];
    return place == MAEOTIS_BED ? s->bed[p] : s->surface;
}

/* Adds what the processes did in these layers to the column's sums. */
POINTWISE void tally(const React *a, ptrdiff_t m, int n, KineticsRates amount, const Seen *s) {
    for (int r = 0; r < a->plan->n_processes; r++) {
        const int place = a->plan->process[r].place;
        double sum = 0.0;
        for (int p = 0; p < n; p++) sum += amount[r][p] * part_of_column(s, place, p);
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
    points.environment.surface_light = light_of_sun(a, m);
    points.environment.wind = a->wind ? a->wind[m] : 0.0;
    points.environment.bed_stress = a->stress ? a->stress[m] : 0.0;
    points.environment.water_depth = a->depth[m] / s.surface;
    points.environment.time = a->time;
    points.environment.input = input;
    points.beds = a->wide ? n : k == (int)a->g.bottom_c[m] ? 1 : 0;
    points.at_surface = k + n == a->g.n3;
    points.bed_part = s.bed_part, points.surface_part = s.surface_part;
    take(a, m, k, n, points.beds, &s, c);
    for (int r = 0; r < a->plan->n_processes; r++)
        for (int p = 0; p < n; p++) amount[r][p] = 0.0;
    (void)kinetics_integrate(a->plan, &points, a->options, a->dt, c, amount);
    const int fault = find_fault(a->plan, &points, c);
    if (fault > 0) {
        a->fault[m] = fault;
        return;
    }
    give(a, m, k, n, points.beds, &s, c);
    tally(a, m, n, amount, &s);
}

KERNEL_COLUMNS(react, React) {
    for (int l = 0; l < LANES; l++) {
        const ptrdiff_t m = AT2(a->g, i0, j) + l;
        const int bottom = (int)a->g.bottom_c[m];
        double light[MAX_LEVELS], above = 1.0;
        if (bottom >= a->g.n3) continue;
        a->fault[m] = 0.0;
        for (int r = 0; r < a->plan->n_processes; r++) a->amount[r][m] = 0.0;
        if (!(a->depth[m] > DAMP * wet_part(a, m))) continue;
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
