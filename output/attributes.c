/* SPDX-License-Identifier: Apache-2.0
 *
 * The attributes of a file: CF, ACDD (discovery) and the settings of the run, so that the file alone is
 * enough to repeat it. No clock is read, so a repeated run writes the same bytes; SOURCE_DATE_EPOCH adds a
 * date if one is wanted.
 */
#include "base/build_info.h"
#include "base/calendar.h"
#include "base/memory.h"
#include "output/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void text_and_free(NcFile *file, const char *name, char *text) {
    ncfile_text(file, NC_GLOBAL, name, text);
    memory_free(text);
}

static void define_date(NcFile *file, const char *name, double seconds) {
    char date[32];
    calendar_format(seconds, date);
    ncfile_text(file, NC_GLOBAL, name, date);
}

/* ISO 8601, of a fixed length, so that all can be replaced in a finished header: with microseconds for runs that
 * do not end on a whole second. */
static void define_coverage(NcFile *file, double start, double from, double until, bool fine) {
    const double seconds = fmin(fmax(until, 0), 9999999999.0), whole = floor(seconds + 5e-7);
    char date[32], fraction[16] = "";
    define_date(file, "time_coverage_start", start + from);
    calendar_format(fine ? start + whole : start + until, date);
    if (fine)
        snprintf(fraction, sizeof fraction, ".%06dZ", (int)fmax(0, floor((seconds - whole) * 1e6 + 0.5)));
    text_and_free(file, "time_coverage_end",
                  memory_format("%.*s%s", (int)strlen(date) - (fine ? 1 : 0), date, fraction));
    text_and_free(file, "time_coverage_duration",
                  memory_format(fine ? "PT%017.6fS" : "PT%010.0fS", fmax(0, seconds - from)));
}

static void define_degrees(NcFile *file, double west, double east, double south, double north) {
    ncfile_number(file, NC_GLOBAL, "geospatial_lon_min", west);
    ncfile_number(file, NC_GLOBAL, "geospatial_lon_max", east);
    ncfile_number(file, NC_GLOBAL, "geospatial_lat_min", south);
    ncfile_number(file, NC_GLOBAL, "geospatial_lat_max", north);
    ncfile_text(file, NC_GLOBAL, "geospatial_lon_units", "degrees_east");
    ncfile_text(file, NC_GLOBAL, "geospatial_lat_units", "degrees_north");
}

/* The corners of the area, and the box around them. */
static void define_place_on_map(NcFile *file, const Axes *axes, const double x[2], const double y[2]) {
    const double rectangle[4] = {x[0], x[1], y[0], y[1]};
    double lon[5], lat[5], low[2], high[2];
    axes_degrees_around(axes, rectangle, low, high);
    for (int n = 0; n < 5; n++)
        axes_degrees(axes, x[n % 4 == 1 || n % 4 == 2], y[n % 4 > 1], &lon[n], &lat[n]);
    define_degrees(file, low[0], high[0], low[1], high[1]);
    text_and_free(file, "geospatial_bounds",
                  memory_format("POLYGON ((%.9g %.9g, %.9g %.9g, %.9g %.9g, %.9g %.9g, %.9g %.9g))", lat[0],
                                lon[0], lat[1], lon[1], lat[2], lon[2], lat[3], lon[3], lat[4], lon[4]));
    ncfile_text(file, NC_GLOBAL, "geospatial_bounds_crs", "EPSG:4326");
}

static void define_place(NcFile *file, const Layout *layout, const Title *title) {
    const Axes *axes = &layout->grid->axes;
    const Window *w = &layout->window;
    /* centres: some programs compare with the coordinates */
    double x[] = {axes_x(axes, w->i0 + 0.5), axes_x(axes, w->i1 - 0.5)},
           y[] = {axes_y(axes, w->j0 + 0.5), axes_y(axes, w->j1 - 0.5)};
    if (title->extent)
        x[0] = title->extent[0], x[1] = title->extent[1], y[0] = title->extent[2], y[1] = title->extent[3];
    if (axes->spherical) {
        define_degrees(file, x[0], x[1], y[0], y[1]);
        ncfile_number(file, NC_GLOBAL, "geospatial_lon_resolution", axes->step_x);
        ncfile_number(file, NC_GLOBAL, "geospatial_lat_resolution", axes->step_y);
        text_and_free(file, "geospatial_bounds",
                      memory_format("POLYGON ((%.9g %.9g, %.9g %.9g, %.9g %.9g, %.9g %.9g, %.9g %.9g))", y[0],
                                    x[0], y[0], x[1], y[1], x[1], y[1], x[0], y[0], x[0]));
        ncfile_text(file, NC_GLOBAL, "geospatial_bounds_crs", "EPSG:4326");
    }
    if (axes->map) define_place_on_map(file, axes, x, y);
    if (!layout->three_d || title->extent) return;
    const double *z = axes->interfaces;
    int low = w->levels[0], high = w->levels[w->n_levels - 1];
    ncfile_number(file, NC_GLOBAL, "geospatial_vertical_min", 0.5 * (z[low] + z[low + 1]));
    ncfile_number(file, NC_GLOBAL, "geospatial_vertical_max", 0.5 * (z[high] + z[high + 1]));
    ncfile_text(file, NC_GLOBAL, "geospatial_vertical_units", "m");
    ncfile_text(file, NC_GLOBAL, "geospatial_vertical_positive", "up");
    ncfile_text(file, NC_GLOBAL, "geospatial_bounds_vertical_crs", "EPSG:5831");
}

static void define_about(NcFile *file, const ScenarioAbout *about) {
    const char *const attributes[][2] = {
        {"id", about->id},
        {"naming_authority", about->naming_authority},
        {"creator_name", about->creator_name},
        {"creator_email", about->creator_email},
        {"creator_url", about->creator_url},
        {"institution", about->institution},
        {"project", about->project},
        {"license", about->license},
        {"acknowledgement", about->acknowledgement},
        {"references", about->references},
    };
    for (size_t n = 0; n < sizeof attributes / sizeof *attributes; n++)
        ncfile_text(file, NC_GLOBAL, attributes[n][0], attributes[n][1]);
}

static void define_time(NcFile *file, const Scenario *scenario, const Title *title) {
    const ScenarioTime *time = &scenario->time;
    define_coverage(file, time->start, title->from, title->until,
                    time->duration_s != floor(time->duration_s));
    if (title->interval_s > 0)
        text_and_free(file, "time_coverage_resolution", memory_format("PT%.9gS", title->interval_s));
}

static void define_origin(NcFile *file, const Scenario *scenario, const RunFacts *facts) {
    ncfile_text(file, NC_GLOBAL, "source",
                "maeotis " MAEOTIS_VERSION ", ocean simulator for shallow coastal seas");
    const char *command = facts && facts->command ? facts->command : "";
    text_and_free(file, "history",
                  memory_format("maeotis %s (%s): %s", MAEOTIS_VERSION, MAEOTIS_COMMIT, command));
    const char *clock = getenv("SOURCE_DATE_EPOCH");
    if (clock && clock[0]) define_date(file, "date_created", strtod(clock, NULL));
    ncfile_text(file, NC_GLOBAL, "maeotis_version", MAEOTIS_VERSION);
    ncfile_text(file, NC_GLOBAL, "maeotis_commit", MAEOTIS_COMMIT);
    ncfile_text(file, NC_GLOBAL, "maeotis_build", MAEOTIS_COMPILER " " MAEOTIS_FLAGS);
    if (scenario) ncfile_text(file, NC_GLOBAL, "scenario", scenario->name);
    if (!facts) return;
    ncfile_text(file, NC_GLOBAL, "ground", facts->ground);
    ncfile_text(file, NC_GLOBAL, "inputs", facts->inputs);
    ncfile_text(file, NC_GLOBAL, "scenario_text", facts->scenario_text);
    ncfile_text(file, NC_GLOBAL, "effective_scenario", facts->effective_scenario);
}

void attributes_define(NcFile *file, const Scenario *scenario, const RunFacts *facts, const Layout *layout,
                       const Title *title) {
    ncfile_text(file, NC_GLOBAL, "Conventions",
                layout->faces ? "CF-1.11, ACDD-1.3, SGRID-0.3" : "CF-1.11, ACDD-1.3");
    ncfile_text(file, NC_GLOBAL, "featureType", title->feature_type);
    ncfile_text(file, NC_GLOBAL, "part_of", title->part_of);
    const char *called = scenario ? scenario->title : NULL;
    if (!called || !called[0]) called = scenario && scenario->name ? scenario->name : "maeotis run";
    ncfile_text(file, NC_GLOBAL, "title", called);
    ncfile_text(file, NC_GLOBAL, "summary", title->summary);
    ncfile_text(file, NC_GLOBAL, "keywords",
                "ocean circulation, sea surface height, ocean currents, storm surge");
    ncfile_text(file, NC_GLOBAL, "cdm_data_type", title->feature_type ? "Station" : "Grid");
    ncfile_text(file, NC_GLOBAL, "standard_name_vocabulary", "CF Standard Name Table v93");
    if (scenario) define_about(file, &scenario->about);
    define_place(file, layout, title);
    if (scenario) define_time(file, scenario, title);
    define_origin(file, scenario, facts);
}

double making_until(const Making *making) {
    return fmin(making->scenario->time.duration_s, making->part_end);
}

const char *making_part_of(const Making *making) {
    return making->entry->cut == PART_WHOLE ? NULL : making->entry->file;
}

/* Where a file says that it begins [s since the start]. */
static double read_from(NcFile *file, double start) {
    char text[64] = "";
    double date;
    MPI_Offset length = 0;
    const bool good = ncmpi_inq_attlen(file->id, NC_GLOBAL, "time_coverage_start", &length) == NC_NOERR &&
                      length < (MPI_Offset)sizeof text &&
                      ncmpi_get_att_text(file->id, NC_GLOBAL, "time_coverage_start", text) == NC_NOERR;
    return good && calendar_parse(text, &date, NULL) == STATUS_OK ? date - start : 0;
}

static void set_coverage(NcFile *file, double start, double from, double until) {
    MPI_Offset length = 0;
    ncfile_note(file, ncmpi_inq_attlen(file->id, NC_GLOBAL, "time_coverage_duration", &length),
                "its duration");
    define_coverage(file, start, isnan(from) ? read_from(file, start) : from, until,
                    length > (MPI_Offset)strlen("PT0123456789S"));
}

Status attributes_close(NcFile *file, Status written, double start, double from, double until) {
    if (written == STATUS_OK && file->open && !file->failed) set_coverage(file, start, from, until);
    const Status closed = ncfile_close(file);
    return written != STATUS_OK ? written : closed;
}

/* "seconds since 2014-09-23 00:00:00": the form that every tool knows. */
static void time_attributes(NcFile *file, int id, double start) {
    char date[32];
    calendar_format(start, date);
    char *units =
        memory_format("seconds since %.10s %.8s", date, strlen(date) >= 19 ? date + 11 : "00:00:00");
    ncfile_text(file, id, "standard_name", "time");
    ncfile_text(file, id, "long_name", "time");
    ncfile_text(file, id, "axis", "T");
    ncfile_text(file, id, "coverage_content_type", "coordinate");
    ncfile_text(file, id, "units", units);
    ncfile_text(file, id, "calendar", "proleptic_gregorian");
    ncfile_text(file, id, "units_metadata", "leap_seconds: none");
    memory_free(units);
}

int time_define(NcFile *file, double start, int time_dim, int bounds) {
    int id = ncfile_define(file, "time", NC_DOUBLE, 1, &time_dim);
    time_attributes(file, id, start);
    if (bounds < 0) return id;
    ncfile_text(file, id, "bounds", "time_bnds");
    int dims[2] = {time_dim, bounds};
    ncfile_define(file, "time_bnds", NC_DOUBLE, 2, dims);
    return id;
}
