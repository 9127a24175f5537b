/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/diffusion.h"

#include "base/memory.h"
#include "numerics/lines/lines.h"
#include "settings/line_choice.h"
#include <math.h>

static const double MOST_AT_ONCE = 0.5; /* share of a cell that both faces pass in a step without lines */

typedef struct DiffusionLines {
    LineLayout *layout;
    LineOperator *lines;
    double *a, *b, *c, *values; /* of the lines */
    unsigned told;
} DiffusionLines;

struct TracerDiffusion {
    const State *state; /* not owned */
    Halo *halo;         /* not owned */
    BlockList around;   /* not owned */
    double *through[2]; /* along x, y: of Diffusion */
    bool at_once;       /* so weak that it needs no lines: then these are empty */
    DiffusionLines direction[2];
    LineChoice choice; /* of lines */
    Diffusion args;
};

/* By the largest sum, over both faces along x or y of a cell, of E/V in a step, as if all ground were wet and no face were lower
 * than its cells. */
bool tracer_diffusion_is_weak(const Scenario *scenario, const Grid *g) {
    double most = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            if (!(g->own_area[m] > 0)) continue;
            const double south = 0.5 * (g->dy_c[j - 1] + g->dy_c[j]),
                         north = 0.5 * (g->dy_c[j] + g->dy_c[j + 1]);
            const double along_x = (g->width_u[m] + g->width_u[m + 1]) / g->dx_c[j],
                         along_y = g->width_v[m] / south + g->width_v[m + g->row] / north;
            most = fmax(most, fmax(along_x, along_y) / g->area[m]);
        }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    return scenario->time.step_s * scenario->physics.tracer_diffusivity_m2_s * most <= MOST_AT_ONCE;
}

static double **field_of(TracerDiffusion *t, int n) {
    double **all[] = {&t->through[0],  &t->through[1], &t->args.lower,
                      &t->args.centre, &t->args.upper, &t->args.change};
    return all[n];
}

static int field_count(const TracerDiffusion *t) {
    return t->at_once ? 2 : 6;
}

Status tracer_diffusion_create(const Scenario *scenario, const State *state, const double *reach,
                               BlockList around, Halo *halo, TracerDiffusion **out) {
    TracerDiffusion *t = *out = ALLOCATE(1, TracerDiffusion);
    const Grid *g = state->grid;
    *t = (TracerDiffusion){
        .state = state, .halo = halo, .around = around, .choice = scenario_line_choice(scenario)};
    t->args = (Diffusion){.g = grid_view(g),
                          .diffusivity = scenario->physics.tracer_diffusivity_m2_s,
                          .viscosity = state->horizontal_viscosity,
                          .passed = 1 / scenario->physics.tracer_prandtl,
                          .reach = reach};
    t->at_once = !state->horizontal_viscosity && tracer_diffusion_is_weak(scenario, g);
    for (int n = 0; n < field_count(t); n++) *field_of(t, n) = field3_create(g);
    if (t->at_once) return STATUS_OK;
    field3_fill(g, t->args.centre, 1.0); /* land */
    for (int n = 0; n < 2; n++) {
        DiffusionLines *d = &t->direction[n];
        TRY(line_layout_of_grid(g, n == 0 ? LINES_X : LINES_Y, &d->layout));
        double **arrays[] = {&d->a, &d->b, &d->c, &d->values};
        for (int m = 0; m < 4; m++) *arrays[m] = lines_allocate(d->layout);
    }
    return STATUS_OK;
}

void tracer_diffusion_destroy(TracerDiffusion **diffusion) {
    TracerDiffusion *t = *diffusion;
    if (!t) return;
    for (int n = 0; n < field_count(t); n++) field3_destroy(t->state->grid, field_of(t, n));
    for (int n = 0; n < 2; n++) {
        DiffusionLines *d = &t->direction[n];
        double *arrays[] = {d->a, d->b, d->c, d->values};
        for (int m = 0; m < 4; m++) memory_free(arrays[m]);
        line_operator_destroy(&d->lines);
        line_layout_destroy(&d->layout);
    }
    memory_free(t);
    *diffusion = NULL;
}

static Diffusion along(const TracerDiffusion *t, int n) {
    Diffusion args = t->args;
    args.along_x = n == 0;
    args.depth = t->state->depth;
    args.through = t->through[n];
    args.face_depth = n == 0 ? t->state->depth_u : t->state->depth_v;
    return args;
}

static Status prepare_lines(TracerDiffusion *t, Exec exec, int n) {
    const Diffusion args = along(t, n);
    DiffusionLines *d = &t->direction[n];
    diffusion_rows(exec, t->state->grid->blocks_c, args);
    lines_from_field(d->layout, args.lower, d->a);
    lines_from_field(d->layout, args.centre, d->b);
    lines_from_field(d->layout, args.upper, d->c);
    const LineRows rows = {.per_line = true, .a = d->a, .b = d->b, .c = d->c};
    TRY(line_operator_renew(d->layout, &rows, &t->choice, &d->lines));
    line_operator_tell(d->lines, n == 0 ? "mixing of tracers along x" : "mixing of tracers along y",
                       &d->told);
    return STATUS_OK;
}

Status tracer_diffusion_begin(TracerDiffusion *t, Exec exec, double dt) {
    t->args.dt = dt;
    for (int n = 0; n < 2; n++) {
        diffusion_faces(exec, t->around, along(t, n));
        if (!t->at_once) TRY(prepare_lines(t, exec, n));
    }
    return STATUS_OK;
}

void tracer_diffusion_do(TracerDiffusion *t, Exec exec, double *c, double *spare) {
    const BlockList blocks = t->state->grid->blocks_c;
    for (int n = 0; n < 2; n++) {
        const DiffusionLines *d = &t->direction[n];
        Diffusion args = along(t, n);
        args.before = n == 0 ? c : spare;
        args.after = n == 0 ? spare : c;
        halo_exchange(t->halo, 0, NULL, 1, (double *[]){n == 0 ? c : spare});
        if (t->at_once) {
            diffusion_at_once(exec, blocks, args);
            continue;
        }
        diffusion_right(exec, blocks, args);
        lines_from_field(d->layout, args.change, d->values);
        lines_solve(d->lines, d->values, d->values);
        lines_to_field(d->layout, d->values, args.change);
        halo_exchange(t->halo, 0, NULL, 1, &args.change);
        diffusion_after(exec, blocks, args);
    }
}
