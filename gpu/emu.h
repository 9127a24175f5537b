/* SPDX-License-Identifier: Apache-2.0
 *
 * The emulator: runs block kernels (block.h) on the processor, to test them where there is no GPU.
 *
 * Every thread is a coroutine with a stack of its own. It runs until it reaches a barrier, a flag or its end;
 * then a thread is drawn among all that can continue. Only `resident` blocks are alive at a time, begun in a
 * random order; shared arrays begin as NaN (all bits set). Everything is drawn from `seed`, so a failure can
 * be repeated. If no thread can continue, that is a deadlock.
 *
 * It finds missing barriers (for most seeds), barriers that not all threads reach, waits for a block that
 * cannot run, too much shared memory; with AddressSanitizer also reads beyond arrays.
 */
#ifndef MAEOTIS_GPU_EMU_H
#define MAEOTIS_GPU_EMU_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BlockShape {
    int blocks, threads;
} BlockShape;

/* Which thread of how many, in which block of how many. */
typedef struct BlockPlace {
    int thread, threads, block, blocks;
} BlockPlace;

typedef void EmuThread(const void *args, BlockPlace at);

/* 32 bits of a block for another, and the number by which they are known. */
typedef struct Letter {
#if defined(__cplusplus)
    alignas(8) int bits;
#else
    _Alignas(8) int bits;
#endif
    int number;
} Letter;

enum { EMU_MESSAGE = 1000, WARP_THREADS = 32 };

/* Runs all blocks; false if they cannot be run to their end, and then `message` says why. Not from within a
 * kernel. */
bool emu_run(EmuThread *body, const void *args, BlockShape shape, int resident, uint64_t seed,
             char message[EMU_MESSAGE]);

/* The same for a launch, with everything drawn from its seed. A failure is a mistake in the kernel: it ends
 * the program. */
void emu_run_launch(EmuThread *body, const Launch *launch);

/* The host's side of block.h's operations. `place` is the place in the source. */
void *emu_shared(const char *place, size_t bytes);
void emu_barrier(const char *place);
double emu_before(const char *place, double x, int turn, int count);
void emu_flag_post(int *flag, int value);
void emu_flag_wait(const int *flag, int value, const char *place);
void emu_letter_post(Letter *letter, int bits, int number);
int emu_letter_wait(const Letter *letter, int number, const char *place);

#ifdef __cplusplus
}
#endif
#endif
