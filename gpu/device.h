/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a rank computes: its processor core, an emulated GPU, or a GPU.
 */
#ifndef MAEOTIS_GPU_DEVICE_H
#define MAEOTIS_GPU_DEVICE_H

#include "base/error.h"
#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { EXEC_SCRATCH = 4096 }; /* [bytes] */

/* `device` is "cpu", "emu" or "gpu"; "gpu" is refused where the build or the machine has none. Several GPUs
 * are dealt to the ranks of a node in turn. `seed` decides the emulator's order of visits. Local. */
CHECKED Status exec_create(const char *device, int rank_on_node, uint64_t seed, Exec *out);
void exec_destroy(Exec *exec);

/* Memory that kernels of `exec` see; the host reaches it with device_copy alone. device_free takes NULL.
 * Local. */
CHECKED Status device_allocate(Exec exec, size_t bytes, void **out);
void device_free(Exec exec, void *pointer);

/* Copies between or within host and device, after all kernels launched before have ended. A kernel that
 * failed shows here. Local. */
CHECKED Status device_copy(Exec exec, void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
