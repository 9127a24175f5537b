/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/rotation.h"

#include "base/memory.h"
#include <math.h>

/* What the iteration may leave of the error. */
static const double ENOUGH = 2.5e-4;
enum { MOST_SWEEPS = 100 };

struct Rotation {
    const Grid *grid; /* not owned */
    double fastest;   /* largest |f| [s-1] */
    double *found[2]; /* u* and v* before the first sweep [m s-1]; NULL: one is enough */
};

/* How a step of dt is iterated. */
typedef struct Iteration {
    double renewed; /* r */
    int sweeps;
} Iteration;

static Iteration iteration_of(const Rotation *r, double dt) {
    const double half_turn = 0.5 * dt * r->fastest, renewed = 1 / (1 + half_turn * half_turn);
    int sweeps = 1;
    for (double left = 1 - renewed; left > ENOUGH && sweeps < MOST_SWEEPS; left *= 1 - renewed) sweeps++;
    return (Iteration){renewed, sweeps};
}

Rotation *rotation_create(const Grid *grid, double longest) {
    double fastest = 0;
    for (int j = 0; j < grid->n2; j++) fastest = fmax(fastest, fabs(grid->f[j]));
    MPI_Allreduce(MPI_IN_PLACE, &fastest, 1, MPI_DOUBLE, MPI_MAX, grid->comm);
    if (fastest <= 0) return NULL;
    Rotation *r = ALLOCATE(1, Rotation);
    *r = (Rotation){.grid = grid, .fastest = fastest};
    for (int c = 0; c < 2 && iteration_of(r, 1.01 * longest).sweeps > 1; c++)
        r->found[c] = field3_create(grid);
    return r;
}

void rotation_destroy(Rotation **rotation) {
    Rotation *r = *rotation;
    if (!r) return;
    for (int c = 0; c < 2; c++) field3_destroy(r->grid, &r->found[c]);
    memory_free(r);
    *rotation = NULL;
}

double rotation_rate(const Rotation *r) {
    return r ? r->fastest : 0;
}

static const double *keep(const Rotation *r, Exec exec, int component, const double *predicted) {
    const Grid *g = r->grid;
    exec_copy(exec, r->found[component] - g->origin3, predicted - g->origin3,
              (size_t)g->size3 * sizeof(double));
    return r->found[component];
}

void rotation_centre(Rotation *r, Exec exec, Halo *halo, Momentum u, Momentum v) {
    const Iteration all = iteration_of(r, u.dt);
    const double *found_u = u.faces.predicted, *found_v = v.faces.predicted;
    if (all.sweeps > 1) {
        found_u = keep(r, exec, 0, found_u);
        found_v = keep(r, exec, 1, found_v);
    }
    for (int n = 0; n < all.sweeps; n++) {
        const double kept = n == 0 ? 0 : 1 - all.renewed;
        halo_exchange(halo, 0, NULL, 1, &v.faces.predicted);
        rotation_sweep(exec, r->grid->blocks_u, (RotationSweep){u, found_u, kept, all.renewed});
        halo_exchange(halo, 0, NULL, 1, &u.faces.predicted);
        rotation_sweep(exec, r->grid->blocks_v, (RotationSweep){v, found_v, 0, 1});
    }
}
