/* SPDX-License-Identifier: Apache-2.0
 *
 * info, digest and diff on small files of every format, equal and different.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "program/commands.h"
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define must(call) assert_int_equal(call, NC_NOERR)

enum { RECORDS = 3, NY = 2, NX = 4 };
static const float FILL = 1e30f;

/* Changes to the usual file. */
typedef struct Change {
    int mode, records;
    float bump; /* added to eta of record 1, cell (1, 2) */
    const char *extra;
} Change;

static void define_time(int file, int *dims) {
    int id;
    must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
    must(nc_def_dim(file, "lat", NY, &dims[1]));
    must(nc_def_dim(file, "lon", NX, &dims[2]));
    must(nc_def_var(file, "time", NC_DOUBLE, 1, dims, &id));
    must(nc_put_att_text(file, id, "units", 33, "seconds since 2014-09-23 00:00:00"));
    must(nc_def_var(file, "lon", NC_DOUBLE, 1, &dims[2], &id));
}

static void make_file(const char *path, Change change) {
    int file, dims[3], eta, name, extra;
    must(nc_create(path, NC_CLOBBER | change.mode, &file));
    define_time(file, dims);
    must(nc_def_var(file, "eta", NC_FLOAT, 3, dims, &eta));
    must(nc_put_att_float(file, eta, "_FillValue", NC_FLOAT, 1, &FILL));
    must(nc_put_att_text(file, eta, "units", 1, "m"));
    must(nc_def_var(file, "name", NC_CHAR, 1, &dims[2], &name));
    if (change.extra) must(nc_def_var(file, change.extra, NC_INT, 0, NULL, &extra));
    must(nc_put_att_text(file, NC_GLOBAL, "title", 12, "A small file"));
    must(nc_put_att_text(file, NC_GLOBAL, "scenario_text", 10, "{ \"a\": 1 }"));
    must(nc_enddef(file));
    for (size_t r = 0; r < (size_t)change.records; r++) {
        const size_t start[3] = {r, 0, 0}, count[3] = {1, NY, NX};
        double time = 600.0 * (double)r;
        float values[NY * NX];
        for (int n = 0; n < NY * NX; n++) values[n] = (float)r + 0.1f * (float)n;
        values[0] = FILL;
        if (r == 1) values[NX + 2] += change.bump;
        must(nc_put_vara_float(file, eta, start, count, values));
        must(nc_put_var1_double(file, 0, &r, &time));
    }
    const double lon[NX] = {35, 36, 37, 38};
    must(nc_put_var_double(file, 1, lon));
    must(nc_put_var_text(file, name, "sea!"));
    must(nc_close(file));
}

/* What a command prints on stdout. */
static int run(int (*command)(int, char **), const char *words, char *printed, size_t size) {
    char copy[256], *argv[8] = {NULL};
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *rest = copy, *word; (word = strsep(&rest, " ")) && argc < 8;) argv[argc++] = word;
    fflush(stdout);
    int terminal = dup(1);
    FILE *out = freopen("test_inspect.out", "w", stdout);
    assert_non_null(out);
    int code = command(argc, argv);
    fflush(stdout);
    dup2(terminal, 1);
    close(terminal);
    FILE *in = fopen("test_inspect.out", "r");
    assert_non_null(in);
    size_t n = fread(printed, 1, size - 1, in);
    printed[n] = '\0';
    fclose(in);
    return code;
}

static void formats_have_one_digest(void **unused) {
    (void)unused;
    static const int modes[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA, NC_NETCDF4};
    char first[64] = "", printed[256];
    for (int n = 0; n < 4; n++) {
        make_file("test_inspect.nc", (Change){modes[n], RECORDS, 0, NULL});
        assert_int_equal(run(digest_command, "digest test_inspect.nc", printed, sizeof printed), 0);
        if (n == 0) memcpy(first, printed, 16);
        assert_memory_equal(first, printed, 16);
    }
    make_file("test_inspect.nc", (Change){NC_64BIT_DATA, RECORDS, 1e-6f, NULL});
    assert_int_equal(run(digest_command, "digest test_inspect.nc", printed, sizeof printed), 0);
    assert_memory_not_equal(first, printed, 16);
}

static void equal_files_are_equal(void **unused) {
    (void)unused;
    char printed[1024];
    make_file("test_inspect_a.nc", (Change){NC_64BIT_DATA, RECORDS, 0, NULL});
    make_file("test_inspect_b.nc", (Change){NC_NETCDF4, RECORDS, 0, NULL});
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc", printed, sizeof printed),
                     0);
    assert_non_null(strstr(printed, "equal: 4 variables"));
}

static void a_difference_is_found_where_it_is(void **unused) {
    (void)unused;
    char printed[1024];
    make_file("test_inspect_a.nc", (Change){0, RECORDS, 0, NULL});
    make_file("test_inspect_b.nc", (Change){0, RECORDS, 0.25f, NULL});
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc", printed, sizeof printed),
                     1);
    assert_non_null(strstr(printed, "eta: 1 of 24 values differ, by up to 0.25, RMS 0.0546"));
    assert_non_null(strstr(printed, "time[1] = 2014-09-23T00:10:00Z, lat[1], lon[2] = 37"));
    assert_non_null(strstr(printed, "earliest difference: record 1, in eta"));
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc --tolerance 0.3", printed,
                         sizeof printed),
                     0);
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc --variable name", printed,
                         sizeof printed),
                     0);
}

static void give_levels(const char *path, const char *levels) {
    char scenario[100];
    int file;
    snprintf(scenario, sizeof scenario, "{\"grid\": {\"levels\": {\"dz_m\": %s}}}", levels);
    assert_int_equal(nc_open(path, NC_WRITE, &file), NC_NOERR);
    assert_int_equal(nc_redef(file), NC_NOERR);
    assert_int_equal(nc_put_att_text(file, NC_GLOBAL, "effective_scenario", strlen(scenario), scenario),
                     NC_NOERR);
    assert_int_equal(nc_close(file), NC_NOERR);
}

static void other_layers_are_told(void **unused) {
    (void)unused;
    char printed[1024];
    make_file("test_inspect_a.nc", (Change){0, RECORDS, 0, NULL});
    make_file("test_inspect_b.nc", (Change){0, RECORDS, 0.25f, NULL});
    for (int other = 0; other < 2; other++) {
        give_levels("test_inspect_a.nc", "2");
        give_levels("test_inspect_b.nc", other ? "1" : "2");
        assert_int_equal(
            run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc", printed, sizeof printed), 1);
        const char *told = strstr(printed, "/grid/levels/dz_m is 2 and 1\n");
        assert_int_equal(told != NULL, other);
    }
}

static void a_value_beside_fill_is_said_apart(void **unused) {
    (void)unused;
    char printed[1024];
    make_file("test_inspect_a.nc", (Change){0, RECORDS, 0, NULL});
    make_file("test_inspect_b.nc", (Change){0, RECORDS, FILL, NULL});
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc", printed, sizeof printed),
                     1);
    assert_non_null(strstr(printed, "by up to 0, RMS 0, 1 of them"));
    assert_non_null(strstr(printed, "and no value"));
}

static void other_lengths_and_variables_are_differences(void **unused) {
    (void)unused;
    char printed[1024];
    make_file("test_inspect_a.nc", (Change){0, RECORDS, 0, NULL});
    make_file("test_inspect_b.nc", (Change){0, RECORDS - 1, 0, NULL});
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc", printed, sizeof printed),
                     1);
    assert_non_null(strstr(printed, "3 records and 2"));
    make_file("test_inspect_b.nc", (Change){0, RECORDS, 0, "more"});
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc test_inspect_b.nc", printed, sizeof printed),
                     1);
    assert_non_null(strstr(printed, "more: only in test_inspect_b.nc"));
}

static void wrong_input_is_told_from_a_difference(void **unused) {
    (void)unused;
    char printed[1024];
    assert_int_equal(run(diff_command, "diff nowhere.nc nowhere.nc", printed, sizeof printed), 2);
    assert_int_equal(run(diff_command, "diff test_inspect_a.nc", printed, sizeof printed), 2);
    assert_int_equal(run(diff_command, "diff a b --tolerance x", printed, sizeof printed), 2);
    assert_int_equal(run(digest_command, "digest", printed, sizeof printed), 2);
    assert_int_equal(run(info_command, "info --wrong", printed, sizeof printed), 2);
    assert_int_equal(run(info_command, "info --help", printed, sizeof printed), 0);
    assert_non_null(strstr(printed, "Example"));
}

static void info_tells_what_is_there(void **unused) {
    (void)unused;
    char printed[2048];
    make_file("test_inspect.nc", (Change){NC_64BIT_DATA, RECORDS, 0, NULL});
    assert_int_equal(run(info_command, "info test_inspect.nc", printed, sizeof printed), 0);
    assert_non_null(strstr(printed, "test_inspect.nc: fields"));
    assert_non_null(strstr(printed, "A small file"));
    assert_non_null(strstr(printed, "2014-09-23T00:00:00Z to 2014-09-23T00:20:00Z, 3 records"));
    assert_non_null(strstr(printed, "0.1 to 2.7"));
    assert_non_null(strstr(printed, "12% fill"));
    assert_int_equal(run(info_command, "info --scenario test_inspect.nc", printed, sizeof printed), 0);
    assert_string_equal(printed, "{ \"a\": 1 }");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_one_digest),
        cmocka_unit_test(equal_files_are_equal),
        cmocka_unit_test(a_difference_is_found_where_it_is),
        cmocka_unit_test(other_layers_are_told),
        cmocka_unit_test(a_value_beside_fill_is_said_apart),
        cmocka_unit_test(other_lengths_and_variables_are_differences),
        cmocka_unit_test(wrong_input_is_told_from_a_difference),
        cmocka_unit_test(info_tells_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
