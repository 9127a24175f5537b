/* SPDX-License-Identifier: Apache-2.0 */
#include "base/data.h"
#include "bathymetry/raster.h"
#include <string.h>

static const struct {
    const char *name, *file;
} shipped[] = {{"azov", "bathymetry/azov_1km.nc"}, {"peer_basin", "bathymetry/peer_basin_1km.asc"}};

Status raster_find_shipped(const char *name, char **out) {
    *out = NULL;
    for (size_t n = 0; n < sizeof shipped / sizeof *shipped; n++)
        if (strcmp(name, shipped[n].name) == 0) return data_find(shipped[n].file, out);
    return STATUS_OK;
}
