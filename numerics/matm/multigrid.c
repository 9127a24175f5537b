/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/multigrid.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/matm/coarse_grid.h"
#include "numerics/matm/coarsen.h"
#include "numerics/matm/cycle_steps.h"
#include "numerics/matm/regroup.h"
#include "numerics/matm/sweep.h"

enum { MOST_GRIDS = 24, COARSEST_CYCLES = 4 };
enum { GATHERED = 4 }; /* fields at once, at most */

/* A grid and how it comes from the finer one before it. */
typedef struct Level {
    Grid part_grid, work_grid; /* cut as the finer one is; where fewer ranks work on it: as they cut it */
    LaneLayout *part, *work;
    Regroup *regroup;          /* NULL: the same ranks work on it */
    Lanes *gathered[GATHERED]; /* own parts of what is regrouped */
    Coarsening from_finer;

    LaneLayout *layout; /* the one that is worked on; NULL: this rank rests */
    Pipeline *pipeline;
    MatrixFrame *frame;
    Lanes *x, *r, *plain, *rest, *more;
} Level;

struct Multigrid {
    int count;
    bool halve_levels;
    Level level[MOST_GRIDS]; /* [0] the finest: layout, pipeline and frame are the caller's */
};

/* ---- grids ---- */

/* Periodic directions are halved while that is even. */
static bool can_be_halved(const Grid *g) {
    if (g->nx <= 2 && g->ny <= 2) return false;
    return !(g->axes.periodic_x && g->nx % 2) && !(g->axes.periodic_y && g->ny % 2);
}

/* Leaves the grid to fewer ranks; the others of its layouts stay empty. */
static Status hand_over(Level *l, const int shape[2], bool flat) {
    LaneLayout *work = NULL;
    l->work_grid = coarse_grid_of_fewer(&l->part_grid, shape);
    if (l->work_grid.comm != MPI_COMM_NULL)
        TRY(lane_layout_create(&l->work_grid, l->part->exec, flat, &work));
    l->layout = l->work = work;
    regroup_create(l->part, work, &l->work_grid.decomposition, GATHERED, &l->regroup);
    for (int f = 0; f < GATHERED; f++) l->gathered[f] = lanes_create(l->part);
    return STATUS_OK;
}

static Status level_create(Multigrid *m, LaneDiagonal diagonal) {
    const Level *finer = &m->level[m->count - 1];
    const Grid *fine = finer->layout->grid;
    const Exec exec = finer->layout->exec;
    Level *l = &m->level[m->count++];
    const bool levels = m->halve_levels && fine->n3 > 1, flat = fine->n3 == 1 || finer->layout->levels == 1;
    l->part_grid = coarse_grid_halved(fine, levels);
    int shape[2];
    TRY(lane_layout_create(&l->part_grid, exec, flat, &l->part));
    l->layout = l->part;
    l->from_finer = (Coarsening){finer->layout, l->part, fine->i_first & 1, fine->j_first & 1, levels};
    if (coarse_grid_fewer(&l->part_grid, l->part->levels, shape)) TRY(hand_over(l, shape, flat));
    if (!l->layout) return STATUS_OK;
    l->x = lanes_create(l->layout);
    l->r = lanes_create(l->layout);
    l->plain = lanes_create(l->layout);
    l->rest = lanes_create(l->layout);
    l->more = lanes_create(l->layout);
    TRY(pipeline_create(l->layout, 0, &l->pipeline));
    l->frame = matrix_create(l->layout, l->pipeline, diagonal, false, 0);
    return STATUS_OK;
}

Status multigrid_create(const LaneLayout *layout, Pipeline *pipeline, MatrixFrame *frame, bool halve_levels,
                        Multigrid **out) {
    Multigrid *m = ALLOCATE(1, Multigrid);
    Status status;
    *out = m;
    m->halve_levels = halve_levels;
    m->count = 1;
    m->level[0] = (Level){.layout = (LaneLayout *)layout, .pipeline = pipeline, .frame = frame};
    m->level[0].plain = lanes_create(layout);
    for (const LaneLayout *last = layout; last && m->count < MOST_GRIDS && can_be_halved(last->grid);
         last = m->level[m->count - 1].layout)
        ATTEMPT(level_create(m, frame->a.diagonal));
    return STATUS_OK;
cleanup:
    multigrid_destroy(out);
    return status;
}

void multigrid_destroy(Multigrid **multigrid) {
    Multigrid *m = *multigrid;
    if (!m) return;
    for (int n = 0; n < m->count; n++) {
        Level *l = &m->level[n];
        lanes_destroy(l->layout, &l->plain);
        if (n == 0) continue;
        lanes_destroy(l->layout, &l->x);
        lanes_destroy(l->layout, &l->r);
        lanes_destroy(l->layout, &l->rest);
        lanes_destroy(l->layout, &l->more);
        for (int f = 0; f < GATHERED; f++) lanes_destroy(l->part, &l->gathered[f]);
        matrix_destroy(&l->frame);
        pipeline_destroy(&l->pipeline);
        if (l->regroup && l->work && !coarse_grid_is_everywhere(&l->work_grid.decomposition))
            MPI_Comm_free(&l->work_grid.comm);
        regroup_destroy(&l->regroup);
        lane_layout_destroy(&l->part);
        lane_layout_destroy(&l->work);
        coarse_grid_release(&l->part_grid);
        coarse_grid_release(&l->work_grid);
    }
    memory_free(m);
    *multigrid = NULL;
}

/* ---- setting up ---- */

/* out[n] = sums of x[n] over the finer cells, where this rank works on them. x has its edges. Collective. */
static void restrict_to(const Level *l, int fields, const FinerCells *which, const Lanes *const *x,
                        Lanes *const *out) {
    for (int n = 0; n < fields; n++)
        coarsen_sum(&l->from_finer, which[n], x[n], l->regroup ? l->gathered[n] : out[n]);
    if (l->regroup) regroup_there(l->regroup, fields, l->gathered, out);
}

static void add_couplings(const Level *l, double factor, Lanes *centre) {
    const LaneLayout *layout = l->layout;
    lanes_exchange(layout, l->frame->a.west);
    lanes_exchange(layout, l->frame->a.south);
    couplings_to_centre(layout, (AddCouplings){l->frame->a, factor, centre});
}

static void coarsen_operator(Level *finer, Level *l) {
    const LaneMatrix *a = &finer->frame->a;
    LaneMatrix coarse = {0};
    Lanes *excess = finer->frame->scratch, *coarse_excess = NULL;
    if (l->layout) coarse = l->frame->a, coarse_excess = l->frame->scratch;
    lanes_exchange(finer->layout, excess);
    lanes_exchange(finer->layout, a->west);
    lanes_exchange(finer->layout, a->south);
    lanes_exchange(finer->layout, a->lower);
    restrict_to(l, GATHERED, (FinerCells[]){WEST_CELLS, SOUTH_CELLS, LOWER_CELLS, ALL_CELLS},
                (const Lanes *[]){a->west, a->south, a->lower, excess},
                (Lanes *[]){coarse.west, coarse.south, coarse.lower, coarse_excess});
    add_couplings(finer, 1, excess);
    if (!l->layout) return;
    scale_by(l->layout, (ScaleBy){0.5, coarse.west});
    scale_by(l->layout, (ScaleBy){0.5, coarse.south});
    if (l->from_finer.levels) scale_by(l->layout, (ScaleBy){0.5, coarse.lower});
}

void multigrid_setup(Multigrid *m) {
    add_couplings(&m->level[0], -1, m->level[0].frame->scratch);
    for (int n = 1; n < m->count; n++) coarsen_operator(&m->level[n - 1], &m->level[n]);
    Level *last = &m->level[m->count - 1];
    if (last->layout) add_couplings(last, 1, last->frame->scratch);
    for (int n = 1; n < m->count && m->level[n].layout; n++) matrix_scale(m->level[n].frame);
}

/* ---- the cycle ---- */

/* x = 0, smoothed */
static void smooth_from_zero(const Level *l, const Lanes *r, Lanes *x) {
    sweep_forward(l->pipeline, l->layout, &l->frame->a, 1, r, l->plain, NULL);
    sweep_backward(l->pipeline, l->layout, &l->frame->a, 1, l->plain, x);
}

static void smooth(const Level *l, const Lanes *r, Lanes *x) {
    lanes_exchange(l->layout, x);
    sweep_in_place(l->pipeline, l->layout, &l->frame->a, r, x, true);
    lanes_exchange(l->layout, x);
    sweep_in_place(l->pipeline, l->layout, &l->frame->a, r, x, false);
}

static void solve_coarsest(const Level *l, const Lanes *r, Lanes *x) {
    smooth_from_zero(l, r, x);
    for (int n = 1; n < COARSEST_CYCLES; n++) smooth(l, r, x);
}

/* what x leaves of r, unscaled, to `plain` */
static void find_residual(const Level *l, const Lanes *r, Lanes *x) {
    lanes_exchange(l->layout, x);
    matrix_rest(l->layout, &l->frame->a, x, r, l->frame->unscale, l->plain, NULL);
    lanes_exchange(l->layout, l->plain);
}

static void cycle(Multigrid *m, int n, const Lanes *r, Lanes *x);

/* Corrections that are constant in a cell are too crude for one visit to each grid. Where a coarser grid has an eighth of
 * the cells, the second visit is for what the first has left (a W-cycle). A quarter, of one layer, would come too often:
 * there the coarser grids are smoothed twice (a V-cycle). */
static bool halves_levels(const Level *l) {
    return l->from_finer.levels;
}

static void solve_coarser(Multigrid *m, int n) {
    Level *l = &m->level[n];
    const LaneLayout *layout = l->layout;
    cycle(m, n, l->r, l->x);
    if (n == m->count - 1 || !halves_levels(l)) return;
    lanes_exchange(layout, l->x);
    matrix_rest(layout, &l->frame->a, l->x, l->r, NULL, l->rest, NULL);
    cycle(m, n, l->rest, l->more);
    plus(layout, (Plus){l->more, l->x});
}

/* The correction of grid n for what the finer one has left, unscaled and with its edges, to `plain`. */
static void correct(Multigrid *m, int n) {
    const Level *l = &m->level[n];
    multiply(l->layout, (Multiply){l->frame->scale, l->r, l->r});
    solve_coarser(m, n);
    multiply(l->layout, (Multiply){l->frame->scale, l->x, l->plain});
    /* those who rest get their edges with the correction */
    if (!l->regroup || l->part_grid.axes.periodic_x || l->part_grid.axes.periodic_y)
        lanes_exchange(l->layout, l->plain);
}

static void cycle(Multigrid *m, int n, const Lanes *r, Lanes *x) {
    Level *l = &m->level[n], *coarser = &m->level[n + 1];
    if (n == m->count - 1) {
        solve_coarsest(l, r, x);
        return;
    }
    const bool more = n > 0 && !halves_levels(l);
    smooth_from_zero(l, r, x);
    if (more) smooth(l, r, x);
    find_residual(l, r, x);
    restrict_to(coarser, 1, (FinerCells[]){ALL_CELLS}, (const Lanes *[]){l->plain}, &coarser->r);
    if (coarser->layout) correct(m, n + 1);
    if (coarser->regroup) regroup_back(coarser->regroup, coarser->plain, coarser->gathered[0]);
    refine_add(&coarser->from_finer, coarser->regroup ? coarser->gathered[0] : coarser->plain,
               l->frame->unscale, x);
    if (more) smooth(l, r, x);
    smooth(l, r, x);
}

void multigrid_cycle(Multigrid *m, const Lanes *r, Lanes *z) {
    cycle(m, 0, r, z);
}
