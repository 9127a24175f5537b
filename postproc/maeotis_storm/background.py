# SPDX-License-Identifier: Apache-2.0
"""The weather around a cyclone, into which it is blended."""

import netCDF4
import numpy as np
from maeotis_results.program import Refused, check


class Background:
    """u10, v10, msl of a file, linear in space and time; without a file no wind and the pressure outside."""

    def __init__(self, path, dates, lon, lat):
        self.path, self.lon, self.lat = path, lon, lat
        if path is None:
            return
        check(path)
        self.data = netCDF4.Dataset(path)
        wanted = {"time": ("time", "valid_time"), "x": ("longitude", "lon"), "y": ("latitude", "lat"), "u10": ("u10",), "v10": ("v10",), "msl": ("msl",)}
        self.names = {key: next((name for name in names if name in self.data.variables), None) for key, names in wanted.items()}
        missing = [" or ".join(wanted[key]) for key, name in self.names.items() if name is None]
        if missing:
            raise Refused(f"{path}: no {', '.join(missing)}")
        time = self.data[self.names["time"]]
        self.dates = netCDF4.num2date(time[:], time.units, only_use_cftime_datetimes=False, only_use_python_datetimes=True)
        if dates[0] < self.dates[0] or dates[-1] > self.dates[-1]:
            raise Refused(f"{path} covers {self.dates[0]} to {self.dates[-1]}, but the storm needs {dates[0]} to {dates[-1]}: --start, --end")
        self.x, self.y = (np.asarray(self.data[self.names[n]][:], float) for n in "xy")
        self.x = self.x + 360 * np.round((np.mean(lon) - np.mean(self.x)) / 360)
        for what, have, want in (("longitudes", self.x, lon), ("latitudes", self.y, lat)):
            if have.min() > want[0] + 1e-9 or have.max() < want[-1] - 1e-9:
                raise Refused(f"{path}: {what} {have.min():g} to {have.max():g} do not cover {want[0]:g} to {want[-1]:g}")

    def record(self, name, n):
        values = np.ma.filled(self.data[self.names[name]][n].astype(float), np.nan)
        if not np.all(np.isfinite(values)):
            raise Refused(f"{self.path}: {self.names[name]} has gaps at {self.dates[n]}")
        order = np.argsort(self.y)
        rows = np.array([np.interp(self.lon, self.x, row) for row in values[order]])
        return np.array([np.interp(self.lat, self.y[order], column) for column in rows.T]).T

    def at(self, date, outside):
        if self.path is None:
            return 0.0, 0.0, outside
        n = max(k for k, other in enumerate(self.dates) if other <= date)
        m = min(n + 1, len(self.dates) - 1)
        part = (date - self.dates[n]) / (self.dates[m] - self.dates[n]) if m > n else 0.0
        return [(1 - part) * self.record(name, n) + part * self.record(name, m) for name in ("u10", "v10", "msl")]
