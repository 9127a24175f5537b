/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis check: all checks that are possible before the first step. maeotis schema: the JSON Schema of
 * scenarios.
 */
#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "kinetics/module.h"
#include "model/forcing/source_records.h"
#include "model/momentum/brake_values.h"
#include "model/momentum/roughness.h"
#include "model/nest.h"
#include "model/simulation.h"
#include "model/time_step.h"
#include "numerics/cluster/cluster.h"
#include "output/folder_lock.h"
#include "output/guard.h"
#include "output/output.h"
#include "output/restart_simulation.h"
#include "output/variables.h"
#include "program/check_costs.h"
#include "program/check_grid.h"
#include "program/check_inputs.h"
#include "program/check_layers.h"
#include "program/check_solvers.h"
#include "program/check_tides.h"
#include "program/commands.h"
#include "program/dates.h"
#include "settings/load.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char CHECK_HELP[] =
    "maeotis check SCENARIO.json [options]      checks a scenario without running it\n"
    "\n"
    "  --print-effective     print the scenario with all defaults filled in\n"
    "  --grid FILE.nc        also write the grid and the initial state to this file, those of a zoom\n"
    "                        to zoom/FILE.nc beside it\n"
    "  --overwrite           replace that file if it exists\n"
    "  -n, --processes N     show the cuts of a run with N processes (default: with all cores)\n"
    "  --restart FILE        check a run that continues from this restart file\n"
    "  --set /POINTER=VALUE  change the scenario, as for run; may be repeated\n"
    "  --trust               load the scenario's kinetics module, a program, which a run executes too\n"
    "\n"
    "Checks keys, units, ranges and every record of the forcing, that the forcing covers the run and the\n"
    "grid, and that the grid contains connected water. Suspicious input, such as a gap in the records,\n"
    "is refused unless the scenario allows it; then it is a warning: --set '/allow=[\"gaps\"]' (./maeotis\n"
    "schema --keys lists all). Prints tracers, rivers, boundaries, files and stations as read, wet cells,\n"
    "Courant numbers, f dt, memory, file sizes, the time that a run would take here, and which solver\n"
    "options are worth choosing. Executes no code from a scenario: a kinetics module must be trusted, by\n"
    "--trust or by MAEOTIS_TRUST, a list of modules and folders separated by colons. Exit code 2 if a run\n"
    "would refuse the scenario.\n"
    "\n"
    "Example: ./maeotis check scenarios/azov_storm_2014.json\n";

static const char SCHEMA_HELP[] =
    "maeotis schema [--keys [WHICH]]            prints the JSON Schema of scenarios, for editors\n"
    "\n"
    "  --keys   print every key with its unit, range, default and explanation instead, and the variables\n"
    "           that can be written\n"
    "  WHICH    only this key and the keys below it, such as /forcing/wind; or a word: the keys that contain "
    "it\n"
    "\n"
    "Examples: ./maeotis schema > scenario.schema.json    (with \"$schema\": \"scenario.schema.json\" in\n"
    "          the scenario, an editor completes and explains its keys)\n"
    "          ./maeotis schema --keys /physics/drag\n"
    "          ./maeotis schema --keys waves\n";

typedef struct CheckOptions {
    const char *scenario, *grid, *restart;
    bool effective, overwrite, help;
    int64_t processes;
    Overrides overrides;
} CheckOptions;

static Status parse_options(int argc, char **argv, CheckOptions *o) {
    bool trust = false;
    const Option options[] = {{"print-effective", OPTION_FLAG, &o->effective},
                              {"grid", OPTION_TEXT, &o->grid},
                              {"overwrite", OPTION_FLAG, &o->overwrite},
                              {"processes", OPTION_WHOLE, &o->processes, .least = 1, .letter = 'n'},
                              {"restart", OPTION_TEXT, &o->restart},
                              {"set", OPTION_TAKE, &o->overrides, .take = overrides_take},
                              {"trust", OPTION_FLAG, &trust},
                              {NULL}};
    *o = (CheckOptions){.processes = cluster_allowed_cores((int)sysconf(_SC_NPROCESSORS_ONLN))};
    Operands scenario = {"scenario", 1, 1, &o->scenario};
    TRY(options_read("check", argc, argv, options, &scenario));
    o->help = scenario.help;
    if (trust) kinetics_trust(true);
    return STATUS_OK;
}

/* Inertial motion turns too slowly by (f dt)^2/12. */
static void tell_rotation(const Simulation *sim) {
    const ScenarioTime *time = &sim->scenario->time;
    const double rate = rotation_rate(sim->rotation), turn = rate * time->step_s, slow = turn * turn / 12;
    if (rate <= 0) {
        puts("rotation   none (/physics/coriolis switches it on)");
        return;
    }
    printf(
        "rotation   %sf dt = %.3g: stable at any value; inertial motion keeps its speed, but its period is "
        "%.2g %% too long\n",
        time->automatic ? "in the longest step, " : "", turn, 100 * slow);
    const int passes = rotation_passes(sim->rotation, time->step_s);
    if (passes > 1)
        printf("           each step solves for the level %d times, to couple it with rotation\n", passes);
    if (slow > 0.01)
        log_warn(
            "f dt is %.2g: the period of inertial motion is %.1f %% too long; steps of at most %.10g s keep "
            "the error within 1 %%",
            turn, 100 * slow, log_rounded(sqrt(0.12) / rate, 3));
}

/* In one explicit sum with advection, or in stages. */
static void tell_viscosity(const Simulation *sim) {
    const ScenarioTime *time = &sim->scenario->time;
    const Momentum u = simulation_momentum(sim, true), v = simulation_momentum(sim, false);
    if (!sim->stages || !u.viscosity_in_sum) return;
    if (u.viscosity_c) {
        puts("viscosity  depends on the flow: each step takes as many stages as stability requires");
        return;
    }
    const double weights = viscous_stages_weights(sim->stages, sim->exec, &u, &v) * time->step_s / sim->dt;
    const char *step = time->automatic ? "in the longest step, " : "";
    printf("viscosity  %sA dt (1/dx2 + 1/dy2) = %.2g: ", step, weights);
    if (weights < 0.5)
        printf("one explicit sum with advection up to a Courant number of %.2g, a stage of its own above\n",
               1 - 2 * weights);
    else
        printf("%d stages\n", viscous_stages_count(weights));
}

/* A single layer has the speed of long waves, not of short ones. */
static void tell_single_layer(const Simulation *sim) {
    const Grid *g = sim->grid;
    double depth = g->axes.along_bed ? 0 : -g->axes.interfaces[g->n3 - 1];
    double all = 0, single = 0;
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ptrdiff_t m = AT2(*g, i, r.j);
            if (sim->state->depth[m] <= 0) continue;
            all += g->area[m];
            if (g->bottom_c[m] < g->n3 - 1) continue;
            single += g->area[m];
            if (g->axes.along_bed) depth = fmax(depth, -g->bed[m]);
        }
    }
    if (single > 0)
        printf("           only one layer where the bed is %s than %g m below the datum (%.10g %% of the "
               "wet area): waves shorter than about three depths are too slow there\n",
               g->axes.along_bed ? "not deeper" : "less", depth, log_rounded(100 * single / all, 2));
}

static void tell_time(const Scenario *s) {
    const ScenarioTime *t = &s->time;
    char from[32], to[32];
    calendar_format_since(t->start, t->from_s, from);
    calendar_format_since(t->start, t->to_s, to);
    printf("time       %s to %s, ", from, to);
    if (t->automatic)
        printf("steps of %g to %g s, at Courant numbers of %g (flow) and %g (long waves)\n",
               t->step_bounds_s[0], t->step_bounds_s[1], time_step_courant(s), t->step_wave_courant);
    else
        printf("%.0f step%s of %g s\n", (t->to_s - t->from_s) / t->step_s,
               t->to_s - t->from_s < 1.5 * t->step_s ? "" : "s", t->step_s);
}

/* Frees the text; NULL: nothing to tell. */
static void tell(const char *what, char *text) {
    if (text) printf("%-10s %s\n", what, text);
    memory_free(text);
}

/* Waves that may run up a shore come from a displaced surface at the start, or from outside. */
static bool has_short_waves(const Scenario *s) {
    const Value *start = &s->initial.eta_m;
    bool found = start->kind == VALUE_EXPRESSION || (start->kind == VALUE_FILE && !start->of_nest);
    for (int n = 0; n < s->n_boundaries; n++) found |= s->boundaries[n].incoming_wave;
    return found;
}

static Status describe(const Scenario *s, Simulation *sim, int processes) {
    const Simulation *zoom = check_inner(sim);
    const GridMeasures measures = check_measure(sim);
    const double wave = measures.wave;
    printf("scenario   %s\n", s->title ? s->title : s->name);
    tell_time(s);
    check_grid(sim);
    tell("bed drag", roughness_describe(s, sim->state));
    tell("brakes", brakes_describe(s, sim->state));
    tell("forcing", forcing_describe(sim->forcing));
    if (sim->exchange) tell("air", exchange_describe(sim->exchange));
    if (sim->infiltration) tell("soil", infiltration_describe(sim->infiltration));
    if (sim->potential) tell("tides", equilibrium_tide_describe(sim->potential));
    if (sim->waves) tell("waves", wind_waves_describe(sim->waves));
    tell("kinetics", reactions_describe(sim->reactions));
    tell("outside", boundaries_describe(sim->boundaries));
    TRY(check_inputs(sim));
    printf("Courant    %slong waves %.2f (stable at any value; accurate up to about 10), flow at 1 m/s %.2f "
           "(best below %g)\n",
           s->time.automatic ? "in the longest step, " : "", wave, s->time.step_s / measures.shortest,
           time_step_best_courant(s));
    if (s->grid.flood_to_m > 0 && wave > 0.35 && wave < 3 && has_short_waves(s)) /* beyond 3, nobody asks */
        printf(
            "run-up     the run-up of tsunamis and swell is 6 %% too low at a long-wave Courant number of "
            "0.7, 1 to 2 %% at 0.35; to compute it, take steps of %.10g s (0.25). Tides, surges and floods "
            "need no shorter steps\n",
            log_rounded(0.25 * s->time.step_s / wave, 2));
    if (isfinite(sim->scales.level))
        printf("limits     the run stops when a level exceeds %.10g m or a speed %.10g m/s\n",
               log_rounded(sim->scales.level, 3), log_rounded(sim->scales.speed, 3));
    tell_rotation(sim);
    tell_viscosity(sim);
    check_tides(s);
    check_internal_waves(sim);
    if (sim->pressure) {
        printf("pressure   non-hydrostatic, solved to a relative residual of %g; the preconditioner was "
               "chosen by trial\n",
               s->solver.pressure_tolerance);
        tell_single_layer(sim);
    }
    check_lines(s, sim->grid);
    check_cuts(s, sim->grid, processes);
    TRY(output_check_harmonics(s, sim->state));
    if (zoom) TRY(output_check_harmonics(zoom->scenario, zoom->state));
    return check_costs(sim);
}

/* `results`: of an earlier run; NULL: none. */
static void say_ready(const CheckOptions *o, const char *results) {
    char *text = memory_copy_text("ready to run: ./maeotis run");
    command_word(&text, o->scenario);
    overrides_append(&o->overrides, &text);
    if (o->restart) {
        memory_append(&text, " --restart");
        command_word(&text, o->restart);
    }
    if (results)
        memory_append(&text,
                      " --new-folder\n\"%s\" already exists, from an earlier run: --new-folder keeps its "
                      "results, --overwrite replaces them",
                      results);
    log_make_printable(text);
    puts(text);
    memory_free(text);
}

static Status check_new(const CheckOptions *o, const char *grid) {
    CHECK(o->overwrite || getenv("MAEOTIS_OVERWRITE") || access(grid, F_OK) != 0, STATUS_BAD_INPUT,
          "\"%s\" already exists: --overwrite replaces it", grid);
    return folder_check_free(grid);
}

static Status write_grid(const CheckOptions *o, const Simulation *sim, const char *path) {
    TRY(output_guard(sim->scenario, &(GuardOptions){.grid = path, .overwrite = true}));
    TRY(check_new(o, path));
    return output_snapshot(path, &(RunFacts){.ground = sim->ground_note}, sim->state, NULL);
}

/* The finer grid's lies where the run would put its files: in a folder beside. */
static Status write_grids(const CheckOptions *o, const Simulation *sim) {
    TRY(write_grid(o, sim, o->grid));
    if (!check_inner(sim)) return STATUS_OK;
    char *finer = restart_of_zoom(o->grid);
    const Status status = write_grid(o, check_inner(sim), finer);
    memory_free(finer);
    return status;
}

static Status check_scenario(const CheckOptions *o) {
    Scenario *scenario = NULL;
    Simulation *sim = NULL;
    Status status;
    char *results = NULL;
    const char *left = "the contents of files, the water under the grid, records of the forcing, output";
    ATTEMPT(dates_load(MPI_COMM_SELF, o->scenario, &o->overrides, o->restart, NULL, &scenario));
    left = "other files, records of the forcing, output";
    ATTEMPT(nest_complete(MPI_COMM_SELF, scenario));
    ATTEMPT(simulation_create(scenario, MPI_COMM_SELF, "cpu", &sim));
    left = "output";
    ATTEMPT(records_check_open(MPI_COMM_SELF, true));
    left = NULL;
    ATTEMPT(output_check(scenario, sim->state));
    if (check_inner(sim)) ATTEMPT(output_check(check_inner(sim)->scenario, check_inner(sim)->state));
    ATTEMPT(output_guard(scenario, &(GuardOptions){.overwrite = true}));
    if (o->grid) ATTEMPT(write_grids(o, sim));
    if (o->effective) {
        char *text = scenario_effective(scenario);
        fputs(text, stdout);
        memory_free(text);
    } else {
        ATTEMPT(describe(scenario, sim, (int)o->processes));
        results = output_results(scenario);
        if (!results && check_inner(sim)) results = output_results(check_inner(sim)->scenario);
        simulation_destroy(&sim);
        ATTEMPT(check_variants(scenario));
        say_ready(o, results);
    }
cleanup:
    error_print(stderr);
    if (status == STATUS_BAD_INPUT && left)
        fprintf(stderr, "not checked until this is corrected: %s\n", left);
    memory_free(results);
    simulation_destroy(&sim);
    scenario_destroy(&scenario);
    return status;
}

int check_command(int argc, char **argv) {
    CheckOptions options;
    check_costs_begin();
    Status status = parse_options(argc, argv, &options);
    if (status == STATUS_OK && options.help) {
        fputs(CHECK_HELP, stdout);
        return 0;
    }
    if (status == STATUS_OK) status = check_scenario(&options);
    error_print(stderr);
    return status;
}

int schema_command(int argc, char **argv) {
    const bool keys = (argc == 2 || argc == 3) && strcmp(argv[1], "--keys") == 0;
    if (argc > 1 && !keys) {
        bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
        const char *word = argv[strcmp(argv[1], "--keys") == 0 ? 3 : 1];
        if (!help)
            fprintf(stderr, "error: schema: %s %s\n\n",
                    *word == '-' ? "unknown option" : "one key or word is enough, not also", word);
        fputs(SCHEMA_HELP, help ? stdout : stderr);
        return help ? 0 : STATUS_BAD_INPUT;
    }
    char *text = keys ? scenario_keys(argc == 3 ? argv[2] : NULL) : scenario_schema();
    if (!*text) {
        fprintf(stderr,
                "error: no key matches or contains \"%s\": ./maeotis schema --keys lists all of them\n",
                argv[2]);
        memory_free(text);
        return STATUS_BAD_INPUT;
    }
    fputs(text, stdout);
    memory_free(text);
    return 0;
}
