/* SPDX-License-Identifier: Apache-2.0
 *
 * `ctest: thorough`: what a merge can do without, for a test that runs once more among the long ones.
 */
#ifndef TESTS_SUPPORT_THOROUGH_H
#define TESTS_SUPPORT_THOROUGH_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool thorough(void) {
    return getenv("MAEOTIS_THOROUGH") != NULL;
}

#endif
