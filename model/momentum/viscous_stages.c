/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/viscous_stages.h"

#include "base/memory.h"
#include "model/momentum/implicit.h"

struct ViscousStages {
    const Grid *grid; /* not owned */
    double *other[2]; /* the second field of u and of v, which take turns with `predicted` [m s-1] */
    double *sum;      /* of weights, of a component's columns */
    double rate;      /* W of a constant viscosity in a step of 1 s [s-1] */
};

/* The largest sum of weights of both components, in steps of their length. Collective. */
static double largest_sum(const ViscousStages *s, Exec exec, const Momentum *u, const Momentum *v) {
    const Grid *g = s->grid;
    double most = 0;
    viscous_sums(exec, g->blocks_u, (ViscousSums){*u, s->sum});
    viscous_most(exec, g->faces_u, (ViscousMost){g->row, s->sum}, &most);
    viscous_sums(exec, g->blocks_v, (ViscousSums){*v, s->sum});
    viscous_most(exec, g->faces_v, (ViscousMost){g->row, s->sum}, &most);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    return most;
}

/* The same of a step of 1 s in a sea without dry ground. */
static double constant_rate(const ViscousStages *s, Momentum u, Momentum v) {
    const Grid *g = s->grid;
    double *wet = field2_create(g);
    field2_fill(g, wet, 1);
    u.faces.depth = v.faces.depth = wet;
    u.dt = v.dt = 1;
    const double rate = largest_sum(s, g->exec, &u, &v);
    field2_destroy(g, &wet);
    return rate;
}

ViscousStages *viscous_stages_create(const Grid *grid, Momentum u, Momentum v) {
    ViscousStages *s = ALLOCATE(1, ViscousStages);
    s->grid = grid;
    for (int c = 0; c < 2; c++) s->other[c] = field3_create(grid);
    s->sum = field2_create(grid);
    if (!u.viscosity_c) s->rate = constant_rate(s, u, v);
    return s;
}

void viscous_stages_destroy(ViscousStages **stages) {
    ViscousStages *s = *stages;
    if (!s) return;
    for (int c = 0; c < 2; c++) field3_destroy(s->grid, &s->other[c]);
    field2_destroy(s->grid, &s->sum);
    memory_free(s);
    *stages = NULL;
}

double viscous_stages_weights(const ViscousStages *s, Exec exec, const Momentum *u, const Momentum *v) {
    return u->viscosity_c ? largest_sum(s, exec, u, v) : s->rate * u->dt;
}

int viscous_stages_choose(const ViscousStages *s, Exec exec, double entering, Momentum *u, Momentum *v) {
    const double weights = viscous_stages_weights(s, exec, u, v);
    const bool in_sum = u->viscosity_in_sum && entering * u->dt + 2 * weights <= 1;
    u->viscosity_in_sum = v->viscosity_in_sum = in_sum;
    return in_sum ? 0 : viscous_stages_count(weights);
}

static void take_turns(double **a, double **b) {
    double *kept = *a;
    *a = *b;
    *b = kept;
}

void viscous_stages_act(ViscousStages *s, int count, Exec exec, Halo *halo, Momentum *u, Momentum *v) {
    const Grid *g = s->grid;
    for (int n = 1; n <= count; n++) {
        const StageWeights weights = stage_weights(n, count);
        halo_exchange(halo, 0, NULL, 2, (double *[]){u->faces.predicted, v->faces.predicted});
        viscous_stage(exec, g->blocks_u, (ViscousStage){*u, u->faces.predicted, s->other[0], weights});
        viscous_stage(exec, g->blocks_v, (ViscousStage){*v, v->faces.predicted, s->other[1], weights});
        take_turns(&u->faces.predicted, &s->other[0]);
        take_turns(&v->faces.predicted, &s->other[1]);
    }
    u->other.predicted = v->faces.predicted;
    v->other.predicted = u->faces.predicted;
    implicit_flux(exec, g->blocks_u, *u);
    implicit_flux(exec, g->blocks_v, *v);
}
