/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis tides: the constituents that the program knows, with what their phases refer to at a date; or those of a tidal
 * atlas at a place.
 */
#include "base/calendar.h"
#include "base/memory.h"
#include "base/options.h"
#include "model/boundary/tide.h"
#include "model/boundary/tide_atlas.h"
#include "program/commands.h"

#include <math.h>
#include <stdio.h>

static const char HELP[] =
    "maeotis tides [NAME ...] [options]     prints tidal constituents at a date, or at a place\n"
    "\n"
    "  --at DATE             such as 2024-05-01T00:00:00Z (default: 2000-01-01T00:00:00Z)\n"
    "  --atlas PATH          a file or folder of a tidal atlas (TPXO or FES, NetCDF); may be repeated\n"
    "  --place LON,LAT       position in the atlas [degrees]\n"
    "  --plot FILE.png       draw amplitudes, ellipses, and the level of a month\n"
    "\n"
    "Prints a line for each constituent: its speed [degrees per hour]; V, its argument at Greenwich\n"
    "[degrees]; the nodal corrections f and u [degrees]. A tide of amplitude A and phase lag g has the "
    "level\n"
    "f A cos(V + u - g) at the date.\n"
    "\n"
    "For an atlas: amplitude [m] and phase lag at Greenwich [degrees] of the level, the same of the "
    "eastward\n"
    "and the northward current [m/s], and the current's ellipse: its long and short half-axis [m/s] (short\n"
    "and positive: counter-clockwise), its inclination, counter-clockwise from east, and the phase lag of "
    "its\n"
    "greatest speed in that direction [degrees].\n"
    "\n"
    "Examples: ./maeotis tides M2 S2 K1 O1 --at 2014-09-24T00:00:00Z\n"
    "          ./maeotis tides --atlas TPXO9_atlas_v5 --place 12.3,45.1\n";

typedef struct TidesOptions {
    double at, lon, lat;
    const char **atlas, **name; /* not owned */
    int n_atlas, n_names;
    bool placed, help;
} TidesOptions;

static Status take_place(const char *text, void *to) {
    TidesOptions *o = to;
    double place[2];
    const bool good =
        option_numbers("place", text, 2, place) == STATUS_OK && fabs(place[0]) <= 360 && fabs(place[1]) <= 90;
    error_clear();
    CHECK(good, STATUS_BAD_INPUT,
          "tides: --place is longitude and latitude in degrees, such as 12.3,45.1, not \"%s\"", text);
    o->lon = place[0], o->lat = place[1];
    o->placed = true;
    return STATUS_OK;
}

static Status take_date(const char *text, void *at) {
    CHECK(calendar_parse(text, at, NULL) == STATUS_OK, STATUS_BAD_INPUT,
          "tides: \"%s\" is not a date like 2024-05-01T00:00:00Z", text);
    return STATUS_OK;
}

static Status take_atlas(const char *text, void *to) {
    TidesOptions *o = to;
    o->atlas[o->n_atlas++] = text;
    return STATUS_OK;
}

static Status parse_options(int argc, char **argv, TidesOptions *o) {
    const Option options[] = {{"at", OPTION_TAKE, &o->at, .take = take_date},
                              {"atlas", OPTION_TAKE, o, .take = take_atlas},
                              {"place", OPTION_TAKE, o, .take = take_place},
                              {NULL}};
    Operands names = {"constituent", 0, argc, o->name};
    TRY(options_read("tides", argc, argv, options, &names));
    o->help = names.help;
    if (o->help) return STATUS_OK;
    o->n_names = names.count;
    for (int n = 0; n < o->n_names; n++)
        CHECK(tide_find(o->name[n]) >= 0, STATUS_BAD_INPUT,
              "tides: there is no constituent \"%s\"; ./maeotis tides lists them", o->name[n]);
    CHECK(o->placed == (o->n_atlas > 0), STATUS_BAD_INPUT,
          "tides: --atlas and --place belong together (see ./maeotis tides --help)");
    return STATUS_OK;
}

/* ---- at a date ---- */

static void print_one(int tide, double at) {
    double f, u, speed = tide_argument(tide, at + 3600) - tide_argument(tide, at);
    speed -= 360 * floor(speed / 360);
    tide_node(tide, at, &f, &u);
    printf("%-7s %12.8f %10.5f %8.5f %9.5f\n", tide_names[tide], speed, tide_argument(tide, at), f, u);
}

static void print_moments(const TidesOptions *o) {
    printf("%-7s %12s %10s %8s %9s\n", "name", "deg_per_h", "V_deg", "f", "u_deg");
    for (int n = 0; n < o->n_names; n++) print_one(tide_find(o->name[n]), o->at);
    for (int n = 0; o->n_names == 0 && n < TIDES; n++) print_one(n, o->at);
}

/* ---- at a place ---- */

/* Amplitude and phase lag of what has these parts. */
static void print_wave(bool known, const double part[2], int digits) {
    if (known)
        printf(" %9.*f %7.2f", digits, hypot(part[0], part[1]), tide_degrees(atan2(part[1], part[0])));
    else
        printf(" %9s %7s", "-", "-");
}

static void print_ellipse(const double u[2], const double v[2]) {
    double major, minor, inclination, lag;
    tide_ellipse(u, v, &major, &minor, &inclination, &lag);
    printf(" %8.4f %9.4f %8.2f %7.2f", major, minor, tide_degrees(inclination), tide_degrees(lag));
}

static void print_tide(const TideAtlas *atlas, int n, const TidesOptions *o) {
    double part[ATLAS_QUANTITIES][2] = {{0}};
    bool known[ATLAS_QUANTITIES];
    printf("%-7s", tide_names[tide_atlas_constituent(atlas, n)]);
    for (int q = 0; q < ATLAS_QUANTITIES; q++) {
        known[q] = tide_atlas_at(atlas, n, (AtlasQuantity)q, o->lon, o->lat, part[q]);
        print_wave(known[q], part[q], 4);
    }
    if (known[ATLAS_EAST] && known[ATLAS_NORTH]) print_ellipse(part[ATLAS_EAST], part[ATLAS_NORTH]);
    printf("\n");
}

static Status print_atlas(const TidesOptions *o) {
    TideAtlas *atlas = NULL;
    const AtlasRequest request = {.paths = (char *const *)o->atlas,
                                  .n_paths = o->n_atlas,
                                  .wanted = (char *const *)o->name,
                                  .n_wanted = o->n_names,
                                  .area = {o->lon, o->lon, o->lat, o->lat},
                                  .asked = {o->lon, o->lon, o->lat, o->lat},
                                  .place = "--atlas"};
    TRY(tide_atlas_create(MPI_COMM_SELF, &request, &atlas));
    printf("%-7s %9s %7s %9s %7s %9s %7s %8s %9s %8s %7s\n", "name", "eta_m", "lag_deg", "east_m_s",
           "lag_deg", "north_m_s", "lag_deg", "long_m_s", "short_m_s", "incl_deg", "lag_deg");
    for (int n = 0; n < tide_atlas_count(atlas); n++) print_tide(atlas, n, o);
    tide_atlas_destroy(&atlas);
    return STATUS_OK;
}

int tides_command(int argc, char **argv) {
    TidesOptions o = {
        .at = 946684800, .atlas = ALLOCATE(argc, const char *), .name = ALLOCATE(argc, const char *)};
    Status status = parse_options(argc, argv, &o);
    if (status == STATUS_OK && o.help)
        fputs(HELP, stdout);
    else if (status == STATUS_OK && o.placed)
        status = print_atlas(&o);
    else if (status == STATUS_OK)
        print_moments(&o);
    memory_free(o.atlas);
    memory_free(o.name);
    error_print(stderr);
    return status;
}
