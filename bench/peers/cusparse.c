/* SPDX-License-Identifier: Apache-2.0
 *
 * cuSPARSE's batches of tridiagonal systems for `maeotis bench lines` (bench/peer_lines.h), with
 * coefficients of each line: gtsv2StridedBatch takes lines one after the other, gtsvInterleavedBatch row by
 * row, and loses its coefficients, which are copied anew outside the time.
 */
#include "bench/peer_lines.h"

#include <cuda_runtime.h>
#include <cusparse.h>
#include <stdbool.h>
#include <stdlib.h>

enum { STRIDED, INTERLEAVED, SOLVERS, TURNS = 5, TABLES = 4 };

PeerLinesName peer_batch_name;
PeerLinesBatch peer_batch;

const char *peer_batch_name(int solver) {
    static const char *const names[] = {"cuSPARSE gtsv2StridedBatch", "cuSPARSE gtsvInterleavedBatch"};
    return solver < SOLVERS ? names[solver] : NULL;
}

typedef struct Batch {
    cusparseHandle_t handle;
    double *made, *table[TABLES]; /* a, b, c, d as they are to be, and as they are used */
    void *buffer;
    cudaEvent_t begun, ended;
    int n, lines;
} Batch;

/* All lines alike, in the order of the solver. */
static bool fill(Batch *b, int solver, const double *const one[TABLES]) {
    const size_t size = (size_t)b->n * (size_t)b->lines;
    double *host = malloc(size * sizeof *host);
    bool done = host != NULL;
    for (int t = 0; t < TABLES && done; t++) {
        for (size_t m = 0; m < size; m++)
            host[m] = one[t][solver == STRIDED ? m % (size_t)b->n : m / (size_t)b->lines];
        done =
            cudaMemcpy(b->made + t * size, host, size * sizeof *host, cudaMemcpyHostToDevice) == cudaSuccess;
    }
    free(host);
    return done;
}

static bool prepare(Batch *b, int solver) {
    const size_t size = (size_t)b->n * (size_t)b->lines;
    size_t bytes = 0;
    bool done = cusparseCreate(&b->handle) == CUSPARSE_STATUS_SUCCESS &&
                cudaMalloc((void **)&b->made, TABLES * size * sizeof(double)) == cudaSuccess &&
                cudaEventCreate(&b->begun) == cudaSuccess && cudaEventCreate(&b->ended) == cudaSuccess;
    for (int t = 0; t < TABLES && done; t++)
        done = cudaMalloc((void **)&b->table[t], size * sizeof(double)) == cudaSuccess;
    double *const *t = b->table;
    if (done && solver == STRIDED)
        done = cusparseDgtsv2StridedBatch_bufferSizeExt(b->handle, b->n, t[0], t[1], t[2], t[3], b->lines,
                                                        b->n, &bytes) == CUSPARSE_STATUS_SUCCESS;
    else if (done)
        done = cusparseDgtsvInterleavedBatch_bufferSizeExt(b->handle, 0, b->n, t[0], t[1], t[2], t[3],
                                                           b->lines, &bytes) == CUSPARSE_STATUS_SUCCESS;
    return done && cudaMalloc(&b->buffer, bytes) == cudaSuccess;
}

static double solve(Batch *b, int solver) {
    const size_t size = (size_t)b->n * (size_t)b->lines;
    double *const *t = b->table;
    float milliseconds = -1;
    for (int m = 0; m < TABLES; m++)
        if (cudaMemcpy(t[m], b->made + m * size, size * sizeof(double), cudaMemcpyDeviceToDevice)) return -1;
    cudaEventRecord(b->begun, 0);
    const cusparseStatus_t status =
        solver == STRIDED
            ? cusparseDgtsv2StridedBatch(b->handle, b->n, t[0], t[1], t[2], t[3], b->lines, b->n, b->buffer)
            : cusparseDgtsvInterleavedBatch(b->handle, 0, b->n, t[0], t[1], t[2], t[3], b->lines, b->buffer);
    cudaEventRecord(b->ended, 0);
    if (status != CUSPARSE_STATUS_SUCCESS || cudaEventSynchronize(b->ended) != cudaSuccess ||
        cudaEventElapsedTime(&milliseconds, b->begun, b->ended) != cudaSuccess)
        return -1;
    return 1e-3 * milliseconds;
}

static void release(Batch *b) {
    for (int t = 0; t < TABLES; t++) cudaFree(b->table[t]);
    cudaFree(b->made);
    cudaFree(b->buffer);
    if (b->begun) cudaEventDestroy(b->begun);
    if (b->ended) cudaEventDestroy(b->ended);
    if (b->handle) cusparseDestroy(b->handle);
}

double peer_batch(int solver, int n, int lines, const double *a, const double *b, const double *c,
                  const double *d, double *x) {
    Batch batch = {.n = n, .lines = lines};
    const double *const one[TABLES] = {a, b, c, d};
    double least = -1;
    if (solver < SOLVERS && prepare(&batch, solver) && fill(&batch, solver, one)) {
        for (int turn = 0; turn < TURNS; turn++) {
            const double seconds = solve(&batch, solver);
            if (seconds >= 0 && (least < 0 || seconds < least)) least = seconds;
        }
        /* the first line's solution */
        const size_t step = solver == STRIDED ? 1 : (size_t)lines;
        if (cudaMemcpy2D(x, sizeof *x, batch.table[3], step * sizeof *x, sizeof *x, (size_t)n,
                         cudaMemcpyDeviceToHost) != cudaSuccess)
            least = -1;
    }
    release(&batch);
    return least;
}
