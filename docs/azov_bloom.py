# SPDX-License-Identifier: Apache-2.0
"""Draws docs/azov_bloom.png and prints the figures of docs/azov_bloom.md.

    ./maeotis run scenarios/azov_bloom.json --log-json results/azov_bloom/log.jsonl
    python3 docs/azov_bloom.py results/azov_bloom
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import netCDF4  # noqa: E402
import numpy as np  # noqa: E402

HYPOXIC, ANOXIC = 62, 5  # [mmol/m3]
DAY = 86400


def lowest(values):
    """Of each column, the lowest layer with water."""
    level = np.argmax(~np.isnan(values), axis=-3)
    return np.take_along_axis(values, level[..., None, :, :], -3)[..., 0, :, :]


folder = Path(sys.argv[1])
data = netCDF4.Dataset(folder / "azov_bloom.nc")


def read(name):
    return np.ma.filled(data[name][:].astype(float), np.nan)


oxygen, algae, thickness = read("oxygen"), read("phytoplankton"), read("thickness")
time = (data["time"][:] - data["time"][0]) / DAY
area = np.broadcast_to(np.ma.filled(data["cell_area"][:].astype(float), 0), oxygen.shape[-2:])
bottom = lowest(oxygen)
hypoxic_area = np.nansum((bottom < HYPOXIC) * area, axis=(1, 2)) / 1e6
hypoxic_volume = np.nansum((oxygen < HYPOXIC) * thickness * area, axis=(1, 2, 3)) / 1e9
anoxic_volume = np.nansum((oxygen < ANOXIC) * thickness * area, axis=(1, 2, 3)) / 1e9
interval = float(time[1] - time[0])
hours = 24 * interval * np.nansum(bottom[1:] < HYPOXIC, axis=0)
worst = int(np.argmax(hypoxic_area))
print(f"largest hypoxic area {hypoxic_area[worst]:.0f} km2 after {time[worst]:.2f} days, volume {hypoxic_volume.max():.2f} km3, "
      f"anoxic {anoxic_volume.max():.3f} km3; longest {hours.max():.0f} h; a day after the storm's peak "
      f"{hypoxic_area[np.argmin(abs(time - 11))]:.0f} km2")
log = folder / "log.jsonl"
if log.exists():
    last = [json.loads(line) for line in log.read_text().splitlines()]
    before = last[int(9 * DAY / 600) - 1]["processes"]
    per_n = 138 / 16
    parts = {"growth": per_n, "reaeration": 1, "respiration": -per_n, "respiration_heterotrophs": -per_n, "decay_pom": -per_n,
             "decay_dom": -per_n, "decay_bed": -per_n, "oxidation_sulphide": -2}
    for name, factor in parts.items():
        print(f"  oxygen by {name} in nine days: {factor * before[name] / 1e12:+.3f} Gmol")

figure, axes = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
lon, lat = data["lon"][:], data["lat"][:]
for axis, values, title, colours in (
    (axes[0, 0], bottom[worst], f"oxygen near the bed after {time[worst]:.1f} days [mmol/m3]", "RdYlBu"),
    (axes[0, 1], algae[worst][-1], "phytoplankton at the surface then [mmol N/m3]", "Greens"),
    (axes[1, 0], np.where(np.isnan(bottom[0]), np.nan, hours), "hours below 62 mmol/m3 near the bed", "Purples"),
):
    picture = axis.pcolormesh(lon, lat, values, cmap=colours, shading="nearest")
    axis.set_title(title, fontsize=10, loc="left")
    axis.set_aspect(1.45)
    figure.colorbar(picture, ax=axis, shrink=0.8)
axis = axes[1, 1]
axis.plot(time, hypoxic_area / 1e3, color="#b5473a", label="area, hypoxic [1000 km2]")
axis.plot(time, hypoxic_volume, color="#2a6699", label="volume, hypoxic [km3]")
axis.plot(time, anoxic_volume, color="#222222", label="volume, without oxygen [km3]")
axis.set_xlabel("days")
axis.legend(frameon=False, fontsize=9)
axis.set_title("below 62 mmol/m3, and below 5", fontsize=10, loc="left")
figure.savefig(Path(__file__).with_suffix(".png"), dpi=90)
