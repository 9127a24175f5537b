# SPDX-License-Identifier: Apache-2.0
"""A year of hourly weather over the Azov Sea from formulas and seeded chance, in a file that looks like ERA5's (31 MB): era5.nc beside this script, or the
one that is named.

    ./maeotis python scenarios/year/weather.py

Means and ranges are those of the region's climate: air of -2 C in January and 25 C in July, with weeks of frost and of
heat; winds of 6 m/s from all sides, nine storms; sun and clouds of 46 N; 400 mm of rain. No day of it was observed.
"""

import sys
from datetime import datetime, timezone
from pathlib import Path

import netCDF4
import numpy as np

START, HOURS = datetime(2013, 11, 1, tzinfo=timezone.utc), 24 * 365 + 12
LON, LAT = np.meshgrid(np.arange(34.0, 40.6, 0.5), np.arange(48.0, 44.4, -0.5))
EAST, NORTH = LON - 37, LAT - 46
STORMS = ((40, 14, 250), (95, 16, 60), (142, 13, 240), (200, 12, 70), (262, 14, 60), (325, 17, 235))  # day, speed, direction


def by_chance(random, count, hours=60):
    """Noise of variance 1 with this memory, smooth over half a day."""
    kept = np.exp(-1 / hours)
    steps = random.standard_normal(count) * np.sqrt(1 - kept**2)
    values = np.empty(count)
    value = steps[0]
    for n, step in enumerate(steps):
        value = values[n] = kept * value + step
    window = np.hanning(13)
    return np.convolve(values, window / window.sum(), "same")


def saturation(celsius):
    """Pressure of vapour over water [hPa]."""
    return 6.112 * np.exp(17.67 * celsius / (celsius + 243.5))


def weather():
    """By hour, at 37 E 46 N."""
    day = np.arange(HOURS) / 24
    of_year = (day + 304) % 365.25
    summer = np.cos(2 * np.pi * (of_year - 203) / 365.25)  # 1 on 22 July
    random = np.random.default_rng(7)
    warm, west, south, moist, clouds, wet, high = (by_chance(random, HOURS) for _ in range(7))
    air = 11.5 + 13.5 * summer + (4.5 - 2.7 * summer) * warm + (2.5 + summer) * np.cos(2 * np.pi * (day - 0.5))
    u, v = -2 + 4.5 * west * (1.15 - 0.25 * summer), -1 + 3.5 * south * (1.15 - 0.25 * summer)
    for when, speed, direction in STORMS:
        gust = speed * np.exp(-(((day - when) / 0.8) ** 2))
        u -= gust * np.sin(np.radians(direction))
        v -= gust * np.cos(np.radians(direction))
    vapour = np.clip(0.72 - 0.1 * summer + 0.1 * moist, 0.3, 1) * saturation(air)
    cover = np.clip(0.55 - 0.2 * summer + 0.35 * clouds, 0, 1)
    tilt, place = np.radians(23.45) * np.sin(2 * np.pi * (284 + of_year) / 365.25), np.radians(46)
    height = np.sin(place) * np.sin(tilt) + np.cos(place) * np.cos(tilt) * np.cos(2 * np.pi * (day % 1 - 0.395))
    kelvin = air + 273.15
    grey = np.minimum(1, (0.7 + 5.95e-5 * vapour * np.exp(1500 / kelvin)) * (1 + 0.17 * cover**2))
    logarithm = np.log(vapour / 6.112)
    return {"u": u, "v": v, "air": kelvin, "dew": 243.5 * logarithm / (17.67 - logarithm) + 273.15,
            "sun": 1361 * 0.68 * np.maximum(0, height) * (1 - 0.65 * cover**2), "sky": 0.93 * grey * 5.67e-8 * kelvin**4,
            "rain": np.maximum(0, wet - 1.35) * 0.69e-3, "pressure": 101500 - 300 * summer + 800 * high}


def main(path):
    w = {name: values[:, None, None] for name, values in weather().items()}
    air = w["air"] - 0.25 * EAST - 0.7 * NORTH
    fields = {
        "u10": ("m s**-1", w["u"] * (1 + 0.03 * EAST)), "v10": ("m s**-1", w["v"] * (1 + 0.05 * NORTH)),
        "t2m": ("K", air), "d2m": ("K", np.minimum(w["dew"] - 0.2 * EAST - 0.5 * NORTH, air)),
        "msl": ("Pa", w["pressure"] + 20 * EAST + 60 * NORTH),
        "ssrd": ("J m**-2", 3600 * w["sun"]), "strd": ("J m**-2", 3600 * w["sky"]), "tp": ("m", w["rain"]),
    }
    axes = {"valid_time": ("seconds since 1970-01-01", 3600 * np.arange(HOURS) + int(START.timestamp())),
            "latitude": ("degrees_north", LAT[:, 0]), "longitude": ("degrees_east", LON[0])}
    with netCDF4.Dataset(path, "w") as data:
        for name, (unit, values) in axes.items():
            data.createDimension(name, len(values))
            axis = data.createVariable(name, "i8" if name == "valid_time" else "f8", (name,))
            axis.units = unit
            if name == "valid_time":
                axis.calendar = "proleptic_gregorian"
            axis[:] = values
        for name, (unit, values) in fields.items():
            field = data.createVariable(name, "f4", tuple(axes))
            field.units = unit
            field[:] = np.broadcast_to(values, (HOURS, *LON.shape))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("era5.nc"))
