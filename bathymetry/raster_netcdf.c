/* SPDX-License-Identifier: Apache-2.0
 *
 * GEBCO, ETOPO, EMODnet and similar files. Coordinates in these files are the positions of the heights,
 * whether the file calls its registration "pixel" or "grid line", so each is the centre of a cell. A global
 * file may repeat its first meridian at the end; the repetition is left out.
 */
#include "bathymetry/raster_internal.h"

#include "base/memory.h"
#include "base/units.h"
#include <math.h>
#include <strings.h>

/* One axis of the file, seen in rising order. */
typedef struct FileAxis {
    double first, step;
    long count;   /* without a repeated meridian */
    long in_file; /* with it */
    bool falls;   /* the file runs the other way */
    bool around;  /* column `count` is column 0 again */
    RasterUnits units;
} FileAxis;

/* The part to read: `count` cells from `from` on, which may be negative or run over the end if the axis goes
 * around. */
typedef struct Part {
    long from, count;
} Part;

static double unit_of_axis(const NetcdfFile *file, int id, RasterUnits *units) {
    char *text = netcdf_text(file, id, "units");
    const char *name = netcdf_name(file, id);
    const bool said = text && *text,
               angle = strncasecmp(name, "lon", 3) == 0 || strncasecmp(name, "lat", 3) == 0;
    UnitChange change = {.factor = 1};
    *units = RASTER_UNKNOWN;
    if (said ? unit_change(text, "deg", &change) : angle)
        *units = RASTER_DEGREES;
    else if (said && unit_change(text, "m", &change))
        *units = RASTER_METRES;
    memory_free(text);
    return change.factor;
}

static Status check_even(const NetcdfFile *file, const char *name, const double *values, size_t count) {
    CHECK(count >= 2, STATUS_BAD_INPUT, "%s: coordinate %s has only one value; a raster needs at least two",
          netcdf_path(file), name);
    double step = (values[count - 1] - values[0]) / (double)(count - 1);
    for (size_t n = 0; n < count; n++) {
        double off = fabs(values[n] - (values[0] + step * (double)n)) / fabs(step);
        CHECK(off < 0.05, STATUS_BAD_INPUT,
              "%s: coordinate %s is not evenly spaced: %.10g at place %zu is %.2f spacings of %.6g off; only "
              "regular grids can be read",
              netcdf_path(file), name, values[n], n + 1, off, fabs(step));
    }
    return STATUS_OK;
}

static Status read_axis(const NetcdfFile *file, const NetcdfVariable *variable, int dimension,
                        FileAxis *axis) {
    double *values = NULL;
    TRY(netcdf_read_coordinate(file, variable, dimension, &values));
    size_t count = variable->length[dimension];
    int id = variable->coordinate[dimension];
    Status status = check_even(file, netcdf_name(file, id), values, count);
    if (status == STATUS_OK && count > INT32_MAX)
        status = error_raise(STATUS_BAD_INPUT, "%s: %zu places along %s", netcdf_path(file), count,
                             netcdf_name(file, id));
    if (status == STATUS_OK) {
        double scale = unit_of_axis(file, id, &axis->units);
        axis->falls = values[count - 1] < values[0];
        axis->first = scale * (axis->falls ? values[count - 1] : values[0]);
        axis->step = scale * fabs(values[count - 1] - values[0]) / (double)(count - 1);
        axis->count = axis->in_file = (long)count;
    }
    memory_free(values);
    return status;
}

/* Around the globe, or all of it beyond 180 degrees east: brought to -180 .. 180. */
static void straighten_longitudes(FileAxis *x) {
    if (x->units != RASTER_DEGREES) return;
    double tolerance = 0.1 * x->step;
    if (fabs((double)(x->count - 1) * x->step - 360) < tolerance) x->count--;
    x->around = fabs((double)x->count * x->step - 360) < tolerance;
    if (!x->around && x->first - 0.5 * x->step >= 180 - tolerance) x->first -= 360;
}

static Part whole_axis(const FileAxis *axis) {
    Part part = {0, axis->count};
    if (axis->around) part.from = (long)ceil((-180 - axis->first) / axis->step - 1e-3);
    return part;
}

/* The cells that [low, high] touches, and one more on each side. The axis is turned by whole circles to meet
 * it. */
static Part part_of_axis(FileAxis *axis, double low, double high) {
    double length = (double)axis->count * axis->step;
    if (axis->units == RASTER_DEGREES && !axis->around)
        axis->first += 360 * nearbyint((0.5 * (low + high) - axis->first - 0.5 * length) / 360);
    double edge = axis->first - 0.5 * axis->step;
    double from = floor((low - edge) / axis->step) - 1, to = ceil((high - edge) / axis->step) + 1;
    if (!axis->around) from = fmax(from, 0), to = fmin(to, (double)axis->count);
    if (to - from > (double)axis->count) to = from + (double)axis->count;
    return (Part){(long)from, (long)(to - from)};
}

/* As topography_from_raster sees it: half a cell may lack. */
static bool covers(const FileAxis *axis, double low, double high) {
    double last = axis->first + (double)(axis->count - 1) * axis->step, slack = 1.0001 * axis->step;
    return axis->around || (low >= axis->first - slack && high <= last + slack);
}

static Status choose_parts(const NetcdfFile *file, FileAxis *x, FileAxis *y, const double *window,
                           Part parts[2]) {
    parts[0] = whole_axis(x), parts[1] = whole_axis(y);
    if (!window) return STATUS_OK;
    CHECK(fabs(window[0]) < 1e7 && fabs(window[1]) < 1e7 && fabs(window[2]) < 1e7 && fabs(window[3]) < 1e7 &&
              window[0] < window[1] && window[2] < window[3],
          STATUS_BAD_INPUT, "%s: the window %g to %g, %g to %g is empty", netcdf_path(file), window[0],
          window[1], window[2], window[3]);
    parts[0] = part_of_axis(x, window[0], window[1]);
    parts[1] = part_of_axis(y, window[2], window[3]);
    CHECK(covers(x, window[0], window[1]) && covers(y, window[2], window[3]) && parts[0].count > 0 &&
              parts[1].count > 0,
          STATUS_BAD_INPUT,
          "%s covers %.6g to %.6g, %.6g to %.6g; the requested area is %.6g to %.6g, %.6g to %.6g; %s",
          netcdf_path(file), x->first - 0.5 * x->step, x->first + ((double)x->count - 0.5) * x->step,
          y->first - 0.5 * y->step, y->first + ((double)y->count - 0.5) * y->step, window[0], window[1],
          window[2], window[3],
          covers(x, window[2], window[3]) && covers(y, window[0], window[1])
              ? "longitudes come before latitudes: are the two swapped?"
              : "take a smaller grid or a larger file");
    return STATUS_OK;
}

struct RasterNetcdf {
    NetcdfFile *file;
    NetcdfVariable variable;
    FileAxis axes[2];
    Part parts[2];
    double factor;
};

/* Reads columns `from` .. `from + count - 1` (in rising order, within the file) into columns `to` on of rows of
 * `width`. */
static Status read_columns(const NetcdfFile *file, const NetcdfVariable *variable, const FileAxis axes[2],
                           Part columns, Part rows, long to, size_t width, double *elevation) {
    const FileAxis *x = &axes[0], *y = &axes[1];
    size_t nx = (size_t)columns.count, ny = (size_t)rows.count;
    size_t first_x = (size_t)(x->falls ? x->in_file - columns.from - columns.count : columns.from);
    size_t first_y = (size_t)(y->falls ? y->in_file - rows.from - rows.count : rows.from);
    bool direct = nx == width && !x->falls && !y->falls;
    if (direct) return netcdf_read_map(file, variable, 0, first_x, nx, first_y, ny, elevation);
    /* In bands, so that a file in the other order needs no second copy of itself. */
    size_t band = (size_t)1 << 22;
    band = band / nx > 0 ? band / nx : 1;
    double *values = ALLOCATE(band * nx, double);
    Status status = STATUS_OK;
    for (size_t j0 = 0; j0 < ny && status == STATUS_OK; j0 += band) {
        size_t rows_now = ny - j0 < band ? ny - j0 : band;
        status = netcdf_read_map(file, variable, 0, first_x, nx, first_y + j0, rows_now, values);
        for (size_t j = 0; j < rows_now && status == STATUS_OK; j++) {
            size_t row = y->falls ? ny - 1 - (j0 + j) : j0 + j;
            double *out = elevation + row * width + (size_t)to;
            for (size_t i = 0; i < nx; i++) out[i] = values[j * nx + (x->falls ? nx - 1 - i : i)];
        }
    }
    memory_free(values);
    return status;
}

Status raster_netcdf_rows(const RasterNetcdf *r, int first, int rows, double *out) {
    const FileAxis *x = &r->axes[0];
    const Part all = r->parts[0], lines = {r->parts[1].from + first, rows};
    const size_t width = (size_t)all.count;
    TRY(netcdf_check_room(r->file, &r->variable, (double)width, (double)rows, 1));
    for (long done = 0; done < all.count;) { /* one piece, or two across the file's seam */
        long from = all.from + done, left = all.count - done;
        if (x->around) from = (from % x->count + x->count) % x->count;
        Part columns = {from, left < x->count - from ? left : x->count - from};
        TRY(read_columns(r->file, &r->variable, r->axes, columns, lines, done, width, out));
        done += columns.count;
    }
    for (size_t n = 0; r->factor != 1 && n < width * (size_t)rows; n++) out[n] *= r->factor;
    return STATUS_OK;
}

static bool could_be_heights(const NetcdfFile *file, int id, NetcdfVariable *out, bool *known) {
    if (netcdf_rank(file, id) > NETCDF_MOST_DIMENSIONS || netcdf_describe(file, id, out) != STATUS_OK)
        return false;
    for (int d = 0; d < out->rank; d++)
        if (d != out->x && d != out->y && out->length[d] != 1) return false;
    char *name = netcdf_text(file, id, "standard_name");
    *known = raster_knows_standard_name(name);
    memory_free(name);
    return out->x >= 0 && out->y >= 0;
}

/* The variable asked for, else of heights the only one with a known standard name, else the only map. */
static Status find_variable(const NetcdfFile *file, const RasterOptions *options, NetcdfVariable *out) {
    const char *wanted = options->variable;
    const bool heights = options->content == RASTER_HEIGHTS;
    int found = wanted ? netcdf_find(file, wanted) : -1, maps = 0, named = 0, map = -1, name = -1;
    for (int n = 0; !wanted && n < netcdf_count(file); n++) {
        bool known = false;
        if (!could_be_heights(file, n, out, &known)) continue;
        maps++, map = n;
        if (known && heights) named++, name = n;
    }
    if (!wanted) found = named == 1 ? name : maps == 1 ? map : -1;
    if (found < 0) {
        char *list = netcdf_list(file);
        if (wanted)
            error_raise(STATUS_BAD_INPUT, "%s has no variable %s; it has %s", netcdf_path(file), wanted,
                        list);
        else if (maps > 1)
            error_raise(STATUS_BAD_INPUT, "%s has several maps; name the one %s): %s", netcdf_path(file),
                        heights ? "with the heights (\"variable\"" : "to use (\"column\"", list);
        else
            error_raise(STATUS_BAD_INPUT, "%s has no map over longitude and latitude (or x and y); it has %s",
                        netcdf_path(file), list);
        memory_free(list);
        return STATUS_BAD_INPUT;
    }
    TRY(netcdf_describe(file, found, out));
    return netcdf_require(file, out, "y, x");
}

static char *source_of(const NetcdfFile *file) {
    static const char *const words[] = {"title",   "source",  "institution", "references",
                                        "license", "licence", "ledger",      "comment"};
    char *text = memory_copy_text("");
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
        char *value = netcdf_text(file, NETCDF_WHOLE_FILE, words[n]);
        if (value && *value) memory_append(&text, "%s%s: %.2000s", *text ? "; " : "", words[n], value);
        memory_free(value);
    }
    if (*text) return text;
    memory_free(text);
    return NULL;
}

static Status find_factor(const NetcdfFile *file, const RasterOptions *options,
                          const NetcdfVariable *variable, double *factor) {
    *factor = 1;
    if (options->content == RASTER_HEIGHTS) return raster_sign(file, variable, options->positive, factor);
    return options->content == RASTER_LENGTHS ? raster_metres(file, variable, factor) : STATUS_OK;
}

static Status look_into(RasterNetcdf *r, const RasterOptions *options, Raster *shape) {
    const NetcdfFile *file = r->file;
    FileAxis *axes = r->axes;
    TRY(find_variable(file, options, &r->variable));
    TRY(find_factor(file, options, &r->variable, &r->factor));
    TRY(read_axis(file, &r->variable, r->variable.x, &axes[0]));
    TRY(read_axis(file, &r->variable, r->variable.y, &axes[1]));
    if (options->map && axes[0].units == RASTER_METRES)
        TRY(axes_check_map(options->map, file, r->variable.id));
    straighten_longitudes(&axes[0]);
    const bool turned = options->degrees && axes[0].units == RASTER_DEGREES;
    TRY(choose_parts(file, &axes[0], &axes[1], turned ? options->degrees : options->window, r->parts));
    const double cells = (double)r->parts[0].count * (double)r->parts[1].count;
    CHECK(cells <= RASTER_MOST_CELLS, STATUS_BAD_INPUT,
          "%s: %g cells are too many to read at once; extract a part first", netcdf_path(file), cells);
    shape->nx = (int)r->parts[0].count, shape->ny = (int)r->parts[1].count;
    shape->dx = axes[0].step, shape->dy = axes[1].step;
    shape->x0 = axes[0].first + (double)r->parts[0].from * shape->dx;
    shape->y0 = axes[1].first + (double)r->parts[1].from * shape->dy;
    shape->units = axes[0].units;
    shape->source = source_of(file);
    return STATUS_OK;
}

Status raster_netcdf_open(const char *path, const RasterOptions *options, Raster *shape, RasterNetcdf **out) {
    RasterNetcdf *r = ALLOCATE(1, RasterNetcdf);
    Status status = netcdf_open(path, &r->file);
    if (status == STATUS_OK) status = look_into(r, options, shape);
    if (status != STATUS_OK) raster_netcdf_close(&r);
    *out = r;
    return status;
}

void raster_netcdf_close(RasterNetcdf **file) {
    if (!*file) return;
    netcdf_close(&(*file)->file);
    memory_free(*file);
    *file = NULL;
}
