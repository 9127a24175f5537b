/* SPDX-License-Identifier: Apache-2.0
 *
 * From a raster to the grid. A cell's wet share is the area of the raster cells in it that lie below the
 * level to which land can flood, cut at the cell's sides; its bed is their mean. A face's open share is the
 * length of it that has wet raster cells on both sides. On a sphere areas are exact: longitude times the sine
 * of latitude.
 *
 * Where the raster is coarser than the grid the shares are the same (the nearest raster cell decides); the
 * bed then is bilinear between the centres of wet raster cells, so that it has no steps.
 */
#include "bathymetry/topography_internal.h"

#include "base/memory.h"
#include "bathymetry/overlap.h"
#include <math.h>
#include <string.h>

/* Land whose height nobody knows stands this far above what can flood [m]. */
static const double UNKNOWN_LAND_M = 10;

typedef struct Resampling {
    const Raster *raster;
    Overlap x, y;
    double level;        /* ground below this can be wet [m] */
    double unknown_land; /* height of land without one [m] */
    double least;        /* cells wet on a smaller share are land */
    bool lowest;         /* the bed is the lowest of the wet part */
    Topography *out;
} Resampling;

/* What gathers in the cells of one row of the grid. */
typedef struct Row {
    double *all, *wet, *wet_sum, *land, *land_sum, *open, *lowest;
    double *open_moment; /* about the face's southern end */
    double open_all;
} Row;

/* Of a face that is open over `open` of its length `all`, as if that were one piece around its middle. */
static Shore shore_of(double open, double moment, double all) {
    const double dust = 1e-9, share = open / all, middle = open > 0 ? moment / (open * all) : 0;
    const Shore shore = {middle - 0.5 * share, middle + 0.5 * share};
    return (Shore){shore.begins < dust ? 0 : shore.begins, shore.ends > 1 - dust ? 1 : shore.ends};
}

static const double *raster_row(const Resampling *r, int row) {
    return r->raster->elevation + (size_t)(row - r->raster->first_row) * (size_t)r->raster->nx;
}

static void gather_raster_row(const Resampling *r, const double *z, double row_weight, Row *row) {
    const Overlap *x = &r->x;
    for (int i = 0; i < x->cells; i++) {
        const double *weight = x->weight + x->start[i], *height = z + x->first[i];
        for (int c = 0; c < x->count[i]; c++) {
            double w = weight[c] * row_weight;
            row->all[i] += w;
            if (height[c] < r->level)
                row->wet[i] += w, row->wet_sum[i] += w * height[c],
                    row->lowest[i] = fmin(row->lowest[i], height[c]);
            else if (!isnan(height[c]))
                row->land[i] += w, row->land_sum[i] += w * height[c];
        }
    }
    const double moment = row_weight * (row->open_all + 0.5 * row_weight);
    row->open_all += row_weight;
    for (int i = 0; i <= x->cells; i++)
        if (z[x->before[i]] < r->level && z[x->after[i]] < r->level) {
            row->open[i] += row_weight;
            row->open_moment[i] += moment;
        }
}

/* Row j of the band. */
static void finish_row(const Resampling *r, const Row *row, int j) {
    size_t nx = (size_t)r->out->nx, base = (size_t)j * nx;
    for (size_t i = 0; i < nx; i++) {
        double share = row->wet[i] / row->all[i];
        double land = row->land[i] > 0 ? row->land_sum[i] / row->land[i] : r->unknown_land;
        r->out->wet_area[base + i] = share;
        const double bed = r->lowest ? row->lowest[i] : row->wet_sum[i] / row->wet[i];
        r->out->bed[base + i] = share >= r->least ? bed : land;
    }
    for (size_t i = 0; i <= nx; i++) {
        const size_t n = (size_t)j * (nx + 1) + i;
        r->out->open_west[n] = row->open[i] / row->open_all;
        r->out->shore_west[n] = shore_of(row->open[i], row->open_moment[i], row->open_all);
    }
}

static void gather_cells(const Resampling *r) {
    size_t nx = (size_t)r->out->nx, width = nx + 1;
    double *memory = ALLOCATE(8 * width, double);
    Row row = {memory,
               memory + width,
               memory + 2 * width,
               memory + 3 * width,
               memory + 4 * width,
               memory + 5 * width,
               memory + 6 * width,
               memory + 7 * width,
               0};
    for (int line = 0; line < r->out->ny; line++) {
        const int j = r->out->band.first + line;
        memset(memory, 0, 8 * width * sizeof *memory);
        for (size_t i = 0; i < width; i++) row.lowest[i] = INFINITY;
        row.open_all = 0;
        for (int n = 0; n < r->y.count[j]; n++)
            gather_raster_row(r, raster_row(r, r->y.first[j] + n), r->y.weight[r->y.start[j] + (size_t)n],
                              &row);
        finish_row(r, &row, line);
    }
    memory_free(memory);
}

static void gather_south_faces(const Resampling *r) {
    const Overlap *x = &r->x;
    for (int line = 0; r->out->ny > 0 && line <= r->out->ny; line++) {
        const int j = r->out->band.first + line;
        const double *below = raster_row(r, r->y.before[j]), *above = raster_row(r, r->y.after[j]);
        for (int i = 0; i < x->cells; i++) {
            double all = 0, open = 0, moment = 0;
            for (int c = 0; c < x->count[i]; c++) {
                double w = x->weight[x->start[i] + (size_t)c];
                int at = x->first[i] + c;
                if (below[at] < r->level && above[at] < r->level) open += w, moment += w * (all + 0.5 * w);
                all += w;
            }
            const size_t n = (size_t)line * (size_t)x->cells + (size_t)i;
            r->out->open_south[n] = open / all;
            r->out->shore_south[n] = shore_of(open, moment, all);
        }
    }
}

/* Bilinear at a point between the centres of the raster cells of one kind, wet or land; NaN: none of them is.
 */
static double bilinear(const Resampling *r, double x, double y, bool wet) {
    double at_x = fmin(fmax((x - r->raster->x0) / r->raster->dx, 0), r->raster->nx - 1);
    double at_y = fmin(fmax((y - r->raster->y0) / r->raster->dy, 0), r->raster->ny - 1);
    int i = (int)fmin(at_x, r->raster->nx - 2), j = (int)fmin(at_y, r->raster->ny - 2);
    double sum = 0, all = 0;
    for (int n = 0; n < 4; n++) {
        int column = i < 0 ? 0 : i + (n & 1), line = j < 0 ? 0 : j + (n >> 1);
        double w = fmax(0, 1 - fabs(at_x - column)) * fmax(0, 1 - fabs(at_y - line));
        double height = raster_row(r, line)[column];
        if (isnan(height) || (height < r->level) != wet) continue;
        sum += w * height, all += w;
    }
    return all > 0 ? sum / all : NAN;
}

static void smooth_bed(const Resampling *r, const Axes *axes, double shift) {
    for (int j = 0; j < r->out->ny; j++)
        for (int i = 0; i < axes->nx; i++) {
            size_t n = (size_t)j * (size_t)axes->nx + (size_t)i;
            bool wet = r->out->wet_area[n] >= r->least;
            double height =
                bilinear(r, axes_x(axes, i + 0.5) - shift, axes_y(axes, r->out->band.first + j + 0.5), wet);
            if (!isnan(height)) r->out->bed[n] = height;
        }
}

/* Slivers become land; without fullness everything becomes whole or nothing. */
static void settle_shares(const Resampling *r, const Axes *axes, const TopographyOptions *options) {
    Topography *t = r->out;
    size_t nx = (size_t)t->nx, ny = (size_t)t->ny;
    const double unit = topography_area_unit(axes);
    int64_t facts[3] = {0}; /* wet cells, slivers, their area in units */
    for (size_t n = 0; n < nx * ny; n++) {
        double share = t->wet_area[n];
        bool is_wet = share >= r->least, is_sliver = !is_wet && share > 0;
        t->wet_area[n] = !is_wet ? 0 : options->fullness ? share : 1;
        facts[0] += is_wet, facts[1] += is_sliver;
        if (is_sliver)
            facts[2] +=
                llrint(share * axes_area_m2(axes, (double)(t->band.first + (int)(n / nx)) + 0.5) / unit);
    }
    band_add(&t->band, 3, facts);
    for (size_t n = 0; !options->fullness && n < (nx + 1) * ny; n++)
        t->open_west[n] = t->open_west[n] >= TOPOGRAPHY_SLIVER;
    for (size_t n = 0; !options->fullness && n < nx * (ny + 1); n++)
        t->open_south[n] = t->open_south[n] >= TOPOGRAPHY_SLIVER;
    if (!options->fullness) {
        memory_free(t->shore_west), memory_free(t->shore_south);
        t->shore_west = t->shore_south = NULL;
    }
    topography_close_faces(t, axes, true);
    topography_note(t, "%lld of %lld cells can be wet (ground below %g m)", (long long)facts[0],
                    (long long)axes->nx * axes->ny, r->level);
    if (facts[1] > 0)
        topography_note(t, "%lld cells less than %g %% wet became land (%.4g km2)", (long long)facts[1],
                        100 * r->least, (double)facts[2] * unit / 1e6);
}

static void build(const Raster *raster, const Axes *axes, const TopographyOptions *options,
                  double unknown_land, double shift, Topography *out) {
    double least = options->subgrid ? 1e-9 : options->fullness ? TOPOGRAPHY_SLIVER : 0.5;
    Resampling r = {raster,
                    overlap_along_x(raster, axes, shift),
                    overlap_along_y(raster, axes),
                    options->flood_to_m,
                    unknown_land,
                    least,
                    options->subgrid,
                    out};
    bool coarser = overlap_is_coarser(raster, axes);
    topography_note(out, "%s a raster of %d x %d cells of %.6g x %.6g, %s",
                    coarser ? "interpolated from" : "averaged from", raster->nx, raster->ny, raster->dx,
                    raster->dy, raster->checksum ? raster->checksum : "made in memory");
    const size_t nx = (size_t)axes->nx, ny = (size_t)out->ny;
    out->shore_west = ALLOCATE((nx + 1) * ny, Shore);
    out->shore_south = ALLOCATE(nx * (ny + 1), Shore);
    gather_cells(&r);
    gather_south_faces(&r);
    if (coarser) smooth_bed(&r, axes, shift);
    settle_shares(&r, axes, options);
    overlap_release(&r.x);
    overlap_release(&r.y);
}

static double height_of_unknown_land(const TopographyOptions *options) {
    return fmax(options->flood_to_m, 0) + UNKNOWN_LAND_M;
}

static Status resample(const Raster *raster, const Axes *axes, const Band *band,
                       const TopographyOptions *options, double unknown_land, Topography **out) {
    *out = NULL;
    double shift;
    TRY(overlap_check(raster, "the bathymetry", axes, &shift));
    TRY(topography_create_band(axes->nx, band, out));
    build(raster, axes, options, unknown_land, shift, *out);
    return STATUS_OK;
}

Status topography_resample(const Raster *raster, const Axes *axes, const TopographyOptions *options,
                           double unknown_land, Topography **out) {
    const Band all = band_alone(axes->ny);
    return resample(raster, axes, &all, options, unknown_land, out);
}

Status topography_from_raster(const Raster *raster, const Axes *axes, const TopographyOptions *options,
                              Topography **out) {
    return topography_resample(raster, axes, options, height_of_unknown_land(options), out);
}

Status topography_band_from_raster(const Raster *raster, const Axes *axes, const Band *band,
                                   const TopographyOptions *options, Topography **out) {
    return resample(raster, axes, band, options, height_of_unknown_land(options), out);
}

void topography_raster_rows(const Raster *shape, const Axes *axes, const Band *band, int rows[2]) {
    overlap_rows(shape, axes, band, overlap_is_coarser(shape, axes), rows);
}
