# SPDX-License-Identifier: Apache-2.0
"""Maps of a field at chosen times, with the current on top."""

import numpy as np
from maeotis_results import depths, reading, run, zoom

from . import frame, profile, style


def title_of(data):
    return str(data.attrs.get("title", "maeotis run"))


def values_at(data, variable, record, level, dims):
    if "time" in variable.dims:
        variable = variable.isel(time=record)
    if isinstance(level, reading.Depth) and reading.level_of(variable):
        return depths.of_map(data, variable, record, level)
    return reading.on_cells(reading.at_level(variable, level), dims)


def wet(data, variable, values):
    """Depths without those of dry cells, which are numbers, too."""
    dry = run.scenario_of(data.attrs).get("output_dry_depth_m", 0.0) if variable.name == "depth" else None
    return values if dry is None else np.where(values > dry, values, np.nan)


def names(data, options):
    return options.variable or (["eta"] if "eta" in data else first_map(data, reading.dimensions_of_cells(data)))


def draw(data, options, finer=None):
    for name in names(data, options):
        yield from draw_variable(data, name, options, finer)


class Chosen:
    """What the pictures of one file show: its records, with the values and the current of each."""

    def __init__(self, data, name, options, records):
        self.data, self.variable, self.records = data, reading.named(data, name), records
        dims = reading.dimensions_of_cells(data)
        current = None if options.no_arrows else reading.current(data)
        self.fields = [record is not None and wet(data, self.variable, values_at(data, self.variable, record, options.level, dims)) for record in records]
        self.flows = [[values_at(data, part, record, options.level, dims) for part in current or ()] if record is not None else [] for record in records]

    def known(self):
        return [field for field in self.fields if field is not False]


def inside(data, finer, name, options, chosen):
    """The same of the finer grid, at the same times; None where there is none to lay over the map."""
    if finer is None or name not in finer.data_vars or reading.level_of(finer[name]) and finer[name].sizes != data[name].sizes and options.level not in (-1, reading.BED):
        return None
    records = [zoom.same_record(finer, data["time"].values[record]) for record in chosen]
    return Chosen(finer, name, options, records) if any(record is not None for record in records) else None


def draw_variable(data, name, options, finer=None):
    """`finer`: the file of the zoom inside, which is laid over the map; None: there is none."""
    chosen = Chosen(data, name, options, reading.records(data, options.time))
    if reading.row_of(data):
        yield from profile.draw(data, name, chosen.records, chosen.fields, title_of(data), options)
        return
    within = inside(data, finer, name, options, chosen.records)
    both = [chosen] + [within] * (within is not None)
    reference = usual_speed([flow for part in both for flow in part.flows])
    # One scale for all times, so that the pictures can be compared.
    cmap, norm = style.colours(name, np.concatenate([field.ravel() for part in both for field in part.known()]), options.range)
    box = zoom.box_of(data)
    for n, record in enumerate(chosen.records):
        moment = data["time"].values[record]
        picture = frame.Map(data, title_of(data), note(data, chosen.variable, moment, options.level))
        picture.paint(chosen.fields[n], cmap, norm, style.label(chosen.variable), empty=(style.DRY, without(options.level)))
        if options.contours:
            style.contours(picture.axes, picture.x, picture.y, chosen.fields[n], options.contours)
        over = None
        if within is not None and within.fields[n] is not False:
            cells = picture.overlay(finer, within.fields[n], (style.DRY, without(options.level)))
            over = (cells, *within.flows[n], within.fields[n]) if within.flows[n] else None
        if box:
            picture.zoom(box)
        if chosen.flows[n]:
            picture.arrows(*chosen.flows[n], reference, over)
        yield f"{name}{layer_in_name(chosen.variable, options.level)}_{style.stamp(moment)}", picture.figure


def without(level):
    """What cells of the sea without a value are."""
    return f"less than {level:g} m deep" if isinstance(level, reading.Depth) else "dry"


def layer_in_name(variable, level):
    """In the file's name, so that no layer's picture replaces another's."""
    dim = reading.level_of(variable)
    if dim is None or level == -1 or level == variable.sizes[dim] - 1:
        return ""
    if isinstance(level, reading.Depth):
        return f"_{level:g}m"
    return "_bed" if level == reading.BED else f"_layer{level % variable.sizes[dim]}"


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
    if isinstance(level, reading.Depth):
        return f"{text}, {level:g} m below the surface"
    if level == reading.BED:
        return f"{text}, lowest layer of each cell"
    if level in (-1, variable.sizes[dim] - 1):
        return f"{text}, surface layer"
    return f"{text}, layer {level % variable.sizes[dim]} from below"
