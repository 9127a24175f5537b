/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/tables.h"

#include "base/memory.h"
#include <string.h>

/* Of a level [m], and of the range of heights; of what pixels of unlike roughness convey. */
static const double TOLERANCE_M = 0.001, TOLERANCE_PART = 0.0005, TOLERANCE_CONVEYED = 0.01;
/* With less of the place wet, the tolerance is one of volumes: or nodes would gather at the lowest pixels. */
static const double LEAST_SHARE = 0.05;

/* The sorted halves from .. middle and middle .. end of `p` together. */
static void merge(const Pixel *p, int from, int middle, int end, Pixel *out) {
    for (int low = from, high = middle, n = from; n < end; n++)
        out[n] = high == end || (low < middle && !(p[high].height < p[low].height)) ? p[low++] : p[high++];
}

/* By height; equal ones stay in their order, which sums depend on. `other` is room for as many. */
static void sort_pixels(Pixel *p, int count, Pixel *other) {
    enum { SHORT = 8 };
    for (int from = 0; from < count; from += SHORT)
        for (int n = from + 1; n < count && n < from + SHORT; n++) {
            const Pixel moved = p[n];
            int at = n;
            for (; at > from && moved.height < p[at - 1].height; at--) p[at] = p[at - 1];
            p[at] = moved;
        }
    Pixel *sorted = p;
    for (int64_t length = SHORT; length < count; length *= 2) {
        Pixel *out = sorted == p ? other : p;
        for (int64_t from = 0; from < count; from += 2 * length) {
            const int64_t middle = from + length < count ? from + length : count,
                          end = middle + length < count ? middle + length : count;
            merge(sorted, (int)from, (int)middle, (int)end, out);
        }
        sorted = out;
    }
    if (sorted != p) memcpy(p, sorted, (size_t)count * sizeof *p);
}

/* What is known of each height: the share of all that lies below, `under`, and not above, `share`; of what that conveys at equal depth,
 * `rough`. */
typedef struct Level {
    double height, under, share, rough;
} Level;

/* One level for each height, from the lowest, whose height becomes 0. Returns their number. */
static int gather(Pixel *p, int count, Level *level) {
    double all = 0, slope = 0, passed = 0;
    int distinct = 0;
    Pixel *other = ALLOCATE(count, Pixel);
    sort_pixels(p, count, other);
    memory_free(other);
    const double lowest = p[0].height;
    for (int n = 0; n < count; n++) {
        const double height = p[n].height - lowest;
        if (distinct == 0 || height > level[distinct - 1].height) {
            if (distinct > 0) all += fmax(0, slope) * (height - level[distinct - 1].height);
            level[distinct++] = (Level){.height = height, .under = all};
        }
        all += p[n].weight, slope += p[n].slope, passed += p[n].weight / p[n].rough;
        level[distinct - 1].share = all, level[distinct - 1].rough = passed;
    }
    for (int n = 0; n < distinct; n++) {
        const bool last = n == distinct - 1;
        level[n].under /= all;
        level[n].share = last ? 1 : level[n].share / all,
        level[n].rough = last || !(passed > 0) ? 1 : level[n].rough / passed;
    }
    return distinct;
}

/* Of errors that differ by rounding the lowest one counts, or the order of sums would decide. */
static bool is_worse(double error, double other) {
    return error > other * (1 + 1e-9);
}

/* By how much share jumps at a level. */
static double step_at(const Level *p, int n) {
    return p[n].share - p[n].under;
}

/* How much share grows from its mean to the end of a node, as the depths between say (least squares); where there are none, it is a line. */
static double growth_by_depths(const Level *p, const double *depth, int from, int to, double mean) {
    const double range = p[to].height - p[from].height;
    double both = 0, square = 0;
    for (int n = from + 1; n < to; n++) {
        const double above = p[n].height - p[from].height, bent = above * (above / range - 1);
        both += bent * (depth[n] - depth[from] - above * mean);
        square += bent * bent;
    }
    return fmax(0, square > 0 ? both / square : 0.5 * (p[to].under - p[from].share));
}

/* A node at level `from` for the heights up to level `to`. The stairs of the levels between become a line, within the steps at both ends. */
static void set_node(const Level *p, const double *depth, int from, int to, int values, double *node) {
    node[NODE_HEIGHT] = p[from].height;
    node[NODE_DEPTH] = depth[from];
    node[NODE_SHARE] = 1;
    node[NODE_GROWTH] = 0;
    if (to == from) return;
    const double range = p[to].height - p[from].height, mean = (depth[to] - depth[from]) / range;
    const double low = p[from].share, high = p[to - 1].share;
    const double step = to > from + 1 ? (high - low) / (to - from - 1) : 0;
    const double least = low - 0.5 * fmin(step, step_at(p, from)),
                 most = high + 0.5 * fmin(step, step_at(p, to));
    double more = fmax(0, fmin(mean - least, most - mean));
    if (values == NODE_OF_COLUMN)
        more =
            fmin(growth_by_depths(p, depth, from, to, mean), fmin(mean - p[from].under, p[to].share - mean));
    node[NODE_SHARE] = mean - more;
    node[NODE_GROWTH] = 2 * more / range;
}

/* The level between two at which it is off most, and by how much. */
static int worst_between(const Level *p, const double *depth, int from, int to, int values, double *off) {
    double node[NODE_OF_COLUMN];
    int worst = from;
    *off = 0;
    set_node(p, depth, from, to, values, node);
    for (int n = from + 1; n < to; n++) {
        const double above = p[n].height - node[NODE_HEIGHT];
        const double found = node[NODE_DEPTH] + above * (node[NODE_SHARE] + 0.5 * above * node[NODE_GROWTH]);
        const double error = fabs(found - depth[n]) / fmax(p[n].share, LEAST_SHARE);
        if (is_worse(error, *off)) *off = error, worst = n;
    }
    return worst;
}

/* What pixels below `height` convey, for a width of 1 and their mean roughness. */
static double conveyance(const Level *p, int levels, double height, double exponent) {
    double sum = 0, below = 0;
    for (int n = 0; n < levels && p[n].height < height; below = p[n++].rough)
        sum += (p[n].rough - below) * pow(height - p[n].height, exponent);
    return sum;
}

/* Of hypsometry_factor, where the ground conveys so much. [m2] */
static double unevenness(double conveyed, double depth, double share, double exponent) {
    const double hydraulic = depth / share;
    return depth > 0 ? (conveyed / (share * pow(hydraulic, exponent)) - 1) * hydraulic * hydraulic : 0;
}

static void set_unevenness(const Level *p, int levels, int count, double exponent, double *node) {
    for (int n = 0; n < count; n++) {
        double *here = node + n * NODE_OF_FACE;
        const double *next = n < count - 1 ? here + NODE_OF_FACE : here;
        const double low = here[NODE_HEIGHT], high = next[NODE_HEIGHT];
        here[NODE_UNEVENNESS] =
            unevenness(conveyance(p, levels, low, exponent), here[NODE_DEPTH], here[NODE_SHARE], exponent);
        here[NODE_UNEVENNESS_GROWTH] = 0;
        if (n == count - 1) break;
        const double share = here[NODE_SHARE] + (high - low) * here[NODE_GROWTH];
        const double at_next =
            unevenness(conveyance(p, levels, high, exponent), next[NODE_DEPTH], share, exponent);
        here[NODE_UNEVENNESS_GROWTH] = (at_next - here[NODE_UNEVENNESS]) / (high * high - low * low);
    }
}

static void insert(int *chosen, int count, int at, int level) {
    for (int n = count; n > at; n--) chosen[n] = chosen[n - 1];
    chosen[at] = level;
}

static void set_nodes(const Level *p, const double *depth, int levels, const int *chosen, int nodes,
                      double exponent, double *node) {
    for (int n = 0; n < nodes; n++)
        set_node(p, depth, chosen[n], chosen[n < nodes - 1 ? n + 1 : n], NODE_OF_FACE,
                 node + n * NODE_OF_FACE);
    set_unevenness(p, levels, nodes, exponent, node);
}

/* What pixels convey by the node below a height. */
static double conveyance_by(const double *node, double height, double exponent) {
    const double above = height - node[NODE_HEIGHT], share = node[NODE_SHARE] + above * node[NODE_GROWTH];
    const double depth = node[NODE_DEPTH] + above * (node[NODE_SHARE] + 0.5 * above * node[NODE_GROWTH]);
    const double square = height * height - node[NODE_HEIGHT] * node[NODE_HEIGHT], per_depth = share / depth;
    const double uneven = node[NODE_UNEVENNESS] + square * node[NODE_UNEVENNESS_GROWTH];
    return share * pow(depth / share, exponent) * (1 + uneven * per_depth * per_depth);
}

/* Adds the level at which the nodes are off most. */
static bool add_roughest(const Level *p, int levels, double exponent, const double *node, int *chosen,
                         int count) {
    double most = TOLERANCE_CONVEYED;
    int at = -1, roughest = 0;
    for (int n = 0; n < count - 1; n++)
        for (int q = chosen[n] + 1; q < chosen[n + 1]; q++) {
            const double height = p[q].height;
            const double off = fabs(conveyance_by(node + n * NODE_OF_FACE, height, exponent) /
                                        conveyance(p, levels, height, exponent) -
                                    1);
            if (is_worse(off, most)) most = off, at = n + 1, roughest = q;
        }
    if (at >= 0) insert(chosen, count, at, roughest);
    return at >= 0;
}

/* Adds the nodes that pixels of unlike roughness need; `node` is room for all. */
static int refine(const Level *p, const double *depth, int levels, double exponent, int *chosen, int nodes,
                  double *node) {
    bool alike = true;
    for (int n = 0; n < levels; n++) alike &= p[n].rough == p[n].share;
    for (; nodes < MOST_NODES && !alike; nodes++) {
        set_nodes(p, depth, levels, chosen, nodes, exponent, node);
        if (!add_roughest(p, levels, exponent, node, chosen, nodes)) break;
    }
    return nodes;
}

/* Adds the worst level of all intervals to the chosen ones; false: none is off by more than `tolerance`. */
static bool add_worst(const Level *p, const double *depth, double tolerance, int values, int *chosen,
                      int count) {
    double most = tolerance;
    int at = -1, level = 0;
    for (int n = 0; n < count - 1; n++) {
        double off;
        const int worst = worst_between(p, depth, chosen[n], chosen[n + 1], values, &off);
        if (is_worse(off, most)) most = off, at = n + 1, level = worst;
    }
    if (at < 0) return false;
    insert(chosen, count, at, level);
    return true;
}

static void set_last(int values, double *node) {
    for (int n = 0; n < values; n++) node[n] = NAN;
}

static void set_even(int values, double *node) {
    for (int n = 0; n < values; n++) node[n] = n == NODE_SHARE ? 1 : 0;
    set_last(values, node + values);
}

static int choose_nodes(const Level *p, const double *depth, int levels, int values, double exponent,
                        double *node) {
    const double tolerance = TOLERANCE_M + TOLERANCE_PART * p[levels - 1].height;
    int chosen[MOST_NODES] = {0, levels - 1}, nodes = 2;
    while (nodes < MOST_NODES && add_worst(p, depth, tolerance, values, chosen, nodes)) nodes++;
    if (values == NODE_OF_FACE) nodes = refine(p, depth, levels, exponent, chosen, nodes, node);
    for (int n = 0; n < nodes; n++)
        set_node(p, depth, chosen[n], chosen[n < nodes - 1 ? n + 1 : n], values, node + n * values);
    if (values == NODE_OF_FACE) set_unevenness(p, levels, nodes, exponent, node);
    set_last(values, node + nodes * values);
    return nodes;
}

int table_make(Pixel *pixel, int count, int values, double exponent, double *node) {
    Level *level = ALLOCATE(count + 1, Level);
    double *depth = ALLOCATE(count + 1, double);
    const int levels = count > 0 ? gather(pixel, count, level) : 0;
    int nodes = 0;
    depth[0] = 0;
    for (int n = 1; n < levels; n++)
        depth[n] = depth[n - 1] +
                   0.5 * (level[n - 1].share + level[n].under) * (level[n].height - level[n - 1].height);
    if (levels < 2)
        set_even(values, node);
    else
        nodes = choose_nodes(level, depth, levels, values, exponent, node);
    memory_free(level), memory_free(depth);
    return nodes;
}
