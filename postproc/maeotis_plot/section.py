# SPDX-License-Identifier: Apache-2.0
"""Sections: a variable with layers along a line of the map, from the bed to the surface, every layer where it is at that time."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from maeotis_results import reading, run
from maeotis_results.depths import heights, tells_surface

from . import maps, style

EARTH_M = 6371000.0
AT_DATUM = "drawn for water at the datum"
SHOWN = ("salinity", "temperature", "speed", "u_east", "u")  # the first of them that the file has


def line_of(text):
    """[(x, y), ...] of "X1,Y1,X2,Y2", in the file's coordinates."""
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) < 4 or len(numbers) % 2 or not np.isfinite(numbers).all():
        raise reading.Refused(f"--section {text}: write X1,Y1,X2,Y2, longitudes and latitudes or metres; more points make a bent line")
    return list(zip(numbers[::2], numbers[1::2]))


class Line:
    """The cells that a line crosses, in order, and where on the line each of them begins and ends [km]."""

    def __init__(self, data, points):
        self.dims = reading.dimensions_of_cells(data)
        y, x = (data[dim].values for dim in self.dims)
        geographic = reading.axis(data, "X")[1]
        lean = np.cos(np.radians(np.mean([point[1] for point in points]))) if geographic else 1.0
        per_unit = np.pi / 180 * EARTH_M if geographic else 1.0
        fine = min(np.abs(np.diff(axis)).min() if axis.size > 1 else 1.0 for axis in (x, y)) / 20
        self.i, self.j, self.edges, self.points = [], [], [0.0], points
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            count = max(2, int(np.hypot(x1 - x0, y1 - y0) / fine) + 1)
            step = 1e-3 * per_unit * np.hypot((x1 - x0) * lean, y1 - y0) / count
            for part in (np.arange(count) + 0.5) / count:
                self.pass_through(data, x, y, x0 + part * (x1 - x0), y0 + part * (y1 - y0), step)
        self.edges = np.array(self.edges)
        if not self.edges[-1] > 0:
            raise reading.Refused("--section: the line has no length: its points are the same")

    def pass_through(self, data, x, y, at_x, at_y, step):
        i, j = int(np.argmin(np.abs(x - at_x))), int(np.argmin(np.abs(y - at_y)))
        for axis, at, n, dim in ((x, at_x, i, self.dims[1]), (y, at_y, j, self.dims[0])):
            width = abs(axis[min(n + 1, axis.size - 1)] - axis[max(n - 1, 0)]) / (min(n + 1, axis.size - 1) - max(n - 1, 0) or 1)
            if abs(axis[n] - at) > 0.51 * width > 0:
                raise reading.Refused(f"--section: ({at_x:.10g}, {at_y:.10g}) is outside the map, whose {dim} goes from {axis.min():.10g} to {axis.max():.10g}")
        if not self.i or (i, j) != (self.i[-1], self.j[-1]):
            self.i.append(i), self.j.append(j), self.edges.append(self.edges[-1])
        self.edges[-1] += step

    def take(self, variable):
        """Its values in the cells, the last dimension along the line; from faces by the mean of both."""
        return np.moveaxis(reading.on_cells(variable, ([d for d in (reading.level_of(variable),) if d is not None] + list(self.dims))),
                           (-2, -1), (0, 1))[self.j, self.i].T


def names(data, options):
    if options.variable:
        return options.variable
    layered = [str(name) for name in data.data_vars
               if name != "layer_share" and "time" in data[name].dims and reading.level_of(data[name]) is not None]
    if not layered or "layer_share" not in data or "bed" not in data:
        raise reading.Refused("--section: the file contains no variable with layers, or not their heights (bed, layer_share)")
    return [next((name for name in SHOWN if name in layered), layered[0])]


def whole_row(data):
    """Along a sea that is one cell wide."""
    y, x = (data[dim].values for dim in reading.dimensions_of_cells(data))
    return Line(data, [(x[0], y[0]), (x[-1], y[-1])])


def draw(data, options):
    line = Line(data, line_of(options.section))
    chosen = reading.records(data, options.time)
    if not tells_surface(data):
        print(f"maeotis plot: the file does not contain the level (eta): its section is {AT_DATUM}", file=sys.stderr)
    for name in names(data, options):
        if reading.level_of(reading.named(data, name)) is None:
            raise reading.Refused(f"--section: {name} has no layers")
        yield from of(data, line, name, chosen, options, f"from {place(data, line.points[0])} to {place(data, line.points[-1])}")


def place(data, point):
    """36.5°E 45.2°N, or x 2 km, y 12 km"""
    if reading.axis(data, "X")[1]:
        return " ".join(f"{abs(value):g}°{signs[value < 0]}" for value, signs in zip(point, ("EW", "NS")))
    scale, unit = reading.lengths(data)
    return ", ".join(f"{name} {value * scale:.10g} {unit}" for name, value in zip("xy", point))


def follows_bed(data):
    """Do the layers of the file follow the bed?"""
    levels = run.scenario_of(data.attrs).get("grid", {}).get("levels", {})
    return isinstance(levels, dict) and levels.get("kind") in ("bed-following", "hybrid", "adaptive")


def line_in_name(text):
    """In the file's name, so that no line's picture replaces another's."""
    return "".join(f"_{value:.10g}" for point in line_of(text) for value in point) if text else ""


def of(data, line, name, chosen, options, where):
    variable = reading.named(data, name)
    fields = [line.take(variable.isel(time=record)) for record in chosen]
    cmap, norm = style.colours(name, np.concatenate([field.ravel() for field in fields]), options.range)
    for record, field in zip(chosen, fields):
        moment = data["time"].values[record]
        note = f"{style.date(moment)}, {where}" + ("" if tells_surface(data) else f", {AT_DATUM}")
        yield f"{name}_section{line_in_name(options.section)}_{style.stamp(moment)}", picture(data, line, record, field, (cmap, norm), variable, options, note)


def at_sides(heights):
    """[layer, column, side]: where layers that follow the bed meet those of the next column: half-way; at land as in the column."""
    sides = np.repeat(heights[:, :, None], 2, axis=2)
    both = 0.5 * (heights[:, 1:] + heights[:, :-1])
    sides[:, :-1, 1] = np.where(np.isfinite(both), both, heights[:, :-1])
    sides[:, 1:, 0] = np.where(np.isfinite(both), both, heights[:, 1:])
    return sides


def picture(data, line, record, field, colours, variable, options, note):
    between, bed = heights(data, line, record)
    figure, axes = plt.subplots(figsize=(8.6, 4.0))
    figure.subplots_adjust(left=0.09, right=0.87, top=0.84, bottom=0.13)
    ground, top = 1.06 * np.nanmin(bed, initial=-1e-3), np.nanmax(between, initial=0.0)
    top += 0.04 * (top - ground)
    scale, unit = (1e3, "m") if line.edges[-1] < 2 else (1.0, "km")
    edges = scale * line.edges
    left, right = edges[:-1], edges[1:]
    sides = at_sides(between) if follows_bed(data) else np.repeat(between[:, :, None], 2, axis=2)
    lowest = np.argmax(between[1:] > between[:-1], axis=0)  # layers; where the next column has more, the lowest one still ends at the bed
    boxes, values = [], []
    for c in range(left.size):
        low = (top, top) if np.isnan(bed[c]) else sides[0, c]
        axes.fill_between((left[c], right[c]), ground, low, color=style.LAND, linewidth=0.3)
        for k in range(field.shape[0]):
            if np.isfinite(field[k, c]) and between[k + 1, c] > between[k, c]:
                under = sides[k if k > lowest[c] else 0, c]
                boxes.append([(left[c], under[0]), (right[c], under[1]), (right[c], sides[k + 1, c, 1]), (left[c], sides[k + 1, c, 0])])
                values.append(field[k, c])
    mesh = axes.add_collection(PolyCollection(boxes, array=np.array(values), cmap=colours[0], norm=colours[1], edgecolors="face", linewidths=0.2))
    borders(axes, left, right, sides, np.where(np.isnan(bed), field.shape[0], lowest), follows_bed(data))
    if options.contours:
        middle = 0.5 * (between[1:] + between[:-1])
        known = np.isfinite(middle) & np.isfinite(field)
        style.contours(axes, np.broadcast_to(0.5 * (left + right), field.shape), np.where(known, middle, ground), np.where(known, field, np.nan),
                       options.contours)
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(ground, top)
    axes.set_xlabel(f"along the line [{unit}]")
    axes.set_ylabel("height above the datum [m]")
    axes.spines[["top", "right"]].set_visible(False)
    words, points = style.fitted(style.label(variable), 3.2)
    place_ = axes.get_position()
    bar = figure.colorbar(mesh, cax=figure.add_axes([place_.x1 + 0.02, place_.y0, 0.016, place_.height]))
    bar.outline.set_linewidth(0.5)
    bar.set_label(words, fontsize=points)
    figure.text(0.09, 0.92, maps.title_of(data), fontsize=12, fontweight="bold")
    figure.text(0.09, 0.865, note, fontsize=10, color=style.QUIET)
    return figure


def borders(axes, left, right, sides, lowest, layers):
    """The bed as a line and, where the layers follow it, their borders, thinner. `lowest` layers; on land there is none."""
    count = sides.shape[0] - 1
    for k in range(count if layers else 1):
        lines = [[(left[c], sides[k, c, 0]), (right[c], sides[k, c, 1])] for c in np.flatnonzero((lowest < count) & ((k == 0) | (lowest < k)))]
        axes.add_collection(LineCollection(lines, colors=style.COAST if k == 0 else "white", linewidths=0.8 if k == 0 else 0.35,
                                           alpha=1.0 if k == 0 else 0.7, capstyle="butt"))
