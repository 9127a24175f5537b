# SPDX-License-Identifier: Apache-2.0
"""The picture of azov_summer.md, from a run of scenarios/azov_summer_stratification.json.

    ./maeotis python docs/azov_summer.py results/azov_summer_stratification docs/azov_summer.png
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4
import numpy as np

DAY = 18


def values(data, name, *index):
    return np.ma.filled(data[name][index or slice(None)].astype(float), np.nan)


folder, picture = Path(sys.argv[1]), sys.argv[2]
figure, panels = plt.subplots(2, 2, figsize=(12, 8.4), layout="constrained")
with netCDF4.Dataset(folder / "azov_summer_stratification.nc") as data:
    lon, lat = data["lon"][:], data["lat"][:]
    temperature, salinity, u, v = (values(data, name, DAY) for name in ("temperature", "salinity", "u_east", "v_north"))
lowest = np.argmax(np.isfinite(temperature), axis=0)
below = np.take_along_axis(temperature, lowest[None], 0)[0]
for panel, field, title, colours in ((panels[0, 0], temperature[-1], f"temperature at the surface, day {DAY} [°C]", "inferno"),
                                     (panels[0, 1], below, "temperature at the bed [°C]", "inferno"),
                                     (panels[1, 0], salinity[-1], "salinity and current at the surface [g/kg]", "viridis")):
    limits = (21, 30) if colours == "inferno" else (0, 18)
    shown = panel.pcolormesh(lon, lat, field, cmap=colours, vmin=limits[0], vmax=limits[1])
    figure.colorbar(shown, ax=panel, shrink=0.8)
    panel.set(title=title, aspect=1.45)
    panel.set_facecolor("0.9")
arrows = panels[1, 0].quiver(lon[::5], lat[::5], u[-1, ::5, ::5], v[-1, ::5, ::5], scale=4)
panels[1, 0].quiverkey(arrows, 0.1, 0.1, 0.2, "0.2 m/s", labelpos="E")
with netCDF4.Dataset(folder / "azov_summer_stratification_stations.nc") as data:
    days = (data["time"][:] - data["time"][0]) / 86400
    for level in range(data.dimensions["level"].size):
        middle = values(data, "temperature")[:, 0, level]
        if np.isfinite(middle).any():
            panels[1, 1].plot(days, middle, lw=0.8, color=plt.cm.viridis(level / data.dimensions["level"].size))
panels[1, 1].set(title="temperature of all layers in the middle of the sea [°C]", xlabel="day")
panels[1, 1].grid(alpha=0.3)
figure.savefig(picture, dpi=90)
