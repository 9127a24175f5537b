/* SPDX-License-Identifier: Apache-2.0
 *
 * MATM's kernels on a GPU against the processor: all that tests/unit/test_matm_device.c compares.
 */
#define TESTED_DEVICE "gpu"
#include "tests/unit/test_matm_device.c"
