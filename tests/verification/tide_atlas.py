# SPDX-License-Identifier: Apache-2.0
"""Tides from atlases: TPXO and FES layouts at a place and at open boundaries, against the same constituents as formulas; the ramp."""

import json
import os
import subprocess
import sys
from pathlib import Path

import atlas
import cases
import numpy as np

BOX = (10.0, 14.0, 43.0, 46.0)
LON, LAT = 12.31, 44.87
# amplitude and phase lag: (at 12 E 44 N, per degree east, per degree north)
WAVES = {("M2", "eta"): ((0.42, 0.02, -0.03), (131, 4, -3)), ("M2", "u"): ((0.21, 0.01, 0), (100, 0, 5)), ("M2", "v"): ((0.1, 0, 0.02), (222, 3, 0)),
         ("K1", "eta"): ((0.18, 0, 0.01), (350, 5, 8)), ("K1", "u"): ((0.05, 0, 0), (20, 0, 0)), ("K1", "v"): ((0.03, 0, 0), (80, 0, 0))}


def wave(name, quantity, lon, lat):
    return tuple(c[0] + c[1] * (lon - 12) + c[2] * (lat - 44) for c in WAVES[name, quantity])


def depth(lon, lat):
    return np.where(lon > 13.4, 0.0, 20 + 5 * (lat - 43))  # land in the east


def land(lon, lat):
    return np.zeros_like(lon)


def constants(*paths, place=f"{LON},{LAT}", names=()):
    command = [cases.PROGRAM, "tides", *names, "--place", place]
    for path in paths:
        command += ["--atlas", str(path)]
    process = subprocess.run(command, capture_output=True, text=True)
    return process, {line.split()[0]: line.split()[1:] for line in process.stdout.splitlines()[1:]}


def worst(table, quantities, lon=LON, lat=LAT):
    """Largest distance of amplitude and phase from the truth, as complex numbers."""
    errors = []
    for name, row in table.items():
        for column, quantity in quantities:
            amplitude, lag = wave(name, quantity, lon, lat)
            found = float(row[column]) * np.exp(1j * np.radians(float(row[column + 1])))
            errors.append(abs(found - amplitude * np.exp(1j * np.radians(lag))))
    return max(errors)


everything = ((0, "eta"), (2, "u"), (4, "v"))
tpxo, fes, one = Path("tpxo"), Path("fes"), Path("h_tpxo9.v1.nc")
atlas.tpxo(tpxo, ("M2", "K1"), wave, depth, BOX)
atlas.tpxo(Path("turned"), ("M2",), wave, depth, BOX, turn=360)
atlas.fes(fes, ("M2", "K1"), wave, depth, BOX)
atlas.fes(Path("south"), ("M2", "K1"), wave, depth, BOX, descending=True)
atlas.tpxo_in_one(one, ("M2", "K1"), wave, depth, BOX)

# at a place: bilinear between points a quarter of a degree apart is off by 3e-4 of the amplitude
_, table = constants(tpxo)
cases.equal("TPXO: constituents", sorted(table), ["K1", "M2"])
cases.below("TPXO: off by", worst(table, everything), 1.2e-3)  # whole millimetres, and phases of a hundredth of a degree
cases.below("TPXO from 360 degrees on: off by", worst(constants("turned")[1], everything), 1.2e-3)
cases.below("FES: off by", worst(constants(fes)[1], everything), 4e-4)
cases.below("FES, latitudes from the north: off by", worst(constants("south")[1], everything), 4e-4)
cases.below("TPXO in one file: off by", worst(constants(one)[1], ((0, "eta"),)), 4e-4)
cases.equal("TPXO in one file: no currents", constants(one)[1]["M2"][2], "-")
at_coast = constants(fes, place="13.45,44.5")[1]
cases.below("on land, as at the nearest water: off by", worst(at_coast, ((0, "eta"),), lon=13.25, lat=44.5), 5e-3)

# the ellipse is that of the two components
row = list(map(float, constants(fes)[1]["M2"]))
turns = np.exp(1j * np.linspace(0, 2 * np.pi, 20001))
u, v = ((row[k] * np.exp(-1j * np.radians(row[k + 1])) * turns).real for k in (2, 4))
speed = np.hypot(u, v)
cases.below("ellipse: long half-axis off by", abs(speed.max() - row[6]), 2e-4)
cases.below("ellipse: short half-axis off by", abs(speed.min() - abs(row[7])), 2e-4)
cases.equal("ellipse: sense of rotation", np.sign(row[7]), np.sign(u[0] * v[1] - u[1] * v[0]))
along = u * np.cos(np.radians(row[8])) + v * np.sin(np.radians(row[8]))
cases.below("ellipse: greatest speed along its inclination, off by", abs(along.max() - speed.max()), 2e-4)
cases.below("ellipse: phase of the greatest speed, off by", abs((np.degrees(np.angle(turns[np.argmax(along)])) - row[9] + 180) % 360 - 180), 0.3)

# its picture
try:
    import matplotlib, xarray  # noqa: E401, F401

    command = [sys.executable, "-m", "maeotis_plot.tides", "--atlas", str(fes), "--place", f"{LON},{LAT}", "--plot", "tide.png"]
    process = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MAEOTIS": cases.PROGRAM})
    cases.equal("picture: drawn", (process.returncode, Path("tide.png").stat().st_size > 20000), (0, True))
except ImportError:
    print("xarray and matplotlib are not here: the picture is not checked")

# what cannot be used is said
atlas.tpxo(Path("bare"), ("M2",), wave, depth, BOX)
Path("bare/grid_tpxo9_atlas_30_v5.nc").unlink()
atlas.fes(Path("dry"), ("M2",), wave, land, BOX)
atlas.fes(Path("coded"), ("M2",), wave, lambda lon, lat: 0 * lon + 10, BOX)
with atlas.netCDF4.Dataset("coded/ocean_tide/m2_fes2022.nc", "a") as data:
    data["amplitude"][:] = -9999
for path, first, second, units in (("crossed/m2.nc", "amplitude", "phase", ("cm", "degrees")), ("mixed/h_m2.nc", "hRe", "hIm", ("m", "cm"))):
    with atlas.create(Path(path), "NETCDF4") as data:
        for axis, values in (("lon", np.arange(10.0, 15)), ("lat", np.arange(42.0, 47))):
            data.createDimension(axis, 5)
            atlas.coordinate(data, axis, axis, values, "degrees")
        for variable, of, unit in zip((first, second), (("lat", "lon"), ("lon", "lat") if first == "amplitude" else ("lat", "lon")), units):
            values = data.createVariable(variable, "f4", of)
            values.units = unit
            values[:] = 1
for name, arguments, message in (("transports without depths", {"paths": ["bare"]}, "put the atlas's grid file"),
                                 ("a place beyond the atlas", {"paths": [fes], "place": "20,44"},
                                  "the file covers longitudes 10 to 14, but the area needed reaches from 20 to 20"),
                                 ("latitude before longitude", {"paths": [fes], "place": "44,12"}, "are the two swapped?"),
                                 ("a phase across its amplitude", {"paths": ["crossed/m2.nc"]}, "amplitude and phase belong together, but have other dim"),
                                 ("parts in two units", {"paths": ["mixed/h_m2.nc"]}, "hRe and hIm belong together, but have other units"),
                                 ("a constituent that is not there", {"paths": [fes], "names": ["S2"]}, "does not contain S2"),
                                 ("a code for a missing value", {"paths": ["coded"]}, "is an amplitude of 99.99 m at"),
                                 ("land alone", {"paths": ["dry"]}, "land everywhere")):
    process, _ = constants(*arguments.pop("paths"), **arguments)
    cases.equal(f"refused: {name}", (process.returncode, message in process.stderr), (2, True))

# at an open boundary: the atlas and the formulas of its waves give the same sea
GRID = {"kind": "spherical", "west": 12.0, "east": 12.3, "south": 44.0, "north": 44.2, "dlon_deg": 0.025, "dlat_deg": 0.02, "levels": {"bottom_m": -20, "dz_m": 10}}


def formula(constants):
    return "{}+{}*(lon-12)+{}*(lat-44)".format(*constants)


def scenario(boundary):
    path = Path("sea.json")
    path.write_text(json.dumps({
        "grid": GRID, "bathymetry": {"bed_m": -20}, "time": {"start": "2015-03-01T00:00:00Z", "duration_s": 43200, "step_s": 600},
        "boundaries": [{"name": "sea", "edge": "all", "kind": "flather", **boundary}],
        "output": [{"stations": {"middle": [12.15, 44.1]}, "every_s": 600, "variables": ["eta"]}]}))
    return path


def at_edge(edge, quantity, sign, names=("M2", "K1")):
    """The constituents of one edge by formulas; inwards is `sign` times the component."""
    waves = []
    for name in names:
        level, flow = WAVES[name, "eta"], WAVES[name, quantity]
        waves.append({"constituent": name, "amplitude_m": formula(level[0]), "phase_deg": formula(level[1]),
                      "velocity_amplitude_m_s": formula(flow[0]), "velocity_phase_deg": formula((flow[1][0] + (180 if sign < 0 else 0), *flow[1][1:]))})
    return {"name": edge, "edge": edge, "kind": "flather", "tide": waves}


atlas.fes(Path("fine"), ("M2", "K1"), wave, depth, (11.9, 12.4, 43.9, 44.3), step=0.01)
files = {"tide_atlas": {"files": [str(Path("fine").resolve())]}}
path = scenario(files)
from_atlas = cases.run(path.resolve())
cases.conserves(from_atlas, 1e-12)
edges = [at_edge("west", "u", 1), at_edge("east", "u", -1), at_edge("south", "v", 1), at_edge("north", "v", -1)]
by_formula = cases.run(path.resolve(), {"/boundaries": edges})
levels = [run.stations()["eta"][:, 0] for run in (from_atlas, by_formula)]
cases.below("atlas and formulas: levels differ by [m]", np.max(np.abs(levels[0] - levels[1])), 1e-6)
cases.between("there is a tide [m]", np.ptp(levels[0]), 0.4, 2)
cases.equal("four ranks: digest", cases.run(path.resolve(), ranks=4).digest, from_atlas.digest)
sponge = {"/boundaries/0/sponge": {"width_m": 9000, "time_s": 1800}}
cases.equal("with a sponge, four ranks: digest", cases.run(path.resolve(), sponge, ranks=4).digest, cases.run(path.resolve(), sponge).digest)
cases.equal("another device: digest", cases.run(path.resolve(), options=("--device", "emu")).digest, from_atlas.digest)

# along a line around the same sea in a larger grid, each face with its own component
box = [[12.0, 44.0], [12.3, 44.0], [12.3, 44.2], [12.0, 44.2], [12.0, 44.0]]
around = {"/grid/west": 11.95, "/grid/east": 12.35, "/grid/south": 43.96, "/grid/north": 44.24, "/bathymetry/keep_point": [12.15, 44.1]}
in_line = cases.run(path.resolve(), {**around, "/boundaries/0/edge": "line", "/boundaries/0/line": box}).stations()["eta"][:, 0]
cases.below("atlas along a line: levels differ from those along edges by [m]", np.max(np.abs(levels[0] - in_line)), 1e-6)

# as incoming waves the levels have velocities of their own: those of the atlas do not come twice
same_waves = [{"constituent": name, "amplitude_m": formula(WAVES[name, "eta"][0]), "phase_deg": formula(WAVES[name, "eta"][1])} for name in ("M2", "K1")]
coming = [cases.run(path.resolve(), {**boundary, "/boundaries/0/incoming_wave": True}) for boundary in ({}, {"/boundaries/0/tide": same_waves})]
by_both = [run.stations()["eta"][:, 0] for run in coming]
cases.below("incoming waves of the atlas and of formulas: levels differ by [m]", np.max(np.abs(by_both[0] - by_both[1])), 1e-6)
cases.equal("the currents of the atlas that are not used: a warning", "the currents of the tidal atlas are not used" in coming[0].message, True)

swapped = cases.run(path.resolve(), {"/output/0/stations": {"middle": [44.1, 12.15]}}, may_fail=True)
cases.equal("a station with its latitude first", (swapped.code != 0, "are the two swapped?" in swapped.message), (True, True))

# one of its constituents as given, the other from the atlas
some = cases.run(path.resolve(), {"/boundaries/0/tide_atlas/constituents": ["K1"]})
other = cases.run(path.resolve(), {"/boundaries/0/tide": [{"constituent": "M2", "amplitude_m": 0}]})
cases.equal("a given constituent stands for the atlas's", other.digest, some.digest)
cases.equal("M2 matters", some.digest != from_atlas.digest, True)

# the tide of an atlas adds to what a file gives
with atlas.create(Path("outside.nc"), "NETCDF4") as data:
    for axis, values, unit in (("time", [0.0, 24], "hours since 2015-03-01"), ("lat", [43.9, 44.1, 44.3], "degrees_north"), ("lon", [11.9, 12.1, 12.3, 12.5], "degrees_east")):
        data.createDimension(axis, len(values))
        atlas.coordinate(data, axis, axis, values, unit)
    for variable, value, unit in (("zos", 0.25, "m"), ("uo", 0, "m s-1"), ("vo", 0, "m s-1")):
        field = data.createVariable(variable, "f8", ("time", "lat", "lon"))
        field.units = unit
        field[:] = value
higher = [cases.run(path.resolve(), {"/boundaries/0": {"name": "sea", "edge": "all", "kind": "flather", **files, **more}})
          for more in ({"file": str(Path("outside.nc").resolve())}, {"eta_m": 0.25})]
higher = [run.stations()["eta"][:, 0] for run in higher]
cases.below("atlas and file: levels differ from those by number by [m]", np.max(np.abs(higher[0] - higher[1])), 1e-6)
cases.between("the file raises the sea by [m]", np.mean(higher[0][-6:] - levels[0][-6:]), 0.2, 0.3)

# the ramp: no jump at the start, and nothing of it later
start = levels[0][:3]
cases.below("first level [m]", np.max(np.abs(start)), 0.002)
at_once = cases.run(path.resolve(), {"/boundaries/0/tide_ramp_s": 0, "/time/duration_s": 3600})
cases.between("without the ramp: first level [m]", np.max(np.abs(at_once.stations()["eta"][1:4, 0])), 0.05, 1)
ramped = cases.run(path.resolve(), {"/boundaries/0/tide_ramp_s": 7200, "/time/duration_s": 3600})
cases.equal("a long ramp is said", "longer than the run" in ramped.message, True)

# a restart within the ramp
half = cases.run(path.resolve(), {"/time/duration_s": 21600, "/restart/at_end": True}, label="half")
restart = next((half.folder / "results" / "sea").glob("restart_*.nc"))
cases.equal("restarted: digest", cases.run(path.resolve(), options=("--restart", str(restart))).digest, from_atlas.digest)

# refused
for name, boundary, message in (
        ("velocity without currents", {"kind": "velocity", "tide_atlas": {"files": str(one.resolve())}}, "needs currents"),
        ("a discharge has no tide", {"kind": "discharge", "discharge_m3_s": 1, **files}, "depends on the kind"),
        ("no such folder", {"tide_atlas": {"files": "nowhere"}}, "cannot be found")):
    run = cases.run(scenario(boundary).resolve(), may_fail=True)
    cases.equal(f"refused: {name}", (run.code, message in run.message), (2, True))
run = cases.run(scenario({"tide_atlas": {"files": str(one.resolve())}}).resolve(), {"/time/duration_s": 600})
cases.equal("said: levels without currents", "levels but no currents" in run.message, True)
cases.finish()
