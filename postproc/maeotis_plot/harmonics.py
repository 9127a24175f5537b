# SPDX-License-Identifier: Apache-2.0
"""Tidal constants of a series by least squares: a mean, a trend, and a cosine and sine for each constituent. Speeds, arguments and
nodal factors are the program's own (`maeotis tides`), so that the constants are those a scenario's boundaries take."""

from datetime import datetime, timezone

import numpy as np
from maeotis_results import reading
from maeotis_results.program import asked

# By importance: of two that the series cannot separate, the first is kept.
BY_IMPORTANCE = ["M2", "K1", "O1", "S2", "N2", "P1", "K2", "Q1", "M4", "MS4", "MN4", "M6", "mu2", "nu2", "2N2", "J1", "OO1", "Mf", "Mm",
                 "MSf", "S4", "2MS6", "M8", "2Q1", "T2"]


def constituents(at):
    """{name: (speed in degrees per hour, V, f, u)} at a time in seconds since 1970."""
    date = datetime.fromtimestamp(round(at), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = [line.split() for line in asked("tides", "--at", date).splitlines()[1:]]
    return {row[0]: tuple(map(float, row[1:5])) for row in rows}


def separable(hours, known, names=BY_IMPORTANCE):
    """Those of which the series holds a turn, and that differ by a turn from more important ones (Rayleigh's criterion). Where it
    separates not even M2 from S2 there are none: what is fitted to it as M2 would be the tide of that week."""
    chosen = []
    if names is BY_IMPORTANCE and (known["S2"][0] - known["M2"][0]) * hours < 360:
        return chosen
    for name in names:
        speed = known[name][0]
        if speed * hours >= 360 and all(abs(speed - known[other][0]) * hours >= 360 for other in chosen):
            chosen.append(name)
    return chosen


def analyse(times, values, names, known, middle):
    """{name: (amplitude, phase lag at Greenwich in degrees)}; `middle`: the time to which `known` belongs."""
    hours = (times - middle) / 3600
    columns = [np.ones_like(hours), hours / max(np.abs(hours).max(), 1e-9)]
    for name in names:
        angle = np.radians(known[name][0] * hours)
        columns += [np.cos(angle), np.sin(angle)]
    found, _, rank, _ = np.linalg.lstsq(np.column_stack(columns), values, rcond=None)
    if rank < len(columns):
        raise reading.Refused("the series is too short for these constituents: " + ", ".join(names))
    result = {}
    for n, name in enumerate(names):
        _, argument, f, u = known[name]
        cosine, sine = found[2 + 2 * n : 4 + 2 * n]
        # f A cos(V + u + speed t - g) = cosine cos(speed t) + sine sin(speed t)
        lag = argument + u + np.degrees(np.arctan2(sine, cosine))
        result[name] = (np.hypot(cosine, sine) / f, lag % 360)
    return result


def both(times, measured, computed, wanted):
    """{name: (constants of the gauge, of the model)}; empty where the series is too short and none were asked for."""
    middle = round(0.5 * (times[0] + times[-1]))
    hours = (times[-1] - times[0]) / 3600
    known = constituents(middle)
    unknown = [name for name in wanted or [] if name not in known]
    if unknown:
        raise reading.Refused(f"--constituents: there is no {', '.join(unknown)}; there are {', '.join(known)}")
    names = wanted or separable(hours, known)
    if wanted and (set(separable(hours, known, wanted)) != set(wanted) or times.size < 2 * (2 + 2 * len(names))):
        raise reading.Refused(f"--constituents: {hours:.0f} hours with {times.size} values do not separate {', '.join(wanted)}")
    if not names or times.size < 2 * (2 + 2 * len(names)):
        return {}
    pairs = [analyse(times, series, names, known, middle) for series in (measured, computed)]
    return {name: (pairs[0][name], pairs[1][name]) for name in names}
