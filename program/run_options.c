/* SPDX-License-Identifier: Apache-2.0 */
#include "program/run_options.h"

#include "base/log.h"
#include "base/options.h"
#include <string.h>

enum {
    STEPS = 256,
    UNTIL,
    RESTART,
    FORCE,
    SET,
    DEVICE,
    CLUSTER,
    REBALANCE,
    LOG_JSON,
    QUIET,
    OVERWRITE,
    NEW_FOLDER,
    NO_FILES,
    WATCH
};

/* Without a word: both. */
static Status take_force(const char *word, RunOptions *o) {
    const bool scenario = word && strcmp(word, "scenario") == 0, files = word && strcmp(word, "files") == 0;
    CHECK(!word || scenario || files, STATUS_BAD_INPUT,
          "run: --force takes =scenario or =files, the check to skip, not \"%s\"", word);
    if (!word)
        log_info("--force skips two checks of a restart: --force=scenario and --force=files skip one each");
    o->force |= files ? FORCE_FILES : scenario ? FORCE_SCENARIO : FORCE_FILES | FORCE_SCENARIO;
    return STATUS_OK;
}

static Status take_option(int option, const char *value, RunOptions *o) {
    switch (option) {
    case STEPS:
        return option_whole("--steps", value, 0, &o->steps);
    case UNTIL:
        o->until = value;
        return STATUS_OK;
    case RESTART:
        o->restart = value;
        return STATUS_OK;
    case FORCE:
        return take_force(value, o);
    case SET:
        return overrides_add(&o->overrides, value);
    case DEVICE:
        o->device = value;
        return STATUS_OK;
    case CLUSTER:
        o->cluster = value;
        return STATUS_OK;
    case REBALANCE:
        return option_whole("--rebalance", value, 2, &o->rebalance);
    case LOG_JSON:
        o->json = value;
        return STATUS_OK;
    case OVERWRITE:
        o->overwrite = true;
        return STATUS_OK;
    case NEW_FOLDER:
        o->new_folder = true;
        return STATUS_OK;
    case NO_FILES:
        o->no_files = true;
        return STATUS_OK;
    case WATCH:
        return watch_add(&o->watch, value);
    case QUIET:
        o->quiet = true;
        return STATUS_OK;
    default:
        return error_raise(STATUS_BAD_INPUT,
                           "run: unknown option or missing value: %s (see ./maeotis run --help)", value);
    }
}

Status run_options_parse(int argc, char **argv, RunOptions *o) {
    static const struct option names[] = {{"steps", required_argument, NULL, STEPS},
                                          {"until", required_argument, NULL, UNTIL},
                                          {"restart", required_argument, NULL, RESTART},
                                          {"force", optional_argument, NULL, FORCE},
                                          {"set", required_argument, NULL, SET},
                                          {"device", required_argument, NULL, DEVICE},
                                          {"cluster", required_argument, NULL, CLUSTER},
                                          {"rebalance", required_argument, NULL, REBALANCE},
                                          {"log-json", required_argument, NULL, LOG_JSON},
                                          {"quiet", no_argument, NULL, QUIET},
                                          {"overwrite", no_argument, NULL, OVERWRITE},
                                          {"new-folder", no_argument, NULL, NEW_FOLDER},
                                          {"no-files", no_argument, NULL, NO_FILES},
                                          {"watch", required_argument, NULL, WATCH},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    *o = (RunOptions){.steps = -1};
    TRY(options_check("run", argc, argv, names));
    opterr = 0;
    optind = 0; /* from the start, also where it is called again */
    for (int c; (c = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
        o->help = c == 'h';
        if (o->help) return STATUS_OK;
        TRY(take_option(c, c == '?' ? argv[optind - 1] : optarg, o));
    }
    CHECK(optind == argc - 1, STATUS_BAD_INPUT, "run: %s (see ./maeotis run --help)",
          optind == argc ? "no scenario given" : "give only one scenario");
    CHECK(!o->rebalance || !o->no_files, STATUS_BAD_INPUT,
          "run: --rebalance needs a restart file: leave --no-files out");
    CHECK(!o->watch.count || o->json, STATUS_BAD_INPUT,
          "run: --watch writes to the log: add --log-json FILE");
    o->scenario = argv[optind];
    return STATUS_OK;
}

const char *run_options_device(const RunOptions *o, const Scenario *s) {
    return o->device ? o->device : s->solver.device ? s->solver.device : "cpu";
}
