# SPDX-License-Identifier: Apache-2.0
"""The files of a gulf that does not exist, in the layouts in which people get theirs: GEBCO, ERA5, TPXO or FES, a river and a gauge as
CSV. `./maeotis python tests/support/files_of_a_sea.py FOLDER` writes them."""

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import netCDF4
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import atlas  # noqa: E402

WEST, SOUTH, EAST, NORTH = 12.0, 44.0, 12.6, 44.4
START, HOURS = datetime(2015, 3, 1, tzinfo=timezone.utc), 49
TIDE = {"M2": (0.35, 140.0), "K1": (0.15, 60.0)}


def elevation(lon, lat):
    """A gulf that opens to the east, 30 m deep at its mouth; an island in it."""
    along, across = (lon - WEST) / (EAST - WEST), (lat - 0.5 * (SOUTH + NORTH)) / (NORTH - SOUTH)
    ground = -34 * along + 8 + 600 * across**4
    island = 40 * np.exp(-(((lon - 12.3) / 0.02) ** 2 + ((lat - 44.25) / 0.02) ** 2))
    return np.clip(ground + island, -60, 200)


def gebco(path):
    """A tile with 15 arc seconds between points, whole metres."""
    lon = np.arange(WEST - 0.1 + 1 / 480, EAST + 0.1, 1 / 240)
    lat = np.arange(SOUTH - 0.1 + 1 / 480, NORTH + 0.1, 1 / 240)
    with netCDF4.Dataset(path, "w") as data:
        for name, values, unit in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east")):
            data.createDimension(name, values.size)
            axis = data.createVariable(name, "f8", (name,))
            axis.standard_name = "latitude" if name == "lat" else "longitude"
            axis.units = unit
            axis[:] = values
        variable = data.createVariable("elevation", "i2", ("lat", "lon"))
        variable.standard_name = "height_above_mean_sea_level"
        variable.units = "m"
        variable[:] = np.round(elevation(*np.meshgrid(lon, lat)))


def era5(path):
    """Hourly winds and air pressure every quarter of a degree, latitudes from the north."""
    lon, lat = np.arange(11.5, 13.3, 0.25), np.arange(45.0, 43.4, -0.25)
    hours = np.arange(HOURS)
    with netCDF4.Dataset(path, "w") as data:
        for name, values, unit in (("valid_time", 3600 * hours + START.timestamp(), "seconds since 1970-01-01"),
                                   ("latitude", lat, "degrees_north"), ("longitude", lon, "degrees_east")):
            data.createDimension(name, values.size)
            axis = data.createVariable(name, "i8" if name == "valid_time" else "f8", (name,))
            axis.units = unit
            if name == "valid_time":
                axis.calendar = "proleptic_gregorian"
            axis[:] = values
        storm = 8 * np.exp(-(((hours - 24) / 8) ** 2))[:, None, None] * np.ones((1, lat.size, lon.size))
        for name, values, unit in (("u10", -storm, "m s**-1"), ("v10", 0.5 * storm, "m s**-1"), ("msl", 101300 - 100 * storm, "Pa")):
            variable = data.createVariable(name, "f4", ("valid_time", "latitude", "longitude"))
            variable.units = unit
            variable[:] = values


def wave(name, quantity, lon, lat):
    """The level rises and falls everywhere at once; at the mouth the current fills 28 km of gulf through 17 m of water."""
    amplitude, lag = TIDE[name]
    ones = np.ones_like(np.asarray(lon, float))
    if quantity == "eta":
        return amplitude * ones, lag * ones
    turns = {"M2": 1.405e-4, "K1": 7.29e-5}[name]  # [rad/s]
    return (28e3 * amplitude * turns / 17 if quantity == "u" else 1e-3) * ones, (lag + 90) * ones


def depth(lon, lat):
    return np.maximum(0, -elevation(np.clip(lon, WEST, EAST), np.clip(lat, SOUTH, NORTH)))


def river(path):
    rows = [f"{(START + timedelta(hours=h)).strftime('%Y-%m-%dT%H:%M:%SZ')},{200 + 2 * h}" for h in range(0, HOURS, 6)]
    path.write_text("time,discharge_m3_s\n" + "\n".join(rows) + "\n")


def gauge(path, constants):
    """{name: (speed, V, f, u)} of `maeotis tides`: the level that the tide alone would have, read every 10 minutes."""
    minutes = np.arange(0, (HOURS - 1) * 60 + 1, 10)
    level = np.zeros(minutes.size)
    for name, (speed, argument, f, u) in constants.items():
        level += f * TIDE[name][0] * np.cos(np.radians(speed * minutes / 60 + argument + u - TIDE[name][1]))
    rows = [f"{(START + timedelta(minutes=int(m))).strftime('%Y-%m-%dT%H:%M:%SZ')},{e:.3f}" for m, e in zip(minutes, level)]
    path.write_text("time,level_m\n" + "\n".join(rows) + "\n")


def main(folder):
    import os
    import subprocess

    folder.mkdir(parents=True, exist_ok=True)
    gebco(folder / "gebco.nc")
    era5(folder / "era5.nc")
    box = (WEST - 1, EAST + 1, SOUTH - 1, NORTH + 1)
    atlas.tpxo(folder / "TPXO9_atlas_v5", TIDE, wave, depth, box)
    atlas.fes(folder / "FES2022", TIDE, wave, depth, box)
    river(folder / "river.csv")
    program = os.environ.get("MAEOTIS") or str(Path(__file__).resolve().parents[2] / "maeotis")
    table = subprocess.run([program, "tides", "--at", START.strftime("%Y-%m-%dT%H:%M:%SZ"), *TIDE], capture_output=True, text=True, check=True)
    gauge(folder / "gauge.csv", {row.split()[0]: tuple(map(float, row.split()[1:])) for row in table.stdout.splitlines()[1:]})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
