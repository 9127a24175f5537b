/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands that write a file: import and repair.
 */
#include "bathymetry/command_internal.h"
#include "bathymetry/raster_write.h"
#include "bathymetry/topography_internal.h"

#include "base/log.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Before the work: a folder that is not there, or the input itself. */
static Status check_output(const CommandOptions *options) {
    struct stat in, out, folder;
    char *path = memory_copy_text(options->output);
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = 0;
    bool exists = stat(slash ? path : ".", &folder) == 0 && S_ISDIR(folder.st_mode);
    memory_free(path);
    CHECK(exists, STATUS_BAD_INPUT, "the folder of %s does not exist", options->output);
    bool same = stat(options->input, &in) == 0 && stat(options->output, &out) == 0 &&
                in.st_ino == out.st_ino && in.st_dev == out.st_dev;
    CHECK(!same, STATUS_BAD_INPUT, "%s is the input; write to another file", options->output);
    return STATUS_OK;
}

/* The box asked for; sides that were not given are the raster's. */
static Status choose_box(const CommandOptions *o, const Raster *raster, double box[4]) {
    Axes all = command_axes(raster);
    box[0] = isnan(o->west) ? axes_x(&all, 0) : o->west,
    box[1] = isnan(o->east) ? axes_x(&all, all.nx) : o->east;
    box[2] = isnan(o->south) ? axes_y(&all, 0) : o->south,
    box[3] = isnan(o->north) ? axes_y(&all, all.ny) : o->north;
    CHECK(box[0] < box[1] && box[2] < box[3], STATUS_BAD_INPUT,
          "west %.7g, east %.7g, south %.7g, north %.7g is not a box", box[0], box[1], box[2], box[3]);
    return STATUS_OK;
}

/* Without a spacing of the user's, the cells are the raster's own and the box is widened to whole ones. */
static Axes own_cells(const Raster *raster, const double box[4]) {
    Axes axes = command_axes(raster);
    double i0 = floor((box[0] - axes.west) / axes.step_x + 1e-6),
           i1 = ceil((box[1] - axes.west) / axes.step_x - 1e-6);
    double j0 = floor((box[2] - axes.south) / axes.step_y + 1e-6),
           j1 = ceil((box[3] - axes.south) / axes.step_y - 1e-6);
    axes.west += i0 * axes.step_x, axes.south += j0 * axes.step_y;
    axes.nx = (int)fmin(i1 - i0, INT32_MAX), axes.ny = (int)fmin(j1 - j0, INT32_MAX);
    return axes;
}

static Status choose_cells(const CommandOptions *o, const Raster *raster, Axes *axes) {
    double box[4];
    TRY(choose_box(o, raster, box));
    bool sphere = raster->units == RASTER_DEGREES, metres = !isnan(o->dx_m), degrees = !isnan(o->dlon);
    CHECK(!(metres && degrees), STATUS_BAD_INPUT, "--dx and --dlon exclude each other");
    CHECK(degrees || isnan(o->dlat), STATUS_BAD_INPUT, "--dlat requires --dlon");
    CHECK(!degrees || sphere, STATUS_BAD_INPUT,
          "--dlon is for coordinates in degrees; these are metres: --dx");
    *axes = own_cells(raster, box);
    if (!metres && !degrees) return STATUS_OK;
    double height = sphere ? o->dx_m / METRES_PER_DEGREE : o->dx_m;
    double width = sphere ? height / cos(0.5 * (box[2] + box[3]) * RADIANS_PER_DEGREE) : height;
    axes->west = box[0], axes->south = box[2];
    axes->step_x = degrees ? o->dlon : width;
    axes->step_y = !degrees ? height : isnan(o->dlat) ? o->dlon : o->dlat;
    CHECK(axes->step_x > 0 && axes->step_y > 0, STATUS_BAD_INPUT, "a spacing must be above 0");
    double nx = floor((box[1] - box[0]) / axes->step_x + 1e-6),
           ny = floor((box[3] - box[2]) / axes->step_y + 1e-6);
    CHECK(nx >= 2 && ny >= 2 && nx * ny < 2e9, STATUS_BAD_INPUT, "the box would have %g x %g cells", nx, ny);
    axes->nx = (int)nx, axes->ny = (int)ny;
    return STATUS_OK;
}

/* The topography's bed in the raster's place. */
static void replace_grid(Raster *raster, const Axes *axes, Topography *t) {
    memory_free(raster->elevation);
    raster->elevation = t->bed;
    t->bed = NULL;
    raster->nx = axes->nx, raster->ny = axes->ny, raster->dx = axes->step_x, raster->dy = axes->step_y;
    raster->x0 = axes_x(axes, 0.5), raster->y0 = axes_y(axes, 0.5);
}

static Status import_raster(const CommandOptions *options, Raster *raster) {
    Axes axes;
    Topography *t = NULL;
    TopographyOptions how = {0}; /* each cell is sea or land by half of its area */
    TRY(choose_cells(options, raster, &axes));
    CHECK(axes.nx >= 2 && axes.ny >= 2, STATUS_BAD_INPUT, "%d x %d cells are not a grid", axes.nx, axes.ny);
    TRY(topography_resample(raster, &axes, &how, NAN, &t));
    replace_grid(raster, &axes, t);
    Status status = raster_write(options->output, raster, options->history, t->ledger);
    topography_destroy(&t);
    return status;
}

Status command_import(const CommandOptions *options) {
    Raster *raster = NULL;
    TRY(check_output(options));
    bool box =
        !isnan(options->west) && !isnan(options->east) && !isnan(options->south) && !isnan(options->north);
    double window[4] = {options->west, options->east, options->south, options->north};
    TRY(command_read(options, box ? window : NULL, NULL, &raster));
    Status status = import_raster(options, raster);
    if (status == STATUS_OK) log_info("%s: %d x %d cells", options->output, raster->nx, raster->ny);
    raster_destroy(&raster);
    return status;
}

/* Sea that became land has no height any more; what was deepened takes the new depth. */
static void take_over_edits(Raster *raster, const Topography *t) {
    for (size_t n = 0; n < (size_t)raster->nx * (size_t)raster->ny; n++) {
        bool was_sea = raster->elevation[n] < 0;
        if (was_sea) raster->elevation[n] = t->wet_area[n] > 0 ? t->bed[n] : NAN;
    }
}

static Status repair_raster(const CommandOptions *options, Raster *raster) {
    Axes axes = command_axes(raster);
    TopographyOptions how = {.minimum_depth_m = options->minimum_depth,
                             .n_close = options->n_close,
                             .close = options->close,
                             .has_keep_point = options->has_keep_point,
                             .keep_point = {options->keep_point[0], options->keep_point[1]}};
    Topography *t = NULL;
    TRY(topography_create(raster->nx, raster->ny, &t));
    memcpy(t->bed, raster->elevation, (size_t)raster->nx * (size_t)raster->ny * sizeof *t->bed);
    topography_mask_from_bed(t, &axes, &how);
    Status status = topography_repair(t, &axes, &how);
    if (status == STATUS_OK && !isnan(options->smooth)) status = topography_smooth(t, &axes, options->smooth);
    if (status == STATUS_OK) {
        take_over_edits(raster, t);
        status = raster_write(options->output, raster, options->history, t->ledger);
    }
    if (status == STATUS_OK) log_info("%s:\n%s", options->output, t->ledger);
    topography_destroy(&t);
    return status;
}

Status command_repair(const CommandOptions *options) {
    Raster *raster = NULL;
    TRY(check_output(options));
    TRY(command_read(options, NULL, NULL, &raster));
    Status status = repair_raster(options, raster);
    raster_destroy(&raster);
    return status;
}
