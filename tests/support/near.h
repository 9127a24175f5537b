/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that are equal to a tolerance, which the test states.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_NEAR_H
#define MAEOTIS_TESTS_SUPPORT_NEAR_H

#include <math.h>

#define assert_near(a, b, tolerance)  assert_true(fabs((a) - (b)) <= (tolerance))
#define assert_close(a, b, tolerance) assert_true(fabs((a) / (b)-1) <= (tolerance))

#endif
