# SPDX-License-Identifier: Apache-2.0
"""Maps of a field at chosen times, with the current on top."""

import numpy as np
from maeotis_results import reading

from . import profile, style


def title_of(data):
    return str(data.attrs.get("title", "maeotis run"))


def values_at(variable, record, level, dims):
    if "time" in variable.dims:
        variable = variable.isel(time=record)
    return reading.on_cells(reading.at_level(variable, level), dims)


def names(data, options):
    return options.variable or (["eta"] if "eta" in data else first_map(data, reading.dimensions_of_cells(data)))


def draw(data, options):
    for name in names(data, options):
        yield from draw_variable(data, name, options)


def draw_variable(data, name, options):
    dims = reading.dimensions_of_cells(data)
    chosen = reading.records(data, options.time)
    current = None if options.no_arrows else reading.current(data)
    currents = [[values_at(part, record, options.level, dims) for part in current or ()] for record in chosen]
    reference = usual_speed(currents)
    variable = reading.named(data, name)
    fields = [values_at(variable, record, options.level, dims) for record in chosen]
    if reading.row_of(data):
        yield from profile.draw(data, name, chosen, fields, title_of(data), options)
        return
    # One scale for all times, so that the pictures can be compared.
    cmap, norm = style.colours(name, np.concatenate([field.ravel() for field in fields]))
    for record, field, flow in zip(chosen, fields, currents):
        moment = data["time"].values[record]
        picture = style.Map(data, title_of(data), note(data, variable, moment, options.level))
        picture.paint(field, cmap, norm, style.label(variable))
        if options.contours:
            style.contours(picture.axes, picture.x, picture.y, field, options.contours)
        if flow:
            picture.arrows(*flow, reference)
        yield f"{name}_{style.stamp(moment)}", picture.figure


def usual_speed(currents):
    """What 98 of 100 cells stay below: measured by the fastest, the others could not be seen."""
    speeds = np.concatenate([np.hypot(*flow).ravel() for flow in currents if flow] or [np.empty(0)])
    speeds = speeds[np.isfinite(speeds)]
    if not speeds.size:
        return 0.0
    return float(np.percentile(speeds, 98)) or float(speeds.max())


def first_map(data, dims):
    names = [str(n) for n in data.data_vars if set(dims) <= set(data[n].dims) and "time" in data[n].dims]
    if not names:
        raise reading.Refused("the file contains no map that changes with time")
    return names[:1]


def note(data, variable, moment, level):
    text = style.date(moment)
    dim = reading.level_of(variable)
    if dim is None:
        return text
    if level == reading.BED:
        return f"{text}, lowest layer of each cell"
    if level in (-1, variable.sizes[dim] - 1):
        return f"{text}, surface layer"
    return f"{text}, layer {level % variable.sizes[dim]} from below"
