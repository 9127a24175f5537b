/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the grids that come with the program lie.
 */
#include "bathymetry/raster.h"

#include "base/build_info.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *file;
} shipped[] = {{"azov", "azov_1km.nc"}, {"peer_basin", "peer_basin_1km.asc"}};

static char *in_folder(const char *folder, const char *below, const char *file) {
    if (!folder || !*folder) return NULL;
    char *path = memory_format("%s%s/%s", folder, below, file);
    if (access(path, R_OK) == 0) return path;
    memory_free(path);
    return NULL;
}

/* The folder of the running program; empty where the system does not say. */
static void program_folder(char folder[4096]) {
    ssize_t length = readlink("/proc/self/exe", folder, 4095);
    folder[length > 0 ? length : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
}

char *raster_find_shipped(const char *name) {
    const char *file = NULL;
    for (size_t n = 0; n < sizeof shipped / sizeof *shipped; n++)
        if (strcmp(name, shipped[n].name) == 0) file = shipped[n].file;
    if (!file) return NULL;
    char folder[4096];
    program_folder(folder);
    char *path = in_folder(getenv("MAEOTIS_DATA"), "", file);
    if (!path) path = in_folder(MAEOTIS_SOURCE_DIR, "/bathymetry", file);
    if (!path) path = in_folder(folder, "/bathymetry", file);
    if (!path) path = in_folder(folder, "/../bathymetry", file); /* a build folder in a tree that was moved */
    if (!path) path = in_folder(folder, "/../share/maeotis/bathymetry", file);
    return path;
}
