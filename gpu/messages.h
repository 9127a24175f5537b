/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for messages between ranks, which kernels write and MPI reads, or the other way round: the GPU's own
 * if the MPI library supports it (CUDA-aware MPI), else the host's, pinned so that the GPU reaches it over
 * the bus. The host may touch it after messages_allocate only if exec is not a GPU.
 */
#ifndef MAEOTIS_GPU_MESSAGES_H
#define MAEOTIS_GPU_MESSAGES_H

#include "gpu/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does the MPI library take and give memory of GPUs? MAEOTIS_CUDA_MPI=0 or 1 in the environment says it in
 * its place. */
bool messages_are_direct(void);

/* Local. */
CHECKED Status messages_allocate(Exec exec, size_t bytes, void **out);
void messages_free(Exec exec, void *pointer); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
