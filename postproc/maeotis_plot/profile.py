# SPDX-License-Identifier: Apache-2.0
"""A flume: where the sea is one cell wide, a map becomes a line along it, with the water over its bed below."""

import matplotlib.pyplot as plt
import numpy as np
from maeotis_results import reading

from . import section, style


def layered(data, variable, options):
    """Is it drawn as a section: all layers at their heights, unless a level was asked for?"""
    return reading.level_of(variable) is not None and options.level == -1 and {"bed", "layer_share"} <= set(data.data_vars) \
        and variable.sizes[reading.level_of(variable)] == data["layer_share"].sizes[reading.level_of(data["layer_share"])] > 1


def draw(data, name, chosen, fields, title, options):
    """(end of the name, figure) of each record, all with the same scale; `fields` are maps, one for each of them."""
    variable = reading.named(data, name)
    if layered(data, variable, options):
        yield from section.of(data, section.whole_row(data), name, chosen, options, f"along {reading.row_of(data)}")
        return
    known = np.concatenate([field[np.isfinite(field)] for field in fields])
    reach = (known.min(), known.max()) if known.size else (0.0, 1.0)
    for record, field in zip(chosen, fields):
        moment = data["time"].values[record]
        yield f"{name}_{style.stamp(moment)}", picture(data, variable, record, field.ravel(), reach, title, style.date(moment))


def surface_of(data, name, record, values, bed):
    """The water's surface over the bed, where the file tells it."""
    if name == "depth":
        return bed + values
    if "eta" in data:
        return values if name == "eta" else data["eta"].isel(time=record).values.ravel()
    return None


def picture(data, variable, record, values, reach, title, note):
    """`record` None: of the whole run, without the water."""
    dim = reading.row_of(data)
    geographic = reading.axis(data, "X")[1]
    scale, unit = reading.lengths(data)
    x = data[dim].values * scale
    bed = data["bed"].values.ravel() if "bed" in data else None
    surface = surface_of(data, variable.name, record, values, bed) if bed is not None and record is not None else None
    size = (8.6, 5.2 if surface is not None else 3.4)
    figure, panels = plt.subplots(2 if surface is not None else 1, 1, figsize=size, sharex=True, squeeze=False)
    figure.subplots_adjust(left=0.11, right=0.975, top=1 - 0.7 / size[1], bottom=0.5 / size[1], hspace=0.12)
    line = panels[0, 0]
    line.plot(x, values, color="#2a6699", linewidth=1.4)
    room = 0.06 * (reach[1] - reach[0]) or 1e-3 * abs(reach[0]) or 1e-3
    line.set_ylim(reach[0] - room, reach[1] + room)
    if reach[0] < 0 < reach[1]:
        line.axhline(0, color=style.QUIET, linewidth=0.5)
    words, points = style.fitted(style.label(variable), 2.2)
    line.set_ylabel(words, fontsize=points)
    line.set_xlim(x.min(), x.max())
    if surface is not None:
        water_over_bed(panels[1, 0], x, bed, surface)
    for panel in panels.ravel():
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="#e4e4e2", linewidth=0.6)
        panel.set_axisbelow(True)
    panels[-1, 0].set_xlabel(("longitude" if dim == "lon" else "latitude") if geographic else f"{dim} [{unit}]")
    figure.text(0.11, 1 - 0.3 / size[1], title, fontsize=12, fontweight="bold")
    figure.text(0.11, 1 - 0.55 / size[1], note, fontsize=10, color=style.QUIET)
    return figure


def water_over_bed(axes, x, bed, surface):
    ground, top = np.nanmin(bed), max(np.nanmax(surface, initial=-np.inf), np.nanmin(bed))
    high = top + 0.1 * (top - ground or 1.0)
    floor = ground - 0.06 * (high - ground)
    axes.fill_between(x, bed, np.where(np.isfinite(surface), np.fmax(surface, bed), bed), color="#bfd8e8", linewidth=0)
    axes.plot(x, np.where(surface > bed, surface, np.nan), color="#2a6699", linewidth=1)
    axes.fill_between(x, floor, bed, color=style.LAND, linewidth=0)
    axes.set_ylim(floor, high)
    axes.set_ylabel("height [m]")
