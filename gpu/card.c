/* SPDX-License-Identifier: Apache-2.0
 *
 * Valid C17 and C++17: nvcc compiles it in the CUDA build.
 */
#include "gpu/card.h"

#include <stdio.h>

#if defined(__CUDACC__)

static void add_fact(Card *card, const char *name, cudaDeviceAttr attribute, int device) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, attribute, device) != cudaSuccess) return;
    card->fact[card->facts].name = name;
    card->fact[card->facts++].value = value;
}

static Card gpu_card(void) {
    Card card = {};
    cudaDeviceProp properties;
    int device = 0, clock = 0, width = 0; /* clock [kHz], twice a cycle; width [bits] */
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
        return card;
    snprintf(card.name, sizeof card.name, "%s, compute capability %d.%d, %.0f GiB", properties.name,
             properties.major, properties.minor, (double)properties.totalGlobalMem / (1 << 30));
    if (cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, device) == cudaSuccess &&
        cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, device) == cudaSuccess)
        card.peak = 2.0 * 1e3 * clock * (width / 8.0);
    add_fact(&card, "multiprocessors", cudaDevAttrMultiProcessorCount, device);
    add_fact(&card, "threads of one, at most", cudaDevAttrMaxThreadsPerMultiProcessor, device);
    add_fact(&card, "bytes of its second cache", cudaDevAttrL2CacheSize, device);
    add_fact(&card, "shares memory with a host that goes on computing", cudaDevAttrConcurrentManagedAccess,
             device);
    add_fact(&card, "takes any memory of the host", cudaDevAttrPageableMemoryAccess, device);
    (void)cudaGetLastError(); /* else a question without an answer would be reported later */
    return card;
}

#else

static Card gpu_card(void) {
    Card card;
    card.name[0] = '\0';
    card.peak = 0;
    card.facts = 0;
    return card;
}

#endif

Card card_of(Exec exec) {
    Card card = gpu_card();
    if (exec.device == DEVICE_GPU) return card;
    snprintf(card.name, sizeof card.name, "%s",
             exec.device == DEVICE_EMU ? "the emulator: no times of a GPU" : "a processor");
    card.peak = 0;
    card.facts = 0;
    return card;
}
