# SPDX-License-Identifier: Apache-2.0
"""The finer grid of a run with a zoom: its box on the maps of the grid around, and its fields beside those."""

import numpy as np

from . import reading, run

FOLDER = "zoom"  # of the output folder, for the files of the finer grid


def holds(path):
    """Does the zoom's folder hold this file?"""
    return path.resolve().parent.name == FOLDER


def box_of(data, scenario=None):
    """(west, east, south, north) of the zoom, at the edges of cells as the program moves it; None without one on this map, and on that
    of the finer grid itself. `scenario`: of a file that holds none."""
    wanted = (scenario or run.scenario_of(data.attrs)).get("zoom", {})
    if "box" not in wanted:
        return None
    y, x = (reading.edges(data[dim].values) for dim in reading.dimensions_of_cells(data))
    west, east, south, north = (float(axis[np.argmin(np.abs(axis - at))]) for axis, at in zip((x, x, y, y), wanted["box"]))
    # The box moves by half a cell of the grid around at most, and stays four of them from its edges.
    beyond = 0.51 * wanted.get("finer", 3) * np.array([x[1] - x[0], x[1] - x[0], y[1] - y[0], y[1] - y[0]])
    around = np.array([wanted["box"][0] - x[0], x[-1] - wanted["box"][1], wanted["box"][2] - y[0], y[-1] - wanted["box"][3]]) > beyond
    return (west, east, south, north) if west < east and south < north and around.any() else None


def fits(data, box):
    """Is this a map of the finer grid, or of a part of it?"""
    if box is None or reading.kind_of(data) == "stations":
        return False
    y, x = (data[dim].values for dim in reading.dimensions_of_cells(data))
    return box[0] <= x.min() and x.max() <= box[1] and box[2] <= y.min() and y.max() <= box[3]


def covers(finer, data):
    """True in the cells of a map that this file of the finer grid lies over."""
    inside = []
    for dim, fine in zip(reading.dimensions_of_cells(data), reading.dimensions_of_cells(finer)):
        ends = reading.edges(finer[fine].values)
        inside.append((data[dim].values > ends.min()) & (data[dim].values < ends.max()))
    return inside[0][:, None] & inside[1]


def same_record(data, moment):
    """The record of a file at this very time; None where it has none."""
    times = data["time"].values
    here = np.flatnonzero(times == moment)
    return int(here[0]) if here.size else None
