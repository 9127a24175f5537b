/* SPDX-License-Identifier: Apache-2.0 */
#include "program/run_options.h"

#include "base/log.h"
#include "base/options.h"
#include <string.h>

/* Without a word: both. */
static Status take_force(const char *word, void *to) {
    const bool scenario = word && strcmp(word, "scenario") == 0, files = word && strcmp(word, "files") == 0;
    CHECK(!word || scenario || files, STATUS_BAD_INPUT,
          "run: --force takes =scenario or =files, the check to skip, not \"%s\"", word);
    if (!word)
        log_info("--force skips two checks of a restart: --force=scenario and --force=files skip one each");
    *(int *)to |= files ? FORCE_FILES : scenario ? FORCE_SCENARIO : FORCE_FILES | FORCE_SCENARIO;
    return STATUS_OK;
}

static Status take_watch(const char *text, void *watch) {
    return watch_add(watch, text);
}

Status run_options_parse(int argc, char **argv, RunOptions *o) {
    const Option options[] = {{"steps", OPTION_WHOLE, &o->steps},
                              {"until", OPTION_TEXT, &o->until},
                              {"restart", OPTION_TEXT, &o->restart},
                              {"force", OPTION_MAY, &o->force, .take = take_force},
                              {"set", OPTION_TAKE, &o->overrides, .take = overrides_take},
                              {"device", OPTION_TEXT, &o->device},
                              {"cluster", OPTION_TEXT, &o->cluster},
                              {"rebalance", OPTION_WHOLE, &o->rebalance, .least = 2},
                              {"log-json", OPTION_TEXT, &o->json},
                              {"quiet", OPTION_FLAG, &o->quiet},
                              {"overwrite", OPTION_FLAG, &o->overwrite},
                              {"new-folder", OPTION_FLAG, &o->new_folder},
                              {"no-files", OPTION_FLAG, &o->no_files},
                              {"watch", OPTION_TAKE, &o->watch, .take = take_watch},
                              {NULL}};
    *o = (RunOptions){.steps = -1};
    Operands scenario = {"scenario", 1, 1, &o->scenario};
    TRY(options_read("run", argc, argv, options, &scenario));
    o->help = scenario.help;
    CHECK(!o->rebalance || !o->no_files, STATUS_BAD_INPUT,
          "run: --rebalance needs a restart file: leave --no-files out");
    CHECK(!o->watch.count || o->json, STATUS_BAD_INPUT,
          "run: --watch writes into the log: add --log-json FILE");
    return STATUS_OK;
}

const char *run_options_device(const RunOptions *o, const Scenario *s) {
    return o->device ? o->device : s->solver.device ? s->solver.device : "cpu";
}
