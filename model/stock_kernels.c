/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stock_kernels.h"

#include "gpu/measure.h"

MAX_CELLS(faces_measure, FacesMeasured, FACE_MEASURES) {
    (void)k;
    const ptrdiff_t m = j * a->row + i;
    const double dt = a->dt, spacing = a->spacing[j], fastest = a->fastest[m];
    most[MOST_FASTEST] = max_of(fastest, most[MOST_FASTEST]);
    most[MOST_COURANT] = max_of(fastest * dt / spacing, most[MOST_COURANT]);
    most[MOST_WAVES] = max_of(a->gravity * a->depth[m] * dt * dt / (spacing * spacing), most[MOST_WAVES]);
    most[MOST_EXCESS] = max_of(a->excess[m], most[MOST_EXCESS]);
    most[MOST_MOVING] = max_of(a->depth[m] < a->film ? 0.0 : fastest, most[MOST_MOVING]);
    most[MOST_ENTERING] = max_of(a->entering[m], most[MOST_ENTERING]);
    const double level = a->eta ? a->eta[m] : a->bed[m] + a->depth[m];
    most[MOST_LEVEL] = max_of(a->depth[m] > 0 ? level : 0.0, most[MOST_LEVEL]);
}

COUNT_CELLS(field_digest, Digested, 1) {
    const GridView *g = &a->g;
    const uint64_t row =
        ((uint64_t)k * (uint64_t)(g->ny + 1) + (uint64_t)(g->j_first + j)) * (uint64_t)(g->nx + 1);
    const double positive_zero = a->field[AT(*g, i, j, k)] + 0.0; /* -0 and 0 are the same water */
    uint64_t bits;
    memcpy(&bits, &positive_zero, sizeof bits);
    count[0] += hash_mix(bits ^ hash_mix(row + (uint64_t)(g->i_first + i) + a->salt));
}
