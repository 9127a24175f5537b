/* SPDX-License-Identifier: Apache-2.0 */
#include "program/dates.h"

#include "base/calendar.h"
#include "base/schedule.h"
#include "output/output.h"
#include <math.h>

/* Dates are counted from 1970, which leaves a fraction of a microsecond in doubt. */
static double between(double start, double date) {
    return nearbyint((date - start) * 1e6) / 1e6;
}

static bool is_at(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/* Time counts from the start of the first run. Local. */
static Status go_on(const char *restart, const RestartDates *file, ScenarioTime *time) {
    char now[32], dated[3][32];
    time->dated_s = between(file->start, time->start);
    calendar_format(time->start, now);
    calendar_format_since(file->start, file->elapsed, dated[0]);
    calendar_format_since(file->start, file->began, dated[1]);
    calendar_format(file->start, dated[2]);
    const bool at_file = is_at(time->dated_s, file->elapsed), at_start = is_at(time->dated_s, 0);
    CHECK(at_file || at_start || is_at(time->dated_s, file->began), STATUS_BAD_INPUT,
          "/time/start is %s, but \"%s\" contains the sea at %s, of a run that began at %s%s%s: set "
          "/time/start to one of these dates or leave it out",
          now, restart, dated[0], dated[1], file->began > 0 ? " and continues one from " : "",
          file->began > 0 ? dated[2] : "");
    time->start = file->start;
    time->duration_s = time->to_s = time->dated_s + time->duration_s;
    time->end = time->start + time->duration_s;
    time->from_s = fmin(file->elapsed, time->duration_s);
    return STATUS_OK;
}

static Status stop_at(const char *date, ScenarioTime *time) {
    double until;
    char why[160];
    if (!date) return STATUS_OK;
    CHECK(calendar_parse(date, &until, why) == STATUS_OK, STATUS_BAD_INPUT, "--until %s: %s", date, why);
    const double after = between(time->start, until);
    CHECK(after > time->dated_s, STATUS_BAD_INPUT, "--until %s is not after the scenario's start", date);
    time->to_s = fmin(time->duration_s, after);
    time->from_s = fmin(time->from_s, time->to_s);
    return STATUS_OK;
}

/* The dates of the file, and the setting that gives its date to a scenario without one. Collective. */
static Status take_restart(MPI_Comm comm, const char *path, RestartDates *file, char setting[64],
                           Overrides *settings) {
    const int room = (int)(sizeof settings->text / sizeof *settings->text);
    char date[32];
    int rank;
    MPI_Comm_rank(comm, &rank);
    TRY(status_agree(comm, rank == 0 ? restart_dates(path, file) : STATUS_OK));
    MPI_Bcast(file, sizeof *file, MPI_BYTE, 0, comm);
    CHECK(settings->count < room, STATUS_BAD_INPUT, "too many --set options: write them into the scenario");
    calendar_format_since(file->start, file->elapsed, date);
    snprintf(setting, 64, "?/time/start=%s", date);
    settings->text[settings->count++] = setting;
    return STATUS_OK;
}

Status dates_load(MPI_Comm comm, const char *scenario, const Overrides *overrides, const char *restart,
                  const char *until, Scenario **out) {
    Overrides settings = *overrides;
    RestartDates file;
    char setting[64];
    if (restart) TRY(take_restart(comm, restart, &file, setting, &settings));
    TRY(scenario_load(comm, scenario, &settings, out));
    if (restart) TRY(go_on(restart, &file, &(*out)->time));
    return stop_at(until, &(*out)->time);
}
