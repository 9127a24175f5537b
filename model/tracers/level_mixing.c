/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/level_mixing.h"

#include "base/memory.h"
#include <math.h>

struct LevelMixer {
    const State *state; /* not owned */
    Halo *halo;         /* not owned */
    const Subgrid *subgrid;
    bool by_density;
    LevelMixing args;
};

LevelMixer *level_mixer_create(const State *state, const ScenarioPhysics *physics, const Subgrid *subgrid,
                               const double *reach, Halo *halo) {
    const Grid *g = state->grid;
    LevelMixer *y = ALLOCATE(1, LevelMixer);
    *y = (LevelMixer){.state = state,
                      .halo = halo,
                      .subgrid = subgrid,
                      .by_density = physics->mix_along == MIX_ALONG_DENSITY};
    y->args = (LevelMixing){.g = grid_view(g),
                            .diffusivity = physics->tracer_diffusivity_m2_s,
                            .viscosity = state->horizontal_viscosity,
                            .passed = 1 / physics->tracer_prandtl,
                            .reach = reach,
                            .steepest = physics->mix_steepest};
    for (int n = 0; n < 2; n++) {
        y->args.gains[n] = field3_create(g);
        y->args.gains_behind[n] = field3_create(g);
    }
    if (subgrid) y->args.sunk = field3_create(g), y->args.below = field3_create(g);
    return y;
}

void level_mixer_destroy(LevelMixer **mixer) {
    LevelMixer *y = *mixer;
    if (!y) return;
    for (int n = 0; n < 2; n++) {
        field3_destroy(y->state->grid, &y->args.gains[n]);
        field3_destroy(y->state->grid, &y->args.gains_behind[n]);
    }
    field3_destroy(y->state->grid, &y->args.sunk), field3_destroy(y->state->grid, &y->args.below);
    memory_free(y);
    *mixer = NULL;
}

void level_mixer_begin(LevelMixer *y, Exec exec) {
    if (!y || !y->subgrid) return;
    const State *s = y->state;
    subgrid_heights(y->subgrid, exec, y->halo, s->depth, y->args.below);
    subgrid_lower_sides(y->subgrid, exec, s->depth, y->args.sunk);
    halo_exchange(y->halo, 0, NULL, 1, &y->args.sunk);
}

int level_passes(const Grid *g, double diffusivity, double dt) {
    double least = axes_dy_m(&g->axes);
    for (int j = 0; j < g->ny; j++) least = fmin(least, axes_dx_m(&g->axes, j + 0.5));
    return (int)fmax(1, fmin(ceil(dt * diffusivity / (least * least) / LEVEL_PART), 1e6));
}

void level_mixer_do(LevelMixer *y, Exec exec, double dt, double *c) {
    const State *s = y->state;
    const Grid *g = s->grid;
    int passes = level_passes(g, y->args.diffusivity, dt);
    if (passes > MOST_LEVEL_PASSES) passes = MOST_LEVEL_PASSES;
    LevelMixing args = y->args;
    args.dt = dt / passes;
    args.depth = s->depth;
    if (y->by_density) args.density = s->density;
    args.c = c;
    for (int pass = 0; pass < passes; pass++) {
        halo_exchange(y->halo, 0, NULL, 1, &c);
        for (int n = 0; n < 2; n++) {
            args.along_x = n == 0;
            args.face_depth = n == 0 ? s->depth_u : s->depth_v;
            if (y->subgrid) args.ground = n == 0 ? y->subgrid->u : y->subgrid->v;
            args.bed_face = n == 0 ? g->bed_u : g->bed_v;
            args.gain = args.gains[n];
            args.gain_behind = args.gains_behind[n];
            level_exchange(exec, n == 0 ? g->faces_u : g->faces_v, args);
        }
        halo_exchange(y->halo, 0, NULL, 2, args.gains_behind);
        level_after(exec, g->blocks_c, args);
    }
}
