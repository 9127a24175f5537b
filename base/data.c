/* SPDX-License-Identifier: Apache-2.0 */
#include "base/data.h"

#include "base/build_info.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *in_folder(const char *folder, const char *below, const char *file) {
    if (!folder || !*folder) return NULL;
    char *path = memory_format("%s%s/%s", folder, below, file);
    if (access(path, R_OK) == 0) return path;
    memory_free(path);
    return NULL;
}

/* The folder of the running program; empty if the system does not say. */
static void program_folder(char folder[4096]) {
    ssize_t length = readlink("/proc/self/exe", folder, 4095);
    folder[length > 0 ? length : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
}

Status data_find(const char *file, char **out) {
    char folder[4096];
    program_folder(folder);
    *out = in_folder(getenv("MAEOTIS_DATA"), "", file);
    if (!*out) *out = in_folder(folder, "/../../share/maeotis", file); /* of <prefix>/libexec/maeotis */
    if (!*out) *out = in_folder(folder, "/..", file); /* of a build folder, also in a tree that was moved */
    if (!*out) *out = in_folder(MAEOTIS_SOURCE_DIR, "", file);
    CHECK(*out, STATUS_BAD_INPUT,
          "%s comes with the program but is neither beside it (%s) nor in %s; set MAEOTIS_DATA to the folder "
          "that contains %s",
          file, folder, MAEOTIS_SOURCE_DIR, file);
    return STATUS_OK;
}
