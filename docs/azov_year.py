# SPDX-License-Identifier: Apache-2.0
"""The picture of azov_year.md, from a run of scenarios/year/azov_year.json.

    ./maeotis python docs/azov_year.py results/azov_year docs/azov_year.png
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4
import numpy as np

SEASONS = ((75, "15 January"), (166, "16 April"), (257, "16 July"), (349, "16 October"))

folder, picture = Path(sys.argv[1]), sys.argv[2]
figure, panels = plt.subplots(2, 4, figsize=(15, 6.2), layout="constrained")
with netCDF4.Dataset(folder / "azov_year.nc") as data:
    lon, lat = data["lon"][:], data["lat"][:]
    for column, (day, name) in enumerate(SEASONS):
        temperature, salinity, u, v = (np.ma.filled(data[key][day, -1].astype(float), np.nan) for key in ("temperature", "salinity", "u_east", "v_north"))
        middle = np.nanmedian(temperature)
        warm = panels[0, column].pcolormesh(lon, lat, temperature, cmap="inferno", vmin=middle - 3, vmax=middle + 3)
        figure.colorbar(warm, ax=panels[0, column], orientation="horizontal", shrink=0.9)
        salt = panels[1, column].pcolormesh(lon, lat, salinity, cmap="viridis", vmin=0, vmax=18)
        panels[1, column].quiver(lon[::4], lat[::4], u[::4, ::4], v[::4, ::4], scale=4, width=0.004)
        panels[0, column].set(title=f"{name}: temperature [°C]", aspect=1.45)
        panels[1, column].set(title="salinity [g/kg] and current", aspect=1.45)
        for panel in panels[:, column]:
            panel.set_facecolor("0.9")
            panel.set_xticks([35, 37, 39])
            panel.set_yticks([45, 46, 47])
    figure.colorbar(salt, ax=panels[1, :], orientation="horizontal", shrink=0.3)
figure.savefig(picture, dpi=80)
