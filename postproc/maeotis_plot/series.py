# SPDX-License-Identifier: Apache-2.0
"""Series at stations: one small panel per station, all on the same axes, so that they can be compared."""

import matplotlib.pyplot as plt
import numpy as np
from maeotis_results import reading
from maeotis_results.depths import at_level

from . import maps, style

COLOURS = ("#2a6699", "#b5473a")
PAIRS = {"u": "v", "u_east": "v_north", "ubar": "vbar", "structure_level_left": "structure_level_right"}


def draw(data, options):
    names = options.variable or pick(data)
    if not names:
        raise reading.Refused("the file contains no series")
    for name in names:
        if name not in data:
            raise reading.Refused(f"there is no series {name}; there are {', '.join(pick(data))}")
        pair = [name] + ([PAIRS[name]] if PAIRS.get(name) in data else [])
        yield "-".join(pair), panels(data, pair, options.level)


def pick(data):
    """All series but the heights of the layers; a velocity's second component comes with its first."""
    names = [str(n) for n in data.data_vars if {"time", "station"} <= set(data[n].dims) and n != "z"]
    seconds = {PAIRS[n] for n in names if n in PAIRS}
    return [n for n in names if n not in seconds]


def time_axis(data):
    times = data["time"].values
    if np.issubdtype(times.dtype, np.datetime64):
        return times, True
    return np.array([(t - times[0]).total_seconds() / 3600 for t in times]), False


def panels(data, pair, level):
    series = [at_level(data, name, level).transpose("time", "station").values for name in pair]
    shown = [n for n in range(data.sizes["station"]) if any(np.isfinite(values[:, n]).any() for values in series)]
    shown = shown or list(range(data.sizes["station"]))  # without any value, empty panels say so
    count = len(shown)
    columns = 1 if count <= 5 else 2 if count <= 16 else 3
    rows = -(-count // columns)
    size = (4.6 + 4.2 * (columns - 1) + (3.4 if columns == 1 else 0), 1.35 * rows + 1.35)
    alone = pair[0] == "structure_discharge"  # a pump beside a breach would be a flat line
    figure, axes = plt.subplots(rows, columns, figsize=size, sharex=True, sharey=not alone, squeeze=False)
    figure.subplots_adjust(left=0.75 / size[0], right=1 - 0.25 / size[0], top=1 - 0.85 / size[1], bottom=0.5 / size[1],
                           hspace=0.32, wspace=0.08 if columns == 1 else 0.16)
    times, dated = time_axis(data)
    near_zero = shows_zero(series)
    names = reading.station_names(data)
    for n, panel in zip(shown, axes.ravel(order="F")):
        if near_zero:
            panel.axhline(0, color=style.QUIET, linewidth=0.5)
        draw_panel(panel, times, [values[:, n] for values in series], names[n], data[pair[0]])
    for panel in axes.ravel(order="F")[count:]:
        panel.set_visible(False)
    if dated:
        style.date_axis(axes[-1, 0].xaxis, 8 if columns == 1 else 6)
    else:
        for panel in axes[-1]:
            panel.set_xlabel("hours")
    heading(figure, size, data, pair, level, ", each on its own axis" if alone and count > 1 else "")
    return figure


def shows_zero(series):
    """Levels swing about zero; temperatures far from it would become flat lines above it."""
    known = np.concatenate([values[np.isfinite(values)] for values in series])
    return known.size == 0 or known.max() - known.min() > 0.5 * np.abs(known).max()


def draw_panel(panel, times, lines, name, variable):
    unit = style.units(variable)
    for values, colour in zip(lines, COLOURS):
        panel.plot(times, values, color=colour, linewidth=1.3)
    if len(lines) == 1 and np.isfinite(lines[0]).any():
        name = f"{name}    {mark_extreme(panel, times, lines[0], unit)}"
    if not any(np.isfinite(values).any() for values in lines):
        panel.set_xlim(times[0], times[-1] if times.size > 1 else None)
        panel.set_yticks([])
        panel.text(0.5, 0.5, "no values", transform=panel.transAxes, ha="center", color=style.QUIET)
    panel.set_title(name, loc="left", fontsize=9, pad=3)
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", color="#e4e4e2", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.margins(x=0.01)


def mark_extreme(panel, times, values, unit):
    """Marks the value that is farthest from zero; returns what to say about it."""
    n = int(np.nanargmax(np.abs(values)))
    panel.plot(times[n], values[n], "o", color=COLOURS[1], markersize=3.5, zorder=3)
    text = f"{'highest' if values[n] >= 0 else 'lowest'} {values[n]:.2f} {unit}" if abs(values[n]) >= 0.1 else f"{'highest' if values[n] >= 0 else 'lowest'} {values[n]:.2g} {unit}"
    text = text.strip().replace("-", "\N{MINUS SIGN}")
    return f"{text}, {style.date(times[n])}" if isinstance(times[n], np.datetime64) else text


def heading(figure, size, data, pair, level, addition=""):
    left = 0.75 / size[0]
    figure.text(left, 1 - 0.32 / size[1], maps.title_of(data), fontsize=12, fontweight="bold", va="bottom")
    place = left
    for name, colour in zip(pair, COLOURS):
        text = style.label(data[name]) + addition
        if reading.level_of(data[name]):
            text += f", {level:g} m below the surface" if isinstance(level, reading.Depth) else \
                {-1: ", surface layer", reading.BED: ", lowest layer"}.get(level, f", layer {level} from below")
        figure.text(place, 1 - 0.55 / size[1], text, color=colour if len(pair) > 1 else style.QUIET, va="bottom")
        place += (0.085 * len(text) + 0.3) / size[0]
