/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries_internal.h"

#include <math.h>

/* Sums of the one or two numbers that `gather` finds at each face, by boundary, over all ranks, in all->sums.
 * Collective. */
static void sum_faces(Boundaries *all, void (*gather)(Exec, RunList, Imposed), int numbers,
                      const Imposed *args) {
    const int sums = numbers * all->scenario->n_boundaries;
    gather(all->exec, all->list, *args);
    exec_wait(all->exec);
    for (int n = 0; n < sums; n++) exact_sum_clear(&all->sums[n]);
    for (int n = 0; n < all->own; n++)
        for (int c = 0; c < numbers; c++)
            exact_sum_add(&all->sums[numbers * all->source[n].number + c], all->gathered[numbers * n + c]);
    for (int n = 0; n < sums; n++) exact_sum_normalise(&all->sums[n]);
    MPI_Allreduce(MPI_IN_PLACE, all->sums, sums * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, all->grid->comm);
}

/* The discharge of each boundary, and the weights by which it is dealt out. Collective. */
static void weigh_faces(Boundaries *all, const Imposed *args) {
    const int boundaries = all->scenario->n_boundaries;
    for (int n = 0; n < boundaries; n++) all->dealt[n].discharge = outside_discharge(all->outside[n]);
    sum_faces(all, open_faces_section, 2, args);
    for (int n = 0; n < boundaries; n++)
        all->dealt[n].level =
            exact_sum_value(&all->sums[2 * n + 1]) / fmax(exact_sum_value(&all->sums[2 * n]), 1e-300);
    sum_faces(all, open_faces_weigh, 1, args);
    for (int n = 0; n < boundaries; n++) all->dealt[n].weight = exact_sum_value(&all->sums[n]);
}

void boundaries_impose(Boundaries *all, Waves waves, OpenWater water, State *s, const Faces *u,
                       const Faces *v) {
    const Imposed args = {.g = grid_view(all->grid),
                          .face = all->face,
                          .outside = all->now,
                          .dealt = all->dealt,
                          .dt = waves.dt,
                          .dt_before = waves.dt_before,
                          .gravity = waves.gravity,
                          .water = water,
                          .u = *u,
                          .v = *v,
                          .eta = s->eta,
                          .depth = s->depth,
                          .increment = s->increment,
                          .gathered = all->gathered};
    if (all->some_discharge) weigh_faces(all, &args);
    open_faces_impose(all->exec, all->list, args);
}
