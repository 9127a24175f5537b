# SPDX-License-Identifier: Apache-2.0
"""The grid of a scenario, as the program makes it: depth, open boundaries, structures, rivers, stations, and the layers along a section."""

import json
import re
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.patheffects import withStroke
from maeotis_results import reading, zoom
from maeotis_results.program import asked

from . import frame, style

IN_A_ROW = 4  # entries of the legend
STROKES = {"dam": "-", "weir": "--", "gate": ":", "culvert": "-.", "pump": "o-"}  # of structures
COLOURS = ("#b5473a", "#8a6bb0", "#d08a2e", "#3d8f8a", "#7a4a2b")


class Grid:
    """Axes, bed, wet cells, interfaces of the layers; and the scenario with all its defaults."""

    def __init__(self, scenario, changes=()):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "grid.nc"
            said = []
            self.scenario = json.loads(asked("check", scenario, "--grid", file, "--print-effective", *(word for change in changes for word in ("--set", change)), messages=said))
            self.mouths = mouths_of(said, self.scenario["grid"]["kind"] == "spherical")
            self.data = ground_of(file)
            self.finer = ground_of(file.parent / zoom.FOLDER / file.name) if "zoom" in self.scenario else None
            self.data.attrs["title"] = self.scenario.get("title", Path(scenario).stem)
        self.y_dim, self.x_dim = reading.dimensions_of_cells(self.data)
        self.x, self.y = self.data[self.x_dim].values, self.data[self.y_dim].values
        self.wet = self.data["mask"].values > 0
        self.bed = bed_of(self.data)
        levels = self.scenario["grid"]["levels"]
        if "interfaces_m" in levels:
            self.interfaces = np.array(levels["interfaces_m"])
        else:
            self.interfaces = np.arange(levels["bottom_m"], levels["dz_m"] / 2, levels["dz_m"])

    def interfaces_over(self, bed):
        """Heights inside a column, with the surface at the datum (at flood_to_m: its shares are those of a column filled up to there)."""
        levels = self.scenario["grid"]["levels"]
        kind, upper = levels.get("kind"), levels.get("fixed_above_m", 0)  # of the layers along the bed
        if kind not in ("bed-following", "hybrid", "adaptive") or (kind == "hybrid" and bed >= upper):
            return self.interfaces[self.interfaces > bed]
        depth = (upper if kind == "hybrid" else self.scenario["grid"].get("flood_to_m", 0)) - bed
        nominal = np.diff(self.interfaces[self.interfaces <= upper])[::-1]
        least = np.maximum(levels.get("thinnest_m", 0), 0.1 * nominal * (kind == "hybrid"))
        wanted = np.maximum(nominal / (upper - self.interfaces[0]) * depth, least)
        down = np.concatenate([[0], np.cumsum(wanted)])
        kept = down[:-1][depth - down[:-1] >= (1 - 1e-9) * wanted]  # thinner ones go to the layer above
        if kind == "hybrid":
            return np.concatenate([(upper - kept)[::-1], self.interfaces[self.interfaces > upper]])
        return bed * np.maximum(kept, 0) / depth if bed < 0 else kept[:1]

    @property
    def deepest(self):
        return -np.nanmin(self.bed)

    def edge_cells(self, edge):
        """Indices (j, i) of the cells along an edge."""
        ny, nx = self.wet.shape
        j, i = np.arange(ny), np.arange(nx)
        return {"west": (j, 0 * j), "east": (j, 0 * j + nx - 1), "south": (0 * i, i), "north": (0 * i + ny - 1, i)}[edge]

    def line_faces(self, points):
        """(edge, j, i) of the wet cells that a line inside the grid opens, as ../../bathymetry/open_lines.c finds them."""
        ny, nx = self.wet.shape
        first, last = np.array([self.x[0], self.y[0]]), np.array([self.x[-1], self.y[-1]])
        step = (last - first) / np.maximum(np.array([nx, ny]) - 1, 1)
        at = (np.asarray(points, float) - first) / np.where(step == 0, 1, step) + (1e-6, 0.618034e-6)
        padded = np.pad(self.wet, 1)
        for edge, (di, dj) in {"west": (-1, 0), "east": (1, 0), "south": (0, -1), "north": (0, 1)}.items():
            beyond = padded[1 + dj:1 + dj + ny, 1 + di:1 + di + nx]
            for j, i in zip(*np.nonzero(self.wet & ~beyond)):
                a, b = np.array([i, j], float), np.array([i + di, j + dj], float)
                across = 1 if di else 0
                p, q = at[:-1], at[1:]
                passes = (p[:, across] >= a[across]) != (q[:, across] >= a[across])
                left = [(q - p)[:, 0] * (c - p)[:, 1] >= (q - p)[:, 1] * (c - p)[:, 0] for c in (a, b)]
                ways = np.where(q[:, across] > p[:, across], 1, -1) * (passes & (left[0] != left[1]))
                if ways.sum() and 0 <= b[0] < nx and 0 <= b[1] < ny:
                    yield edge, j, i

    def open_faces(self, boundary):
        """(edge, j, i) of the wet cells that a boundary of the scenario opens."""
        if boundary["edge"] == "line":
            yield from self.line_faces(boundary["line"])
            return
        periodic = self.scenario["grid"].get("periodic", [])
        others = [b for b in self.scenario.get("boundaries", []) if b is not boundary] if boundary["edge"] == "rest" else []
        taken = {face for other in others for face in self.open_faces(other)}
        for edge in ("west", "east", "south", "north") if boundary["edge"] in ("all", "rest") else (boundary["edge"],):
            if ("x" if edge in ("west", "east") else "y") in periodic:
                continue
            for j, i in zip(*self.edge_cells(edge)):
                along = self.y[j] if edge in ("west", "east") else self.x[i]
                low, high = boundary.get("range", (-np.inf, np.inf))
                west, east, south, north = boundary.get("box", (-np.inf, np.inf, -np.inf, np.inf))
                inside = low <= along <= high and west <= self.x[i] <= east and south <= self.y[j] <= north
                if self.wet[j, i] and inside and (edge, j, i) not in taken:
                    yield edge, j, i


def ground_of(file):
    """Bed, mask and walls of a grid that the program has written."""
    with xr.open_dataset(file, decode_timedelta=False) as data:
        return data[[name for name in ("mask", "bed", "closed_sides") if name in data]].load()


def bed_of(data):
    return np.where(data["mask"].values > 0, data["bed"].values, np.nan)


def place_of(item, scale):
    return (item["lon"], item["lat"]) if "lon" in item else (item["x_m"] * scale, item["y_m"] * scale)


def draw_map(grid):
    note = f"{grid.wet.shape[1]} x {grid.wet.shape[0]} x {grid.interfaces.size - 1} cells, {int(grid.wet.sum())} wet columns, down to {grid.deepest:.4g} m"
    picture = frame.Map(grid.data, str(grid.data.attrs["title"]), note, rows_below(grid))
    depth, finer = -grid.bed, None if grid.finer is None else -bed_of(grid.finer)
    all_depths = depth if finer is None else np.concatenate([depth.ravel(), finer.ravel()])
    picture.paint(depth, plt.get_cmap("Blues"), Normalize(min(0.0, np.nanmin(all_depths)), np.nanmax(all_depths)), "Depth below the datum [m]")
    axes, scale = picture.axes, picture.scale
    handles = datum_line(picture, depth)
    if finer is not None:
        picture.overlay(grid.finer, finer)
    sides = {"west": lambda j, i: ((i, j), (i, j + 1)), "east": lambda j, i: ((i + 1, j), (i + 1, j + 1)),
             "south": lambda j, i: ((i, j), (i + 1, j)), "north": lambda j, i: ((i, j + 1), (i + 1, j + 1))}
    for boundary, colour in zip(grid.scenario.get("boundaries", []), COLOURS * 20):
        lines = [[(picture.x_edges[x], picture.y_edges[y]) for x, y in sides[edge](j, i)] for edge, j, i in grid.open_faces(boundary)]
        axes.add_collection(LineCollection(lines, colors=colour, linewidths=5, zorder=7, clip_on=False, capstyle="butt"))
        handles += axes.plot([], [], color=colour, linewidth=4, label=f"{boundary['name']}: {boundary['kind']}")
    for structure in grid.scenario.get("structures", []):
        line = np.array(structure["line"]) * scale
        handles += axes.plot(line[:, 0], line[:, 1], STROKES[structure["kind"]], color=style.INK, linewidth=2.2, markersize=4, zorder=7,
                             label=f"{structure['name']}: {structure['kind']}")
        if "at" in structure.get("breach", {}):
            axes.plot(*(np.array(structure["breach"]["at"]) * scale), "x", color=COLOURS[0], markersize=8, markeredgewidth=2, zorder=8)
    taken = []
    for word, items, marker, colour in (("rivers", grid.scenario.get("rivers", []) + grid.mouths, "^", "#2f6b3a"), ("stations", stations(grid), "o", style.INK)):
        points = [(item["name"], *place_of(item, scale)) for item in items]
        if points:
            handles += axes.plot([p[1] for p in points], [p[2] for p in points], marker, color=colour, markersize=6, markeredgecolor="white",
                                 label=word, zorder=8)
        for name, x, y in points:
            label(picture, name, x, y, colour, taken)
    box = zoom.box_of(grid.data, grid.scenario)
    if box:
        picture.zoom(box)
    if handles:
        picture.legend(handles, IN_A_ROW)
    return picture.figure


def label(picture, name, x, y, colour, taken):
    """A name beside its place, in the map and beside the names that are there; `taken`: their boxes [points]."""
    per_inch = 72 * picture.figure.get_size_inches()
    at = picture.figure.transFigure.inverted().transform(picture.axes.transData.transform((x, y))) * per_inch
    frame_box, long, high = picture.axes.get_position(), 4.7 * len(name), 9
    for dx, dy in ((6, 4), (-6 - long, 4), (6, -12), (-6 - long, -12), (-long / 2, 8), (-long / 2, -17), (6, 14), (-6 - long, 14), (6, -22)):
        left, low = at[0] + dx, at[1] + dy
        free = all(left > box[2] or left + long < box[0] or low > box[3] or low + high < box[1] for box in taken)
        if free and left > frame_box.x0 * per_inch[0] and left + long < frame_box.x1 * per_inch[0]:
            break
    taken.append((left, low, left + long, low + high))
    text = picture.axes.annotate(name, (x, y), xytext=(dx, dy), textcoords="offset points", fontsize=8, color=colour, zorder=8)
    text.set_path_effects([withStroke(linewidth=2, foreground="white")])


def rows_below(grid):
    """Of the legend, beyond one: boundaries and structures beside what else a map may show."""
    named = sum(len(grid.scenario.get(word, [])) for word in ("boundaries", "structures"))
    return max(0, -(-(named + 4) // IN_A_ROW) - 1)


def datum_line(picture, depth):
    """Where the ground is at the datum: beyond it land that can flood. Handles for the legend."""
    if min(depth.shape) < 2 or not np.nanmin(depth) < 0 < np.nanmax(depth):
        return []
    picture.axes.contour(picture.x, picture.y, np.ma.masked_invalid(depth), levels=[0.0], colors="#7a4a2b", linewidths=0.8, zorder=4)
    return picture.axes.plot([], [], color="#7a4a2b", linewidth=0.8, label="ground at the datum")


MOUTH = re.compile(r"river map .*: on average (\S+) m3/s at (\S+), (\S+), moved")


def mouths_of(said, spherical):
    """The largest mouths of river maps, as the program tells them, by their discharge."""
    keys = ("lon", "lat") if spherical else ("x_m", "y_m")
    return [{"name": f"{found[1]} m³/s", keys[0]: float(found[2]), keys[1]: float(found[3])} for found in map(MOUTH.match, said) if found]


def stations(grid):
    found = {}
    for output in grid.scenario.get("output", []) + grid.scenario.get("zoom", {}).get("output", []):
        for name, (x, y) in output.get("stations", {}).items():
            found[name] = {"name": name, **({"lon": x, "lat": y} if grid.scenario["grid"]["kind"] == "spherical" else {"x_m": x, "y_m": y})}
    return list(found.values())


def draw_section(grid):
    """Layers along the row of the deepest cell."""
    row, _ = np.unravel_index(np.nanargmin(grid.bed), grid.bed.shape)
    geographic = reading.axis(grid.data, "X")[1]
    scale, unit = reading.lengths(grid.data)
    edges, bed = reading.edges(grid.x * scale), grid.bed[row]
    figure, axes = plt.subplots(figsize=(8.2, 3.8))
    figure.subplots_adjust(left=0.09, right=0.97, top=0.85, bottom=0.13)
    ground = np.nanmin(grid.bed) * 1.06
    for low, high, b in zip(edges, edges[1:], bed):
        if np.isnan(b):
            axes.fill_between((low, high), ground, 0, color=style.LAND, linewidth=0.3)
            continue
        axes.fill_between((low, high), b, min(0, max(b, 0)), color="#dceaf4", linewidth=0)
        axes.fill_between((low, high), ground, b, color=style.LAND, linewidth=0.3)
        axes.hlines(grid.interfaces_over(b), low, high, color="#2a6699", linewidth=0.5)
        axes.hlines(b, low, high, color=style.COAST, linewidth=1)
    wet = np.flatnonzero(np.isfinite(bed))
    room = max(2, wet.size // 20)
    axes.set_xlim(edges[max(0, wet[0] - room)], edges[min(edges.size - 1, wet[-1] + 1 + room)])
    axes.set_ylim(ground, -0.02 * ground)
    axes.set_ylabel("height above the datum [m]")
    if geographic:
        axes.xaxis.set_major_formatter(frame.longitudes)
    else:
        axes.set_xlabel(f"x [{unit}]")
    where = f"{abs(grid.y[row]):.5g}°{'N' if grid.y[row] >= 0 else 'S'}" if geographic else f"y = {grid.y[row] * scale:.5g} {unit}"
    figure.suptitle(f"Layers along {where}, through the deepest cell", x=0.09, ha="left", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw(path, changes=()):
    if not path.is_file():
        raise reading.Refused(f"there is no file {path}")
    grid = Grid(path, changes)
    yield "grid", draw_map(grid)
    yield "layers", draw_section(grid)
