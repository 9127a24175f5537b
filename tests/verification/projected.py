# SPDX-License-Identifier: Apache-2.0
"""Grids on projected maps (/grid/crs): where their cells lie, by formulas of the transverse Mercator map that owe nothing to PROJ;
wind, currents and depths of files in degrees, turned and found at their places; Coriolis by latitude; the same bits on several
processes, the emulator and after a restart; GDAL's opinion of the files; refusals."""

import json
import shutil
import subprocess
from pathlib import Path

import cases
import netCDF4
import numpy as np

A, F = 6378137.0, 1 / 298.257223563  # WGS 84
N, E = F / (2 - F), np.sqrt(F * (2 - F))
RADIUS = A / (1 + N) * (1 + N**2 / 4 + N**4 / 64)
SERIES = (N / 2 - 2 * N**2 / 3 + 5 * N**3 / 16, 13 * N**2 / 48 - 3 * N**3 / 5, 61 * N**3 / 240)  # Krueger 1912, to 1e-5 m
MERIDIAN, SCALE = 33.0, 0.9996  # UTM zone 36


def transverse_mercator(lon, lat):
    """(x, y, angle from grid north to true north, clockwise [rad])."""
    turn, sine = np.radians(lon - MERIDIAN), np.sin(np.radians(lat))
    t = np.sinh(np.arctanh(sine) - E * np.arctanh(E * sine))
    xi, eta = np.arctan2(t, np.cos(turn)), np.arctanh(np.sin(turn) / np.hypot(1, t))
    x, y, p, q = eta, xi, 1.0, 0.0
    for n, part in enumerate(SERIES, 1):
        x = x + part * np.cos(2 * n * xi) * np.sinh(2 * n * eta)
        y = y + part * np.sin(2 * n * xi) * np.cosh(2 * n * eta)
        p = p + 2 * n * part * np.cos(2 * n * xi) * np.cosh(2 * n * eta)
        q = q + 2 * n * part * np.sin(2 * n * xi) * np.sinh(2 * n * eta)
    convergence = np.arctan(t / np.hypot(1, t) * np.tan(turn)) + np.arctan2(q, p)
    return 500000 + SCALE * RADIUS * x, SCALE * RADIUS * y, convergence


def write(name, variables, lon=(35, 36.75), lat=(45.5, 47), step=0.25, times=3):
    """A file in degrees: latitudes from north to south as in reanalyses; variables as functions of lon and lat."""
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        axes = {"latitude": np.arange(lat[1], lat[0] - step / 2, -step), "longitude": np.arange(lon[0], lon[1] + step / 2, step)}
        if times:
            axes = {"time": np.arange(times) - 1.0, **axes}
        for axis, values in axes.items():
            data.createDimension(axis, len(values))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units = {"time": "hours since 2000-01-01", "longitude": "degrees_east", "latitude": "degrees_north"}[axis]
            variable[:] = values
        here = np.meshgrid(axes["longitude"], axes["latitude"])
        for key, (unit, of, attributes) in variables.items():
            variable = data.createVariable(key, "f8", tuple(axes))
            variable.setncatts({"units": unit, **attributes})
            variable[:] = np.broadcast_to(of(*here), variable.shape)
    return str(path)


def run(settings=None, **options):
    return cases.run("verification/projected", {"/time/duration_s": 1, **(settings or {})}, **options)


def wind_u(lon, lat):
    return 8 + 2 * (lon - 36) - (lat - 46)


def wind_v(lon, lat):
    return 3 - (lon - 36) + 3 * (lat - 46)


# where the cells lie
wind = write("era5.nc", {"u10": ("m s**-1", wind_u, {}), "v10": ("m s**-1", wind_v, {}), "msl": ("Pa", lambda lon, lat: 101325 + 0 * lon, {})})
by_file = run({"/forcing": {"wind": {"file": wind}}})
map_file = next(by_file.folder.glob("**/map.nc"))
found = by_file.fields("map.nc")
lon, lat = found["lon"], found["lat"]
x, y, turn = transverse_mercator(lon, lat)
cases.below("cells, from the file's degrees to the file's metres [m]",
            max(np.max(np.abs(x - found["x"][None, :])), np.max(np.abs(y - found["y"][:, None]))), 1e-4)
with netCDF4.Dataset(map_file) as data:
    crs, u = data["crs"], data["wind_stress_x"]
    cases.equal("names for CF", (crs.grid_mapping_name, crs.longitude_of_central_meridian, crs.false_easting, data["x"].standard_name,
                                 u.grid_mapping, u.coordinates, u.standard_name),
                ("transverse_mercator", 33.0, 500000.0, "projection_x_coordinate", "crs", "lat lon", "surface_downward_eastward_stress"))
    crs_wkt = crs.crs_wkt
    cases.equal("system for GIS", 'ID["EPSG",32636]' in crs.crs_wkt, True)
DATUM = "+proj=utm +zone=36 +ellps=intl +towgs84=-87,-98,-121"  # of 1950, 180 m from the one of today
old = run({"/grid/crs": DATUM, "/forcing": {}})
for name, finished in (("GDAL's corners", by_file), ("the same on another datum", old)) if shutil.which("gdaltransform") else ():
    places = "\n".join(f"{column + 0.5} {row + 0.5}" for row in (0, 39) for column in (0, 59))
    file, fields = next(finished.folder.glob("**/map.nc")), finished.fields("map.nc")
    told = subprocess.run(["gdaltransform", "-t_srs", "EPSG:4326", f'NETCDF:"{file}":wind_stress_x'], input=places, text=True,
                          capture_output=True, check=True).stdout
    corners = np.array([[float(word) for word in line.split()[:2]] for line in told.splitlines()])
    own = np.array([[fields[key][row, column] for key in ("lon", "lat")] for row in (-1, 0) for column in (0, 59)])  # from the top
    cases.below(f"{name} [cells]", np.max(np.abs(corners - own) * [np.cos(np.radians(46)) * 111.2, 111.2]), 1e-5)
apart = np.hypot((old.fields("map.nc")["lon"] - lon) * np.cos(np.radians(46)), old.fields("map.nc")["lat"] - lat) * 111195
cases.between("the shift of that datum [m]", float(apart.mean()), 175, 195)

# wind: turned, at its place
inner = (slice(12, 28), slice(12, 48))


def along_grid(run_):
    """The velocity at the centres after the step, from linear means of the faces."""
    values = run_.fields("map.nc")
    return 0.5 * (values["u"][-1, 0, :, 1:] + values["u"][-1, 0, :, :-1])[inner], 0.5 * (values["v"][-1, 0, 1:] + values["v"][-1, 0, :-1])[inner]


u, v = along_grid(by_file)
east, north = wind_u(lon, lat)[inner], wind_v(lon, lat)[inner]
angle = np.arctan2(v, u) - np.arctan2(north, east)
cases.below("wind turned by grid north [rad]", np.max(np.abs(angle - turn[inner])), 1e-6)
stress = [found[name][-1][inner] for name in ("wind_stress_x", "wind_stress_y")]
cases.below("stress in the file: eastward [rad]", np.max(np.abs(np.arctan2(stress[1], stress[0]) - np.arctan2(north, east))), 1e-6)
formulas = {"u_m_s": "8 + 2*(lon - 36) - (lat - 46)", "v_m_s": "3 - (lon - 36) + 3*(lat - 46)"}
by_formula = run({"/forcing": {"wind": formulas}})
cases.below("the same by formulas [m/s]", np.max(np.abs(np.subtract(along_grid(by_file), along_grid(by_formula)))), 2e-9)
steady = run({"/forcing": {"wind": {"speed_m_s": 10, "from_deg": 225}}})
u, v = along_grid(steady)
cases.below("a number from the south-west [rad]", np.max(np.abs(np.arctan2(v, u) - np.pi / 4 - turn[inner])), 1e-6)

# wind in metres: along the axes of the file where it says so; another map is refused


def in_metres(name, kind, system):
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        for axis, values, unit in (("time", [-1, 0, 1], "hours since 2000-01-01"), ("y", found["y"][[0, -1]] + [-9e3, 9e3], "m"), ("x", found["x"][[0, -1]] + [-9e3, 9e3], "m")):
            data.createDimension(axis, len(values))
            data.createVariable(axis, "f8", (axis,))[:] = values
            data[axis].units = unit
        data.createVariable("crs", "i4").setncatts(system)
        data.createVariable("ground", "f8", ("y", "x"))[:] = -10
        data["ground"].setncatts({"units": "m", "positive": "up", "grid_mapping": "crs"})
        for axis, key, value in (("xy"[n], "uv"[n], (8, 3)[n]) for n in range(2)):
            variable = data.createVariable(f"{key}10", "f8", ("time", "y", "x"))
            variable[:] = value
            variable.setncatts({"units": "m s-1", "standard_name": f"{axis}_wind" if kind == "grid" else f"{'eastward' if axis == 'x' else 'northward'}_wind", "grid_mapping": "crs"})
    return {"/forcing": {"wind": {"file": str(path)}}}


for kind, expected in (("grid", 0 * turn), ("earth", turn)):
    u, v = along_grid(run(in_metres(f"{kind}.nc", kind, {"crs_wkt": crs_wkt})))
    cases.below(f"wind along the {kind}'s axes [rad]", np.max(np.abs(np.arctan2(v, u) - np.arctan2(3, 8) - expected[inner])), 1e-6)
datum = in_metres("ed50.nc", "earth", {"proj4": DATUM})
elsewhere = in_metres("zone37.nc", "earth", {"proj4": "+proj=utm +zone=37 +datum=WGS84"})

# Coriolis
turning = run({"/physics/coriolis": "by-latitude", "/forcing": {}, "/initial": {"u_m_s": "0.1"}, "/output/0/every_s": 10, "/time/step_s": 10, "/time/duration_s": 10})
u, v = along_grid(turning)
cases.below("Coriolis parameter by latitude, relative", np.max(np.abs(-v / (10 * 2 * 7.2921159e-5 * 0.1) / np.sin(np.radians(lat[inner])) - 1)), 1e-6)

# currents and depths of files in degrees
current = write("current.nc", {"uo": ("m s-1", lambda lon, lat: 0.3 + 0.2 * (lon - 36), {"standard_name": "eastward_sea_water_velocity"}),
                               "vo": ("m s-1", lambda lon, lat: -0.1 + 0.1 * (lat - 46), {"standard_name": "northward_sea_water_velocity"})})
sea = write("sea.nc", {"elevation": ("m", lambda lon, lat: -10 - 2 * (lon - 36) + 3 * (lat - 46), {"standard_name": "height_above_mean_sea_level"})},
            step=0.01, times=0)
moving = run({"/forcing": {}, "/bathymetry": {"file": sea}, "/grid/levels": {"bottom_m": -20, "dz_m": 20}, "/initial": {"u_m_s": {"file": current},
             "v_m_s": {"file": current}}, "/output": [{"file": "map.nc", "every_s": 1, "variables": ["u_east", "v_north"]}]})
values = moving.fields("map.nc")
cases.below("depths [m]", np.max(np.abs(values["bed"] - (-10 - 2 * (lon - 36) + 3 * (lat - 46)))), 1e-3)
first = [values[name][0, 0][inner] for name in ("u_east", "v_north")]
cases.below("currents, turned and back [m/s]", np.max(np.abs(np.subtract(first, (0.3 + 0.2 * (lon - 36)[inner], -0.1 + 0.1 * (lat - 46)[inner])))), 1e-6)

# the same bits however it is computed; places in degrees
everything = {"/forcing": {"wind": {"file": wind}, "air_pressure": {"file": wind}, "tidal_potential": {"constituents": ["M2"]}},
              "/physics/coriolis": "by-latitude", "/bathymetry": {"file": sea}, "/grid/levels": {"bottom_m": -20, "dz_m": 4},
              "/boundaries": [{"name": "sea", "edge": "east", "kind": "flather", "eta_m": 0, "velocity_m_s": {"file": current}}],
              "/initial": {"u_m_s": {"file": current}, "v_m_s": {"file": current}}, "/time/step_s": 60, "/time/duration_s": 360,
              "/rivers": [{"name": "Mouth", "lon": 35.7, "lat": 46.2, "discharge_m3_s": 100}],
              "/output": [{"file": "points.nc", "every_s": 60, "stations": {"A": [720500, 5120500], "B": {"lon": float(lon[20, 30]), "lat": float(lat[20, 30])}}}]}
alone = run(everything)
points = alone.stations("points.nc")
cases.equal("a station in degrees is where it is in metres", points["x"].tolist(), [720500.0, 720500.0])
cases.below("and has its degrees [degrees]", abs(points["lon"][0] - lon[20, 30]) + abs(points["lat"][0] - lat[20, 30]), 1e-12)
for name, options in (("3 processes", {"ranks": 3}), ("the emulator", {"options": ["--device", "emu"]})):
    cases.equal(f"the bits of {name}", run(everything, **options).digest, alone.digest)
part = run({**everything, "/restart/at_end": True}, options=["--steps", "3"])
rest = next(part.folder.glob("**/restart_*.nc"))
cases.equal("the bits after a restart", run(everything, options=["--restart", str(rest)]).digest, alone.digest)

# refusals
rotated = shutil.copy(wind, "rotated.nc")
with netCDF4.Dataset(rotated, "a") as data:
    data["longitude"].setncatts({"units": "degrees", "standard_name": "grid_longitude"})
for name, settings, words in (
        ("no such system", {"/grid/crs": "EPSG:99999"}, "not a coordinate reference system"),
        ("degrees", {"/grid/crs": "EPSG:4326"}, "is geographic"),
        ("nothing", {"/grid/crs": ""}, "must be a non-empty text"),
        ("a bell", {"/grid/crs": "EPSG:\u0007"}, "contains a control character"),
        ("a station in degrees", {"/output/0": {"every_s": 1, "stations": {"a": [36, 46.2]}}}, "are these degrees?"),
        ("a station's x and y swapped", {"/output/0": {"every_s": 1, "stations": {"a": [5120000, 700000]}}}, "x comes before y"),
        ("feet", {"/grid/crs": "EPSG:2263"}, "US survey foot"),
        ("another zone", {"/grid/crs": "EPSG:32630", "/forcing": {"wind": {"file": wind}}}, "covers longitudes 35 to 36.75"),
        ("wind in metres of another zone", elsewhere, "in metres of"),
        ("wind in metres of another datum, a fifth of a cell away", datum, "in metres of"),
        ("depths in metres of another zone", {"/bathymetry": {"file": elsewhere["/forcing"]["wind"]["file"], "variable": "ground"}}, "in metres of"),
        ("a rotated pole", {"/forcing": {"wind": {"file": str(Path.cwd() / rotated)}}}, "lies on a rotated pole"),
        ("a map of the world", {"/grid/crs": "EPSG:3857"}, "EPSG:32"),
        ("x and y swapped", {"/grid/x0_m": 5100000, "/grid/y0_m": 690000}, "Are x and y swapped"),
        ("a pole between the middle and the corners", {"/grid/crs": "EPSG:32661", "/grid/x0_m": 1985000, "/grid/y0_m": 1990000}, "North Pole lies inside"),
        ("the other pole", {"/grid/crs": "EPSG:32761", "/grid/x0_m": 1985000, "/grid/y0_m": 1990000}, "South Pole lies inside"),
        ("periodic", {"/grid/periodic": ["x"]}, "cannot be periodic"),
        ("half a place", {"/rivers": [{"name": "Mouth", "lon": 35.7, "discharge_m3_s": 1}]}, '"lon" and "lat" or'),
        ("degrees without a system", {"/forcing": {"wind": {"file": wind}}, "?": ""}, "but the grid is in metres")):
    settings.pop("?", None)
    scenario = "verification/projected"
    if name == "degrees without a system":
        text = (cases.SOURCE / "scenarios/verification/projected.json").read_text().replace('"crs": "EPSG:32636", ', "")
        Path("plain.json").write_text(text)
        scenario = str(Path.cwd() / "plain.json")
    refused = cases.run(scenario, settings, may_fail=True)
    cases.equal(f"refused: {name}", (refused.code, words in refused.message, refused.message.count("error:")), (2, True, 1))
    if words not in refused.message:
        print(refused.message)
cases.finish()
