/* SPDX-License-Identifier: Apache-2.0 */
#include "program/progress.h"

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "program/pace.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char LOG_BEGINS[] = "{\"step\": ";

struct Progress {
    const Scenario *scenario;
    int rank;
    bool terminal, quiet, line_open;
    double first, last; /* [s since the start] */
    double started, shown;
    double seen, past; /* by the clock, and the model's time, when the last step was noted */
    Pace pace;
    FILE *json;
};

static const double TERMINAL_EVERY_S = 0.25, LOG_EVERY_S = 10;

/* A log is never written over what is none, nor through a link. Pipes and terminals have nothing to lose. */
static Status open_log(const char *path, FILE **out) {
    struct stat about;
    char first[sizeof LOG_BEGINS] = "";
    const bool exists = stat(path, &about) == 0, elsewhere = exists && !S_ISREG(about.st_mode);
    const int descriptor =
        open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | (elsewhere ? 0 : O_NOFOLLOW), 0666);
    CHECK(descriptor >= 0 || errno != ELOOP, STATUS_BAD_INPUT,
          "--log-json: \"%s\" is a symbolic link: name the file itself", path);
    *out = descriptor >= 0 ? fdopen(descriptor, "a") : elsewhere ? fopen(path, "a") : NULL;
    CHECK(*out, STATUS_BAD_INPUT, "--log-json: cannot write %s: %s", path, strerror(errno));
    if (elsewhere || !exists || about.st_size == 0) return STATUS_OK;
    const bool is_log = pread(descriptor, first, sizeof first - 1, 0) == (ssize_t)sizeof first - 1 &&
                        strcmp(first, LOG_BEGINS) == 0;
    CHECK(is_log, STATUS_BAD_INPUT, "--log-json: \"%s\" is not the log of a run: choose another name", path);
    return STATUS_OK;
}

Status progress_create(const Scenario *scenario, int rank, double first, double last, const char *json_path,
                       bool quiet, Progress **out) {
    Progress *p = ALLOCATE(1, Progress);
    *out = p;
    *p = (Progress){.scenario = scenario, .rank = rank, .quiet = quiet, .first = first, .last = last};
    /* mpirun puts a pipe between: the launcher tells of the terminal behind it */
    p->terminal = rank == 0 && (isatty(fileno(stderr)) || getenv("MAEOTIS_TERMINAL"));
    progress_start_clock(p);
    if (rank != 0 || !json_path) return STATUS_OK;
    return open_log(json_path, &p->json);
}

void progress_start_clock(Progress *p) {
    p->started = p->shown = p->seen = MPI_Wtime();
    p->past = p->first;
    p->pace = (Pace){.steps = 0};
}

void progress_note(Progress *p, const State *state) {
    const double now = MPI_Wtime();
    pace_note(&p->pace, now - p->seen, state->time - p->past);
    p->seen = now;
    p->past = state->time;
}

/* Where the lines of steps up to this one end. */
static off_t end_of_lines(int log, int64_t step) {
    off_t end = 0;
    char *line = NULL;
    size_t room = 0;
    int64_t of;
    FILE *in = fdopen(dup(log), "r");
    if (!in) return 0;
    rewind(in);
    for (ssize_t length; (length = getline(&line, &room, in)) > 0 && line[length - 1] == '\n'; end += length)
        if (sscanf(line, "{\"step\": %" SCNd64, &of) != 1 || of > step) break;
    fclose(in);
    free(line);
    return end;
}

Status progress_begin(Progress *p, int64_t step) {
    struct stat about;
    if (!p->json || fstat(fileno(p->json), &about) != 0 || !S_ISREG(about.st_mode)) return STATUS_OK;
    CHECK(ftruncate(fileno(p->json), end_of_lines(fileno(p->json), step)) == 0, STATUS_FAILED,
          "--log-json: cannot shorten it: %s", strerror(errno));
    return STATUS_OK;
}

/* "1 min 05 s" */
static void format_duration(double seconds, char out[32]) {
    int whole = (int)fmin(seconds + 0.5, 1e9);
    if (whole < 60)
        snprintf(out, 32, "%d s", whole);
    else if (whole < 3600)
        snprintf(out, 32, "%d min %02d s", whole / 60, whole % 60);
    else
        snprintf(out, 32, "%d h %02d min", whole / 3600, whole / 60 % 60);
}

/* "31 s"; "31 s to 1 min 05 s" where the pace changes */
static void format_left(const Pace *pace, double model_s, char out[68]) {
    double left[2];
    char least[32], most[32];
    pace_left(pace, model_s, left);
    format_duration(left[0], least);
    format_duration(left[1], most);
    const int n = snprintf(out, 68, "%s", least);
    if (strcmp(least, most) != 0) snprintf(out + n, 68 - (size_t)n, " to %s", most);
}

static void show_line(Progress *p, const Simulation *sim, const LedgerRow *ledger) {
    const State *s = sim->state;
    const StepReport *r = &sim->report;
    double elapsed = fmax(MPI_Wtime() - p->started, 1e-9), done = s->time - p->first;
    double part = done / (p->last - p->first);
    double days_per_hour = done / 86400 / (elapsed / 3600);
    char date[32], remaining[68], iterations[64];
    int n = snprintf(iterations, sizeof iterations, "%d", r->surface.iterations);
    if (sim->implicit[0])
        n += snprintf(iterations + n, sizeof iterations - (size_t)n, "+%d+%d", r->momentum[0].iterations,
                      r->momentum[1].iterations);
    if (sim->pressure) snprintf(iterations + n, sizeof iterations - (size_t)n, "+%d", r->pressure.iterations);
    calendar_format_since(s->start, s->time, date);
    format_left(&p->pace, p->last - s->time, remaining);
    fprintf(stderr,
            "%s%3.0f %%  %s  %.0f days/h  left %s  |u| %.2f m/s  C %.2f  it %s  dV/V %.0e  %016" PRIx64 "%s",
            p->terminal ? "\r\033[K" : "", 100 * part, date, days_per_hour, remaining, r->fastest,
            r->advective_courant, iterations,
            ledger->volume_m3 > 0 ? ledger->error_m3 / ledger->volume_m3 : 0, ledger->digest,
            p->terminal ? "" : "\n");
    p->line_open = p->terminal;
    fflush(stderr);
}

/* What a kinetics module's processes did since the start. */
static void show_processes(Progress *p, const MaeotisKinetics *module, const double *total) {
    for (int n = 0; n < module->n_processes; n++)
        fprintf(p->json, "%s\"%s\": %.17g", n ? ", " : ", \"processes\": {", module->processes[n].name,
                total[n]);
    if (module->n_processes > 0) fputs("}", p->json);
}

static void show_events(Progress *p, const State *state, const EventSize *sizes) {
    for (int n = 0; n < state->n_events; n++)
        fprintf(p->json, "%s\"%s\": {\"area_m2\": %.17g, \"volume_m3\": %.17g}", n ? ", " : ", \"events\": {",
                state->event[n].name, sizes[n].area_m2, sizes[n].volume_m3);
    if (state->n_events > 0) fputs("}", p->json);
}

static void show_json(Progress *p, const Simulation *sim, const LedgerRow *ledger) {
    const StepReport *r = &sim->report;
    char date[32];
    calendar_format_since(sim->state->start, sim->state->time, date);
    fprintf(p->json,
            "{\"step\": %" PRId64 ", \"time\": \"%s\", \"elapsed_s\": %.17g, \"step_s\": %.17g, "
            "\"max_speed_m_s\": %.9g, \"advective_courant\": %.6g, \"wave_courant\": "
            "%.6g, \"newton\": %d, \"iterations\": %d, \"residual\": %.3e, \"limited_sweeps\": %d, "
            "\"iterations_u\": %d, \"residual_u\": %.3e, \"iterations_v\": %d, \"residual_v\": %.3e, "
            "\"iterations_pressure\": %d, \"residual_pressure\": %.3e, "
            "\"volume_m3\": %.17g, \"sources_m3\": %.17g, \"air_m3\": %.17g, \"boundaries_m3\": %.17g, "
            "\"volume_error_m3\": "
            "%.9g, \"digest\": \"%016" PRIx64 "\"",
            sim->state->step, date, sim->state->time, sim->dt, r->fastest, r->advective_courant,
            r->wave_courant, r->surface.newton, r->surface.iterations, r->surface.residual,
            r->surface.limited_sweeps, r->momentum[0].iterations, r->momentum[0].residual,
            r->momentum[1].iterations, r->momentum[1].residual, r->pressure.iterations, r->pressure.residual,
            ledger->volume_m3, ledger->sources_m3, ledger->air_m3, ledger->boundaries_m3, ledger->error_m3,
            ledger->digest);
    if (sim->infiltration)
        fprintf(p->json, ", \"intercepted_m3\": %.17g, \"infiltrated_m3\": %.17g, \"drained_m3\": %.17g",
                ledger->lost_m3[LOSS_INTERCEPTED], ledger->lost_m3[LOSS_INFILTRATED],
                ledger->lost_m3[LOSS_DRAINED]);
    for (int n = 0; n < sim->state->n_tracers; n++) {
        const TracerAccount *a = &ledger->tracers[n];
        fprintf(p->json,
                "%s\"%s\": {\"content\": %.17g, \"bed\": %.17g, \"sources\": %.17g, \"air\": %.17g, "
                "\"boundaries\": %.17g, \"reactions\": %.17g, "
                "\"error\": %.9g, ",
                n ? ", " : ", \"tracers\": {", sim->state->tracer[n].name, a->content, a->bed, a->sources,
                a->air, a->boundaries, a->reactions, a->error);
        if (isfinite(a->least))
            fprintf(p->json, "\"least\": %.17g, \"most\": %.17g}", a->least, a->most);
        else /* where no cell holds water, there is none, and JSON knows no infinity */
            fputs("\"least\": null, \"most\": null}", p->json);
    }
    if (sim->state->n_tracers) fputs("}", p->json);
    if (sim->reactions) show_processes(p, reactions_module(sim->reactions), ledger->processes);
    show_events(p, sim->state, ledger->events);
    fputs("}\n", p->json);
}

void progress_watch(Progress *p, const Watch *watch, const Simulation *sim) {
    watch_write(watch, sim, p->json);
}

bool progress_due(const Progress *p) {
    const double every = p->terminal ? TERMINAL_EVERY_S : LOG_EVERY_S;
    return p->rank == 0 && !p->quiet && fabs(MPI_Wtime() - p->shown) >= every;
}

bool progress_is_last(const Progress *p, double time) {
    return time >= p->last - 1e-6;
}

void progress_show(Progress *p, const Simulation *sim, const LedgerRow *ledger) {
    if (p->rank != 0) return;
    if (p->json) show_json(p, sim, ledger);
    if (p->quiet || !sim->has_digest || !(progress_due(p) || progress_is_last(p, sim->state->time))) return;
    p->shown = MPI_Wtime();
    show_line(p, sim, ledger);
}

Status progress_check_log(const Progress *p) {
    CHECK(!p->json || (fflush(p->json) == 0 && !ferror(p->json)), STATUS_FAILED,
          "--log-json: not everything could be written. Is the disk full?");
    return STATUS_OK;
}

/* Of all that is carried, against what there is, was, came and went. */
static void warn_of_accounts(const State *state, const LedgerRow *ledger) {
    const double round_off = 1e-9; /* of very many steps */
    for (int n = 0; n < state->n_tracers; n++) {
        const TracerAccount *a = &ledger->tracers[n];
        const double came = a->sources + a->air + a->boundaries + a->reactions,
                     first = a->content + a->bed - came;
        const double is = ledger->volume_m3 > 0 ? ledger->volume_m3 * fmax(fabs(a->least), fabs(a->most)) : 0;
        const double all =
            fabs(first) + fabs(a->sources) + fabs(a->air) + fabs(a->boundaries) + fabs(a->reactions) + is;
        if (isfinite(all) && fabs(a->error) > round_off * all)
            log_warn("the budget of %s closes only to %.1e of its content: this part was created or lost; "
                     "shorten time.step_s or choose another physics.tracers.scheme",
                     state->tracer[n].name, fabs(a->error) / all);
    }
}

/* Temperature and salinity beyond what a scenario may give: heat or drought without end. */
static void warn_of_values(const State *state, const LedgerRow *ledger) {
    static const struct {
        const char *name;
        double least, most;
    } known[] = {{"temperature", -10, 100}, {"salinity", 0, 400}};
    const double round_off = 1e-9;
    for (int n = 0; n < state->n_tracers; n++)
        for (int m = 0; m < 2; m++) {
            const TracerAccount *a = &ledger->tracers[n];
            if (strcmp(state->tracer[n].name, known[m].name) == 0 && isfinite(a->least) &&
                (a->least < known[m].least - round_off || a->most > known[m].most))
                log_warn("%s ranges from %.4g to %.4g at the end, outside the possible range, %g to %g; "
                         "check heat fluxes, rain and evaporation",
                         known[m].name, a->least, a->most, known[m].least, known[m].most);
        }
}

void progress_warn(const State *state, const LedgerRow *ledger) {
    warn_of_accounts(state, ledger);
    warn_of_values(state, ledger);
}

double progress_finish(Progress *p) {
    if (p->line_open) fputc('\n', stderr);
    p->line_open = false;
    return fmax(MPI_Wtime() - p->started, 0); /* clocks may be set back */
}

void progress_destroy(Progress **progress) {
    if (!*progress) return;
    if ((*progress)->json) fclose((*progress)->json);
    memory_free(*progress);
    *progress = NULL;
}
