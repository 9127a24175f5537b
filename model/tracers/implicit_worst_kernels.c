/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"
#include "model/tracers/implicit_transport.h"

MAX_CELLS(implicit_worst, ImplicitCells, 3) {
    const ptrdiff_t m = AT(a->transport.g, i, j, k);
    const double error = fabs(a->error[m]), before = a->tracer.c[m];
    most[0] = max_of(a->spread[m] > 0 ? 0.0 : error, most[0]);
    most[1] = max_of(error, most[1]);
    most[2] = max_of(fabs(before + a->change[m]), max_of(fabs(before), most[2]));
}
