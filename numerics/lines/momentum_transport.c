/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/momentum_transport.h"

#include "base/memory.h"
#include "numerics/lines/compact_operator.h"
#include "numerics/lines/device_blocks.h"
#include "numerics/lines/group.h"

enum { EVEN, ODD, SYMMETRIES };

enum { TERMS_BLOCKS = 4096, TERMS_THREADS = 128, TERMS_EACH = 8 }; /* on a GPU; numbers of a thread */

enum { CACHED_BYTES = 64 << 10 }; /* of one array of a chunk: eight of them fit in a core's cache */

/* Everything along one axis. Where lines are whole, all is done chunk by chunk of groups, so that fields are
 * read and written once; else in arrays of all groups. */
typedef struct TransportAxis {
    LineLayout *layout;
    int chunk; /* groups */
    LineOperator *first[SYMMETRIES],
        *second[SYMMETRIES]; /* the odd ones are the even ones on periodic lines */
    double *velocity[3];
    double *product, *carried, *divergence, *curvature;
} TransportAxis;

struct MomentumTransport {
    double viscosity;
    TransportAxis direction[3];
};

static Status create_direction(const Grid *grid, int axis, const MomentumTransportOptions *options,
                               TransportAxis *d) {
    static const LineAxis axes[3] = {LINES_X, LINES_Y, LINES_Z};
    TRY(line_layout_of_grid(grid, axes[axis], &d->layout));
    for (int symmetry = EVEN; symmetry <= ODD; symmetry++) {
        const CompactEnd end = symmetry == EVEN ? END_EVEN_HALF : END_ODD_HALF;
        const double spacing = options->spacing[axis];
        TRY(compact_operator_create(d->layout, &(CompactScheme){COMPACT_FIRST, end, spacing, 0}, NULL,
                                    &options->choice, &d->first[symmetry]));
        if (options->viscosity != 0)
            TRY(compact_operator_create(d->layout, &(CompactScheme){COMPACT_SECOND, end, spacing, 0}, NULL,
                                        &options->choice, &d->second[symmetry]));
    }
    const ptrdiff_t fitting = CACHED_BYTES / (d->layout->group * (ptrdiff_t)sizeof(double));
    d->chunk = !lines_are_whole(d->first[EVEN]) ? d->layout->groups
               : fitting > d->layout->groups    ? d->layout->groups
               : fitting > 1                    ? (int)fitting
                                                : 1;
    double **arrays[] = {&d->velocity[0], &d->velocity[1], &d->velocity[2], &d->product,
                         &d->carried,     &d->divergence,  &d->curvature};
    for (int m = 0; m < 7; m++) *arrays[m] = ALLOCATE(d->chunk * d->layout->group, double);
    return STATUS_OK;
}

Status momentum_transport_create(const Grid *grid, const MomentumTransportOptions *options,
                                 MomentumTransport **out) {
    MomentumTransport *t = *out = ALLOCATE(1, MomentumTransport);
    t->viscosity = options->viscosity;
    Status status = STATUS_OK;
    for (int axis = 0; axis < 3 && status == STATUS_OK; axis++)
        status = create_direction(grid, axis, options, &t->direction[axis]);
    if (status != STATUS_OK) momentum_transport_destroy(out);
    return status;
}

void momentum_transport_destroy(MomentumTransport **transport) {
    MomentumTransport *t = *transport;
    if (!t) return;
    for (int axis = 0; axis < 3; axis++) {
        TransportAxis *d = &t->direction[axis];
        for (int symmetry = EVEN; symmetry <= ODD; symmetry++) {
            line_operator_destroy(&d->first[symmetry]);
            line_operator_destroy(&d->second[symmetry]);
        }
        for (int i = 0; i < 3; i++) memory_free(d->velocity[i]);
        memory_free(d->product);
        memory_free(d->carried);
        memory_free(d->divergence);
        memory_free(d->curvature);
        line_layout_destroy(&d->layout);
    }
    memory_free(t);
    *transport = NULL;
}

/* `groups` groups from g0 on; u and x are those groups' numbers. */
static void solve(LineOperator *op, const TransportAxis *d, int g0, int groups, const double *u, double *x) {
    const ptrdiff_t group = d->layout->group;
    if (!lines_are_whole(op)) {
        lines_solve(op, u, x);
        return;
    }
    for (int g = 0; g < groups; g++) lines_solve_group(op, g0 + g, u + g * group, x + g * group);
}

static void terms_by_kernels(const LineLayout *layout, LinesTerms args) {
    const ptrdiff_t wanted = args.count / (TERMS_THREADS * TERMS_EACH) + 1;
    const BlockShape shape = {wanted < TERMS_BLOCKS ? (int)wanted : TERMS_BLOCKS, TERMS_THREADS};
    lines_terms(layout->exec, shape, args);
}

void momentum_transport_product(const LineLayout *layout, ptrdiff_t count, const double *along,
                                const double *carrying, double *product) {
    if (lines_on_device(layout->exec)) {
        terms_by_kernels(
            layout,
            (LinesTerms){.along = along, .carrying = carrying, .sum = product, .count = count, .product = 1});
        return;
    }
    double *restrict to = product;
    ROW_LOOP for (ptrdiff_t m = 0; m < count; m++) to[m] = along[m] * carrying[m];
}

void momentum_transport_sum(const LineLayout *layout, ptrdiff_t count, MomentumTransportSum of, double *sum) {
    const double *restrict along = of.along, *restrict carried = of.carried;
    const double *restrict divergence = of.divergence, *restrict curvature = of.curvature;
    double *restrict to = sum;
    if (lines_on_device(layout->exec))
        terms_by_kernels(layout, (LinesTerms){.along = along,
                                              .carried = carried,
                                              .divergence = divergence,
                                              .curvature = curvature,
                                              .viscosity = of.viscosity,
                                              .sum = sum,
                                              .count = count});
    else if (curvature)
        ROW_LOOP for (ptrdiff_t m = 0; m < count; m++) to[m] =
            of.viscosity * curvature[m] - 0.5 * (along[m] * carried[m] + divergence[m]);
    else
        ROW_LOOP for (ptrdiff_t m = 0; m < count; m++) to[m] = -0.5 * (along[m] * carried[m] + divergence[m]);
}

/* The terms of component i along axis j into d->product. */
static void terms(const TransportAxis *d, int g0, int groups, int i, int j, double viscosity) {
    const ptrdiff_t count = groups * d->layout->group;
    const int symmetry = i == j ? ODD : EVEN; /* of u_i about walls across j; u_j is odd there */
    const double *along = d->velocity[j], *carrying = d->velocity[i];
    LineOperator *second = d->second[symmetry];
    momentum_transport_product(d->layout, count, along, carrying, d->product);
    solve(d->first[symmetry], d, g0, groups, carrying, d->carried);
    solve(d->first[symmetry == ODD ? EVEN : ODD], d, g0, groups, d->product, d->divergence);
    if (second) solve(second, d, g0, groups, carrying, d->curvature);
    const MomentumTransportSum of = {along, d->carried, d->divergence, second ? d->curvature : NULL,
                                     viscosity};
    momentum_transport_sum(d->layout, count, of, d->product);
}

void momentum_transport_add(MomentumTransport *t, double *const velocity[3], double *const tendency[3]) {
    for (int j = 0; j < 3; j++) {
        TransportAxis *d = &t->direction[j];
        for (int g0 = 0; g0 < d->layout->groups; g0 += d->chunk) {
            const int g1 = g0 + d->chunk < d->layout->groups ? g0 + d->chunk : d->layout->groups;
            for (int i = 0; i < 3; i++) groups_from_field(d->layout, g0, g1, velocity[i], d->velocity[i]);
            for (int i = 0; i < 3; i++) {
                terms(d, g0, g1 - g0, i, j, t->viscosity);
                groups_add_to_field(d->layout, g0, g1, d->product, 1, tendency[i]);
            }
        }
    }
}
