# SPDX-License-Identifier: Apache-2.0
"""Writes gauges.csv: levels of seven gauges of the Oresund in the storms of January and February 2022, beside DHI's MIKE 21 and its wind,
from the package modelskill (PyPI, MIT licence).

    pip download --no-deps modelskill==1.3.2 && python gauges.py modelskill-1.3.2-*.whl > gauges.csv
"""

import io
import sys
import zipfile
from datetime import datetime, timedelta

import netCDF4
import numpy as np

START, HOURS = datetime(2022, 1, 20, 12), 504
GAUGES = {"Helsingborg": "2_Helsingborg", "Vedbaek": "6_Vedbaek", "Barseback": "1_Barseback", "Kobenhavn": "3_Kobenhavn",
          "Malmo": "5_MalmoHamn", "Drogden": "0_Drogden", "Koege": "4_Koege"}

archive = zipfile.ZipFile(io.BytesIO(zipfile.ZipFile(sys.argv[1]).read("modelskill/data/oresund.msk")))
hours = [START + timedelta(hours=n) for n in range(HOURS + 1)]
columns, wind = {}, {"U10": [], "V10": []}
for name, entry in GAUGES.items():
    with netCDF4.Dataset("gauge", memory=archive.read(f"{entry}.nc")) as data:
        times = netCDF4.num2date(data["time"][:], data["time"].units, only_use_cftime_datetimes=False)
        place = {time.replace(microsecond=0): n for n, time in enumerate(times)}
        for kind, variable in (("", "Observation"), ("_mike21", "MIKE21"), *((w, w) for w in wind)):
            values = np.ma.filled(data[variable][:].astype(float), np.nan)
            series = np.array([values[place[hour]] if hour in place else np.nan for hour in hours])
            if kind in wind:
                wind[kind].append(series)
            else:
                columns[name.lower() + kind] = series
for name, series in wind.items():
    columns[name.lower()] = np.nanmean(series, axis=0)  # over the gauges
print("# Oresund, 2022: levels of gauges and of MIKE 21, each above its own datum [m]; wind of MIKE 21, mean of the gauges [m/s]. Hourly.")
print("# From modelskill 1.3.2 (DHI, MIT licence), data/oresund.msk; the gauges are of DMI and SMHI. See README.md.")
print("time," + ",".join(columns))
for n, hour in enumerate(hours):
    print(f"{hour:%Y-%m-%dT%H:%MZ}," + ",".join("" if np.isnan(c[n]) else f"{c[n]:.3f}" for c in columns.values()))
