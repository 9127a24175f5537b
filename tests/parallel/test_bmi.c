/* SPDX-License-Identifier: Apache-2.0
 *
 * A client of the library, which knows nothing but its header: the table of BMI 2.0 drives a sea to the same digest as a
 * session does; values, pointers, grids, changes from outside with closed budgets, forcing from outside with the digests of the
 * same forcing in the scenario, refusals.
 *
 * ctest: ranks 1 2
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/build_info.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "bmi/maeotis_bmi.h"
#include "program/machine_kept.h"
#include "program/session.h"
#include "tests/support/ranks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    assert_non_null(strstr(maeotis_bmi_message(&one), "reached its end"));
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

static void places(Bmi *model, const char *name, double *x, double *y) {
    int grid;
    GOOD(model->get_var_grid(model, name, &grid));
    GOOD(model->get_grid_x(model, grid, x));
    GOOD(model->get_grid_y(model, grid, y));
}

/* Cells of 500 by 1000 m: y comes first in spacings and origins, and faces lie half a cell west or south. */
static void faces_lie_beside_their_cells(void **state) {
    (void)state;
    static const char *const words[] = {"--quiet", "--no-files", "--set", "/grid/dy_m=1000"};
    enum { MOST = 64 };
    double x[3][MOST], y[3][MOST], spacing[2], origin[2];
    int grid;
    Bmi model;
    register_bmi(&model);
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) GOOD(maeotis_bmi_option(&model, words[n]));
    GOOD(model.initialize(&model, scenario_path));
    GOOD(model.get_var_grid(&model, "eta", &grid));
    GOOD(model.get_grid_spacing(&model, grid, spacing));
    GOOD(model.get_grid_origin(&model, grid, origin));
    places(&model, "eta", x[0], y[0]), places(&model, "u", x[1], y[1]), places(&model, "v", x[2], y[2]);
    assert_true(spacing[0] == 1000 && spacing[1] == 500 && origin[0] == y[0][0] && origin[1] == x[0][0]);
    assert_true(x[1][1] == x[0][1] - 250 && y[1][1] == y[0][1]);
    assert_true(x[2][1] == x[0][1] && y[2][1] == y[0][1] - 500);
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

/* What no scenario may say, of one rank alone. */
static void refuses_absurd_values(void **state) {
    (void)state;
    Bmi model = begin("3", NULL);
    uint64_t before, after;
    int64_t shape[3], strides[3];
    double *first, *u = values_of(&model, "u"), *dye = values_of(&model, "dye");
    int index = 0, wet = 0;
    while (isnan(dye[wet])) wet++;
    const double absurd = rank == ranks - 1 ? 1e3 : u[0];
    GOOD(maeotis_bmi_digest(&model, &before));
    GOOD(model.set_value(&model, "u", u)); /* what it has */
    BAD(model.set_value_at_indices(&model, "u", &index, 1, (double *)(size_t)&absurd));
    GOOD(maeotis_bmi_view(&model, "dye", 1, &first, shape, strides));
    double *at = first + wet / (shape[1] * shape[2]) * strides[0] + wet / shape[2] % shape[1] * strides[1] +
                 wet % shape[2] * strides[2];
    const double kept = *at;
    assert_true(kept == dye[wet]);
    if (rank == ranks - 1) *at = INFINITY;
    BAD(model.update(&model));
    if (rank == ranks - 1) assert_non_null(strstr(maeotis_bmi_message(&model), "is inf, but it must be"));
    *at = kept;
    GOOD(maeotis_bmi_digest(&model, &after));
    assert_true(before == after);
    GOOD(model.update(&model));
    memory_free(u), memory_free(dye);
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

/* A model of the settings, NULL at the end, that makes these steps. */
static Bmi begin_set(const char *steps, const char *device, const char *const *settings) {
    Bmi model;
    const char *words[] = {"--quiet", "--no-files", "--steps", steps, "--device", device};
    register_bmi(&model);
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) GOOD(maeotis_bmi_option(&model, words[n]));
    for (; *settings; settings++) {
        GOOD(maeotis_bmi_option(&model, "--set"));
        GOOD(maeotis_bmi_option(&model, *settings));
    }
    GOOD(model.initialize(&model, scenario_path));
    return model;
}

static uint64_t finish(Bmi *model) {
    uint64_t digest;
    while (!maeotis_bmi_done(model)) GOOD(model->update(model));
    GOOD(maeotis_bmi_digest(model, &digest));
    GOOD(model->finalize(model));
    return digest;
}

/* value = constant + along_x x + along_y y at the centres of this rank's cells. */
static void give_plane(Bmi *model, const char *name, double constant, double along_x, double along_y) {
    int grid, shape[2];
    GOOD(model->get_var_grid(model, name, &grid));
    GOOD(model->get_grid_shape(model, grid, shape));
    double *x = ALLOCATE(shape[1], double), *y = ALLOCATE(shape[0], double);
    double *values = ALLOCATE(shape[0] * shape[1], double);
    GOOD(model->get_grid_x(model, grid, x));
    GOOD(model->get_grid_y(model, grid, y));
    for (int j = 0; j < shape[0]; j++)
        for (int i = 0; i < shape[1]; i++)
            values[j * shape[1] + i] = constant + along_x * x[i] + along_y * y[j];
    GOOD(model->set_value(model, name, values));
    memory_free(x);
    memory_free(y);
    memory_free(values);
}

static const char closed[] = "/boundaries=[]", calm[] = "/forcing={\"air_pressure\":{\"Pa\":101325}}";

/* The sea answers to forcing from outside as to the same in the scenario, whose values have no rounding on this grid. */
static void is_driven(void **state) {
    (void)state;
    static const char *const devices[] = {"cpu", "emu"};
    static const char *const written[] = {
        closed, "/rivers/0/discharge_m3_s=400",
        "/forcing={\"wind\":{\"u_m_s\":\"x/4096+1\",\"v_m_s\":\"y/1024-4\"},"
        "\"air_pressure\":{\"Pa\":\"101000+x/128\"}}",
        NULL};
    static const char *const nothing[] = {closed, calm, NULL};
    for (int n = 0; n < 2; n++) {
        Bmi wanted = begin_set("8", devices[n], written), model = begin_set("8", devices[n], nothing);
        double discharge = 400, *pressure;
        give_plane(&model, "wind_u", 1, 1.0 / 4096, 0);
        give_plane(&model, "wind_v", -4, 0, 1.0 / 1024);
        GOOD(model.get_value_ptr(&model, "air_pressure", (void **)&pressure));
        give_plane(&model, "sea_surface_air__pressure", 101000, 1.0 / 128, 0);
        GOOD(model.set_value(&model, "river_discharge", &discharge));
        discharge = 0;
        GOOD(model.get_value(&model, "river_discharge", &discharge));
        assert_true(discharge == 400);
        assert_true(finish(&model) == finish(&wanted));
    }
}

/* Stress goes before wind, holds until it is given anew, and may come through a pointer. */
static void is_driven_by_stress(void **state) {
    (void)state;
    static const char *const written[] = {
        closed, "/forcing/wind={\"stress_x_Pa\":\"0.5*(t<300)\",\"stress_y_Pa\":\"-0.25*(t<300)\"}", NULL};
    static const char *const nothing[] = {closed, NULL};
    Bmi wanted = begin_set("8", "cpu", written), model = begin_set("8", "cpu", nothing);
    double *x;
    give_plane(&model, "wind_u", 10, 0, 0);
    give_plane(&model, "wind_v", 10, 0, 0);
    GOOD(model.get_value_ptr(&model, "wind_stress_x", (void **)&x));
    for (int n = 0; n < size_of(&model, "wind_stress_x"); n++) x[n] = 0.5;
    give_plane(&model, "wind_stress_y", -0.25, 0, 0);
    GOOD(model.update_until(&model, 240));
    for (int n = 0; n < size_of(&model, "wind_stress_x"); n++) x[n] = 0;
    give_plane(&model, "wind_stress_y", 0, 0, 0);
    assert_true(finish(&model) == finish(&wanted));
}

/* A first value written through the pointer of one process alone: the others go on with what theirs show. */
static void is_driven_by_one_process(void **state) {
    (void)state;
    static const char *const nothing[] = {closed, calm, NULL};
    Bmi wanted = begin_set("8", "cpu", nothing), model = begin_set("8", "cpu", nothing);
    double *pressure;
    GOOD(model.get_value_ptr(&model, "air_pressure", (void **)&pressure));
    const int size = size_of(&model, "air_pressure");
    for (int n = 0; n < size; n++) assert_true(pressure[n] == 101325);
    for (int n = 0; n < size && rank == 0; n++) pressure[n] += n % 7;
    double *same = ALLOCATE(size, double);
    memcpy(same, pressure, (size_t)size * sizeof *same);
    GOOD(wanted.set_value(&wanted, "air_pressure", same));
    memory_free(same);
    assert_true(finish(&model) == finish(&wanted));
}

static void refuses_forcing(void **state) {
    (void)state;
    static const char *const nothing[] = {closed, NULL};
    Bmi model = begin_set("4", "cpu", nothing);
    double *eta = values_of(&model, "eta");
    int index = 0, rivers, dimensions, size;
    while (isnan(eta[index])) index++; /* a cell of water */
    memory_free(eta);
    char type[BMI_MAX_TYPE_NAME];
    double value = 5, x, discharge = 400 + (rank == ranks - 1 ? ranks : 1);
    uint64_t before, after;
    BAD(model.get_value(&model, "air_pressure", &value));
    assert_non_null(strstr(maeotis_bmi_message(&model), "has no such forcing"));
    BAD(model.set_value_at_indices(&model, "wind_u", &index, 1, &value)); /* of all first */
    give_plane(&model, "wind_u", 5, 0, 0);
    GOOD(model.set_value_at_indices(&model, "wind_u", &index, 1, &value));
    BAD(model.update(&model));
    assert_non_null(strstr(maeotis_bmi_message(&model), "set both"));
    give_plane(&model, "wind_v", 0, 0, 0);
    value = 101;
    BAD(model.set_value_at_indices(&model, "wind_v", &index, 1, &value));
    assert_non_null(strstr(maeotis_bmi_message(&model), "range ever observed"));
    GOOD(maeotis_bmi_digest(&model, &before));
    value = -1e30;
    BAD(model.set_value(&model, "river_discharge", &value));
    assert_non_null(strstr(maeotis_bmi_message(&model), "-1e+06 to 1e+06"));
    if (ranks > 1) {
        BAD(model.set_value(&model, "river_discharge", &discharge));
        assert_non_null(strstr(maeotis_bmi_message(&model), "different values"));
        discharge = rank == 0 ? 0 : NAN; /* nothing to discharge, and nothing said */
        BAD(model.set_value(&model, "river_discharge", &discharge));
        assert_non_null(strstr(maeotis_bmi_message(&model), "different values"));
    }
    GOOD(maeotis_bmi_digest(&model, &after));
    assert_true(before == after);
    GOOD(model.get_value(&model, "river_discharge", &discharge));
    assert_true(discharge == 50);
    GOOD(model.get_var_grid(&model, "river_discharge", &rivers));
    GOOD(model.get_grid_rank(&model, rivers, &dimensions));
    GOOD(model.get_grid_size(&model, rivers, &size));
    GOOD(model.get_grid_type(&model, rivers, type));
    GOOD(model.get_grid_x(&model, rivers, &x));
    assert_true(dimensions == 1 && size == 1 && strcmp(type, "unstructured") == 0 && x == 29750);
    GOOD(model.get_grid_node_count(&model, rivers, &size));
    assert_int_equal(size, 1);
    GOOD(model.get_grid_edge_count(&model, rivers, &size));
    GOOD(model.get_grid_face_nodes(&model, rivers, &dimensions));
    assert_int_equal(size, 0);
    GOOD(model.update(&model));
    GOOD(model.finalize(&model));
}

/* What a run of four steps tells on stderr, to be freed; and its digest. */
static char *words_of_run(const char *file, uint64_t *digest) {
    const int before = dup(STDERR_FILENO);
    char *text = NULL;
    Bmi model;
    fflush(stderr);
    assert_non_null(freopen(rank == 0 ? file : "/dev/null", "w", stderr));
    register_bmi(&model);
    GOOD(maeotis_bmi_option(&model, "--no-files"));
    GOOD(maeotis_bmi_option(&model, "--steps"));
    GOOD(maeotis_bmi_option(&model, "4"));
    GOOD(model.initialize(&model, scenario_path));
    while (!maeotis_bmi_done(&model)) GOOD(model.update(&model));
    GOOD(maeotis_bmi_digest(&model, digest));
    GOOD(model.finalize(&model));
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    if (rank == 0) assert_int_equal(file_read_text(file, 1 << 16, &text), STATUS_OK);
    return text;
}

/* What `calibrate` has kept of this machine decides cuts and messages of a sea cut in two, as of a run, and no bit. */
static void takes_what_the_machine_keeps(void **state) {
    (void)state;
    char folder[] = "kept_XXXXXX", *path = NULL;
    uint64_t digest[2];
    assert_true(rank > 0 || mkdtemp(folder));
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    char *here = realpath(folder, NULL), *file = memory_format("%s/words", folder);
    assert_int_equal(setenv("XDG_CACHE_HOME", here, 1), 0);
    free(here);
    for (int kept = 0; kept < 2; kept++) {
        if (kept && rank == 0) {
            Cluster machine;
            cluster_find_here(&machine);
            for (int k = 0; k < KERNELS; k++) machine.node[0].device[0].ns[k] = 50;
            machine.inside = (ClusterLink){5000, 1, 0};
            path = machine_keep(&machine);
            assert_non_null(path);
            cluster_release(&machine);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        char *words = words_of_run(file, &digest[kept]);
        if (rank == 0)
            assert_true(!strstr(words, "messages of 5e+03 us + 1 ns a byte and 50 ns a cell in a sweep (as "
                                       "calibrated on this machine)") == !(kept && ranks > 1));
        memory_free(words);
    }
    assert_true(digest[0] == digest[1]);
    memory_free(path);
    memory_free(file);
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
                                       cmocka_unit_test(faces_lie_beside_their_cells),
                                       cmocka_unit_test(describes_its_grids),
                                       cmocka_unit_test(shows_its_values),
                                       cmocka_unit_test(takes_changes),
                                       cmocka_unit_test(refuses_absurd_values),
                                       cmocka_unit_test(agrees_on_changes),
                                       cmocka_unit_test(is_driven),
                                       cmocka_unit_test(is_driven_by_stress),
                                       cmocka_unit_test(is_driven_by_one_process),
                                       cmocka_unit_test(refuses_forcing),
                                       cmocka_unit_test(takes_what_the_machine_keeps),
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
