/* SPDX-License-Identifier: Apache-2.0 */
#include "program/session_words.h"

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "model/seam/seam.h"
#include "output/parts.h"
#include "program/grid_words.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* "72 steps of 60 s" or "steps of 1 to 300 s" */
static void describe_steps(const Session *session, double seconds, char out[80]) {
    const ScenarioTime *t = &session->scenario->time;
    if (t->automatic)
        snprintf(out, 80, "steps of %g to %g s", t->step_bounds_s[0], t->step_bounds_s[1]);
    else
        snprintf(out, 80, "%.0f steps of %g s", ceil(seconds / t->step_s - 1e-9) + 0.0, t->step_s);
}

static void say_zoom(const Seam *seam) {
    const Grid *g = seam_inner(seam)->grid;
    int64_t columns, cells;
    grid_count(g, &columns, &cells);
    char *box = grid_box_words(&g->axes);
    log_info("  zoom     %d x %d x %d, %" PRId64 " wet columns, %" PRId64
             " wet cells; %s; %.3g times the work of the outer grid",
             g->nx, g->ny, g->n3, columns, cells, box, seam_work(seam));
    memory_free(box);
}

/* Frees the text; NULL: nothing to tell. */
static void tell(const char *what, char *text) {
    if (text) log_info("  %-8s %s", what, text);
    memory_free(text);
}

void session_say_start(const Session *session, double end) {
    const Scenario *s = session->scenario;
    const Simulation *sim = session->sim;
    const Grid *g = sim->grid;
    int64_t columns, cells;
    const double begin = sim->state->time;
    char from[32], to[32], steps[80];
    grid_count(g, &columns, &cells);
    describe_steps(session, end - begin, steps);
    calendar_format_since(s->time.start, begin, from);
    calendar_format_since(s->time.start, end, to);
    log_info("%s", s->title ? s->title : s->name);
    const Cuts cuts = decomposition_cuts(&g->decomposition);
    char shape[CUTS_SHAPE];
    const bool one = cuts_ranks(&cuts) == 1;
    log_info("  grid     %d x %d x %d, %" PRId64 " wet columns, %" PRId64 " wet cells; %s process%s%s", g->nx,
             g->ny, g->n3, columns, cells, one ? "1" : cuts_shape(&cuts, shape), one ? "" : "es",
             g->decomposition.straight ? "" : ", in strips");
    if (!one) {
        const Machine *m = &g->decomposition.machine;
        const ClusterLink *link = &m->link[machine_link(m->node, 0, cuts_ranks(&cuts) - 1)];
        log_info(
            "  cuts     chosen for messages of %.3g us + %.3g ns a byte and %.3g ns a cell in a sweep (%s)",
            link->latency_us, link->ns_per_byte, m->sweep_ns, m->origin);
    }
    if (g->axes.map) tell("map", map_words(&g->axes));
    if (sim->seam) say_zoom(sim->seam);
    tell("forcing", forcing_describe(sim->forcing));
    if (sim->exchange) tell("air", exchange_describe(sim->exchange));
    if (sim->infiltration) tell("soil", infiltration_describe(sim->infiltration));
    if (sim->potential) tell("tides", equilibrium_tide_describe(sim->potential));
    if (sim->waves) tell("waves", wind_waves_describe(sim->waves));
    tell("kinetics", reactions_describe(sim->reactions));
    tell("outside", boundaries_describe(sim->boundaries));
    log_info("  time     %s to %s, %s", from, to, steps);
}

/* A run that was dated by its restart file keeps its start when it goes on from a later one. */
static void add_start(const Session *session, char **words) {
    const ScenarioTime *time = &session->scenario->time;
    char date[32];
    if (time->dated_s == 0) return;
    calendar_format_since(time->start, time->dated_s, date);
    memory_append(words, " --set /time/start=%s", date);
}

/* `finer`: a file of a zoom; NULL: none. */
static void say_next(const char *folder, const char *file, const char *finer) {
    char *line = memory_copy_text("look at it: ./maeotis report");
    command_word(&line, folder);
    memory_append(&line, " (one page), ./maeotis plot");
    command_word(&line, file);
    if (finer) command_word(&line, finer);
    log_info("%s (pictures)", line);
    memory_free(line);
}

static void say_file(const Output *output, const ScenarioOutput *is, const char *file, int n) {
    static const char *const each[] = {[PART_DAY] = "day", [PART_MONTH] = "month", [PART_YEAR] = "year"};
    const int more = output_parts(output, n) - 1;
    if (more > 0)
        log_info("  %s, and %d more, one for each %s", file, more, each[is[n].cut]);
    else
        log_info("  %s", file);
}

static void say_files(const Output *output, const ScenarioOutput *is) {
    const char *const *files = output_files(output);
    for (int n = 0; files[n]; n++) say_file(output, is, files[n], n);
}

void session_say_end(Session *session, double seconds, Status status) {
    simulation_find_digest(session->sim);
    LedgerRow ledger = simulation_ledger(session->sim);
    char date[32];
    session->record->digest = ledger.digest;
    calendar_format_since(session->sim->state->start, session->sim->state->time, date);
    progress_warn(session->sim->state, &ledger);
    log_info("%s at %s after %.1f s; volume budget closed to %.1e of the volume; digest %016" PRIx64,
             status == STATUS_INTERRUPTED ? "stopped on request" : "done", date, seconds,
             ledger.volume_m3 > 0 ? ledger.error_m3 / ledger.volume_m3 : 0, ledger.digest);
    if (!session->output) return;
    output_take_ledger(session->output, &ledger);
    const char *const *files = output_files(session->output);
    if (files[0] || (session->zoom && output_files(session->zoom)[0])) log_info("files:");
    say_files(session->output, session->scenario->outputs);
    if (session->zoom) say_files(session->zoom, session->scenario->zoom.outputs);
    if (session->restart[0]) {
        const bool whole = session->sim->state->time >= session->scenario->time.duration_s - SCHEDULE_EARLY_S;
        char *line = memory_copy_text("./maeotis run");
        command_word(&line, session->scenario->path);
        overrides_append(&session->options->overrides, &line);
        int processes;
        MPI_Comm_size(session->comm, &processes);
        if (!getenv("MAEOTIS_RANKS_BY_DEFAULT")) memory_append(&line, " -n %d", processes);
        if (!whole) add_start(session, &line);
        memory_append(&line, " --restart");
        command_word(&line, session->restart);
        log_info("%s: %s", whole ? "with a later /time/end, continue with" : "continue with", line);
        memory_free(line);
    }
    const char *finer = session->zoom ? output_files(session->zoom)[0] : NULL;
    if (files[0] || finer)
        say_next(session->scenario->output_folder, files[0] ? files[0] : finer, files[0] ? finer : NULL);
}
