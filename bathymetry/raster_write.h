/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a raster as CF NetCDF that raster_read, and every tool that knows CF, reads back.
 */
#ifndef MAEOTIS_BATHYMETRY_RASTER_WRITE_H
#define MAEOTIS_BATHYMETRY_RASTER_WRITE_H

#include "bathymetry/raster.h"

/* `history` says how it was made, `ledger` (may be NULL) lists the edits; both become attributes, beside the
 * raster's own source and checksum. The file appears under its name when it is whole, or not at all. Local.
 */
CHECKED Status raster_write(const char *path, const Raster *raster, const char *history, const char *ledger);

#endif
