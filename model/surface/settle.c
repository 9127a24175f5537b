/* SPDX-License-Identifier: Apache-2.0 */
#include "model/surface/surface_internal.h"

#include "gpu/results.h"
#include "model/subgrid/subgrid.h"
#include "numerics/grid/traffic.h"

enum { MOST_SWEEPS = 1000, MOST_STOPS = 10000 };

int64_t surface_count(const Grid *g, uint64_t own) {
    int64_t all = (int64_t)own;
    traffic.sums++;
    traffic.summed++;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, g->comm);
    return all;
}

SurfaceFaces surface_faces(const Surface *s, const Faces *f, const double *increment) {
    return (SurfaceFaces){grid_view(s->grid), f->along, increment,     f->conductance,
                          f->flux_predicted,  s->keep,  f->flux_total, f->limit};
}

Settling settling_of(Surface *s, Exec exec, double dt, const double *depth, const Faces *u, const Faces *v,
                     const double *source, double *depth_new, double *eta_new) {
    return (Settling){.surface = s,
                      .exec = exec,
                      .columns = {.g = grid_view(s->grid),
                                  .dt = dt,
                                  .depth = depth,
                                  .source = source,
                                  .flux_u = u->flux_total,
                                  .flux_v = v->flux_total,
                                  .depth_new = depth_new,
                                  .eta_new = eta_new,
                                  .keep = s->keep,
                                  .partly = 1},
                      .u = u,
                      .v = v};
}

void settling_find_depth(const Settling *t, uint64_t *lacking) {
    Surface *s = t->surface;
    halo_exchange(s->halo, 4, (double *[]){t->u->flux_total, t->v->flux_total, t->u->limit, t->v->limit}, 0,
                  NULL);
    for (int done = 0; done < s->grid->columns.count;) {
        const RunList part = runs_next(t->exec, s->grid->columns, &done);
        surface_new_depth(t->exec, part, t->columns);
        if (s->options.subgrid)
            subgrid_levels(
                t->exec, part,
                subgrid_columns(s->options.subgrid, t->columns.depth_new, t->columns.eta_new, NULL));
        surface_negative_ask(t->exec, part, (SurfaceNegative){s->grid->row, t->columns.depth_new}, lacking);
    }
}

static int64_t count_lacking(const Settling *t) {
    uint64_t lacking = 0;
    settling_find_depth(t, &lacking);
    results_fetch(t->exec);
    return surface_count(t->surface->grid, lacking);
}

int settling_reduce_fluxes(Settling *t, int64_t lacking) {
    Surface *s = t->surface;
    const Grid *g = s->grid;
    int sweeps = 0;
    for (; lacking > 0 && sweeps < MOST_SWEEPS + MOST_STOPS; sweeps++) {
        t->columns.partly = sweeps < MOST_SWEEPS;
        halo_exchange(s->halo, 1, &s->keep, 0, NULL);
        surface_limit(t->exec, g->faces_u, surface_faces(s, t->u, NULL));
        surface_limit(t->exec, g->faces_v, surface_faces(s, t->v, NULL));
        lacking = count_lacking(t);
    }
    halo_exchange(s->halo, 2, (double *[]){t->columns.depth_new, t->columns.eta_new}, 0, NULL);
    return sweeps;
}

int surface_settle(Surface *s, Exec exec, double dt, const double *depth, const Faces *u, const Faces *v,
                   const double *source, double *depth_new, double *eta_new) {
    Settling settling = settling_of(s, exec, dt, depth, u, v, source, depth_new, eta_new);
    return settling_reduce_fluxes(&settling, count_lacking(&settling));
}
