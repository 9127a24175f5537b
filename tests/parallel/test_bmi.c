/* SPDX-License-Identifier: Apache-2.0
 *
 * A client of the library, which knows nothing but its header: the table of BMI 2.0 drives a sea to the same digest as a
 * session does; values, pointers, grids, changes from outside with closed budgets, refusals.
 *
 * ctest: ranks 1 2
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/build_info.h"
#include "base/log.h"
#include "base/memory.h"
#include "bmi/maeotis_bmi.h"
#include "program/session.h"
#include "tests/support/ranks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GOOD(call) assert_int_equal((call), BMI_SUCCESS)
#define BAD(call)  assert_int_equal((call), BMI_FAILURE)

static const char DYE[] = "/tracers=[{\"name\":\"dye\",\"units\":\"kg m-3\",\"initial\":\"1+x/Lx\"}]";
static char *scenario_path;
static int rank, ranks;

static Bmi begin(const char *steps, const char *log) {
    Bmi model;
    const char *words[] = {"--quiet", "--no-files", "--steps", steps, "--set", DYE};
    register_bmi(&model);
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) GOOD(maeotis_bmi_option(&model, words[n]));
    if (log) {
        GOOD(maeotis_bmi_option(&model, "--log-json"));
        GOOD(maeotis_bmi_option(&model, log));
    }
    GOOD(model.initialize(&model, scenario_path));
    return model;
}

/* What `maeotis run` computes. */
static uint64_t digest_of_run(int64_t steps) {
    RunOptions options = {.scenario = scenario_path, .steps = steps, .quiet = true, .no_files = true};
    RunRecord record = {0};
    Scenario *scenario;
    Session *session;
    assert_int_equal(overrides_add(&options.overrides, DYE), STATUS_OK);
    assert_int_equal(session_read(&options, MPI_COMM_WORLD, &scenario), STATUS_OK);
    assert_int_equal(session_begin(&options, scenario, "test", &record, MPI_COMM_WORLD, &session), STATUS_OK);
    while (!session_done(session)) assert_int_equal(session_step(session), STATUS_OK);
    const uint64_t digest = state_digest(session->sim->state);
    assert_int_equal(session_end(session, STATUS_OK), STATUS_OK);
    session_destroy(&session);
    scenario_destroy(&scenario);
    run_record_release(&record);
    return digest;
}

static void every_member_is_there(void **state) {
    (void)state;
    Bmi model;
    void *member[sizeof model / sizeof(void *)];
    register_bmi(&model);
    memcpy(member, &model, sizeof model);
    for (size_t n = 1; n < sizeof model / sizeof(void *); n++) assert_non_null(member[n]);
    assert_int_equal(sizeof model / sizeof(void *), 1 + 41);
    GOOD(model.finalize(&model));
}

static void steps_like_the_command(void **state) {
    (void)state;
    Bmi one = begin("12", NULL), all = begin("12", NULL);
    uint64_t digest[2];
    double now, end, step;
    int64_t steps;
    while (!maeotis_bmi_done(&one)) GOOD(one.update(&one));
    GOOD(all.get_time_step(&all, &step));
    GOOD(all.update_until(&all, 4 * step));
    GOOD(all.get_current_time(&all, &now));
    assert_true(now == 4 * step);
    GOOD(all.get_end_time(&all, &end));
    GOOD(all.update_until(&all, end));
    GOOD(maeotis_bmi_steps(&all, &steps));
    assert_int_equal(steps, 12);
    GOOD(maeotis_bmi_digest(&one, &digest[0]));
    GOOD(maeotis_bmi_digest(&all, &digest[1]));
    assert_true(digest[0] == digest[1] && digest[0] == digest_of_run(12));
    BAD(one.update(&one));
    assert_non_null(strstr(maeotis_bmi_message(&one), "end of the run"));
    GOOD(one.finalize(&one));
    GOOD(all.finalize(&all));
}

static int size_of(Bmi *model, const char *name) {
    int bytes;
    GOOD(model->get_var_nbytes(model, name, &bytes));
    return bytes / (int)sizeof(double);
}

static double *values_of(Bmi *model, const char *name) {
    double *values = ALLOCATE(size_of(model, name), double);
    GOOD(model->get_value(model, name, values));
    return values;
}

static void describes_its_grids(void **state) {
    (void)state;
    Bmi model = begin("1", NULL);
    int grid, dimensions, size, shape[3];
    char type[BMI_MAX_TYPE_NAME];
    double spacing[2], origin[2], z[8];
    GOOD(model.get_var_grid(&model, "eta", &grid));
    GOOD(model.get_grid_type(&model, grid, type));
    assert_string_equal(type, "uniform_rectilinear");
    GOOD(model.get_grid_shape(&model, grid, shape));
    double *x = ALLOCATE(shape[1], double);
    GOOD(model.get_grid_spacing(&model, grid, spacing));
    GOOD(model.get_grid_origin(&model, grid, origin));
    GOOD(model.get_grid_x(&model, grid, x));
    assert_true(spacing[0] == 500 && x[0] == origin[1] &&
                x[shape[1] - 1] == origin[1] + 500 * (shape[1] - 1));
    memory_free(x);
    GOOD(model.get_var_grid(&model, "sea_water_flow__x_component_of_velocity", &grid));
    GOOD(model.get_grid_rank(&model, grid, &dimensions));
    GOOD(model.get_grid_shape(&model, grid, shape));
    GOOD(model.get_grid_size(&model, grid, &size));
    assert_int_equal(dimensions, 3);
    assert_int_equal(size, shape[0] * shape[1] * shape[2]);
    assert_int_equal(size, size_of(&model, "u"));
    GOOD(model.get_grid_z(&model, grid, z));
    assert_true(z[0] == -7.5 && z[7] == -0.5);
    BAD(model.get_grid_spacing(&model, grid, spacing));
    BAD(model.get_grid_shape(&model, 99, shape));
    BAD(model.get_grid_edge_count(&model, grid, &size));
    GOOD(model.finalize(&model));
}

/* Looking, at values, pointers and memory, changes no bit; all show the same. */
static void shows_its_values(void **state) {
    (void)state;
    Bmi model = begin("6", NULL);
    double *mirror, *first, *dye;
    int64_t shape[3], strides[3];
    uint64_t digest;
    GOOD(model.get_value_ptr(&model, "dye", (void **)&mirror));
    for (int n = 0; n < 6; n++) GOOD(model.update(&model));
    dye = values_of(&model, "sea_water__dye");
    GOOD(maeotis_bmi_view(&model, "dye", 0, &first, shape, strides));
    int wet = 0;
    for (int64_t k = 0, n = 0; k < shape[0]; k++)
        for (int64_t j = 0; j < shape[1]; j++)
            for (int64_t i = 0; i < shape[2]; i++, n++) {
                assert_memory_equal(&mirror[n], &dye[n], sizeof *dye);
                if (isnan(dye[n])) continue;
                wet++;
                assert_true(first[k * strides[0] + j * strides[1] + i * strides[2]] == dye[n]);
            }
    assert_true(wet > 1000);
    GOOD(model.set_value(&model, "dye", dye)); /* what is there already */
    GOOD(maeotis_bmi_digest(&model, &digest));
    assert_true(digest == digest_of_run(6));
    BAD(maeotis_bmi_view(&model, "speed", 0, &first, shape, strides));
    BAD(maeotis_bmi_view(&model, "eta", 1, &first, shape, strides));
    BAD(model.set_value(&model, "speed", dye));
    BAD(model.get_value(&model, "nothing", dye));
    assert_non_null(strstr(maeotis_bmi_message(&model), "u_east"));
    memory_free(dye);
    GOOD(model.finalize(&model));
}

/* The number after `key` behind `from` in the line of a step. */
static double logged(const char *path, int step, const char *from, const char *key) {
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int n = 0; n < step; n++) assert_true(getline(&line, &room, file) > 0);
    fclose(file);
    const char *place = strstr(line, from);
    assert_non_null(place);
    place = strstr(place, key);
    assert_non_null(place);
    const double value = strtod(place + strlen(key), NULL);
    free(line);
    return value;
}

/* Dye by value, by pointer and by view, each time 1 kg m-3 everywhere, and 1 cm of water. */
static double change_in_four_ways(Bmi *model) {
    double *mirror, *first, area = 0, *dye = values_of(model, "dye"), *eta;
    int64_t shape[3], strides[3];
    const int size = size_of(model, "dye");
    for (int n = 0; n < size; n++) dye[n] += 1;
    GOOD(model->set_value(model, "dye", dye));
    GOOD(model->update(model));
    GOOD(model->get_value_ptr(model, "dye", (void **)&mirror));
    for (int n = 0; n < size; n++) mirror[n] += 1;
    GOOD(model->update(model));
    GOOD(maeotis_bmi_view(model, "dye", 1, &first, shape, strides));
    for (int64_t k = 0; k < shape[0]; k++)
        for (int64_t j = 0; j < shape[1]; j++)
            for (int64_t i = 0; i < shape[2]; i++)
                first[k * strides[0] + j * strides[1] + i * strides[2]] += 1;
    GOOD(model->update(model));
    eta = values_of(model, "eta");
    for (int n = 0; n < size_of(model, "eta"); n++)
        if (!isnan(eta[n])) eta[n] += 0.01, area += 500.0 * 500.0;
    GOOD(model->set_value(model, "eta", eta));
    GOOD(model->update(model));
    eta[0] = INFINITY;
    BAD(model->set_value(model, "eta", eta));
    memory_free(dye);
    memory_free(eta);
    return area;
}

/* The budgets name as a source what comes from outside, and stay closed. */
static void takes_changes(void **state) {
    (void)state;
    char log[64];
    double area;
    snprintf(log, sizeof log, "bmi_%d.jsonl", ranks);
    Bmi model = begin("4", log);
    const double own = change_in_four_ways(&model);
    MPI_Allreduce(&own, &area, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    GOOD(maeotis_bmi_close(&model));
    for (int n = 1; n <= 3 && rank == 0; n++) {
        const double volume = logged(log, n, "\"volume_m3\"", ": ");
        const double sources = logged(log, n, "\"dye\"", "\"sources\": ");
        assert_true(fabs(sources / (n * volume) - 1) < 1e-3 * n); /* the volume changes a little */
        assert_true(fabs(logged(log, n, "\"dye\"", "\"error\": ")) < 1e-12 * sources);
    }
    if (rank == 0) {
        const double came = logged(log, 4, "\"sources_m3\"", ": ") - logged(log, 3, "\"sources_m3\"", ": ");
        const double brook = 60 * 50;
        assert_true(fabs((came - brook) / (0.01 * area) - 1) < 1e-6);
        assert_true(fabs(logged(log, 4, "\"volume_error_m3\"", ": ")) <
                    1e-14 * logged(log, 4, "\"volume_m3\"", ": "));
        assert_true(fabs(logged(log, 4, "\"dye\"", "\"error\": ")) <
                    1e-12 * logged(log, 4, "\"dye\"", "\"content\": "));
    }
    GOOD(model.finalize(&model));
}

/* What one rank alone changes, all follow; what one rank alone may not, none does. */
static void agrees_on_changes(void **state) {
    (void)state;
    const bool first = rank == 0, last = rank == ranks - 1;
    Bmi model = begin("3", NULL);
    uint64_t before, after;
    double *mirror, *eta = values_of(&model, "eta"), *u = values_of(&model, "u");
    int index = last ? -1 : 0;
    GOOD(model.get_value_ptr(&model, "eta", (void **)&mirror));
    GOOD(maeotis_bmi_digest(&model, &before));
    for (int n = 0; first && n < size_of(&model, "eta"); n++) mirror[n] += 0.01;
    GOOD(maeotis_bmi_digest(&model, &after));
    assert_true(before != after);
    GOOD(model.update(&model));
    GOOD(maeotis_bmi_digest(&model, &before));
    for (int n = 0; n < size_of(&model, "eta"); n++) eta[n] += 0.01;
    if (last) eta[0] = INFINITY;
    BAD(model.set_value(&model, "eta", eta));
    BAD(model.set_value_at_indices(&model, "u", &index, 1, u));
    if (last) assert_non_null(strstr(maeotis_bmi_message(&model), "no element -1"));
    const double kept = mirror[0];
    mirror[0] = last ? INFINITY : 0.5;
    BAD(model.update(&model));
    mirror[0] = kept;
    GOOD(maeotis_bmi_digest(&model, &after));
    assert_true(before == after);
    GOOD(model.update(&model));
    memory_free(eta);
    memory_free(u);
    GOOD(model.finalize(&model));
}

static void refuses(void **state) {
    (void)state;
    Bmi model;
    double time;
    register_bmi(&model);
    BAD(model.update(&model));
    assert_non_null(strstr(maeotis_bmi_message(&model), "call initialize first"));
    BAD(model.get_current_time(&model, &time));
    GOOD(maeotis_bmi_option(&model, "--quiet"));
    BAD(model.initialize(&model, "there_is_none.json"));
    if (rank == 0) assert_non_null(strstr(maeotis_bmi_message(&model), "there_is_none.json"));
    BAD(model.initialize(&model, scenario_path));
    assert_non_null(strstr(maeotis_bmi_message(&model), "finalize it first"));
    GOOD(model.finalize(&model));
    GOOD(maeotis_bmi_option(&model, "--quiet"));
    GOOD(maeotis_bmi_option(&model, "--no-such-option"));
    BAD(model.initialize(&model, scenario_path));
    BAD(model.initialize(&model, scenario_path));
    assert_non_null(strstr(maeotis_bmi_message(&model), "finalize it first"));
    assert_true(maeotis_bmi_done(&model) && maeotis_bmi_status(&model) == STATUS_BAD_INPUT);
    GOOD(model.finalize(&model));
    model = begin("2", NULL);
    BAD(model.initialize(&model, scenario_path));
    BAD(model.update_until(&model, -5));
    BAD(model.update_until(&model, 1e9));
    GOOD(model.update(&model));
    GOOD(maeotis_bmi_close(&model));
    BAD(model.update(&model));
    assert_non_null(strstr(maeotis_bmi_message(&model), "only values can be read"));
    double *eta = values_of(&model, "eta");
    memory_free(eta);
    GOOD(model.finalize(&model));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_member_is_there),
                                       cmocka_unit_test(steps_like_the_command),
                                       cmocka_unit_test(describes_its_grids),
                                       cmocka_unit_test(shows_its_values),
                                       cmocka_unit_test(takes_changes),
                                       cmocka_unit_test(agrees_on_changes),
                                       cmocka_unit_test(refuses)};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    log_start(rank);
    log_only_warnings(true);
    scenario_path = memory_copy_text(MAEOTIS_SOURCE_DIR "/scenarios/lagoon.json");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    memory_free(scenario_path);
    return ranks_finish(failed);
}
