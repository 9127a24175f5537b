/* SPDX-License-Identifier: Apache-2.0 */
#include "model/terrain_ground.h"

#include "base/log.h"
#include "base/memory.h"
#include "bathymetry/raster_map.h"
#include "bathymetry/raster_regrid.h"
#include "model/boundary/boundaries.h"
#include "model/dikes.h"
#include "model/forcing/column_map.h"
#include "model/forcing/formula.h"
#include <math.h>

static const char FORMULA[] = "formula in the scenario";

typedef struct Heights {
    const Axes *axes;
    Expression *formula;
    Raster *map;
    double constant;            /* where there is neither */
    double refused, at_x, at_y; /* the first height of the map that its key does not allow; NaN: none */
    const Value *value;
} Heights;

/* Places with these coordinates along y. */
typedef struct Stretch {
    double south, north;
    bool empty;
} Stretch;

static void rows_of_stretch(const void *context, const Raster *shape, int rows[2]) {
    const Stretch *at = context;
    rows[0] = rows[1] = 0;
    if (!at->empty) raster_rows_between(shape, at->south, at->north, rows);
}

/* Heights of places in a stretch, of this rank. Collective. */
static Status heights_open(const Value *value, const char *what, const Axes *axes, const Band *band,
                           Stretch at, Heights *out) {
    *out = (Heights){.axes = axes, .constant = value->constant, .refused = NAN, .value = value};
    if (value->kind == VALUE_CONSTANT) return STATUS_OK;
    if (value->kind == VALUE_FILE)
        return column_map_raster(value, what, RASTER_LENGTHS, axes, band, rows_of_stretch, &at, &out->map);
    return formula_create(value, what, axes, &out->formula);
}

static void heights_close(Heights *h) {
    expression_destroy(&h->formula);
    raster_destroy(&h->map);
}

static double height_at(void *context, double x, double y) {
    Heights *h = context;
    if (h->map) {
        const double height = raster_at(h->map, x, y);
        if (isnan(height)) return h->constant;
        if (isnan(h->refused) && !value_allows(h->value, height))
            h->refused = height, h->at_x = x, h->at_y = y;
        return height;
    }
    return h->formula ? expression_at(h->formula, formula_point(h->axes, x, y, 0)) : h->constant;
}

/* Is this rank the one to report, of all that found something wrong at these places of the whole map? The place is
 * then the first of all; `*status` is that of a failure on all ranks. Collective. */
static bool is_first(const Band *band, bool wrong, int64_t place, Status *status) {
    const int64_t own = wrong ? place : INT64_MAX, first = band_least(band, own);
    if (first < INT64_MAX) *status = STATUS_BAD_INPUT;
    return wrong && own == first;
}

static void refuse_height(const Scenario *s, double height, double x, double y) {
    error_raise(STATUS_BAD_INPUT, "%s: bed_m is %s at (%g, %g), but must be a finite number of at least %g",
                s->bathymetry.bed_m.place, log_number(height, (char[32]){0}), x, y,
                s->bathymetry.bed_m.least);
}

static Status ground_by_formula(const Scenario *s, const Axes *axes, const Band *band,
                                const TopographyOptions *options, Topography **out) {
    Heights bed;
    const Stretch at = {axes_y(axes, band->first + 0.5), axes_y(axes, band->first + band->rows - 0.5),
                        band->rows == 0};
    double height = 0, x = 0, y = 0;
    int64_t place = (int64_t)band->first * axes->nx, cells = (int64_t)band->rows * axes->nx;
    bool wrong = false;
    TRY(heights_open(&s->bathymetry.bed_m, "bed_m", axes, band, at, &bed));
    Status status = topography_create_band(axes->nx, band, out);
    for (int64_t n = 0; status == STATUS_OK && !wrong && n < cells; n++, place++) {
        x = axes_x(axes, (double)(place % axes->nx) + 0.5),
        y = axes_y(axes, (double)(place / axes->nx) + 0.5);
        (*out)->bed[n] = height = height_at(&bed, x, y);
        /* how high land is does not matter */
        wrong = !isfinite(height) || height < s->bathymetry.bed_m.least;
    }
    if (is_first(band, wrong, place, &status)) refuse_height(s, height, x, y);
    if (status == STATUS_OK) topography_mask_from_bed(*out, axes, options);
    heights_close(&bed);
    return status;
}

typedef struct BandOfAxes {
    const Axes *axes;
    const Band *band;
} BandOfAxes;

static void rows_of_band(const void *context, const Raster *shape, int rows[2]) {
    const BandOfAxes *b = context;
    topography_raster_rows(shape, b->axes, b->band, rows);
}

static Status fill_land(const Scenario *s, const Axes *axes, const Band *band, Raster *raster) {
    const ScenarioBathymetry *b = &s->bathymetry;
    Heights land = {.axes = axes, .constant = b->land_height_m, .refused = NAN};
    const Stretch at = {raster->y0 + raster->first_row * raster->dy,
                        raster->y0 + (raster->first_row + raster->rows - 1) * raster->dy, raster->rows == 0};
    Status status = STATUS_OK;
    if (b->land_m.kind != VALUE_ABSENT) TRY(heights_open(&b->land_m, "land_m", axes, band, at, &land));
    if (land.map) land.constant = b->land_height_m;
    raster_fill_land(raster, height_at, &land);
    const bool wrong = !isnan(land.refused);
    const double row = wrong ? nearbyint((land.at_y - raster->y0) / raster->dy) : 0,
                 column = wrong ? nearbyint((land.at_x - raster->x0) / raster->dx) : 0;
    if (is_first(band, wrong, (int64_t)row * raster->nx + (int64_t)column, &status)) {
        error_raise(STATUS_BAD_INPUT, "%s: the land height in \"%s\" is %g at (%.10g, %.10g), but it %s",
                    b->land_m.place, b->land_m.file, land.refused, land.at_x, land.at_y,
                    value_limits(&b->land_m));
    }
    heights_close(&land);
    return status;
}

/* A finer one, whose cells are the pixels of a formula. */
static void shape_pixels(const Axes *axes, int pixels, Raster *out) {
    *out = (Raster){.nx = axes->nx * pixels,
                    .ny = axes->ny * pixels,
                    .dx = axes->step_x / pixels,
                    .dy = axes->step_y / pixels,
                    .units = axes->spherical ? RASTER_DEGREES : RASTER_METRES};
    out->x0 = axes->west + 0.5 * out->dx;
    out->y0 = axes->south + 0.5 * out->dy;
}

static Status pixels_of_formula(const Scenario *s, const Axes *axes, const Band *band, Raster **out) {
    Heights bed;
    Raster *r = ALLOCATE(1, Raster);
    int rows[2];
    bool wrong = false;
    double x = 0, y = 0, height = 0;
    *out = r;
    shape_pixels(axes, s->bathymetry.pixels, r);
    topography_raster_rows(r, axes, band, rows);
    r->first_row = rows[0], r->rows = rows[1] - rows[0];
    r->elevation = ALLOCATE((size_t)r->nx * (size_t)r->rows + 1, double);
    TRY(heights_open(&s->bathymetry.bed_m, "bed_m", axes, band, (Stretch){0, 0, true}, &bed));
    const int64_t first = (int64_t)r->first_row * r->nx, all = (int64_t)r->rows * r->nx;
    for (int64_t n = 0; !wrong && n < all; n++) {
        x = axes_x(axes, ((double)((first + n) % r->nx) + 0.5) / s->bathymetry.pixels);
        y = axes_y(axes, ((double)((first + n) / r->nx) + 0.5) / s->bathymetry.pixels);
        r->elevation[n] = height = height_at(&bed, x, y);
        wrong = !isfinite(height) || height < s->bathymetry.bed_m.least;
    }
    heights_close(&bed);
    Status status = STATUS_OK;
    if (is_first(band, wrong, first, &status)) refuse_height(s, height, x, y);
    return status;
}

static Status pixels_of_file(const Scenario *s, const Axes *axes, const Band *band, Raster **out) {
    const ScenarioBathymetry *b = &s->bathymetry;
    const double window[4] = {axes->west, axes_x(axes, axes->nx), axes->south, axes_y(axes, axes->ny)};
    const RasterOptions reading = {.variable = b->variable,
                                   .positive = b->positive,
                                   .datum_offset_m = b->datum_offset_m,
                                   .window = b->land_outside ? NULL : window,
                                   .cover = b->land_outside ? window : NULL,
                                   .turns = axes->spherical};
    const BandOfAxes rows = {axes, band};
    TRY(raster_read_for(axes, band, b->file, &reading, rows_of_band, &rows, out));
    return fill_land(s, axes, band, *out);
}

Status ground_pixels(const Scenario *s, const Axes *axes, const Band *band, Raster **out) {
    Dikes dikes;
    Status status;
    *out = NULL;
    ATTEMPT(dikes_read(s, axes, band, &dikes));
    ATTEMPT(s->bathymetry.file ? pixels_of_file(s, axes, band, out) : pixels_of_formula(s, axes, band, out));
    dikes_raise(&dikes, *out);
    if (dikes.lines.count > 0) dikes_sign(&dikes, *out);
cleanup:
    dikes_release(&dikes);
    return status;
}

static Status ground_from_pixels(const Scenario *s, const Axes *axes, const Band *band,
                                 const TopographyOptions *options, Topography **out, char **source) {
    Raster *raster = NULL;
    Status status;
    ATTEMPT(ground_pixels(s, axes, band, &raster));
    if (raster->checksum)
        *source =
            memory_format("%s (checksum %s)", raster->source ? raster->source : FORMULA, raster->checksum);
    ATTEMPT(topography_band_from_raster(raster, axes, band, options, out));
cleanup:
    raster_destroy(&raster);
    return status;
}

Status ground_make(const Scenario *s, const Axes *axes, const Band *band, Topography **out, char **note) {
    const ScenarioBathymetry *b = &s->bathymetry;
    typedef double Ends[4];
    Ends *lines = ALLOCATE(b->n_close + 1, Ends);
    for (int n = 0; n < b->n_close; n++) {
        lines[n][0] = b->close[n].x[0];
        lines[n][1] = b->close[n].y[0];
        lines[n][2] = b->close[n].x[1];
        lines[n][3] = b->close[n].y[1];
    }
    OpenLine *open = ALLOCATE(s->n_boundaries + 1, OpenLine);
    int n_open = 0;
    for (int n = 0; n < s->n_boundaries; n++)
        if (s->boundaries[n].edge == EDGE_LINE) open[n_open++] = boundary_line(&s->boundaries[n]);
    TopographyOptions options = {.flood_to_m = s->grid.flood_to_m,
                                 .minimum_depth_m = b->minimum_depth_m,
                                 .fullness = b->fullness,
                                 .subgrid = b->subgrid,
                                 .n_close = b->n_close,
                                 .close = (const Ends *)lines,
                                 .n_open = n_open,
                                 .open = open,
                                 .keep_all = b->keep_all,
                                 .has_keep_point = b->has_keep_point,
                                 .keep_point = {b->keep_point[0], b->keep_point[1]}};
    char *source = NULL;
    Status status;
    if (b->file || b->subgrid)
        ATTEMPT(ground_from_pixels(s, axes, band, &options, out, &source));
    else
        ATTEMPT(ground_by_formula(s, axes, band, &options, out));
    ATTEMPT(topography_repair(*out, axes, &options));
    if (band->rank == 0)
        *note = memory_format("%s\n%s", source ? source : FORMULA, (*out)->ledger ? (*out)->ledger : "");
cleanup:
    memory_free(source);
    memory_free(open);
    memory_free(lines);
    return status;
}
