/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/command_internal.h"
#include "bathymetry/topography_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double bins[] = {0,  0.5, 1,   2,   3,   5,    7,    10,   15,      20,
                              30, 50,  100, 200, 500, 1000, 2000, 4000, INFINITY}; /* [m] of depth */
enum { BINS = sizeof bins / sizeof *bins - 1 };

/* What there is, by area. */
typedef struct Survey {
    int64_t sea, land, unknown;
    double sea_area, volume, lowest, highest; /* [m2, m3, m, m] */
    double bin_area[BINS];
} Survey;

static void survey_cell(double height, double area, Survey *s) {
    if (isnan(height)) {
        s->unknown++;
        return;
    }
    s->lowest = fmin(s->lowest, height), s->highest = fmax(s->highest, height);
    if (height >= 0) {
        s->land++;
        return;
    }
    s->sea++, s->sea_area += area, s->volume -= area * height;
    for (int b = 0; b < BINS; b++)
        if (-height > bins[b] && -height <= bins[b + 1]) s->bin_area[b] += area;
}

static Survey survey(const Raster *raster, const Axes *axes) {
    Survey s = {.lowest = INFINITY, .highest = -INFINITY};
    for (int j = 0; j < raster->ny; j++) {
        double area = axes_area_m2(axes, j + 0.5);
        for (int i = 0; i < raster->nx; i++)
            survey_cell(raster->elevation[(size_t)j * (size_t)raster->nx + (size_t)i], area, &s);
    }
    return s;
}

static void print_place(const CommandOptions *options, const Raster *r, const Axes *axes, bool guessed) {
    bool sphere = axes->spherical;
    const char *unit = sphere ? "degrees" : "m";
    printf("file        %s\n", options->input);
    printf("checksum    %s\n", r->checksum);
    printf("source      %.600s\n", r->source);
    printf("cells       %d x %d\n", r->nx, r->ny);
    printf("extent      %s %.8g to %.8g, %s %.8g to %.8g %s%s\n", sphere ? "lon" : "x", axes_x(axes, 0),
           axes_x(axes, r->nx), sphere ? "lat" : "y", axes_y(axes, 0), axes_y(axes, r->ny), unit,
           guessed ? " (a guess: the file does not say)" : "");
    printf("spacing     %.8g x %.8g %s", r->dx, r->dy, unit);
    if (sphere) printf(", %.5g x %.5g m in the middle", axes_dx_m(axes, 0.5 * r->ny), axes_dy_m(axes));
    printf("\n");
}

static void print_survey(const Raster *r, const Survey *s) {
    double all = (double)r->nx * r->ny;
    printf("elevation   %.6g to %.6g m, positive up%s\n", s->lowest, s->highest,
           s->sea == 0 ? "; nothing lies below 0: is the sign right?" : "");
    printf("coverage    %.2f %% sea, %.2f %% land with heights, %.2f %% without a height\n",
           100 * (double)s->sea / all, 100 * (double)s->land / all, 100 * (double)s->unknown / all);
    printf("sea         %.6g km2, %.6g km3, mean depth %.4g m\n", s->sea_area / 1e6, s->volume / 1e9,
           s->sea > 0 ? s->volume / s->sea_area : 0);
    for (int b = 0; b < BINS; b++) {
        double share = s->sea_area > 0 ? 100 * s->bin_area[b] / s->sea_area : 0;
        if (share == 0) continue;
        printf("%12g - %-6g m %6.2f %%  ", bins[b], bins[b + 1], share);
        for (int n = 0; n < (int)(0.5 * share + 0.5); n++) putchar('#');
        putchar('\n');
    }
}

static Status print_waters(const Raster *raster, const Axes *axes) {
    Topography *t = NULL;
    TRY(topography_create(raster->nx, raster->ny, &t));
    TopographyOptions below_zero = {0};
    for (size_t n = 0; n < (size_t)raster->nx * (size_t)raster->ny; n++) t->bed[n] = raster->elevation[n];
    topography_mask_from_bed(t, axes, &below_zero);
    Components waters;
    Narrows narrows;
    components_find(t, axes, &waters);
    narrows_find(t, axes, &narrows);
    printf("waters      %d separate %s of water", waters.count, waters.count == 1 ? "body" : "bodies");
    if (waters.count > 0)
        printf("; the largest has %" PRId64 " cells, %.6g km2", waters.cells[waters.largest],
               waters.area[waters.largest] / 1e6);
    printf("\nstraits     %" PRId64 " one cell wide%s%s\n", narrows.straits, narrows.straits ? ": " : "",
           narrows.strait_places);
    printf("bays        %" PRId64 " cells with one open side%s%s\n", narrows.bays, narrows.bays ? ": " : "",
           narrows.bay_places);
    int64_t at;
    const double steepest = topography_steepest(t, &at);
    printf("slope ratio of neighbouring depths: at most %.3g, at (%.7g, %.7g)\n", steepest,
           axes_x(axes, (double)(at % t->nx) + 0.5), axes_y(axes, (double)(at / t->nx) + 0.5));
    components_release(&waters);
    narrows_release(&narrows);
    topography_destroy(&t);
    return STATUS_OK;
}

Status command_inspect(const CommandOptions *options) {
    Raster *raster = NULL;
    bool guessed;
    TRY(command_read(options, NULL, &guessed, &raster));
    Axes axes = command_axes(raster);
    Survey s = survey(raster, &axes);
    print_place(options, raster, &axes, guessed);
    print_survey(raster, &s);
    Status status = print_waters(raster, &axes);
    raster_destroy(&raster);
    return status;
}
