/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "numerics/matm/flush.h"
#include "numerics/matm/solver.h"
#include <math.h>

static const double FIRST_OMEGA = 2;

/* Sweeps stay within patches where they make a preconditioner; those of steps that lean on all couplings do not. */
static int patch_of(const Grid *grid, const MatmOptions *o) {
    const bool leans =
        o->step == MATM_STEP_IN_PLACE || o->step == MATM_STEP_PAPER || o->grids == MATM_GRIDS_MANY;
    return leans ? 0 : grid->decomposition.patch;
}

Status inner_create(const Grid *grid, Exec exec, const MatmOptions *options, bool both, Inner **out) {
    static const LaneDiagonal kinds[] = {LANE_ONES, LANE_ONES, LANE_CENTRE, LANE_LINES};
    Inner *m = ALLOCATE(1, Inner);
    Status status;
    *out = m;
    m->grid = grid;
    m->options = *options;
    m->omega = options->omega > 0 ? options->omega : FIRST_OMEGA;
    if (options->diagonal == MATM_D_PIVOTS) m->omega = FIRST_OMEGA; /* B is made for a = 1 */
    ATTEMPT(lane_layout_create(grid, exec, options->flat, &m->layout));
    m->x = lanes_create(m->layout);
    m->r = lanes_create(m->layout);
    for (int n = 0; n < MATM_VECTORS; n++) m->vector[n] = lanes_create(m->layout);
    for (int n = 0; n < MATM_SUMS; n++) m->sum[n] = ALLOCATE(m->layout->groups * m->layout->steps, Lanes);
    const int patch = m->patch = patch_of(grid, options);
    ATTEMPT(pipeline_create(m->layout, patch, &m->pipeline));
    m->frame = matrix_create(m->layout, m->pipeline, kinds[options->diagonal], both, patch);
    if (options->step == MATM_STEP_PAPER && both) {
        lane_matrix_create(m->layout, LANE_ONES, false, &m->self_adjoint);
        lane_matrix_create(m->layout, LANE_ONES, false, &m->skew);
    }
    if (options->grids == MATM_GRIDS_MANY)
        ATTEMPT(multigrid_create(m->layout, m->pipeline, m->frame, options->halve_levels, &m->multigrid));
    if (options->correction == MATM_CORRECTION_COLUMNS)
        ATTEMPT(correction_create(grid, exec, m->layout, &m->correction));
    return STATUS_OK;
cleanup:
    inner_destroy(out);
    return status;
}

void inner_destroy(Inner **inner) {
    Inner *m = *inner;
    if (!m) return;
    matm_late_destroy(m);
    correction_destroy(&m->correction);
    multigrid_destroy(&m->multigrid);
    matrix_destroy(&m->frame);
    lane_matrix_release(m->layout, &m->self_adjoint);
    lane_matrix_release(m->layout, &m->skew);
    lanes_destroy(m->layout, &m->x);
    lanes_destroy(m->layout, &m->r);
    for (int n = 0; n < MATM_VECTORS; n++) lanes_destroy(m->layout, &m->vector[n]);
    for (int n = 0; n < MATM_SUMS; n++) memory_free(m->sum[n]);
    pipeline_destroy(&m->pipeline);
    lane_layout_destroy(&m->layout);
    memory_free(m);
    *inner = NULL;
}

void inner_setup(Inner *m, const Stencil *stencil) {
    const unsigned before = flush_begin();
    matrix_load(m->frame, stencil);
    if (m->multigrid) multigrid_setup(m->multigrid);
    /* not carried on, so that a restarted run finds the same */
    if (m->options.step == MATM_STEP_PAPER && m->options.omega == 0) m->omega = FIRST_OMEGA;
    matrix_scale(m->frame);
    if (m->options.step == MATM_STEP_PAPER && m->frame->a.both)
        matrix_split(m->frame, &m->self_adjoint, &m->skew);
    if (m->correction) correction_setup(m->correction, stencil);
    float_set_control(before);
}

#ifdef MATM_SINGLE
void single_inner_take(Inner *m, const Stencil *stencil, const DoubleSystem *system) {
    const unsigned before = flush_begin();
    m->mixed = *system;
    matrix_narrow(m->frame, system);
    if (m->correction) correction_setup(m->correction, stencil);
    float_set_control(before);
}
#endif

static MatmMethod *method_of(MatmStep step) {
    static MatmMethod *const methods[] = {NULL,           matm_paper,    matm_least_residual,
                                          matm_conjugate, matm_bicgstab, matm_in_place};
    return methods[step];
}

/* The paper's step works on A0; where A is self-adjoint that is A' itself. */
static void lend_self_adjoint(Inner *m, bool lend) {
    if (m->options.step == MATM_STEP_PAPER && !m->frame->a.both)
        m->self_adjoint = lend ? m->frame->a : (LaneMatrix){0};
}

/* A power of two that brings residuals near to 1, where single precision has numbers on both sides; of double
 * precision 1. */
static double unit_of(double norm) {
    int exponent = 0;
    if (sizeof(Real) < sizeof(double)) (void)frexp(norm, &exponent);
    return ldexp(1, exponent);
}

static int improve(Inner *m, const InnerSolve *solve, double *x) {
    const double unit = unit_of(solve->norm);
    const unsigned before = flush_begin();
    if (!solve->again) m->solves++;
    lend_self_adjoint(m, true);
    if (m->mixed.x)
        lanes_narrow(m->layout, m->mixed.r, m->r);
    else
        lanes_from_field(m->layout, solve->residual, 1 / unit, m->frame->scale, m->r);
    m->norm = solve->norm / unit;
    m->part = solve->again;
    m->unit = unit;
    const int iterations = method_of(solve->step)(m, solve->goal / unit, solve->max_iterations);
    if (iterations == MATM_LATE)
        lanes_add_to_field_late(m->layout, matm_late_scalars(m), m->x, unit, m->frame->scale, x);
    else if (iterations > 0 && !m->mixed.x)
        lanes_add_to_field(m->layout, m->x, unit, m->frame->scale, x);
    lend_self_adjoint(m, false);
    float_set_control(before);
    return iterations;
}

static bool finish(Inner *m, double *x, int *iterations) {
    const unsigned before = flush_begin();
    const bool complete = matm_late_end(m, iterations);
    if (!complete && *iterations > 0) lanes_add_to_field(m->layout, m->x, m->unit, m->frame->scale, x);
    float_set_control(before);
    return !complete;
}

static void precondition(Inner *m, const double *r, double norm, double *z) {
    const double unit = unit_of(norm);
    const unsigned before = flush_begin();
    lanes_from_field(m->layout, r, 1 / unit, m->frame->scale, m->r);
    matm_precondition(m, m->r, m->vector[0], m->vector[1], NULL);
    lanes_add_to_field(m->layout, m->vector[1], unit, m->frame->scale, z);
    float_set_control(before);
}

static double omega_of(const Inner *m) {
    return m->omega;
}

const InnerKind matm_in_double = {inner_create, inner_destroy, inner_setup, improve,
                                  finish,       precondition,  omega_of};
