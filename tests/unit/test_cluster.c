/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters in JSON, the fit of messages, and forecasts of steps whose times can be counted by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/kernel.h"
#include "numerics/cluster/forecast.h"
#include "numerics/cluster/fragments.h"
#include "numerics/grid/decomposition.h"
#include "tests/support/messages.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const FILE_NAME = "test_cluster.json";

static Status read_text(const char *text, Cluster *out) {
    FILE *file = fopen(FILE_NAME, "w");
    fputs(text, file);
    fclose(file);
    const Status status = cluster_read(FILE_NAME, out);
    unlink(FILE_NAME);
    return status;
}

static const char MIXED[] =
    "{\"cluster\": \"two kinds\", \"nodes\": ["
    "{\"name\": \"fat\", \"count\": 2, \"memory_GB\": 64, \"devices\": ["
    "{\"kind\": \"cpu\", \"name\": \"eight cores\", \"cores\": 8, \"ns_per_node\": {\"step\": 100}},"
    "{\"kind\": \"gpu\", \"count\": 4, \"memory_GB\": 16, \"ns_per_node\": {\"step\": 5}}]},"
    "{\"count\": 3, \"devices\": [{\"kind\": \"cpu\", \"cores\": 2, \"ns_per_node\": {\"step\": "
    "200}}]}],"
    "\"links\": {\"in_node\": {\"latency_us\": 1, \"ns_per_byte\": 0.1}, \"between_nodes\": {\"latency_us\": "
    "3}}}";

static void clusters_are_read_and_written(void **state) {
    (void)state;
    Cluster first, again;
    assert_int_equal(read_text(MIXED, &first), STATUS_OK);
    assert_int_equal(cluster_write(FILE_NAME, &first), STATUS_OK);
    assert_int_equal(cluster_read(FILE_NAME, &again), STATUS_OK);
    unlink(FILE_NAME);
    const Cluster *const both[] = {&first, &again};
    for (int n = 0; n < 2; n++) {
        int64_t count;
        double *speed;
        Calculator *all = cluster_calculators(both[n], &count);
        assert_int_equal(count, 2 * (8 + 4) + 3 * 2);
        assert_int_equal(all[8].device->kind, KIND_GPU);
        assert_true(all[11].node == 0 && all[12].node == 1 && all[29].node == 4);
        assert_true(both[n]->between.latency_us == 3 && both[n]->between.ns_per_byte == 0.1);
        assert_int_equal(cluster_speeds(both[n], FILE_NAME, 30, &speed), STATUS_OK);
        assert_true(fabs(speed[0] - 0.05) < 1e-12 && speed[8] == 1 && fabs(speed[29] - 0.025) < 1e-12);
        memory_free(speed);
        assert_int_equal(cluster_speeds(both[n], FILE_NAME, 31, &speed), STATUS_BAD_INPUT);
        messages_expect("describes cores and GPUs for 30 processes, but the run has 31");
        memory_free(all);
    }
    cluster_release(&first);
    cluster_release(&again);
}

static void broken_files_are_refused(void **state) {
    static const char *const broken[][2] = {
        {"{\"nodes\": [", "test_cluster.json:1:"},
        {"{\"cluster\": \"none\"}", "needs a non-empty list of nodes"},
        {"{\"nodes\": []}", "needs a non-empty list of nodes"},
        {"{\"nods\": []}", "did you mean \"nodes\"?"},
        {"{\"nodes\": [{\"devices\": []}]}", "needs a non-empty list of devices"},
        {"{\"nodes\": [{\"devices\": [{\"kind\": \"tpu\"}]}]}", "\"cpu\", \"gpu\" or \"emu\""},
        {"{\"nodes\": [{\"devices\": [{\"kind\": \"cpu\", \"cores\": 1.5}]}]}", "must be a whole number"},
        {"{\"nodes\": [{\"devices\": [{\"kind\": \"cpu\", \"cores\": 0}]}]}", "must be a number from 1"},
        {"{\"nodes\": [{\"devices\": [{\"kind\": \"gpu\", \"cores\": 80}]}]}", "one process uses one GPU"},
        {"{\"nodes\": [{\"count\": 1000000, \"devices\": [{\"kind\": \"cpu\", \"cores\": 1000000}]}]}",
         "for 1e+12 processes: at most"},
        {"{\"nodes\": [{\"devices\": [{\"kind\": \"cpu\"}]}], \"links\": {\"in_node\": {\"latency_us\": "
         "-1}}}",
         "must be a number from 0"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof broken / sizeof *broken; n++) {
        Cluster cluster;
        assert_int_equal(read_text(broken[n][0], &cluster), STATUS_BAD_INPUT);
        messages_expect(broken[n][1]);
    }
}

static void former_names_are_understood(void **state) {
    (void)state;
    Cluster cluster;
    assert_int_equal(read_text("{\"nodes\": [{\"devices\": [{\"kind\": \"gpu\"}, {\"kind\": \"cpu\", "
                               "\"calculators\": 6}]}]}",
                               &cluster),
                     STATUS_OK);
    assert_int_equal(cluster.node->device[1].cores, 6);
    cluster_release(&cluster);
}

static void the_machine_at_hand_computes(void **state) {
    (void)state;
    Cluster here;
    int64_t count;
    double *speed;
    cluster_find_here(&here);
    Calculator *all = cluster_calculators(&here, &count);
    assert_true(count >= 1 && here.node->memory_GB > 0);
    assert_int_equal(cluster_speeds(&here, "here", 1, &speed), STATUS_BAD_INPUT); /* not measured yet */
    messages_expect("has no speed of");
    memory_free(all);
    cluster_release(&here);
}

static void messages_are_fitted(void **state) {
    (void)state;
    double bytes[50], seconds[50];
    for (int n = 0; n < 50; n++) {
        bytes[n] = 8.0 * (n + 1) * (n + 1);
        seconds[n] = 2e-6 + 0.25e-9 * bytes[n];
    }
    ClusterLink link = link_fit(50, bytes, seconds);
    assert_true(fabs(link.latency_us - 2) < 1e-9 && fabs(link.ns_per_byte - 0.25) < 1e-9);
    assert_true(link.determination > 1 - 1e-9);
    for (int n = 0; n < 50; n++) seconds[n] *= n % 2 ? 1.5 : 1 / 1.5;
    link = link_fit(50, bytes, seconds);
    assert_true(link.determination < 0.7 && link.latency_us > 1 && link.latency_us < 4);
    double numbers[] = {5, 1, 4, 2, 3};
    assert_true(percentile(5, numbers, 0.95) == 5 && percentile(5, numbers, 0.5) == 3);
}

/* ---- forecasts ---- */

enum { N = 64, SURFACE = 3 };

typedef struct Sea {
    double weight[N * N];
    CutProblem cut;
    Cluster cluster;
    Calculator *calculator;
    ForecastProblem problem;
} Sea;

/* A square of deep water on sixteen equal cores, but the second, which takes `slow` times as long. */
static void sea_create(double slow, Sea *out) {
    char text[512];
    int64_t count;
    snprintf(text, sizeof text,
             "{\"nodes\": [{\"devices\": [{\"kind\": \"cpu\", \"ns_per_node\": {\"step\": 100}}, {\"kind\": "
             "\"cpu\", "
             "\"ns_per_node\": {\"step\": %g}}, {\"kind\": \"cpu\", \"cores\": 14, \"ns_per_node\": "
             "{\"step\": "
             "100}}]}]}",
             100 * slow);
    assert_int_equal(read_text(text, &out->cluster), STATUS_OK);
    out->calculator = cluster_calculators(&out->cluster, &count);
    for (int n = 0; n < N * N; n++) out->weight[n] = SURFACE + 7;
    out->cut = (CutProblem){.nx = N, .ny = N, .weight = out->weight, .grain = 8, .thinnest = 3};
    out->problem = (ForecastProblem){.cut = &out->cut,
                                     .surface_work = SURFACE,
                                     .finer = 1,
                                     .levels = 7,
                                     .cluster = &out->cluster,
                                     .calculator = out->calculator,
                                     .reference_ns = {100, 0, 0},
                                     .profile = {.seconds_work = 1e-8, .exchanges = 4}};
}

static void sea_release(Sea *sea) {
    memory_free(sea->calculator);
    cluster_release(&sea->cluster);
}

static double step_of(const Sea *sea, int ranks_x, int ranks_y, int messages) {
    Cuts cuts;
    Forecast f;
    assert_true(cuts_find(&sea->cut, ranks_x * ranks_y, ranks_x, ranks_y, &cuts));
    forecast_step(&sea->problem, &cuts, messages, &f);
    const double step = f.step;
    assert_true(fabs(f.computing + f.waiting + f.sending - step) < 1e-12);
    for (int n = 0; n < f.ranks; n++)
        assert_true(fabs(f.rank[n].computing + f.rank[n].waiting + f.rank[n].sending - step) < 1e-12);
    forecast_release(&f);
    cuts_release(&cuts);
    return step;
}

static bool close_to(double found, double exact, double tolerance) {
    if (fabs(found - exact) > tolerance * exact) print_error("%.9g, but %.9g is right\n", found, exact);
    return fabs(found - exact) <= tolerance * exact;
}

static void ranks_share_the_work(void **state) {
    (void)state;
    Sea sea;
    const double all = N * N * (SURFACE + 7) * 1e-8;
    sea_create(1, &sea);
    assert_true(close_to(step_of(&sea, 1, 1, 0), all, 1e-12));
    assert_true(close_to(step_of(&sea, 2, 2, 0), all / 4, 1e-12));
    /* a slow rank holds the others up, unless it gets less: 1 / (1 + 1/3) of the work for the other */
    sea_release(&sea);
    sea_create(3, &sea);
    assert_true(close_to(step_of(&sea, 1, 2, 0), 3 * all / 2, 1e-12));
    const double speed[2] = {1, 1.0 / 3};
    sea.cut.speed = speed;
    assert_true(close_to(step_of(&sea, 1, 2, 0), all * 3 / 4, 1e-12));
    sea_release(&sea);
}

/* Two of fourteen cores, which take 100 ns a node together and 50 alone. */
static void cores_that_rest_leave_their_memory_to_others(void **state) {
    (void)state;
    Sea sea;
    Cuts cuts;
    Forecast f;
    sea_create(1, &sea);
    sea.cluster.node[0].device[2].alone[KERNEL_STEP] = 50;
    assert_true(cuts_find(&sea.cut, 4, 1, 4, &cuts));
    forecast_step(&sea.problem, &cuts, 0, &f);
    assert_true(close_to(f.rank[3].computing, f.rank[0].computing * (50 + 50.0 / 13) / 100, 1e-12));
    forecast_release(&f);
    cuts_release(&cuts);
    sea_release(&sea);
}

/* Each of four messages is 2 us and 10 bytes a column at 0.1 ns a byte, and copied: in long pieces to the south and north, in
 * short ones to the west and east. */
static void messages_take_their_time(void **state) {
    (void)state;
    Sea sea;
    sea_create(1, &sea);
    sea.problem.profile.edge_bytes = 40;
    sea.cluster.inside = (ClusterLink){2, 0.1, 0};
    const double all = N * N * (SURFACE + 7) * 1e-8, sent = 10 * N;
    assert_true(close_to(step_of(&sea, 1, 2, 0), all / 2 + 4 * (2e-6 + 0.27e-9 * sent), 1e-9));
    assert_true(close_to(step_of(&sea, 2, 1, 0), all / 2 + 4 * (2e-6 + 0.74e-9 * sent), 1e-9));
    /* the same for the seven levels */
    sea.problem.profile.edge_bytes = 5, sea.problem.profile.edge_level_bytes = 5;
    assert_true(close_to(step_of(&sea, 1, 2, 0), all / 2 + 4 * (2e-6 + 0.27e-9 * sent), 1e-9));
    /* and with water in one place of the edge alone: three more columns on either side of it travel */
    for (int i = 0; i < N; i++)
        for (int j = N / 2 - HALO; j < N / 2 + HALO; j++)
            if (i != N / 2) sea.weight[j * N + i] = 0;
    const double less = 2 * HALO * (N - 1) * (SURFACE + 7) * 1e-8;
    assert_true(close_to(step_of(&sea, 1, 2, 0), (all - less) / 2 + 4 * (2e-6 + 0.27e-9 * 10 * 7), 1e-9));
    /* between land and land, nothing */
    int columns[2][2] = {{0, N}, {0, N}}, rows[3] = {0, N / 2, N}, first[3] = {0, 1, 2};
    const Cuts halves = {
        .ranks_x = 1, .ranks_y = 2, .first = first, .x = columns[0], .y = rows, .straight = true};
    Forecast f;
    for (int j = N / 2 - HALO; j < N / 2 + HALO; j++) sea.weight[j * N + N / 2] = 0;
    forecast_step(&sea.problem, &halves, 0, &f);
    assert_true(close_to(f.step, (all - less * N / (N - 1)) / 2, 1e-9));
    assert_true(f.rank[0].neighbours == 0);
    forecast_release(&f);
    sea_release(&sea);
}

/* m equal fragments on each of p ranks in a row: m + p - 1 stages of 1 / (m p) of the sweep. Where whole rows of
 * ranks wait for those south of them, the sweep takes as long as on one row. */
static void sweeps_fill_their_pipeline(void **state) {
    (void)state;
    Sea sea;
    const double swept = N * N * 1e-6;
    sea_create(1, &sea);
    sea.problem.profile = (StepProfile){.seconds_swept = 1e-6, .sweeps = 2, .levels = 1};
    assert_true(close_to(step_of(&sea, 1, 1, 1), 2 * swept, 1e-12));
    assert_true(close_to(step_of(&sea, 4, 1, 1), 2 * swept, 1e-12));
    assert_true(close_to(step_of(&sea, 4, 1, 4), 2 * swept * (4 + 3) / 16, 1e-12));
    assert_true(close_to(step_of(&sea, 8, 1, 8), 2 * swept * (8 + 7) / 64, 1e-12));
    /* Half of a message's latency is its sender's, half is on the way: three of them from rank to rank in each sweep, after one of
     * halos. */
    const double without = step_of(&sea, 4, 1, 1);
    sea.cluster.inside.latency_us = 1000;
    assert_true(close_to(step_of(&sea, 4, 1, 1) - without, (1 + 2 * 3) * 1e-3, 1e-9));
    sea.problem.profile.sums = 1; /* to four ranks in two steps */
    assert_true(close_to(step_of(&sea, 4, 1, 1) - without, (1 + 2 * 3 + 2) * 1e-3, 1e-9));
    sea.problem.profile.sums = 0;
    sea.cluster.inside.latency_us = 0;
    /* two rows of ranks: forward, the second begins where the first ends */
    assert_true(close_to(step_of(&sea, 2, 2, 4), 2 * swept / 4 * 2 * (4 + 1) / 4, 0.2));
    assert_true(step_of(&sea, 1, 4, 8) < 0.6 * 2 * swept);
    /* in patches nobody waits, but for the sweeps that pass them */
    sea.cut.patch = 8;
    sea.problem.profile.sweeps_in_patches = 2;
    assert_true(close_to(step_of(&sea, 2, 2, 4), 2 * swept / 4, 1e-12));
    sea.problem.profile.sweeps_in_patches = 0;
    assert_true(close_to(step_of(&sea, 2, 2, 4), 2 * swept / 4 * 2 * (4 + 1) / 4, 0.2));
    sea_release(&sea);
}

/* T(m) of fragments.h is least at the number of messages that is taken, whatever the law. */
static void messages_are_as_many_as_pay(void **state) {
    static const double laws[][2] = {{1000, 0}, {50, 0}, {1e5, 0}, {1000, 3e6}, {10, 1e5}};
    (void)state;
    for (size_t n = 0; n < sizeof laws / sizeof *laws; n++) {
        const SweepShape s = {.chain = {6, 2}, .work = 1e5, .edge = laws[n][1], .message = laws[n][0]};
        double least = HUGE_VAL, taken = 0;
        for (int m = 1; m < 20000; m++) {
            const double time =
                (m - 1) * (s.work / m + s.message) + 6 * s.work / m + 5 * (s.message + s.edge / m);
            least = fmin(least, time);
            if (m == sweep_messages(&s)) taken = time;
        }
        assert_true(close_to(taken, least, 1e-5));
    }
}

/* A fast network and a slow one: other cuts and messages, each better on its own. */
static void links_decide(void **state) {
    enum { RANKS = 16 };
    Machine machine[2] = {MACHINE_OF_TODAY, MACHINE_OF_TODAY};
    Cuts cuts[2];
    Sea sea;
    (void)state;
    sea_create(1, &sea);
    machine[0].link[LINK_INSIDE] = (ClusterLink){0.1, 0.01, 0},
    machine[1].link[LINK_INSIDE] = (ClusterLink){50, 1, 0};
    sea.problem.profile = (StepProfile){.seconds_work = 1e-7,
                                        .seconds_swept = 1e-9,
                                        .exchanges = 28,
                                        .edge_level_bytes = 200,
                                        .sweeps = 14,
                                        .sweep_bytes = 8,
                                        .levels = 1};
    for (int n = 0; n < 2; n++) {
        sea.cut = decomposition_problem(N, N, SURFACE + 7, sea.weight,
                                        &(CutWishes){.swept = 0.01, .machine = &machine[n]});
        assert_true(cuts_find(&sea.cut, RANKS, 0, 0, &cuts[n]));
    }
    assert_true(cuts[0].ranks_x != cuts[1].ranks_x);
    int messages[2];
    for (int network = 0; network < 2; network++) {
        double step[2];
        for (int n = 0; n < 2; n++) {
            Forecast f;
            sea.cluster.inside = machine[network].link[LINK_INSIDE];
            sea.problem.machine = &machine[network];
            forecast_step(&sea.problem, &cuts[n], 0, &f);
            step[n] = f.step;
            if (n == 1) messages[network] = f.messages;
            if (n == 0) assert_true((f.stretches == 1) == (f.messages == 1));
            forecast_release(&f);
        }
        if (!(step[network] < step[1 - network]))
            fail_msg("network %d: %g and %g s", network, step[0], step[1]);
    }
    assert_true(messages[0] > 2 * messages[1]);
    for (int n = 0; n < 2; n++) cuts_release(&cuts[n]);
    sea_release(&sea);
}

/* What a cluster's calculators are, for cuts and messages. */
static void machines_are_known_by_their_calculators(void **state) {
    (void)state;
    Cluster cluster;
    assert_int_equal(read_text(MIXED, &cluster), STATUS_OK);
    Machine m = cluster_machine(&cluster, 14); /* the first node, and two cores of the second */
    assert_true(m.step_ns == 5 && machine_link(m.node, 0, 11) == LINK_INSIDE);
    assert_true(machine_link(m.node, 11, 12) == LINK_BETWEEN && m.link[LINK_BETWEEN].latency_us == 3);
    assert_true(close_to(m.sweep_ns, 14 / (10 / 1.0 + 4 / 0.05), 1e-12)); /* a hundredth of a step */
    assert_true(close_to(m.sweep_and_step, 0.01, 1e-12));
    memory_free(m.node);
    cluster_release(&cluster);
}

/* A device whose sweeps are not as much faster as its steps: both together take the time of its step. */
static void sweeps_are_part_of_the_step(void **state) {
    (void)state;
    Sea sea;
    sea_create(0.1, &sea);
    sea.cluster.node->device[0].ns[KERNEL_SWEEP] = 10;
    sea.cluster.node->device[1].ns[KERNEL_SWEEP] = 4;
    sea.problem.reference_ns[KERNEL_SWEEP] = 10;
    /* a cell: 80 ns, and 2 sweeps of 10 ns; there 2 ns and 8 */
    sea.problem.surface_work = 0;
    sea.problem.profile =
        (StepProfile){.seconds_work = 80e-9, .seconds_swept = 10e-9, .sweeps = 2, .levels = 2};
    const double all = N * N * (SURFACE + 7) * 1e-7;
    int columns[] = {0, N, 0, N}, rows[] = {0, 8, N}, first[] = {0, 1, 2};
    const Cuts cuts = {.ranks_x = 1, .ranks_y = 2, .first = first, .x = columns, .y = rows, .straight = true};
    Forecast f;
    forecast_step(&sea.problem, &cuts, 1, &f);
    assert_true(close_to(f.rank[0].computing, all * 8 / N, 1e-9));
    assert_true(close_to(f.rank[1].computing, 0.1 * all * (N - 8) / N, 1e-9));
    forecast_release(&f);
    sea_release(&sea);
}

/* Four solves a cell: 40 of 140 ns, and as much more of a device that does not know; nothing where they were part of the step. */
static void lines_count_where_they_are_solved(void **state) {
    static const char text[] =
        "{\"calibrated\": {\"scenario\": \"a.json\"}, \"nodes\": [{\"devices\": [{\"kind\": \"cpu\", "
        "\"ns_per_node\": {\"step\": 100, \"lines\": 10}}, {\"kind\": \"cpu\", \"ns_per_node\": {\"step\": "
        "100, "
        "\"lines\": 45}}, {\"kind\": \"gpu\", \"ns_per_node\": {\"step\": 50}}]}]}";
    (void)state;
    Cluster cluster;
    double *speed;
    assert_int_equal(read_text(text, &cluster), STATUS_OK);
    const ClusterDevice *device = cluster.node->device;
    cluster_add_lines(&cluster, "a.json", 4);
    assert_true(device[0].ns[KERNEL_STEP] == 100 && device[2].ns[KERNEL_STEP] == 50);
    cluster_add_lines(&cluster, "b.json", 4);
    assert_true(close_to(device[0].ns[KERNEL_STEP], 140, 1e-12));
    assert_true(close_to(device[2].ns[KERNEL_STEP], 70, 1e-12));
    assert_int_equal(cluster_speeds(&cluster, "", 3, &speed), STATUS_OK);
    assert_true(close_to(speed[0], 0.5, 1e-12) && close_to(speed[1], 0.25, 1e-12) && speed[2] == 1);
    memory_free(speed);
    cluster_release(&cluster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_read_and_written),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(former_names_are_understood),
        cmocka_unit_test(the_machine_at_hand_computes),
        cmocka_unit_test(messages_are_fitted),
        cmocka_unit_test(ranks_share_the_work),
        cmocka_unit_test(cores_that_rest_leave_their_memory_to_others),
        cmocka_unit_test(messages_take_their_time),
        cmocka_unit_test(sweeps_fill_their_pipeline),
        cmocka_unit_test(messages_are_as_many_as_pay),
        cmocka_unit_test(links_decide),
        cmocka_unit_test(machines_are_known_by_their_calculators),
        cmocka_unit_test(sweeps_are_part_of_the_step),
        cmocka_unit_test(lines_count_where_they_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
