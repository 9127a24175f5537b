# SPDX-License-Identifier: Apache-2.0
"""From the files of a run to what the page's maps and series show: sets of variables that share axes and times."""

import base64
import warnings

import numpy as np
from maeotis_plot import extremes, section, style
from maeotis_results import reading, zoom
from maeotis_results.reading import seconds

from . import pack

PAIRS = (("u_east", "v_north"), ("u", "v"), ("ubar", "vbar"))
MOST_CELLS = 160000  # of a map: a screen shows no more


class Chunks:
    """The packed texts of all sets."""

    def __init__(self):
        self.texts = []

    def add(self, values, step, offset):
        self.texts.append(pack.chunk(values, step, offset))
        return len(self.texts) - 1

    def size(self):
        return sum(map(len, self.texts))


class Thinning:
    """What is left out of a page that would become too big: every `records`-th record, means of `cells` x `cells`. Of a `sample`,
    only so many records, from the middle of the file on."""

    def __init__(self, records=1, sample=0):
        self.records, self.sample = records, sample

    def chosen(self, count):
        every = np.unique(np.append(np.arange(0, count, self.records), count - 1))
        first = max(0, (len(every) - self.sample) // 2)
        return every[first:first + self.sample] if self.sample else every

    @staticmethod
    def cells(shape):
        return max(1, int(np.ceil(np.sqrt(shape[0] * shape[1] / MOST_CELLS))))


def coarsen(values, n):
    """Means of n x n cells over those that have a value."""
    if n == 1:
        return values
    records, ny, nx = values.shape
    full = np.full((records, -(-ny // n) * n, -(-nx // n) * n), np.nan)
    full[:, :ny, :nx] = values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.nanmean(full.reshape(records, full.shape[1] // n, n, full.shape[2] // n, n), axis=(2, 4))


def coarse_axis(values, n):
    return values if n == 1 else np.array([np.mean(values[i:i + n]) for i in range(0, len(values), n)])


def palette(name, low, high):
    """Colours as 256 x RGB in base64, and the range they stand for."""
    cmap, norm = style.colours(name, np.array([low, high]))
    table = np.round(255 * np.asarray(cmap(np.linspace(0, 1, 256)))[:, :3]).astype(np.uint8)
    return {"colours": base64.b64encode(table.tobytes()).decode("ascii"), "low": float(norm.vmin), "high": float(norm.vmax),
            "signed": bool(norm.vmin == -norm.vmax)}


def title_of(variable):
    """The variable's name for people, as the pictures have it."""
    return style.words(variable)


def level_labels(data, dim, count):
    """`surface` and heights; what the file says of a layer's place."""
    if dim not in data.coords and dim not in data.variables:
        return [f"layer {n}" for n in range(count)]
    heights = np.asarray(data[dim].values, float)
    signs = [f"{h:+.4g} m".replace("-", "\N{MINUS SIGN}") for h in heights]
    top = float(heights[-1]) >= -0.5 * (abs(heights[-1] - heights[-2]) if count > 1 else np.inf) - 1e-6
    return [f"{text} (surface)" if top and n == count - 1 else text for n, text in enumerate(signs)]


def map_variable(data, name, dims, chosen, coarse, chunks):
    """One variable of a fields file: its description with its chunks, and its values by level for what derives from it."""
    variable = data[name]
    timed = "time" in variable.dims
    if not timed:
        variable, chosen = variable.expand_dims("time"), np.zeros(1, int)
    level = reading.level_of(variable)
    parts = maps_of(variable if level else variable.expand_dims("level", 1), level or "level", dims, chosen, coarse)
    usual, whole = style.usual_range(parts)
    entry = describe(variable, name, usual, whole, np.issubdtype(variable.dtype, np.datetime64))
    entry["timed"] = timed
    entry["bare"] = not any(np.isfinite(part).any() for part in parts)
    entry["levels"] = level_labels(data, level, len(parts)) if level else None
    entry["chunks"] = [chunks.add(part, entry["step"], entry["offset"]) for part in parts]
    return entry, parts


def maps_of(variable, level, dims, chosen, coarse):
    """Levels x records x cells, in the precision of the file; no more than a block of records is in memory as the file has it."""
    out = None
    for block in reading.blocks(variable, len(chosen)):
        values = plain(reading.on_cells(variable.isel(time=chosen[block]).load(), (level, "time", *dims)))
        if out is None:
            cells = [-(-n // coarse) for n in values.shape[2:]]
            out = np.empty((len(values), len(chosen), *cells), values.dtype)
        for one, part in zip(out, values):
            one[block] = coarsen(part, coarse)
    return out


def plain(values):
    """Dates become seconds since 1970, and whole numbers real ones."""
    if np.issubdtype(values.dtype, np.datetime64):
        missing = np.isnat(values)
        return np.where(missing, np.nan, (values - np.datetime64("1970-01-01T00:00:00")) / np.timedelta64(1, "s"))
    return values.astype(np.result_type(values.dtype, np.float32), copy=False)


def describe(variable, name, usual, whole, dated=False):
    step, offset = pack.step_for(*whole)
    unit = style.units(variable)
    if dated:
        step, offset, unit = 60.0, round(0.5 * (whole[0] + whole[1]) / 60), ""
    return {"name": name, "label": title_of(variable), "unit": unit, "step": step, "offset": offset, "dated": dated,
            "least": whole[0], "most": whole[1], **palette(name, *usual)}


def speed_of(pair, parts):
    """Speed is not stored: the page computes it from the two velocities, which it needs for the arrows anyway."""
    speeds = [np.hypot(a, b) for a, b in zip(*parts)]
    usual, whole = style.usual_range(speeds)
    known = style.known(speeds)
    # For arrows what 98 of 100 cells stay below: measured by the fastest, the others are dots.
    reference = float(np.percentile(known, 98)) if known.size else 0.0
    return {"name": "speed", "reference": reference or whole[1], "label": "Current speed", "unit": pair[0]["unit"], "of": [pair[0]["name"], pair[1]["name"]],
            "timed": pair[0]["timed"], "levels": pair[0]["levels"], "dated": False, "step": pair[0]["step"],
            "least": whole[0], "most": whole[1], **palette("speed", 0.0, usual[1])}


def fastest(times, u, v):
    """When the surface moves fastest, in most of it."""
    speeds = np.hypot(u, v)
    known = np.isfinite(speeds).any(axis=(1, 2))
    if not known.any():
        return times[-1]
    usual = [np.nanpercentile(speed, 98) if any_ else -1.0 for speed, any_ in zip(speeds, known)]
    return times[int(np.argmax(usual))]


def static(data, name, dims, coarse, chunks):
    """A map that does not change, by levels or not; None where the file has none."""
    if name not in data:
        return None
    variable = data[name]
    level = reading.level_of(variable)
    parts = [variable.isel({level: n}) for n in range(variable.sizes[level])] if level else [variable]
    values = [coarsen(reading.on_cells(part, dims).astype(float)[None], coarse) for part in parts]
    step, offset = pack.step_for(*style.usual_range(values)[1])
    return {"step": step, "offset": offset, "chunks": [chunks.add(value, step, offset) for value in values]}


def sea_of(data, dims, coarse):
    """One bit for each cell that takes part, in base64."""
    sea = reading.sea(data)
    if sea is None:
        shape = tuple(data.sizes[dim] for dim in dims)
        sea = np.ones(shape, bool)
    sea = coarsen(sea[None].astype(float), coarse)[0] >= 0.5
    return base64.b64encode(np.packbits(sea.ravel(), bitorder="little").tobytes()).decode("ascii")


def frame(data, title, coarse, chunks):
    """What all variables of a file share: the axes, the sea, the bed and the layers."""
    dims = reading.dimensions_of_cells(data)
    y, x = (coarse_axis(np.asarray(data[dim].values, float), coarse) for dim in dims)
    geographic = reading.axis(data, "X")[1]
    return dims, {"title": title, "x": [float(x[0]), float(x[-1]), len(x)], "y": [float(y[0]), float(y[-1]), len(y)],
                  "geographic": geographic, "sea": sea_of(data, dims, coarse), "walls": reading.walls(data) if coarse == 1 else [], "coarse": coarse, "box": zoom.box_of(data),
                  "follows_bed": section.follows_bed(data), "bed": static(data, "bed", dims, coarse, chunks)}


def fields(data, title, thinning, chunks):
    """A set from a file of maps that change with time."""
    coarse = thinning.cells([data.sizes[dim] for dim in reading.dimensions_of_cells(data)])
    dims, out = frame(data, title, coarse, chunks)
    chosen = thinning.chosen(data.sizes["time"])
    out["times"] = [float(t) for t in seconds(data["time"].values[chosen])]
    out["left_out"] = int(data.sizes["time"] - len(chosen))
    out["variables"], parts = [], {}
    for name in (str(n) for n in data.data_vars if "time" in data[n].dims):
        if not maps_cells(data[name], dims):
            continue
        entry, parts[name] = map_variable(data, name, dims, chosen, coarse, chunks)
        out["variables"].append(entry)
    by_name = {entry["name"]: entry for entry in out["variables"]}
    pair = next((pair for pair in PAIRS if set(pair) <= set(by_name)), None)
    if pair:
        out["variables"].append(speed_of([by_name[n] for n in pair], [parts[n] for n in pair]))
        out["current"] = list(pair)
        out["fastest"] = fastest(out["times"], *(parts[n][-1] for n in pair))
    if any(entry["levels"] and len(entry["levels"]) > 1 for entry in out["variables"]):
        out["share"] = by_name.get("layer_share") or static(data, "layer_height_share" if "layer_height_share" in data else "layer_share", dims, coarse, chunks)
    return out


def maps_cells(variable, dims):
    """Does it lie on the cells, or on the faces between them, and on nothing else but time and levels?"""
    left = [d for d in variable.dims if d not in ("time", reading.level_of(variable))]
    return len(left) == 2 and all(any(d == dim or str(d).startswith(f"{dim}_") for d in left) for dim in dims)


def of_extremes(data, title, thinning, chunks):
    """A set from a file of maps of the whole run."""
    coarse = thinning.cells([data.sizes[dim] for dim in reading.dimensions_of_cells(data)])
    dims, out = frame(data, title, coarse, chunks)
    out["times"], out["left_out"] = [], 0
    names = [str(n) for n in data.data_vars if set(data[n].dims) == set(dims) and n not in extremes.GROUND | {"dx", "dy"}]
    if "inundation_duration" in names:  # the sea itself, and land that stays dry, have no such time
        data = data.assign(inundation_duration=data["inundation_duration"].where(data["inundation_duration"] > 0))
    on_land = [name for name in names if name.startswith("max_depth_probability") and "bed" in data]  # the sea is always under water
    data = data.assign({name: data[name].where((data["bed"] > 0) & (data[name] > 0)) for name in on_land})
    out["variables"] = [map_variable(data, name, dims, None, coarse, chunks)[0] for name in names]
    for entry in out["variables"]:
        if entry["name"] in on_land:
            entry["empty"] = "in none, or below the datum"
        if entry["name"] == "inundation_duration":
            in_hours(entry)
            nothing = not (data["inundation_duration"] > 0).any()
            entry["empty"] = "no land was flooded" if nothing else "sea, or not flooded"
    return out


def in_hours(entry):
    """Shown in hours; the packed numbers stay seconds."""
    entry.update(unit="h", factor=1 / 3600, low=entry["low"] / 3600, high=entry["high"] / 3600,
                 least=entry["least"] / 3600, most=entry["most"] / 3600)


def stations(data, chunks):
    """Series at stations, packed as maps of one row."""
    names = reading.station_names(data)
    out = {"names": names, "times": [float(t) for t in seconds(data["time"].values)], "variables": []}
    for to, choices in (("x", ("x", "lon")), ("y", ("y", "lat"))):
        out[to] = next(([float(v) for v in data[c].values] for c in choices if c in data.variables), [])
    for name in (str(n) for n in data.data_vars if {"time", "station"} <= set(data[n].dims) and n != "z"):
        variable = data[name]
        level = reading.level_of(variable)
        count = variable.sizes[level] if level else 1
        parts = [(variable.isel({level: n}) if level else variable).transpose("time", "station").values.astype(float)
                 for n in range(count)]
        if not any(np.isfinite(part).any() for part in parts):
            continue
        usual, whole = style.usual_range(parts)
        entry = describe(variable, name, usual, whole)
        entry["levels"] = level_labels(data, level, count) if level else None
        entry["chunks"] = [chunks.add(part, entry["step"], entry["offset"]) for part in parts]
        out["variables"].append(entry)
    return out
