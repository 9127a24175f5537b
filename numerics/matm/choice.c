/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/choice.h"

#include "base/memory.h"
#include "numerics/grid/sums.h"
#include "numerics/matm/correction.h"
#include <math.h>

static const double LINES_FROM =
    4; /* vertical couplings so much larger than horizontal ones call for lines */
static const double MANY_FROM = 20000; /* cells, of systems for which one grid is slow */
/* Couplings, in the mean, whose roots, and squares of the residual over them, are numbers of single precision. */
static const double LEAST_IN_SINGLE = 1e-15, MOST_IN_SINGLE = 1e15;
/* Columns held by less than this part of their stiffness are lost in the rounding of single precision. Those held by less than
 * so many couplings to their neighbours are corrected: others reach the neighbours' columns in few sweeps. */
static const double HELD = 0.1, HELD_ALONE = 20;
/* Columns whose slowest mode is held by so many couplings to their neighbours are solved alone: a step gains four digits. */
static const double HELD_FIRM = 1e4;

static const char *const DIAGONAL_NAMES[] = {"", "diagonal D", "D of pivots", "D of lines"};
static const char *const STEP_NAMES[] = {"",
                                         "steps of the paper",
                                         "least residual",
                                         "conjugate gradients",
                                         "BiCGStab",
                                         "in place (BiCGStab where that fails)",
                                         "columns alone (conjugate gradients where that fails)"};

static void choose_step(MatmOptions *o, bool both) {
    if (o->step == MATM_STEP_AUTO) o->step = both ? MATM_STEP_IN_PLACE : MATM_STEP_CONJUGATE;
    if (o->step == MATM_STEP_COLUMNS && (both || o->flat))
        o->step = both ? MATM_STEP_IN_PLACE : MATM_STEP_CONJUGATE;
    if (o->step == MATM_STEP_CONJUGATE && both) o->step = MATM_STEP_BICGSTAB;
}

/* Mean couplings along the vertical and in the plane. */
typedef struct Couplings {
    double vertical, horizontal;
} Couplings;

/* The same bits for any number of ranks, so that they choose alike. Collective. */
static Couplings mean_couplings(const Grid *grid, const Stencil *stencil, double cells) {
    ExactSum sum[2] = {0};
    const RunList runs = grid->cells;
    for (int n = 0; n < runs.count && stencil->lower; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++) {
            const ptrdiff_t at = AT(*grid, i, runs.run[n].j, runs.run[n].k);
            exact_sum_add(&sum[0], stencil->lower[at]);
            exact_sum_add(&sum[1], 0.5 * (stencil->west[at] + stencil->south[at]));
        }
    for (int n = 0; n < 2; n++) exact_sum_normalise(&sum[n]);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2 * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, grid->comm);
    return (Couplings){exact_sum_value(&sum[0]) / cells, exact_sum_value(&sum[1]) / cells};
}

static bool fit_single(const Couplings *c) {
    const double larger = fmax(c->vertical, c->horizontal);
    return larger == 0 || (larger > LEAST_IN_SINGLE && larger < MOST_IN_SINGLE);
}

static void choose_diagonal(MatmOptions *o, bool both, double flat) {
    /* steps that lean on D alone get what they can lean on */
    const bool points = o->step != MATM_STEP_CONJUGATE && o->step != MATM_STEP_BICGSTAB;
    if (o->step == MATM_STEP_PAPER) o->diagonal = MATM_D_DIAGONAL;
    if (o->diagonal == MATM_D_AUTO && flat > LINES_FROM) o->diagonal = MATM_D_LINES;
    if (o->diagonal == MATM_D_AUTO) o->diagonal = MATM_D_PIVOTS;
    if (o->diagonal == MATM_D_PIVOTS && (points || both)) o->diagonal = MATM_D_DIAGONAL;
}

/* Cells alike in all directions: nothing to solve exactly, all wave lengths to reach. */
static void choose_grids(MatmOptions *o, bool both, double flat, double cells) {
    const bool possible = !both && (o->step == MATM_STEP_CONJUGATE || o->step == MATM_STEP_LEAST_RESIDUAL) &&
                          o->diagonal != MATM_D_PIVOTS && o->correction != MATM_CORRECTION_COLUMNS;
    const bool isotropic = !o->flat && flat < LINES_FROM && flat * LINES_FROM > 1;
    if (!possible)
        o->grids = MATM_GRIDS_ONE;
    else if (o->grids == MATM_GRIDS_AUTO)
        o->grids =
            isotropic && o->diagonal == MATM_D_AUTO && cells > MANY_FROM ? MATM_GRIDS_MANY : MATM_GRIDS_ONE;
    if (o->grids != MATM_GRIDS_MANY) return;
    o->halve_levels = !o->flat && flat < LINES_FROM;
    if (o->diagonal == MATM_D_AUTO) o->diagonal = MATM_D_DIAGONAL;
    o->correction = MATM_CORRECTION_NONE;
}

/* Restarts are few, or none where columns are held by little. */
static void choose_precision(MatmOptions *o, bool both, bool weak, bool fits) {
    const bool restarts = o->step == MATM_STEP_PAPER || o->step == MATM_STEP_LEAST_RESIDUAL;
    const bool mixes = o->step == MATM_STEP_CONJUGATE && o->diagonal == MATM_D_LINES && !both && !o->flat &&
                       o->grids != MATM_GRIDS_MANY;
    if (!fits) o->precision = MATM_PRECISION_DOUBLE;
    if (o->precision == MATM_PRECISION_MIXED && !mixes) o->precision = MATM_PRECISION_AUTO;
    if (o->precision != MATM_PRECISION_AUTO) return;
    if (weak)
        o->precision = mixes ? MATM_PRECISION_MIXED : MATM_PRECISION_DOUBLE;
    else
        o->precision = restarts ? MATM_PRECISION_DOUBLE : MATM_PRECISION_SINGLE;
}

static const char *name_of(MatmPrecision precision) {
    static const char *const names[] = {"", "", ", in single precision", ", in mixed precision"};
    return names[precision];
}

/* Does nobody ask for anything? */
static bool all_open(const MatmOptions *o) {
    return o->step == MATM_STEP_AUTO && o->diagonal == MATM_D_AUTO && o->correction == MATM_CORRECTION_AUTO &&
           o->grids == MATM_GRIDS_AUTO && o->precision == MATM_PRECISION_AUTO && o->omega == 0;
}

/* The column's slowest mode is held by the surface, or, where that is fixed, by about the square of the levels' inverse. */
static bool columns_suffice(const Grid *grid, double flat, double least_held) {
    return flat * fmin(least_held, 1.0 / ((double)grid->n3 * grid->n3)) > HELD_FIRM;
}

static char *describe(const MatmOptions *o, bool both, bool grids_vary, double flat, const double *hold) {
    char *vertical = o->flat ? memory_copy_text("one layer")
                             : memory_format("vertical couplings %.1e times the others", flat);
    char *held = hold ? memory_format(", columns held by %.1e of those", *hold) : memory_copy_text("");
    char *choice = memory_format("%s%s, %s%s%s%s: %s, %s%s", DIAGONAL_NAMES[o->diagonal],
                                 grids_vary ? " or, for long steps, multigrid" : "", STEP_NAMES[o->step],
                                 o->correction == MATM_CORRECTION_COLUMNS ? ", correction by columns" : "",
                                 o->grids == MATM_GRIDS_MANY ? ", multigrid" : "", name_of(o->precision),
                                 both ? "not self-adjoint" : "self-adjoint", vertical, held);
    memory_free(vertical);
    memory_free(held);
    return choice;
}

char *matm_choose(const Grid *grid, const Stencil *stencil, MatmOptions *o, bool *grids_vary) {
    const bool both = stencil->east, open = all_open(o);
    int64_t columns, cells;
    grid_count(grid, &columns, &cells);
    const Couplings mean = mean_couplings(grid, stencil, (double)cells);
    /* how much larger vertical ones are */
    const double flat = mean.vertical / fmax(mean.horizontal, 1e-300);
    choose_step(o, both);
    *grids_vary = o->flat && !both && o->step == MATM_STEP_CONJUGATE && o->diagonal == MATM_D_AUTO &&
                  o->grids == MATM_GRIDS_AUTO;
    choose_grids(o, both, flat, (double)cells);
    choose_diagonal(o, both, flat);
    const bool possible = !o->flat && !both && o->step != MATM_STEP_PAPER && o->step != MATM_STEP_IN_PLACE &&
                          o->grids != MATM_GRIDS_MANY;
    const ColumnHold held = possible ? correction_hold(grid, stencil) : (ColumnHold){INFINITY, -INFINITY};
    const bool weak = held.most < HELD && flat > LINES_FROM, choose = o->correction == MATM_CORRECTION_AUTO;
    if (!possible || choose)
        o->correction =
            weak && held.most * flat < HELD_ALONE ? MATM_CORRECTION_COLUMNS : MATM_CORRECTION_NONE;
    const bool corrected = o->correction == MATM_CORRECTION_COLUMNS;
    choose_precision(o, both, corrected || (choose && weak), fit_single(&mean));
    if (o->step == MATM_STEP_COLUMNS || (open && columns_suffice(grid, flat, held.least)))
        *o = (MatmOptions){.step = MATM_STEP_COLUMNS, .diagonal = MATM_D_LINES, .grids = MATM_GRIDS_ONE};
    return describe(o, both, *grids_vary, flat, possible ? &held.most : NULL);
}
