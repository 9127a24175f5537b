# SPDX-License-Identifier: Apache-2.0
"""The series of a run beside a measured one: pairs at the gauge's times, and how well they agree."""

from dataclasses import dataclass

import numpy as np

from . import gauges, reading
from .depths import at_level
from .program import Refused
from .run import scenario_of


def model_series(data, station, variable="eta", level=-1):
    """Seconds since 1970 and values."""
    names = reading.station_names(data)
    if station not in names:
        raise Refused(f"there is no station {station!r}; there are {', '.join(names)}")
    series = [str(name) for name in data.data_vars if {"time", "station"} <= set(data[name].dims)]
    if variable not in series:
        raise Refused(f"there is no series {variable}; there are {', '.join(series)}")
    series = at_level(data, variable, level).isel(station=names.index(station))
    return reading.seconds(series["time"].values), series.values.astype(float)


def ramps_end(data):
    """When all ramps of the file's scenario have ended, in seconds since 1970; long ago if it has none. It holds the defaults of
    what is not used, too."""
    scenario = scenario_of(data.attrs)
    forcing, boundaries = scenario.get("forcing") or {}, scenario.get("boundaries") or []
    potential = forcing.get("tidal_potential") or {}
    ramps = [forcing.get("ramp_s", 0), potential.get("ramp_s", 0) if potential.get("constituents") else 0]
    ramps += [b.get("tide_ramp_s", 0) for b in boundaries if b.get("tide") or (b.get("tide_atlas") or {}).get("files")]
    longest = max(ramps)
    start = gauges.date(scenario.get("time", {}).get("start", "")) if longest else None
    return -np.inf if start is None else start + longest


def after_ramps(data, station, model, with_ramp=False):
    """The model's series without the time in which its forcing grew, which no gauge has."""
    end = -np.inf if with_ramp else ramps_end(data)
    if end <= model[0][0]:
        return model
    if end >= model[0][-1]:
        raise Refused(f"{station}: forcing or tide are still in their ramp at the end of the series (until {date_of(end)}): run longer, or "
                      "include the ramp (--with-ramp; in Python ramp=True)")
    print(f"{station}: compared from {date_of(end)} on, when the ramps of forcing and tide end (--with-ramp: from the first record)")
    return model[0][model[0] >= end], model[1][model[0] >= end]


def pair(model, gauge):
    """The model's values at the gauge's times, by straight lines, and the gauge's; none across gaps of the model."""
    times, values = model
    good = np.isfinite(values)
    times, values = times[good], values[good]
    if times.size < 2:
        raise Refused("the model's series has fewer than two values")
    step = np.median(np.diff(times))
    at, measured = gauge
    inside = (at >= times[0]) & (at <= times[-1])
    at, measured = at[inside], measured[inside]
    after = np.clip(np.searchsorted(times, at), 1, times.size - 1)
    near = times[after] - times[after - 1] <= 1.5 * step
    return at[near], np.interp(at[near], times, values), measured[near]


def measures(model, measured):
    """Bias, errors, skill and correlation of pairs of values."""
    difference = model - measured
    about = measured.mean()
    spread = np.sum((np.abs(model - about) + np.abs(measured - about)) ** 2)
    varies = model.std() > 0 and measured.std() > 0
    return {
        "pairs": difference.size,
        "bias": difference.mean(),
        "rmse": np.sqrt(np.mean(difference**2)),
        "rmse_about_bias": difference.std(),
        "skill": 1 - np.sum(difference**2) / spread if spread > 0 else np.nan,
        "correlation": np.corrcoef(model, measured)[0, 1] if varies else np.nan,
    }


def date_of(seconds):
    return str(np.datetime64("1970-01-01T00:00") + np.timedelta64(round(seconds / 60), "m")) + "Z"


@dataclass
class Beside:
    """Both series as (seconds since 1970, values), the gauge's with `shift` added, and their pairs."""

    model: tuple
    gauge: tuple
    shift: float
    times: np.ndarray
    computed: np.ndarray
    measured: np.ndarray

    @property
    def measures(self):
        return measures(self.computed, self.measured)


def unit_of(data, variable):
    return str(data[variable].attrs.get("units", ""))


def of_file(data, station, file, options, level=-1):
    """A station beside the gauge of a file, by the options of Parser.add_gauges()."""
    model = model_series(data, station, options.variable, level)
    gauge = gauges.read(file, options.unit, unit_of(data, options.variable), options.hours_ahead)
    return of(data, station, model, gauge, str(file), options.with_ramp, options.no_bias)


def of(data, station, model, gauge, name, with_ramp, no_bias):
    """`no_bias`: the gauge's zero is unknown, and becomes the one with which both means are equal."""
    counted = after_ramps(data, station, model, with_ramp)
    times, computed, measured = pair(counted, gauge)
    if times.size < 3:
        raise Refused(f"{name} has {times.size} values while the run lasts ({gauges.span(counted[0])}; the gauge: {gauges.span(gauge[0])})")
    shift = float(computed.mean() - measured.mean()) if no_bias else 0.0
    return Beside(model, (gauge[0], gauge[1] + shift), shift, times, computed, measured + shift)
