/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/diffusion.h"

#include "base/memory.h"
#include "numerics/lines/lines.h"

typedef struct DiffusionLines {
    LineLayout *layout;
    LineOperator *lines;
    double *a, *b, *c, *values; /* of the lines */
    double *lower, *upper;      /* fields: their a and c */
    unsigned told;
} DiffusionLines;

struct TracerDiffusion {
    const State *state; /* not owned */
    Halo *halo;         /* not owned */
    DiffusionLines direction[2];
    LineChoice choice; /* of lines */
    Diffusion args;
};

Status tracer_diffusion_create(const State *state, const double *reach, Halo *halo, double diffusivity,
                               double prandtl, LineChoice choice, TracerDiffusion **out) {
    TracerDiffusion *t = *out = ALLOCATE(1, TracerDiffusion);
    const Grid *g = state->grid;
    *t = (TracerDiffusion){.state = state, .halo = halo, .choice = choice};
    t->args = (Diffusion){.g = grid_view(g),
                          .diffusivity = diffusivity,
                          .viscosity = state->horizontal_viscosity,
                          .passed = 1 / prandtl,
                          .reach = reach};
    double **fields[] = {&t->args.centre,        &t->args.change,        &t->direction[0].lower,
                         &t->direction[0].upper, &t->direction[1].lower, &t->direction[1].upper};
    for (int n = 0; n < 6; n++) *fields[n] = field3_create(g);
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
    double **fields[] = {&t->args.centre,        &t->args.change,        &t->direction[0].lower,
                         &t->direction[0].upper, &t->direction[1].lower, &t->direction[1].upper};
    for (int n = 0; n < 6; n++) field3_destroy(t->state->grid, fields[n]);
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

static Diffusion along(const TracerDiffusion *t, bool x) {
    Diffusion args = t->args;
    args.along_x = x;
    args.depth = t->state->depth;
    args.lower = t->direction[x ? 0 : 1].lower;
    args.upper = t->direction[x ? 0 : 1].upper;
    args.face_depth = x ? t->state->depth_u : t->state->depth_v;
    return args;
}

Status tracer_diffusion_begin(TracerDiffusion *t, Exec exec, double dt) {
    t->args.dt = dt;
    for (int n = 0; n < 2; n++) {
        DiffusionLines *d = &t->direction[n];
        diffusion_rows(exec, t->state->grid->blocks_c, along(t, n == 0));
        lines_from_field(d->layout, d->lower, d->a);
        lines_from_field(d->layout, t->args.centre, d->b);
        lines_from_field(d->layout, d->upper, d->c);
        const LineRows rows = {.per_line = true, .a = d->a, .b = d->b, .c = d->c};
        TRY(line_operator_renew(d->layout, &rows, &t->choice, &d->lines));
        line_operator_tell(d->lines, n == 0 ? "mixing of tracers along x" : "mixing of tracers along y",
                           &d->told);
    }
    return STATUS_OK;
}

void tracer_diffusion_do(TracerDiffusion *t, Exec exec, double *c, double *spare) {
    const BlockList blocks = t->state->grid->blocks_c;
    for (int n = 0; n < 2; n++) {
        const DiffusionLines *d = &t->direction[n];
        Diffusion args = along(t, n == 0);
        args.before = n == 0 ? c : spare;
        args.after = n == 0 ? spare : c;
        halo_exchange(t->halo, 0, NULL, 1, (double *[]){n == 0 ? c : spare});
        diffusion_right(exec, blocks, args);
        lines_from_field(d->layout, args.change, d->values);
        lines_solve(d->lines, d->values, d->values);
        lines_to_field(d->layout, d->values, args.change);
        halo_exchange(t->halo, 0, NULL, 1, &args.change);
        diffusion_after(exec, blocks, args);
    }
}
