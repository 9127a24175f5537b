/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* lstat, S_ISLNK */
#include "output/guard.h"

#include "base/memory.h"
#include "output/inputs.h"
#include "output/parts.h"
#include "output/restart.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* `may_be_device`: a log may go to a terminal or a pipe. */
static Status check_target(const Scenario *scenario, const char *path, const char *restart,
                           bool may_be_device) {
    struct stat named, target, other;
    if (lstat(path, &named) != 0) return STATUS_OK; /* not there */
    CHECK(!S_ISLNK(named.st_mode) || may_be_device, STATUS_BAD_INPUT,
          "\"%s\" is a symbolic link, and a run does not write through links: remove it, or choose another "
          "name",
          path);
    if (stat(path, &target) != 0) return STATUS_OK;
    CHECK(S_ISREG(target.st_mode) || may_be_device, STATUS_BAD_INPUT,
          "\"%s\" is in the way: it is not a regular file; move it away, or choose another name", path);
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
    return options->restart || options->overwrite ? STATUS_OK : check_results(scenario);
}
