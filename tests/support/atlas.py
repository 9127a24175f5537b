# SPDX-License-Identifier: Apache-2.0
"""Small tidal atlases in the layouts of TPXO 9 and 10 and of FES 2014 and 2022.

`wave(name, quantity, lon, lat)` returns amplitude (m, or m/s) and phase lag (degrees); `depth(lon, lat)` is in m, 0 on land."""

import netCDF4
import numpy as np

QUANTITIES = ("eta", "u", "v")


def create(path, layout):
    path.parent.mkdir(parents=True, exist_ok=True)
    return netCDF4.Dataset(path, "w", format=layout)


def coordinate(data, name, dimension, values, units):
    variable = data.createVariable(name, "f8", (dimension,))
    variable.units = units
    variable[:] = values


def points(box, step):
    west, east, south, north = box
    return np.arange(west, east + step / 2, step), np.arange(south, north + step / 2, step)


def nodes(letter, lon, lat, step):
    """The staggered grid: u on western sides, v on southern ones."""
    return (lon - step / 2 if letter == "u" else lon), (lat - step / 2 if letter == "v" else lat)


def tpxo(folder, names, wave, depth, box, step=0.25, turn=0.0):
    """A file of levels and one of transports for each constituent; x varies slowest, land is 0; `turn` is added to longitudes."""
    lon, lat = points(box, step)

    def create_file(name, letters):
        data = create(folder / name, "NETCDF4")
        data.createDimension("nx", lon.size)
        data.createDimension("ny", lat.size)
        data.createDimension("nct", 4)
        for letter in letters:
            x, y = nodes(letter, lon, lat, step)
            coordinate(data, f"lon_{letter}", "nx", x + turn, "degree_east")
            coordinate(data, f"lat_{letter}", "ny", y, "degree_north")
        return data

    def complex_parts(data, name, letter, unit, scale):
        x, y = np.meshgrid(*nodes(letter, lon, lat, step), indexing="ij")
        depths = depth(x, y)
        amplitude, lag = wave(name, {"z": "eta"}.get(letter, letter), x, y)
        values = np.where(depths > 0, amplitude * (1 if letter == "z" else depths) * np.exp(-1j * np.radians(lag)), 0)
        word = "h" if letter == "z" else letter
        for part, of in (("Re", values.real), ("Im", values.imag)):
            variable = data.createVariable(word + part, "i4", ("nx", "ny"))
            variable.units = unit
            variable[:] = np.round(of * scale)

    with create_file("grid_tpxo9_atlas_30_v5.nc", "zuv") as data:
        for letter in "zuv":
            variable = data.createVariable(f"h{letter}", "f4", ("nx", "ny"))
            variable.units = "meter"
            variable[:] = depth(*np.meshgrid(*nodes(letter, lon, lat, step), indexing="ij"))
    for name in names:
        for kind, letters in (("h", "z"), ("u", "uv")):
            with create_file(f"{kind}_{name.lower()}_tpxo9_atlas_30_v5.nc", letters) as data:
                con = data.createVariable("con", "S1", ("nct",))
                con[:] = np.array(list(name.lower().ljust(4)), dtype="S1")
                for letter in letters:
                    unit, scale = ("millimeter", 1e3) if letter == "z" else ("centimeter^2/sec", 1e4)
                    complex_parts(data, name, letter, unit, scale)


def tpxo_in_one(path, names, wave, depth, box, step=0.25):
    """All constituents in one file, as amplitude and phase, with two-dimensional coordinates (TPXO9.v1)."""
    lon, lat = np.meshgrid(*points(box, step), indexing="ij")
    with create(path, "NETCDF3_CLASSIC") as data:
        for dimension, size in (("nx", lon.shape[0]), ("ny", lon.shape[1]), ("nc", len(names)), ("nct", 4)):
            data.createDimension(dimension, size)
        con = data.createVariable("con", "S1", ("nc", "nct"))
        con[:] = np.array([list(name.lower().ljust(4)) for name in names], dtype="S1")
        for name, values in (("lon_z", lon), ("lat_z", lat)):
            data.createVariable(name, "f8", ("nx", "ny"))[:] = values
        for word, index, unit in (("ha", 0, "meter"), ("hp", 1, "degree GMT")):
            variable = data.createVariable(word, "f8", ("nc", "nx", "ny"))
            variable.units = unit
            variable[:] = [np.where(depth(lon, lat) > 0, wave(name, "eta", lon, lat)[index] % 360, 0) for name in names]


def fes(folder, names, wave, depth, box, step=0.25, descending=False):
    """Amplitudes in cm and phases, in a folder for each quantity; land is missing."""
    x, y = points(box, step)
    y = y[::-1] if descending else y
    lon, lat = np.meshgrid(x, y)
    layout = (("ocean_tide", "eta", "amplitude", "phase", "cm"), ("eastward_velocity", "u", "Ua", "Ug", "cm/s"),
              ("northward_velocity", "v", "Va", "Vg", "cm/s"))
    for where, quantity, amplitude, phase, unit in layout:
        for name in names:
            with create(folder / where / f"{name.lower()}_fes2022.nc", "NETCDF4") as data:
                data.createDimension("lon", x.size)
                data.createDimension("lat", y.size)
                coordinate(data, "lon", "lon", x, "degrees_east")
                coordinate(data, "lat", "lat", y, "degrees_north")
                values = wave(name, quantity, lon, lat)
                for word, of, units in ((amplitude, 100 * values[0], unit), (phase, values[1] % 360, "degrees")):
                    variable = data.createVariable(word, "f4", ("lat", "lon"), fill_value=np.float32(1.8446744e19))
                    variable.units = units
                    variable[:] = np.ma.masked_where(depth(lon, lat) <= 0, np.broadcast_to(of, lon.shape))
