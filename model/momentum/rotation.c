/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/rotation.h"

#include "base/memory.h"
#include <math.h>

/* What the iteration may leave of the error where it takes several sweeps. */
static const double ENOUGH = 2.5e-4;
enum { MOST_SWEEPS = 100 };

/* Up to the first (f dt/2)^2 one sweep is enough, and a step finds its level once, as beyond the second (f dt 0.5), where
 * nobody resolves inertial motion and passes would be many; the power of it that the last pass may leave. */
static const double SLOW = 1.1e-3, FAST = 0.0625, LAST = 2e-5;

struct Rotation {
    const Grid *grid; /* not owned */
    double fastest;   /* largest |f| [s-1] */
    /* u* and v* before the first sweep, then what rotation_follow turns [m s-1]; NULL: one sweep is enough */
    double *found[2];
    double *before; /* the increment that has been turned [m]; NULL: none ever is */
};

/* How a step of dt is iterated. */
typedef struct Iteration {
    double renewed; /* r */
    int sweeps;
} Iteration;

static double half_turn_square(const Rotation *r, double dt) {
    const double half_turn = r ? 0.5 * dt * r->fastest : 0;
    return half_turn * half_turn;
}

static Iteration iteration_of(const Rotation *r, double dt) {
    const double square = half_turn_square(r, dt), renewed = 1 / (1 + square);
    int sweeps = 1;
    for (double left = square > SLOW ? 1 - renewed : 0; left > ENOUGH && sweeps < MOST_SWEEPS;
         left *= 1 - renewed)
        sweeps++;
    return (Iteration){renewed, sweeps};
}

static bool is_followed(double half_turn_square) {
    return half_turn_square > SLOW && half_turn_square <= FAST;
}

int rotation_passes(const Rotation *r, double dt) {
    const double square = half_turn_square(r, dt);
    int passes = 1;
    if (!is_followed(square)) return passes;
    for (double left = square; left > LAST; left *= square) passes++;
    return passes;
}

double rotation_theta(const Rotation *r, double dt) {
    const double square = half_turn_square(r, dt);
    return is_followed(square) ? 0.5 + 0.5 * square : 0;
}

Rotation *rotation_create(const Grid *grid, double longest) {
    double fastest = 0;
    for (int j = 0; j < grid->n2; j++) fastest = fmax(fastest, fabs(grid->f[j]));
    for (int j = 0; j < grid->n2 && grid->f_c; j++)
        for (int i = 0; i < grid->n1; i++) fastest = fmax(fastest, fabs(grid->f_c[AT2(*grid, i, j)]));
    MPI_Allreduce(MPI_IN_PLACE, &fastest, 1, MPI_DOUBLE, MPI_MAX, grid->comm);
    if (fastest <= 0) return NULL;
    Rotation *r = ALLOCATE(1, Rotation);
    *r = (Rotation){.grid = grid, .fastest = fastest};
    for (int c = 0; c < 2 && iteration_of(r, 1.01 * longest).sweeps > 1; c++)
        r->found[c] = field3_create(grid);
    if (half_turn_square(r, 1.01 * longest) > SLOW)
        r->before = field2_create(grid); /* shorter steps may need it */
    return r;
}

void rotation_destroy(Rotation **rotation) {
    Rotation *r = *rotation;
    if (!r) return;
    for (int c = 0; c < 2; c++) field3_destroy(r->grid, &r->found[c]);
    field2_destroy(r->grid, &r->before);
    memory_free(r);
    *rotation = NULL;
}

double rotation_rate(const Rotation *r) {
    return r ? r->fastest : 0;
}

void rotation_centre(Rotation *r, Exec exec, Halo *halo, Momentum u, Momentum v) {
    const Iteration all = iteration_of(r, u.dt);
    const bool again = all.sweeps > 1;
    RotationSweep of_u = {u, u.faces.predicted, again ? r->found[0] : NULL, 0, all.renewed};
    RotationSweep of_v = {v, v.faces.predicted, again ? r->found[1] : NULL, 0, 1};
    for (int n = 0; n < all.sweeps; n++) {
        halo_exchange(halo, 0, NULL, 1, &v.faces.predicted);
        rotation_sweep(exec, r->grid->blocks_u, of_u);
        halo_exchange(halo, 0, NULL, 1, &u.faces.predicted);
        rotation_sweep(exec, r->grid->blocks_v, of_v);
        of_u.kept = 1 - all.renewed;
        of_u.found = r->found[0];
        of_v.found = r->found[1];
        of_u.keep = of_v.keep = NULL;
    }
}

void rotation_follow(Rotation *r, Exec exec, Halo *halo, Momentum u, Momentum v, int done) {
    const Grid *g = r->grid;
    const Iteration all = iteration_of(r, u.dt);
    if (done == 0) field2_copy(exec, g, NULL, r->before);
    RotationFollow of_u = {u, r->before, r->found[1], r->found[0], 0, all.renewed, 0};
    RotationFollow of_v = {v, r->before, r->found[0], r->found[1], 0, 1, 0};
    rotation_follow_start(exec, g->blocks_v, of_v);
    for (int n = 0; n < all.sweeps; n++) {
        of_u.kept = n == 0 ? 0 : 1 - all.renewed;
        of_u.last = of_v.last = n == all.sweeps - 1 ? 1 : 0;
        halo_exchange(halo, 0, NULL, 1, &r->found[1]);
        rotation_follow_sweep(exec, g->blocks_u, of_u);
        halo_exchange(halo, 0, NULL, 1, &r->found[0]);
        rotation_follow_sweep(exec, g->blocks_v, of_v);
    }
    field2_copy(exec, g, u.increment, r->before);
}
