/* SPDX-License-Identifier: Apache-2.0
 *
 * `ctest: thorough`: what a merge can do without, for a test that runs once more among the long ones. And how many of
 * many like variants a sanitized test leaves out: that one looks at what code touches, not for the largest error.
 */
#ifndef TESTS_SUPPORT_THOROUGH_H
#define TESTS_SUPPORT_THOROUGH_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool thorough(void) {
    return getenv("MAEOTIS_THOROUGH") != NULL;
}

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED_TURNS = 4 }; /* one variant of so many */
#else
enum { SANITIZED_TURNS = 1 };
#endif

#endif
