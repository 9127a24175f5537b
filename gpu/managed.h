/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that both a GPU and the host can access (CUDA's managed memory), as a source for memory_allocate.
 * Pages move to the side that touches them, so the host should rarely touch data that kernels use in every
 * step.
 */
#ifndef MAEOTIS_GPU_MANAGED_H
#define MAEOTIS_GPU_MANAGED_H

#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For the GPU chosen last. NULL in a build without CUDA. */
const MemorySource *managed_source(void);

/* Moves all pages of large blocks to the GPU. */
void managed_settle(void);

#ifdef __cplusplus
}
#endif
#endif
