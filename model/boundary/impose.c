/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries_internal.h"

/* The weights of all ranks' faces, and what there is to deal out. Collective. */
static void weigh_faces(Boundaries *all, const Imposed *args) {
    const int boundaries = all->scenario->n_boundaries;
    open_faces_weigh(all->exec, all->list, *args);
    exec_wait(all->exec);
    for (int n = 0; n < boundaries; n++) exact_sum_clear(&all->weights[n]);
    for (int n = 0; n < all->count; n++)
        exact_sum_add(&all->weights[all->source[n].number], all->gathered[n]);
    for (int n = 0; n < boundaries; n++) exact_sum_normalise(&all->weights[n]);
    MPI_Allreduce(MPI_IN_PLACE, all->weights, boundaries * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM,
                  all->grid->comm);
    for (int n = 0; n < boundaries; n++)
        all->dealt[n] = (Dealt){outside_discharge(all->outside[n]), exact_sum_value(&all->weights[n])};
}

void boundaries_impose(Boundaries *all, Waves waves, State *s, const Faces *u, const Faces *v) {
    const Imposed args = {.g = grid_view(all->grid),
                          .face = all->face,
                          .outside = all->now,
                          .dealt = all->dealt,
                          .dt = waves.dt,
                          .dt_before = waves.dt_before,
                          .gravity = waves.gravity,
                          .u = *u,
                          .v = *v,
                          .eta = s->eta,
                          .depth = s->depth,
                          .increment = s->increment,
                          .gathered = all->gathered};
    if (all->some_discharge) weigh_faces(all, &args);
    open_faces_impose(all->exec, all->list, args);
}
