/* SPDX-License-Identifier: Apache-2.0 */
#include "model/dikes.h"

#include "base/hash.h"
#include "base/memory.h"
#include "model/forcing/formula.h"
#include <math.h>

/* ---- reading ---- */

static void append_line(const ScenarioDike *dike, Lines *lines) {
    lines_begin(lines);
    for (int n = 0; n < dike->n_line; n++) lines_append(lines, dike->line[n][0], dike->line[n][1], NAN);
}

/* Of whatever the height comes from. */
static Status check_point(const ScenarioDike *dike, const double p[3]) {
    const char *of = dike->file ? " of " : "", *file = dike->file ? dike->file : "";
    CHECK(isfinite(p[0]) && isfinite(p[1]), STATUS_BAD_INPUT,
          "%s: a point of the dike%s%s lies outside what the map projection of \"crs\" can show", dike->place,
          of, file);
    CHECK(!isnan(p[2]) || dike->crest_m.kind == VALUE_EXPRESSION, STATUS_BAD_INPUT,
          "%s: the dike%s%s has no height at (%.10g, %.10g): give its crest as a third coordinate, as the "
          "property \"%s\", or as \"crest_m\" of this entry",
          dike->place, of, file, p[0], p[1], dike->property ? dike->property : "crest_m");
    CHECK(p[2] >= LOWEST_CREST_M && p[2] <= HIGHEST_CREST_M, STATUS_BAD_INPUT,
          "%s: the crest of the dike%s%s is %.10g m high at (%.10g, %.10g), but must be %d to %d m",
          dike->place, of, file, p[2], p[0], p[1], LOWEST_CREST_M, HIGHEST_CREST_M);
    return STATUS_OK;
}

/* Gives points from `first` on the height that the scenario has for those without one. */
static Status fill_heights(const ScenarioDike *dike, const Axes *axes, int first, Lines *lines) {
    Expression *formula = NULL;
    if (dike->crest_m.kind == VALUE_EXPRESSION)
        TRY(formula_create(&dike->crest_m, "crest_m", axes, &formula));
    for (int n = first; n < lines->points; n++) {
        double *p = lines->point[n];
        if (!isnan(p[2]) || dike->crest_m.kind == VALUE_ABSENT) continue;
        p[2] = formula ? expression_at(formula, formula_point(axes, p[0], p[1], 0)) : dike->crest_m.constant;
    }
    expression_destroy(&formula);
    for (int n = first; n < lines->points; n++) TRY(check_point(dike, lines->point[n]));
    return STATUS_OK;
}

static Status read_all(const Scenario *s, const Axes *axes, Dikes *out) {
    for (int n = 0; n < s->bathymetry.n_dikes; n++) {
        const ScenarioDike *dike = &s->bathymetry.dikes[n];
        const int first = out->lines.points;
        if (dike->file) {
            TRY(lines_file_read(dike->file, dike->property ? dike->property : "crest_m", axes->spherical,
                                axes->map, &out->lines));
        } else {
            append_line(dike, &out->lines);
        }
        TRY(fill_heights(dike, axes, first, &out->lines));
    }
    return STATUS_OK;
}

/* Rank 0 has read them. */
static void share(const Band *band, Lines *lines) {
    band_tell(band, &lines->points, sizeof lines->points);
    band_tell(band, &lines->count, sizeof lines->count);
    if (band->rank != 0) {
        lines->point = memory_allocate((size_t)lines->points, sizeof *lines->point);
        lines->first = ALLOCATE(lines->count, int);
    }
    band_tell(band, lines->point, (size_t)lines->points * sizeof *lines->point);
    band_tell(band, lines->first, (size_t)lines->count * sizeof *lines->first);
}

Status dikes_read(const Scenario *scenario, const Axes *axes, const Band *band, Dikes *out) {
    *out = (Dikes){0};
    if (scenario->bathymetry.n_dikes == 0) return STATUS_OK;
    Status status = band->rank == 0 ? read_all(scenario, axes, out) : STATUS_OK;
    if (band->comm != MPI_COMM_NULL) status = status_agree(band->comm, status);
    if (status == STATUS_OK) share(band, &out->lines);
    return status;
}

void dikes_release(Dikes *dikes) {
    lines_release(&dikes->lines);
}

/* ---- pieces of lines ---- */

/* From one point of a line to the next. */
typedef struct Piece {
    const double *from;
    double way[3];
} Piece;

/* The piece that ends at this point, in degrees the shorter way round; false: a line begins there. `*line`: of the point, going
 * up. */
static bool piece_at(const Lines *lines, bool degrees, int point, int *line, Piece *out) {
    while (*line + 1 < lines->count && lines->first[*line + 1] <= point) (*line)++;
    if (lines->first[*line] == point) return false;
    const double *from = lines->point[point - 1], *to = lines->point[point], along = to[0] - from[0];
    *out = (Piece){from, {degrees ? remainder(along, 360) : along, to[1] - from[1], to[2] - from[2]}};
    return true;
}

/* So many that each is clearly shorter than a cell of this size along both axes: none is left out. */
static int steps_of(const Piece *p, double dx, double dy) {
    const double cells = fmax(fabs(p->way[0]) / dx, fabs(p->way[1]) / dy);
    return (int)fmin(ceil(cells) + 1, 1e8);
}

static double part_of(const Piece *p, int c, double part) {
    return p->from[c] + part * p->way[c];
}

/* The longitude of a raster or a grid around `middle`. */
static double turned(bool degrees, double x, double middle) {
    return degrees ? x + 360 * nearbyint((middle - x) / 360) : x;
}

static void raise_pixel(Raster *r, double column, double row, double crest) {
    if (!(column >= 0 && column < r->nx && row >= r->first_row && row < r->first_row + r->rows)) return;
    double *height = r->elevation + ((size_t)row - (size_t)r->first_row) * (size_t)r->nx + (size_t)column;
    *height = fmax(*height, crest);
}

void dikes_raise(const Dikes *dikes, Raster *r) {
    const double middle = r->x0 + 0.5 * r->nx * r->dx;
    const bool degrees = r->units == RASTER_DEGREES;
    int line = 0;
    Piece p;
    for (int n = 0; n < dikes->lines.points; n++) {
        if (!piece_at(&dikes->lines, degrees, n, &line, &p)) continue;
        const int steps = steps_of(&p, r->dx, r->dy);
        for (int k = 0; k <= steps; k++) {
            const double part = (double)k / steps;
            const double x = turned(degrees, part_of(&p, 0, part), middle);
            raise_pixel(r, floor((x - r->x0) / r->dx + 0.5),
                        floor((part_of(&p, 1, part) - r->y0) / r->dy + 0.5), part_of(&p, 2, part));
        }
    }
}

void dikes_sign(const Dikes *dikes, Raster *r) {
    const Lines *lines = &dikes->lines;
    const uint64_t hash = hash_bytes(lines->point, (size_t)lines->points * sizeof *lines->point);
    const char *ground = r->checksum ? r->checksum : "", *between = r->checksum ? ", " : "";
    char *both = memory_format("%s%sdikes %016llx", ground, between, (unsigned long long)hash);
    memory_free(r->checksum);
    r->checksum = both;
}

void dikes_measure(const Dikes *dikes, const Axes *axes, int i0, int j0, int columns, int rows,
                   DikeLength *cell) {
    enum { FINER = 4 };
    const double middle = axes_x(axes, 0.5 * axes->nx);
    int line = 0;
    Piece p;
    for (int n = 0; n < dikes->lines.points; n++) {
        if (!piece_at(&dikes->lines, axes->spherical, n, &line, &p)) continue;
        const int steps = FINER * steps_of(&p, axes->step_x, axes->step_y);
        for (int k = 0; k < steps; k++) {
            const double part = (k + 0.5) / steps;
            const double x = turned(axes->spherical, part_of(&p, 0, part), middle);
            const double i = floor((x - axes->west) / axes->step_x) - i0,
                         j = floor((part_of(&p, 1, part) - axes->south) / axes->step_y) - j0;
            if (!(i >= 0 && i < columns && j >= 0 && j < rows)) continue;
            DikeLength *in = &cell[(size_t)j * (size_t)columns + (size_t)i];
            const double dx = p.way[0] / steps / axes->step_x * axes_dx_m(axes, j + j0 + 0.5),
                         dy = p.way[1] / steps / axes->step_y * axes_dy_m(axes);
            in->along += hypot(dx, dy), in->stairs += fabs(dx) + fabs(dy);
        }
    }
}
