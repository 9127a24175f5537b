/* SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the text, the readers of text rasters neither crash nor read beyond its end, and refuse with a
 * message.
 */
#include "bathymetry/raster_internal.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = malloc(size + !size); /* of the exact size, so that reading one byte more is seen */
    if (size) memcpy(copy, data, size);
    FileBytes file = {"fuzz", copy, size};
    Raster raster = {0};
    Status status =
        raster_is_ascii(&file) ? raster_read_ascii(&file, &raster) : raster_read_xyz(&file, &raster);
    if (status == STATUS_OK && !(raster.nx > 0 && raster.ny > 0 && raster.dx > 0 && raster.dy > 0)) abort();
    if (status != STATUS_OK && error_count() == 0) abort();
    memory_free(raster.elevation);
    error_clear();
    free(copy);
    return 0;
}
