/* SPDX-License-Identifier: Apache-2.0
 *
 * Valid C17 and C++17: nvcc compiles it in the CUDA build.
 */
#include "gpu/device.h"

#include "base/memory.h"

#include <string.h>

#if defined(__CUDACC__)

static Status check(cudaError_t error, const char *what) {
    CHECK(error == cudaSuccess, STATUS_FAILED, "the GPU failed while %s: %s", what,
          cudaGetErrorString(error));
    return STATUS_OK;
}

static Status choose_gpu(int rank_on_node) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    CHECK(error == cudaSuccess && count > 0, STATUS_BAD_INPUT,
          "device \"gpu\": this machine has no GPU that CUDA can use (%s); choose \"cpu\"",
          error == cudaSuccess ? "none found" : cudaGetErrorString(error));
    return check(cudaSetDevice(rank_on_node % count), "it was chosen");
}

static Status gpu_allocate(size_t bytes, void **out) {
    TRY(check(cudaMalloc(out, bytes), "allocating its memory"));
    return check(cudaMemset(*out, 0, bytes), "clearing its memory");
}

static void gpu_free(void *pointer) {
    (void)cudaFree(pointer);
}

static Status gpu_copy(void *to, const void *from, size_t bytes) {
    return check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "computing or copying");
}

#else

static Status choose_gpu(int rank_on_node) {
    (void)rank_on_node;
    return error_raise(STATUS_BAD_INPUT, "device \"gpu\": this program was built without CUDA; build it with "
                                         "-DMAEOTIS_CUDA=ON (cmake --preset cuda), or choose \"cpu\"");
}

/* Never called: without CUDA no Exec has a GPU. */
static Status gpu_allocate(size_t bytes, void **out) {
    (void)bytes, *out = NULL;
    return STATUS_FAILED;
}

static void gpu_free(void *pointer) {
    (void)pointer;
}

static Status gpu_copy(void *to, const void *from, size_t bytes) {
    (void)to, (void)from, (void)bytes;
    return STATUS_FAILED;
}

#endif

static Status device_of_name(const char *name, Device *out) {
    if (strcmp(name, "cpu") == 0) return *out = DEVICE_CPU, STATUS_OK;
    if (strcmp(name, "emu") == 0) return *out = DEVICE_EMU, STATUS_OK;
    if (strcmp(name, "gpu") == 0) return *out = DEVICE_GPU, STATUS_OK;
    return error_raise(STATUS_BAD_INPUT, "there is no device \"%s\": it can be \"cpu\", \"gpu\" or \"emu\"",
                       name);
}

Status exec_create(const char *device, int rank_on_node, uint64_t seed, Exec *out) {
    Exec exec = {DEVICE_CPU, NULL, NULL};
    TRY(device_of_name(device, &exec.device));
    if (exec.device == DEVICE_GPU) {
        TRY(choose_gpu(rank_on_node));
        TRY(device_allocate(exec, EXEC_SCRATCH, &exec.scratch));
    }
    exec.order = ALLOCATE(1, uint64_t);
    *exec.order = seed;
    *out = exec;
    return STATUS_OK;
}

void exec_destroy(Exec *exec) {
    memory_free(exec->order);
    if (exec->scratch) device_free(*exec, exec->scratch);
    exec->device = DEVICE_CPU;
    exec->order = NULL;
    exec->scratch = NULL;
}

Status device_allocate(Exec exec, size_t bytes, void **out) {
    if (exec.device == DEVICE_GPU) return gpu_allocate(bytes, out);
    *out = memory_allocate(bytes, 1);
    return STATUS_OK;
}

void device_free(Exec exec, void *pointer) {
    if (exec.device == DEVICE_GPU)
        gpu_free(pointer);
    else
        memory_free(pointer);
}

Status device_copy(Exec exec, void *to, const void *from, size_t bytes) {
    if (exec.device == DEVICE_GPU) return gpu_copy(to, from, bytes);
    memmove(to, from, bytes);
    return STATUS_OK;
}
