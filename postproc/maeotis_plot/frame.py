# SPDX-License-Identifier: Apache-2.0
"""The frame of a map: land, coast and axes in the right proportions, the field in colours, currents, the box of a zoom."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator
from maeotis_results import reading

from .style import COAST, DRY, INK, LAND, QUIET, STEPS, fitted, usual_range

ARROWS = 0.24  # inches between currents
LONGEST = 1.0  # arrows, in squares
PALE = "#f4f4f2"


def longitudes(value, _):
    return f"{abs(value):g}°{'E' if value >= 0 else 'W'}"


def latitudes(value, _):
    return f"{abs(value):g}°{'N' if value >= 0 else 'S'}"


class Cells:
    """Where the cells of a file lie on the page's axes, and which of them are sea."""

    def __init__(self, data):
        self.y_dim, self.x_dim = reading.dimensions_of_cells(data)
        self.scale, self.unit = reading.lengths(data)
        self.x, self.y = (data[dim].values * self.scale for dim in (self.x_dim, self.y_dim))
        self.x_edges, self.y_edges = reading.edges(self.x), reading.edges(self.y)
        self.sea, self.closed = reading.sea(data), reading.walls(data)

    def walls(self):
        """Sides between two cells of sea that are closed."""
        x, y = self.x_edges, self.y_edges
        return [((x[i], y[j]), (x[i], y[j + 1])) if side == "x" else ((x[i], y[j]), (x[i + 1], y[j])) for side, j, i in self.closed]

    def coast(self):
        """The border between land and sea, along the cells' edges, where the model has it."""
        if self.sea is None:
            return []
        x, y = self.x_edges, self.y_edges
        rows, columns = np.nonzero(self.sea[:, 1:] != self.sea[:, :-1])
        lines = [((x[i + 1], y[j]), (x[i + 1], y[j + 1])) for j, i in zip(rows, columns)]
        rows, columns = np.nonzero(self.sea[1:, :] != self.sea[:-1, :])
        return lines + [((x[i], y[j + 1]), (x[i + 1], y[j + 1])) for j, i in zip(rows, columns)]

    def without(self, values):
        """Sea that has no value."""
        return self.sea & ~np.isfinite(values) if self.sea is not None else np.zeros(values.shape, bool)


class Map(Cells):
    """An empty map with land, coast and axes in the right proportions. `rows` of a legend have room below it."""

    def __init__(self, data, title, note, rows=0):
        super().__init__(data)
        self.geographic = reading.axis(data, "X")[1]
        self.handles, self.painted, self.box = [], None, None
        self.figure, self.axes = self.frame(rows)
        self.head(title, note)
        self.shore(self, 2.2)

    def shore(self, cells, level):
        """Coast, and walls in the sea."""
        self.axes.add_collection(LineCollection(cells.coast(), colors=COAST, linewidths=0.5, zorder=level, capstyle="round"))
        self.axes.add_collection(LineCollection(cells.walls(), colors=INK, linewidths=1.4, zorder=5, capstyle="round"))
        if cells.closed:
            self.legend([Line2D([], [], color=INK, linewidth=1.4, label="closed between cells")])

    def frame(self, rows):
        width, height = np.ptp(self.x_edges), np.ptp(self.y_edges)
        self.stretch = 1 / np.cos(np.radians(np.mean(self.y))) if self.geographic else 1.0
        shape = np.clip(height * self.stretch / width, 0.12, 2.2)
        wide = 7.2 if shape <= 1 else 7.2 / shape**0.7
        tall = wide * shape
        left, right, below, above = 0.75, 1.45, 0.6 + 0.22 * rows, 0.75
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
            axes.xaxis.set_major_formatter(longitudes)
            axes.yaxis.set_major_formatter(latitudes)
        else:
            axes.set_xlabel(f"x [{self.unit}]")
            axes.set_ylabel(f"y [{self.unit}]")
            axes.ticklabel_format(style="plain", useOffset=False)  # coordinates of a projected map are large
        axes.xaxis.set_major_locator(MaxNLocator(max(3, min(6, int(wide / 0.9))), steps=STEPS))
        axes.yaxis.set_major_locator(MaxNLocator(max(2, min(6, int(tall / 0.7))), steps=STEPS))
        return figure, axes

    def head(self, title, note):
        size = self.figure.get_size_inches()
        box = self.axes.get_position()
        top = box.y1 + 0.42 / size[1]
        self.figure.text(box.x0, top, title, fontsize=12, fontweight="bold", va="bottom")
        self.figure.text(box.x0, box.y1 + 0.14 / size[1], note, fontsize=10, color=QUIET, va="bottom")

    def legend(self, handles, columns=4):
        """Below the map, where it covers nothing."""
        self.handles += [handle for handle in handles if handle.get_label() not in {other.get_label() for other in self.handles}]
        size, box = self.figure.get_size_inches(), self.axes.get_position()
        self.axes.legend(handles=self.handles, loc="lower right", bbox_to_anchor=(box.x1, 0.03 / size[1]), bbox_transform=self.figure.transFigure,
                         ncol=columns, frameon=False, fontsize=8, handlelength=1.4, borderpad=0, borderaxespad=0.1, columnspacing=1.2)

    def colour(self, values, cmap, norm, cells, empty, level):
        """A field in its colours from a level of the drawing on, and sea without a value below it."""
        without = cells.without(values)
        if without.any():
            only = LinearSegmentedColormap.from_list("empty", [empty[0], empty[0]])
            self.axes.pcolormesh(cells.x_edges, cells.y_edges, np.where(without, 1.0, np.nan), cmap=only, zorder=level)
            self.legend([Patch(color=empty[0], label=empty[1])])
        return self.axes.pcolormesh(cells.x_edges, cells.y_edges, np.ma.masked_invalid(values), cmap=cmap, norm=norm, zorder=level + 0.05, rasterized=True)

    def paint(self, values, cmap, norm, text, ticks=None, tick_labels=None, empty=(DRY, "dry")):
        """The field, the sea without a value below it (`empty`: its colour and name), the colour bar beside it, unless it has no text."""
        mesh = self.colour(values, cmap, norm, self, empty, 2)
        self.painted = (values, mesh.cmap, norm)
        if text is not None:
            self.bar(mesh, [values], text, ticks, tick_labels)

    def shade(self, cells, colour, words):
        """Cells, of those that are sea or may flood, in one colour over the field, and what it means."""
        cells = self.without(np.where(cells, np.nan, 0.0))
        if cells.any():
            only = LinearSegmentedColormap.from_list("shade", [colour, colour])
            self.axes.pcolormesh(self.x_edges, self.y_edges, np.where(cells, 1.0, np.nan), cmap=only, zorder=2.06)
            self.legend([Patch(color=colour, label=words)])

    def bar(self, mesh, values, text, ticks=None, tick_labels=None):
        norm = mesh.norm
        least, most = (0.0 if abs(end) < 1e-9 * (norm.vmax - norm.vmin) else end for end in usual_range(values)[1])  # round-off is no value
        beyond = (least < norm.vmin, most > norm.vmax) if any(np.isfinite(part).any() for part in values) else (False, False)
        if any(beyond):  # few cells would take the colours from all others; with a range that was wished for, they may be many
            outside = np.mean(np.concatenate([(part[np.isfinite(part)] < norm.vmin) | (part[np.isfinite(part)] > norm.vmax) for part in values]))
            text += f", {' and '.join(f'{word} {end:.2g}' for word, end, out in zip(('down to', 'up to'), (least, most), beyond) if out)}{' in a few cells' if outside < 0.01 else ''}".replace("-", "\N{MINUS SIGN}")
        size, box = self.figure.get_size_inches(), self.axes.get_position()
        place = self.figure.add_axes([box.x1 + 0.15 / size[0], box.y0, 0.14 / size[0], box.height])
        few = MaxNLocator(max(4, int(box.height * size[1] / 0.45)), steps=STEPS)
        extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get(beyond, "neither")
        bar = self.figure.colorbar(mesh, cax=place, ticks=few if ticks is None else ticks, extend=extend, extendfrac=0.03)
        if tick_labels is not None:
            bar.set_ticks(ticks, labels=tick_labels)
        bar.outline.set_linewidth(0.5)
        words, points = fitted(text, size[1] - 0.4)
        bar.set_label(words, fontsize=points)

    def zoom(self, box):
        """The outline of a zoom, in the file's coordinates."""
        west, east, south, north = (edge * self.scale for edge in box)
        outline = Rectangle((west, south), east - west, north - south, fill=False, edgecolor=INK, linewidth=1.1, zorder=5, label="finer grid")
        outline.set_path_effects([withStroke(linewidth=2.2, foreground=PALE)])
        self.axes.add_patch(outline)
        self.box = (west, east, south, north)
        self.legend([Patch(facecolor="none", edgecolor=INK, linewidth=1.1, label="finer grid")])

    def overlay(self, data, values, empty=(DRY, "dry")):
        """The field of the finer grid in the box of the zoom, in the colours of the field around."""
        _, cmap, norm = self.painted
        cells = Cells(data)
        x, y = cells.x_edges * self.scale / cells.scale, cells.y_edges * self.scale / cells.scale
        cells.x, cells.y, cells.x_edges, cells.y_edges = cells.x * self.scale / cells.scale, cells.y * self.scale / cells.scale, x, y
        self.axes.add_patch(Rectangle((x[0], y[0]), x[-1] - x[0], y[-1] - y[0], facecolor=LAND, edgecolor="none", zorder=2.3))
        self.colour(values, cmap, norm, cells, empty, 2.4)
        self.shore(cells, 3)
        return cells

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
        for clockwise, colour, words in ((False, "#ffffff", "current turns counter-clockwise"), (True, "#ff9d3c", "current turns clockwise")):
            if paths[clockwise]:
                dark = [withStroke(linewidth=1.9, foreground="#4a4a48")]  # to be told from light colours, and from the paper
                self.axes.add_collection(LineCollection(paths[clockwise], colors=colour, linewidths=1.0, zorder=4, label=words, path_effects=dark))
                self.legend([Line2D([], [], color=colour, linewidth=1.2, label=words, path_effects=dark)])

    def squares(self, cells, u, v, painted, inside):
        """(x, y, u, v, colour) of the currents of one grid at the middles of squares, of those inside of the box or of the others."""
        size, box = self.figure.get_size_inches(), self.axes.get_position()
        wide = np.ptp(self.x_edges) / max(4, box.width * size[0] / ARROWS)
        tall = np.ptp(self.y_edges) / max(2, box.height * size[1] / ARROWS)
        step_x = max(1, int(round(wide / np.mean(np.diff(cells.x_edges)))))
        step_y = max(1, int(round(tall / np.mean(np.diff(cells.y_edges)))))
        rows, columns = np.meshgrid(np.arange(step_y // 2, cells.y.size, step_y), np.arange(step_x // 2, cells.x.size, step_x), indexing="ij")
        x, y = cells.x[columns], cells.y[rows]
        values, cmap, norm = painted
        chosen = np.isfinite(u[rows, columns]) & np.isfinite(v[rows, columns])
        if self.box is not None and inside is not None:
            west, east, south, north = self.box
            chosen &= inside == ((x > west) & (x < east) & (y > south) & (y < north))
        return x[chosen], y[chosen], u[rows, columns][chosen], v[rows, columns][chosen], shades(cmap, norm, values[rows, columns][chosen])

    def arrows(self, u, v, reference, finer=None):
        """The current at the middles of squares; an arrow of `reference` [m/s] is as long as a square. `finer`: (its cells, u, v, field)."""
        if not reference > 0 or self.painted is None:
            return
        parts = [self.squares(self, u, v, self.painted, None if finer is None else False)]
        if finer is not None:
            cells, fine_u, fine_v, field = finer
            parts.append(self.squares(cells, fine_u, fine_v, (field, *self.painted[1:]), True))
        x, y, u, v, colours = (np.concatenate([part[n] for part in parts]) for n in range(5))
        speed = np.hypot(u, v)
        told = speed > 0.1 * reference  # smaller ones would be dots
        if not told.any():
            return
        shorter = np.minimum(1, LONGEST * reference / np.maximum(speed, 1e-300))  # at an inlet some would lie across their neighbours
        u, v, most = u * shorter, v * shorter, speed.max()
        size, box = self.figure.get_size_inches(), self.axes.get_position()
        quiver = self.axes.quiver(
            x[told], y[told], u[told], v[told], units="inches", scale_units="inches", scale=reference / (0.95 * ARROWS), pivot="mid", width=0.011,
            headwidth=4, headlength=4.5, headaxislength=4, color=colours[told], zorder=4, minlength=0.3,
        )
        legend = float(f"{reference:.0e}")
        words = f"{legend:g} m/s" + (f", the longest up to {most:.2g}" if most > LONGEST * reference else "")
        self.axes.quiverkey(quiver, box.x1 - (0.1 + 0.068 * len(words)) / size[0], box.y1 + 0.2 / size[1], legend, words, color=INK,
                            coordinates="figure", labelpos="E", fontproperties={"size": 9}, labelsep=0.06)


def shades(cmap, norm, values):
    """The colour of an arrow on the colour of each value: pale on dark, dark on light."""
    painted = np.asarray(cmap(norm(np.ma.masked_invalid(values))))[..., :3]
    light = np.sqrt(painted**2 @ np.array([0.299, 0.587, 0.114])) > 0.52
    return np.where(light[..., None], to_rgb(INK), to_rgb("white"))
