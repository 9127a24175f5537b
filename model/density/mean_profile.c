/* SPDX-License-Identifier: Apache-2.0 */
#include "model/density/mean_profile.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { REACH = 4, TERMS = 2 * REACH }; /* nodes of P at one height, at two */
static const double STIFFNESS = 1e-7;  /* of third differences, over the largest weight of a node */

struct MeanProfile {
    const Grid *grid;
    ProfileNodes nodes;
    const double *below; /* of density_columns.h */
    double per_area;     /* weight of a column over its area [m-2] */
    int band;            /* how far apart nodes are that meet in a difference, at most */
    double *factor;      /* L D L^T: of row n the columns n - band to n, the last of which is D */
    int64_t *right;      /* right-hand side */
    double *solution;
};

/* P(z_2) - P(z_1), from the nodes. */
typedef struct Difference {
    int node[TERMS];
    double weight[TERMS];
} Difference;

static void at_height(const ProfileNodes *nodes, double z, double sign, int *node, double *weight) {
    const double at = fmax(0, fmin((z - nodes->bottom) / nodes->step, nodes->count - 3.0));
    const double t = at - floor(at);
    for (int n = 0; n < REACH; n++) node[n] = (int)floor(at) + n;
    weight[0] = sign * 0.5 * t * (t * (2 - t) - 1);
    weight[1] = sign * (1 + 0.5 * t * t * (3 * t - 5));
    weight[2] = sign * 0.5 * t * (1 + t * (4 - 3 * t));
    weight[3] = sign * 0.5 * t * t * (t - 1);
}

/* Heights of a column's middles, bottom up. Returns their number; 0 for ghosts and for films, whose slopes are those of
 * round-off. */
static int middles(const MeanProfile *y, const double *eta, const double *depth, ptrdiff_t m, double *z) {
    const Grid *g = y->grid;
    const int bottom = (int)g->bottom_c[m], count = g->n3 - bottom;
    double height = eta[m];
    if (!(g->own_area[m] > 0) || depth[m] < y->nodes.step) return 0;
    for (int k = count - 1; k >= 0; k--) {
        const ptrdiff_t mk = m + (bottom + k) * g->plane;
        const double thickness = g->phi_c[mk] * depth[m];
        z[k] = y->below ? eta[m] - y->below[mk] : height - 0.5 * thickness;
        height -= thickness;
    }
    return count;
}

/* ---- sums over columns: of whole numbers, so that they are the same in any order ---- */

static int64_t whole(double value) {
    return (int64_t)nearbyint(value);
}

/* A weight that leaves room for the sum over all cells, times differences of up to 100 kg m-3. */
static double weight_per_area(const Grid *g) {
    enum { LARGEST = 54 }; /* power of 2 */
    double largest = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) largest = fmax(largest, g->own_area[AT2(*g, i, j)]);
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    return largest > 0 ? ldexp(1 / largest, LARGEST - ilogb((double)g->nx * g->ny * g->n3)) : 0;
}

/* What is summed over all differences: the matrix or the right-hand side. */
typedef void AddDifference(const MeanProfile *y, const Difference *d, double weight, double rise,
                           int64_t *sum);

static void add_product(const MeanProfile *y, const Difference *d, double weight, double rise, int64_t *sum) {
    (void)rise;
    for (int a = 0; a < TERMS; a++)
        for (int b = 0; b < TERMS; b++) {
            const int back = d->node[a] - d->node[b];
            if (back >= 0)
                sum[d->node[a] * (y->band + 1) + y->band - back] +=
                    whole(weight * d->weight[a] * d->weight[b]);
        }
}

static void add_rise(const MeanProfile *y, const Difference *d, double weight, double rise, int64_t *sum) {
    (void)y;
    for (int a = 0; a < TERMS; a++) sum[d->node[a]] += whole(weight * d->weight[a] * rise);
}

static void sum_columns(const MeanProfile *y, const double *eta, const double *depth, const double *b,
                        AddDifference *add, size_t count, int64_t *sum) {
    const Grid *g = y->grid;
    double z[MAX_LEVELS];
    Difference d;
    memset(sum, 0, count * sizeof *sum);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const int layers = middles(y, eta, depth, m, z);
            for (int k = 1; k < layers; k++) {
                const ptrdiff_t upper = m + (g->n3 - layers + k) * g->plane;
                at_height(&y->nodes, z[k - 1], -1, d.node, d.weight);
                at_height(&y->nodes, z[k], 1, d.node + REACH, d.weight + REACH);
                add(y, &d, y->per_area * g->own_area[m], b ? b[upper] - b[upper - g->plane] : 0, sum);
            }
        }
    MPI_Allreduce(MPI_IN_PLACE, sum, (int)count, MPI_INT64_T, MPI_SUM, g->comm);
}

/* ---- the matrix ---- */

static void factorize(double *a, int count, int band) {
    const ptrdiff_t next = band + 1;
    for (int i = 0; i < count; i++) {
        double *row = a + i * next + band - i; /* row[j]: element (i, j) */
        const int first = i > band ? i - band : 0;
        for (int j = first; j < i; j++) { /* L D */
            const double *other = a + j * next + band - j;
            for (int k = j > band + first ? j - band : first; k < j; k++) row[j] -= row[k] * other[k];
        }
        for (int j = first; j < i; j++) {
            const double product = row[j];
            row[j] /= a[j * next + band];
            row[i] -= product * row[j];
        }
    }
}

static void solve(const double *a, int count, int band, double *x) {
    const ptrdiff_t next = band + 1;
    for (int i = 0; i < count; i++)
        for (int j = i > band ? i - band : 0; j < i; j++) x[i] -= a[i * next + band - i + j] * x[j];
    for (int i = 0; i < count; i++) x[i] /= a[i * next + band];
    for (int i = count - 1; i >= 0; i--)
        for (int j = i > band ? i - band : 0; j < i; j++) x[j] -= a[i * next + band - i + j] * x[i];
}

/* What the columns leave open: third differences, and the value at the uppermost node. */
static void add_stiffness(double *a, int count, int band) {
    const double third[] = {1, -3, 3, -1};
    const ptrdiff_t next = band + 1;
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, a[i * next + band]);
    const double weight = STIFFNESS * (largest > 0 ? largest : 1);
    for (int i = 0; i + REACH <= count; i++)
        for (int p = 0; p < REACH; p++)
            for (int q = 0; q <= p; q++) a[(i + p) * next + band - p + q] += weight * third[p] * third[q];
    a[(count - 1) * next + band] += weight;
}

static int widest(const MeanProfile *y, const double *eta, const double *depth) {
    const Grid *g = y->grid;
    double z[MAX_LEVELS], most = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const int count = middles(y, eta, depth, AT2(*g, i, j), z);
            for (int k = 1; k < count; k++) most = fmax(most, z[k] - z[k - 1]);
        }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    return (int)fmin(y->nodes.count, ceil(most / y->nodes.step) + REACH);
}

/* ---- life ---- */

MeanProfile *mean_profile_create(const Grid *g, ProfileNodes nodes, const double *eta, const double *depth,
                                 const double *below) {
    MeanProfile *y = ALLOCATE(1, MeanProfile);
    *y = (MeanProfile){.grid = g, .nodes = nodes, .below = below, .per_area = weight_per_area(g)};
    y->band = widest(y, eta, depth);
    const size_t count = (size_t)nodes.count + 1, all = count * ((size_t)y->band + 1);
    int64_t *sum = ALLOCATE(all, int64_t);
    y->factor = ALLOCATE(all, double);
    y->right = ALLOCATE(count, int64_t);
    y->solution = ALLOCATE(count, double);
    sum_columns(y, eta, depth, NULL, add_product, all, sum);
    for (size_t n = 0; n < all; n++) y->factor[n] = (double)sum[n];
    memory_free(sum);
    add_stiffness(y->factor, (int)count, y->band);
    factorize(y->factor, (int)count, y->band);
    return y;
}

void mean_profile_destroy(MeanProfile **mean) {
    if (!*mean) return;
    memory_free((*mean)->factor);
    memory_free((*mean)->right);
    memory_free((*mean)->solution);
    memory_free(*mean);
    *mean = NULL;
}

void mean_profile_add(const MeanProfile *y, const double *eta, const double *depth, const double *b,
                      double *profile) {
    const int count = y->nodes.count + 1;
    sum_columns(y, eta, depth, b, add_rise, (size_t)count, y->right);
    for (int n = 0; n < count; n++) y->solution[n] = (double)y->right[n];
    solve(y->factor, count, y->band, y->solution);
    for (int n = 0; n < count; n++) profile[n] += y->solution[n];
}

void mean_profile_centre(const MeanProfile *y, const double *depth, const double *b, double *profile) {
    const Grid *g = y->grid;
    int64_t sum[2] = {0}; /* of b, of weights */
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const double weight = y->per_area * g->own_area[m];
            if (!(weight > 0) || depth[m] < y->nodes.step) continue;
            for (int k = (int)g->bottom_c[m]; k < g->n3; k++) {
                sum[0] += whole(weight * b[m + k * g->plane]);
                sum[1] += whole(weight);
            }
        }
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT64_T, MPI_SUM, g->comm);
    for (int n = 0; n <= y->nodes.count; n++) profile[n] += sum[1] > 0 ? (double)sum[0] / (double)sum[1] : 0;
}
