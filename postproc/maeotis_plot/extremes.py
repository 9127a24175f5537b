# SPDX-License-Identifier: Apache-2.0
"""Maps of what was reached in the whole run: highest level, when, and how long land was under water."""

import matplotlib.dates as mdates
import numpy as np
from matplotlib.colors import Normalize
from maeotis_results import reading, zoom

from . import frame, maps, profile, style

GROUND = {"bed", "sea_floor_depth", "mask", "wet_fraction", "cell_area", "layer_share", "layer_height_share", "closed_sides", "grid", "crs", "dx", "dy"}


def draw(data, options):
    dims, data = reading.dimensions_of_cells(data), reading.one_by_one(data)
    names = options.variable or [str(n) for n in data.data_vars if set(data[n].dims) == set(dims) and n not in GROUND]
    if not names:
        raise reading.Refused("the file contains no map")
    for name in names:
        variable = reading.named(data, name)
        values = variable.transpose(*dims).values
        if reading.row_of(data) and not np.issubdtype(values.dtype, np.datetime64):
            known = values[np.isfinite(values)]
            reach = (known.min(), known.max()) if known.size else (0.0, 1.0)
            yield name, profile.picture(data, variable, None, values.ravel(), reach, maps.title_of(data), note(data, variable))
            continue
        picture = frame.Map(data, maps.title_of(data), note(data, variable))
        if np.issubdtype(values.dtype, np.datetime64):
            paint_times(picture, values)
        elif name == "inundation_duration":
            paint_hours(picture, values, data["bed"].transpose(*dims).values <= 0 if "bed" in data else None)
        else:
            dry = "fell dry" if name == "min_eta" else "dry"
            if name == "max_depth" and options.range and options.range[0] > 0:
                values, dry = np.where(values < options.range[0], np.nan, values), f"dry, or less than {options.range[0]:g} m"
            cmap, norm = style.colours(name, values, options.range)
            ticks = style.angles(norm) if "_phase_" in name or "_inclination_" in name else None
            picture.paint(values, cmap, norm, style.label(variable), ticks, empty=(style.DRY, dry))
            if options.contours:
                style.contours(picture.axes, picture.x, picture.y, values, options.contours)
        if zoom.box_of(data):
            picture.zoom(zoom.box_of(data))
        if not options.no_arrows:
            currents(data, name, picture, dims)
        yield name, picture.figure


def currents(data, name, picture, dims):
    """On maps of harmonic constants: ellipses of the tidal current, and the residual current."""
    prefix, _, constituent = name.rpartition("_")
    if prefix == "current_major":
        picture.ellipses(*(data[f"current_{part}_{constituent}"].transpose(*dims).values for part in ("major", "minor", "inclination")))
    if name == "eta_residual":
        flow = [data[part].transpose(*dims).values for part in ("u_residual", "v_residual")]
        picture.arrows(*flow, maps.usual_speed([flow]))


def note(data, variable):
    text = style.words(variable)
    if "time_bnds" in data and np.issubdtype(data["time_bnds"].dtype, np.datetime64):
        first, last = data["time_bnds"].values.ravel()[[0, -1]]
        return f"{text}, {style.date(first)} to {style.date(last)}"
    return text


def paint_times(picture, values):
    """Dates as colours: the bar carries dates; what they are stands above the map."""
    known = ~np.isnat(values)
    numbers = np.full(values.shape, np.nan)
    numbers[known] = mdates.date2num(values[known])
    low, high = (np.nanmin(numbers), np.nanmax(numbers)) if known.any() else (0.0, 1.0)
    if high <= low:
        high = low + 1 / 24
    room = picture.axes.get_position().height * picture.figure.get_size_inches()[1] / 0.45
    locator = mdates.AutoDateLocator(minticks=min(5, max(2, int(room / 2))), maxticks=min(9, max(3, int(room))))
    ticks = [t for t in locator.tick_values(mdates.num2date(low), mdates.num2date(high)) if low <= t <= high]
    form = "%-d %b\n%H:%M" if high - low < 10 else "%-d %b\n%Y"
    labels = [mdates.num2date(t).strftime(form) for t in ticks]
    picture.paint(numbers, "viridis", Normalize(low, high), "UTC", ticks, labels)


def paint_hours(picture, values, sea):
    """How long land was under water. `sea`: where the bed is below the datum, which has no such time; None: the file does not tell."""
    hours = np.where(values > 0, values / 3600, np.nan)
    flooded = np.isfinite(hours).any()
    picture.paint(hours, "plasma_r", Normalize(0, np.nanmax(hours) if flooded else 1.0), "Time under water [h]" if flooded else None,
                  empty=(style.WATER, "sea, or not flooded") if sea is None else (style.DRY, "not flooded"))
    if sea is not None:
        picture.shade(sea, style.WATER, "bed below the datum")
    if not flooded:
        picture.axes.text(0.5, 0.5, "no land was flooded", transform=picture.axes.transAxes, ha="center", color=style.QUIET)
