# SPDX-License-Identifier: Apache-2.0
"""Draws docs/azov_bloom.png, or docs/azov_plankton.png of a run of that scenario, and prints the figures of docs/azov_bloom.md.

    ./maeotis run scenarios/azov_bloom.json
    ./maeotis python docs/azov_bloom.py results/azov_bloom [runs with something left out...]
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import netCDF4  # noqa: E402
import numpy as np  # noqa: E402

DAY, KM2, KM3, GMOL = 86400, 1e6, 1e9, 1e12
CALM = 9  # days before the storm


def opened(folder):
    return netCDF4.Dataset(next(path for path in sorted(Path(folder).glob("*.nc")) if path.name.startswith("azov") and "stations" not in path.name))


def read(data, name):
    return np.ma.filled(data[name][:].astype(float), np.nan)


def lowest(values):
    """Of each column, the lowest layer with water."""
    level = np.argmax(~np.isnan(values), axis=-3)
    return np.take_along_axis(values, level[..., None, :, :], -3)[..., 0, :, :]


def days(data):
    return (data["time"][:] - data["time"][0]) / DAY


def processes(data):
    return [b"".join(np.ma.filled(name, b"")).decode() for name in data["process_name"][:]]


def show(figure, axis, data, values, title, colours, **limits):
    picture = axis.pcolormesh(data["lon"][:], data["lat"][:], values, cmap=colours, shading="nearest", **limits)
    axis.set_title(title, fontsize=10, loc="left")
    axis.set_aspect(1.45)
    figure.colorbar(picture, ax=axis, shrink=0.7)


def tell_events(data, name):
    time, area, volume = days(data), read(data, f"{name}_area") / KM2, read(data, f"{name}_volume") / KM3
    worst = int(np.argmax(area))
    print(f"{name}: largest area {area[worst]:.0f} km2 after {time[worst]:.2f} days, volume {volume.max():.2f} km3")
    return worst


def draw_bloom(data, others):
    time, oxygen = days(data), read(data, "oxygen")
    bottom = lowest(oxygen)
    worst = tell_events(data, "hypoxia")
    tell_events(data, "anoxia"), tell_events(data, "bloom")
    hours = read(data, "hypoxia_duration")[-1] / 3600
    storm = int(np.argmin(abs(time - 11)))
    print(f"longest hypoxia {np.nanmax(hours):.0f} h; a day after the storm's peak {read(data, 'hypoxia_area')[storm] / KM2:.0f} km2")
    calm = int(np.argmin(abs(time - CALM)))
    gains = dict(zip(processes(data), read(data, "oxygen_by_process")[calm] / GMOL))
    gains.update({f"from {part}": read(data, f"oxygen_from_{part}")[calm] / GMOL for part in ("sources", "boundaries")})
    gains = {name: gain for name, gain in sorted(gains.items(), key=lambda item: item[1]) if abs(gain) > 0.01}
    for name, gain in gains.items():
        print(f"  oxygen by {name} in {CALM} days: {gain:+.2f} Gmol")

    figure = plt.figure(figsize=(15, 7.5), layout="constrained")
    maps, charts = figure.subfigures(2, 1, height_ratios=(1.1, 1))
    axes = np.array([maps.subplots(1, 3), charts.subplots(1, 3)])
    show(maps, axes[0, 0], data, bottom[worst], f"oxygen near the bed after {time[worst]:.1f} days [mmol/m3]", "RdYlBu")
    show(maps, axes[0, 1], data, read(data, "chlorophyll")[worst][-1], "chlorophyll at the surface then [mg/m3]", "Greens")
    show(maps, axes[0, 2], data, hours, "hours below 62 mmol/m3 near the bed", "Purples")
    axis = axes[1, 0]
    axis.plot(time, read(data, "hypoxia_area") / KM2 / 1e3, color="#b5473a", label="area below 62 mmol/m3 [1000 km2]")
    axis.plot(time, read(data, "hypoxia_volume") / KM3, color="#2a6699", label="volume below 62 [km3]")
    axis.plot(time, read(data, "anoxia_volume") / KM3, color="#222222", label="volume below 5 [km3]")
    axis.set_xlabel("days")
    axis.set_ylim(0, 10)
    axis.legend(frameon=False, fontsize=9)
    axis.set_title("without enough oxygen", fontsize=10, loc="left")
    axis = axes[1, 1]
    axis.barh(list(gains), list(gains.values()), color=["#b5473a" if gain < 0 else "#2a6699" for gain in gains.values()])
    axis.set_title(f"oxygen of the sea in {CALM} days [Gmol]", fontsize=10, loc="left")
    axis = axes[1, 2]
    areas = {"all": read(data, "hypoxia_area")[time <= 9.26].max() / KM2}
    for folder in others:
        other = opened(folder)
        areas["without " + Path(folder).name.replace("_", " ")] = read(other, "hypoxia_area")[days(other) <= 9.26].max() / KM2
    for name, area in areas.items():
        print(f"  hypoxic area before the storm, {name}: {area:.0f} km2")
    axis.barh(list(areas)[::-1], list(areas.values())[::-1], color="#b5473a")
    axis.set_title("largest hypoxic area before the storm [km2]", fontsize=10, loc="left")
    figure.savefig(Path(__file__).with_name("azov_bloom.png"), dpi=80)


def draw_plankton(data):
    time, top = days(data), read(data, "chlorophyll")[:, -1]
    groups = ("chlorella", "aphanizomenon", "skeletonema")
    tell_events(data, "bloom")
    print(f"chlorophyll at the surface at the end: mean {np.nanmean(top[-1]):.1f}, at most {np.nanmax(top[-1]):.0f} mg/m3")
    figure, axes = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
    for axis, day in ((axes[0, 0], 10), (axes[0, 1], 30)):
        show(figure, axis, data, top[int(np.argmin(abs(time - day)))], f"chlorophyll at the surface after {day} days [mg/m3]", "Greens", vmin=0, vmax=40)
    show(figure, axes[1, 0], data, read(data, "bloom_duration")[-1] / DAY, "days above 20 mg/m3 at the surface", "Purples")
    axis = axes[1, 1]
    for name, colour in zip(groups, ("#3a7d44", "#2a6699", "#b5893a")):
        axis.plot(time, read(data, f"{name}_content") / GMOL, color=colour, label=name)
    axis.plot(time, read(data, "nitrate_content") / GMOL, color="#222222", linestyle=":", label="nitrate")
    axis.set_xlabel("days")
    axis.legend(frameon=False, fontsize=9)
    axis.set_title("nitrogen in the sea [Gmol]", fontsize=10, loc="left")
    figure.savefig(Path(__file__).with_name("azov_plankton.png"), dpi=80)


file = opened(sys.argv[1])
if "oxygen" in file.variables:
    draw_bloom(file, sys.argv[2:])
else:
    draw_plankton(file)
