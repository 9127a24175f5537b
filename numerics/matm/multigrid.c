/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/multigrid.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/matm/coarsen.h"
#include "numerics/matm/cycle_steps.h"
#include "numerics/matm/lane_exchange.h"
#include "numerics/matm/sweep.h"

enum { MOST_GRIDS = 24, THIN = 8, COARSEST_CYCLES = 4 };
enum { GATHERED = 4 };             /* fields at once, at most */
static const int64_t SMALL = 4096; /* cells; a grid that messages about would cost more than its work */

/* A grid and how it comes from the finer one before it. */
typedef struct Level {
    Grid part_grid, whole_grid; /* as much of them as layouts ask for; whole: where gathered */
    LaneLayout *part, *whole;
    Lanes *gathered[GATHERED]; /* own parts of what is gathered */
    Coarsening from_finer;

    LaneLayout *layout; /* the one that is worked on */
    Pipeline *pipeline;
    MatrixFrame *frame;
    Lanes *x, *r, *plain, *rest, *more;
} Level;

struct Multigrid {
    int count;
    bool halve_levels;
    Level level[MOST_GRIDS]; /* [0] the finest: layout, pipeline and frame are the caller's */
    Real *message;           /* for gathering */
    int *lengths, *places;
};

/* ---- grids ---- */

static int half(int n) {
    return (n + 1) / 2;
}

static int *halve_cuts(int count, const int *from) {
    int *to = ALLOCATE(count, int);
    for (int n = 0; n < count; n++) to[n] = half(from[n]);
    return to;
}

/* All cells are taken for water; couplings of land are 0. */
static void fill_grid(Grid *g, int n1, int n2, int n3) {
    g->n1 = n1;
    g->n2 = n2;
    g->n3 = n3;
    g->row = n1;
    g->plane = (ptrdiff_t)n1 * n2;
    g->bottom_c = ALLOCATE((size_t)n1 * n2 + 1, double);
    g->columns.elements = (int64_t)n1 * n2;
    g->cells.elements = (int64_t)n1 * n2 * n3;
}

static void release_grid(Grid *g) {
    memory_free(g->bottom_c);
    memory_free(g->decomposition.cut_x);
    memory_free(g->decomposition.cut_y);
}

typedef struct Rectangle {
    int from[2], to[2];
} Rectangle;

static Rectangle rectangle_of(const Decomposition *d, int rank) {
    const int p = rank % d->ranks_x, q = rank / d->ranks_x, *cut_x = decomposition_cut_x(d, q) + p;
    return (Rectangle){{cut_x[0], d->cut_y[q]}, {cut_x[1], d->cut_y[q + 1]}};
}

static int cells_in(const Rectangle *r) {
    return (r->to[0] - r->from[0]) * (r->to[1] - r->from[1]);
}

static Grid part_of_half(const Grid *fine, bool levels) {
    const Decomposition *d = &fine->decomposition;
    Grid g = {.nx = half(fine->nx), .ny = half(fine->ny), .comm = fine->comm};
    g.decomposition = *d;
    g.decomposition.cut_x = halve_cuts((d->ranks_x + 1) * d->ranks_y, d->cut_x);
    g.decomposition.cut_y = halve_cuts(d->ranks_y + 1, d->cut_y);
    decomposition_find_sides(&g.decomposition);
    g.axes.periodic_x = fine->axes.periodic_x;
    g.axes.periodic_y = fine->axes.periodic_y;
    const Rectangle own = rectangle_of(&g.decomposition, d->rank_y * d->ranks_x + d->rank_x);
    g.i_first = own.from[0];
    g.j_first = own.from[1];
    fill_grid(&g, own.to[0] - own.from[0], own.to[1] - own.from[1], levels ? half(fine->n3) : fine->n3);
    return g;
}

static Grid whole_of(const Grid *part) {
    Grid g = {.nx = part->nx, .ny = part->ny, .comm = MPI_COMM_SELF};
    g.decomposition = (Decomposition){
        .ranks_x = 1, .ranks_y = 1, .straight = true, .west = MPI_PROC_NULL, .east = MPI_PROC_NULL};
    g.decomposition.cut_x = ALLOCATE(2, int);
    g.decomposition.cut_y = ALLOCATE(2, int);
    g.decomposition.cut_x[1] = part->nx;
    g.decomposition.cut_y[1] = part->ny;
    g.axes.periodic_x = part->axes.periodic_x;
    g.axes.periodic_y = part->axes.periodic_y;
    fill_grid(&g, part->nx, part->ny, part->n3);
    return g;
}

/* Is some rank's part too thin to work on? The same answer on all ranks. */
static bool thin(const Grid *g, int levels) {
    const Decomposition *d = &g->decomposition;
    if (d->ranks_x * d->ranks_y == 1) return false;
    bool is = (int64_t)g->nx * g->ny * levels <= SMALL;
    for (int n = 0; n < d->ranks_x * d->ranks_y; n++) {
        const Rectangle r = rectangle_of(d, n);
        is = is || r.to[0] - r.from[0] < THIN || r.to[1] - r.from[1] < THIN;
    }
    return is;
}

/* Periodic directions are halved while that is even. */
static bool can_be_halved(const Grid *g) {
    if (g->nx <= 2 && g->ny <= 2) return false;
    return !(g->axes.periodic_x && g->nx % 2) && !(g->axes.periodic_y && g->ny % 2);
}

static Status level_create(Multigrid *m, LaneDiagonal diagonal) {
    const Level *finer = &m->level[m->count - 1];
    const Grid *fine = finer->layout->grid;
    const Exec exec = finer->layout->exec;
    Level *l = &m->level[m->count++];
    const bool levels = m->halve_levels && fine->n3 > 1, flat = fine->n3 == 1 || finer->layout->levels == 1;
    l->part_grid = part_of_half(fine, levels);
    TRY(lane_layout_create(&l->part_grid, exec, flat, &l->part));
    l->layout = l->part;
    if (thin(&l->part_grid, l->part->levels)) {
        l->whole_grid = whole_of(&l->part_grid);
        TRY(lane_layout_create(&l->whole_grid, exec, flat, &l->whole));
        l->layout = l->whole;
        for (int f = 0; f < GATHERED; f++) l->gathered[f] = lanes_create(l->part);
    }
    l->from_finer = (Coarsening){finer->layout, l->part, fine->i_first & 1, fine->j_first & 1, levels};
    l->x = lanes_create(l->layout);
    l->r = lanes_create(l->layout);
    l->plain = lanes_create(l->layout);
    l->rest = lanes_create(l->layout);
    l->more = lanes_create(l->layout);
    TRY(pipeline_create(l->layout, true, &l->pipeline));
    l->frame = matrix_create(l->layout, l->pipeline, diagonal, false);
    return STATUS_OK;
}

Status multigrid_create(const LaneLayout *layout, Pipeline *pipeline, MatrixFrame *frame, bool halve_levels,
                        Multigrid **out) {
    Multigrid *m = ALLOCATE(1, Multigrid);
    const Decomposition *d = &layout->grid->decomposition;
    Status status;
    *out = m;
    m->halve_levels = halve_levels;
    m->count = 1;
    m->level[0] = (Level){.layout = (LaneLayout *)layout, .pipeline = pipeline, .frame = frame};
    m->level[0].plain = lanes_create(layout);
    m->lengths = ALLOCATE(2 * d->ranks_x * d->ranks_y, int);
    m->places = m->lengths + d->ranks_x * d->ranks_y;
    while (m->count < MOST_GRIDS && can_be_halved(m->level[m->count - 1].layout->grid))
        ATTEMPT(level_create(m, frame->a.diagonal));
    for (int n = 1; n < m->count; n++)
        if (m->level[n].whole)
            m->message = ALLOCATE(
                2 * GATHERED * m->level[n].whole_grid.columns.elements * m->level[n].whole->levels, Real);
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
        lane_layout_destroy(&l->part);
        lane_layout_destroy(&l->whole);
        release_grid(&l->part_grid);
        release_grid(&l->whole_grid);
    }
    memory_free(m->message);
    memory_free(m->lengths);
    memory_free(m);
    *multigrid = NULL;
}

/* ---- gathering ---- */

static void copy_rows(const LaneLayout *layout, Lanes *x, const int from[2], const int to[2], Real *message,
                      bool pack) {
    for (int j = from[1]; j < to[1]; j++)
        message += lanes_copy_edge(layout, x, false, j, from[0], to[0], message, pack);
}

/* The parts of all ranks, in `gathered`, to the whole of each. One message. Collective. */
static void gather(Multigrid *m, const Level *l, int fields, Lanes *const *whole) {
    const Grid *g = &l->part_grid;
    const Decomposition *d = &g->decomposition;
    const ptrdiff_t own = (ptrdiff_t)g->n1 * g->n2 * l->part->levels;
    Real *mine = m->message + GATHERED * l->whole_grid.columns.elements * l->whole->levels;
    int place = 0;
    for (int n = 0; n < d->ranks_x * d->ranks_y; n++) {
        const Rectangle r = rectangle_of(d, n);
        m->lengths[n] = fields * cells_in(&r) * l->part->levels;
        m->places[n] = place;
        place += m->lengths[n];
    }
    exec_wait(l->layout->exec);
    for (int f = 0; f < fields; f++)
        copy_rows(l->part, l->gathered[f], (int[]){0, 0}, (int[]){g->n1, g->n2}, mine + f * own, true);
    MPI_Allgatherv(mine, (int)(fields * own), MPI_REAL_OF_LANES, m->message, m->lengths, m->places,
                   MPI_REAL_OF_LANES, g->comm);
    for (int n = 0; n < d->ranks_x * d->ranks_y; n++) {
        const Rectangle r = rectangle_of(d, n);
        for (int f = 0; f < fields; f++)
            copy_rows(l->whole, whole[f], r.from, r.to,
                      m->message + m->places[n] + f * (m->lengths[n] / fields), false);
    }
}

/* The own part of the whole with a cell around it. Local. */
static void take_part(Multigrid *m, const Level *l, Lanes *whole, Lanes *part) {
    const Grid *g = &l->part_grid;
    lanes_exchange(l->whole, whole); /* seams */
    exec_wait(l->layout->exec);
    const int from[] = {g->i_first - 1, g->j_first - 1};
    const int to[] = {g->i_first + g->n1 + 1, g->j_first + g->n2 + 1};
    for (int j = from[1]; j < to[1]; j++) {
        lanes_copy_edge(l->whole, whole, false, j, from[0], to[0], m->message, true);
        lanes_copy_edge(l->part, part, false, j - g->j_first, -1, g->n1 + 1, m->message, false);
    }
}

/* out[n] = sums of x[n] over the finer cells, on the grid that is worked on. x has its edges. Collective. */
static void restrict_to(Multigrid *m, const Level *l, int fields, const FinerCells *which,
                        const Lanes *const *x, Lanes *const *out) {
    for (int n = 0; n < fields; n++)
        coarsen_sum(&l->from_finer, which[n], x[n], l->whole ? l->gathered[n] : out[n]);
    if (l->whole) gather(m, l, fields, out);
}

/* ---- setting up ---- */

static void add_couplings(const Level *l, double factor, Lanes *centre) {
    const LaneLayout *layout = l->layout;
    lanes_exchange(layout, l->frame->a.west);
    lanes_exchange(layout, l->frame->a.south);
    couplings_to_centre(layout, (AddCouplings){l->frame->a, factor, centre});
}

static void coarsen_operator(Multigrid *m, Level *finer, Level *l) {
    const LaneMatrix *a = &finer->frame->a;
    Lanes *excess = finer->frame->scratch;
    lanes_exchange(finer->layout, excess);
    lanes_exchange(finer->layout, a->west);
    lanes_exchange(finer->layout, a->south);
    lanes_exchange(finer->layout, a->lower);
    restrict_to(m, l, GATHERED, (FinerCells[]){WEST_CELLS, SOUTH_CELLS, LOWER_CELLS, ALL_CELLS},
                (const Lanes *[]){a->west, a->south, a->lower, excess},
                (Lanes *[]){l->frame->a.west, l->frame->a.south, l->frame->a.lower, l->frame->scratch});
    scale_by(l->layout, (ScaleBy){0.5, l->frame->a.west});
    scale_by(l->layout, (ScaleBy){0.5, l->frame->a.south});
    if (l->from_finer.levels) scale_by(l->layout, (ScaleBy){0.5, l->frame->a.lower});
    add_couplings(finer, 1, excess);
}

void multigrid_setup(Multigrid *m) {
    add_couplings(&m->level[0], -1, m->level[0].frame->scratch);
    for (int n = 1; n < m->count; n++) coarsen_operator(m, &m->level[n - 1], &m->level[n]);
    Level *last = &m->level[m->count - 1];
    add_couplings(last, 1, last->frame->scratch);
    for (int n = 1; n < m->count; n++) matrix_scale(m->level[n].frame);
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
    matrix_apply(l->layout, &l->frame->a, x, l->plain, NULL);
    unscaled_rest(l->layout, (UnscaledRest){r, l->frame->unscale, l->plain});
    lanes_exchange(l->layout, l->plain);
}

static void cycle(Multigrid *m, int n, const Lanes *r, Lanes *x);

/* Twice, the second time for what the first has left: corrections that are constant in a cell are too crude
 * for once (a W-cycle). */
static void solve_coarser(Multigrid *m, int n) {
    Level *l = &m->level[n];
    const LaneLayout *layout = l->layout;
    cycle(m, n, l->r, l->x);
    if (n == m->count - 1) return;
    lanes_exchange(layout, l->x);
    matrix_apply(layout, &l->frame->a, l->x, l->rest, NULL);
    take_from(layout, (Take){l->r, l->rest});
    cycle(m, n, l->rest, l->more);
    plus(layout, (Plus){l->more, l->x});
}

static void cycle(Multigrid *m, int n, const Lanes *r, Lanes *x) {
    Level *l = &m->level[n], *coarser = &m->level[n + 1];
    if (n == m->count - 1) {
        solve_coarsest(l, r, x);
        return;
    }
    smooth_from_zero(l, r, x);
    find_residual(l, r, x);
    restrict_to(m, coarser, 1, (FinerCells[]){ALL_CELLS}, (const Lanes *[]){l->plain}, &coarser->r);
    multiply(coarser->layout, (Multiply){coarser->frame->scale, coarser->r, coarser->r});
    solve_coarser(m, n + 1);
    multiply(coarser->layout, (Multiply){coarser->frame->scale, coarser->x, coarser->plain});
    if (coarser->whole)
        take_part(m, coarser, coarser->plain, coarser->gathered[0]);
    else
        lanes_exchange(coarser->layout, coarser->plain);
    refine_add(&coarser->from_finer, coarser->whole ? coarser->gathered[0] : coarser->plain,
               l->frame->unscale, x);
    smooth(l, r, x);
}

void multigrid_cycle(Multigrid *m, const Lanes *r, Lanes *z) {
    cycle(m, 0, r, z);
}
