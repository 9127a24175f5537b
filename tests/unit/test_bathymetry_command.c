/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bathymetry import, inspect, repair: what they print and write, and that bad input writes nothing.
 */
#include "base/error.h"
#include "bathymetry/command.h"
#include "bathymetry/raster.h"
#include "numerics/grid/axes.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], printed[16384];

static int set_up(void **state) {
    (void)state;
    strcpy(folder, "/tmp/maeotis_command_XXXXXX");
    assert_non_null(mkdtemp(folder));
    return chdir(folder);
}

static int tear_down(void **state) {
    (void)state;
    unlink("a.nc"), unlink("b.nc"), unlink("p.asc"), unlink("out"), unlink("err");
    assert_int_equal(chdir("/"), 0);
    return rmdir(folder); /* fails where a temporary file was left behind */
}

static void read_back(const char *name, char *text, size_t size) {
    FILE *stream = fopen(name, "r");
    assert_non_null(stream);
    text[fread(text, 1, size - 1, stream)] = 0;
    fclose(stream);
}

/* Runs the command line; what it prints to either stream is in `printed`. */
static int run(const char *line) {
    char copy[512], *argv[32], *save = NULL;
    int argc = 0;
    snprintf(copy, sizeof copy, "bathymetry %s", line);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    argv[argc] = NULL;
    fflush(stdout), fflush(stderr);
    int out = dup(1), err = dup(2);
    assert_non_null(freopen("out", "w", stdout));
    dup2(1, 2);
    int code = bathymetry_command(argc, argv);
    fflush(stdout), fflush(stderr);
    dup2(out, 1), dup2(err, 2);
    close(out), close(err);
    read_back("out", printed, sizeof printed);
    unlink("out");
    return code;
}

static void says(const char *word) {
    if (!strstr(printed, word)) fail_msg("\"%s\" is not in:\n%s", word, printed);
}

static void fails(const char *line, const char *word) {
    int code = run(line);
    if (code != 2) fail_msg("%s: exit code %d\n%s", line, code, printed);
    says(word);
    assert_int_not_equal(access("a.nc", F_OK), 0);
    assert_int_equal(error_count(), 0);
}

static void test_inspect(void **state) {
    (void)state;
    assert_int_equal(run("inspect azov"), 0);
    says("376 x 288");
    says("lon 34.7 to 39.4, lat 44.95 to 47.35 degrees");
    says("1 separate body");
    says("GSHHG");
    assert_int_equal(run("--help"), 0);
    says("Examples:");
    assert_int_equal(run("repair --help"), 0);
    says("Examples:");
}

static void test_import_and_repair(void **state) {
    (void)state;
    Raster *r = NULL;
    assert_int_equal(run("import azov -o a.nc --west 35 --east 38 --south 45.5 --north 46.6 --dx_m 2500 "
                         "--datum-offset -0.5"),
                     0);
    assert_int_equal(raster_read("a.nc", NULL, &r), STATUS_OK);
    assert_int_equal(r->nx, 92);
    assert_int_equal(r->ny, 48);
    assert_true(fabs(r->x0 - 0.5 * r->dx - 35) < 1e-9 && r->elevation[24 * 92 + 40] < -8);
    raster_destroy(&r);
    assert_int_equal(run("repair a.nc -o b.nc --close 36,45,36,47 --minimum-depth=2 --keep-point 37,46"), 0);
    says("closed 48 cells by line 1");
    assert_int_equal(raster_read("b.nc", NULL, &r), STATUS_OK);
    assert_non_null(strstr(r->source, "closed 48 cells by line 1"));
    assert_true(isnan(r->elevation[24 * 92 + 10]) && r->elevation[24 * 92 + 60] < -8);
    for (int n = 0; n < r->nx * r->ny; n++) assert_true(isnan(r->elevation[n]) || r->elevation[n] <= -2);
    raster_destroy(&r);
    assert_int_equal(run("import azov -o a.nc --west 36 --east 36.5 --south 46 --north 46.25"),
                     0); /* own cells */
    assert_int_equal(raster_read("a.nc", NULL, &r), STATUS_OK);
    assert_true(r->nx == 40 && r->ny == 30 && fabs(r->dx - 0.0125) < 1e-9);
    raster_destroy(&r);
    assert_int_equal(run("import azov -o a.nc --dlon 0.05 --dlat 0.04"), 0);
    says("94 x 60 cells");
}

/* In place of the sea: its volume [m3], land as it was, the largest slope ratio, how much the ground moved [m]. */
static void measure(const Raster *r, const Raster *before, double *volume, double *ratio, double *moved) {
    *volume = *ratio = *moved = 0;
    for (int n = 0; n < r->nx * r->ny; n++) {
        const double z = r->elevation[n], was = before->elevation[n];
        assert_int_equal(z < 0, was < 0);
        if (!(z < 0)) continue;
        const int others[] = {n % r->nx ? n - 1 : n, n >= r->nx ? n - r->nx : n};
        const Axes rows = {.spherical = true,
                           .nx = r->nx,
                           .ny = r->ny,
                           .step_x = r->dx,
                           .step_y = r->dy,
                           .south = r->y0 - 0.5 * r->dy};
        *volume -= z * axes_area_m2(&rows, n / r->nx + 0.5);
        *moved = fmax(*moved, fabs(z - was));
        for (int side = 0; side < 2; side++)
            if (r->elevation[others[side]] < 0)
                *ratio =
                    fmax(*ratio, fabs((z - r->elevation[others[side]]) / (z + r->elevation[others[side]])));
    }
}

static void test_smoothing(void **state) {
    (void)state;
    Raster *before = NULL, *after = NULL;
    double volume[2], ratio, moved;
    assert_int_equal(run("import azov -o a.nc --dlon 0.05 --dlat 0.04"), 0);
    assert_int_equal(raster_read("a.nc", NULL, &before), STATUS_OK);
    measure(before, before, &volume[0], &ratio, &moved);
    assert_true(ratio > 0.5);
    assert_int_equal(run("repair a.nc -o b.nc --smooth 0.1"), 0);
    says("smoothed to slope ratios of at most 0.1 (before: 0.");
    assert_int_equal(raster_read("b.nc", NULL, &after), STATUS_OK);
    measure(after, before, &volume[1], &ratio, &moved);
    assert_true(ratio <= 0.1 && ratio > 0.0998 && moved > 1);
    assert_true(fabs(volume[1] / volume[0] - 1) < 1e-8); /* heights of single precision */
    raster_destroy(&before), raster_destroy(&after);
    assert_int_equal(run("repair b.nc -o a.nc --smooth 0.1"), 0);
    says("0 cells changed");
}

static void test_refusals(void **state) {
    (void)state;
    fails("", "maeotis bathymetry inspect FILE");
    fails("digest azov", "not digest");
    fails("inspect", "no file given");
    fails("inspect azov peer_basin", "only one file");
    fails("inspect nothing.nc", "cannot open");
    fails("import azov", "-o OUT.nc");
    fails("import azov -o nowhere/a.nc", "does not exist");
    fails("import azov -o a.nc --dx 0", "above 0");
    fails("import azov -o a.nc --dx 1e6", "the box would have");
    fails("import azov -o a.nc --dx 2000 --dlon 1", "exclude each other");
    fails("import azov -o a.nc --dlat 1", "requires --dlon");
    fails("import azov -o a.nc --west east", "--west takes 1 number");
    fails("import azov -o a.nc --west 38 --east 36", "not a box");
    fails("import azov -o a.nc --west 30 --east 36", "are missing in the west");
    fails("import azov -o a.nc --west 30 --east 36 --south 45 --north 46", "covers 34.7 to 39.4");
    fails("import azov -o a.nc --dx", "needs a value");
    fails("import azov -o a.nc --frob 3", "--frob");
    fails("import azov -o a.nc --coordinates miles", "miles");
    fails("repair azov -o a.nc --close 36,45", "takes 4 numbers");
    fails("repair azov -o a.nc --minimum-depth -3", "minimum depth");
    fails("repair azov -o a.nc --smooth 1", "between 0 and 1");
    fails("repair azov -o a.nc --keep-point 10,46", "outside the grid");
    FILE *stream = fopen("p.asc", "w");
    fputs("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n-4 -5 -6\n", stream);
    fclose(stream);
    fails("import p.asc -o a.nc", "positive");
    fails("import p.asc -o a.nc --positive up", "--coordinates");
    fails("import p.asc -o p.asc --positive up --coordinates degrees", "is the input");
    assert_int_equal(run("inspect p.asc --positive up"), 0);
    says("a guess");
    assert_int_equal(run("import p.asc -o a.nc --positive up --coordinates metres"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_inspect, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_import_and_repair, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_smoothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
