#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the files of a run with the programs that people use, and asks each of them for numbers that are known otherwise.

    check_clients.py FOLDER [CLIENT ...]      FOLDER holds bay/ (bay.json) with packed/ and ensemble/, and azov/ (a coarse storm)

Each client prints one line: name, version, what it did, result. Clients that are not installed are skipped, unless
MAEOTIS_CLIENTS=all asks for every one of them.
"""
import contextlib
import importlib.metadata
import io
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import netCDF4
import numpy as np

SOURCE = Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(SOURCE / "python"), str(SOURCE / "postproc")]
EARTH_M = 6371000.0
MAPS = {"centred": "eta", "surface": "eta", "mean": "eta", "extremes": "max_eta", "harmonics": "eta_amplitude_M2"}
SERIES = ["stations", "profiles"]
KEEPERS = {}


def client(name, package=None, command=None):
    """Registers a check under its client's name; `package` of PyPI, or a `command` that prints its version."""
    def keep(check):
        KEEPERS[name] = (check, package, command)
        return check
    return keep


def expect(condition, *words):
    if not condition:
        raise AssertionError(" ".join(str(word) for word in words))


def raw(path, name):
    """The stored numbers, fill values as NaN: the judge of what a client returns."""
    with netCDF4.Dataset(path) as file:
        return np.ma.filled(np.ma.asarray(file[name][:], dtype=float), np.nan)


def same(got, path, name, index=...):
    truth = raw(path, name)[index]
    got = np.ma.filled(np.ma.asarray(got, dtype=float), np.nan)
    expect(got.shape == truth.shape, name, "has the shape", got.shape, "instead of", truth.shape)
    expect(np.array_equal(np.isnan(got), np.isnan(truth)), name, "has other missing values than the file")
    expect(np.allclose(got, truth, rtol=1e-6, atol=1e-9, equal_nan=True), name, "has other values than the file")


def output(words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def results(*folders):
    """The files of runs but their restart files, which are for the program alone."""
    return [path for folder in folders for path in sorted(folder.glob("*.nc")) if not path.name.startswith("restart_")]


def summaries_of_maps(bay):
    return [bay / "ensemble" / f"{name}_ensemble.nc" for name in ("centred", "extremes")]


def summaries(bay):
    return sorted((bay / "ensemble").glob("*_ensemble.nc"))


# ---- the files by themselves ----

@client("format")
def format_of_files(bay, azov):
    """results are CDF-2, restart files CDF-5, packed copies and summaries of ensembles NetCDF-4"""
    kinds = {b"CDF\x02": results(bay, azov), b"CDF\x05": [*bay.glob("restart_*.nc")], b"\x89HDF": [*results(bay / "packed"), *summaries(bay)]}
    for start, paths in kinds.items():
        expect(paths, "there are no files that begin with", start)
        for path in paths:
            expect(path.read_bytes()[:4] == start, path.name, "is", path.read_bytes()[:4])
    return ", ".join(f"{len(paths)}" for paths in kinds.values()) + " files"


@client("compliance-checker", package="compliance-checker")
def compliance(bay, azov):
    """errors against CF 1.11 and ACDD 1.3"""
    from compliance_checker.runner import CheckSuite, ComplianceChecker
    CheckSuite.load_all_available_checkers()
    bad = []
    for path in [*results(bay, azov, bay / "packed"), *summaries(bay)]:
        for convention in ["cf:1.11", "acdd:1.3"]:
            if convention.startswith("acdd") and path in summaries(bay):
                continue  # they say what they are of, not who made them
            report = path.with_suffix("." + convention[:4].replace(":", "") + ".txt")
            with contextlib.redirect_stdout(io.StringIO()):
                ComplianceChecker.run_checker(str(path), [convention], 0, "strict", output_filename=str(report),
                                              output_format="text")
            errors = re.split(r"^ +(?:Warnings|Recommended|Info|Suggested) *$", report.read_text(), flags=re.M)[0]
            for line in re.findall(r"^\* (.*)$", errors, re.M):
                # SGRID asks for this role, which CF does not know; series without a name in CF's table have none.
                if not line.startswith("grid_topology is not a valid cf_role") and line != "standard_name":
                    bad.append(f"{path.name} {convention}: {line}")
    for line in sorted(set(bad)):
        print("   ", line)
    expect(not bad, len(bad), "complaints")
    return "none but that SGRID's cf_role is unknown to CF"


# ---- libraries of Python ----

@client("xarray", package="xarray")
def with_xarray(bay, azov):
    """opens, decodes time, selects in space, time and by name of the station; packed copies; ensembles; restart files"""
    import xarray as xr
    centred = xr.open_dataset(bay / "centred.nc")
    expect(str(centred.time.values[-1])[:16] == "2024-05-01T13:00", "time ends", centred.time.values[-1])
    one = centred.eta.sel(lon=10.25, lat=54.1, method="nearest").sel(time="2024-05-01T06:00")
    expect(np.isfinite(one).all(), "no level in the middle of the bay")
    for name in SERIES:
        stations = xr.open_dataset(bay / f"{name}.nc")
        port = stations.sel(station="Port")
        same(port.eta, bay / f"{name}.nc", "eta", np.s_[:, 0])
    both = xr.open_mfdataset([bay / "centred.nc", bay / "mean.nc"], join="outer", compat="override")
    expect("eta" in both, "two files do not open together")
    for path in results(bay):
        with xr.open_dataset(path) as one, xr.open_dataset(bay / "packed" / path.name) as other:
            expect(one.identical(other), path.name, "is not identical when packed")
    members = [bay / "ensemble" / f"member_{n:04d}" / "centred.nc" for n in (1, 2)]  # without the control
    with xr.open_dataset(bay / "ensemble" / "centred_ensemble.nc") as summary:
        expect(set(summary.eta_mean.dims) == {"time", "lat", "lon"}, "eta_mean has the dimensions", summary.eta_mean.dims)
        mean = np.mean([raw(path, "eta") for path in members], axis=0)
        expect(np.allclose(summary.eta_mean, mean, atol=1e-6, equal_nan=True), "mean of the members")
    with xr.open_dataset(next(bay.glob("restart_*.nc"))) as restart:
        expect(restart.sizes["lon"] == centred.sizes["lon"] and np.isfinite(restart.u).any(), "the restart file holds no velocity")
    return "values of sel() and isel() as stored"


@client("cf_xarray", package="cf_xarray")
def with_cf_xarray(bay, azov):
    """finds axes, standard names, bounds, SGRID's axes"""
    import cf_xarray  # noqa: F401
    import xarray as xr
    for path in [bay / f"{name}.nc" for name in MAPS] + summaries_of_maps(bay) + [azov / "azov_storm_2014.nc"]:
        file = xr.open_dataset(path)
        for axis, dim in [("X", "lon"), ("Y", "lat")]:
            expect(file.cf.axes[axis] == [dim], path.name, "axis", axis, "is", file.cf.axes[axis])
        expect(file.cf.coordinates["longitude"] == ["lon"], path.name, "longitudes", file.cf.coordinates["longitude"])
        expect(file.cf.bounds["lon"] == ["lon_bnds"], path.name, "bounds")
    eta = xr.open_dataset(bay / "centred.nc").cf["sea_surface_height_above_geopotential_datum"]
    same(eta, bay / "centred.nc", "eta")
    faces = xr.open_dataset(bay / "faces.nc")
    expect(faces.cf.cf_roles["grid_topology"] == ["grid"], "no topology")
    expect(set(faces.cf.grid_mapping_names.get("latitude_longitude", [])) == {"crs"}, "no grid mapping")
    return "axes, standard names, bounds, topology"


@client("xgcm", package="xgcm")
def with_xgcm(bay, azov):
    """derivative and area-weighted mean on the C grid"""
    import xarray as xr
    import xgcm
    file = xr.open_dataset(bay / "faces.nc")
    import maeotis
    expect(set(maeotis.xgcm_grid(file).axes) >= {"X", "Y"}, "maeotis.xgcm_grid has no axes")
    grid = xgcm.Grid(file, coords={"X": {"center": "lon", "outer": "lon_u"}, "Y": {"center": "lat", "outer": "lat_v"}},
                     metrics={("X",): ["dx", "dx_u", "dx_v"], ("Y",): ["dy", "dy_u", "dy_v"], ("X", "Y"): ["cell_area"]},
                     autoparse_metadata=False, padding={"X": "extend", "Y": "extend"})
    eta = file.eta.isel(time=5)
    slope = grid.derivative(eta, "X").isel(lat=5)
    values, dx = eta.isel(lat=5).values, float(file.dx_u.isel(lat=5, lon_u=3))
    expect(np.allclose(slope[1:-1], np.diff(values) / dx, rtol=1e-5, equal_nan=True), "slope by xgcm differs")
    east, west = np.radians(raw(bay / "faces.nc", "lon_u")[[4, 3]])
    lat = np.radians(raw(bay / "faces.nc", "lat")[5])
    expect(abs(float(file.dx.isel(lat=5, lon=3)) / (EARTH_M * np.cos(lat) * (east - west)) - 1) < 1e-6, "dx is wrong")
    mean = float(grid.average(eta, ["X", "Y"]))
    area = raw(bay / "faces.nc", "cell_area")
    wet = np.isfinite(eta.values)
    expect(abs(mean - np.sum(eta.values[wet] * area[wet]) / area[wet].sum()) < 1e-6, "mean by xgcm differs")
    return "derivative() and average() as by hand"


@client("iris", package="scitools-iris")
def with_iris(bay, azov):
    """loads cubes with their coordinates and cell methods"""
    import iris
    for path in [*results(bay, azov, bay / "packed"), *summaries(bay)]:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            cubes = iris.load(str(path))
        told = [str(w.message) for w in told if "iris" in str(w.filename) and "Future" not in w.category.__name__]
        expect(not told, path.name, told[:2])
        expect(cubes, path.name, "holds no cubes")
    eta = iris.load_cube(str(bay / "centred.nc"), "sea_surface_height_above_geopotential_datum")
    same(eta.data, bay / "centred.nc", "eta")
    point = eta.interpolate([("longitude", 10.25), ("latitude", 54.1)], iris.analysis.Linear())
    expect(np.isfinite(point.data).all(), "interpolation fails")
    salinity = [c for c in iris.load(str(bay / "centred.nc")) if c.standard_name == "sea_water_practical_salinity"]
    expect(len(salinity) == 1 and salinity[0].coord(axis="z"), "salinity has no vertical coordinate")
    return "cubes of all files, interpolation"


@client("rasterio", package="rasterio")
def with_rasterio(bay, azov):
    """reads bands and the geographic transform"""
    import rasterio
    with rasterio.open(f"netcdf:{bay / 'surface.nc'}:eta") as band:
        lon = raw(bay / "surface.nc", "lon_bnds")
        expect(abs(band.transform.c - lon[0, 0]) < 1e-9, "west edge is", band.transform.c)
        got = band.read(4, masked=True)
    truth = raw(bay / "surface.nc", "eta")[3]
    got = np.ma.filled(got.astype(float), np.nan)
    expect(np.allclose(got, truth[::-1] if not np.allclose(got, truth, equal_nan=True) else truth, equal_nan=True),
           "other values")
    return "bands, transform, nodata"


# ---- programs ----

@client("GDAL", command=["gdalinfo", "--version"])
def with_gdal(bay, azov):
    """gdalinfo knows the grid and the reference system; a value at a point"""
    for folder, name, variable in [(bay, "surface", "eta"), (bay, "centred", "salinity"), (bay, "extremes", "max_eta"),
                                   (bay, "harmonics", "eta_amplitude_M2"), (bay / "packed", "centred", "eta"),
                                   (bay / "ensemble", "centred_ensemble", "eta_mean"),
                                   (azov, "azov_storm_2014", "u_east")]:
        told = output(["gdalinfo", f"NETCDF:{folder / name}.nc:{variable}"])
        expect("WGS 84" in told and "Origin = " in told, name, "has no georeference in GDAL")
    at = [10.25, 54.1]
    got = float(output(["gdallocationinfo", "-valonly", "-wgs84", "-b", "7", f"NETCDF:{bay / 'surface.nc'}:eta", *at]))
    lon, lat = raw(bay / "surface.nc", "lon"), raw(bay / "surface.nc", "lat")
    truth = raw(bay / "surface.nc", "eta")[6, abs(lat - at[1]).argmin(), abs(lon - at[0]).argmin()]
    expect(abs(got - truth) < 1e-6, "value at a point is", got, "instead of", truth)
    return "reference system, origin, value at a point"


@client("CDO", command=["cdo", "--version"])
def with_cdo(bay, azov):
    """no warning; mean over the sea by cell areas; grid recognised; remapping"""
    for path in [*(bay / f"{name}.nc" for name in MAPS), azov / "azov_storm_2014.nc"]:
        told = subprocess.run(["cdo", "ntime", path], check=True, capture_output=True, text=True)
        expect("Warning" not in told.stdout + told.stderr, path.name, told.stderr[:200])
    for name, variable in [*MAPS.items(), ("ensemble/centred_ensemble", "eta_mean")]:
        told = output(["cdo", "-s", "griddes", f"-selname,{variable}", bay / f"{name}.nc"])
        expect("lonlat" in told, name, "is not seen as a lonlat grid")
    text = output(["cdo", "-s", "outputf,%.9g", "-fldmean", "-seltimestep,7", "-selname,eta", bay / "centred.nc"])
    eta, area = raw(bay / "centred.nc", "eta")[6], raw(bay / "centred.nc", "cell_area")
    wet = np.isfinite(eta)
    truth = (eta[wet] * area[wet]).sum() / area[wet].sum()
    expect(abs(float(text) - truth) < 1e-5, "mean is", text, "instead of", truth)
    output(["cdo", "-s", "remapbil,r720x360", "-selname,eta", bay / "centred.nc", bay / "remapped.out"])
    return "lonlat grid, fldmean, remapbil"


@client("NCO", command=["ncks", "--version"])
def with_nco(bay, azov):
    """ncks, ncwa, and a round trip to NetCDF-4"""
    output(["ncks", "-O", "-4", "-L", "4", bay / "centred.nc", bay / "packed.out"])
    same(raw(bay / "packed.out", "eta"), bay / "centred.nc", "eta")
    output(["ncwa", "-O", "-a", "time", "-v", "eta", bay / "centred.nc", bay / "mean.out"])
    return "copies, compresses, averages"


# ---- particles ----

VELOCITIES = {"surface.nc": ("u", "v"), "azov_storm_2014.nc": ("u_east", "v_north"), "faces.nc": ("u", "v")}


def bilinear(x, y, field):
    """Between centres."""
    def current(lon, lat, a, n):
        i, j = np.searchsorted(x, lon) - 1, np.searchsorted(y, lat) - 1
        b, c = (lon - x[i]) / (x[i + 1] - x[i]), (lat - y[j]) / (y[j + 1] - y[j])
        cell = (1 - a) * field[n, j:j + 2, i:i + 2] + a * field[n + 1, j:j + 2, i:i + 2]
        return (1 - c) * ((1 - b) * cell[0, 0] + b * cell[0, 1]) + c * ((1 - b) * cell[1, 0] + b * cell[1, 1])
    return current


def between_faces(x, y, field, along_x):
    """Linear from face to face of a cell, and constant across."""
    def current(lon, lat, a, n):
        i, j = np.searchsorted(x, lon) - 1, np.searchsorted(y, lat) - 1
        b = (lon - x[i]) / (x[i + 1] - x[i]) if along_x else (lat - y[j]) / (y[j + 1] - y[j])
        other = (j, i + 1) if along_x else (j + 1, i)
        first, last = ((1 - a) * field[(n, *place)] + a * field[(n + 1, *place)] for place in ((j, i), other))
        return (1 - b) * first + b * last
    return current


def drift(path, lon, lat, start_s, hours):
    """A particle in the surface layer's current: linear in time, Runge-Kutta of fourth order."""
    fields = [raw(path, name)[:, -1] for name in VELOCITIES[path.name]]
    t = raw(path, "time")
    if path.name == "faces.nc":
        x, y = raw(path, "lon_u"), raw(path, "lat_v")
        u, v = between_faces(x, y, fields[0], True), between_faces(x, y, fields[1], False)
    else:
        u, v = (bilinear(raw(path, "lon"), raw(path, "lat"), field) for field in fields)

    def rate(at, time):
        n = min(max(np.searchsorted(t, time) - 1, 0), len(t) - 2)
        a, per_degree = (time - t[n]) / (t[n + 1] - t[n]), EARTH_M * np.pi / 180
        return np.array([u(*at, a, n) / per_degree / np.cos(np.radians(at[1])), v(*at, a, n) / per_degree])

    at, time, step = np.array([lon, lat]), start_s, 300.0
    for _ in range(int(hours * 3600 / step)):
        a = rate(at, time)
        b = rate(at + step / 2 * a, time + step / 2)
        c = rate(at + step / 2 * b, time + step / 2)
        d = rate(at + step * c, time + step)
        at, time = at + step / 6 * (a + 2 * b + 2 * c + d), time + step
    return at


def metres(a, b):
    return np.hypot((a[0] - b[0]) * np.cos(np.radians(a[1])), a[1] - b[1]) * EARTH_M * np.pi / 180


RELEASES = [("bay", "surface.nc", 10.2, 54.1, 0, 6), ("azov", "azov_storm_2014.nc", 36.5, 46.1, 0, 20)]


@client("Parcels", package="parcels")
def with_parcels(bay, azov):
    """particles on the C grid of the bay, and at centres in the bay and the Azov, by from_sgrid_conventions of parcels_dataset()"""
    import maeotis
    import parcels
    import xarray as xr
    worst = 0
    for folder, name, lon, lat, _, hours in [("bay", "faces.nc", 10.2, 54.1, 0, 6), *RELEASES]:
        path = {"bay": bay, "azov": azov}[folder] / name
        with warnings.catch_warnings(), xr.open_dataset(path) as file:
            warnings.simplefilter("ignore")
            fields = parcels.FieldSet.from_sgrid_conventions(maeotis.parcels_dataset(file), mesh="spherical")
            particles = parcels.ParticleSet(fields, x=[lon], y=[lat])
            particles.execute(parcels.kernels.AdvectionRK4, runtime=np.timedelta64(hours, "h"), dt=np.timedelta64(5, "m"),
                              verbose_progress=False)
        got, truth = (particles.x[0], particles.y[0]), drift(path, lon, lat, 0, hours)
        moved = metres((lon, lat), truth)
        expect(moved > 100, folder, "the particle hardly moves by hand:", moved)
        worst = max(worst, metres(got, truth) / moved)
        expect(worst < 0.01, folder, name, "ends at", got, "instead of", truth)
    return f"ends within {100 * worst:.2g} % of the way"


@client("OpenDrift", package="opendrift")
def with_opendrift(bay, azov):
    """the same at centres"""
    import datetime
    import logging
    from opendrift.models.oceandrift import OceanDrift
    from opendrift.readers import reader_netCDF_CF_generic
    worst = 0
    for folder, name, lon, lat, start, hours in RELEASES:
        path = {"bay": bay, "azov": azov}[folder] / name
        logging.disable(logging.CRITICAL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drifting = OceanDrift(loglevel=50)
            reader = reader_netCDF_CF_generic.Reader(str(path))
            drifting.add_reader(reader)
            drifting.set_config("general:use_auto_landmask", False)
            drifting.set_config("environment:constant:land_binary_mask", 0)
            drifting.set_config("drift:advection_scheme", "runge-kutta4")
            drifting.set_config("environment:fallback:x_wind", 0), drifting.set_config("environment:fallback:y_wind", 0)
            drifting.set_config("drift:vertical_mixing", False), drifting.set_config("drift:stokes_drift", False)
            drifting.seed_elements(lon=lon, lat=lat, number=1, time=reader.start_time + datetime.timedelta(seconds=start))
            drifting.run(duration=datetime.timedelta(hours=hours), time_step=300)
        got = (float(drifting.elements.lon[0]), float(drifting.elements.lat[0]))
        truth = drift(path, lon, lat, start, hours)
        moved = metres((lon, lat), truth)
        worst = max(worst, metres(got, truth) / moved)
        expect(worst < 0.02, folder, "ends at", got, "instead of", truth, "after", moved, "m")
    return f"ends within {100 * worst:.2g} % of the way"


# ---- tides ----

@client("UTide", package="utide")
def with_utide(bay, azov):
    """tidal constants of a month with noise, compared with those of the command compare"""
    import utide
    from maeotis_plot import harmonics
    names = ["M2", "S2", "K1", "O1"]
    hours = np.arange(0, 30 * 24 + 1)
    dates = np.datetime64("2014-09-01T00:00") + hours.astype("timedelta64[h]")
    level = 0.3 + 0.05 * np.random.default_rng(1).standard_normal(hours.size)
    for period, amplitude in ((12.4206012, 0.8), (12, 0.25), (23.9344696, 0.1), (25.8193417, 0.07)):
        level += amplitude * np.cos(2 * np.pi * hours / period - amplitude)
    ours = harmonics.both(dates.astype("datetime64[s]").astype(float), level, level, names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = utide.solve(dates, level, lat=45.0, method="ols", conf_int="none", constit=names, verbose=False)
    worst = 0
    for name, amplitude, lag in zip(theirs.name, theirs.A, theirs.g):
        found = ours[name][0][0] * np.exp(1j * np.radians(ours[name][0][1]))
        worst = max(worst, abs(found / (amplitude * np.exp(1j * np.radians(lag))) - 1))
    # nodal corrections are those of two books: UTide's depend on the latitude
    expect(worst < 0.01, "constants differ by", worst, "of the amplitude")
    return f"constants differ by at most {100 * worst:.2g} % of the amplitude"


# ---- models ----

@client("bmi-tester", package="bmi-tester")
def with_bmi_tester(bay, azov):
    """all its tests of MaeotisBmi, in the bay with a river"""
    import maeotis
    scenario = maeotis.scenario(Path(__file__).parent / "bay.json")
    scenario["rivers"] = [{"name": "brook", "lon": 10.45, "lat": 54.1, "discharge_m3_s": 5}]
    scenario["output"] = []
    folder = bay.parent / "bmi"
    shutil.rmtree(folder, ignore_errors=True)  # the tester takes folders for files
    folder.mkdir()
    (folder / "bay.json").write_text(json.dumps(scenario))
    command = [str(Path(sys.executable).parent / "bmi-test"), "maeotis:MaeotisBmi", "--root-dir", ".", "--config-file", "bay.json", "-v"]
    paths = os.pathsep.join(str(SOURCE / part) for part in ("python", "postproc"))
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths})
    failed = re.findall(r"^(?:FAILED|ERROR) .*$", told.stdout, re.M)
    passed = sum(map(int, re.findall(r"(\d+) passed", told.stdout)))
    expect(told.returncode == 0 and not failed and passed > 100, passed, "passed;", failed[:3] or told.stderr[-300:])
    return f"{passed} passed, none failed"


# ---- all of them ----

def version(package, command):
    if package:
        return importlib.metadata.version(package)
    if command:
        told = subprocess.run(command, check=True, capture_output=True, text=True)
        return re.search(r"[0-9]+\.[0-9]+\.[0-9]+", told.stdout + told.stderr).group(0)
    return ""


def main(folder, *wanted):
    failed, skipped = [], []
    for name, (check, package, command) in KEEPERS.items():
        if wanted and name not in wanted:
            continue
        try:
            number = version(package, command)
        except (importlib.metadata.PackageNotFoundError, FileNotFoundError):
            skipped.append(name)
            print(f"{name:20} not installed")
            continue
        try:
            result = check(Path(folder) / "bay", Path(folder) / "azov")
        except Exception as error:  # a client may raise anything
            failed.append(name)
            result = f"FAILED: {type(error).__name__}: {str(error)[:300]}"
        print(f"{name:20} {number:10} {check.__doc__.strip()}: {result}", flush=True)
    if skipped and os.environ.get("MAEOTIS_CLIENTS") == "all":
        failed += skipped
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
