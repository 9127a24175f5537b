/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/command.h"
#include "bathymetry/command_internal.h"

#include "base/memory.h"
#include "base/options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char help_text[] =
    "maeotis bathymetry inspect FILE                     prints extent, spacing, depths, area, volume, "
    "water\n"
    "                                                    bodies and narrows\n"
    "maeotis bathymetry import FILE -o OUT.nc [options]  extracts a part, resamples it if requested, "
    "and writes\n"
    "                                                    CF NetCDF, elevations positive up\n"
    "maeotis bathymetry repair FILE -o OUT.nc [options]  closes lines, keeps one sea (the largest, or "
    "one that\n"
    "                                                    contains a point), deepens shallows, smooths\n"
    "\n"
    "  -o, --output OUT.nc   file to write\n"
    "  --west X, --east X, --south Y, --north Y\n"
    "                        edges of the part to import\n"
    "  --dx M                width of its cells [m]\n"
    "  --dlon D, --dlat D    or their width and height [degrees]\n"
    "  --close X1,Y1,X2,Y2   line that becomes land; may be repeated\n"
    "  --minimum-depth M     depth of the shallowest water [m]\n"
    "  --keep-point X,Y      a point in the sea to keep\n"
    "  --smooth R0           smooths until neighbouring depths differ by at most R0 of their sum, keeping "
    "the\n"
    "                        volume (layers along the bed need 0.2 or less)\n"
    "  --variable NAME       the NetCDF variable of the heights\n"
    "  --positive up|down    elevations (up) or depths (down), if the file does not say which\n"
    "  --datum-offset M      added to the heights [m]\n"
    "  --coordinates degrees|metres\n"
    "                        for files that do not say which (ESRI ASCII, XYZ)\n"
    "\n"
    "FILE is GEBCO, ETOPO, EMODnet or other NetCDF, ESRI ASCII, XYZ, or the name of a shipped grid (azov,\n"
    "peer_basin). Every edit of a repair is recorded in the file's attribute \"ledger\".\n"
    "\n"
    "Examples: ./maeotis bathymetry inspect azov\n"
    "          ./maeotis bathymetry import GEBCO_2024.nc -o sea.nc --west 34.5 --east 39.5 --south 44.8 "
    "--north 47.5\n"
    "          ./maeotis bathymetry import soundings.xyz -o sea.nc --positive down --coordinates degrees "
    "--dx 500\n"
    "          ./maeotis bathymetry repair sea.nc -o closed.nc --close 36.4,45.1,36.8,45.1 --minimum-depth "
    "0.5\n";

static Status take_line(const char *text, void *to) {
    CommandOptions *o = to;
    CHECK(o->n_close < COMMAND_MOST_LINES, STATUS_BAD_INPUT, "more than %d lines to close",
          COMMAND_MOST_LINES);
    return option_numbers("close", text, 4, o->close[o->n_close++]);
}

static Status take_point(const char *text, void *to) {
    CommandOptions *o = to;
    o->has_keep_point = true;
    return option_numbers("keep-point", text, 2, o->keep_point);
}

static Status take_arguments(int argc, char **argv, CommandOptions *o) {
    const Option options[] = {{"output", OPTION_TEXT, &o->output, .letter = 'o'},
                              {"variable", OPTION_TEXT, &o->variable},
                              {"positive", OPTION_TEXT, &o->positive},
                              {"coordinates", OPTION_TEXT, &o->coordinates},
                              {"datum-offset", OPTION_NUMBER, &o->datum_offset},
                              {"west", OPTION_NUMBER, &o->west},
                              {"east", OPTION_NUMBER, &o->east},
                              {"south", OPTION_NUMBER, &o->south},
                              {"north", OPTION_NUMBER, &o->north},
                              {"dx", OPTION_NUMBER, &o->dx_m},
                              {"dx_m", OPTION_RENAMED, .now = "dx"},
                              {"dlon", OPTION_NUMBER, &o->dlon},
                              {"dlat", OPTION_NUMBER, &o->dlat},
                              {"minimum-depth", OPTION_NUMBER, &o->minimum_depth},
                              {"smooth", OPTION_NUMBER, &o->smooth},
                              {"close", OPTION_TAKE, o, .take = take_line},
                              {"keep-point", OPTION_TAKE, o, .take = take_point},
                              {NULL}};
    Operands file = {"file", 1, 1, &o->input};
    TRY(options_read("bathymetry", argc, argv, options, &file));
    o->help = file.help;
    return STATUS_OK;
}

static Status run(int argc, char **argv) {
    static const struct {
        const char *name;
        Status (*act)(const CommandOptions *options);
        bool writes;
    } known[] = {{"inspect", command_inspect, false},
                 {"import", command_import, true},
                 {"repair", command_repair, true}};
    CommandOptions options = {.west = NAN,
                              .east = NAN,
                              .south = NAN,
                              .north = NAN,
                              .dx_m = NAN,
                              .dlon = NAN,
                              .dlat = NAN,
                              .smooth = NAN};
    size_t n = 0;
    while (n < 3 && strcmp(argv[1], known[n].name) != 0) n++;
    CHECK(n < 3, STATUS_BAD_INPUT, "maeotis bathymetry has import, inspect and repair, not %s", argv[1]);
    options.history = memory_copy_text("maeotis");
    for (int word = 0; word < argc; word++) memory_append(&options.history, " %s", argv[word]);
    Status status = take_arguments(argc - 1, argv + 1, &options);
    if (status == STATUS_OK && options.help)
        fputs(help_text, stdout);
    else if (status == STATUS_OK && known[n].writes && !options.output)
        status = error_raise(STATUS_BAD_INPUT, "maeotis bathymetry %s: no output file given; add -o OUT.nc",
                             known[n].name);
    else if (status == STATUS_OK)
        status = known[n].act(&options);
    memory_free(options.history);
    return status;
}

int bathymetry_command(int argc, char **argv) {
    bool bare = argc < 2, asked = !bare && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (bare || asked) {
        fputs(help_text, bare ? stderr : stdout);
        return bare ? STATUS_BAD_INPUT : STATUS_OK;
    }
    Status status = run(argc, argv);
    error_print(stderr);
    return status;
}

static Status settle_coordinates(const CommandOptions *options, bool *guessed, Raster *raster) {
    const char *said = options->coordinates;
    if (said) {
        CHECK(strcasecmp(said, "degrees") == 0 || strcasecmp(said, "metres") == 0 ||
                  strcasecmp(said, "meters") == 0,
              STATUS_BAD_INPUT, "--coordinates must be degrees or metres, not \"%s\"", said);
        raster->units = strcasecmp(said, "degrees") == 0 ? RASTER_DEGREES : RASTER_METRES;
    }
    double east = raster->x0 + raster->nx * raster->dx, north = raster->y0 + raster->ny * raster->dy;
    bool degrees = raster->x0 >= -360 && east <= 400 && raster->y0 >= -91 && north <= 91;
    if (guessed) {
        *guessed = raster->units == RASTER_UNKNOWN;
        if (*guessed) raster->units = degrees ? RASTER_DEGREES : RASTER_METRES;
    }
    CHECK(raster->units != RASTER_UNKNOWN, STATUS_BAD_INPUT,
          "%s does not say whether its coordinates are degrees or metres: --coordinates degrees|metres",
          options->input);
    CHECK(raster->units != RASTER_DEGREES || degrees, STATUS_BAD_INPUT,
          "the coordinates of %s, %.6g to %.6g and %.6g to %.6g, are not degrees", options->input, raster->x0,
          east, raster->y0, north);
    return STATUS_OK;
}

Status command_read(const CommandOptions *options, const double *window, bool *guessed, Raster **out) {
    RasterOptions how = {.variable = options->variable,
                         .positive = options->positive,
                         .datum_offset_m = options->datum_offset,
                         .window = window};
    TRY(raster_read(options->input, &how, out));
    Status status = settle_coordinates(options, guessed, *out);
    if (status != STATUS_OK) raster_destroy(out);
    return status;
}

Axes command_axes(const Raster *raster) {
    return (Axes){.spherical = raster->units == RASTER_DEGREES,
                  .nx = raster->nx,
                  .ny = raster->ny,
                  .west = raster->x0 - 0.5 * raster->dx,
                  .south = raster->y0 - 0.5 * raster->dy,
                  .step_x = raster->dx,
                  .step_y = raster->dy};
}
