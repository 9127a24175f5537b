/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/messages.h"

#include "base/memory.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

bool messages_are_direct(void) {
    const char *said = getenv("MAEOTIS_CUDA_MPI");
    if (said && *said) return strcmp(said, "0") != 0;
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

void *messages_allocate(Exec exec, size_t bytes) {
    void *pointer = NULL;
    if (exec.device != DEVICE_GPU) return memory_allocate(bytes, 1);
    const Status status = messages_are_direct() ? device_allocate(exec, bytes ? bytes : 1, &pointer)
                                                : pinned_allocate(exec, bytes ? bytes : 1, &pointer);
    if (status == STATUS_OK) return pointer;
    error_print(stderr);
    abort();
}

void messages_free(Exec exec, void *pointer) {
    if (exec.device != DEVICE_GPU)
        memory_free(pointer);
    else if (messages_are_direct())
        device_free(exec, pointer);
    else
        pinned_free(exec, pointer);
}
