# SPDX-License-Identifier: Apache-2.0
"""The page's key figures: what was reached in a run, where and when, on its grid and in the finer one of a zoom."""

import numpy as np
from maeotis_results import reading, zoom
from maeotis_results.reading import seconds

from .facts import date, figure, height

PEAKS = (("max_eta", "Highest level", "m", False), ("min_eta", "Lowest level", "m", True), ("max_speed", "Fastest surface current", "m/s", False))
GROUND = {"inundation_duration", "bed", "cell_area"}


def digits_of(cell, least=0):
    """Decimals that tell a cell from the next one."""
    return max(least, int(np.ceil(-np.log10(cell / 2) - 1e-9))) if cell > 0 else least


def place(data, j, i, page=None):
    """In the unit of `page`, the map that is shown: this one, or that around it."""
    y, x = reading.dimensions_of_cells(data)
    at = float(data[x].values[i]), float(data[y].values[j])
    cell = min((np.abs(np.diff(data[dim].values)).min() for dim in (x, y) if data.sizes[dim] > 1), default=0.0)
    if reading.axis(data, "X")[1]:
        places = digits_of(cell, 2)
        return f"{abs(at[1]):.{places}f}° {'N' if at[1] >= 0 else 'S'}, {abs(at[0]):.{places}f}° {'E' if at[0] >= 0 else 'W'}"
    scale, unit = reading.lengths(data if page is None else page)
    places = digits_of(scale * cell, 3 if unit == "km" else 0)  # whole metres at least
    return ", ".join(f"{name} {plain(scale * value, places)} {unit}" for name, value in zip((x, y), at) if reading.row_of(data) in (None, name))


def plain(value, places):
    """5010.1, without zeros at the end."""
    text = f"{value:.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "\N{MINUS SIGN}")


def spot(values, least=False, apart=None):
    """(value, j, i) of the largest value of a map, or of the least; of cells that are not `apart`. None where there is none."""
    values = np.where(apart, np.nan, values) if apart is not None else values
    if not np.isfinite(values).any():
        return None
    j, i = np.unravel_index((np.nanargmin if least else np.nanargmax)(values), values.shape)
    return values[j, i], j, i


def peak(data, name, when=None, least=False, apart=None, page=None):
    """(value, place, time) of it."""
    dims = reading.dimensions_of_cells(data)
    found = spot(reading.on_cells(data[name], dims).astype(float), least, apart)
    if found is None:
        return None
    value, j, i = found
    at = ""
    if when in data:
        moment = data[when].transpose(*dims).values[j, i]
        at = date(float(seconds(np.array([moment]))[0])) if not np.isnat(moment) else ""
    return value, place(data, j, i, page), at


def recorded(record, name):
    """The map of one record whose peak is asked for; None where the file has none."""
    dims = reading.dimensions_of_cells(record)
    names = ("eta",) if name != "max_speed" else next((pair for pair in (("u_east", "v_north"), ("u", "v")) if set(pair) <= set(record.data_vars)), ())
    parts = [reading.on_cells(reading.at_level(record[part], -1), dims).astype(float) for part in names if part in record]
    return None if not parts else parts[0] if name != "max_speed" else np.hypot(*parts)


def peak_of_records(data, name, least=False, apart=None, page=None):
    """The same among the records of a file of fields."""
    best = None
    for n in range(data.sizes["time"]):
        values = recorded(data.isel(time=n), name)
        found = spot(values, least, apart) if values is not None else None
        if found and (best is None or (found[0] < best[0] if least else found[0] > best[0])):
            best = *found, n
    if best is None:
        return None
    value, j, i, n = best
    return value, place(data, j, i, page), f"{date(float(seconds(data['time'].values[n:n + 1])[0]))}, among the records"


def telling(files):
    """The file that tells most of what is looked for; None of none."""
    wanted = {"eta", "u", "u_east", *(name for name, *_ in PEAKS)}
    return max(files, key=lambda data: len(wanted & set(data.data_vars)), default=None)


class Grid:
    """The files of one grid that tell what was reached: of extremes, or else of fields; None where there is none."""

    def __init__(self, extremes=None, fields=None):
        self.extremes, self.fields = extremes, fields

    def tells(self, name):
        return self.extremes is not None and name in self.extremes

    def map(self):
        return self.extremes if self.extremes is not None else self.fields

    def peak(self, name, least, finer=None, page=None):
        """Where the finer grid covers this one, its values stand for those here, unless they are of moments and these of the whole run."""
        data = self.extremes if self.tells(name) else self.fields
        if data is None:
            return None
        over = finer and (finer.extremes if finer.tells(name) else finer.fields if data is self.fields else None)
        apart = zoom.covers(over, data) if over is not None and (finer.tells(name) or recorded(over.isel(time=0), name) is not None) else None
        return peak(data, name, f"time_of_{name}", least, apart, page) if self.tells(name) else peak_of_records(data, name, least, apart, page)


def key_figures(around, finer=None):
    """The cards below the title, from the files of the grid around and of the finer one of a zoom. Where a run wrote no extremes there is
    the highest level alone, from the records there are."""
    cards = []
    for name, label, unit, least in PEAKS if around.extremes is not None else PEAKS[:1]:
        if around.extremes is not None and not around.tells(name):
            continue
        found = [around.peak(name, least, finer)]
        if finer and (inside := finer.peak(name, least, page=around.map())):
            found.append((inside[0], f"{inside[1]}, in the finer grid", inside[2]))
        found = [one for one in found if one]
        if found:
            value, *notes = (min if least else max)(found, key=lambda one: one[0])
            cards.append((label, height(value) if unit == "m" else figure(value, unit), ", ".join(filter(None, notes))))
    if around.extremes is not None and GROUND <= set(around.extremes.data_vars):
        cards.append(flooded(around.extremes, finer and finer.extremes))
    return cards


def ground_under_water(data, apart=None):
    """(for how long [s], area [km2]) of ground above the datum that was under water."""
    wet_s = np.where(data["bed"].values > 0, data["inundation_duration"].values, 0.0)
    area = data["cell_area"].values * (data["wet_fraction"].values if "wet_fraction" in data else 1.0) / 1e6
    wet = (wet_s > 0) & np.isfinite(area) & (True if apart is None else ~apart)
    return wet_s[wet], area[wet]


def flooded(data, finer=None):
    """The card of ground above the datum that was under water: floods, and flats that every tide wets; the hours tell them apart."""
    within = finer is not None and GROUND <= set(finer.data_vars)
    parts = [ground_under_water(data, zoom.covers(finer, data) if within else None)] + ([ground_under_water(finer)] if within else [])
    wet_s, area = (np.concatenate(part) for part in zip(*parts))
    order = np.argsort(wet_s)
    half = np.searchsorted(np.cumsum(area[order]), 0.5 * area.sum())
    note = f"at some time; half of it for {figure(wet_s[order][half] / 3600, 'h', 2)} or less" if area.size else "at any time"
    return "Ground above the datum under water", figure(float(area.sum()), "km²"), note
