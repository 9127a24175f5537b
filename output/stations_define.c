/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "base/memory.h"
#include "output/stations.h"

#include <math.h>
#include <string.h>

static void choose_flows(StationsFile *f) {
    f->series = ALLOCATE(FLOW_SERIES, Series);
    f->n_series = FLOW_SERIES;
    for (int n = 0; n < FLOW_SERIES; n++) {
        f->series[n] = (Series){.flow = &flow_rows[n], .n_levels = 1};
        snprintf(f->series[n].name, NAME_LENGTH, "%s", flow_rows[n].name);
    }
}

Status stations_choose(StationsFile *f, const Making *making) {
    static char *by_default[] = {"eta", "u", "v"};
    const ScenarioOutput *entry = making->entry;
    if (entry->structures) {
        choose_flows(f);
        return STATUS_OK;
    }
    char **names = entry->n_names > 0 ? entry->names : by_default;
    int n_names = entry->n_names > 0 ? entry->n_names : 3;
    f->series = ALLOCATE(n_names + 1, Series);
    for (int n = 0; n < n_names; n++) {
        Series *s = &f->series[n];
        s->is = &s->variable;
        TRY(output_variable_need(entry, names[n], true, making->state, &s->variable));
        snprintf(s->name, sizeof s->name, "%s", names[n]);
        s->n_levels = s->is->three_d ? f->grid->n3 : 1;
        if (making->state->spots)
            s->reads = strcmp(names[n], "eta") == 0     ? READS_LEVEL
                       : strcmp(names[n], "depth") == 0 ? READS_DEPTH
                                                        : READS_CELL;
        f->three_d |= s->is->three_d;
        f->n_series++;
    }
    if (!f->three_d) return STATUS_OK;
    Series *z = &f->series[f->n_series++];
    snprintf(z->name, sizeof z->name, "z");
    z->n_levels = f->grid->n3;
    return STATUS_OK;
}

static void report_move(const StationsFile *f, const Station *s, const ScenarioStation *asked) {
    const char *unit = f->grid->spherical ? " degrees" : " m";
    if (s->place.distance_m > 0)
        log_info("station \"%s\" lies on land: moved %.4g m, from (%g, %g) to (%g, %g)%s", s->name,
                 s->place.distance_m, asked->x, asked->y, s->x, s->y, unit);
}

/* Structures belong to nobody's cell: rank 0 has what they tell. */
static void place_structures(StationsFile *f, int rank) {
    f->n_stations = f->scenario->n_structures;
    f->stations = ALLOCATE(f->n_stations, Station);
    for (int n = 0; n < f->n_stations; n++) {
        const ScenarioStructure *s = &f->scenario->structures[n];
        const double *a = s->line[(s->n_line - 1) / 2], *b = s->line[s->n_line / 2];
        f->stations[n] = (Station){.mine = rank == 0, .x = 0.5 * (a[0] + b[0]), .y = 0.5 * (a[1] + b[1])};
        snprintf(f->stations[n].name, NAME_LENGTH, "%s", s->name);
    }
}

/* With ground inside cells a station has that of its pixel; where this cannot be wet, the lowest of its cell. */
static void put_on_ground(const Making *making, int n, Station *s) {
    if (!making->state->spots) return;
    const double *ground = making->state->spots + n;
    for (const ScenarioOutput *o = making->scenario->outputs; o != making->entry; o++)
        ground += o->n_stations;
    const bool floods = isfinite(*ground) && !(s->place.distance_m > 0);
    if (!floods && !making->follows && !(s->place.distance_m > 0))
        log_info("station \"%s\" stands on ground that cannot flood: it gets the lowest of its cell, %.3g m",
                 s->name, s->bed);
    if (floods) s->bed = fmax(*ground, s->bed);
}

Status stations_place(StationsFile *f, const Making *making) {
    const ScenarioOutput *entry = making->entry;
    int rank;
    MPI_Comm_rank(f->grid->comm, &rank);
    if (entry->structures) {
        place_structures(f, rank);
        return STATUS_OK;
    }
    f->stations = ALLOCATE(entry->n_stations, Station);
    for (int n = 0; n < entry->n_stations; n++) {
        Station *s = &f->stations[n];
        snprintf(s->name, sizeof s->name, "%s", entry->stations[n].name);
        TRY(grid_locate(f->grid, entry->stations[n].x, entry->stations[n].y, &s->place));
        s->mine = s->place.rank == rank;
        double cell[3] = {0};
        if (s->mine) {
            cell[0] = axes_x(&f->grid->axes, f->grid->i_first + s->place.i + 0.5);
            cell[1] = axes_y(&f->grid->axes, f->grid->j_first + s->place.j + 0.5);
            cell[2] = f->grid->bed[AT2(*f->grid, s->place.i, s->place.j)];
        }
        MPI_Bcast(cell, 3, MPI_DOUBLE, s->place.rank, f->grid->comm);
        s->x = cell[0], s->y = cell[1], s->bed = cell[2];
        put_on_ground(making, n, s);
        if (!making->follows) report_move(f, s, &entry->stations[n]);
        f->n_stations++;
    }
    return STATUS_OK;
}

static const char *pick(const StationsFile *f, const char *on_sphere, const char *on_plane) {
    return f->grid->spherical ? on_sphere : on_plane;
}

static int define_number(NcFile *file, const char *name, int dim, const char *units, const char *long_name) {
    int id = ncfile_define(file, name, NC_DOUBLE, 1, &dim);
    ncfile_text(file, id, "units", units);
    ncfile_text(file, id, "long_name", long_name);
    ncfile_text(file, id, "coverage_content_type", "auxiliaryInformation");
    return id;
}

static void define_places(StationsFile *f, int station) {
    NcFile *file = &f->file;
    int dims[2] = {station, ncfile_dimension(file, "name_length", NAME_LENGTH)};
    int id = ncfile_define(file, "station", NC_CHAR, 2, dims);
    ncfile_text(file, id, "_Encoding", "utf-8"); /* xarray then has text, not bytes */
    ncfile_text(file, id, "cf_role", "timeseries_id");
    ncfile_text(file, id, "long_name",
                f->entry->structures ? "name of the structure" : "name of the station");
    const bool sphere = f->grid->spherical;
    const char *where =
        f->entry->structures ? "middle of the structure's line" : "centre of the station's cell";
    id = define_number(file, pick(f, "lon", "x"), station, pick(f, "degrees_east", "m"), where);
    ncfile_text(file, id, "standard_name", sphere ? "longitude" : "projection_x_coordinate");
    ncfile_text(file, id, "axis", "X");
    id = define_number(file, pick(f, "lat", "y"), station, pick(f, "degrees_north", "m"), where);
    ncfile_text(file, id, "standard_name", sphere ? "latitude" : "projection_y_coordinate");
    ncfile_text(file, id, "axis", "Y");
    if (f->grid->axes.map) {
        id = define_number(file, "lon", station, "degrees_east", where);
        ncfile_text(file, id, "standard_name", "longitude");
        id = define_number(file, "lat", station, "degrees_north", where);
        ncfile_text(file, id, "standard_name", "latitude");
    }
    if (f->entry->structures) return;
    define_number(file, pick(f, "asked_lon", "asked_x"), station, pick(f, "degrees", "m"),
                  "requested position");
    define_number(file, pick(f, "asked_lat", "asked_y"), station, pick(f, "degrees", "m"),
                  "requested position");
    define_number(file, "moved", station, "m",
                  "distance by which a station on land was moved to the nearest wet cell");
    define_number(file, "bed", station, "m",
                  f->scenario->bathymetry.subgrid
                      ? "elevation of the bed above the datum at the station"
                      : "elevation of the bed above the datum in the station's cell");
}

static void define_series(StationsFile *f, Series *s, int time, int station, int level) {
    NcFile *file = &f->file;
    const bool map = f->grid->axes.map, flat = s->flow || (s->is && !s->is->three_d);
    const char *places = pick(f, "time lat lon", map ? "time lat lon y x" : "time y x");
    int dims[3] = {time, station, level};
    int id = ncfile_define(file, s->name, NC_FLOAT, flat ? 2 : 3, dims);
    ncfile_fill(file, id, NC_FLOAT);
    if (s->flow) {
        ncfile_text(file, id, "units", s->flow->units);
        ncfile_text(file, id, "long_name", s->flow->long_name);
        ncfile_text(file, id, "coordinates", places);
        return;
    }
    if (!s->is) {
        ncfile_text(file, id, "units", "m");
        ncfile_text(file, id, "positive", "up");
        ncfile_text(file, id, "axis", "Z");
        ncfile_text(file, id, "standard_name", "height_above_geopotential_datum");
        ncfile_text(file, id, "long_name", "height of the middle of the layer above the datum");
        return;
    }
    bool plane = !axes_on_earth(&f->grid->axes) && s->is->standard_name_cartesian;
    ncfile_text(file, id, "units", s->is->units);
    ncfile_text(file, id, "long_name", s->is->long_name);
    ncfile_text(file, id, "standard_name", plane ? s->is->standard_name_cartesian : s->is->standard_name);
    ncfile_text(file, id, "comment", s->is->comment);
    ncfile_text(file, id, "cell_methods", "time: point");
    ncfile_text(file, id, "coverage_content_type", "modelResult");
    ncfile_text(file, id, "coordinates",
                flat ? places : pick(f, "time lat lon z", map ? "time lat lon y x z" : "time y x z"));
}

static Status create_file(StationsFile *f, const Making *making) {
    NcFile *file = &f->file;
    Layout layout = {.grid = f->grid, .window = window_whole(f->grid), .three_d = f->three_d};
    double extent[4] = {f->stations[0].x, f->stations[0].x, f->stations[0].y, f->stations[0].y};
    for (int n = 1; n < f->n_stations; n++) {
        extent[0] = fmin(extent[0], f->stations[n].x), extent[1] = fmax(extent[1], f->stations[n].x);
        extent[2] = fmin(extent[2], f->stations[n].y), extent[3] = fmax(extent[3], f->stations[n].y);
    }
    const Title title = {.summary = f->entry->structures
                                        ? "Series of structures in a numerical simulation of a shallow sea"
                                        : "Series at stations from a numerical simulation of a shallow sea",
                         .feature_type = f->three_d ? "timeSeriesProfile" : "timeSeries",
                         .interval_s = f->schedule.every,
                         .from = f->schedule.next,
                         .until = making_until(making),
                         .part_of = making_part_of(making),
                         .extent = extent};
    Status status;
    ATTEMPT(
        ncfile_create(file, f->grid->comm, making->path, making->entry->format == FORMAT_CDF5 ? CDF5 : CDF2));
    int time = ncfile_dimension(file, "time", NC_UNLIMITED);
    int station = ncfile_dimension(file, "station", f->n_stations), level = -1;
    if (f->three_d) level = ncfile_dimension(file, "level", f->grid->n3);
    time_define(file, f->start, time, -1);
    define_places(f, station);
    for (int n = 0; n < f->n_series; n++) define_series(f, &f->series[n], time, station, level);
    attributes_define(file, making->scenario, making->facts, &layout, &title);
    ATTEMPT(ncfile_end_define(file));
cleanup:
    window_release(&layout.window);
    return status;
}

enum { NUMBERS = 8 }; /* of a station; the last two on maps alone */

/* Everything about one station, by rank 0. */
static void put_place(StationsFile *f, int n, double *numbers) {
    const bool map = f->grid->axes.map;
    const char *names[NUMBERS] = {pick(f, "lon", "x"),
                                  pick(f, "lat", "y"),
                                  pick(f, "asked_lon", "asked_x"),
                                  pick(f, "asked_lat", "asked_y"),
                                  "moved",
                                  "bed",
                                  "lon",
                                  "lat"};
    Station *s = &f->stations[n];
    const bool in_cell = !f->entry->structures;
    const ScenarioStation none = {0}, *asked = in_cell ? &f->entry->stations[n] : &none;
    double values[NUMBERS] = {s->x, s->y, asked->x, asked->y, s->place.distance_m, s->bed};
    axes_degrees(&f->grid->axes, s->x, s->y, &values[6], &values[7]);
    memcpy(numbers, values, sizeof values);
    MPI_Offset start[2] = {n, 0}, one[2] = {1, NAME_LENGTH};
    ncfile_put(&f->file, ncfile_find(&f->file, "station"), start, one, MPI_CHAR, s->name);
    for (int m = 0; m < NUMBERS; m++)
        if (m < 2 || (m < 6 ? in_cell : map))
            ncfile_put(&f->file, ncfile_find(&f->file, names[m]), start, one, MPI_DOUBLE, &numbers[m]);
}

static Status write_places(StationsFile *f) {
    int rank;
    MPI_Comm_rank(f->grid->comm, &rank);
    double *numbers = ALLOCATE(NUMBERS * f->n_stations, double);
    for (int n = 0; rank == 0 && n < f->n_stations; n++) put_place(f, n, numbers + NUMBERS * n);
    Status status = ncfile_wait(&f->file);
    memory_free(numbers);
    return status;
}

static Status check_length(StationsFile *f, const char *path) {
    int dim = -1;
    MPI_Offset length = -1;
    bool good = ncmpi_inq_dimid(f->file.id, "station", &dim) == NC_NOERR &&
                ncmpi_inq_dimlen(f->file.id, dim, &length) == NC_NOERR && length == f->n_stations;
    for (int n = 0; n < f->n_series; n++)
        good = good && ncmpi_inq_varid(f->file.id, f->series[n].name, &dim) == NC_NOERR;
    CHECK(good, STATUS_BAD_INPUT,
          "\"%s\" cannot be continued: it has other stations or variables (was the output changed?); move "
          "the file away or name another one",
          path);
    return STATUS_OK;
}

Status stations_define(StationsFile *f, const Making *making) {
    TRY(create_file(f, making));
    return write_places(f);
}

Status stations_reopen(StationsFile *f, const char *path) {
    TRY(ncfile_open(&f->file, f->grid->comm, path, true));
    return status_agree(f->grid->comm, check_length(f, path));
}
