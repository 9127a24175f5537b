# SPDX-License-Identifier: Apache-2.0
"""What all pictures have in common: type, colours, the map's frame."""

import math
import textwrap

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator
from maeotis_results import reading

LAND = "#d5d5d2"
DRY = "#efe2c2"
WATER = "#cfe2ee"
COAST = "#5a5a58"
INK = "#222222"
QUIET = "#6b6b6b"

# Blue below, red above, white at zero: even in lightness, and told apart by colour-blind eyes.
LEVEL = LinearSegmentedColormap.from_list(
    "level", ["#11304f", "#2a6699", "#6fa5cc", "#bfd8e8", "#f7f7f5", "#f3c9b0", "#de8a66", "#b5473a", "#6b1526"], N=256
)

LABELS = {
    "eta": "Level",
    "max_eta": "Highest level",
    "min_eta": "Lowest level",
    "time_of_max_eta": "Time of the highest level",
    "time_of_min_eta": "Time of the lowest level",
    "max_speed": "Greatest surface speed",
    "time_of_max_speed": "Time of the greatest surface speed",
    "max_depth": "Greatest depth",
    "inundation_duration": "Time under water",
    "speed": "Speed",
    "u": "Eastward velocity",
    "v": "Northward velocity",
    "u_east": "Eastward velocity",
    "v_north": "Northward velocity",
    "temperature": "Temperature",
    "salinity": "Salinity",
    "depth": "Depth",
    "wave_height": "Significant height of waves",
    "wave_period": "Peak period of waves",
    "wave_from": "Direction waves come from",
    "wave_stress": "Stress of waves at the bed",
}
# Of a harmonic analysis: the name of the constituent follows.
HARMONICS = {
    "eta_amplitude": "Amplitude of the level",
    "eta_phase": "Phase lag of the level",
    "current_major": "Long half-axis of the current",
    "current_minor": "Short half-axis of the current (+ counter-clockwise)",
    "current_inclination": "Direction of the current's long half-axis",
    "current_phase": "Phase lag of the current",
}
STEPS = [1, 2, 2.5, 5, 10]
SEQUENTIAL = {"temperature": "inferno", "salinity": "viridis", "speed": "viridis", "max_speed": "viridis"}
SIGNED = {"eta", "u", "v", "w", "u_east", "v_north", "ubar", "vbar", "wind_stress_x", "wind_stress_y", "nonhydrostatic_pressure",
          "stokes_east", "stokes_north"}


def set_up():
    plt.rcParams.update({
        "font.family": "sans-serif",
        "font.size": 10,
        "axes.titlesize": 10,
        "axes.edgecolor": QUIET,
        "axes.linewidth": 0.6,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": QUIET,
        "ytick.color": QUIET,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "savefig.facecolor": "white",
    })


def one_by_one(figures):
    """Closes each when the next is asked for."""
    for figure in figures:
        yield figure
        close(figure)


def close(figure):
    plt.close(figure)


def unit_for_people(text):
    known = {"1": "", "m s-1": "m/s", "m3 s-1": "m³/s", "kg m-3": "kg/m³", "degree_C": "°C", "degree": "°", "degC": "°C", "1e-3": "g/kg", "m2 s-1": "m²/s"}
    return known.get(text, text)


def units(variable):
    return unit_for_people(str(variable.attrs.get("units", "")))


def words(variable):
    """What a variable is, in a few words."""
    prefix, _, constituent = str(variable.name).rpartition("_")
    if prefix in HARMONICS:
        return f"{HARMONICS[prefix]}, {constituent}"
    return LABELS.get(variable.name) or sentence(str(variable.attrs.get("long_name", variable.name)))


def sentence(text):
    """With a capital first; units such as mL stay as they are."""
    return text[:1].upper() + text[1:]


def label(variable):
    name = words(variable)
    return f"{name} [{units(variable)}]" if units(variable) else name


def wished_contours(text, parser):
    """A number of lines, or their values; None without a wish."""
    if text is None:
        return None
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        values = []
    if not values or not np.isfinite(values).all():
        parser.error(f"--contours {text}: a number of lines, such as 8, or their values, such as 10,12.5,15")
    if len(values) == 1 and values[0] == int(values[0]) and 1 <= values[0] <= 100 and "." not in text:
        return int(values[0])
    return sorted(set(values))


def contours(axes, x, y, values, wish):
    """Lines of equal value with their numbers."""
    if not np.isfinite(values).any() or np.nanmax(values) <= np.nanmin(values):
        return
    masked = np.ma.masked_invalid(values)
    levels = MaxNLocator(wish, steps=STEPS).tick_values(masked.min(), masked.max()) if isinstance(wish, int) else wish
    lines = axes.contour(x, y, masked, levels=levels, colors=INK, linewidths=0.6, zorder=3)
    axes.clabel(lines, fontsize=7, fmt=lambda value: f"{value:g}")


def to_milliseconds(time):
    """A date of a file as one with a year, a day and so on, rounded: 0.3 s is not quite that in a file."""
    if isinstance(time, np.datetime64):
        return (time.astype("datetime64[us]") + np.timedelta64(500, "us")).astype("datetime64[ms]").item()
    return time


def date(time):
    """24 Sep 2014, 18:00 UTC; with seconds, or parts of them, where there are."""
    if isinstance(time, np.datetime64) and np.isnat(time):
        return ""
    time = to_milliseconds(time)
    seconds = time.second + round(time.microsecond * 1e-6, 3)
    small = f":{seconds:06.3f}".rstrip("0").rstrip(".") if time.microsecond else f":{seconds:02.0f}" if seconds else ""
    return f"{time.day} {time.strftime('%b %Y, %H:%M')}{small} UTC"


def date_axis(axis, most, fewest=3):
    """Dates along an axis: 1 Mar, 12:00; the year, or the day where no label has it, at the end."""
    locator = mdates.AutoDateLocator(minticks=fewest, maxticks=most)
    axis.set_major_locator(locator)
    axis.set_major_formatter(mdates.ConciseDateFormatter(
        locator, formats=["%Y", "%b", "%-d %b", "%H:%M", "%H:%M", "%H:%M:%S"], zero_formats=["", "%Y", "%-d %b", "%-d %b", "%H:%M", "%H:%M"],
        offset_formats=["", "%Y", "%Y", "%-d %b %Y", "%-d %b %Y", "%-d %b %Y"]))


def stamp(time):
    """The date as a part of a file's name, as restart files have it."""
    time = to_milliseconds(time)
    return time.strftime("%Y%m%dT%H%M%S") + (f"_{time.microsecond:06d}Z" if time.microsecond else "Z")


def fitted(text, inches):
    """For an axis of so many inches: the words in two lines at most, and the size of type that takes; the rest is cut off."""
    for size in (10, 9, 8, 7):
        lines = textwrap.wrap(text, max(10, int(inches / (0.0085 * size))))
        if len(lines) <= 2:
            break
    else:
        lines = [lines[0], lines[1] + " …"]
    return "\n".join(lines), size


def known(parts, most=1_000_000):
    """The values of these arrays that are numbers: all, or of more than `most` every so many, from all columns alike."""
    parts = [np.asarray(part) for part in parts]
    stride = 1 + sum(part.size for part in parts) // most
    while stride > 1 and any(math.gcd(stride, part.shape[-1]) > 1 for part in parts):
        stride += 1
    values = [part.reshape(-1)[::stride] for part in parts]
    return np.concatenate([part[np.isfinite(part)] for part in values] or [np.empty(0)])


def usual_range(parts):
    """For the colours the range of all but the outermost thousandth of the values, unless the whole is less than twice as wide;
    and the whole range."""
    least, most = np.inf, -np.inf
    for part in parts:
        numbers = np.isfinite(part)
        least = min(least, np.min(part, where=numbers, initial=np.inf))
        most = max(most, np.max(part, where=numbers, initial=-np.inf))
    if most < least:
        return (0.0, 1.0), (0.0, 1.0)
    values = known(parts)
    low, high = np.percentile(values, [0.1, 99.9]) if values.size else (least, most)
    if most - least < 2 * (high - low):
        low, high = least, most
    return (float(low), float(high)), (float(least), float(most))


def colours(name, values):
    """Colour map and usual range of these values: symmetric about zero where the sign means something."""
    low, high = usual_range([np.asarray(values)])[0]
    if "_phase_" in name:
        return plt.get_cmap("twilight"), Normalize(0, 360)
    if "_inclination_" in name:
        return plt.get_cmap("twilight"), Normalize(0, 180)
    signed = name in SIGNED or name.endswith("_residual") or "_minor_" in name or (name in ("max_eta", "min_eta") and low < 0 < high)
    if signed:
        reach = max(abs(low), abs(high)) or 1e-3
        return LEVEL, Normalize(-reach, reach)
    if high <= low:
        high = low + (abs(low) * 1e-3 or 1e-3)
    return plt.get_cmap(SEQUENTIAL.get(name, "viridis")), Normalize(low, high)


class Map:
    """An empty map with land, coast and axes in the right proportions."""

    def __init__(self, data, title, note):
        self.data = data
        self.y_dim, self.x_dim = reading.dimensions_of_cells(data)
        self.geographic = reading.axis(data, "X")[1]
        self.scale, self.unit = reading.lengths(data)
        self.x = data[self.x_dim].values * self.scale
        self.y = data[self.y_dim].values * self.scale
        self.x_edges, self.y_edges = reading.edges(self.x), reading.edges(self.y)
        self.sea = reading.sea(data)
        self.figure, self.axes = self.frame()
        self.head(title, note)
        self.coast()

    def frame(self):
        width, height = np.ptp(self.x_edges), np.ptp(self.y_edges)
        self.stretch = 1 / np.cos(np.radians(np.mean(self.y))) if self.geographic else 1.0
        shape = np.clip(height * self.stretch / width, 0.12, 2.2)
        wide = 7.2 if shape <= 1 else 7.2 / shape**0.7
        tall = wide * shape
        left, right, below, above = 0.75, 1.45, 0.55, 0.75
        figure = plt.figure(figsize=(left + wide + right, below + tall + above))
        full = figure.get_size_inches()
        axes = figure.add_axes([left / full[0], below / full[1], wide / full[0], tall / full[1]])
        axes.set_facecolor(LAND)
        axes.set_xlim(self.x_edges[0], self.x_edges[-1])
        axes.set_ylim(self.y_edges[0], self.y_edges[-1])
        # A channel one cell wide is drawn as wide as legible rather than true to scale.
        true = 0.12 <= height * self.stretch / width <= 2.2
        axes.set_aspect(self.stretch if true else "auto")
        if self.geographic:
            axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{abs(v):g}°{'E' if v >= 0 else 'W'}"))
            axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{abs(v):g}°{'N' if v >= 0 else 'S'}"))
        else:
            axes.set_xlabel(f"x [{self.unit}]")
            axes.set_ylabel(f"y [{self.unit}]")
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=STEPS))
        axes.yaxis.set_major_locator(MaxNLocator(max(2, min(6, int(tall / 0.7))), steps=STEPS))
        return figure, axes

    def head(self, title, note):
        size = self.figure.get_size_inches()
        box = self.axes.get_position()
        top = box.y1 + 0.42 / size[1]
        self.figure.text(box.x0, top, title, fontsize=12, fontweight="bold", va="bottom")
        self.figure.text(box.x0, box.y1 + 0.14 / size[1], note, fontsize=10, color=QUIET, va="bottom")

    def coast(self):
        """The border between land and sea, along the cells' edges, where the model has it."""
        if self.sea is None:
            return
        lines = []
        rows, columns = np.nonzero(self.sea[:, 1:] != self.sea[:, :-1])
        lines += [((self.x_edges[i + 1], self.y_edges[j]), (self.x_edges[i + 1], self.y_edges[j + 1]))
                  for j, i in zip(rows, columns)]
        rows, columns = np.nonzero(self.sea[1:, :] != self.sea[:-1, :])
        lines += [((self.x_edges[i], self.y_edges[j + 1]), (self.x_edges[i + 1], self.y_edges[j + 1]))
                  for j, i in zip(rows, columns)]
        self.axes.add_collection(LineCollection(lines, colors=COAST, linewidths=0.5, zorder=3, capstyle="round"))

    def paint(self, values, cmap, norm, text, ticks=None, tick_labels=None, empty=(DRY, "dry")):
        """The field, the sea without a value below it (`empty`: its colour and name), the colour bar beside it, unless it has no text."""
        without = self.sea & ~np.isfinite(values) if self.sea is not None else np.zeros(values.shape, bool)
        if without.any():
            shown = np.where(without, 1.0, np.nan)
            only = LinearSegmentedColormap.from_list("empty", [empty[0], empty[0]])
            self.axes.pcolormesh(self.x_edges, self.y_edges, shown, cmap=only, zorder=1)
            self.axes.legend(handles=[Patch(color=empty[0], label=empty[1])], loc="lower right", frameon=True,
                             fontsize=8, framealpha=0.9, edgecolor="none", handlelength=1.2).set_zorder(6)
        mesh = self.axes.pcolormesh(self.x_edges, self.y_edges, np.ma.masked_invalid(values), cmap=cmap, norm=norm,
                                    zorder=2, rasterized=True)
        if text is None:
            return
        least, most = (0.0 if abs(end) < 1e-9 * (norm.vmax - norm.vmin) else end for end in usual_range([values])[1])  # round-off is no value
        beyond = (least < norm.vmin, most > norm.vmax) if np.isfinite(values).any() else (False, False)
        if any(beyond):  # few cells would take the colours from all others
            text += f", {' and '.join(f'{word} {end:.2g}' for word, end, out in zip(('down to', 'up to'), (least, most), beyond) if out)} in a few cells".replace("-", "\N{MINUS SIGN}")
        size, box = self.figure.get_size_inches(), self.axes.get_position()
        place = self.figure.add_axes([box.x1 + 0.15 / size[0], box.y0, 0.14 / size[0], box.height])
        few = MaxNLocator(max(3, int(box.height * size[1] / 0.5)), steps=STEPS)
        extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get(beyond, "neither")
        bar = self.figure.colorbar(mesh, cax=place, ticks=few if ticks is None else ticks, extend=extend, extendfrac=0.03)
        if tick_labels is not None:
            bar.set_ticks(ticks, labels=tick_labels)
        bar.outline.set_linewidth(0.5)
        words, points = fitted(text, size[1] - 0.4)
        bar.set_label(words, fontsize=points)

    def ellipses(self, long, short, inclination):
        """The paths of tidal currents' tips; the longest of 98 of 100 has the width of a square."""
        reference = float(np.nanpercentile(long, 98)) if np.isfinite(long).any() else 0.0
        if not reference > 0:
            return
        wide = np.ptp(self.x_edges) / 24
        step_x = max(1, int(round(wide / np.mean(np.diff(self.x_edges)))))
        step_y = max(1, int(round(wide / self.stretch / np.mean(np.diff(self.y_edges)))))
        turn, paths = np.linspace(0, 2 * np.pi, 41), {False: [], True: []}
        for j in range(step_y // 2, self.y.size, step_y):
            for i in range(step_x // 2, self.x.size, step_x):
                if not np.isfinite(long[j, i] + short[j, i]):
                    continue
                tip = (long[j, i] * np.cos(turn) + 1j * short[j, i] * np.sin(turn)) * np.exp(1j * np.radians(inclination[j, i]))
                tip *= 0.48 * wide / reference
                paths[bool(short[j, i] < 0)].append(np.column_stack([self.x[i] + tip.real, self.y[j] + tip.imag / self.stretch]))
        for clockwise, colour in ((False, "#ffffff"), (True, "#ff9d3c")):
            if paths[clockwise]:
                words = "current turns clockwise" if clockwise else "counter-clockwise"
                self.axes.add_collection(LineCollection(paths[clockwise], colors=colour, linewidths=1.0, zorder=4, label=words))
        self.axes.legend(loc="lower right", fontsize=8, facecolor=QUIET, labelcolor="white", framealpha=0.8, edgecolor="none").set_zorder(6)

    def arrows(self, u, v, reference):
        """The current at the middles of squares of cells; an arrow of `reference` [m/s] is as long as a square."""
        if not reference > 0:
            return
        wide = np.ptp(self.x_edges) / 30
        tall = wide / self.stretch if self.axes.get_aspect() != "auto" else np.ptp(self.y_edges) / 8
        step_x = max(1, int(round(wide / np.mean(np.diff(self.x_edges)))))
        step_y = max(1, int(round(tall / np.mean(np.diff(self.y_edges)))))
        rows, columns = slice(step_y // 2, None, step_y), slice(step_x // 2, None, step_x)
        size, box = self.figure.get_size_inches(), self.axes.get_position()
        inches = 0.95 * box.width * size[0] / 30
        quiver = self.axes.quiver(
            self.x[columns], self.y[rows], u[rows, columns], v[rows, columns], units="inches", scale_units="inches",
            scale=reference / inches, pivot="mid", width=0.011, headwidth=4, headlength=4.5, headaxislength=4, color=INK,
            alpha=0.85, zorder=4, minlength=0.3,
        )
        quiver.set_path_effects([withStroke(linewidth=1.6, foreground=(1, 1, 1, 0.55))])  # dark colours would swallow them
        legend = float(f"{reference:.0e}")
        self.axes.quiverkey(quiver, box.x1 - 0.55 / size[0], box.y1 + 0.2 / size[1], legend, f"{legend:g} m/s",
                            coordinates="figure", labelpos="E", fontproperties={"size": 9}, labelsep=0.06)
