/* SPDX-License-Identifier: Apache-2.0
 *
 * Valid C17 and C++17: nvcc compiles it in the CUDA build.
 */
#include "gpu/device.h"

#include "base/memory.h"
#include "gpu/managed.h"
#include "gpu/queue.h"
#include "gpu/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__CUDACC__)

static Status check(cudaError_t error, const char *what) {
    CHECK(error == cudaSuccess, STATUS_FAILED, "the GPU failed while %s: %s", what,
          cudaGetErrorString(error));
    return STATUS_OK;
}

static int count_gpus(void) {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

static int gpu_number(void) {
    int number = -1;
    return cudaGetDevice(&number) == cudaSuccess ? number : -1;
}

/* The driver takes memory for what kernels keep beside registers, for all threads that can run at once, when the first of
 * them is launched: after anybody has asked how much is left. */
static int64_t gpu_memory(int thread_bytes) {
    size_t left = 0, all;
    int device = 0, multiprocessors = 0, threads = 0;
    if (cudaMemGetInfo(&left, &all) != cudaSuccess || cudaGetDevice(&device) != cudaSuccess) return 0;
    (void)cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    (void)cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    const int64_t taken = (int64_t)multiprocessors * threads * thread_bytes;
    return (int64_t)left > taken ? (int64_t)left - taken : 0;
}

static Status choose_gpu(int turn) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    CHECK(error == cudaSuccess && count > 0, STATUS_BAD_INPUT,
          "device \"gpu\": this machine has no GPU that CUDA can use (%s); choose \"cpu\"",
          error == cudaSuccess ? "none found" : cudaGetErrorString(error));
    TRY(check(cudaSetDevice(turn % count), "it was chosen"));
    int both = 0;
    TRY(check(cudaDeviceGetAttribute(&both, cudaDevAttrConcurrentManagedAccess, turn % count),
              "its properties were read"));
    CHECK(both, STATUS_BAD_INPUT,
          "device \"gpu\": this GPU, or its driver, cannot share memory with a host that goes on computing "
          "(concurrentManagedAccess is 0; it needs Pascal or newer, on Linux); choose \"cpu\"");
    return STATUS_OK;
}

static Status gpu_allocate(size_t bytes, void **out) {
    TRY(check(cudaMalloc(out, bytes), "allocating its memory"));
    return check(cudaMemset(*out, 0, bytes), "clearing its memory");
}

static void gpu_free(void *pointer) {
    (void)cudaFree(pointer);
}

static void gpu_wait(void) {
    cudaError_t error = cudaGetLastError(); /* of a launch that was refused */
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess) return;
    fprintf(stderr, "error: a kernel failed on the GPU: %s\n", cudaGetErrorString(error));
    abort();
}

static Status gpu_pin(size_t bytes, void **out) {
    TRY(check(cudaHostAlloc(out, bytes, cudaHostAllocPortable), "locking memory of the host"));
    memset(*out, 0, bytes);
    return STATUS_OK;
}

static void gpu_unpin(void *pointer) {
    gpu_wait();
    (void)cudaFreeHost(pointer);
}

static void gpu_launch_copy(void *to, const void *from, CopyRows r) {
    const size_t count = (size_t)r.count;
    const cudaError_t error =
        from ? cudaMemcpy2DAsync(to, r.to, from, r.from, r.bytes, count, cudaMemcpyDefault, 0)
             : cudaMemset2DAsync(to, r.to, 0, r.bytes, count, 0);
    if (error != cudaSuccess) gpu_wait();
}

static Status gpu_copy(void *to, const void *from, CopyRows r) {
    TRY(check(cudaGetLastError(), "being given a kernel"));
    return check(cudaMemcpy2D(to, r.to, from, r.from, r.bytes, (size_t)r.count, cudaMemcpyDefault),
                 "computing or copying");
}

#else

static int count_gpus(void) {
    return 0;
}

static int gpu_number(void) {
    return -1;
}

static int64_t gpu_memory(int thread_bytes) {
    (void)thread_bytes;
    return 0;
}

static Status choose_gpu(int turn) {
    (void)turn;
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

static Status gpu_pin(size_t bytes, void **out) {
    return gpu_allocate(bytes, out);
}

static void gpu_unpin(void *pointer) {
    gpu_free(pointer);
}

static Status gpu_copy(void *to, const void *from, CopyRows rows) {
    (void)to, (void)from, (void)rows;
    return STATUS_FAILED;
}

static void gpu_wait(void) {}

static void gpu_launch_copy(void *to, const void *from, CopyRows rows) {
    (void)to, (void)from, (void)rows;
}

#endif

/* The entry of a list for this rank, "emu" of "gpu,emu", say; the list repeats after its end. */
static int count_entries(const char *list) {
    int entries = 1;
    for (const char *c = list; *c; c++) entries += *c == ',';
    return entries;
}

static void entry_of(const char *list, int rank_on_node, char name[16]) {
    int n = 0;
    const char *from = list;
    for (int skip = rank_on_node % count_entries(list); skip > 0; skip--) from = strchr(from, ',') + 1;
    for (; from[n] && from[n] != ',' && n < 15; n++) name[n] = from[n];
    name[n] = 0;
}

static Status device_of_name(const char *name, int gpus_taken, Device *out) {
    if (strcmp(name, "auto") == 0)
        return *out = gpus_taken < count_gpus() ? DEVICE_GPU : DEVICE_CPU, STATUS_OK;
    if (strcmp(name, "cpu") == 0) return *out = DEVICE_CPU, STATUS_OK;
    if (strcmp(name, "emu") == 0) return *out = DEVICE_EMU, STATUS_OK;
    if (strcmp(name, "gpu") == 0) return *out = DEVICE_GPU, STATUS_OK;
    return error_raise(STATUS_BAD_INPUT,
                       "there is no device \"%s\": it can be \"cpu\", \"gpu\", \"auto\" or \"emu\", or a "
                       "list of them, for the processes of a node in turn (gpu,cpu)",
                       name);
}

/* What the list has for a rank of the node, and how many of the ranks before it have a GPU. */
static Status device_of_rank(const char *list, int rank_on_node, Device *out, int *gpus_taken) {
    char name[16];
    for (int n = 0; n < count_entries(list); n++) { /* also those that no rank takes */
        entry_of(list, n, name);
        TRY(device_of_name(name, 0, out));
    }
    *gpus_taken = 0;
    for (int rank = 0;; rank++) {
        entry_of(list, rank, name);
        TRY(device_of_name(name, *gpus_taken, out));
        if (rank == rank_on_node) return STATUS_OK;
        *gpus_taken += *out == DEVICE_GPU;
    }
}

static void *emulated_get(size_t bytes, bool single) {
    (void)single;
    void *block = NULL;
    return posix_memalign(&block, 64, bytes) == 0 ? memset(block, 0, bytes) : NULL;
}

/* Waits, as cudaFree does. */
static void emulated_put(void *block, size_t bytes) {
    (void)bytes;
    queue_run();
    free(block);
}

static const MemorySource EMULATED = {emulated_get, emulated_put};

Status exec_create(const char *device, int rank_on_node, uint64_t seed, Exec *out) {
    Exec exec = {DEVICE_CPU, NULL, NULL, NULL};
    int gpus_taken;
    TRY(device_of_rank(device, rank_on_node, &exec.device, &gpus_taken));
    if (exec.device == DEVICE_GPU) TRY(choose_gpu(gpus_taken));
    exec.order = ALLOCATE(1, uint64_t);
    *exec.order = seed;
    *out = exec;
    if (exec.device == DEVICE_GPU) {
        (void)memory_use_source(managed_source());
    } else if (exec.device == DEVICE_EMU) {
        out->queue = queue_open();
        (void)memory_use_source(&EMULATED);
    }
    return results_create(*out, &out->results);
}

void exec_destroy(Exec *exec) {
    exec_wait(*exec);
    if (exec->device != DEVICE_CPU) (void)memory_use_source(NULL);
    memory_free(exec->order);
    results_destroy(*exec, &exec->results);
    if (exec->queue) queue_close();
    *exec = (Exec){DEVICE_CPU, NULL, NULL, NULL};
}

static uint64_t waits; /* there is one GPU for a process, and one queue */

void exec_wait(Exec exec) {
    if (exec.device == DEVICE_GPU) gpu_wait();
    if (exec.queue) queue_run();
    waits++;
}

uint64_t exec_waits(void) {
    return waits;
}

typedef struct Copied {
    void *to;
    const void *from; /* NULL: zeros */
    CopyRows rows;
} Copied;

static void copy_by_host(const Copied *c) {
    char *to = (char *)c->to;
    const char *from = (const char *)c->from;
    for (int n = 0; n < c->rows.count; n++, to += c->rows.to)
        if (from)
            memmove(to, from + (size_t)n * c->rows.from, c->rows.bytes);
        else
            memset(to, 0, c->rows.bytes);
}

static void copy_emulated(const Launch *launch) {
    copy_by_host((const Copied *)launch->args);
}

void exec_copy_rows(Exec exec, void *to, const void *from, CopyRows rows) {
    const Copied copied = {to, from, rows};
    const Launch launch = {"exec_copy", copy_emulated, NULL, 1, 1, 0, &copied, 0, false};
    if (exec.device == DEVICE_GPU)
        gpu_launch_copy(to, from, rows);
    else if (exec.device == DEVICE_EMU)
        launch_later(exec, launch, sizeof copied);
    else
        copy_by_host(&copied);
}

static CopyRows one_row(size_t bytes) {
    return (CopyRows){bytes, bytes, bytes, 1};
}

void exec_copy(Exec exec, void *to, const void *from, size_t bytes) {
    exec_copy_rows(exec, to, from, one_row(bytes));
}

void exec_clear(Exec exec, void *to, size_t bytes) {
    exec_copy(exec, to, NULL, bytes);
}

void exec_settle(Exec exec) {
    if (exec.device == DEVICE_GPU) managed_settle();
}

int device_number(Exec exec) {
    return exec.device == DEVICE_GPU ? gpu_number() : -1;
}

int64_t device_memory(Exec exec, int thread_bytes) {
    return exec.device == DEVICE_GPU ? gpu_memory(thread_bytes) : INT64_MAX;
}

static Status memory_of_host(size_t bytes, void **out) {
    *out = memory_request(bytes, 1);
    CHECK(*out, STATUS_FAILED, "out of memory: %zu bytes requested, %lld MiB in use", bytes,
          (long long)(memory_in_use() >> 20));
    return STATUS_OK;
}

Status device_allocate(Exec exec, size_t bytes, void **out) {
    if (exec.device == DEVICE_GPU) return gpu_allocate(bytes, out);
    return memory_of_host(bytes, out);
}

void device_free(Exec exec, void *pointer) {
    if (exec.device == DEVICE_GPU)
        gpu_free(pointer);
    else
        memory_free(pointer);
}

Status pinned_allocate(Exec exec, size_t bytes, void **out) {
    if (exec.device == DEVICE_GPU) return gpu_pin(bytes, out);
    return memory_of_host(bytes, out);
}

void pinned_free(Exec exec, void *pointer) {
    if (exec.device == DEVICE_GPU && pointer)
        gpu_unpin(pointer);
    else
        memory_free(pointer);
}

Status device_copy_rows(Exec exec, void *to, const void *from, CopyRows rows) {
    if (exec.device == DEVICE_GPU) return gpu_copy(to, from, rows);
    const Copied copied = {to, from, rows};
    exec_wait(exec);
    copy_by_host(&copied);
    return STATUS_OK;
}

Status device_copy(Exec exec, void *to, const void *from, size_t bytes) {
    return device_copy_rows(exec, to, from, one_row(bytes));
}

Status device_fetch(Exec exec, void *to, const void *from, size_t bytes) {
    TRY(device_copy(exec, to, from, bytes));
    waits++;
    return STATUS_OK;
}
