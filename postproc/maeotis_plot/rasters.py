# SPDX-License-Identifier: Apache-2.0
"""Depths from GeoTIFF, VRT and other rasters in any projection, one or several by priority: GDAL's tools bring the part around the
grid onto one raster in the grid's coordinates, which the program reads. Of a raster as large as a country only that part is read."""

import functools
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import xarray as xr

from maeotis_results import reading

BLEND_CELLS = 8  # of a seam, from a raster to the one below
FINER = 4  # cells of the raster in one of the grid along each side, where a source has so many
NETCDF = (".nc", ".nc4", ".cdf", ".grd")
SHIPPED = ("azov", "peer_basin")  # maps that the program brings along, by name
OWN = (*NETCDF, ".asc", ".xyz", ".csv", ".txt")  # what the program reads itself
VOID = 9000.0  # height of land without a value in a trial, above all mountains


def gdal(tool, *words, text=None):
    """What a tool of GDAL prints."""
    try:
        done = subprocess.run([tool, *map(str, words)], capture_output=True, text=True, input=text)
    except FileNotFoundError:
        raise reading.Refused(f"{tool} is missing: install gdal-bin (Debian, Ubuntu; ./maeotis does it by itself)") from None
    if done.returncode:
        raise reading.Refused(f"{tool}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return done.stdout


def are_needed(paths, offsets):
    """Does the program not read them as they are?"""
    return len(paths) > 1 or bool(offsets) or any(path.suffix.lower() not in OWN and not is_shipped(path) for path in paths)


def is_shipped(path):
    """Not a file of that name; a folder, such as that of the scenario, is none."""
    return str(path) in SHIPPED and not path.is_file()


def source_of(path):
    """How GDAL calls it: of a NetCDF file, its only map."""
    if path.suffix.lower() not in NETCDF:
        return str(path)
    with xr.open_dataset(path, decode_times=False) as data:
        maps = [str(name) for name in data.data_vars if len([size for size in data[name].shape if size > 1]) == 2]
    if len(maps) != 1:
        raise reading.Refused(f"{path} has {len(maps)} maps ({', '.join(maps)}): extract the one with the heights first")
    return f'NETCDF:"{path}":{maps[0]}'


@functools.lru_cache
def described(path):
    """What GDAL knows about a raster."""
    told = json.loads(gdal("gdalinfo", "-json", source_of(path)))
    if "geoTransform" not in told:
        raise reading.Refused(f"{path} does not say where its cells lie (it has no geotransform): give their edges by gdal_edit.py -a_ullr WEST NORTH EAST SOUTH, "
                              "or warp it by its control points with gdalwarp")
    return told


def says_system(path):
    return bool(described(path).get("coordinateSystem", {}).get("wkt"))


def in_degrees_at_best(path):
    """Text and NetCDF files that name no system are in degrees where the program reads them alone: here, too, if degrees they can be."""
    west_north, east_south = (described(path)["cornerCoordinates"][corner] for corner in ("upperLeft", "lowerRight"))
    return path.suffix.lower() in OWN and max(abs(west_north[0]), abs(east_south[0])) <= 360 and max(abs(west_north[1]), abs(east_south[1])) <= 90.5


@functools.lru_cache
def system_of(path):
    """The raster's coordinate reference system: \"EPSG:32636\", or else a PROJ string; its unit is degrees."""
    if not says_system(path):
        if in_degrees_at_best(path):
            return "EPSG:4326", True
        raise reading.Refused(f"{path} does not say its coordinate reference system: set it by gdal_edit.py -a_srs EPSG:..., name it in a VRT, or beside a text file "
                              "in a .prj")
    code = gdal("gdalsrsinfo", "-o", "epsg", source_of(path)).strip()
    proj = gdal("gdalsrsinfo", "-o", "proj4", source_of(path)).strip()
    return (code if code.startswith("EPSG:") and not code.endswith("-1") else proj), "+proj=longlat" in proj


@functools.lru_cache
def spacing_of(path, crs):
    """About how wide its cells are in another system."""
    nx, ny = described(path)["size"]
    a = described(path)["geoTransform"]
    corners = [(a[0] + i * a[1] + j * a[2], a[3] + i * a[4] + j * a[5]) for i, j in ((nx / 2, ny / 2), (nx / 2 + 1, ny / 2), (nx / 2, ny / 2 + 1))]
    here, right, down = transform(corners, system_of(path)[0], crs)
    return min(np.hypot(right[0] - here[0], right[1] - here[1]), np.hypot(down[0] - here[0], down[1] - here[1]))


def transform(points, source, target):
    """Places in another system; longitude before latitude."""
    lines = "\n".join(f"{x!r} {y!r}" for x, y in np.asarray(points, float).tolist())
    told = gdal("gdaltransform", "-s_srs", source, "-t_srs", target, "-output_xy", text=lines)
    found = np.array([[float(word) for word in line.split()[:2]] for line in told.splitlines()])
    if found.shape != np.shape(points) or not np.isfinite(found).all():
        raise reading.Refused(f"a point of the area has no coordinates in {target}: is it the right zone?")
    return found


def rim(box, steps=32):
    """Points around a box [west, south, east, north]."""
    west, south, east, north = box
    part = np.linspace(0, 1, steps)
    across, up = west + part * (east - west), south + part * (north - south)
    return [*((x, y) for y in (south, north) for x in across), *((x, y) for x in (west, east) for y in up)]


def box_on_map(box, crs, dx):
    """The rectangle of a map that lies around a box in degrees, in whole cells."""
    places = transform(rim(box), "EPSG:4326", crs)
    low, high = np.floor(places.min(axis=0) / dx) * dx, np.ceil(places.max(axis=0) / dx) * dx
    return [float(low[0]), float(low[1]), float(high[0]), float(high[1])]


def warped(path, crs, box, shape, method):
    """The part of a raster in a box of a system, rows from the north, NaN where it has no value."""
    ny, nx = shape
    named = [] if says_system(path) else ["-s_srs", system_of(path)[0]]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "part"
        gdal("gdalwarp", "-q", *named, "-t_srs", crs, "-te", *map(repr, box), "-ts", nx, ny, "-r", method, "-ot", "Float32", "-dstnodata", "nan", "-of", "ENVI",
             "-wo", "SOURCE_EXTRA=2", source_of(path), file)
        return np.fromfile(file, "<f4").reshape(ny, nx).astype(float)


def weights(valid, cells):
    """1 inside, less towards places without a value, over so many cells; the edge of the array is none."""
    inside, sum_ = valid.copy(), valid.astype(float)
    for _ in range(cells - 1):
        padded = np.pad(inside, 1, mode="edge")
        inside = inside & padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
        sum_ += inside
    return sum_ / cells


def merged(layers, cells=BLEND_CELLS):
    """One of several, the first on top, with seams that fade into what lies below."""
    result = layers[-1]
    for layer in reversed(layers[:-1]):
        weight = np.where(np.isnan(result), 1.0, weights(~np.isnan(layer), cells))
        result = np.where(np.isnan(layer), result, weight * np.nan_to_num(layer) + (1 - weight) * np.nan_to_num(result))
    return result


def walls_in_sea(wet, void, fewest):
    """{edge: (rows or columns, widest)}: where a grid has no depths from its edge inwards, over so many cells, and sea behind them."""
    found = {}
    for edge, turned in {"west": lambda a: a, "east": np.fliplr, "south": np.transpose, "north": lambda a: np.flipud(a).T}.items():
        sea, empty = turned(wet), turned(void)
        first = np.argmin(empty, axis=1)  # that has a value; 0 also where none has
        walled = (first > 0) & sea[np.arange(first.size), first]
        if walled.sum() >= fewest:
            found[edge] = int(walled.sum()), int(first[walled].max())
    return found


def offset_on(offset, crs, box, shape):
    """A datum offset: a number, or a raster such as a geoid."""
    try:
        return float(offset)
    except ValueError:
        path = Path(offset)
        if not path.exists():
            raise reading.Refused(f"--datum-offset {offset}: neither a number nor a file") from None
        found = warped(path, crs, box, shape, "bilinear")
        if np.isnan(found).all():
            raise reading.Refused(f"--datum-offset {offset}: the raster has no value in the area") from None
        return found


def prepare(paths, offsets, positive, crs, box, dx, target):
    """Writes the raster of a grid in a box [west, south, east, north] of a system, with cells of dx in its units; says what it is."""
    if positive is None:
        raise reading.Refused(f"{paths[0]}: does the raster contain elevations (--positive up) or depths (--positive down)?")
    if len(offsets) not in (0, 1, len(paths)):
        raise reading.Refused(f"--datum-offset: one, or one for each of the {len(paths)} rasters")
    finest = min(spacing_of(path, crs) for path in paths)
    parts = int(np.clip(round(dx / finest), 1, FINER))
    step = dx / parts
    nx, ny = (int(round((high - low) / step)) for low, high in zip(box[:2], box[2:]))
    layers = []
    for n, path in enumerate(paths):
        layer = warped(path, crs, box, (ny, nx), "average" if spacing_of(path, crs) < 0.75 * step else "bilinear")
        layer = layer if positive == "up" else -layer
        if offsets:
            layer = layer + offset_on(offsets[n if len(offsets) > 1 else 0], crs, box, (ny, nx))
        if np.isnan(layer).all():
            raise reading.Refused(f"{path} has no value in the area: is it the raster of this place?")
        layers.append(layer)
    heights = merged(layers)[::-1]
    degrees = crs == "EPSG:4326"
    names = ("lat", "lon") if degrees else ("y", "x")
    axes = {name: low + (high - low) / count * (0.5 + np.arange(count))
            for name, low, high, count in zip(names, (box[1], box[0]), (box[3], box[2]), (ny, nx))}
    data = xr.Dataset({"elevation": (names, heights.astype("f4"))}, coords=axes)
    data["elevation"].attrs = {"standard_name": "height_above_mean_sea_level", "units": "m", "grid_mapping": "crs"}
    for name, axis, geographic in zip(names, "yx", ("latitude", "longitude")):
        data[name].attrs = ({"standard_name": geographic, "units": f"degrees_{'north' if axis == 'y' else 'east'}"} if degrees else
                            {"standard_name": f"projection_{axis}_coordinate", "units": "m"})
    data["crs"] = ((), np.int32(0), {"crs_wkt": gdal("gdalsrsinfo", "-o", "wkt2", crs).strip()})
    data.attrs["source"] = "; ".join(path.name + (f" + {offsets[n if len(offsets) > 1 else 0]} m" if offsets else "") for n, path in enumerate(paths))
    data.to_netcdf(target, encoding={"elevation": {"_FillValue": np.float32(9.96921e36)}})
    empty = np.isnan(heights).mean()
    return f"{nx} x {ny} points in {crs}, {step:g} {'degrees' if degrees else 'm'} apart" + (f"; {empty:.1%} without a value: land" if empty else "")
