# SPDX-License-Identifier: Apache-2.0
"""docs/don_delta.png: level and salinity across the seam of scenarios/nested/. Run both scenarios, then this script."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4
import numpy as np

LATITUDE, SEAM, HOURS = 47.0, 38.6, (12, 40, 54)
coarse = netCDF4.Dataset("results/azov_outside/azov_outside.nc")
fine = netCDF4.Dataset("results/don_delta/don_delta.nc")
figure, axes = plt.subplots(2, 3, figsize=(11, 5), sharex=True, constrained_layout=True)
for row, (name, words) in enumerate((("eta", "level [m]"), ("salinity", "salinity at the surface"))):
    for column, hours in enumerate(HOURS):
        axis = axes[row, column]
        for data, style, label in ((coarse, "o", "2 km"), (fine, "-", "500 m, nested")):
            record = int(np.argmin(np.abs(data["time"][:] - 3600 * hours)))
            j = int(np.argmin(np.abs(data["lat"][:] - LATITUDE)))
            values = data[name][record] if name == "eta" else data[name][record, -1]
            axis.plot(data["lon"][:], values[j], style, ms=3, label=label)
        axis.axvline(SEAM, color="grey", lw=0.8)
        axis.set_xlim(38.2, 39.1)
        axis.set_title(f"{words}, {hours} h", fontsize=9)
axes[1, 1].set_xlabel(f"longitude, along {LATITUDE:g} N")
axes[0, 0].legend(fontsize=8)
figure.savefig("docs/don_delta.png", dpi=80)
