/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tracer_sea.h"

#include "base/memory.h"
#include <math.h>

enum { NX = 24, NY = 11 };
#define MOST_MOVED 0.9                /* of a cell's water in a step */
#define SLOPING(g) ((g)->n3 % 2 == 0) /* whether layers count as along the bed */

static const Exec exec = {.device = DEVICE_CPU};
static int layers; /* of the grid */

static int any_columns(int i, int j) {
    return (int)(test_number(3, i, j, 0) * (layers + 1));
}

static int shelf_columns(int i, int j) {
    return i < NX / 2 ? layers : any_columns(i, j);
}

static double **plane_of(TracerSea *s, int n) {
    double **all[] = {&s->reach, &s->depth,   &s->depth_new, &s->hot,      &s->source,   &s->source_in,
                      &s->load,  &s->carried, &s->plane[0],  &s->plane[1], &s->plane[2], NULL};
    return all[n];
}

static double **field_of(TracerSea *s, int n) {
    double **all[] = {&s->flux[0], &s->flux[1], &s->flux[2], &s->c, &s->before, &s->low, NULL};
    return all[n];
}

int tracer_sea_lowest(const TracerSea *s, int i, int j) {
    const Grid *g = s->grid;
    return i < 0 || j < 0 || i >= g->n1 || j >= g->n2 ? g->n3 : (int)s->reach[AT2(*g, i, j)];
}

TracerSea tracer_sea_create(int n3, bool shelf, TransportScheme scheme) {
    layers = n3;
    const SystemShape shape = {
        .nx = NX, .ny = NY, .nz = n3, .levels = shelf ? shelf_columns : any_columns, .seed = 1};
    TracerSea s = {.system = test_system_create(MPI_COMM_SELF, &shape, 0, 0)};
    const Grid *g = s.grid = s.system->grid;
    for (int n = 0; plane_of(&s, n); n++) *plane_of(&s, n) = field2_create(g);
    for (int n = 0; field_of(&s, n); n++) *field_of(&s, n) = field3_create(g);
    field2_fill(g, s.reach, g->n3);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            s.reach[m] = g->bottom_c[m];
            if (s.reach[m] < g->n3) s.depth[m] = -g->bed[m] * (0.2 + test_number(4, i, j, 0));
        }
    passes_create(g, exec, scheme, s.reach, 1, &s.passes);
    return s;
}

void tracer_sea_destroy(TracerSea *s) {
    passes_destroy(&s->passes);
    for (int n = 0; plane_of(s, n); n++) field2_destroy(s->grid, plane_of(s, n));
    for (int n = 0; field_of(s, n); n++) field3_destroy(s->grid, field_of(s, n));
    test_system_destroy(&s->system);
}

double tracer_sea_volume(const TracerSea *s, const double *depth, int i, int j, int k) {
    const Grid *g = s->grid;
    return g->area[AT2(*g, i, j)] * g->phi_c[AT(*g, i, j, k)] * depth[AT2(*g, i, j)];
}

bool tracer_sea_neighbour(const TracerSea *s, int i, int j, int k, int side, ptrdiff_t *step) {
    const Grid *g = s->grid;
    const int sign = side % 2 ? 1 : -1, di = side / 2 == 0 ? sign : 0, dj = side / 2 == 1 ? sign : 0,
              dk = side / 2 == 2 ? sign : 0;
    *step = di + dj * g->row + dk * g->plane;
    return k + dk < g->n3 && k + dk >= tracer_sea_lowest(s, i + di, j + dj);
}

double tracer_sea_inflow(const TracerSea *s, ptrdiff_t m, int side) {
    const ptrdiff_t step[] = {1, s->grid->row, s->grid->plane};
    const double *flux = s->flux[side / 2];
    return side % 2 ? -flux[m + step[side / 2]] : flux[m];
}

void tracer_sea_flows(const TracerSea *s, int i, int j, int k, double *in, double *out) {
    const ptrdiff_t m = AT(*s->grid, i, j, k), column = AT2(*s->grid, i, j);
    *in = s->grid->phi_c[m] * s->source_in[column];
    *out = s->grid->phi_c[m] * (s->source_in[column] - s->source[column]);
    for (int side = 0; side < TRACER_SEA_SIDES; side++) {
        *in += fmax(0, tracer_sea_inflow(s, m, side));
        *out += fmax(0, -tracer_sea_inflow(s, m, side));
    }
}

/* Through lower faces flows what continuity makes of the rest, from the bed up. */
static void set_vertical_flow(TracerSea *s, int i, int j) {
    const Grid *g = s->grid;
    const ptrdiff_t column = AT2(*g, i, j);
    double gain = s->source[column], flux = 0;
    for (int k = tracer_sea_lowest(s, i, j); k < g->n3; k++)
        for (int side = 0; side < 4; side++) gain += tracer_sea_inflow(s, AT(*g, i, j, k), side);
    s->depth_new[column] = s->depth[column] + TRACER_SEA_DT * gain / g->area[column];
    for (int k = tracer_sea_lowest(s, i, j); k < g->n3; k++) {
        const ptrdiff_t m = AT(*g, i, j, k);
        s->flux[2][m] = flux;
        for (int side = 0; side < 4; side++) flux += tracer_sea_inflow(s, m, side);
        flux += g->phi_c[m] * (s->source[column] - gain);
    }
}

/* Any flow along the layers, and any sources, `scale` times. Returns how much of a cell's water moves at most. */
static double set_flow(TracerSea *s, double scale) {
    const Grid *g = s->grid;
    double most = 0;
    FOR_WATER(s, i, j, k)
    for (int d = 0; d < 2; d++) {
        ptrdiff_t step;
        const double any = test_number(100 + 2 * (uint64_t)s->step + (uint64_t)d, i, j, k) - 0.5;
        s->flux[d][AT(*g, i, j, k)] = tracer_sea_neighbour(s, i, j, k, 2 * d, &step) ? scale * any : 0;
    }
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t column = AT2(*g, i, j);
            const double size = s->sources ? scale : 0;
            s->source_in[column] = size * test_number(11, i, j, s->step);
            s->source[column] = s->source_in[column] - size * test_number(12, i, j, s->step);
            s->carried[column] = s->source_in[column] * test_number(13, i, j, s->step);
            s->load[column] = s->carried[column] * 9 * test_number(14, i, j, s->step);
            set_vertical_flow(s, i, j);
        }
    FOR_WATER(s, i, j, k) {
        double in, out;
        tracer_sea_flows(s, i, j, k, &in, &out);
        const double before = tracer_sea_volume(s, s->depth, i, j, k);
        most = fmax(most, TRACER_SEA_DT * out / before);
        most = fmax(most, 1 - tracer_sea_volume(s, s->depth_new, i, j, k) / before);
    }
    return most;
}

static void find_low(TracerSea *s) {
    FOR_WATER(s, i, j, k) {
        const ptrdiff_t m = AT(*s->grid, i, j, k), column = AT2(*s->grid, i, j);
        double in, out, sum = s->grid->phi_c[m] * (s->load[column] - s->carried[column] * s->before[m]);
        tracer_sea_flows(s, i, j, k, &in, &out);
        for (int side = 0; side < TRACER_SEA_SIDES; side++) {
            ptrdiff_t step;
            const double f = tracer_sea_inflow(s, m, side);
            if (tracer_sea_neighbour(s, i, j, k, side, &step) && f > 0)
                sum += f * (s->before[m + step] - s->before[m]);
        }
        const double water = tracer_sea_volume(s, s->depth, i, j, k) + TRACER_SEA_DT * (in - out);
        s->low[m] = s->before[m] + TRACER_SEA_DT * sum / water;
    }
}

static void take(Bounds *b, double value) {
    b->least = fmin(b->least, value);
    b->most = fmax(b->most, value);
}

Bounds tracer_sea_promised(const TracerSea *s, int i, int j, int k, TransportScheme scheme) {
    const Grid *g = s->grid;
    const ptrdiff_t m = AT(*g, i, j, k);
    const double *c = s->before + m;
    const int top = g->n3 - 1, bed = tracer_sea_lowest(s, i, j);
    Bounds b = {*c, *c};
    for (int side = 0; side < TRACER_SEA_SIDES; side++) {
        ptrdiff_t step;
        if (!tracer_sea_neighbour(s, i, j, k, side, &step)) continue;
        take(&b, c[step]);
        if (scheme == TRANSPORT_FCT) take(&b, s->low[m]), take(&b, s->low[m + step]);
        if (scheme != TRANSPORT_LOW && k == bed && side < 4 && k > 0 &&
            tracer_sea_neighbour(s, i, j, k - 1, side, &step))
            take(&b, 0.5 * (c[step] + c[step - g->plane]));
    }
    const bool line = k == top ? bed <= top - 3 : k == bed && k <= top - 2;
    if (scheme != TRANSPORT_LOW && line) {
        const ptrdiff_t in = k == top ? -g->plane : g->plane;
        const double last = c[0] - c[in];
        double gap = c[in] - c[2 * in];
        if ((scheme == TRANSPORT_FCT || SLOPING(g)) && (k == top || k <= top - 3)) {
            const double before = c[2 * in] - c[3 * in], bend = gap - before;
            const double ratio = fmin(4, fabs(gap / before));
            if (SLOPING(g) && gap * before > 0 && ratio > 2)
                gap *= ratio - 0.5;
            else if (bend * gap > 0) /* at most to twice the gap */
                gap += copysign(fmin(fabs(bend), fabs(gap)), gap);
        }
        if (gap * last > 0) take(&b, c[in] + 1.5 * copysign(fmin(fabs(gap), fabs(last)), last));
    }
    return b;
}

void tracer_sea_step(TracerSea *s, bool mixes) {
    const Grid *g = s->grid;
    const double most = set_flow(s, 1);
    (void)set_flow(s, MOST_MOVED / most);
    FOR_WATER(s, i, j, k) s->before[AT(*g, i, j, k)] = s->c[AT(*g, i, j, k)];
    Transport a = {.g = grid_view(g),
                   .dt = TRACER_SEA_DT,
                   .depth = s->depth,
                   .depth_new = s->depth_new,
                   .flux_u = s->flux[0],
                   .flux_v = s->flux[1],
                   .flux_w = s->flux[2],
                   .source = s->source,
                   .source_in = s->source_in,
                   .sloping = SLOPING(g),
                   .hot = s->hot,
                   .count = 1};
    a.tracer[0] = (Carried){
        .c = s->c, .load = s->load, .carried = s->carried, .least_ever = s->least_ever, .most_ever = FAR};
    passes_lend(s->passes, &a);
    const Mixing mixing = {.g = a.g,
                           .dt = TRACER_SEA_DT,
                           .depth = s->depth_new,
                           .same_diffusivity = 1e-3,
                           .count = 1,
                           .c = {s->c},
                           .contents = {{s->plane[0], s->plane[1], s->plane[2]}}};
    passes_do(s->passes, exec, &a, &(Substeps){.parts = 0}, mixes ? &mixing : NULL);
    find_low(s);
    double *kept = s->depth;
    s->depth = s->depth_new;
    s->depth_new = kept;
    s->step++;
}
