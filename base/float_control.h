/* SPDX-License-Identifier: Apache-2.0
 *
 * How the processor takes numbers too small for all of their digits: as they are, or for 0.
 */
#ifndef MAEOTIS_BASE_FLOAT_CONTROL_H
#define MAEOTIS_BASE_FLOAT_CONTROL_H

#if defined(__SSE2__)
#include <xmmintrin.h>

enum { FLOAT_FLUSHES = 0x8040 }; /* results and operands that small are 0 */

static inline unsigned float_control(void) {
    return _mm_getcsr();
}

static inline void float_set_control(unsigned control) {
    _mm_setcsr(control);
}
#else
enum { FLOAT_FLUSHES = 0 };

static inline unsigned float_control(void) {
    return 0;
}

static inline void float_set_control(unsigned control) {
    (void)control;
}
#endif

#endif
