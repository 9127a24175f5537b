# SPDX-License-Identifier: Apache-2.0
"""Where the layers of a file lie, and values at a depth below the surface: layers lie at other depths in each column."""

import numpy as np

from . import reading, run
from .reading import Refused


class WholeMap:
    """All cells of a file. A line of a section has the same interface for the cells that it crosses."""

    def __init__(self, data):
        self.dims, self.j, self.i = reading.dimensions_of_cells(data), slice(None), slice(None)

    def take(self, variable):
        """Its values in the cells, after the layers; from faces by the mean of both."""
        return reading.on_cells(variable, [d for d in (reading.level_of(variable),) if d is not None] + list(self.dims))


def tells_surface(data):
    """With ground inside cells, thicknesses are volumes over the area that can be wet: their sum is less than the water's height."""
    return "eta" in data or "thickness" in data and not run.scenario_of(data.attrs).get("bathymetry", {}).get("subgrid")


def surface_of(data, cells, record, bed):
    """The water's surface: the level, or what all layers make above the bed; the datum where the file has neither."""
    if "eta" in data:
        return cells.take(data["eta"].isel(time=record))
    if tells_surface(data):
        layers = cells.take(data["thickness"].isel(time=record))
        return np.where(np.isfinite(layers).any(axis=0), bed + np.nansum(layers, axis=0), np.nan)
    return np.where(np.isfinite(bed), 0.0, np.nan)


def shares(data):
    """What layers take of the water's height above the bed; of each record, where they move. `layer_share` is that of volumes over ground inside cells."""
    return data["layer_height_share" if "layer_height_share" in data else "layer_share"]


def heights(data, cells, record, wish="--section"):
    """(surfaces between the layers [layer + 1, cells], bed), NaN on land, and above the bed where it is dry."""
    if "layer_share" not in data or "bed" not in data:
        raise Refused(f"{wish}: the file does not contain the heights of layers (bed, layer_share)")
    bed = cells.take(data["bed"]).astype(float)
    sea = reading.sea(data)
    bed[~(sea[cells.j, cells.i] if sea is not None else np.isfinite(bed))] = np.nan
    share = shares(data)
    share = np.nan_to_num(cells.take(share.isel(time=record) if "time" in share.dims else share))
    wet = np.isfinite(bed)
    if np.any(np.abs(share.sum(axis=0)[wet] - 1) > 1e-3):
        raise Refused(f"{wish} needs all layers: the file contains only some (\"levels\" of the output)")
    surface = surface_of(data, cells, record, bed)
    surface = np.where(surface > bed, surface, np.nan)  # with ground inside cells, dry ones have the level of their ground
    below = np.concatenate([np.zeros_like(bed)[None], np.cumsum(share, axis=0)])
    between = bed + below * (surface - bed)
    between[0] = bed
    return between, bed


def linear(values, middles, height):
    """[layer, ...] at a height [...]: linear between the middles of layers; above the uppermost and below the lowest their values."""
    known = np.isfinite(values)
    count = values.shape[0]
    lowest = known.argmax(axis=0)
    upper = np.clip(lowest + (known & (middles <= height)).sum(axis=0), lowest, count - 1)
    lower = np.maximum(upper - 1, lowest)

    def pick(field, layer):
        return np.take_along_axis(field, layer[None], 0)[0]

    gap = pick(middles, upper) - pick(middles, lower)
    share = np.clip(np.where(gap > 0, (height - pick(middles, lower)) / np.where(gap > 0, gap, 1), 0), 0, 1)
    return (1 - share) * pick(values, lower) + share * pick(values, upper)


def of_map(data, variable, record, depth):
    """A variable of one record so many metres below the surface; NaN where the water is not as deep."""
    cells = WholeMap(data)
    between, bed = heights(data, cells, record, "--level")
    height = between[-1] - depth
    values = linear(cells.take(variable), 0.5 * (between[1:] + between[:-1]), height)
    return np.where(height >= bed, values, np.nan)


def at_level(data, name, level):
    """Series at stations in a layer or at a depth."""
    variable = data[name]
    return of_stations(data, variable, level) if isinstance(level, reading.Depth) and reading.level_of(variable) else reading.at_level(variable, level)


def of_stations(data, variable, depth):
    """Series at stations so many metres below the surface; NaN where the water is not as deep."""
    if "z" not in data or "eta" not in data or "bed" not in data:
        raise Refused(f"--level {depth:g}m: the file does not contain the heights of its layers (z, eta, bed): add \"eta\" to the output")
    level, order = reading.level_of(variable), ("time", "station")
    values, middles = (part.transpose(level, *order).values.astype(float) for part in (variable, data["z"]))
    height = data["eta"].transpose(*order).values - depth
    found = linear(values, middles, height)
    return variable.isel({level: -1}).transpose(*order).copy(data=np.where(height >= data["bed"].values, found, np.nan))
