/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench probe: what decides how well the program can run on a GPU, in seconds: how long a launch, a wait, a
 * fetch and news between blocks of threads take, and what becomes of memory that the host touches. On the emulator it
 * shows that it runs.
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/probe_blocks.h"
#include "bench/triad_kernels.h"
#include "gpu/card.h"
#include "gpu/device.h"
#include <string.h>

enum { PIECE = 1024, PAGE = 4096 / sizeof(double), FETCHED = 544 };

typedef struct Probe {
    Exec exec;
    int turns, blocks; /* of launches; of the chain */
    double *x;         /* `runs` */
    RunList runs;
} Probe;

static double seconds_of_kernel(const Probe *p, RunList runs) {
    exec_wait(p->exec);
    const double start = MPI_Wtime();
    bench_triad(p->exec, runs, (Triad){p->x, p->x, p->x, 0.0});
    exec_wait(p->exec);
    return MPI_Wtime() - start;
}

static void probe_launches(const Probe *p) {
    const RunList one = {p->runs.run, 1, PIECE};
    (void)seconds_of_kernel(p, one);
    double start = MPI_Wtime();
    for (int n = 0; n < p->turns; n++) bench_triad(p->exec, one, (Triad){p->x, p->x, p->x, 0.0});
    const double given = MPI_Wtime() - start;
    exec_wait(p->exec);
    log_info("  launch %.2f us, with its run %.2f us", 1e6 * given / p->turns,
             1e6 * (MPI_Wtime() - start) / p->turns);
    start = MPI_Wtime();
    for (int n = 0; n < p->turns; n++) (void)seconds_of_kernel(p, one);
    log_info("  launch and wait %.2f us", 1e6 * (MPI_Wtime() - start) / p->turns);
}

static Status probe_fetch(const Probe *p) {
    char found[FETCHED];
    void *there = NULL;
    Status status = STATUS_OK;
    TRY(device_allocate(p->exec, FETCHED, &there));
    const double start = MPI_Wtime();
    for (int n = 0; n < p->turns && status == STATUS_OK; n++)
        status = device_fetch(p->exec, found, there, FETCHED);
    const double taken = MPI_Wtime() - start;
    device_free(p->exec, there);
    TRY(status);
    log_info("  fetch of %d bytes %.2f us", FETCHED, 1e6 * taken / p->turns);
    return STATUS_OK;
}

/* The news must also be right: the last block has counted all of them. */
static Status probe_chain_of_blocks(const Probe *p) {
    const size_t blocks = (size_t)p->blocks;
    ProbeChain chain = {ALLOCATE(1, int64_t), ALLOCATE(blocks, int), ALLOCATE(blocks, int)};
    double best = 1e300;
    int last = p->blocks;
    for (int turn = 0; turn < 5 && last == p->blocks; turn++) {
        exec_wait(p->exec);
        *chain.ticket = 0;
        memset(chain.flag, 0, blocks * sizeof *chain.flag);
        memset(chain.value, 0, blocks * sizeof *chain.value);
        const double start = MPI_Wtime();
        probe_chain(p->exec, (BlockShape){p->blocks, 32}, chain);
        exec_wait(p->exec);
        const double taken = MPI_Wtime() - start;
        if (taken < best) best = taken;
        last = chain.value[blocks - 1];
    }
    memory_free(chain.ticket), memory_free(chain.flag), memory_free(chain.value);
    CHECK(last == p->blocks, STATUS_FAILED,
          "a chain of %d blocks of threads came to %d: news between blocks arrive before "
          "what they tell of",
          p->blocks, last);
    log_info("  news from block to block %.3f us, the least of 5 chains of %d", 1e6 * best / p->blocks,
             p->blocks);
    return STATUS_OK;
}

static void probe_pages(const Probe *p) {
    const double bytes = 2.0 * sizeof(double) * (double)p->runs.elements;
    const size_t count = (size_t)p->runs.elements;
    exec_settle(p->exec);
    (void)seconds_of_kernel(p, p->runs);
    double start = MPI_Wtime();
    for (size_t n = 0; n < count; n += PAGE) p->x[n] = 1;
    log_info("  %.1f MiB: the host touches all pages in %.3f s", 0.5 * bytes / (1 << 20),
             MPI_Wtime() - start);
    log_info("  kernels take them back in %.3f s", seconds_of_kernel(p, p->runs));
    log_info("  at home they move %.0f GB/s", 1e-9 * bytes / seconds_of_kernel(p, p->runs));
    start = MPI_Wtime();
    p->x[5] += 1;
    const double there = MPI_Wtime() - start;
    log_info("  one page to the host %.1f us, back %.1f us", 1e6 * there,
             1e6 * seconds_of_kernel(p, (RunList){p->runs.run, 1, PIECE}));
}

static Status probe(Probe *p) {
    const bool gpu = p->exec.device == DEVICE_GPU;
    const int pieces = gpu ? 1 << 16 : 64; /* 512 MiB; small where nothing is measured */
    p->turns = gpu ? 2000 : 20;
    p->blocks = gpu ? 10000 : 50;
    p->x = ALLOCATE((size_t)pieces * PIECE, double);
    p->runs = (RunList){ALLOCATE((size_t)pieces, Run), pieces, (int64_t)pieces * PIECE};
    for (int n = 0; n < pieces; n++) {
        const int first = n % PIECE * PIECE; /* a triad's row has PIECE pieces */
        p->runs.run[n] = (Run){first, first + PIECE, n / PIECE, 0};
    }
    probe_launches(p);
    Status status = probe_fetch(p);
    if (status == STATUS_OK) status = probe_chain_of_blocks(p);
    if (status == STATUS_OK) probe_pages(p);
    exec_wait(p->exec);
    memory_free(p->x), memory_free(p->runs.run);
    return status;
}

Status bench_probe(MPI_Comm comm, const char *device) {
    Probe p = {.turns = 0};
    int rank;
    MPI_Comm_rank(comm, &rank);
    TRY(status_agree(comm, exec_create(device, rank, 1, &p.exec)));
    const Card card = card_of(p.exec);
    log_info("%s", card.name);
    for (int n = 0; n < card.facts; n++) log_info("  %s %d", card.fact[n].name, card.fact[n].value);
    const Status status = probe(&p);
    exec_destroy(&p.exec);
    return status;
}
