/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis tides: the constituents that the program knows, with what their phases refer to at a date.
 */
#include "base/calendar.h"
#include "model/boundary/tide.h"
#include "program/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "maeotis tides [NAME ...] [options]     prints tidal constituents at a date\n"
    "\n"
    "  --at DATE     such as 2024-05-01T00:00:00Z (default: 2000-01-01T00:00:00Z)\n"
    "\n"
    "A line for each constituent: its speed [degrees per hour]; V, its argument at Greenwich [degrees];\n"
    "the nodal corrections f and u [degrees]. A tide of amplitude A and phase lag g has the level\n"
    "f A cos(V + u - g) at the date.\n"
    "\n"
    "Example: ./maeotis tides M2 S2 K1 O1 --at 2014-09-24T00:00:00Z\n";

static void print_one(int tide, double at) {
    double f, u, speed = tide_argument(tide, at + 3600) - tide_argument(tide, at);
    speed -= 360 * floor(speed / 360);
    tide_node(tide, at, &f, &u);
    printf("%-5s %12.8f %10.5f %8.5f %9.5f\n", tide_names[tide], speed, tide_argument(tide, at), f, u);
}

int tides_command(int argc, char **argv) {
    double at = 946684800;
    Status status = STATUS_OK;
    int asked = 0;
    for (int n = 1; n < argc && status == STATUS_OK; n++) {
        if (strcmp(argv[n], "--help") == 0 || strcmp(argv[n], "-h") == 0) return fputs(HELP, stdout) < 0;
        if (strcmp(argv[n], "--at") == 0) {
            if (n + 1 == argc)
                status =
                    error_raise(STATUS_BAD_INPUT, "tides: --at needs a date (see ./maeotis tides --help)");
            else if (calendar_parse(argv[++n], &at, NULL) != STATUS_OK)
                status = error_raise(STATUS_BAD_INPUT,
                                     "tides: \"%s\" is not a date like 2024-05-01T00:00:00Z", argv[n]);
        } else if (argv[n][0] == '-')
            status = error_raise(STATUS_BAD_INPUT, "tides: unknown option %s (see ./maeotis tides --help)",
                                 argv[n]);
        else if (tide_find(argv[n]) < 0)
            status =
                error_raise(STATUS_BAD_INPUT,
                            "tides: there is no constituent \"%s\"; ./maeotis tides lists them", argv[n]);
        else
            argv[++asked] = argv[n];
    }
    if (status == STATUS_OK) printf("%-5s %12s %10s %8s %9s\n", "name", "degrees/h", "V", "f", "u");
    for (int n = 1; n <= asked && status == STATUS_OK; n++) print_one(tide_find(argv[n]), at);
    for (int n = 0; asked == 0 && n < TIDES && status == STATUS_OK; n++) print_one(n, at);
    error_print(stderr);
    return status;
}
