/* SPDX-License-Identifier: Apache-2.0
 *
 * The ground under the grid, from the scenario's bathymetry section.
 */
#ifndef MAEOTIS_MODEL_TERRAIN_GROUND_H
#define MAEOTIS_MODEL_TERRAIN_GROUND_H

#include "bathymetry/topography.h"
#include "settings/scenario.h"

/* Bed and open shares of this rank's band, repaired; `note` gets on rank 0 where they came from and the ledger of repairs
 * (to be freed). Collective over the band. */
CHECKED Status ground_make(const Scenario *scenario, const Axes *axes, const Band *band, Topography **out,
                           char **note);

/* The heights that these are made from, as far as the band's cells and faces need them: those of the file, or of the formula on
 * `pixels` x `pixels` points of each cell. Collective over the band; to be destroyed in any case. */
CHECKED Status ground_pixels(const Scenario *scenario, const Axes *axes, const Band *band, Raster **out);

#endif
