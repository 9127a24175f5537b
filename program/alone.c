/* SPDX-License-Identifier: Apache-2.0 */
#include "program/alone.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const settings[][2] = {{"OMPI_MCA_pml", "ob1"},
                                          {"OMPI_MCA_btl", "self"},
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

/* Open MPI reads it when the first file is opened, so it stays set; processes launched from here find that of one alone. */
static void choose_shared_pointers(bool launched) {
    static const char name[] = "OMPI_MCA_sharedfp", alone[] = "^sm";
    const char *given = getenv(name);
    if (!given || strcmp(given, alone) == 0) setenv(name, launched ? "sm" : alone, 1);
}

void alone_prepare(void) {
    const bool launched = is_launched();
    choose_shared_pointers(launched);
    if (launched) return;
    for (size_t n = 0; n < sizeof settings / sizeof *settings; n++) {
        set[n] = !getenv(settings[n][0]);
        setenv(settings[n][0], settings[n][1], 0);
    }
}

void alone_forget(void) {
    for (size_t n = 0; n < sizeof settings / sizeof *settings; n++)
        if (set[n]) unsetenv(settings[n][0]);
}
