#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes azov_1km.nc from the depth grid it was drawn up on.

    make_azov.py azov_depth_1km.nc azov_1km.nc

The input holds depths in cm, positive down, land as fill, on the cell centres of a 0.0125 x 1/120 degree grid.
The output holds the same numbers as elevations above mean sea level, with what must be said about them.
"""
import sys

import netCDF4
import numpy as np

ATTRIBUTES = {
    "Conventions": "CF-1.11, ACDD-1.3",
    "title": "Azov Sea: bed elevation, 0.0125 x 0.00833 degrees",
    "summary": "Demonstration bathymetry of the Azov Sea with the Taganrog Bay and the Kerch Strait. NOT FOR NAVIGATION "
               "and not for official forecasts.",
    "source": "GEBCO (GEBCO Compilation Group) through a published 0.05 x 0.04 degree model grid (depths of at least 3 m, "
              "smoothed twice), land mask from GSHHG 2.3.7 full resolution, a near-shore ramp, and hand adjustments",
    "references": "GEBCO Compilation Group, General Bathymetric Chart of the Oceans; Wessel and Smith (1996), A global, "
                  "self-consistent, hierarchical, high-resolution shoreline database, J. Geophys. Res. 101, 8741-8743",
    "license": "GEBCO: public domain, to be cited. GSHHG: LGPL-3.0-or-later; the land mask of this file derives from it",
    "comment": "The bulk geometry is good: sea north of the Kerch Strait 37 100 km2 and 312 km3 (published 37 600 to 39 000 "
               "km2, 290 to 320 km3), Taganrog Bay 5 324 km2 and 24.6 km3 (published 5 600 km2, 25 km3). Shallows, limans, "
               "banks and the Kerch channel are schematic: the bay was scaled by up to 1.17 to the published mean depth, and "
               "the strait, the Don front and the limans were set by hand, so agreement there is no independent evidence. "
               "The Sivash is left out. Land heights are not in the grid: land is missing data. For anything but a "
               "demonstration use a GEBCO or EMODnet tile.",
    "geospatial_lon_min": 34.7,
    "geospatial_lon_max": 39.4,
    "geospatial_lat_min": 44.95,
    "geospatial_lat_max": 47.35,
    "geospatial_vertical_positive": "up",
}


def axis(out, name, values, standard_name, units, letter):
    out.createDimension(name, len(values))
    variable = out.createVariable(name, "f8", (name,))
    variable[:] = values
    variable.standard_name = variable.long_name = standard_name
    variable.units = units
    variable.axis = letter


def main(source, target):
    with netCDF4.Dataset(source) as file:
        lon, lat = file["lon"][:].data, file["lat"][:].data
        depth_cm = np.ma.filled(file["depth"][:], -1)
    with netCDF4.Dataset(target, "w", format="NETCDF4") as out:
        axis(out, "lat", lat, "latitude", "degrees_north", "Y")
        axis(out, "lon", lon, "longitude", "degrees_east", "X")
        heights = out.createVariable("elevation", "i2", ("lat", "lon"), zlib=True, shuffle=True, complevel=9,
                                     fill_value=-32768)
        heights.standard_name = "height_above_mean_sea_level"
        heights.long_name = "elevation of the sea bed above mean sea level"
        heights.units = "m"
        heights.positive = "up"
        heights.scale_factor = 0.01
        heights.add_offset = 0.0
        heights.set_auto_maskandscale(False)
        heights[:] = np.where(depth_cm < 0, -32768, -depth_cm).astype("i2")
        out.setncatts(ATTRIBUTES)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
