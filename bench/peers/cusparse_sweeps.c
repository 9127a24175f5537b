/* SPDX-License-Identifier: Apache-2.0
 *
 * cuSPARSE's triangular solver (SpSV) for `maeotis bench sweeps` (bench/peer_triangular.h).
 */
#include "bench/peer_triangular.h"

#include <cuda_runtime.h>
#include <cusparse.h>
#include <stddef.h>

enum { TURNS = 5 };

PeerTriangular peer_triangular;

typedef struct Solver {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t rhs, x;
    cusparseSpSVDescr_t description;
    void *memory[6]; /* of the GPU: first, column, value, rhs, x, scratch */
} Solver;

static int to_device(Solver *s, int which, const void *from, size_t bytes) {
    if (cudaMalloc(&s->memory[which], bytes > 0 ? bytes : 1) != cudaSuccess) return 0;
    return !from || cudaMemcpy(s->memory[which], from, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
}

static int upload(Solver *s, int rows, const int *first, const int *column, const double *value,
                  const double *rhs) {
    const size_t entries = (size_t)first[rows], length = (size_t)rows * sizeof(double);
    return to_device(s, 0, first, ((size_t)rows + 1) * sizeof(int)) &&
           to_device(s, 1, column, entries * sizeof(int)) &&
           to_device(s, 2, value, entries * sizeof(double)) && to_device(s, 3, rhs, length) &&
           to_device(s, 4, NULL, length);
}

static int describe(Solver *s, int rows, int entries) {
    const cusparseFillMode_t lower = CUSPARSE_FILL_MODE_LOWER;
    const cusparseDiagType_t unit = CUSPARSE_DIAG_TYPE_UNIT;
    return cusparseCreate(&s->handle) == CUSPARSE_STATUS_SUCCESS &&
           cusparseCreateCsr(&s->matrix, rows, rows, entries, s->memory[0], s->memory[1], s->memory[2],
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS &&
           cusparseSpMatSetAttribute(s->matrix, CUSPARSE_SPMAT_FILL_MODE, (void *)&lower, sizeof lower) ==
               CUSPARSE_STATUS_SUCCESS &&
           cusparseSpMatSetAttribute(s->matrix, CUSPARSE_SPMAT_DIAG_TYPE, (void *)&unit, sizeof unit) ==
               CUSPARSE_STATUS_SUCCESS &&
           cusparseCreateDnVec(&s->rhs, rows, s->memory[3], CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS &&
           cusparseCreateDnVec(&s->x, rows, s->memory[4], CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS &&
           cusparseSpSV_createDescr(&s->description) == CUSPARSE_STATUS_SUCCESS;
}

static int analyse(Solver *s) {
    const double one = 1;
    size_t bytes = 0;
    return cusparseSpSV_bufferSize(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, s->matrix, s->rhs, s->x,
                                   CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, s->description,
                                   &bytes) == CUSPARSE_STATUS_SUCCESS &&
           to_device(s, 5, NULL, bytes) &&
           cusparseSpSV_analysis(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, s->matrix, s->rhs, s->x,
                                 CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, s->description,
                                 s->memory[5]) == CUSPARSE_STATUS_SUCCESS;
}

/* The best of some turns. */
static double solve(Solver *s) {
    const double one = 1;
    double best = -1;
    cudaEvent_t begin, end;
    if (cudaEventCreate(&begin) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess) return -1;
    for (int turn = 0; turn < TURNS; turn++) {
        float ms = 0;
        cudaEventRecord(begin, NULL);
        if (cusparseSpSV_solve(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, s->matrix, s->rhs, s->x,
                               CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT,
                               s->description) != CUSPARSE_STATUS_SUCCESS)
            return -1;
        cudaEventRecord(end, NULL);
        if (cudaEventSynchronize(end) != cudaSuccess) return -1;
        cudaEventElapsedTime(&ms, begin, end);
        if (best < 0 || 1e-3 * ms < best) best = 1e-3 * ms;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}

static void release(Solver *s) {
    if (s->description) cusparseSpSV_destroyDescr(s->description);
    if (s->matrix) cusparseDestroySpMat(s->matrix);
    if (s->rhs) cusparseDestroyDnVec(s->rhs);
    if (s->x) cusparseDestroyDnVec(s->x);
    if (s->handle) cusparseDestroy(s->handle);
    for (int n = 0; n < 6; n++) cudaFree(s->memory[n]);
}

double peer_triangular(int rows, const int *first, const int *column, const double *value, const double *rhs,
                       double *x) {
    Solver s = {0};
    double seconds = -1;
    if (upload(&s, rows, first, column, value, rhs) && describe(&s, rows, first[rows]) && analyse(&s))
        seconds = solve(&s);
    if (seconds >= 0 &&
        cudaMemcpy(x, s.memory[4], (size_t)rows * sizeof(double), cudaMemcpyDeviceToHost) != cudaSuccess)
        seconds = -1;
    release(&s);
    return seconds;
}
