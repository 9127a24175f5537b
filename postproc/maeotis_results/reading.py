# SPDX-License-Identifier: Apache-2.0
"""Finds in a NetCDF file what the pictures need, by CF attributes first and by the usual names second."""

import sys
import warnings

import numpy as np
import xarray as xr

from . import part_files
from .program import Refused, check

BED = "bed"
PIXELS = "height of the pixel above the datum"  # the bed's name in maps that `pack --pixels` paints


def is_restart(path):
    """Results are often named by *.nc, and restart files lie beside them."""
    return path.is_file() and "maeotis_restart" in part_files.attributes_of(path)


def open_file(path):
    """A file, or all files of an output that is cut by day, month or year, by the output's name."""
    if path.is_dir():
        raise Refused(f"{path} is a folder; name files in it, such as {path}/*.nc")
    files = [path] if path.is_file() else part_files.of(path)
    if not files:
        raise Refused(f"there is no file {path}")
    return open_parts(path, files)


def open_parts(output, files):
    found = [open_one(file) for file in files]
    data = found[0] if files == [output] else part_files.join(found)
    # The whole run is one interval: a time axis of length one says nothing more.
    if kind_of(data) != "extremes" or "time" not in data.dims:
        return data
    return data.isel(time=0) if data.sizes["time"] == 1 else part_files.extreme(data)


def open_one(path):
    check(path)
    try:
        with warnings.catch_warnings():
            # xarray's, at dates that are missing: cells that never were wet. It reads lazily, so that these maps are read here.
            warnings.filterwarnings("ignore", "invalid value encountered in cast", RuntimeWarning)
            data = xr.open_dataset(path, decode_timedelta=False)
            for name in (n for n in data.data_vars if str(n).startswith("time_of_")):
                data[name].load()
        return data
    except Exception as error:
        raise Refused(f"{path} cannot be read as NetCDF: {str(error).splitlines()[0]}") from None


def kind_of(data):
    """'stations', 'fields' (maps that change with time) or 'extremes' (maps of the whole run)."""
    if "station" in data.dims:
        return "stations"
    if any(str(name).startswith(("max_", "min_", "time_of_", "inundation_", "eta_amplitude_")) for name in data.data_vars):
        return "extremes"
    return "fields" if "time" in data.dims else "extremes"


def axis(data, along):
    """The coordinate of the cells' centres along 'X' or 'Y': (name, is geographic)."""
    names = ("lon", "x", "longitude") if along == "X" else ("lat", "y", "latitude")
    wanted = "longitude" if along == "X" else "latitude"
    found = [name for name in names if name in data.dims and name in data.variables]
    found += [name for name in data.dims if name in data.variables and data[name].attrs.get("axis") == along]
    if not found:
        raise Refused(f"no {wanted} or {names[1]} axis among the dimensions {', '.join(map(str, data.dims))}")
    name = found[0]
    units = str(data[name].attrs.get("units", ""))
    return name, units.startswith("degree") or name in ("lon", "lat", "longitude", "latitude")


def dimensions_of_cells(data):
    return axis(data, "Y")[0], axis(data, "X")[0]


def row_of(data):
    """The axis along which a sea one cell wide reaches, a flume; None of any other."""
    y, x = dimensions_of_cells(data)
    if (data.sizes[y] == 1) == (data.sizes[x] == 1):
        return None
    return x if data.sizes[y] == 1 else y


def lengths(data):
    """(factor, unit) of the axes: kilometres, or metres where the sea is small; degrees stay."""
    if axis(data, "X")[1]:
        return 1.0, "degrees"
    longest = max(np.ptp(data[dim].values) for dim in dimensions_of_cells(data))
    return (1.0, "m") if 0 < longest < 2000 else (1e-3, "km")


def level_of(variable):
    """The vertical dimension of a variable, or None."""
    known = ("level", "layer", "lev", "z", "depth")
    return next((dim for dim in variable.dims if dim in known), None)


class Depth(float):
    """In place of a layer: below the surface [m] (depths.py)."""


def layer(text):
    """The argument of --level: a number, the lowest layer that a cell has, or a depth such as 2.5m."""
    if text.endswith("m"):
        depth = Depth(text[:-1])
        if 0 <= depth < np.inf:
            return depth
        raise ValueError
    return text if text == BED else int(text)


def at_level(variable, level):
    dim = level_of(variable)
    if dim is None:
        return variable
    if level == BED:
        lowest = np.isfinite(variable).argmax(dim)  # 0 where there is none, and no value there
        return variable.isel({dim: lowest})
    count = variable.sizes[dim]
    if not -count <= level < count:
        raise Refused(f"--level {level}: {variable.name} has levels 0 (lowest) to {count - 1}")
    return variable.isel({dim: level})


def named(data, name):
    if name not in data.data_vars:
        maps = [str(n) for n in data.data_vars if set(dimensions_of_cells(data)) <= set(data[n].dims)]
        raise Refused(f"there is no variable {name}; maps can show {', '.join(maps)}")
    return data[name]


def current(data):
    """Eastward and northward velocity as the file has them, at the centres or on the faces; None without them."""
    for pair in (("u_east", "v_north"), ("ubar", "vbar"), ("u", "v")):
        if set(pair) <= set(data.data_vars):
            return [data[name] for name in pair]
    return None


def on_cells(variable, dims):
    """A map as an array on `dims` (y, x); from the faces to the centres by the mean of the faces that have water."""
    for axis_number, dim in enumerate(dims):
        if dim in variable.dims:
            continue
        face = next((d for d in variable.dims if str(d).startswith(f"{dim}_")), None)
        if face is None:
            raise Refused(f"{variable.name} lies neither on cells nor on their faces along {dim}")
        order = [face if d == dim else d for d in dims]
        values = np.moveaxis(variable.transpose(*order).values, axis_number, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # two dry faces have no mean
            return np.moveaxis(np.nanmean([values[:-1], values[1:]], axis=0), 0, axis_number)
    return variable.transpose(*dims).values


APART = {"threshold": ("the threshold", "{:g} m"), "depth_threshold": ("the threshold", "{:g} m"), "quantile": ("quantiles", "quantile {:g}")}


def one_by_one(data):
    """Of an ensemble's summary the maps of several thresholds and quantiles as variables of their own, the values in their names."""
    for dim, (words, value_words) in APART.items():
        for name in [str(n) for n in data.data_vars if dim in data[n].dims] if dim in data.dims else []:
            for n, value in enumerate(data[dim].values):
                part = data[name].isel({dim: n}, drop=True)
                part.attrs["long_name"] = str(part.attrs.get("long_name", name)).replace(words, value_words.format(value))
                data = data.assign({f"{name}_{value:g}": part})
            data = data.drop_vars(name)
    return data


def sea(data):
    """True where there is sea at some time; None where the file does not tell."""
    y, x = dimensions_of_cells(data)
    for name in ("mask", "sea_mask", "wet"):
        if name in data and set(data[name].dims) == {y, x}:
            return data[name].transpose(y, x).values > 0
    if str(data.get("bed", xr.DataArray()).attrs.get("long_name", "")) == PIXELS:
        return np.isfinite(data["bed"].transpose(y, x).values)
    return None


def walls(data):
    """[(side, row, column)] of the cells that no water passes to the next one west ("x") or south ("y"), though that is sea, too."""
    if "closed_sides" not in data:
        return []
    sides = data["closed_sides"].transpose(*dimensions_of_cells(data)).values
    return [(side, int(j), int(i)) for side, bit in (("x", 1), ("y", 2)) for j, i in zip(*np.nonzero(sides & bit))]


def blocks(variable, records, at_once=16e6):
    """Slices of so many records of a variable, each few enough to be held in memory beside others."""
    size = max(1, int(at_once * variable.sizes["time"] // max(1, variable.nbytes)))
    return [slice(first, min(first + size, records)) for first in range(0, records, size)]


def state_digests(variables):
    """The digests of the states, one for each record, from the variables of a file, of xarray or netCDF4: from two halves, or from
    the text of older files. None where the file has none."""
    if {"digest_high", "digest_low"} <= set(variables):
        high, low = (np.ma.filled(np.ma.asarray(np.asanyarray(variables[f"digest_{half}"][:])), 0) for half in ("high", "low"))
        return [f"{int(a):08x}{int(b):08x}" if a or b else "" for a, b in zip(np.atleast_1d(high), np.atleast_1d(low))]
    if "digest" not in variables:
        return None
    letters = np.ma.filled(np.ma.asarray(np.asanyarray(variables["digest"][:])), b"")
    return [b"".join(np.atleast_1d(row)).rstrip(b"\0").decode() for row in letters]


def edges(centres):
    """The borders of the cells from their centres."""
    centres = np.asarray(centres, dtype=float)
    if centres.size == 1:
        return np.array([centres[0] - 0.5, centres[0] + 0.5])
    inner = 0.5 * (centres[:-1] + centres[1:])
    return np.concatenate([[2 * centres[0] - inner[0]], inner, [2 * centres[-1] - inner[-1]]])


def highest_of(levels):
    """The highest level of each record; minus infinity where it has none."""
    values = levels.transpose("time", ...).values.reshape(levels.sizes["time"], -1)
    return np.max(values, axis=1, where=np.isfinite(values), initial=-np.inf)


def record_of_highest(data):
    """The record with the highest level anywhere, read in blocks; the last where there is no level."""
    if "eta" not in data:
        return data.sizes["time"] - 1
    highest = np.concatenate([highest_of(data["eta"].isel(time=block).load()) for block in blocks(data["eta"], data.sizes["time"])])
    return int(np.argmax(highest)) if np.isfinite(highest).any() else data.sizes["time"] - 1


def records(data, wishes):
    """The records that the --time options name, in order and each once."""
    count = data.sizes["time"]
    if count == 0:
        raise Refused("the file holds no record yet")
    chosen = []
    for wish in wishes or ("highest", "last"):
        if wish == "all":
            chosen += range(count)
        elif wish in ("first", "last", "highest"):
            chosen.append({"first": 0, "last": count - 1}.get(wish) if wish != "highest" else record_of_highest(data))
        else:
            chosen.append(nearest_record(data, wish))
    return list(dict.fromkeys(chosen))


def seconds(times):
    """Seconds since 1970 from what xarray makes of a time axis."""
    times = np.asarray(times)
    if np.issubdtype(times.dtype, np.datetime64):
        return (times - np.datetime64("1970-01-01T00:00:00")) / np.timedelta64(1, "ns") * 1e-9
    return np.array([(t - type(t)(1970, 1, 1)).total_seconds() for t in times.ravel()])


def structures_of(data):
    """What flows over structures as series at stations: of a file of maps that holds it, or of one of structures alone; or None."""
    if "structure_discharge" not in data or "structure" not in data.dims:
        return data if "structure_discharge" in data else None
    names = [str(n) for n in data.data_vars if set(data[n].dims) == {"time", "structure"}]
    found = data[names].drop_vars("structure_name", errors="ignore").rename(structure="station")
    return found.assign_coords(station=data["structure_name"].values) if "structure_name" in data.variables else found


def station_names(data):
    if "station" in data:
        return [n.decode() if isinstance(n, bytes) else str(n) for n in data["station"].values]
    return [f"station {n}" for n in range(data.sizes["station"])]


def nearest_record(data, wish):
    times = data["time"].values
    if not np.issubdtype(times.dtype, np.datetime64):
        raise Refused(f"--time {wish}: the file's times are not comparable dates; use first, last or highest")
    try:
        moment = np.datetime64(wish.rstrip("Z").replace(" ", "T"))
    except ValueError:
        raise Refused(f"--time {wish}: not a date; write 2014-09-24T18:00, or first, last, highest, all") from None
    if not times[0] - np.timedelta64(1, "D") <= moment <= times[-1] + np.timedelta64(1, "D"):
        raise Refused(f"--time {wish}: the file runs from {str(times[0])[:16]} to {str(times[-1])[:16]}")
    nearest = int(np.argmin(np.abs(times - moment)))
    if not times[0] <= moment <= times[-1]:
        print(f"--time {wish}: the nearest record is at {str(times[nearest])[:16]}", file=sys.stderr)
    return nearest
