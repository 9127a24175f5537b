/* SPDX-License-Identifier: Apache-2.0
 *
 * Which dimension is which, and the numbers themselves.
 */
#include "base/memory.h"
#include "base/netcdf_in.h"

#include <math.h>
#include <netcdf.h>
#include <string.h>
#include <strings.h>

static bool any_of(const char *text, const char *const *words) {
    for (; text && *words; words++)
        if (strcasecmp(text, *words) == 0) return true;
    return false;
}

/* 'x', 'y', 'z', 't' or 0 for a name alone, of a coordinate variable or of a dimension without one. */
static char kind_by_name(const char *name) {
    static const char *const x[] = {"lon", "longitude", "x", "easting", "nav_lon", "lon_rho", NULL};
    static const char *const y[] = {"lat", "latitude", "y", "northing", "nav_lat", "lat_rho", NULL};
    static const char *const z[] = {"depth", "z", "lev", "level", "height", "pressure_level", NULL};
    static const char *const t[] = {"time", "t", "valid_time", "ocean_time", "forecast_time", NULL};
    return any_of(name, x) ? 'x' : any_of(name, y) ? 'y' : any_of(name, t) ? 't' : any_of(name, z) ? 'z' : 0;
}

static char kind_by_units(const char *units) {
    static const char *const east[] = {"degrees_east", "degree_east", "degreesE", "degreeE",
                                       "degrees_E",    "degree_E",    NULL};
    static const char *const north[] = {"degrees_north", "degree_north", "degreesN", "degreeN",
                                        "degrees_N",     "degree_N",     NULL};
    if (any_of(units, east)) return 'x';
    if (any_of(units, north)) return 'y';
    return units && strstr(units, " since ") ? 't' : 0;
}

static char kind_by_standard_name(const char *name) {
    static const char *const x[] = {"longitude", "projection_x_coordinate", "grid_longitude", NULL};
    static const char *const y[] = {"latitude", "projection_y_coordinate", "grid_latitude", NULL};
    static const char *const t[] = {"time", NULL};
    return any_of(name, x) ? 'x' : any_of(name, y) ? 'y' : any_of(name, t) ? 't' : 0;
}

/* CF: a vertical coordinate says which way is up, or names its formula. */
static char kind_by_direction(const char *positive, const char *standard_name) {
    static const char *const up_or_down[] = {"up", "down", NULL};
    const bool formula = standard_name && (strncasecmp(standard_name, "ocean_s", 7) == 0 ||
                                           strncasecmp(standard_name, "ocean_double_sigma", 18) == 0);
    return formula || any_of(positive, up_or_down) ? 'z' : 0;
}

static char kind_by_axis(const char *axis) {
    return axis && strlen(axis) == 1 && strchr("xXyYzZtT", *axis) ? (char)(*axis | 0x20) : 0;
}

static char coordinate_kind(const NetcdfFile *file, int id, const char *name) {
    char *units = netcdf_text(file, id, "units"), *axis = netcdf_text(file, id, "axis");
    char *standard_name = netcdf_text(file, id, "standard_name"),
         *positive = netcdf_text(file, id, "positive");
    char kind = kind_by_units(units);
    if (!kind) kind = kind_by_standard_name(standard_name);
    if (!kind) kind = kind_by_axis(axis);
    if (!kind) kind = kind_by_direction(positive, standard_name);
    if (!kind) kind = kind_by_name(name);
    memory_free(units), memory_free(axis), memory_free(standard_name), memory_free(positive);
    return kind;
}

/* The one-dimensional variable along dimension `dimension` that holds its coordinates: of its own name, else
 * one that is an axis by its attributes. */
static int find_coordinate(const NetcdfFile *file, int dimension, const char *name) {
    int found = -1;
    for (int n = 0; n < netcdf_count(file); n++) {
        int rank, of[NC_MAX_VAR_DIMS];
        if (nc_inq_varndims(netcdf_id(file), n, &rank) != NC_NOERR || rank != 1) continue;
        if (nc_inq_vardimid(netcdf_id(file), n, of) != NC_NOERR || of[0] != dimension) continue;
        if (strcmp(netcdf_name(file, n), name) == 0) return n;
        if (found < 0 && coordinate_kind(file, n, "")) found = n;
    }
    return found;
}

/* The variables that "coordinates" (CF) names for the places of a curvilinear grid: of its rows and columns. */
static void find_planes(const NetcdfFile *file, const int *dimensions, NetcdfVariable *v) {
    char *names = netcdf_text(file, v->id, "coordinates");
    for (char *rest = NULL, *name = names ? strtok_r(names, " ", &rest) : NULL; name;
         name = strtok_r(NULL, " ", &rest)) {
        const int id = netcdf_find(file, name);
        int of[NC_MAX_VAR_DIMS], y = -1, x = -1;
        if (id < 0 || netcdf_rank(file, id) != 2 || nc_inq_vardimid(netcdf_id(file), id, of) != NC_NOERR)
            continue;
        for (int d = 0; d < v->rank; d++) {
            if (dimensions[d] == of[0]) y = d;
            if (dimensions[d] == of[1]) x = d;
        }
        const char kind = x >= 0 && y >= 0 ? coordinate_kind(file, id, name) : 0;
        if (kind == 'x') v->plane_x = id;
        if (kind == 'y') v->plane_y = id;
        if (kind == 'x' || kind == 'y') v->x = x, v->y = y;
    }
    if (v->plane_x < 0 || v->plane_y < 0) v->plane_x = v->plane_y = -1;
    memory_free(names);
}

Status netcdf_describe(const NetcdfFile *file, int id, NetcdfVariable *out) {
    *out = (NetcdfVariable){.id = id, .x = -1, .y = -1, .z = -1, .time = -1, .plane_x = -1, .plane_y = -1};
    CHECK(id >= 0 && id < netcdf_count(file), STATUS_BAD_INPUT, "%s: there is no such variable",
          netcdf_path(file));
    out->name = netcdf_name(file, id);
    int dimensions[NC_MAX_VAR_DIMS], nc = netcdf_id(file);
    int code = nc_inq_varndims(nc, id, &out->rank);
    if (code == NC_NOERR) code = nc_inq_vardimid(nc, id, dimensions);
    CHECK(code == NC_NOERR, STATUS_BAD_INPUT, "%s: variable %s cannot be read: %s", netcdf_path(file),
          out->name, nc_strerror(code));
    CHECK(out->rank <= NETCDF_MOST_DIMENSIONS, STATUS_BAD_INPUT,
          "%s: variable %s has %d dimensions; at most %d can be read", netcdf_path(file), out->name,
          out->rank, NETCDF_MOST_DIMENSIONS);
    for (int d = 0; d < out->rank; d++) {
        char name[NC_MAX_NAME + 1] = "";
        code = nc_inq_dim(nc, dimensions[d], name, &out->length[d]);
        CHECK(code == NC_NOERR, STATUS_BAD_INPUT, "%s: variable %s cannot be read: %s", netcdf_path(file),
              out->name, nc_strerror(code));
        out->coordinate[d] = find_coordinate(file, dimensions[d], name);
        int coordinate = out->coordinate[d];
        char kind = coordinate >= 0 ? coordinate_kind(file, coordinate, netcdf_name(file, coordinate))
                                    : kind_by_name(name);
        int *place = kind == 'x'   ? &out->x
                     : kind == 'y' ? &out->y
                     : kind == 'z' ? &out->z
                     : kind == 't' ? &out->time
                                   : NULL;
        if (place && *place < 0) *place = d;
    }
    if (out->x < 0 || out->coordinate[out->x] < 0 || out->y < 0 || out->coordinate[out->y] < 0)
        find_planes(file, dimensions, out);
    return STATUS_OK;
}

static char *shape_text(const NetcdfFile *file, const NetcdfVariable *variable) {
    char *text = memory_copy_text("");
    int dimensions[NC_MAX_VAR_DIMS] = {0};
    (void)nc_inq_vardimid(netcdf_id(file), variable->id, dimensions);
    for (int d = 0; d < variable->rank; d++) {
        char name[NC_MAX_NAME + 1] = "?";
        (void)nc_inq_dimname(netcdf_id(file), dimensions[d], name);
        memory_append(&text, "%s%s = %zu", d ? ", " : "", name, variable->length[d]);
    }
    return text;
}

Status netcdf_require(const NetcdfFile *file, const NetcdfVariable *variable, const char *dimensions) {
    const struct {
        const char *word;
        int place;
    } known[] = {{"time", variable->time}, {"z", variable->z}, {"y", variable->y}, {"x", variable->x}};
    bool allowed[NETCDF_MOST_DIMENSIONS] = {false}, good = true;
    for (int n = 0; n < 4; n++) {
        if (!strstr(dimensions, known[n].word)) continue;
        if (known[n].place < 0)
            good = false;
        else
            allowed[known[n].place] = true;
    }
    for (int d = 0; d < variable->rank; d++) good = good && (allowed[d] || variable->length[d] == 1);
    if (good) return STATUS_OK;
    char *shape = shape_text(file, variable);
    error_raise(
        STATUS_BAD_INPUT,
        "%s: variable %s has the dimensions (%s); it needs %s, each with its coordinate variable (units "
        "degrees_east, degrees_north, or an axis attribute), and no other dimension longer than 1",
        netcdf_path(file), variable->name, shape, dimensions);
    memory_free(shape);
    return STATUS_BAD_INPUT;
}

Status netcdf_require_maps(const NetcdfFile *file, const NetcdfVariable *variable) {
    const char *const needed[] = {"y, x", "time, y, x", "z, y, x", "time, z, y, x"};
    return netcdf_require(file, variable, needed[(variable->time >= 0) + 2 * (variable->z >= 0)]);
}

/* How the variable's numbers are to be understood. */
typedef struct Packing {
    double scale, offset;
    double missing[3]; /* as they stand in the file, before scaling */
    int missing_count;
} Packing;

static bool default_fill(nc_type type, double *fill) {
    switch (type) {
    case NC_SHORT:
        *fill = NC_FILL_SHORT;
        return true;
    case NC_INT:
        *fill = NC_FILL_INT;
        return true;
    case NC_FLOAT:
        *fill = (double)NC_FILL_FLOAT;
        return true;
    case NC_DOUBLE:
        *fill = NC_FILL_DOUBLE;
        return true;
    case NC_USHORT:
        *fill = NC_FILL_USHORT;
        return true;
    case NC_UINT:
        *fill = NC_FILL_UINT;
        return true;
    case NC_INT64:
        *fill = (double)NC_FILL_INT64;
        return true;
    default:
        return false; /* a byte may hold any of its values */
    }
}

static Status packing_read(const NetcdfFile *file, const NetcdfVariable *variable, Packing *out) {
    *out = (Packing){.scale = 1};
    nc_type type;
    int code = nc_inq_vartype(netcdf_id(file), variable->id, &type);
    CHECK(code == NC_NOERR && type != NC_CHAR && type != NC_STRING && type <= NC_MAX_ATOMIC_TYPE,
          STATUS_BAD_INPUT, "%s: variable %s is not numeric", netcdf_path(file), variable->name);
    (void)netcdf_number(file, variable->id, "scale_factor", &out->scale);
    (void)netcdf_number(file, variable->id, "add_offset", &out->offset);
    CHECK(isfinite(out->scale) && out->scale != 0 && isfinite(out->offset), STATUS_BAD_INPUT,
          "%s: variable %s has scale_factor %g and add_offset %g", netcdf_path(file), variable->name,
          out->scale, out->offset);
    double value;
    if (netcdf_number(file, variable->id, "_FillValue", &value) || default_fill(type, &value))
        out->missing[out->missing_count++] = value;
    if (netcdf_number(file, variable->id, "missing_value", &value)) {
        out->missing[out->missing_count++] = value;
        if (type == NC_FLOAT)
            out->missing[out->missing_count++] = (double)(float)value; /* written as a double */
    }
    return STATUS_OK;
}

static void unpack(const Packing *packing, size_t count, double *values) {
    for (size_t n = 0; n < count; n++) {
        bool missing = false;
        for (int m = 0; m < packing->missing_count; m++)
            missing = missing || values[n] == packing->missing[m];
        values[n] = missing ? NAN : values[n] * packing->scale + packing->offset;
    }
}

static Status read_block(const NetcdfFile *file, const NetcdfVariable *variable, const size_t *start,
                         const size_t *count, double *out) {
    int code = nc_get_vara_double(netcdf_id(file), variable->id, start, count, out);
    if (code == NC_ERANGE)
        code = NC_NOERR; /* a fill value beyond a double's range; it is not a number either way */
    CHECK(code == NC_NOERR, STATUS_BAD_INPUT,
          "%s: variable %s cannot be read (%s): the file is damaged or cut off; copy or download it again",
          netcdf_path(file), variable->name, nc_strerror(code));
    return STATUS_OK;
}

Status netcdf_check_room(const NetcdfFile *file, const NetcdfVariable *variable, double columns, double rows,
                         double levels) {
    const double need = columns * rows * levels * sizeof(double), left = (double)memory_available();
    CHECK(columns * rows <= INT32_MAX && need <= left, STATUS_BAD_INPUT,
          "%s: %s would need %.0f x %.0f x %.0f values at once (%.1f GB; %.1f GB of memory are left, and a "
          "map may have %d values): extract a part, unless the file is damaged",
          netcdf_path(file), variable->name, columns, rows, levels, need / 1e9, left / 1e9, INT32_MAX);
    return STATUS_OK;
}

static Status check_coordinate(const NetcdfFile *file, const char *name, const double *values, size_t count) {
    for (size_t n = 0; n < count; n++) {
        CHECK(isfinite(values[n]), STATUS_BAD_INPUT,
              "%s: coordinate %s is not a number at position %zu of %zu", netcdf_path(file), name, n + 1,
              count);
        bool turns = n > 1 && (values[n] > values[n - 1]) != (values[1] > values[0]);
        CHECK(n == 0 || (values[n] != values[n - 1] && !turns), STATUS_BAD_INPUT,
              "%s: coordinate %s neither increases nor decreases throughout: %.10g follows %.10g at position "
              "%zu of %zu",
              netcdf_path(file), name, values[n], values[n - 1], n + 1, count);
    }
    return STATUS_OK;
}

Status netcdf_read_coordinate(const NetcdfFile *file, const NetcdfVariable *variable, int dimension,
                              double **values) {
    *values = NULL;
    CHECK(dimension >= 0 && dimension < variable->rank && variable->coordinate[dimension] >= 0,
          STATUS_BAD_INPUT,
          "%s: variable %s has a dimension without a coordinate variable; one-dimensional coordinates are "
          "required",
          netcdf_path(file), variable->name);
    size_t start[NETCDF_MOST_DIMENSIONS] = {0}, along[NETCDF_MOST_DIMENSIONS],
           count = variable->length[dimension];
    CHECK(count > 0, STATUS_BAD_INPUT, "%s: variable %s is empty along one dimension", netcdf_path(file),
          variable->name);
    TRY(netcdf_check_room(file, variable, (double)count, 1, 1));
    int id = variable->coordinate[dimension], own[NC_MAX_VAR_DIMS], of[NC_MAX_VAR_DIMS];
    NetcdfVariable coordinate = {.id = id, .name = netcdf_name(file, id), .rank = netcdf_rank(file, id)};
    (void)nc_inq_vardimid(netcdf_id(file), variable->id, own);
    (void)nc_inq_vardimid(netcdf_id(file), id, of);
    for (int d = 0; d < coordinate.rank; d++) along[d] = of[d] == own[dimension] ? count : 1;
    Packing packing;
    TRY(packing_read(file, &coordinate, &packing));
    double *read = ALLOCATE(count, double);
    Status status = read_block(file, &coordinate, start, along, read);
    if (status == STATUS_OK) {
        unpack(&packing, count, read);
        status = check_coordinate(file, coordinate.name, read, count);
    }
    if (status != STATUS_OK)
        memory_free(read);
    else
        *values = read;
    return status;
}

Status netcdf_read_numbers(const NetcdfFile *file, int id, size_t count, double *out) {
    NetcdfVariable variable;
    Packing packing;
    TRY(netcdf_describe(file, id, &variable));
    size_t start[NETCDF_MOST_DIMENSIONS] = {0}, held = 1;
    for (int d = 0; d < variable.rank; d++) held *= variable.length[d];
    CHECK(held == count, STATUS_BAD_INPUT, "%s: variable %s has %zu values, but %zu are needed",
          netcdf_path(file), variable.name, held, count);
    TRY(packing_read(file, &variable, &packing));
    TRY(read_block(file, &variable, start, variable.length, out));
    unpack(&packing, count, out);
    return STATUS_OK;
}

static void transpose(const double *from, size_t nx, size_t ny, double *to) {
    enum { TILE = 32 }; /* both sides stay in the cache */
    for (size_t j0 = 0; j0 < ny; j0 += TILE)
        for (size_t i0 = 0; i0 < nx; i0 += TILE)
            for (size_t j = j0; j < j0 + TILE && j < ny; j++)
                for (size_t i = i0; i < i0 + TILE && i < nx; i++) to[j * nx + i] = from[i * ny + j];
}

Status netcdf_read_map(const NetcdfFile *file, const NetcdfVariable *variable, size_t record, size_t first_x,
                       size_t nx, size_t first_y, size_t ny, double *out) {
    TRY(netcdf_require(file, variable, variable->time < 0 ? "y, x" : "time, y, x"));
    return netcdf_read_level(file, variable, record, 0, first_x, nx, first_y, ny, out);
}

Status netcdf_read_maps(const NetcdfFile *file, const NetcdfVariable *v, size_t record, size_t records,
                        size_t first_x, size_t nx, size_t first_y, size_t ny, double *out) {
    const bool plain = v->rank == 3 && v->time == 0 && v->y == 1 && v->x == 2;
    for (size_t n = 0; n < records && !plain; n++)
        TRY(netcdf_read_map(file, v, record + n, first_x, nx, first_y, ny, out + n * nx * ny));
    if (!plain) return STATUS_OK;
    const size_t start[3] = {record, first_y, first_x}, count[3] = {records, ny, nx};
    Packing packing;
    TRY(packing_read(file, v, &packing));
    TRY(read_block(file, v, start, count, out));
    unpack(&packing, records * nx * ny, out);
    return STATUS_OK;
}

bool netcdf_read_bounds(const NetcdfFile *file, const NetcdfVariable *variable, int dimension, size_t at,
                        double bounds[2]) {
    const int coordinate = variable->coordinate[dimension];
    char *name = coordinate < 0 ? NULL : netcdf_text(file, coordinate, "bounds");
    const int id = name ? netcdf_find(file, name) : -1;
    const size_t start[2] = {at, 0}, count[2] = {1, 2};
    int dimensions[2];
    size_t length[2] = {0};
    memory_free(name);
    if (id < 0 || netcdf_rank(file, id) != 2) return false;
    (void)nc_inq_vardimid(netcdf_id(file), id, dimensions);
    for (int n = 0; n < 2; n++) (void)nc_inq_dimlen(netcdf_id(file), dimensions[n], &length[n]);
    if (at >= length[0] || length[1] != 2) return false;
    return nc_get_vara_double(netcdf_id(file), id, start, count, bounds) == NC_NOERR;
}

Status netcdf_read_level(const NetcdfFile *file, const NetcdfVariable *variable, size_t record, size_t level,
                         size_t first_x, size_t nx, size_t first_y, size_t ny, double *out) {
    const NetcdfVariable *v = variable;
    TRY(netcdf_require_maps(file, v));
    CHECK(v->z < 0 ? level == 0 : level < v->length[v->z], STATUS_FAILED, "%s: variable %s has no level %zu",
          netcdf_path(file), v->name, level);
    CHECK(first_x + nx <= v->length[v->x] && first_y + ny <= v->length[v->y], STATUS_FAILED,
          "%s: variable %s has %zu x %zu values; columns %zu to %zu, rows %zu to %zu were requested",
          netcdf_path(file), v->name, v->length[v->x], v->length[v->y], first_x, first_x + nx, first_y,
          first_y + ny);
    CHECK(v->time < 0 ? record == 0 : record < v->length[v->time], STATUS_FAILED,
          "%s: variable %s has no record %zu", netcdf_path(file), v->name, record);
    Packing packing;
    TRY(packing_read(file, v, &packing));
    size_t start[NETCDF_MOST_DIMENSIONS] = {0}, count[NETCDF_MOST_DIMENSIONS];
    for (int d = 0; d < v->rank; d++) count[d] = 1;
    start[v->x] = first_x, count[v->x] = nx, start[v->y] = first_y, count[v->y] = ny;
    if (v->time >= 0) start[v->time] = record;
    if (v->z >= 0) start[v->z] = level;
    if (v->y < v->x) {
        TRY(read_block(file, v, start, count, out));
    } else {
        double *turned = ALLOCATE(nx * ny, double);
        Status status = read_block(file, v, start, count, turned);
        if (status == STATUS_OK) transpose(turned, nx, ny, out);
        memory_free(turned);
        TRY(status);
    }
    unpack(&packing, nx * ny, out);
    return STATUS_OK;
}
