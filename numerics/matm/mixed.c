/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/mixed.h"

#include "base/memory.h"
#include "numerics/matm/matrix.h"
#include <math.h>

struct Inner {
    LaneLayout *layout; /* this and what follows: in double precision */
    Pipeline *pipeline;
    MatrixFrame *frame;
    Lanes *x, *r, *q;
    Inner *single; /* of that kind */
};

static void destroy(Inner **inner) {
    Inner *m = *inner;
    if (!m) return;
    if (m->single) matm_in_single.destroy(&m->single);
    lanes_destroy(m->layout, &m->x);
    lanes_destroy(m->layout, &m->r);
    lanes_destroy(m->layout, &m->q);
    matrix_destroy(&m->frame);
    pipeline_destroy(&m->pipeline);
    lane_layout_destroy(&m->layout);
    memory_free(m);
    *inner = NULL;
}

static Status create(const Grid *grid, Exec exec, const MatmOptions *options, bool both, Inner **out) {
    Inner *m = ALLOCATE(1, Inner);
    Status status;
    *out = m;
    ATTEMPT(lane_layout_create(grid, exec, options->flat, &m->layout));
    ATTEMPT(pipeline_create(m->layout, 0, &m->pipeline));
    m->frame = matrix_create(m->layout, m->pipeline, LANE_LINES, both, 0);
    m->x = lanes_create(m->layout);
    m->r = lanes_create(m->layout);
    m->q = lanes_create(m->layout);
    ATTEMPT(matm_in_single.create(grid, exec, options, both, &m->single));
    return STATUS_OK;
cleanup:
    destroy(out);
    return status;
}

static void setup(Inner *m, const Stencil *stencil) {
    const MatrixFrame *f = m->frame;
    matrix_load(m->frame, stencil);
    matrix_scale(m->frame);
    single_inner_take(m->single, stencil,
                      &(DoubleSystem){(double *)f->a.west, (double *)f->a.south, (double *)f->a.lower,
                                      (double *)f->scale, (double *)f->unscale, (double *)m->x,
                                      (double *)m->r, (double *)m->q});
}

static int improve(Inner *m, const InnerSolve *solve, double *x) {
    InnerSolve scaled = *solve;
    int exponent;
    scaled.norm = frexp(solve->norm, &exponent); /* near to 1, as single precision wants it */
    const double unit = ldexp(1, exponent);
    scaled.goal /= unit;
    lanes_from_field(m->layout, solve->residual, 1 / unit, m->frame->scale, m->r);
    const int iterations = matm_in_single.improve(m->single, &scaled, NULL);
    if (iterations > 0) lanes_add_to_field(m->layout, m->x, unit, m->frame->scale, x);
    return iterations;
}

static void precondition(Inner *m, const double *r, double norm, double *z) {
    matm_in_single.precondition(m->single, r, norm, z);
}

static double omega_of(const Inner *m) {
    return matm_in_single.omega(m->single);
}

const InnerKind matm_in_mixed = {create, destroy, setup, improve, NULL, precondition, omega_of};
