/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* lstat, S_ISLNK */
#include "output/guard.h"

#include "base/log.h"
#include "base/memory.h"
#include "output/inputs.h"
#include "output/parts.h"
#include "output/restart.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* `may_be_device`: a log may go to a terminal or a pipe. */
static Status check_target(const Scenario *scenario, const char *path, const char *restart,
                           bool may_be_device) {
    struct stat named, target, other;
    if (lstat(path, &named) != 0) return STATUS_OK; /* not there */
    CHECK(!S_ISLNK(named.st_mode) || may_be_device, STATUS_BAD_INPUT,
          "\"%s\" is a symbolic link, which a run does not follow when writing: remove it, or choose another "
          "name",
          path);
    if (stat(path, &target) != 0) return STATUS_OK;
    CHECK(S_ISREG(target.st_mode) || may_be_device, STATUS_BAD_INPUT,
          "\"%s\" is in the way: it is not a regular file; move it, or choose another name", path);
    char *input = inputs_find(scenario, &target);
    if (!input && restart && stat(restart, &other) == 0 && other.st_ino == target.st_ino &&
        other.st_dev == target.st_dev)
        input = memory_copy_text(restart);
    if (!input) return STATUS_OK;
    const Status status = error_raise(
        STATUS_BAD_INPUT,
        "the run would write \"%s\" over \"%s\", which it reads: choose another output file or folder", path,
        input);
    memory_free(input);
    return status;
}

char *output_results(const Scenario *scenario) {
    char *found = NULL, *path;
    struct stat facts;
    for (int n = 0; n < scenario->n_outputs; n++)
        for (double time = scenario->time.from_s;
             !found && (path = path_next(scenario, &scenario->outputs[n], &time));)
            if (stat(path, &facts) == 0)
                found = path;
            else
                memory_free(path);
    struct dirent **entries = NULL;
    const int n = found ? 0 : scandir(scenario->output_folder, &entries, restart_is_named, alphasort);
    if (n > 0) found = memory_format("%s/%s", scenario->output_folder, entries[n - 1]->d_name);
    for (int m = 0; m < n; m++) free(entries[m]);
    free(entries);
    return found;
}

static Status check_results(const Scenario *scenario) {
    char *found = output_results(scenario);
    if (!found) return STATUS_OK;
    const Status status =
        error_raise(STATUS_BAD_INPUT,
                    "\"%s\" already exists, from an earlier run. Choose: --overwrite replaces its results, "
                    "--new-folder writes into a new folder beside it, and --restart FILE continues it",
                    found);
    memory_free(found);
    return status;
}

static bool writes(const Scenario *scenario, const ScenarioOutput *output, const char *path) {
    bool same = false;
    double time = scenario->time.from_s;
    for (char *one; !same && (one = path_next(scenario, output, &time)); memory_free(one))
        same = strcmp(one, path) == 0;
    return same;
}

/* "sea_20240301.nc" or "sea.nc" beside "sea_20240228.nc", of which the name begins at `name` and the date at `date`. */
static bool is_beside(const char *name, const char *date, const char *other) {
    const size_t stem = (size_t)(date - name);
    if (strncmp(other, name, stem) != 0) return false;
    const size_t digits = other[stem] == '_' ? strspn(other + stem + 1, "0123456789") : 0;
    const char *ending = date + 1 + strspn(date + 1, "0123456789"), *rest = other + stem;
    return (digits >= 4 && digits <= 8 && strcmp(rest + 1 + digits, ending) == 0) ||
           strcmp(rest, ending) == 0;
}

/* Files of days that this run does not reach, or that were cut otherwise: commands take them and the new ones for one output. */
static void tell_of_others(const Scenario *scenario, const ScenarioOutput *output) {
    if (output->cut == PART_WHOLE) return;
    char *path = path_of_entry(scenario, output, scenario->time.from_s), *first = NULL;
    char *name = strrchr(path, '/') + 1, *folder = memory_format("%.*s", (int)(name - path), path);
    const char *date = strrchr(name, '_');
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, NULL, alphasort);
    int found = 0;
    for (int m = 0; m < n; m++) {
        char *other = memory_format("%s%s", folder, entries[m]->d_name);
        if (is_beside(name, date, entries[m]->d_name) && !writes(scenario, output, other) && found++ == 0)
            first = memory_copy_text(other);
        memory_free(other);
        free(entries[m]);
    }
    free(entries);
    if (found)
        log_warn("\"%s\"%s remains from an earlier run: plot, report and others would read it as a part of "
                 "\"%s\", like the files of this run; delete it or choose another /output_folder",
                 first, found > 1 ? " (and others like it)" : "", output->file);
    memory_free(first);
    memory_free(folder);
    memory_free(path);
}

/* All files of one output. */
static Status check_output(const Scenario *scenario, const ScenarioOutput *output, const char *restart) {
    Status status = STATUS_OK;
    double time = scenario->time.from_s;
    for (char *path; status == STATUS_OK && (path = path_next(scenario, output, &time)); memory_free(path))
        status = check_target(scenario, path, restart, false);
    return status;
}

Status output_guard(const Scenario *scenario, const GuardOptions *options) {
    for (int n = 0; n < scenario->n_outputs; n++)
        TRY(check_output(scenario, &scenario->outputs[n], options->restart));
    if (options->record) TRY(check_target(scenario, options->record, options->restart, false));
    if (options->grid) TRY(check_target(scenario, options->grid, options->restart, false));
    if (options->log) TRY(check_target(scenario, options->log, options->restart, true));
    for (int n = 0; options->record && !options->restart && n < scenario->n_outputs; n++)
        tell_of_others(scenario, &scenario->outputs[n]);
    return options->restart || options->overwrite ? STATUS_OK : check_results(scenario);
}
