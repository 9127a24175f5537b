/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/matm.h"

#include "base/memory.h"
#include "numerics/grid/sums.h"
#include "numerics/matm/solver.h"
#include <math.h>

static const double FIRST_OMEGA = 2;
static const double LINES_FROM =
    4;                          /* vertical couplings so much larger than horizontal ones call for lines */
static const double HELD = 0.1; /* columns held by less than this part of their stiffness are corrected */

Status matm_create(const Grid *grid, Exec exec, const MatmOptions *options, Matm **out) {
    CHECK(exec.device != DEVICE_GPU, STATUS_BAD_INPUT, "matm computes on the processor, not on a GPU");
    CHECK(options->omega == 0 || options->omega > 0, STATUS_BAD_INPUT,
          "matm: omega is %g; it has to be above 0", options->omega);
    Matm *m = ALLOCATE(1, Matm);
    Status status;
    m->grid = grid;
    m->exec = exec;
    m->options = *options;
    m->omega = options->omega > 0 ? options->omega : FIRST_OMEGA;
    m->layout = lane_layout_create(grid, options->flat);
    m->residual = options->flat ? field2_create(grid) : field3_create(grid);
    m->x = lanes_create(m->layout);
    m->r = lanes_create(m->layout);
    for (int n = 0; n < MATM_VECTORS; n++) m->vector[n] = lanes_create(m->layout);
    for (int n = 0; n < MATM_SUMS; n++) m->sum[n] = ALLOCATE(m->layout->groups * m->layout->steps, Lanes);
    *out = m;
    ATTEMPT(pipeline_create(m->layout, !options->alone, &m->pipeline));
    ATTEMPT(halo_create(grid, m->layout->levels, &m->halo));
    return STATUS_OK;
cleanup:
    matm_destroy(out);
    return status;
}

void matm_destroy(Matm **matm) {
    Matm *m = *matm;
    if (!m) return;
    correction_destroy(&m->correction);
    matrix_destroy(&m->frame);
    lane_matrix_release(m->layout, &m->self_adjoint);
    lane_matrix_release(m->layout, &m->skew);
    lanes_destroy(m->layout, &m->x);
    lanes_destroy(m->layout, &m->r);
    for (int n = 0; n < MATM_VECTORS; n++) lanes_destroy(m->layout, &m->vector[n]);
    for (int n = 0; n < MATM_SUMS; n++) memory_free(m->sum[n]);
    if (m->options.flat)
        field2_destroy(m->grid, &m->residual);
    else
        field3_destroy(m->grid, &m->residual);
    pipeline_destroy(&m->pipeline);
    lane_layout_destroy(&m->layout);
    halo_destroy(&m->halo);
    memory_free(m->choice);
    memory_free(m);
    *matm = NULL;
}

/* ---- the choice ---- */

static const char *const DIAGONAL_NAMES[] = {"", "diagonal D", "D of pivots", "D of lines"};
static const char *const STEP_NAMES[] = {"",
                                         "steps of the paper",
                                         "least residual",
                                         "conjugate gradients",
                                         "BiCGStab",
                                         "in place (BiCGStab where that fails)"};

static void choose_step(MatmOptions *o, bool both) {
    if (o->step == MATM_STEP_AUTO) o->step = both ? MATM_STEP_IN_PLACE : MATM_STEP_CONJUGATE;
    if (o->step == MATM_STEP_CONJUGATE && both) o->step = MATM_STEP_BICGSTAB;
}

/* How much larger vertical couplings are than horizontal ones, in the mean. Collective. */
static double flatness(const Matm *m, const Stencil *stencil) {
    double sums[2] = {0, 0};
    const RunList runs = m->grid->cells;
    for (int n = 0; n < runs.count && stencil->lower; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++) {
            const ptrdiff_t at = AT(*m->grid, i, runs.run[n].j, runs.run[n].k);
            sums[0] += stencil->lower[at];
            sums[1] += 0.5 * (stencil->west[at] + stencil->south[at]);
        }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, m->grid->comm);
    return sums[0] / fmax(sums[1], 1e-300);
}

static void choose_diagonal(MatmOptions *o, bool both, double flat) {
    /* steps that lean on D alone get what they can lean on */
    const bool points = o->step != MATM_STEP_CONJUGATE && o->step != MATM_STEP_BICGSTAB;
    if (o->step == MATM_STEP_PAPER) o->diagonal = MATM_D_DIAGONAL;
    if (o->diagonal == MATM_D_AUTO && flat > LINES_FROM) o->diagonal = MATM_D_LINES;
    if (o->diagonal == MATM_D_AUTO) o->diagonal = MATM_D_PIVOTS;
    if (o->diagonal == MATM_D_PIVOTS && (points || both)) o->diagonal = MATM_D_DIAGONAL;
}

static void choose(Matm *m, const Stencil *stencil) {
    MatmOptions *o = &m->options;
    const bool both = stencil->east;
    const double flat = flatness(m, stencil);
    choose_step(o, both);
    choose_diagonal(o, both, flat);
    const bool possible = !o->flat && !both && o->step != MATM_STEP_PAPER && o->step != MATM_STEP_IN_PLACE;
    const double hold = possible ? correction_hold(m->grid, stencil) : INFINITY;
    if (!possible || o->correction == MATM_CORRECTION_AUTO)
        o->correction = hold < HELD && flat > LINES_FROM ? MATM_CORRECTION_COLUMNS : MATM_CORRECTION_NONE;
    const bool corrected = o->correction == MATM_CORRECTION_COLUMNS;
    char *vertical = o->flat ? memory_copy_text("one layer")
                             : memory_format("vertical couplings %.1e times the others", flat);
    char *held = possible ? memory_format(", columns held by %.1e of those", hold) : memory_copy_text("");
    m->choice =
        memory_format("%s, %s%s%s: %s, %s%s", DIAGONAL_NAMES[o->diagonal], STEP_NAMES[o->step],
                      corrected ? ", correction by columns" : "", o->alone ? ", every rank alone" : "",
                      both ? "not self-adjoint" : "self-adjoint", vertical, held);
    memory_free(vertical);
    memory_free(held);
}

const char *matm_choice(const Matm *m) {
    return m->choice ? m->choice : "nothing yet";
}

double matm_omega(const Matm *m) {
    return m->omega;
}

/* Memory and choices that need to see the first operator. */
static void prepare(Matm *m, const Stencil *stencil) {
    choose(m, stencil);
    const bool both = stencil->east;
    static const LaneDiagonal kinds[] = {LANE_ONES, LANE_ONES, LANE_CENTRE, LANE_LINES};
    m->frame = matrix_create(m->layout, m->pipeline, kinds[m->options.diagonal], both);
    if (m->options.step == MATM_STEP_PAPER && both) {
        lane_matrix_create(m->layout, LANE_ONES, false, &m->self_adjoint);
        lane_matrix_create(m->layout, LANE_ONES, false, &m->skew);
    }
    if (m->options.diagonal == MATM_D_PIVOTS) m->omega = FIRST_OMEGA; /* B is made for a = 1 */
    if (m->options.correction == MATM_CORRECTION_COLUMNS &&
        correction_create(m->grid, m->exec, m->layout, &m->correction) != STATUS_OK)
        m->correction = NULL;
}

void matm_setup(Matm *m, const Stencil *stencil) {
    if (!m->frame) prepare(m, stencil);
    m->stencil = *stencil;
    matrix_setup(m->frame, stencil);
    if (m->options.step == MATM_STEP_PAPER && m->frame->a.both)
        matrix_split(m->frame, &m->self_adjoint, &m->skew);
    if (m->correction) correction_setup(m->correction, stencil);
}

/* ---- solving ---- */

static double norm_of(const Matm *m, const double *field) {
    const double *const f[] = {field};
    double square;
    if (m->options.flat)
        sums_of_products(m->exec, m->grid, 1, f, f, &square);
    else
        sums_of_products_3d(m->exec, m->grid, 1, f, f, &square);
    return sqrt(square);
}

static double true_residual(Matm *m, const double *rhs, double *x) {
    if (m->options.flat)
        halo_exchange(m->halo, 1, &x, 0, NULL);
    else
        halo_exchange(m->halo, 0, NULL, 1, &x);
    stencil_residual_any(m->exec, m->grid, (StencilResidual){m->stencil, x, rhs, m->residual});
    return norm_of(m, m->residual);
}

static MatmMethod *method_of(MatmStep step) {
    static MatmMethod *const methods[] = {NULL,           matm_paper,    matm_least_residual,
                                          matm_conjugate, matm_bicgstab, matm_in_place};
    return methods[step];
}

/* The paper's step works on A0; where A is self-adjoint that is A' itself. */
static void lend_self_adjoint(Matm *m, bool lend) {
    if (m->options.step == MATM_STEP_PAPER && !m->frame->a.both)
        m->self_adjoint = lend ? m->frame->a : (LaneMatrix){0};
}

static SolveEnd end_of(const SolveReport *report, double residual, double goal, int max_iterations) {
    if (residual <= goal) return SOLVE_REACHED;
    if (!isfinite(residual)) return SOLVE_BROKE;
    return report->iterations >= max_iterations ? SOLVE_LIMIT : SOLVE_STAGNATED;
}

SolveReport matm_solve(Matm *m, const double *rhs, double *x, double tolerance, int max_iterations) {
    SolveReport report = {0, 0, true, SOLVE_REACHED};
    double residual = true_residual(m, rhs, x), last = INFINITY;
    const double scale = fmax(norm_of(m, rhs), residual); /* ghosts may drive x where rhs is 0 */
    const double goal = tolerance * scale;
    MatmStep step = m->options.step;
    m->solves++;
    lend_self_adjoint(m, true);
    /* The recursive residual drifts below the true one: begin again from the true one while that helps. */
    while (residual > goal && report.iterations < max_iterations) {
        const bool helped = residual < 0.5 * last;
        if (!helped && step != MATM_STEP_IN_PLACE) break;
        if (!helped) step = MATM_STEP_BICGSTAB;
        last = residual;
        lanes_from_field(m->layout, m->residual, m->frame->scale, m->r);
        lanes_clear(m->layout, m->x);
        report.iterations += method_of(step)(m, 0.95 * goal, max_iterations - report.iterations);
        lanes_add_to_field(m->layout, m->x, m->frame->scale, x);
        residual = true_residual(m, rhs, x);
    }
    lend_self_adjoint(m, false);
    report.end = end_of(&report, residual, goal, max_iterations);
    report.converged = residual <= 10 * goal; /* what rounding leaves of a tolerance is not a failure */
    report.residual = scale > 0 ? residual / scale : residual;
    return report;
}

/* ---- as a preconditioner ---- */

static void apply_as_preconditioner(void *context, const Stencil *stencil, const double *r, double *z) {
    Matm *m = context;
    const RunList runs = m->options.flat ? m->grid->columns : m->grid->cells;
    (void)stencil;
    lanes_from_field(m->layout, r, m->frame->scale, m->r);
    matm_precondition(m, m->r, m->vector[0], m->vector[1], NULL);
    for (int n = 0; n < runs.count; n++)
        for (int i = runs.run[n].i0; i < runs.run[n].i1; i++)
            z[AT(*m->grid, i, runs.run[n].j, runs.run[n].k)] = 0;
    lanes_add_to_field(m->layout, m->vector[1], m->frame->scale, z);
}

Preconditioner matm_preconditioner(Matm *m) {
    return (Preconditioner){apply_as_preconditioner, m};
}
