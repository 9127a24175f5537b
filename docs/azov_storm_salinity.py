# SPDX-License-Identifier: Apache-2.0
"""The picture of salinity in azov_storm_2014.md, from a run of scenarios/azov_storm_2014_stratified.json.

    ./maeotis python docs/azov_storm_salinity.py results/azov_storm_2014_stratified docs/azov_storm_salinity.png
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4
import numpy as np


def values(data, name, *index):
    return np.ma.filled(data[name][index or slice(None)].astype(float), np.nan)


folder, picture = Path(sys.argv[1]), sys.argv[2]
figure, panels = plt.subplots(2, 3, figsize=(15, 8), layout="constrained")
with netCDF4.Dataset(folder / "azov_storm_2014_stratified.nc") as data:
    lon, lat = data["lon"][:], data["lat"][:]
    for panel, hour, title in zip(panels.flat, (1, 40, 60, 96), ("before the storm", "at the peak, 24 September 16:00 UTC",
                                                                   "25 September 12:00 UTC", "two days after it, 27 September 00:00 UTC")):
        shown = panel.pcolormesh(lon, lat, values(data, "salinity", hour, -1), cmap="viridis", vmin=0, vmax=12)
        u, v = values(data, "u_east", hour, -1), values(data, "v_north", hour, -1)
        arrows = panel.quiver(lon[::4], lat[::4], u[::4, ::4], v[::4, ::4], scale=14, width=0.003)
        panel.set(title=title, xlim=(36.9, 39.6), ylim=(46.4, 47.3), aspect=1.47)
        panel.set_facecolor("0.9")
    panels[0, 0].quiverkey(arrows, 0.85, 0.12, 0.5, "0.5 m/s", labelpos="E")
    figure.colorbar(shown, ax=panels[1, 0], location="bottom", label="salinity at the surface [g/kg]")
with netCDF4.Dataset(folder / "azov_storm_2014_stratified_stations.nc") as data:
    hours = (data["time"][:] - data["time"][0]) / 3600
    names = [str(name).strip() for name in data["station"][:]]
    for n, name in enumerate(names):
        if name in ("middle", "Temryuk"):
            continue
        line, = panels[1, 1].plot(hours, values(data, "salinity")[:, n, -1], label=name)
        panels[1, 2].plot(hours, values(data, "temperature")[:, n, -1], color=line.get_color())
panels[1, 1].set(title="salinity at the surface [g/kg]", xlabel="hours since 23 September 00:00 UTC", ylim=(0, 12))
panels[1, 2].set(title="temperature at the surface [°C]", xlabel="hours since 23 September 00:00 UTC")
panels[1, 1].legend(fontsize=9, loc="center right")
for panel in panels[1, 1:]:
    panel.grid(alpha=0.3)
figure.savefig(picture, dpi=80)
