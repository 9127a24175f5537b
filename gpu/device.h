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

/* `device` is "cpu", "gpu", "emu", or "auto": a GPU for the first ranks of a node, as many as it has, and the
 * processor for the others; or a list of these, for the ranks of a node in turn ("gpu,cpu"). "gpu" is refused
 * if the build or the machine has none; several GPUs are assigned in turn to the ranks of a node that use
 * one. `seed` decides the emulator's order of visits. From now on, and until exec_destroy, memory_allocate
 * gives memory that kernels of this device can access: create it before the fields. Local. */
CHECKED Status exec_create(const char *device, int rank_on_node, uint64_t seed, Exec *out);
void exec_destroy(Exec *exec);

/* Waits until all kernels launched so far have ended. A launch returns at once, so host code calls this
 * before it reads what a kernel wrote, and before it writes what a kernel reads or writes. Costs nothing on a
 * processor. A kernel that failed shows here and ends the program. Local. */
void exec_wait(Exec exec);

/* The number of waits so far, here or in device_fetch. A caller that remembers the number at a launch knows
 * later whether the launch has ended, and need not wait for it. */
uint64_t exec_waits(void);

/* Moves the host's data to the device, so that the first steps need not fetch them piece by piece. */
void exec_settle(Exec exec);

/* Which of the node's GPUs it is, -1: none. */
int device_number(Exec exec);

/* What memory is left on it for fields, if kernels keep up to `thread_bytes` beside registers [bytes]. */
int64_t device_memory(Exec exec, int thread_bytes);

/* Launched like kernels, after those before: copies, or sets to 0. Local. */
void exec_copy(Exec exec, void *to, const void *from, size_t bytes);
void exec_clear(Exec exec, void *to, size_t bytes);

/* The same for rows that lie apart: `bytes` of each, and the distances between their beginnings [bytes]. */
typedef struct CopyRows {
    size_t bytes, to, from;
    int count;
} CopyRows;
void exec_copy_rows(Exec exec, void *to, const void *from, CopyRows rows);

/* Memory that kernels of `exec` can access and the host only through device_copy: its pages never move.
 * device_free takes NULL. Local. */
CHECKED Status device_allocate(Exec exec, size_t bytes, void **out);
void device_free(Exec exec, void *pointer);

/* Pinned memory of the host: the GPU reaches it over the bus, no pages move. For a few KiB that the host
 * writes and kernels read in every step, or the other way round. Zeroed. Local. */
CHECKED Status pinned_allocate(Exec exec, size_t bytes, void **out);
void pinned_free(Exec exec, void *pointer);

/* Copies between or within host and device, after all kernels launched before have ended. A kernel that
 * failed shows here. Local. */
CHECKED Status device_copy(Exec exec, void *to, const void *from, size_t bytes);
CHECKED Status device_copy_rows(Exec exec, void *to, const void *from, CopyRows rows);

/* The same to memory of the host's own, which is a wait. */
CHECKED Status device_fetch(Exec exec, void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
