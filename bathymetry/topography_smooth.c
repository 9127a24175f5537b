/* SPDX-License-Identifier: Apache-2.0
 *
 * Smooths a bed that is too steep for layers along it. The slope ratio of neighbours of depths H1 and H2 is
 *     r0 = |H1 - H2| / (H1 + H2)
 * Where it is above the one asked for, the deeper cell (area A_d) gives the shallower one (A_s) the volume that makes it so:
 *     H_s = (A_s H_s + A_d H_d) / (A_s + q A_d),    H_d = q H_s,    q = (1 + r0) / (1 - r0)
 * pair after pair until none is steeper (G. L. Mellor, T. Ezer and L.-Y. Oey, J. Atmos. Oceanic Technol. 11 (1994) 1126).
 * Each exchange lowers the sum of A H^2, hence they come to an end; none makes a cell deeper or shallower than both were.
 */
#include "bathymetry/topography_internal.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 100000 };
static const double AIM =
    0.999; /* of the ratio asked for: approached from above, it would never be reached */

/* The neighbours west (0) and south (1) through open faces; -1: none, or ground that is no sea. */
static int64_t neighbour(const Topography *t, int64_t cell, int side) {
    const int64_t nx = t->nx, other = cell - (side == 0 ? 1 : nx);
    const double open = side == 0 ? t->open_west[cell / nx * (nx + 1) + cell % nx] : t->open_south[cell];
    const bool inside = side == 0 ? cell % nx > 0 : cell >= nx;
    return inside && open > 0 && t->bed[cell] < 0 && t->bed[other] < 0 ? other : -1;
}

static double slope_ratio(const Topography *t, int64_t a, int64_t b) {
    return fabs((t->bed[a] - t->bed[b]) / (t->bed[a] + t->bed[b]));
}

double topography_steepest(const Topography *t, int64_t *cell) {
    double most = 0;
    *cell = 0;
    for (int64_t n = 0; n < (int64_t)t->nx * t->ny; n++)
        for (int side = 0; side < 2; side++) {
            const int64_t other = neighbour(t, n, side);
            if (other >= 0 && slope_ratio(t, n, other) > most) most = slope_ratio(t, n, other), *cell = n;
        }
    return most;
}

static void exchange(Topography *t, const Axes *axes, int64_t a, int64_t b, double r0) {
    const int64_t deep = t->bed[a] < t->bed[b] ? a : b, shallow = a + b - deep;
    const double area_d = axes_area_m2(axes, (double)(deep / t->nx) + 0.5),
                 area_s = axes_area_m2(axes, (double)(shallow / t->nx) + 0.5), q = (1 + r0) / (1 - r0);
    t->bed[shallow] = (area_s * t->bed[shallow] + area_d * t->bed[deep]) / (area_s + q * area_d);
    t->bed[deep] = q * t->bed[shallow];
}

/* Over all pairs, there and back; false: none was too steep. */
static bool sweep(Topography *t, const Axes *axes, double r0) {
    const int64_t cells = (int64_t)t->nx * t->ny;
    bool changed = false;
    for (int64_t turn = 0; turn < 2 * cells; turn++)
        for (int side = 0; side < 2; side++) {
            const int64_t n = turn < cells ? turn : 2 * cells - 1 - turn, other = neighbour(t, n, side);
            if (other < 0 || slope_ratio(t, n, other) <= r0) continue;
            exchange(t, axes, n, other, AIM * r0);
            changed = true;
        }
    return changed;
}

static void note_changes(Topography *t, const Axes *axes, const double *before, double r0, const char *from) {
    int64_t changed = 0, most = 0;
    double sum = 0;
    for (int64_t n = 0; n < (int64_t)t->nx * t->ny; n++) {
        const double change = fabs(t->bed[n] - before[n]);
        if (!(change > 0)) continue;
        changed++, sum += change;
        if (change > fabs(t->bed[most] - before[most]) || changed == 1) most = n;
    }
    topography_note(
        t,
        "smoothed to slope ratios of at most %g (%s): %lld cells changed, by %.3g m on average, most from "
        "%.4g to %.4g m at (%.7g, %.7g)",
        r0, from, (long long)changed, changed > 0 ? sum / (double)changed : 0, before[most], t->bed[most],
        axes_x(axes, (double)(most % t->nx) + 0.5), axes_y(axes, (double)(most / t->nx) + 0.5));
}

Status topography_smooth(Topography *t, const Axes *axes, double r0) {
    CHECK(r0 > 0 && r0 < 1, STATUS_BAD_INPUT, "--smooth takes a slope ratio between 0 and 1, not %g", r0);
    const size_t bytes = (size_t)t->nx * (size_t)t->ny * sizeof *t->bed;
    double *before = ALLOCATE(bytes / sizeof *before, double);
    int64_t at;
    const double most = topography_steepest(t, &at);
    char *from = memory_format("before: %.3g at (%.7g, %.7g)", most, axes_x(axes, (double)(at % t->nx) + 0.5),
                               axes_y(axes, (double)(at / t->nx) + 0.5));
    memcpy(before, t->bed, bytes);
    int sweeps = 0;
    while (sweeps < MOST_SWEEPS && sweep(t, axes, r0)) sweeps++;
    note_changes(t, axes, before, r0, from);
    memory_free(from), memory_free(before);
    CHECK(sweeps < MOST_SWEEPS, STATUS_BAD_INPUT,
          "slope ratios of at most %g were not reached in %d sweeps over the grid; ask for more than that",
          r0, MOST_SWEEPS);
    return STATUS_OK;
}
