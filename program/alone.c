/* SPDX-License-Identifier: Apache-2.0 */
#include "program/alone.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const settings[][2] = {{"OMPI_MCA_pml", "ob1"},
                                          {"OMPI_MCA_btl", "self"},
                                          {"OMPI_MCA_sharedfp", "^sm"},
                                          {"OMPI_MCA_ess_singleton_isolated", "1"},
                                          {"OMPI_MCA_orte_create_session_dirs", "0"}};
static bool set[sizeof settings / sizeof *settings];

static bool is_launched(void) {
    static const char *const launchers[] = {"OMPI_COMM_", "ORTE_", "PMIX_", "PMI_"};
    for (char **variable = environ; *variable; variable++)
        for (size_t n = 0; n < sizeof launchers / sizeof *launchers; n++)
            if (strncmp(*variable, launchers[n], strlen(launchers[n])) == 0) return true;
    return false;
}

void alone_prepare(void) {
    if (is_launched()) {
        setenv("OMPI_MCA_sharedfp", "sm", 0);
        return;
    }
    for (size_t n = 0; n < sizeof settings / sizeof *settings; n++) {
        set[n] = !getenv(settings[n][0]);
        setenv(settings[n][0], settings[n][1], 0);
    }
}

void alone_forget(void) {
    for (size_t n = 0; n < sizeof settings / sizeof *settings; n++)
        if (set[n]) unsetenv(settings[n][0]);
}
