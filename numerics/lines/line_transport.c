/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/line_transport.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/lines/device_blocks.h"
#include "numerics/lines/operator.h"
#include <string.h>

enum { FIRST, FLUX, SECOND, OPERATORS, PRODUCT = OPERATORS, PLACES };
enum { TERMS_BLOCKS = 4096, TERMS_THREADS = 128, TERMS_EACH = 8 }; /* on a GPU; numbers of a thread */
enum {
    CACHED = 256 << 10, /* bytes of all places of the groups that go together */
    LARGE = 4 << 20     /* bytes that leave the caches before anybody reads them */
};

struct LineTransport {
    const LineLayout *layout;
    LineOperator *op[OPERATORS]; /* SECOND may be NULL */
    double viscosity;
    bool fused;
    int chunk;             /* groups that go together */
    double *place[PLACES]; /* of such groups, or of all where it is not fused: derivatives, product */
};

/* ---- set-up ---- */

/* Whole lines, or DistD2 for all; the rows beyond both ends serve the product too. */
static bool can_be_fused(const LineTransport *t) {
    if (lines_on_device(t->layout->exec) || t->op[FIRST]->rhs.reach != t->op[FLUX]->rhs.reach) return false;
    for (int n = 0; n < OPERATORS; n++)
        if (t->op[n] &&
            (t->op[n]->partition || t->op[n]->rhs.reach < 0 ||
             !t->op[n]->interface != !t->op[FIRST]->interface || t->op[n]->chunk != t->op[FIRST]->chunk))
            return false;
    return true;
}

LineTransport *line_transport_create(const LineLayout *layout, LineTransportOf of) {
    LineTransport *t = ALLOCATE(1, LineTransport);
    *t = (LineTransport){
        .layout = layout, .op = {of.first, of.first_flux, of.second}, .viscosity = of.viscosity};
    t->fused = can_be_fused(t);
    t->chunk = (int)(CACHED / (PLACES * (ptrdiff_t)sizeof(double) * layout->group));
    if (t->chunk < 2) t->chunk = 2; /* Thomas goes down one group while the one before goes up */
    if (t->op[FIRST]->interface) t->chunk = t->op[FIRST]->chunk;
    const ptrdiff_t size = t->fused ? (ptrdiff_t)t->chunk * layout->group : layout->size;
    for (int n = 0; n < PLACES; n++)
        if (n >= OPERATORS || t->op[n]) t->place[n] = ALLOCATE(size, double);
    return t;
}

void line_transport_destroy(LineTransport **transport) {
    LineTransport *t = *transport;
    if (!t) return;
    for (int n = 0; n < PLACES; n++) memory_free(t->place[n]);
    memory_free(t);
    *transport = NULL;
}

bool line_transport_is_fused(const LineTransport *transport) {
    return transport->fused;
}

/* ---- parts ---- */

typedef struct Groups {
    int first, end;
} Groups;

/* w u of some groups. */
static void multiply(const LineTransport *t, Groups g, const double *w, const double *u) {
    const ptrdiff_t first = g.first * t->layout->group, count = (g.end - g.first) * t->layout->group;
    double *restrict product = t->place[PRODUCT];
    ROW_LOOP for (ptrdiff_t m = 0; m < count; m++) product[m] = w[first + m] * u[first + m];
}

/* The result of some groups, from their derivatives. */
static void combine(const LineTransport *t, Groups g, const double *w, double *result, bool past) {
    const ptrdiff_t first = g.first * t->layout->group, end = g.end * t->layout->group;
    const LineNumber half = line_of(-0.5), viscosity = line_of(t->viscosity);
    for (ptrdiff_t m = first; m < end; m += LINE_LANES) {
        const LineNumber product = line_mul(line_load(w + m), line_load(t->place[FIRST] + m - first));
        LineNumber sum = line_mul(half, line_add(product, line_load(t->place[FLUX] + m - first)));
        if (t->op[SECOND]) sum = line_add(sum, line_mul(viscosity, line_load(t->place[SECOND] + m - first)));
        if (past)
            line_store_past_caches(result + m, sum);
        else
            line_store(result + m, sum);
    }
}

/* Rows beyond both ends: of u, and of w u. */
static void fetch(LineTransport *t, const double *w, const double *u) {
    LineOperator *first = t->op[FIRST], *flux = t->op[FLUX], *second = t->op[SECOND];
    const ptrdiff_t count = (ptrdiff_t)t->layout->groups * first->rhs.reach * t->layout->lanes;
    if (first->rhs.reach > 0) {
        line_fetch(first->fetch, u, first->halo);
        if (w != u) line_fetch(flux->fetch, w, flux->halo);
    }
    for (int side = 0; side < 2; side++) {
        const double *of_w = w == u ? first->halo[side] : flux->halo[side];
        for (ptrdiff_t m = 0; m < count; m++) flux->halo[side][m] = of_w[m] * first->halo[side][m];
    }
    if (!second || second->rhs.reach == 0) return;
    if (second->rhs.reach != first->rhs.reach)
        line_fetch(second->fetch, u, second->halo);
    else
        for (int side = 0; side < 2; side++)
            memcpy(second->halo[side], first->halo[side], (size_t)count * sizeof(double));
}

static void aim(LineTransport *t, int n, Groups g, const double *u) {
    LineOperator *op = t->op[n];
    op->u = n == FLUX ? t->place[PRODUCT] : u + g.first * t->layout->group;
    op->x = t->place[n];
    op->from = g.first;
    op->past = false;
}

static LineRhs rhs_of(const void *op, ptrdiff_t g) {
    return line_rhs_of(op, g);
}

/* ---- whole lines ---- */

static void whole_lines(LineTransport *t, const double *w, const double *u, double *result, bool past) {
    const int groups = t->layout->groups;
    for (int first = 0; first < groups; first += t->chunk) {
        const Groups g = {first, first + t->chunk < groups ? first + t->chunk : groups};
        multiply(t, g, w, u);
        for (int n = 0; n < OPERATORS; n++) {
            if (!t->op[n]) continue;
            aim(t, n, g, u);
            line_blocks_solve(t->op[n]->blocks, g.first, g.end, rhs_of, t->op[n], t->place[n], false);
        }
        combine(t, g, w, result, past);
    }
}

/* ---- DistD2 ---- */

/* A chunk's stages end together: who has fewer exchanges begins later. */
static void decoupled_lines(LineTransport *t, const double *w, const double *u, double *result, bool past) {
    LineStage stage[OPERATORS][LINE_SLOTS];
    int stages[OPERATORS] = {0}, most = 0;
    for (int n = 0; n < OPERATORS; n++)
        if (t->op[n]) stages[n] = line_interface_stages(t->op[n], stage[n]);
    for (int n = 0; n < OPERATORS; n++) most = stages[n] > most ? stages[n] : most;
    const int chunks = t->op[FIRST]->chunks;
    for (int turn = 0; turn < chunks + most - 1; turn++)
        for (int s = most - 1; s >= 0; s--) {
            const int chunk = turn - s;
            if (chunk < 0 || chunk >= chunks) continue;
            const Groups g = {chunk * t->chunk, line_chunk_end(t->op[FIRST], chunk)};
            for (int n = 0; n < OPERATORS; n++) {
                const int own = s - (most - stages[n]);
                if (!t->op[n] || own < 0) continue;
                if (own == 0 && n == FLUX) multiply(t, g, w, u);
                aim(t, n, g, u);
                stage[n][own](t->op[n], chunk);
            }
            if (s == most - 1) combine(t, g, w, result, past);
        }
}

/* ---- one by one ---- */

static void terms(Exec exec, LinesTerms of) {
    const ptrdiff_t wanted = of.count / (TERMS_THREADS * TERMS_EACH) + 1;
    const BlockShape shape = {wanted < TERMS_BLOCKS ? (int)wanted : TERMS_BLOCKS, TERMS_THREADS};
    if (lines_on_device(exec))
        lines_terms(exec, shape, of);
    else
        for (ptrdiff_t m = 0; m < of.count; m++) of.sum[m] = lines_term_at(&of, m);
}

static void one_by_one(LineTransport *t, const double *w, const double *u, double *result) {
    const Exec exec = t->layout->exec;
    const ptrdiff_t count = t->layout->size;
    terms(exec, (LinesTerms){.along = w, .carried = u, .sum = t->place[PRODUCT], .count = count});
    lines_solve(t->op[FIRST], u, t->place[FIRST]);
    lines_solve(t->op[FLUX], t->place[PRODUCT], t->place[FLUX]);
    if (t->op[SECOND]) lines_solve(t->op[SECOND], u, t->place[SECOND]);
    terms(exec, (LinesTerms){.along = w,
                             .carried = t->place[FIRST],
                             .divergence = t->place[FLUX],
                             .second = t->place[SECOND],
                             .viscosity = t->viscosity,
                             .sum = result,
                             .count = count});
}

void lines_transport(LineTransport *t, const double *w, const double *u, double *result) {
    if (!t->fused) {
        one_by_one(t, w, u, result);
        return;
    }
    const bool past = t->layout->size * (ptrdiff_t)sizeof(double) > LARGE;
    fetch(t, w, u);
    if (t->op[FIRST]->interface)
        decoupled_lines(t, w, u, result, past);
    else
        whole_lines(t, w, u, result, past);
    for (int n = 0; n < OPERATORS; n++)
        if (t->op[n]) t->op[n]->from = 0;
}
