# SPDX-License-Identifier: Apache-2.0
"""What `new` has to know of the files that are named to it: their times, and what of the sea they hold."""

from datetime import datetime, timezone

import numpy as np

from maeotis_results import reading
from maeotis_results.options import date


def times_of(data, path):
    """First and last time of a file."""
    name = next((n for n in ("valid_time", "time", "ocean_time", "time_counter") if n in data.variables and np.issubdtype(data[n].dtype, np.datetime64)), None)
    if name is None:
        raise reading.Refused(f"{path} has no times (time, valid_time, ocean_time or time_counter)")
    return tuple(datetime.fromtimestamp(int(t.astype("datetime64[s]").astype(np.int64)), timezone.utc) for t in data[name].values[[0, -1]])


def wind_of(path):
    """(first time, last time, has air pressure) of the wind file."""
    if path.suffix.lower() == ".csv":
        lines = [line.split(",")[0].strip().strip('"') for line in path.read_text().splitlines() if line[:1].isdigit()]
        if len(lines) < 2:
            raise reading.Refused(f"{path} contains no rows that begin with a date")
        return date(lines[0]), date(lines[-1]), False
    with reading.open_file(path) as data:
        return *times_of(data, path), "msl" in data.variables


def outside_of(path):
    """(first time, last time, keys of /initial that the file of the sea outside can fill)."""
    names = {"eta_m": {"eta", "zos", "ssh", "zeta", "sossheig"}, "u_m_s": {"u", "uo", "u_east", "vozocrtx"}, "v_m_s": {"v", "vo", "v_north", "vomecrty"},
             "temperature_C": {"temperature", "thetao", "temp", "water_temp", "votemper"}, "salinity": {"salinity", "so", "salt", "vosaline"}}
    with reading.open_file(path) as data:
        return *times_of(data, path), [key for key in names if names[key] & set(data.variables)]


def equation_of(path):
    """The equation of state that takes temperature and salinity as the file has them."""
    with reading.open_file(path) as data:
        carried = {str(data[name].attrs.get("standard_name", "")) for name in data.variables}
    return "teos10" if carried & {"sea_water_conservative_temperature", "sea_water_absolute_salinity"} else "teos10-practical"


def has_currents(path):
    files = sorted(path.rglob("*.nc")) if path.is_dir() else [path]
    for file in files:
        with reading.open_file(file) as data:
            if {"uRe", "URe", "Ua", "ua"} & set(data.variables):
                return True
    return False
