/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes of data: to distinguish data and to find damage, without protection against forgery. Files hold
 * them, so the functions must not change.
 */
#ifndef MAEOTIS_BASE_HASH_H
#define MAEOTIS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__CUDACC__)
#define HASH_FUNCTION_ static inline __host__ __device__ /* kernels mix bits, too */
#else
#define HASH_FUNCTION_ static inline
#endif

/* A good mix of 64 bits (the finaliser of SplitMix64). */
HASH_FUNCTION_ uint64_t hash_mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t hash_text(const char *text) {
    uint64_t hash = 0xcbf29ce484222325u; /* where FNV begins; any number would do */
    for (; *text; text++) hash = hash_mix(hash ^ (unsigned char)*text);
    return hash;
}

/* In pieces: begin with hash_mix(size of the whole); all pieces but the last are of whole words of 8 bytes. */
static inline uint64_t hash_more(uint64_t hash, const void *bytes, size_t size) {
    uint64_t word;
    for (size_t n = 0; n < size; n += sizeof word) {
        word = 0;
        memcpy(&word, (const char *)bytes + n, size - n < sizeof word ? size - n : sizeof word);
        hash = hash_mix(hash ^ word);
    }
    return hash;
}

static inline uint64_t hash_bytes(const void *bytes, size_t size) {
    return hash_more(hash_mix(size), bytes, size);
}

#ifdef __cplusplus
}
#endif
#endif
