/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/messages.h"

#include <mpi.h>
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

Status messages_allocate(Exec exec, size_t bytes, void **out) {
    const size_t some = bytes ? bytes : 1;
    return messages_are_direct() ? device_allocate(exec, some, out) : pinned_allocate(exec, some, out);
}

void messages_free(Exec exec, void *pointer) {
    if (messages_are_direct())
        device_free(exec, pointer);
    else
        pinned_free(exec, pointer);
}
