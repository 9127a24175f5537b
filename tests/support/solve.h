/* SPDX-License-Identifier: Apache-2.0
 *
 * A solve that must not fail, as an expression. After cmocka.h.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_SOLVE_H
#define MAEOTIS_TESTS_SUPPORT_SOLVE_H

#include "numerics/matm/matm.h"

static inline SolveReport test_solve(Matm *matm, const double *rhs, double *x, double tolerance,
                                     int max_iterations) {
    SolveReport report;
    assert_int_equal(matm_solve(matm, rhs, x, tolerance, max_iterations, &report), STATUS_OK);
    return report;
}

#endif
