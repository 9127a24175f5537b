# SPDX-License-Identifier: Apache-2.0
"""Rivers for a new scenario: files that the program reads itself become a /river_maps; ROMS's points become columns of a CSV file; runoff on
NEMO's curved grid is gathered into boxes of longitude and latitude, all of its water."""

import csv

import netCDF4
import numpy as np
from maeotis_results.program import Refused, check

RUNOFF = ("sorunoff", "runoffs", "runoff", "friver", "socoefr")
PLACES = (("nav_lon", "nav_lat"), ("lon", "lat"), ("longitude", "latitude"), ("river_lon", "river_lat"))
RADIUS = 6371000.0  # as the program's [m]


def settings(path, places, box, target, folder_name):
    """({"rivers": ...} or {"river_maps": ...} of the scenario, what to say). `target`: of the file that is made, without its ending;
    `folder_name`: how the scenario calls a file."""
    check(path)
    with netCDF4.Dataset(path) as data:
        if "river_transport" in data.variables:
            return of_points(data, path, places, box, target.with_suffix(".csv"))
        name = next((name for name in RUNOFF if name in data.variables), None)
        plane = next((pair for pair in PLACES if all(key in data.variables and data[key].ndim == 2 for key in pair)), None)
        if name is None or plane is None:
            kind = {"quantity": "runoff"} if name else {}
            return {"river_maps": [{"name": path.stem, "file": folder_name(path), **kind}]}, f"the mouths of {path.name}, which check lists"
        made = target.with_suffix(".nc")
        count = gather(data, name, *(np.ma.filled(np.asarray(data[key][:], float)) for key in plane), made, box)
        return ({"river_maps": [{"name": path.stem, "file": made.name, "quantity": "runoff"}]},
                f"{made.name}: runoff of {count} cells of {path.name}, gathered into boxes of longitude and latitude")


def times_of(data, name):
    """(seconds, units) of a variable's first axis."""
    axis = data[name].dimensions[0]
    time = next((data[key] for key in (axis, "time_counter", "time", "river_time") if key in data.variables and data[key].dimensions == (axis,)), None)
    if time is None or " since " not in getattr(time, "units", ""):
        raise Refused(f"{data.filepath()}: {name} has no dates along {axis}")
    return netCDF4.num2date(time[:], time.units, getattr(time, "calendar", "standard"), only_use_cftime_datetimes=False)


# ---- ROMS's points ----


def numbers(data, path, names):
    for name in names:
        if name not in data.variables:
            raise Refused(f"{path} has no {name}")
    return [np.ma.filled(data[name][:].astype(float), np.nan) for name in names]


def places_of(data, path, grid_path):
    """(lon, lat) of ROMS's points: their own, or those of the faces (direction 0, 1) or cells (2) that they name of its grid."""
    for pair in PLACES:
        if all(key in data.variables and data[key].dimensions == data["river_transport"].dimensions[1:] for key in pair):
            return [np.asarray(data[key][:], float) for key in pair]
    if grid_path is None:
        raise Refused(f"{path} has no lon, lat of its points: --rivers-grid FILE names the grid (lon_rho, lat_rho) that their numbers belong to")
    check(grid_path)
    points = np.stack(numbers(data, path, ("river_Xposition", "river_Eposition", "river_direction")))
    if not points.size or not np.isfinite(points).all():
        raise Refused(f"{path}: points without places")
    i, j, way = points.astype(int)
    with netCDF4.Dataset(grid_path) as grid:
        rho = numbers(grid, grid_path, ("lon_rho", "lat_rho"))
    if i.min() < 1 or j.min() < 1 or i.max() >= rho[0].shape[1] or j.max() >= rho[0].shape[0]:
        raise Refused(f"{path}: a point lies outside the {rho[0].shape[1]} x {rho[0].shape[0]} points of {grid_path}")
    return [0.5 * (one[j, i] + one[j - (way == 1), i - (way == 0)]) for one in rho]


def of_points(data, path, grid_path, box, target):
    lon, lat = places_of(data, path, grid_path)
    flow = np.abs(np.ma.filled(data["river_transport"][:].astype(float), np.nan))  # its sign says which way the face looks
    inside = np.flatnonzero((lon >= box[0]) & (lon <= box[2]) & (lat >= box[1]) & (lat <= box[3]))
    if not inside.size:
        raise Refused(f"{path}: none of its {lon.size} points lies in the box")
    names = [f"river {n + 1}" for n in inside]
    with target.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["time", *(f"{name} [m3/s]" for name in names)])
        for date, values in zip(times_of(data, "river_transport"), flow[:, inside]):
            rows.writerow([f"{date:%Y-%m-%dT%H:%M:%SZ}", *(f"{value:.6g}" for value in values)])
    rivers = [{"name": name, "lon": round(float(lon[n]), 6), "lat": round(float(lat[n]), 6), "discharge_m3_s": {"file": target.name, "column": name}}
              for name, n in zip(names, inside)]
    return {"rivers": rivers}, f"{len(rivers)} of {lon.size} points of {path.name}, as columns of {target.name}"


# ---- runoff on a curved grid ----


def areas(data, lon, lat):
    """Of the cells [m2]: the file's, or between the middles of their neighbours."""
    for pair in (("e1t", "e2t"), ("area",), ("areacello",)):
        if all(key in data.variables for key in pair):
            return np.prod([np.squeeze(np.asarray(data[key][:], float)) for key in pair], axis=0)
    east = [np.gradient(np.unwrap(np.radians(lon), axis=axis), axis=axis) * np.cos(np.radians(lat)) for axis in (0, 1)]
    north = [np.gradient(np.radians(lat), axis=axis) for axis in (0, 1)]
    return RADIUS**2 * np.abs(east[1] * north[0] - east[0] * north[1])


def gather(data, name, lon, lat, target, box):
    """Writes kg m-2 s-1 of boxes about as large as the cells, with the water of the cells whose middles they hold."""
    lon = box[0] - 1 + np.mod(lon - box[0] + 1, 360)
    cell = areas(data, lon, lat)
    step = float(np.degrees(np.sqrt(np.median(cell)) / RADIUS))
    west, south, east, north = box[0] - 3 * step, box[1] - 3 * step, box[2] + 3 * step, box[3] + 3 * step
    nx, ny = (int(np.ceil((high - low) / step)) for low, high in ((west, east), (south, north)))
    column, row = np.floor((lon - west) / step).astype(int), np.floor((lat - south) / step).astype(int)
    inside = (column >= 0) & (column < nx) & (row >= 0) & (row < ny)
    if not inside.any():
        raise Refused(f"{data.filepath()}: none of its cells lies around the box")
    at = row[inside] * nx + column[inside]
    edges = np.radians(south + step * np.arange(ny + 1))
    wide = RADIUS**2 * np.radians(step) * (np.sin(edges[1:]) - np.sin(edges[:-1]))
    dates = times_of(data, name)
    with netCDF4.Dataset(target, "w") as out:
        for key, count, first, unit in (("time", None, 0, ""), ("lat", ny, south, "degrees_north"), ("lon", nx, west, "degrees_east")):
            out.createDimension(key, count)
            out.createVariable(key, "f8", (key,)).units = unit or f"seconds since {dates[0]:%Y-%m-%d %H:%M:%S}"
            if count:
                out[key][:] = first + step * (np.arange(count) + 0.5)
        out.createVariable("runoff", "f8", ("time", "lat", "lon")).units = "kg m-2 s-1"
        for n, date in enumerate(dates):
            water = np.nan_to_num(np.ma.filled(np.squeeze(data[name][n]).astype(float), 0.0)) * cell
            out["time"][n] = (date - dates[0]).total_seconds()
            out["runoff"][n] = np.bincount(at, water[inside], nx * ny).reshape(ny, nx) / wide[:, None]
    return int(inside.sum())
