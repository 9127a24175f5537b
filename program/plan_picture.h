/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of a plan: which rank has which part of the sea, and who works when in a sweep. Local.
 */
#ifndef MAEOTIS_PROGRAM_PLAN_PICTURE_H
#define MAEOTIS_PROGRAM_PLAN_PICTURE_H

#include "numerics/cluster/forecast.h"

/* On stdout, up to some 60 characters wide; ranks are letters. */
void plan_print_map(const CutProblem *problem, const Cuts *cuts);
void plan_print_sweep(const Forecast *forecast);

/* Both in one file. */
CHECKED Status plan_draw(const char *path, const ForecastProblem *problem, const Cuts *cuts,
                         const Forecast *forecast);

#endif
