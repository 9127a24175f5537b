/* SPDX-License-Identifier: Apache-2.0
 *
 * Far from where a surface moves, residuals of single precision decay below 1e-38. There a processor computes ten times as slowly as
 * elsewhere, with few digits, and nothing depends on them: within a solve in single precision, and where it is prepared, they are 0, on
 * the GPU by the compiler's -ftz (CMakeLists.txt).
 */
#ifndef MAEOTIS_MATM_FLUSH_H
#define MAEOTIS_MATM_FLUSH_H

#include "base/float_control.h"
#include "numerics/matm/precision.h"

/* From here on; returns what float_set_control needs at the end. */
static inline unsigned flush_begin(void) {
    const unsigned before = float_control();
    if (sizeof(Real) < sizeof(double)) float_set_control(before | FLOAT_FLUSHES);
    return before;
}

#endif
