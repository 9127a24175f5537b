/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run leaves behind does not depend on the ranks that wrote it nor on where it was interrupted, and no
 * failure of a file leaves a rank waiting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "base/memory.h"
#include "output/ncfile.h"
#include "output/output.h"
#include "output/restart.h"
#include "output/value_rows.h"
#include "output/variables.h"
#include "tests/support/ranks.h"
#include "tests/support/small_sea.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *const outputs =
    "[{\"file\": \"all.nc\", \"every_s\": 600, \"velocities\": \"faces\", \"variables\": [\"eta\", "
    "\"depth\", \"u\", \"v\", \"w\", "
    "\"u_east\", "
    "\"v_north\", \"speed\", \"ubar\", \"vbar\", \"wind_stress_x\", \"wind_stress_y\", \"air_pressure\"]},"
    " {\"file\": \"mean.nc\", \"every_s\": 1200, \"mean\": true, \"variables\": [\"eta\", \"u\", "
    "\"v_north\", \"depth\"], "
    "  \"box\": [35.2, 35.7, 45.1, 46], \"levels\": [0, 2], \"format\": \"cdf2\"},"
    " {\"file\": \"stations.nc\", \"every_s\": 120, \"stations\": {\"Sea\": [35.3, 45.5], \"Island\": "
    "[35.56, 45.55]}},"
    " {\"file\": \"gauges.nc\", \"every_s\": 60, \"variables\": [\"eta\"], \"stations\": {\"Sea\": [35.3, "
    "45.5]}},"
    " {\"file\": \"extremes.nc\", \"extremes\": [\"max_eta\", \"min_eta\", \"time_of_max_eta\", "
    "\"max_speed\", "
    "  \"inundation_duration\", \"max_depth\"]}]";
static const char *const files[] = {"all.nc", "mean.nc", "stations.nc", "gauges.nc", "extremes.nc"};
enum { N_FILES = 5, LAST_STEP = 50 };

/* A sea that goes around: its last faces are its first ones. */
static const char *const outputs_around = "[{\"file\": \"mean.nc\", \"every_s\": 1200, \"mean\": true, "
                                          "\"velocities\": \"faces\", \"variables\": [\"u\", \"v\", "
                                          "\"eta\"]}]";

static SmallSea make_sea(MPI_Comm comm, const char *into, bool around) {
    return small_sea_create(comm, around ? outputs_around : outputs, into, !around, around);
}

static const RunFacts facts = {.effective_scenario = "{}",
                               .scenario_text = "{ /* as written */ }",
                               .ground = "formula\nclosed 0 cells",
                               .command = "maeotis run small_sea.json"};

#define must(call)                                                                                           \
    do {                                                                                                     \
        Status must_status_ = (call);                                                                        \
        if (must_status_ != STATUS_OK) error_print(stderr);                                                  \
        assert_int_equal(must_status_, STATUS_OK);                                                           \
    } while (0)

#define must_fail(call, status)                                                                              \
    do {                                                                                                     \
        Status must_status_ = (call);                                                                        \
        assert_int_equal(must_status_, status);                                                              \
        error_clear();                                                                                       \
    } while (0)

static bool is_first(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

/* Tests of several rank counts run at the same time: each has folders of its own. */
static char *folder(const char *name) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return memory_format("test_output_%s_%d", name, ranks);
}

static void run(SmallSea *sea, Output *output, int64_t first, int64_t last) {
    for (int64_t step = first; step <= last; step++) {
        small_sea_set(sea, step);
        const State *s = sea->state;
        LedgerRow ledger = {.volume_m3 = 1e9 + s->time,
                            .sources_m3 = 2 * s->time,
                            .boundaries_m3 = 3,
                            .error_m3 = 1e-6,
                            .surface_iterations = (int)s->step,
                            .surface_residual = 1e-11,
                            .momentum_iterations = {(int)s->step, 2},
                            .momentum_residual = {1e-12, 1e-13},
                            .digest = state_digest(s)};
        must(output_step(output, s, &ledger));
    }
}

static void whole_run(MPI_Comm comm, const char *into, bool around) {
    SmallSea sea = make_sea(comm, into, around);
    Output *output = NULL;
    must(output_create(sea.scenario, &facts, sea.state, false, &output));
    run(&sea, output, 0, LAST_STEP);
    must(output_close(&output));
    small_sea_destroy(&sea);
}

static char *read_whole(const char *in, const char *name, long *size) {
    char *path = memory_format("%s/%s", in, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot open %s", path);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = ALLOCATE(*size + 1, char);
    assert_int_equal(fread(bytes, 1, (size_t)*size, file), *size);
    fclose(file);
    memory_free(path);
    return bytes;
}

static void assert_same_file(const char *name, const char *a, const char *b) {
    long size_a, size_b;
    MPI_Barrier(MPI_COMM_WORLD);
    char *bytes_a = read_whole(a, name, &size_a), *bytes_b = read_whole(b, name, &size_b);
    if (size_a != size_b || memcmp(bytes_a, bytes_b, (size_t)size_a) != 0)
        fail_msg("%s differs in %s and %s", name, a, b);
    memory_free(bytes_a);
    memory_free(bytes_b);
}

static void assert_same_files(const char *a, const char *b) {
    for (int n = 0; n < N_FILES; n++) assert_same_file(files[n], a, b);
}

static void files_do_not_depend_on_ranks(void **unused) {
    (void)unused;
    char *together = folder("together"), *alone = folder("alone");
    whole_run(MPI_COMM_WORLD, together, false);
    if (is_first()) whole_run(MPI_COMM_SELF, alone, false);
    assert_same_files(together, alone);
    memory_free(together);
    memory_free(alone);
}

/* Runs to `stop`, with a restart file at `at`. */
static void first_part(const char *into, bool around, int64_t at, int64_t stop, char restart[512]) {
    SmallSea sea = make_sea(MPI_COMM_WORLD, into, around);
    Output *output = NULL;
    double number = 42.5;
    const StateNumber numbers[] = {{"ledger_volume_m3", &number}};
    must(output_create(sea.scenario, &facts, sea.state, false, &output));
    run(&sea, output, 0, at);
    must(restart_write(sea.scenario, &facts, sea.state, output, numbers, 1, restart));
    run(&sea, output, at + 1, stop);
    must(output_close(&output));
    small_sea_destroy(&sea);
}

static void second_part(const char *into, bool around, const char *restart, int64_t at) {
    SmallSea sea = make_sea(MPI_COMM_WORLD, into, around);
    Output *output = NULL;
    double number = 0;
    const StateNumber numbers[] = {{"ledger_volume_m3", &number}};
    must(restart_read(restart, sea.scenario, false, sea.state, numbers, 1));
    assert_int_equal(sea.state->step, at);
    assert_true(number == 42.5);
    must(output_create(sea.scenario, &facts, sea.state, true, &output));
    must(restart_read_output(restart, output, sea.state, false));
    run(&sea, output, at, LAST_STEP); /* the first call must not write what is there already */
    must(output_close(&output));
    small_sea_destroy(&sea);
}

static void an_interrupted_run_leaves_the_same_files(void **unused) {
    (void)unused;
    char *whole = folder("whole"), *parts = folder("parts"), restart[512];
    whole_run(MPI_COMM_WORLD, whole, false);
    first_part(parts, false, 27, 38, restart); /* it went on for a while after its restart file */
    second_part(parts, false, restart, 27);
    assert_same_files(whole, parts);
    memory_free(whole);
    memory_free(parts);
}

static void an_interrupted_sea_that_goes_around_has_the_same_means(void **unused) {
    (void)unused;
    char *whole = folder("whole_around"), *parts = folder("parts_around"), restart[512];
    whole_run(MPI_COMM_WORLD, whole, true);
    first_part(parts, true, 27, 38, restart);
    second_part(parts, true, restart, 27);
    assert_same_file("mean.nc", whole, parts);
    memory_free(whole);
    memory_free(parts);
}

/* A map's running sums, here of every other level, and the sums of single values. */
static void maps_and_single_values_of_w_are_equal(void **unused) {
    (void)unused;
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", ".", true, false);
    small_sea_set(&sea, 7);
    const Grid *g = sea.state->grid;
    const Piece all = {.i1 = g->n1, .j1 = g->n2};
    LayerSums sums = {field2_create(g), field2_create(g), 0};
    const Sea map = {sea.state, 1000, &sums}, single = {sea.state, 1000, NULL};
    const OutputVariable *w = output_variable("w", false);
    int64_t moving = 0;
    layer_sums_start(&sums, sea.state, all);
    for (int k = 1; k < g->n3; k += 2) {
        layer_sums_climb(&sums, g, all, k);
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++) {
                const double of_map = output_value(w, &map, i, j, k),
                             alone = output_value(w, &single, i, j, k);
                assert_true(of_map == alone || (isnan(of_map) && isnan(alone)));
                moving += of_map != 0 && !isnan(of_map);
            }
    }
    MPI_Allreduce(MPI_IN_PLACE, &moving, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_true(moving > 0);
    field2_destroy(g, &sums.below), field2_destroy(g, &sums.inflow);
    small_sea_destroy(&sea);
}

/* Rows of all variables that the sea has, beside their values one by one. */
static void rows_and_single_values_are_equal(void **unused) {
    (void)unused;
#define NAME(ID, name, ...) #name,
    static const char *const names[] = {OUTPUT_VARIABLES(NAME)};
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", ".", true, false);
    small_sea_set(&sea, 7);
    const Grid *g = sea.state->grid;
    const Sea of = {sea.state, 1000, NULL};
    double *row = ALLOCATE(g->n1, double);
    int64_t values = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int centred = 0; centred < 2; centred++) {
            OutputVariable is;
            if (!output_variable_find(names[n], centred, sea.state, &is)) continue;
            for (int k = 0; k < (is.three_d ? g->n3 : 1); k++)
                for (int j = 0; j < g->n2; j++) {
                    const bool any = output_row(&is, &of, 0, g->n1, j, k, row);
                    for (int i = 0; i < g->n1; i++) {
                        const double alone = output_value(&is, &of, i, j, k), in_row = any ? row[i] : NAN;
                        assert_true(in_row == alone || (isnan(in_row) && isnan(alone)));
                        values += !isnan(alone) && alone != 0;
                    }
                }
        }
    MPI_Allreduce(MPI_IN_PLACE, &values, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_true(values > 0);
    memory_free(row);
    small_sea_destroy(&sea);
}

/* ---- restart files ---- */

static void restart_fits_other_ranks(void **unused) {
    (void)unused;
    for (int periodic = 0; periodic < 2; periodic++) {
        char *into = folder("ranks"), restart[512];
        SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", into, false, periodic);
        small_sea_set(&sea, 7);
        uint64_t digest = state_digest(sea.state);
        must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart));
        MPI_Barrier(MPI_COMM_WORLD);
        if (is_first()) {
            SmallSea alone = small_sea_create(MPI_COMM_SELF, "[]", into, false, periodic);
            assert_true(state_digest(alone.state) != digest);
            must(restart_read(restart, alone.scenario, false, alone.state, NULL, 0));
            assert_true(state_digest(alone.state) == digest);
            assert_true(alone.state->time == sea.state->time);
            must(restart_write(alone.scenario, &facts, alone.state, NULL, NULL, 0, restart));
            small_sea_destroy(&alone);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        small_sea_set(&sea, 8);
        must(restart_read(restart, sea.scenario, false, sea.state, NULL, 0));
        assert_true(state_digest(sea.state) == digest);
        small_sea_destroy(&sea);
        memory_free(into);
    }
}

/* What is more than one round may hold is written and read in several: the same files come of it. */
static void rounds_leave_the_same_files(void **unused) {
    (void)unused;
    char *together = folder("one_round"), *apart = folder("rounds"), *restarts[2] = {NULL};
    long size[2];
    const MPI_Offset usual = ncfile_round_bytes, rounds[2] = {usual, 100};
    for (int n = 0; n < 2; n++) {
        char path[512];
        ncfile_round_bytes = rounds[n];
        whole_run(MPI_COMM_WORLD, n == 0 ? together : apart, false);
        SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", together, true, false);
        must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, path));
        uint64_t digest = state_digest(sea.state);
        small_sea_set(&sea, 5);
        must(restart_read(path, sea.scenario, false, sea.state, NULL, 0));
        assert_true(state_digest(sea.state) == digest);
        restarts[n] = read_whole(together, strrchr(path, '/') + 1, &size[n]);
        MPI_Barrier(MPI_COMM_WORLD);
        small_sea_destroy(&sea);
    }
    ncfile_round_bytes = usual;
    assert_same_files(together, apart);
    assert_true(size[0] == size[1]);
    long behind = size[0] / 2; /* headers have dates */
    assert_memory_equal(restarts[0] + behind, restarts[1] + behind, (size_t)(size[0] - behind));
    memory_free(together), memory_free(apart), memory_free(restarts[0]), memory_free(restarts[1]);
}

static void spoil(const char *path, long at, bool cut) {
    if (!is_first()) return;
    if (cut) {
        assert_int_equal(truncate(path, at), 0);
        return;
    }
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 4, file);
    fclose(file);
}

static long size_of(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void a_bad_restart_is_refused(void **unused) {
    (void)unused;
    char *into = folder("bad"), restart[512];
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", into, true, false);
    for (int n = 0; n < 3; n++) {
        must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart));
        MPI_Barrier(MPI_COMM_WORLD);
        long size = size_of(restart);
        MPI_Barrier(MPI_COMM_WORLD);
        spoil(restart, n == 0 ? size / 2 : n == 1 ? size - 3 * SMALL_SEA_NX * 8 : size - 1000, n == 2);
        MPI_Barrier(MPI_COMM_WORLD);
        must_fail(restart_read(restart, sea.scenario, false, sea.state, NULL, 0), STATUS_BAD_INPUT);
    }
    must_fail(restart_read("nowhere.nc", sea.scenario, false, sea.state, NULL, 0), STATUS_BAD_INPUT);
    small_sea_destroy(&sea);
    memory_free(into);
}

/* Names, types, texts and numbers of attributes: any bit of it. */
static void a_restart_with_a_bad_header_is_refused(void **unused) {
    (void)unused;
    char *into = folder("header"), restart[512];
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", into, true, false);
    must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart));
    must(restart_read(restart, sea.scenario, true, sea.state, NULL, 0));
    for (long at = 4; at < 9000; at += 397) {
        MPI_Barrier(MPI_COMM_WORLD);
        spoil(restart, at, false);
        MPI_Barrier(MPI_COMM_WORLD);
        must_fail(restart_read(restart, sea.scenario, true, sea.state, NULL, 0), STATUS_BAD_INPUT);
        MPI_Barrier(MPI_COMM_WORLD);
        spoil(restart, at, false); /* as it was */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    must(restart_read(restart, sea.scenario, true, sea.state, NULL, 0));
    small_sea_destroy(&sea);
    memory_free(into);
}

/* The same where the checksum of the header fits: PnetCDF, which ends the process by an assertion on some
 * headers, must see none of those. */
static void a_sealed_restart_with_a_bad_header_ends_nothing(void **unused) {
    (void)unused;
    char *into = folder("sealed"), restart[512];
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", into, true, false);
    must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart));
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (long at = 4; at < 9000; at += 127 * ranks) { /* several ranks take long */
        for (int times = 0; times < 2; times++) {     /* the second makes it as it was */
            MPI_Barrier(MPI_COMM_WORLD);
            spoil(restart, at, false);
            if (is_first()) (void)!restart_seal(restart);
            MPI_Barrier(MPI_COMM_WORLD);
            if (times == 0) (void)!restart_read(restart, sea.scenario, true, sea.state, NULL, 0);
            error_clear();
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    must(restart_read(restart, sea.scenario, true, sea.state, NULL, 0));
    small_sea_destroy(&sea);
    memory_free(into);
}

static void a_restart_of_another_run_is_refused(void **unused) {
    (void)unused;
    char *into = folder("other"), restart[512];
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", into, true, false);
    must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart));
    SmallSea plane = small_sea_create(MPI_COMM_WORLD, "[]", into, false, false);
    must_fail(restart_read(restart, plane.scenario, true, plane.state, NULL, 0), STATUS_BAD_INPUT);
    sea.scenario->physics.manning_n.constant *= 2;
    must_fail(restart_read(restart, sea.scenario, false, sea.state, NULL, 0), STATUS_BAD_INPUT);
    must(restart_read(restart, sea.scenario, true, sea.state, NULL, 0));
    sea.scenario->physics.manning_n.constant /= 2;
    sea.scenario->time.end += 3600;
    must(restart_read(restart, sea.scenario, false, sea.state, NULL, 0));
    sea.grid->bed[AT2(*sea.grid, 3, 3)] -= 0.5;
    must_fail(restart_read(restart, sea.scenario, true, sea.state, NULL, 0), STATUS_BAD_INPUT);
    small_sea_destroy(&plane);
    small_sea_destroy(&sea);
    memory_free(into);
}

static bool there(const char *in, const char *name) {
    char *path = memory_format("%s/%s", in, name);
    bool found = access(path, F_OK) == 0;
    memory_free(path);
    return found;
}

static void the_newest_restarts_are_kept(void **unused) {
    (void)unused;
    char *into = folder("keep"), restart[512];
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", into, true, false);
    RestartFiles written = {0};
    for (int n = 1; n <= 4; n++) {
        small_sea_set(&sea, n);
        must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart));
        if (is_first()) restart_files_add(&written, restart, false, 2);
    }
    restart_files_release(&written);
    MPI_Barrier(MPI_COMM_WORLD);
    assert_false(there(into, "restart_20140923T000200Z.nc"));
    assert_true(there(into, "restart_20140923T000300Z.nc"));
    assert_true(there(into, "restart_20140923T000400Z.nc"));
    assert_false(there(into, "restart_20140923T000400Z.nc.part"));
    small_sea_destroy(&sea);
    memory_free(into);
}

/* ---- failures ---- */

static void no_restart_with_a_value_that_is_no_number(void **unused) {
    (void)unused;
    char *into = folder("nan"), restart[512] = "";
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", into, true, false);
    Run wet = sea.grid->cells.count > 0 ? sea.grid->cells.run[0] : (Run){0};
    if (is_first()) sea.state->flux_w[AT(*sea.grid, wet.i0, wet.j, wet.k)] = NAN; /* on one rank alone */
    must_fail(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart), STATUS_FAILED);
    assert_string_equal(restart, "");
    assert_false(there(into, "restart_20140923T000000Z.nc"));
    must(output_snapshot("test_output_snapshot.nc", &facts, sea.state, NULL)); /* but one may look at it */
    small_sea_destroy(&sea);
    memory_free(into);
}

static void one_failing_rank_stops_all(void **unused) {
    (void)unused;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    NcFile file;
    char *path = folder("one.nc");
    must(ncfile_create(&file, MPI_COMM_WORLD, path, false));
    int dim = ncfile_dimension(&file, "n", ranks);
    ncfile_define(&file, "x", NC_INT, 1, &dim);
    must(ncfile_end_define(&file));
    MPI_Offset start = rank, count = 1;
    ncfile_put(&file, ncfile_find(&file, "x"), &start, &count, MPI_INT, &rank);
    if (rank == ranks - 1) ncfile_note(&file, NC_EWRITE, "on purpose");
    must_fail(ncfile_wait(&file), STATUS_FAILED);
    ncfile_put(&file, ncfile_find(&file, "x"), &start, &count, MPI_INT, &rank);
    must_fail(ncfile_wait(&file), STATUS_FAILED);
    must_fail(ncfile_close(&file), STATUS_FAILED);
    ncfile_abandon(&file);
    memory_free(path);
}

static void a_folder_that_cannot_be_made_is_said(void **unused) {
    (void)unused;
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, outputs, "/proc/nobody/can/write/here", true, false);
    Output *output = NULL;
    char restart[512];
    must_fail(output_create(sea.scenario, &facts, sea.state, false, &output), STATUS_FAILED);
    assert_null(output);
    must_fail(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart), STATUS_FAILED);
    small_sea_destroy(&sea);
}

/* A file that may not grow is what a full disk looks like. */
static void a_full_disk_is_an_error_on_all_ranks(void **unused) {
    (void)unused;
    char *into = folder("full"), restart[512] = "";
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, outputs, into, true, false);
    struct rlimit before, small = {100000, 0};
    Output *output = NULL;
    must(output_create(sea.scenario, &facts, sea.state, false, &output));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    Status status = STATUS_OK;
    for (int64_t step = 0; step <= LAST_STEP && status == STATUS_OK; step++) {
        small_sea_set(&sea, step);
        LedgerRow ledger = {0};
        status = output_step(output, sea.state, &ledger);
    }
    assert_int_equal(status, STATUS_FAILED);
    status = output_close(&output);
    must_fail(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart), STATUS_FAILED);
    setrlimit(RLIMIT_FSIZE, &before);
    MPI_Barrier(MPI_COMM_WORLD);
    assert_string_equal(restart, "");
    assert_false(there(into, "restart_20140923T000000Z.nc.part"));
    error_clear();
    small_sea_destroy(&sea);
    memory_free(into);
}

/* Inside MPI's own opening the others would wait for ever. */
static void a_file_that_one_process_cannot_open_is_refused_by_all(void **unused) {
    (void)unused;
    char *into = folder("unopened");
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, outputs, into, true, false);
    char restart[512] = "";
    struct rlimit before, none;
    NcFile file;
    must(restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, restart));
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){0, before.rlim_max};
    if (!is_first()) setrlimit(RLIMIT_NOFILE, &none);
    const Status status = ncfile_open(&file, MPI_COMM_WORLD, restart, false);
    setrlimit(RLIMIT_NOFILE, &before);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    assert_int_equal(status, ranks == 1 ? STATUS_OK : STATUS_FAILED);
    (void)!ncfile_close(&file);
    ncfile_abandon(&file);
    error_clear();
    small_sea_destroy(&sea);
    memory_free(into);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    log_start(is_first() ? 0 : 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_do_not_depend_on_ranks),
        cmocka_unit_test(an_interrupted_run_leaves_the_same_files),
        cmocka_unit_test(an_interrupted_sea_that_goes_around_has_the_same_means),
        cmocka_unit_test(maps_and_single_values_of_w_are_equal),
        cmocka_unit_test(rows_and_single_values_are_equal),
        cmocka_unit_test(restart_fits_other_ranks),
        cmocka_unit_test(rounds_leave_the_same_files),
        cmocka_unit_test(a_bad_restart_is_refused),
        cmocka_unit_test(a_restart_with_a_bad_header_is_refused),
        cmocka_unit_test(a_sealed_restart_with_a_bad_header_ends_nothing),
        cmocka_unit_test(a_restart_of_another_run_is_refused),
        cmocka_unit_test(the_newest_restarts_are_kept),
        cmocka_unit_test(no_restart_with_a_value_that_is_no_number),
        cmocka_unit_test(one_failing_rank_stops_all),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_said),
        cmocka_unit_test(a_file_that_one_process_cannot_open_is_refused_by_all),
        cmocka_unit_test(a_full_disk_is_an_error_on_all_ranks),
    };
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
