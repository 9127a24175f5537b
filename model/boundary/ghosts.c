/* SPDX-License-Identifier: Apache-2.0
 *
 * The ghosts of open faces. Each rank sets those of its own faces, and those among its own cells, for which it knows the
 * faces of other ranks; an exchange then brings the latter to the ranks around.
 */
#include "base/memory.h"
#include "model/boundary/boundaries_internal.h"

/* West, east, south, north of the ghost: an order that does not depend on ranks. */
static int side_of(const OpenFace *f) {
    return (f->along_x ? 0 : 2) + (f->inwards > 0 ? 1 : 0);
}

static void insert(const Boundaries *all, Ghost *ghost, int face) {
    int n = ghost->count++;
    for (; n > 0 && side_of(&all->face[ghost->face[n - 1]]) > side_of(&all->face[face]); n--)
        ghost->face[n] = ghost->face[n - 1];
    ghost->face[n] = face;
}

/* Adds a face to its ghost, of which `number` has 1 + the number, by column. */
static void add_face(Boundaries *all, int face, double *number) {
    const ptrdiff_t m = all->face[face].ghost;
    if (number[m] == 0) {
        all->ghost = ENLARGE(all->ghost, all->n_ghosts + 1, Ghost);
        all->ghost[all->n_ghosts++] = (Ghost){.m = m};
        number[m] = all->n_ghosts;
    }
    insert(all, &all->ghost[(int)number[m] - 1], face);
}

/* Is the ghost a cell of the grid? */
static bool in_grid(const Grid *g, const OpenFace *f) {
    const int i = g->i_first + (int)(f->face - AT2(*g, 0, f->j)), j = g->j_first + f->j;
    const bool periodic = f->along_x ? g->axes.periodic_x : g->axes.periodic_y;
    const int at = f->along_x ? i : j, last = f->along_x ? g->nx : g->ny;
    return periodic || (at != 0 && at != last);
}

/* Has the ghost several faces, of whatever ranks? */
static bool is_shared(const Grid *g, ptrdiff_t ghost) {
    const ptrdiff_t east = ghost + 1, north = ghost + g->row;
    return (g->given_u[ghost] < 0 && g->width_u[ghost] > 0) + (g->given_u[east] > 0 && g->width_u[east] > 0) +
               (g->given_v[ghost] < 0 && g->width_v[ghost] > 0) +
               (g->given_v[north] > 0 && g->width_v[north] > 0) >
           1;
}

/* Faces that share a ghost have a pressure outside of their own. */
static void share_ghosts(Boundaries *all) {
    const ptrdiff_t n3 = all->grid->n3;
    for (int n = 0; n < all->count; n++) {
        OpenFace *f = &all->face[n];
        f->shared = in_grid(all->grid, f) && is_shared(all->grid, f->ghost);
        if (!f->shared) continue;
        if (!all->heavier) all->heavier = ALLOCATE((size_t)all->count * (size_t)n3, double);
        f->heavier = all->heavier + n * n3;
    }
}

Status ghosts_create(Boundaries *all) {
    const Grid *g = all->grid;
    double *number = field2_create(g);
    int inside = 0;
    field2_fill(g, number, 0);
    for (int n = 0; n < all->count; n++) {
        add_face(all, n, number);
        inside |= in_grid(g, &all->face[n]);
    }
    field2_destroy(g, &number);
    share_ghosts(all);
    all->ghosts = flat_list(all->n_ghosts);
    MPI_Allreduce(MPI_IN_PLACE, &inside, 1, MPI_INT, MPI_MAX, g->comm);
    return inside ? halo_create(g, 3 * g->n3 + 1, &all->halo) : STATUS_OK;
}

void ghosts_destroy(Boundaries *all) {
    memory_free(all->ghost);
    memory_free(all->ghosts.run);
    memory_free(all->heavier);
    halo_destroy(&all->halo);
}

void ghosts_exchange(const Boundaries *all, int n2, double *const *fields2, int n3, double *const *fields3) {
    if (all->halo) halo_exchange(all->halo, n2, fields2, n3, fields3);
}
