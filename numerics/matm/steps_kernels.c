/* SPDX-License-Identifier: Apache-2.0
 *
 * All that steps do, for the threads of devices (steps.h).
 */
#define MATM_ONE_LANE
#include "numerics/matm/apply_steps.h"
#include "numerics/matm/coarsen_steps.h"
#include "numerics/matm/correction_steps.h"
#include "numerics/matm/cycle_steps.h"
#include "numerics/matm/fields_steps.h"
#include "numerics/matm/matrix_steps.h"
#include "numerics/matm/mixed_steps.h"
#include "numerics/matm/vectors_steps.h"
