/* SPDX-License-Identifier: Apache-2.0
 *
 * Edits that the user requests, each recorded in the ledger: closing lines, the body of water to keep, the
 * minimum depth.
 */
#include "bathymetry/topography_internal.h"

#include "base/memory.h"
#include <math.h>

/* Cuts the line a + s (b - a), s in [s[0], s[1]], to 0 <= coordinate <= size; false: nothing is left. */
static bool clip(double a, double b, double size, double s[2]) {
    double d = b - a;
    if (d == 0) return a >= 0 && a <= size;
    double enter = ((d > 0 ? 0 : size) - a) / d, leave = ((d > 0 ? size : 0) - a) / d;
    s[0] = fmax(s[0], enter), s[1] = fmin(s[1], leave);
    return s[0] <= s[1];
}

static int cell_at(double position, int cells) {
    return position < 0 ? 0 : position >= cells ? cells - 1 : (int)position;
}

/* All cells that the line touches, corners too, so that no water slips through between two of them. */
static int64_t close_line(Topography *t, const Axes *axes, const double line[4]) {
    double ax = (line[0] - axes->west) / axes->step_x, ay = (line[1] - axes->south) / axes->step_y;
    double bx = (line[2] - axes->west) / axes->step_x, by = (line[3] - axes->south) / axes->step_y;
    double s[2] = {0, 1};
    if (!clip(ax, bx, t->nx, s) || !clip(ay, by, axes->ny, s)) return 0;
    double x0 = ax + s[0] * (bx - ax), x1 = ax + s[1] * (bx - ax), y0 = ay + s[0] * (by - ay),
           y1 = ay + s[1] * (by - ay);
    if (x0 > x1) {
        double x = x0, y = y0;
        x0 = x1, y0 = y1, x1 = x, y1 = y;
    }
    int64_t closed = 0;
    for (int i = cell_at(x0, t->nx); i <= cell_at(x1, t->nx); i++) {
        double from = x1 > x0 ? fmin(fmax((i - x0) / (x1 - x0), 0), 1) : 0;
        double to = x1 > x0 ? fmin(fmax((i + 1 - x0) / (x1 - x0), 0), 1) : 1;
        double ya = y0 + from * (y1 - y0), yb = y0 + to * (y1 - y0);
        for (int j = cell_at(fmin(ya, yb), axes->ny); j <= cell_at(fmax(ya, yb), axes->ny); j++) {
            if (!band_has(&t->band, j)) continue;
            double *wet = &t->wet_area[(size_t)(j - t->band.first) * (size_t)t->nx + (size_t)i];
            closed += *wet > 0;
            *wet = 0;
        }
    }
    return closed;
}

static Status close_lines(Topography *t, const Axes *axes, const TopographyOptions *options) {
    for (int n = 0; n < options->n_close; n++) {
        const double *line = options->close[n];
        CHECK(isfinite(line[0]) && isfinite(line[1]) && isfinite(line[2]) && isfinite(line[3]),
              STATUS_BAD_INPUT, "closing line %d has an end that is not a number", n + 1);
        int64_t closed = close_line(t, axes, line);
        band_add(&t->band, 1, &closed);
        topography_note(t, "closed %lld cells by line %d from (%.7g, %.7g) to (%.7g, %.7g)",
                        (long long)closed, n + 1, line[0], line[1], line[2], line[3]);
    }
    topography_close_faces(t, axes, false);
    return STATUS_OK;
}

/* The number in its band, -1 on the others. */
static int64_t nearest_wet_cell(const Topography *t, const Axes *axes, double x, double y, double *distance) {
    int64_t nearest = -1;
    *distance = INFINITY;
    for (int64_t n = 0; n < (int64_t)t->nx * t->ny; n++) {
        if (t->wet_area[n] <= 0) continue;
        double cx = axes_x(axes, (double)(n % t->nx) + 0.5),
               cy = axes_y(axes, (double)(t->band.first + n / t->nx) + 0.5);
        double d = axes_distance_m(axes, x, y, cx, cy);
        if (d < *distance) *distance = d, nearest = n;
    }
    const double own = *distance;
    const int64_t far = INT64_MAX;
    *distance = band_least_number(&t->band, own);
    const int64_t first = band_least(&t->band, nearest >= 0 && own == *distance ? t->band.rank : far);
    return first == t->band.rank ? nearest : -1;
}

/* The component that stays: the largest, or the one of the keep point (of the sea nearest to it). */
static Status choose_component(Topography *t, const Axes *axes, const TopographyOptions *options,
                               const Components *components, int *chosen) {
    *chosen = components->largest;
    if (!options->has_keep_point) return STATUS_OK;
    double x = options->keep_point[0], y = options->keep_point[1];
    double i = floor((x - axes->west) / axes->step_x), j = floor((y - axes->south) / axes->step_y);
    CHECK(i >= 0 && i < t->nx && j >= 0 && j < axes->ny, STATUS_BAD_INPUT,
          "the point in the sea to keep, (%.7g, %.7g), lies outside the grid: %.7g to %.7g, %.7g to %.7g", x,
          y, axes_x(axes, 0), axes_x(axes, t->nx), axes_y(axes, 0), axes_y(axes, axes->ny));
    int64_t label = -1;
    if (band_has(&t->band, (int64_t)j))
        label = components->label[((int64_t)j - t->band.first) * t->nx + (int64_t)i];
    label = -band_least(&t->band, -label); /* of the one that has the row */
    if (label < 0) {
        double distance;
        const int64_t cell = nearest_wet_cell(t, axes, x, y, &distance);
        if (cell >= 0) label = components->label[cell];
        label = -band_least(&t->band, -label);
        topography_note(t, "the point (%.7g, %.7g) is on land; the sea that is kept begins %.3g km from it",
                        x, y, distance / 1000);
    }
    *chosen = (int)label;
    return STATUS_OK;
}

/* Bodies of water beside cut faces, by number; to be freed. */
static int64_t *find_cut_off(const Topography *t, const Components *c, const LineCut *cut) {
    const ptrdiff_t nx = t->nx;
    int64_t *beside = ALLOCATE(c->count + 1, int64_t);
    for (ptrdiff_t n = 0; n < nx * t->ny; n++) {
        const ptrdiff_t west = n / nx * (nx + 1) + n % nx;
        const bool cuts =
            cut->west[west] != 0 || cut->west[west + 1] != 0 || cut->south[n] != 0 || cut->south[n + nx] != 0;
        if (cuts && c->label[n] >= 0) beside[c->label[n]] = 1;
    }
    band_add(&t->band, c->count, beside);
    return beside;
}

/* Does the body of water stay? Of all that may stay, those behind open lines do not. */
static bool *find_staying(const Topography *t, const TopographyOptions *options, const Components *c,
                          int chosen, const LineCut *cut) {
    bool *stays = ALLOCATE(c->count + 1, bool);
    int64_t *cut_off = options->keep_all ? find_cut_off(t, c, cut) : NULL;
    for (int n = 0; n < c->count; n++) stays[n] = n == chosen || (cut_off && cut_off[n] == 0);
    memory_free(cut_off);
    return stays;
}

static Status keep_components(Topography *t, const Axes *axes, const TopographyOptions *options,
                              const LineCut *cut) {
    Components components;
    components_find(t, axes, &components);
    int chosen = 0;
    Status status;
    if (components.count == 0)
        status = error_raise(STATUS_BAD_INPUT,
                             "no cell of the grid can be wet: no ground below %g m is left under it (are the "
                             "heights positive up?)",
                             options->flood_to_m);
    else
        status = choose_component(t, axes, options, &components, &chosen);
    if (status == STATUS_OK && components.count > 1) {
        int64_t removed = 0;
        int bodies = 0;
        double area = 0;
        bool *stays = find_staying(t, options, &components, chosen, cut);
        for (int n = 0; t->band.rank == 0 && n < components.count; n++)
            if (!stays[n]) bodies++, removed += components.cells[n], area += components.area[n];
        for (int64_t n = 0; n < (int64_t)t->nx * t->ny; n++)
            if (components.label[n] >= 0 && !stays[components.label[n]]) t->wet_area[n] = 0;
        topography_close_faces(t, axes, false);
        topography_note(t, "removed %d isolated water %s: %lld %s, %.4g km2", bodies,
                        bodies == 1 ? "body" : "bodies", (long long)removed, removed == 1 ? "cell" : "cells",
                        area / 1e6);
        memory_free(stays);
    }
    components_release(&components);
    return status;
}

static void deepen(Topography *t, double minimum_depth) {
    int64_t deepened = 0;
    for (int64_t n = 0; n < (int64_t)t->nx * t->ny; n++) {
        if (t->wet_area[n] <= 0 || t->bed[n] >= 0 || t->bed[n] <= -minimum_depth) continue;
        t->bed[n] = -minimum_depth;
        deepened++;
    }
    band_add(&t->band, 1, &deepened);
    if (deepened > 0)
        topography_note(t, "deepened %lld %s to %g m", (long long)deepened, deepened == 1 ? "cell" : "cells",
                        minimum_depth);
}

static void report_narrows(Topography *t, const Axes *axes) {
    Narrows narrows;
    narrows_find(t, axes, &narrows);
    if (narrows.straits > 0)
        topography_note(t, "kept: %lld %s only one cell wide (%lld %s): %s", (long long)narrows.straits,
                        narrows.straits == 1 ? "strait" : "straits", (long long)narrows.strait_cells,
                        narrows.strait_cells == 1 ? "cell" : "cells", narrows.strait_places);
    if (narrows.bays > 0)
        topography_note(t, "kept: %lld %s only one open side: %s", (long long)narrows.bays,
                        narrows.bays == 1 ? "cell with" : "cells with", narrows.bay_places);
    narrows_release(&narrows);
}

Status topography_repair(Topography *topography, const Axes *axes, const TopographyOptions *options) {
    CHECK(topography->nx == axes->nx && topography->band.whole == axes->ny, STATUS_FAILED,
          "a ground of %d x %d cells for a grid of %d x %d", topography->nx, topography->band.whole, axes->nx,
          axes->ny);
    CHECK(options->minimum_depth_m >= 0 && isfinite(options->minimum_depth_m), STATUS_BAD_INPUT,
          "the minimum depth must be 0 m or more, not %g", options->minimum_depth_m);
    if (options->n_close > 0) TRY(close_lines(topography, axes, options));
    LineCut cut = {0};
    Status status = STATUS_OK;
    if (options->n_open > 0) lines_cut(topography, axes, options, &cut);
    if (!options->keep_all || options->n_open > 0) ATTEMPT(keep_components(topography, axes, options, &cut));
    if (options->minimum_depth_m > 0) deepen(topography, options->minimum_depth_m);
    report_narrows(topography, axes);
    if (options->n_open > 0) ATTEMPT(lines_open(topography, axes, options, &cut));
cleanup:
    lines_forget(&cut);
    return status;
}
